"""Postmark, inbound webhook with "Include raw email content in JSON payload": JSON with the raw message in ``RawEmail``.

Postmark signs nothing; the URL that it is given bears a user and a password, which it sends with each call (HTTP Basic).
"""

from __future__ import annotations

import base64
import hmac

from services.mail.hooks.common import Call, Delivery, json_object, refused, texts, unusable


def read(call: Call, login: str) -> Delivery:
    """The message of a call. ``login``: ``user:password``. Problem 401 if another was sent or none, 422 without a raw message."""
    wanted = b"Basic " + base64.b64encode(login.encode())
    given = call.headers.get("authorization", "").encode("utf-8", "surrogateescape")
    if not hmac.compare_digest(given, wanted):
        raise refused("User and password are missing or wrong: the URL begins with https://user:password@.")
    body = json_object(call.body)
    if "RawEmail" not in body:
        raise unusable('There is no RawEmail: tick "Include raw email content in JSON payload" in the inbound stream\'s settings.')
    number, raw = texts(body, "MessageID", "RawEmail")
    if not number:
        raise unusable("MessageID is empty.")
    recipient = body.get("OriginalRecipient")
    return Delivery(number.encode(), raw.encode(), (recipient,) if isinstance(recipient, str) else ())
