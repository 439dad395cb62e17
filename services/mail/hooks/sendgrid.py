"""Twilio SendGrid, Inbound Parse with "POST the raw, full MIME message" and a security policy with signature: a form with ``email``.

The signature (ECDSA, P-256, SHA-256) is over the time in its header and the body as it came, which is not read before it is checked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from email.utils import parseaddr

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from services.http import Problem
from services.mail.hooks.common import Call, Delivery, check_age, form_fields, json_object, refused, text, unusable, whole_number

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
    """The message of a call. ``key``: the policy's public key. Problem 401 if it is not signed by that, 422 without a raw message."""
    stamp = call.headers.get(TIMESTAMP, "")
    try:
        signature = base64.b64decode(call.headers.get(SIGNATURE, ""), validate=True)
        public_key(key).verify(signature, stamp.encode() + call.body, ec.ECDSA(SHA256()))
    except (InvalidSignature, binascii.Error, ValueError):
        raise refused("The signature is not SendGrid's over this body: the parse setting needs a security policy with signature.") from None
    check_age(whole_number(stamp), call.now)
    fields = form_fields(call)
    if "email" not in fields:
        raise unusable('There is no email: tick "POST the raw, full MIME message" in the settings of Inbound Parse.')
    recipients = _recipients(fields)
    # It does not number its deliveries: the same message to the same address is the same delivery.
    number = hashlib.sha256("\0".join(recipients).encode() + b"\0" + fields["email"]).digest()
    return Delivery(number, fields["email"], recipients, _results(fields))


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
