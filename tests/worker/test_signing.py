"""DKIM: a signed mail is proved by the key in the DNS, and no changed one is."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import dkim
import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from services.mail.compose import compose
from tests.mail.test_compose import LETTER
from worker.cli import main
from worker.config import ConfigError
from worker.post.outgoing import RecordingSender, SigningSender
from worker.post.signing import dns_record, signer

RAW = compose(replace(LETTER, references=[], in_reply_to=None))
KEYS = {"rsa": rsa.generate_private_key(65537, 2048), "ed25519": ed25519.Ed25519PrivateKey.generate()}


def kept(folder: Path, key: object, locked: bool = False) -> str:
    lock = BestAvailableEncryption(b"secret") if locked else NoEncryption()
    (folder / "dkim.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock))  # type: ignore[attr-defined]
    return str(folder / "dkim.pem")


def proved(raw: bytes, file: str) -> bool:
    """Whether a receiving server believes the signature, from the record that we print for the DNS."""
    name, _, text = dns_record(file, "hx", "pbem.example.com").partition(" IN TXT ")
    found = "".join(re.findall(r'"([^"]*)"', text)).encode()

    def lookup(wanted: bytes, timeout: float = 5) -> bytes | None:
        return found if wanted.decode() == name else None

    return bool(dkim.verify(raw, dnsfunc=lookup))


@pytest.mark.parametrize("kind", KEYS)
def test_a_signed_mail_is_believed_and_a_changed_one_is_not(tmp_path: Path, kind: str) -> None:
    file = kept(tmp_path, KEYS[kind])
    signed = signer(file, "hx", "pbem.example.com")(RAW)
    assert signed.endswith(RAW)
    assert proved(signed, file)
    changes = {
        "the words": signed.replace(b"MOVE 21PZ", b"MOVE 22PZ"),
        "the subject": signed.replace(b"Receipt: 3", b"Receipt: 4"),
        "where answers go": signed.replace(b"\r\nReply-To: hexpost <orders+", b"\r\nReply-To: hexpost <others+"),
        "the Message-ID": signed.replace(b"\r\nMessage-ID: <g17", b"\r\nMessage-ID: <g18"),
        "a second sender": signed.replace(b"\r\nFrom: ", b"\r\nFrom: you@example.org\r\nFrom: "),
        "a second subject": signed.replace(b"\r\nSubject: ", b"\r\nSubject: Buy\r\nSubject: "),
        "a thread put in": signed.replace(b"\r\nSubject: ", b"\r\nIn-Reply-To: <x@example.org>\r\nSubject: "),
        "more words": signed + b"More.\r\n",
    }
    for what, raw in changes.items():
        assert raw != signed, what
        assert not proved(raw, file), what


def test_a_signature_bears_the_refolding_of_headers_on_the_way(tmp_path: Path) -> None:
    file = kept(tmp_path, KEYS["ed25519"])
    signed = signer(file, "hx", "pbem.example.com")(RAW)
    assert proved(signed.replace(b"\r\nSubject: [G17 T04", b"\r\nSUBJECT:  [G17\r\n T04"), file)


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="neither RSA nor Ed25519"):
        signer(kept(tmp_path, ec.generate_private_key(ec.SECP256R1())), "hx", "pbem.example.com")


def test_nothing_starts_with_a_bad_key_and_the_record_of_a_good_one_is_printed(tmp_path: Path) -> None:
    settings = tmp_path / "hexpost.toml"
    settings.write_text('address = "orders@Desk.Example"\ndkim_key_file = "dkim.pem"\ndkim_selector = "hx1"\n')

    def call(command: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, [command, "--config", str(settings)])
        return done.exit_code, done.output

    code, said = call("serve")
    assert (code, "dkim.pem, cannot be read" in said) == (2, True)
    kept(tmp_path, KEYS["ed25519"])
    code, said = call("dkim")
    assert code == 0
    assert said.startswith('hx1._domainkey.desk.example. IN TXT ( "v=DKIM1; k=ed25519; p=')
    settings.write_text("")
    assert "Mails are not signed" in call("dkim")[1]


def test_a_key_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none.pem, cannot be read: No such file"):
        signer(str(tmp_path / "none.pem"), "hx", "x.example")
    with pytest.raises(ConfigError, match="no private key in PEM without a password"):
        signer(kept(tmp_path, KEYS["ed25519"], locked=True), "hx", "x.example")
    (tmp_path / "dkim.pem").write_bytes(b"rubbish")
    with pytest.raises(ConfigError, match="no private key in PEM"):
        signer(str(tmp_path / "dkim.pem"), "hx", "x.example")


def test_what_leaves_is_signed(tmp_path: Path) -> None:
    file = kept(tmp_path, KEYS["ed25519"])
    sender = RecordingSender()
    SigningSender(sender, signer(file, "hx", "pbem.example.com")).send(RAW, LETTER.message_id, [LETTER.to])
    ((_, to, raw),) = sender.sent
    assert to == (LETTER.to,)
    assert raw.startswith(b"DKIM-Signature: ")
    assert proved(raw, file)
