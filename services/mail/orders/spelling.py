"""Values as the order language writes them: the way back from ``kinds``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from services.mail.orders.kinds import MAX_HEXES, RANGE

Json = Any
_WORDS = re.compile(r"[^\s,+:()=<>|&\"#;]+(?: [^\s,+:()=<>|&\"#;]+)*")
_FRACTION = re.compile(r"([0-9]{1,3})/([1-9][0-9]{0,2})")
_MAX_WORDS = 60
_JOINED = {"units": ",", "targets": ",", "one": ",", "names": ",", "perils": ",", "hexes": ",", "stack": "+", "hexgroup": "+", "path": " "}


def spell(kind: str, value: Json) -> str | None:
    """A value of a kind as it is written, or None if it is no value of that kind. What is written holds no sign that ends a word."""
    limits = RANGE.fullmatch(kind)
    if limits:
        return str(value) if _whole(value, int(limits[1]), int(limits[2])) else None
    if kind in _JOINED:
        return _JOINED[kind].join(str(item).upper() for item in value) if _texts(value) else None
    if kind == "results":
        return results(value)
    if kind == "pairs":
        return _pairs(value)
    if kind == "yesno":
        return {True: "YES", False: "NO"}[value] if isinstance(value, bool) else None
    if kind == "column":
        return f"{value}:1" if _whole(value, 1, 999) else None
    if kind == "ratio":
        return _ratio(value)
    return value.upper() if _text(value) else None


def results(value: Json) -> str | None:
    """Results of a battle as a list in brackets."""
    return "(" + ",".join(value) + ")" if _texts(value) else None


def _text(value: Json) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_WORDS and value.isprintable() and _WORDS.fullmatch(value) is not None


def _texts(value: Json) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and 0 < len(value) <= MAX_HEXES and all(map(_text, value))


def _whole(value: Json, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _pairs(value: Json) -> str | None:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return None
    pairs = [tuple(pair) if isinstance(pair, list | tuple) else () for pair in value]
    if not all(len(pair) == 2 and _whole(pair[0], 0, 20) and _whole(pair[1], 0, 20) for pair in pairs):
        return None
    return " ".join(f"{left}:{right}" for left, right in pairs)


def _ratio(value: Json) -> str | None:
    if _whole(value, 0, 999):
        return str(value)
    parts = _FRACTION.fullmatch(value) if isinstance(value, str) else None
    return f"{parts[1]}:{parts[2]}" if parts else None
