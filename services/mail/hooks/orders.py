"""The generic webhook: JSON signed after Standard Webhooks, from a program of the operator's that speaks for the players.

``{"type": "orders", "data": {"from", "to", "text", "subject"}}`` becomes a mail from the player whom it names; whoever holds the secret
vouches for him. ``{"type": "message", "data": {"raw", "recipient"}}`` hands on a raw mail in base64, which proves itself as any mail does.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate

from services.http import invalid
from services.mail.hooks.common import Call, Delivery, check_age, json_object, refused, unusable, whole_number

TOLERANCE = 300.0
"""Seconds between the time of a signature and ours: each attempt is signed anew."""
_ADDRESS = validate.Regexp(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}\Z", error="Not a mail address.")
_LINE = validate.Regexp(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{0,300}\Z", error="Not one line of at most 300 characters.")


class _Orders(Schema):
    """Orders of a player. ``to``: the address with his token that his last mail gave for replies."""

    class Meta:
        unknown = EXCLUDE

    from_ = fields.String(required=True, data_key="from", validate=_ADDRESS)
    to = fields.String(required=True, validate=_ADDRESS)
    text = fields.String(required=True, validate=validate.Length(1, 100_000))
    subject = fields.String(load_default="orders", validate=_LINE)


class _Message(Schema):
    """A raw mail, in base64. ``recipient``: of its envelope."""

    class Meta:
        unknown = EXCLUDE

    raw = fields.String(required=True, validate=validate.Length(1))
    recipient = fields.String(load_default="", validate=validate.Regexp(r"[!-~]{0,320}\Z", error="Not a mail address."))


def secret_bytes(secret: str) -> bytes:
    """A secret, ``whsec_`` and base64, as bytes. ValueError if it is not that, or shorter than 24 bytes."""
    try:
        found = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("not base64") from None
    if len(found) < 24:
        raise ValueError("shorter than 24 bytes")
    return found


def read(call: Call, secrets: str, server: str) -> Delivery:
    """The message of a call. ``secrets``: one, or several with commas between while they are changed; ``server``: our name.

    Problem 401 if it is signed with none of them, 400 or 422 if nothing can be made of it.
    """
    number = call.headers.get("webhook-id", "")
    _check_signature(call, number, secrets)
    event = json_object(call.body)
    data = event.get("data")
    if event.get("type") == "orders":
        return Delivery(number.encode(), *_orders(_loaded(_Orders(), data), call, number, server))
    if event.get("type") == "message":
        found = _loaded(_Message(), data)
        try:
            return Delivery(number.encode(), base64.b64decode(found["raw"], validate=True), (found["recipient"],))
        except binascii.Error:
            raise unusable("data.raw is not base64.") from None
    raise unusable('type is neither "orders" nor "message".')


def _check_signature(call: Call, number: str, secrets: str) -> None:
    stamp = call.headers.get("webhook-timestamp", "")
    given = [one.partition(",")[2] for one in call.headers.get("webhook-signature", "").split() if one.startswith("v1,")]
    signed = b".".join((number.encode(), stamp.encode(), call.body))
    wanted = [base64.b64encode(hmac.new(secret_bytes(one.strip()), signed, hashlib.sha256).digest()) for one in secrets.split(",")]
    if not number or not any(hmac.compare_digest(one.encode(), other) for one in given[:10] for other in wanted):
        raise refused("The signature is not that of webhook-id, webhook-timestamp and this body with our secret.")
    check_age(whole_number(stamp), call.now, TOLERANCE)


def _loaded(schema: Schema, data: Any) -> dict[str, Any]:
    try:
        return dict(schema.load(data if isinstance(data, dict) else {}))
    except ValidationError as error:
        raise invalid(error.messages, "#/data") from None


def _orders(found: dict[str, Any], call: Call, number: str, server: str) -> tuple[bytes, tuple[str, ...], str]:
    """A mail from the player; its Message-ID is made of the event's, so that a repeated one is the same mail."""
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = found["from_"], found["to"], found["subject"]
    mail["Date"] = datetime.fromtimestamp(int(call.now), UTC)
    mail["Message-ID"] = f"<{hashlib.sha256(number.encode()).hexdigest()[:32]}.hook@{server}>"
    mail.set_content(found["text"])
    domain = found["from_"].rpartition("@")[2]
    return mail.as_bytes(), (found["to"],), f"dmarc=pass (signed by the operator's program) header.from={domain}"
