"""What the webhooks share: a call as it came, what it may lead to, form fields as bytes, and the age of a signature."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, MultipartDecoder
from werkzeug.sansio.multipart import File as Upload

from services.http import Problem, decode

MAX_FIELDS = 100
MAX_AGE = 86_400
"""Seconds that a provider may go on trying to deliver what it has signed. A repeated delivery is known by its number, however old."""
AHEAD = 300
"""Seconds that its clock may be ahead of ours."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request as it came. ``headers``: names in lower case; ``now``: seconds since 1970."""

    body: bytes
    headers: Mapping[str, str]
    now: float


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message that a provider has handed over. ``number``: what it is known by when it comes again.

    ``recipients``: of the envelope; ``results``: what the provider found about the sender, as in Authentication-Results, or "".
    """

    number: bytes
    raw: bytes
    recipients: tuple[str, ...] = ()
    results: str = ""


def refused(detail: str) -> Problem:
    """The call does not prove that it comes from where it says."""
    return Problem(401, "bad-signature", detail)


def unusable(detail: str) -> Problem:
    """The call is genuine, and nothing can be made of it."""
    return Problem(422, "unusable", detail)


def check_age(stamp: float, now: float, most: float = MAX_AGE) -> None:
    """Problem 401 if a signed time lies too far from ours."""
    if not now - most <= stamp <= now + AHEAD:
        raise refused("The signature is too old, or its time lies ahead: check the clocks.")


def whole_number(text: str) -> int:
    """The number of seconds in a header or field. Problem 401 if it is none."""
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise refused("The time of the signature is missing or no number.")
    return int(text)


File = tuple[str, str, bytes]
"""Name, MIME type and content of a file."""


def form_fields(call: Call, files: list[File] | None = None) -> dict[str, bytes]:
    """The fields of a form, as the bytes that came: a raw message may be in any charset. The first of a name counts. ``files``: to which
    the files of the form are added; None: they are left out.
    """
    mime, options = parse_options_header(call.headers.get("content-type", ""))
    found: dict[str, bytes] = {}
    try:
        if mime == "multipart/form-data":
            _read_parts(call.body, options["boundary"].encode("latin-1"), found, [] if files is None else files)
        elif mime == "application/x-www-form-urlencoded":
            pairs = parse_qsl(call.body.decode("latin-1"), True, encoding="latin-1", max_num_fields=MAX_FIELDS)
            for name, value in pairs:
                found.setdefault(name, value.encode("latin-1"))
        else:
            raise Problem(415, "not-a-form", "Send a form: multipart/form-data or application/x-www-form-urlencoded.")
    except (ValueError, KeyError, RecursionError) as error:  # werkzeug and urllib say a broken form so
        raise Problem(400, "not-a-form", f"The form cannot be read: {str(error)[:100]}.") from None
    return found


def _read_parts(body: bytes, boundary: bytes, found: dict[str, bytes], files: list[File]) -> None:
    decoder = MultipartDecoder(boundary, max_parts=MAX_FIELDS)
    decoder.receive_data(body)
    decoder.receive_data(None)
    part: Field | Upload | None = None
    pieces: list[bytes] = []
    while not isinstance(event := decoder.next_event(), Epilogue):
        if isinstance(event, Field | Upload):
            part, pieces = event, []
        elif isinstance(event, Data) and part is not None:
            pieces.append(event.data)
            if event.more_data:
                continue
            if isinstance(part, Field):
                found.setdefault(part.name, b"".join(pieces))
            else:
                files.append((part.filename or part.name, part.headers.get("content-type", ""), b"".join(pieces)))


def text(fields: Mapping[str, bytes], name: str) -> str:
    """A field as text; empty where it is missing."""
    return fields.get(name, b"").decode("utf-8", "replace")


def json_object(data: bytes) -> dict[str, Any]:
    """A JSON object. Problem 400 or 422 if it is not one."""
    found = decode(data)
    if not isinstance(found, dict):
        raise unusable("The body is not a JSON object.")
    return found


def texts(found: Mapping[str, Any], *names: str) -> list[str]:
    """The texts of a JSON object under these names. Problem 422, naming the first that is missing."""
    for name in names:
        if not isinstance(found.get(name), str):
            raise unusable(f"{name} is missing, or is no text.")
    return [str(found[name]) for name in names]
