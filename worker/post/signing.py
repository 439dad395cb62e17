"""DKIM signatures (RFC 6376, RFC 8463) of the mails that leave: with them a receiving server knows that a mail is ours and whole."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import dkim
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from worker.config import Config, ConfigError

LEAST_BITS = 1024
"""Shorter RSA keys are not believed (RFC 8301)."""
ONCE = ("from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references")
"""Signed once more than they occur, so that nobody can put in a second one, or one that we left out."""
SIGNED = (*ONCE, *ONCE, "mime-version", "content-type", "auto-submitted")


def signer(key_file: str, selector: str, domain: str) -> Callable[[bytes], bytes]:
    """What signs a mail as the domain's: a mail -> the mail with a signature on top. ConfigError if the key cannot be used."""
    key, algorithm = _key(key_file)

    def sign(raw: bytes) -> bytes:
        present = {line.partition(b":")[0].strip().lower().decode("ascii", "replace") for line in _head(raw)}
        names = [name for name in SIGNED if name in present or name in ONCE]
        # Twice only where it is there: a header that is absent is protected by its name alone.
        names = list(dict.fromkeys(names)) + [name for name in ONCE if name in present]
        signature: bytes = dkim.sign(
            raw,
            selector.encode(),
            domain.encode(),
            key,
            canonicalize=(b"relaxed", b"relaxed"),
            signature_algorithm=algorithm,
            include_headers=[name.encode() for name in names],
        )
        return signature + raw

    return sign


def check_key(config: Config) -> None:
    """ConfigError if mails are to be signed with a key that cannot be used."""
    if config.dkim_key_file:
        _load(config.dkim_key_file)


def dns_record(key_file: str, selector: str, domain: str) -> str:
    """The record that the domain's DNS must have for these signatures: its name, its type, its text. ConfigError as ``signer``."""
    loaded = _load(key_file)
    if isinstance(loaded, RSAPrivateKey):
        kind = "rsa"
        public = loaded.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    else:
        kind, public = "ed25519", loaded.public_key().public_bytes_raw()
    text = f"v=DKIM1; k={kind}; p={base64.b64encode(public).decode()}"
    pieces = [text[at : at + 250] for at in range(0, len(text), 250)]  # no text in the DNS is longer than 255 bytes
    quoted = " ".join(f'"{piece}"' for piece in pieces)
    return f"{selector}._domainkey.{domain}. IN TXT ( {quoted} )"


def _head(raw: bytes) -> list[bytes]:
    lines = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    return [line for line in lines if line[:1] not in (b" ", b"\t")]


def _key(file: str) -> tuple[bytes, bytes]:
    """The key as the signing library takes it, and the name of its algorithm."""
    loaded = _load(file)
    if isinstance(loaded, RSAPrivateKey):
        form = (serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
        return loaded.private_bytes(*form), b"rsa-sha256"
    return base64.b64encode(loaded.private_bytes_raw()), b"ed25519-sha256"


def _load(file: str) -> RSAPrivateKey | Ed25519PrivateKey:
    try:
        loaded = serialization.load_pem_private_key(Path(file).read_bytes(), None)
    except OSError as error:
        raise ConfigError(f"The key for DKIM, {file}, cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise ConfigError(f"The key for DKIM, {file}, is no private key in PEM without a password.") from None
    if not isinstance(loaded, RSAPrivateKey | Ed25519PrivateKey):
        raise ConfigError(f"The key for DKIM, {file}, is neither RSA nor Ed25519.")
    if isinstance(loaded, RSAPrivateKey) and loaded.key_size < LEAST_BITS:
        raise ConfigError(f"The key for DKIM, {file}, has {loaded.key_size} bits; at least {LEAST_BITS} are wanted, better 2048.")
    return loaded
