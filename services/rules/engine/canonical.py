"""Canonical JSON: one byte string for one value, on every machine, for ever. Digests, seeds and draws stand on it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from services.rules.engine.model import Json


def canonical(value: Json) -> bytes:
    """``value`` as JSON without blanks, keys sorted, UTF-8. Tuples count as lists. TypeError on a float or anything JSON lacks."""
    _refuse_inexact(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False).encode()


def _refuse_inexact(value: Json) -> None:
    if value is None or isinstance(value, str | bool | int):
        return
    if isinstance(value, list | tuple):
        for item in value:
            _refuse_inexact(item)
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"a key must be text: {key!r}")
            _refuse_inexact(item)
        return
    raise TypeError(f"not an exact JSON value: {value!r}")
