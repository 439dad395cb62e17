"""Reading JSON of other services without trusting its shape: a wrong shape is an empty one, and the report is made all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def mapping(value: Any) -> Mapping[str, Any]:
    """The object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def sequence(value: Any) -> list[Any]:
    """The list, or an empty one."""
    return list(value) if isinstance(value, list | tuple) else []


def mappings(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    return [item for item in sequence(value) if isinstance(item, Mapping)]


def whole(value: Any) -> int:
    """The whole number, or 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
