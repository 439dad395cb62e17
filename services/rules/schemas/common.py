"""What the schemas share: exact JSON and its bounds, strict fields, and how a fault is placed in a body."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate

from scenarios.hexes import Box, Edge, Hex, Hexside
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Json

MAX_DEPTH = 16
"""Lists and objects within one another, in the parts of a body that are a game's own."""
MAX_INT = 2**53 - 1
"""The largest integer that every JSON reader keeps exact."""
MAX_TEXT = 500
MAX_ITEMS = 5000
MAX_ORDERS = 500

SIDE = r"\A[a-z][a-z0-9-]{0,19}\Z"
UNIT = r"\A[A-Z0-9-]{1,8}\Z"
VERB = r"\A[A-Z][A-Z-]{0,19}\Z"
LABEL = r"\A[A-Z0-9+-]{1,20}\Z"
HEX = r"\A[0-9]{4}\Z"
DIGEST = r"\A[0-9a-f]{64}\Z"


def canonical_bytes(value: Json) -> bytes:
    """Plain JSON with sorted keys and no blanks; the same bytes as ``engine.canonical``, in a twentieth of its time."""
    return msgspec.json.encode(value, order="sorted")


def digest(value: Json) -> str:
    """SHA-256 over the canonical bytes, in hex."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def plain(value: Json) -> Json:
    """``value`` as JSON carries it: places and fractions as text, sets sorted, tuples as lists. TypeError on a float or a stranger."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Hex | Hexside | Box | Edge):
        return str(value)
    if isinstance(value, Fraction):
        return print_exact(value)
    if isinstance(value, Mapping):
        return {_key(key): plain(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [plain(below) for below in value]
    if isinstance(value, frozenset | set):
        return sorted(plain(below) for below in value)
    raise TypeError(f"not an exact JSON value: {type(value).__name__} {str(value)[:80]!r}")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, Hex | Hexside | Box | Edge):
        return str(key)
    raise TypeError(f"not a key of a JSON object: {key!r}")


def check_json(value: Json, depth: int = MAX_DEPTH) -> None:
    """ValidationError, placed, where ``value`` holds a number that is not whole or too large, long text, or nests too deep."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise ValidationError(f"Text longer than {MAX_TEXT} characters.")
    elif isinstance(value, int):
        if abs(value) > MAX_INT:
            raise ValidationError("A number too large to be kept exact.")
    elif isinstance(value, float):
        raise ValidationError('A number must be whole, or a fraction as text ("7/2").')
    else:
        _check_within(value, depth)


def _check_within(value: Json, depth: int) -> None:
    if depth == 0:
        raise ValidationError(f"Nested more than {MAX_DEPTH} deep.")
    if len(value) > MAX_ITEMS:
        raise ValidationError(f"More than {MAX_ITEMS} items.")
    pairs: Iterable[tuple[Any, Json]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, below in pairs:
        try:
            if isinstance(key, str) and len(key) > MAX_TEXT:
                raise ValidationError(f"A name longer than {MAX_TEXT} characters.")
            check_json(below, depth - 1)
        except ValidationError as error:
            raise placed((key,), error) from None


def placed(way: Sequence[Any], error: ValidationError) -> ValidationError:
    """The same fault, seen from ``way`` steps further out."""
    messages: Any = error.messages
    for step in reversed(way):
        messages = {str(step)[:80]: messages}
    return ValidationError(messages)


_MSGSPEC = re.compile(r"\A(?P<what>.*?)(?: - at (?P<key>`key` in )?`\$?(?P<way>[^`]*)`)?\Z", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[([^\]]*)\]")


def from_msgspec(error: Exception) -> ValidationError:
    """A fault that msgspec found, placed as marshmallow places its own; ``...`` stands for a key that msgspec does not tell."""
    match = _MSGSPEC.match(str(error))
    assert match is not None  # every part of the pattern is optional
    way = [first or second for first, second in _STEP.findall(match["way"] or "")]
    # What msgspec says of a pattern is no help to a reader.
    what = re.sub(r"matching regex .*", "of the right form", match["what"]).replace("`", "")
    return placed(way, ValidationError(f"A key: {what}." if match["key"] else f"{what}."))


class StrictSchema(Schema):
    """A schema that refuses fields that it does not know."""

    class Meta:
        unknown = RAISE


class StrictBoolean(fields.Boolean):
    """True or false, and no word or number that is much the same."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("Must be true or false.")
        return value


class StrictText(fields.String):
    """Text of a pattern; ``what`` says in words what is wanted."""

    def __init__(self, pattern: str, what: str, **kwargs: Any) -> None:
        shown = {"pattern": pattern.replace(r"\A", "^").replace(r"\Z", "$")} | dict(kwargs.pop("metadata", {}))
        super().__init__(metadata=shown, **kwargs)
        self._pattern = re.compile(pattern)
        self._what = what

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str) or self._pattern.search(value) is None:
            raise ValidationError(f"Must be {self._what}.")
        return value


class StrictInteger(fields.Integer):
    """An integer from ``low`` to ``high``; no text, no float, no boolean."""

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        super().__init__(metadata={"minimum": low, "maximum": high}, **kwargs)
        self._low = low
        self._high = high

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not self._low <= value <= self._high:
            raise ValidationError(f"Must be a whole number from {self._low} to {self._high}.")
        return value


class ShortList(fields.List[Any]):
    """A list with at most ``most`` items, counted before any of them is looked at."""

    def __init__(self, inner: Any, *, most: int, least: int = 0, **kwargs: Any) -> None:
        super().__init__(inner, metadata={"minItems": least, "maxItems": most}, **kwargs)
        self._most = most
        self._least = least

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValidationError("Must be a list.")
        if not self._least <= len(value) <= self._most:
            raise ValidationError(f"Must have {self._least} to {self._most} items, not {len(value)}.")
        return super()._deserialize(value, attr, data, **kwargs)


class JsonObject(fields.Dict):
    """An object of exact JSON with at most ``most`` members."""

    def __init__(self, most: int = 50, **kwargs: Any) -> None:
        super().__init__(metadata={"maxProperties": most}, **kwargs)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[str, Json]:
        if not isinstance(value, dict):
            raise ValidationError("Must be an object.")
        if len(value) > self._most:
            raise ValidationError(f"Must have at most {self._most} members, not {len(value)}.")
        check_json(value)
        return value


def side(**kwargs: Any) -> StrictText:
    """A side's key."""
    return StrictText(SIDE, "a side's name in small letters", **kwargs)


def unit(**kwargs: Any) -> StrictText:
    """A unit's id."""
    return StrictText(UNIT, "a unit's id: capitals, digits and hyphens, at most 8", **kwargs)


def hex_number(**kwargs: Any) -> StrictText:
    """A hex of the grid."""
    return StrictText(HEX, "a hex number of four digits", **kwargs)


def key256(what: str, **kwargs: Any) -> StrictText:
    """32 bytes as 64 small hex digits."""
    return StrictText(DIGEST, f"{what}: 64 hex digits (0-9, a-f)", **kwargs)


def one_of(*words: str, **kwargs: Any) -> fields.String:
    """One of a few words."""
    return fields.String(validate=validate.OneOf(words), **kwargs)
