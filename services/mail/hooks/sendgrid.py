"""Twilio SendGrid, Inbound Parse with "POST the raw, full MIME message" and a security policy with signature: a form with ``email``.

Where the raw message is not asked for there are its parts, and it is put together from them: its signature proves nothing then, but what
SendGrid found of it stands.

The signature (ECDSA, P-256, SHA-256) is over the time in its header and the body as it came, which is not read before it is checked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from email.utils import parseaddr

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from services.http import Problem
from services.mail.hooks.built import MAX_HEADERS, built
from services.mail.hooks.common import Call, Delivery, File, check_age, form_fields, json_object, refused, text, unusable, whole_number

SIGNATURE, TIMESTAMP = "x-twilio-email-event-webhook-signature", "x-twilio-email-event-webhook-timestamp"
_DKIM = re.compile(r"@([a-z0-9.-]+)\s*:\s*([a-z]+)", re.IGNORECASE)


def public_key(text: str) -> ec.EllipticCurvePublicKey:
    """The policy's public key from its base64 form. ValueError if it is none."""
    try:
        key = load_der_public_key(base64.b64decode(text, validate=True))
    except (binascii.Error, UnsupportedAlgorithm):
        raise ValueError("not base64, or no key that is known") from None
    if not isinstance(key, ec.EllipticCurvePublicKey):
        raise ValueError("not a key of an elliptic curve")
    return key


def read(call: Call, key: str) -> Delivery:
    """The message of a call. ``key``: the policy's public key. Problem 401 if it is not signed by that, 422 if no message can be made
    of it.
    """
    stamp = call.headers.get(TIMESTAMP, "")
    try:
        signature = base64.b64decode(call.headers.get(SIGNATURE, ""), validate=True)
        public_key(key).verify(signature, stamp.encode() + call.body, ec.ECDSA(SHA256()))
    except (InvalidSignature, binascii.Error, ValueError):
        raise refused("The signature is not SendGrid's over this body: the parse setting needs a security policy with signature.") from None
    check_age(whole_number(stamp), call.now)
    files: list[File] = []
    fields = form_fields(call, files)
    if "email" not in fields and "headers" not in fields:
        raise unusable('There is no email: tick "POST the raw, full MIME message" in the settings of Inbound Parse.')
    recipients = _recipients(fields)
    raw = fields["email"] if "email" in fields else _from_parts(fields, files)
    # It does not number its deliveries: the same message to the same address is the same delivery.
    number = hashlib.sha256("\0".join(recipients).encode() + b"\0" + raw).digest()
    return Delivery(number, raw, recipients, _results(fields))


def _from_parts(fields: dict[str, bytes], files: Iterable[File]) -> bytes:
    try:
        charsets = json_object(fields.get("charsets", b"{}"))
    except Problem:
        charsets = {}

    def said(name: str) -> str:
        try:
            return fields.get(name, b"").decode(str(charsets.get(name) or "utf-8"), "replace")
        except (LookupError, UnicodeError, ValueError):  # a charset of that name there is not
            return text(fields, name)

    headers: list[tuple[str, str]] = []
    for line in said("headers").splitlines()[: 5 * MAX_HEADERS]:
        if line[:1] in (" ", "\t") and headers:
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {line.strip()}")
        elif ":" in line:
            name, _, value = line.partition(":")
            headers.append((name.strip(), value.strip()))
    return built(headers[:MAX_HEADERS], said("text"), said("html"), files)


def _recipients(fields: dict[str, bytes]) -> tuple[str, ...]:
    try:
        found = json_object(fields.get("envelope", b"{}")).get("to")
    except Problem:
        return ()
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def _results(fields: dict[str, bytes]) -> str:
    """DKIM of the sender's own domain, as SendGrid found it: ``{@example.org : pass}``."""
    domain = parseaddr(text(fields, "from"))[1].rpartition("@")[2].lower()
    for signer, result in _DKIM.findall(text(fields, "dkim")):
        if domain and (domain == signer.lower() or domain.endswith("." + signer.lower())) and result.lower() in ("pass", "fail"):
            return f"dkim={result.lower()} header.d={signer.lower()}"
    return ""
