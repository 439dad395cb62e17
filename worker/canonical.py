"""JSON as bytes that are equal when the values are: what is hashed, signed and stored."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

Json = Any
"""A value that JSON can carry (numbers whole)."""


def canonical(value: Json) -> bytes:
    """``value`` as JSON with sorted keys and no blanks, in UTF-8."""
    return msgspec.json.encode(value, order="sorted")


def decode(text: bytes | str) -> Json:
    """JSON text as plain values. ValueError if it is not JSON."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()
