"""Postmark, inbound webhook: JSON with the raw message in ``RawEmail`` ("Include raw email content in JSON payload").

Where that is not ticked there are the parts of the message, and it is put together from them: its signature proves nothing then.

Postmark signs nothing; the URL that it is given bears a user and a password, which it sends with each call (HTTP Basic).
"""

from __future__ import annotations

import base64
import hmac
from email.utils import formataddr
from typing import Any

from services.mail.hooks.built import built, named_headers, packed_files
from services.mail.hooks.common import Call, Delivery, json_object, refused, texts, unusable


def read(call: Call, login: str) -> Delivery:
    """The message of a call. ``login``: ``user:password``. Problem 401 if another was sent or none, 422 if no message can be made of it."""
    wanted = b"Basic " + base64.b64encode(login.encode())
    given = call.headers.get("authorization", "").encode("utf-8", "surrogateescape")
    if not hmac.compare_digest(given, wanted):
        raise refused("User and password are missing or wrong: the URL begins with https://user:password@.")
    body = json_object(call.body)
    if "RawEmail" not in body and "TextBody" not in body:
        raise unusable('There is no RawEmail: tick "Include raw email content in JSON payload" in the inbound stream\'s settings.')
    (number,) = texts(body, "MessageID")
    if not number:
        raise unusable("MessageID is empty.")
    recipient = body.get("OriginalRecipient")
    raw = texts(body, "RawEmail")[0].encode() if "RawEmail" in body else _from_parts(body)
    return Delivery(number.encode(), raw, (recipient,) if isinstance(recipient, str) else ())


def _from_parts(body: dict[str, Any]) -> bytes:
    text, sender = texts(body, "TextBody", "From")
    html = body.get("HtmlBody")
    full = body.get("FromFull")
    if isinstance(full, dict) and isinstance(full.get("Email"), str):
        sender = formataddr((str(full.get("Name") or ""), full["Email"]))
    named = [("From", sender)] + [(name, str(body[name])) for name in ("To", "Cc", "Subject", "Date") if body.get(name)]
    given = {name.lower() for name, _ in named}
    headers = [*named, *((name, value) for name, value in named_headers(body.get("Headers")) if name.lower() not in given)]
    return built(headers, text, html if isinstance(html, str) else "", packed_files(body.get("Attachments", [])))
