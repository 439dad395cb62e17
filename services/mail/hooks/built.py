"""A mail put together again from what a provider has taken apart: its headers as they were, its text, its HTML, its files."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Mapping
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from services.mail.hooks.common import unusable

MAX_HEADERS = 200
MAX_FILES = 50
_NAME = re.compile(r"[!-9;-~]{1,76}\Z")
_MIME = re.compile(r"([a-z0-9.+-]{1,60})/([a-z0-9.+-]{1,60})\Z", re.IGNORECASE)
_OF_THE_FORM = frozenset(("content-type", "content-transfer-encoding", "content-disposition", "content-id", "mime-version", "bcc"))
"""Headers of the message as it was packed; this one is packed anew."""
_OF_THE_WHOLE = frozenset(("dkim-signature", "arc-seal", "arc-message-signature", "arc-authentication-results"))
"""Signatures hold for the very bytes that were signed: over these they prove nothing, and would be taken for broken."""


def built(headers: Iterable[tuple[str, str]], text: str, html: str, files: Iterable[tuple[str, str, bytes]]) -> bytes:
    """The mail. ``headers``: name and value, in order, the one of ``From`` among them; ``files``: name, MIME type and content."""
    mail = EmailMessage(policy=SMTP)
    if text or not html:
        mail.set_content(text)
        if html:
            mail.add_alternative(html, subtype="html")
    else:
        mail.set_content(html, subtype="html")
    for name, mime, data in files:
        kind = _MIME.match(mime.partition(";")[0].strip())
        main, sub = kind.groups() if kind and kind[1].lower() not in ("multipart", "message") else ("application", "octet-stream")
        mail.add_attachment(data, maintype=main, subtype=sub, filename=_line(name) or "file")
    _bound(mail)
    packed = mail.as_bytes()
    return b"".join(_header(name, value) for name, value in headers) + packed


def _bound(mail: EmailMessage) -> None:
    """Give the parts boundaries made of what is between them: the same message is the same bytes, however often it is put together."""
    leaves: list[Any] = [part.get_payload(decode=True) for part in mail.walk() if not part.is_multipart()]
    mark = hashlib.sha256(b"".join(one or b"" for one in leaves)).hexdigest()
    for number, part in enumerate(one for one in mail.walk() if one.is_multipart()):
        part.set_boundary(f"=_{number}{mark}")


def _header(name: str, value: str) -> bytes:
    """A header on one line, or none where it is of the form of the mail that was."""
    lower = name.lower()
    if not _NAME.match(name) or lower in _OF_THE_FORM:
        return b""
    kept = f"X-Foreign-{name}" if lower in _OF_THE_WHOLE else name
    return f"{kept}: {_line(value)}".encode() + b"\r\n"


def _line(value: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in value).split())


def named_headers(found: Any) -> list[tuple[str, str]]:
    """The headers of a list of ``{"Name", "Value"}``. Problem 422 if it is none."""
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise unusable("Headers is missing, or is no list of names and values.")
    return [(str(one.get("Name", "")), str(one.get("Value", ""))) for one in found[:MAX_HEADERS]]


def packed_files(found: Any) -> list[tuple[str, str, bytes]]:
    """The files of a list of ``{"Name", "ContentType", "Content"}``, base64. Problem 422 if one cannot be unpacked."""
    if not isinstance(found, list) or len(found) > MAX_FILES or not all(isinstance(one, Mapping) for one in found):
        raise unusable(f"Attachments is no list of at most {MAX_FILES} files.")
    try:
        return [
            (str(one.get("Name", "")), str(one.get("ContentType", "")), base64.b64decode(str(one.get("Content", "")), validate=True))
            for one in found
        ]
    except binascii.Error:
        raise unusable("The content of an attachment is not base64.") from None
