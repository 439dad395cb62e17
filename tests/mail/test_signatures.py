"""DKIM checked here: by the sender's own domain, over the whole text, with keys that the test hands in."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import dkim
import nacl.signing
import pytest

from services.mail.checks import Case
from services.mail.context import read_context
from services.mail.intake import read_mail
from services.mail.message import read_message
from services.mail.signatures import Unanswered, check_signatures, is_aligned
from tests.mail.test_intake import ANN, ORDERS, context, mail

RSA = (Path(__file__).parent / "dkim-test-key.pem").read_bytes()  # made for these tests and used nowhere else
RSA_KEY = (
    "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCw1Xq2m2Vu9L9ShnSMTbtDZ+AooUBwmGkrAM7NAj2uTUC6bc7o2x"
    "NpQSofkdYXzTg6j7eNd04uJggIt95UgljTKIyedcBxQ9grszNfS2vEfFdNGI6hQPDArGGS+jJGnGUgf8u1ZjIHryKVYGoh+NY2l7RI5lofZUz9Fr8MDUIXGwIDAQAB"
)
SEED = nacl.signing.SigningKey(bytes(range(32)))
ED_KEY = f"v=DKIM1; k=ed25519; p={base64.b64encode(bytes(SEED.verify_key)).decode()}"
KEYS = {
    "s1._domainkey.mail.example.org": RSA_KEY,
    "s2._domainkey.mail.example.org": ED_KEY,
    "s1._domainkey.example.org": RSA_KEY,
    "s1._domainkey.cheap-host.example": RSA_KEY,
}


def signed(raw: bytes, domain: str = "mail.example.org", *, algorithm: str = "rsa-sha256", **more: Any) -> bytes:
    selector, key = ("s2", base64.b64encode(bytes(SEED))) if algorithm.startswith("ed") else ("s1", RSA)
    names = more.pop("include_headers", [b"from", b"to", b"subject", b"message-id"])
    made = dkim.sign(raw, selector.encode(), domain.encode(), key, signature_algorithm=algorithm.encode(), include_headers=names, **more)
    return bytes(made) + raw


def read(raw: bytes, **more: Any) -> str:
    return str(read_mail(raw, context(**{"check_dkim": True, "keys": KEYS, "demand_pass": True, **more}))["verdict"])


PLAIN = mail(results="")


@pytest.mark.parametrize("algorithm", ["rsa-sha256", "ed25519-sha256"])
def test_a_signature_of_the_senders_domain_is_a_pass(algorithm: str) -> None:
    assert read(signed(PLAIN, algorithm=algorithm)) == "accept"


def test_a_domain_above_the_senders_may_sign_for_it() -> None:
    assert read(signed(PLAIN, "example.org")) == "accept"


def test_without_a_signature_a_pass_that_is_demanded_is_missing_and_else_the_token_is_enough() -> None:
    assert read(PLAIN) == "hold:sender-unverified"
    assert read(PLAIN, demand_pass=False) == "accept"


@pytest.mark.parametrize("at", [b"0907", b"orders\r\n", b"ann.carter@"], ids=["an order", "the subject", "the sender"])
def test_one_changed_byte_breaks_it(at: bytes) -> None:
    raw = signed(PLAIN)
    head, _, rest = raw.partition(b"\r\nDelivered-To")
    spoilt = head + b"\r\nDelivered-To" + rest.replace(at, at.swapcase() if at.islower() else at[:-1] + b"8", 1)
    assert spoilt != raw
    assert check_signatures(spoilt, "mail.example.org", KEYS.get) == "fail"
    assert read(spoilt, demand_pass=False) == "hold:sender-unverified"


def test_somebody_elses_signature_proves_nothing() -> None:
    raw = signed(PLAIN, "cheap-host.example")
    assert check_signatures(raw, "mail.example.org", KEYS.get) == "none"
    assert read(raw) == "hold:sender-unverified"


@pytest.mark.parametrize(
    "signature",
    [
        lambda: signed(PLAIN, length=True),
        lambda: signed(PLAIN).replace(b"h=from : ", b"h="),
        lambda: signed(PLAIN).replace(b"a=rsa-sha256", b"a=rsa-sha1"),
    ],
    ids=["open at its end", "sender not signed", "broken hash"],
)
def test_a_signature_that_leaves_room_for_a_forger_is_not_looked_at(signature: Any) -> None:
    raw = signature()
    assert check_signatures(signed(PLAIN), "mail.example.org", KEYS.get) == "pass"
    assert raw != signed(PLAIN)
    assert check_signatures(raw, "mail.example.org", KEYS.get) == "none"


def test_one_good_signature_beside_a_broken_one_is_enough() -> None:
    assert read(signed(signed(PLAIN), algorithm="ed25519-sha256").replace(b"s=s1", b"s=s9")) == "accept"


def test_name_servers_that_do_not_answer_hold_the_mail_and_a_missing_key_breaks_the_signature() -> None:
    def silent(name: str) -> str | None:
        raise Unanswered(name)

    raw = signed(PLAIN)
    assert check_signatures(raw, "mail.example.org", silent) == "temperror"
    assert check_signatures(raw, "mail.example.org", lambda name: None) == "fail"
    assert read_mail(raw, context(check_dkim=True), silent)["verdict"] == "hold:sender-unverified"


def test_a_stamp_of_the_own_server_is_taken_in_place_of_a_check() -> None:
    assert read(mail(), keys={}) == "accept"


def test_nobody_is_looked_up_for_strangers() -> None:
    asked: list[str] = []
    raw = signed(mail(results="", sender="eve@cheap-host.example", to="orders@pbem.example.com"), "cheap-host.example")
    assert read_mail(raw, context(check_dkim=True), lambda name: asked.append(name))["verdict"] == "drop:unknown-sender"
    assert asked == []


def test_a_text_that_would_take_long_to_bring_into_its_canonical_form_does_not_hold() -> None:
    raw = signed(mail(body=ORDERS + "x" + " " * 2_000 + "y\r\n", results=""))
    assert check_signatures(raw, "mail.example.org", KEYS.get) == "fail"


@pytest.mark.parametrize(
    ("signer", "domain", "speaks"),
    [
        ("example.org", "example.org", True),
        ("Example.ORG", "mail.example.org", True),
        ("mail.example.org", "example.org", False),
        ("org", "example.org", False),
        ("ample.org", "example.org", False),
        ("", "example.org", False),
    ],
)
def test_who_may_sign_for_whom(signer: str, domain: str, speaks: bool) -> None:
    assert is_aligned(signer, domain) == speaks


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ("dkim=pass header.d=mail.example.org", "accept"),
        ("dkim=pass header.i=@example.org", "accept"),
        ("dkim=pass header.d=cheap-host.example", "hold:sender-unverified"),
        ("dkim=pass", "hold:sender-unverified"),
        ("dkim=pass header.d=cheap-host.example; dkim=fail header.d=mail.example.org", "hold:sender-unverified"),
        ("dkim=fail header.d=mailer.example; dmarc=pass header.from=mail.example.org", "accept"),
    ],
)
def test_a_stamp_counts_only_for_the_domain_that_signed(results: str, verdict: str) -> None:
    assert read(mail(sender=ANN, results=f"mx.pbem.example.com; {results}")) == verdict


def test_a_mail_that_can_be_read_again_waits_for_name_servers_that_are_silent_and_for_nothing_else() -> None:
    def silent(name: str) -> str | None:
        raise Unanswered(name)

    found = read_mail(signed(PLAIN), context(check_dkim=True, patient=True), silent)
    assert (found["verdict"], found["lines"], found["reply"], found["authentic"]) == ("later:no-key", [], "none", False)
    assert read(signed(PLAIN), patient=True, keys={}) == "hold:sender-unverified"
    assert read(signed(PLAIN), patient=True) == "accept"
    stamped = mail(results="mx.pbem.example.com; dkim=temperror header.d=mail.example.org")
    assert read(stamped, patient=True) == "hold:sender-unverified"  # what the server has stamped stays so
    vouched = read_mail(signed(PLAIN), context(check_dkim=True, patient=True, vouched=True), silent)
    assert vouched["verdict"] == "accept"


def test_the_game_masters_signature_is_checked_like_a_players() -> None:
    raw = signed(mail("STATUS G17\r\n", results="", sender="master@cheap-host.example", to="orders@pbem.example.com"), "cheap-host.example")
    known = read_context(context(check_dkim=True, keys=KEYS, masters=["master@cheap-host.example"]))

    def found(raw: bytes) -> dict[str, set[str]]:
        return Case(read_message(raw), known, raw).results[0]

    assert found(raw) == {"dkim": {"pass"}}
    assert found(raw.replace(b"G17\r\n", b"G18\r\n")) == {"dkim": {"fail"}}
