"""Reading an order's JSON arguments into the game's own type for them: a frozen dataclass with a class variable ``verb``."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.model import IllegalOrder, Json

A = TypeVar("A")


def read_args(kind: type[A], args: Mapping[str, Json]) -> A:
    """``args`` as a ``kind``. IllegalOrder (``malformed``) if a field is missing, unknown or of the wrong type."""
    known = _fields(kind)
    for name in args:
        if name not in known:
            raise IllegalOrder("", "malformed", field=name)
    values: dict[str, Any] = {}
    for name, (hint, required) in known.items():
        if name in args:
            try:
                values[name] = _read(hint, args[name])
            except (TypeError, ValueError) as error:
                raise IllegalOrder("", "malformed", field=name) from error
        elif required:
            raise IllegalOrder("", "malformed", field=name)
    return kind(**values)


_KNOWN: dict[type[Any], Mapping[str, tuple[Any, bool]]] = {}


def _fields(kind: type[Any]) -> Mapping[str, tuple[Any, bool]]:
    if kind not in _KNOWN:
        hints = get_type_hints(kind)
        required = {f.name: f.default is MISSING and f.default_factory is MISSING for f in fields(kind)}
        _KNOWN[kind] = {name: (hints[name], needed) for name, needed in required.items()}
    return _KNOWN[kind]


def _read_one_of(hints: list[Any], value: Json) -> Any:
    """``value`` as the first type that it is of."""
    for hint in hints[:-1]:
        try:
            return _read(hint, value)
        except (TypeError, ValueError):
            continue
    return _read(hints[-1], value)


def _read(hint: Any, value: Json) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in get_args(hint):
            return None
        return _read_one_of([a for a in get_args(hint) if a is not type(None)], value)
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            raise TypeError(value)
        inner = get_args(hint)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_read(inner[0], item) for item in value)
        if len(inner) != len(value):
            raise ValueError(value)
        return tuple(_read(h, item) for h, item in zip(inner, value, strict=True))
    if hint is Hex:
        return parse_hex(value)
    if hint is int and isinstance(value, bool):
        raise TypeError(value)
    if not isinstance(value, hint):
        raise TypeError(value)
    return value
