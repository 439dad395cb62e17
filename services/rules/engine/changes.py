"""What an event does to the state: the few kinds of change, and how each is applied.

A change is plain data, so that the events of an outcome, applied to the state before, give the board after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import replace
from typing import Any

from scenarios.hexes import Place
from services.rules.engine.model import Change, Counter, Exact, Json


def place(unit: str, to: Place) -> Change:
    """The counter goes to a place."""
    return ("place", unit, to)


def mark(unit: str, name: str, on: bool = True) -> Change:
    """A status mark is put on the counter or taken off."""
    return ("mark", unit, name, on)


def number(unit: str, key: str, value: Exact | None) -> Change:
    """One of the counter's numbers is set (None: removed)."""
    return ("num", unit, key, value)


def face(unit: str, name: str) -> Change:
    """The counter is turned to a face."""
    return ("face", unit, name)


def parts(unit: str, ids: tuple[str, ...]) -> Change:
    """The counter's components become ``ids``."""
    return ("parts", unit, ids)


def add(counter: Counter) -> Change:
    """A counter comes into being."""
    return ("add", counter.id, counter)


def remove(unit: str) -> Change:
    """A counter ceases to be (its parts live on in others)."""
    return ("remove", unit)


def own(*keys_and_value: Json) -> Change:
    """``own(key, ..., value)``: a value of the game's own is set at the keys (None: removed)."""
    *keys, value = keys_and_value
    return ("own", tuple(keys), value)


BOARD = frozenset({"place", "add", "remove", "face", "parts"})
"""The kinds of change after which positions differ."""


def apply(changes: Iterable[Change], counters: MutableMapping[str, Counter], game_own: Mapping[str, Json]) -> Mapping[str, Json]:
    """Apply ``changes`` to ``counters`` in place and return the new ``own``. KeyError for an unknown counter (our bug)."""
    for change in changes:
        kind, subject = change[0], change[1]
        if kind == "own":
            game_own = set_in(game_own, subject, change[2])
        elif kind == "add":
            counters[subject] = change[2]
        elif kind == "remove":
            del counters[subject]
        else:
            counters[subject] = _changed(counters[subject], change)
    return game_own


def _changed(counter: Counter, change: Change) -> Counter:
    match change:
        case ("place", _, to):
            return replace(counter, place=to)
        case ("mark", _, name, True):
            return replace(counter, marks=counter.marks | {name})
        case ("mark", _, name, False):
            return replace(counter, marks=counter.marks - {name})
        case ("num", _, key, None):
            return replace(counter, num={k: v for k, v in counter.num.items() if k != key})
        case ("num", _, key, value):
            return replace(counter, num={**counter.num, key: value})
        case ("face", _, name):
            return replace(counter, face=name)
        case ("parts", _, ids):
            return replace(counter, parts=tuple(ids))
    raise ValueError(f"no such change: {change[0]}")


def set_in(tree: Mapping[str, Json], keys: Iterable[Any], value: Json) -> Mapping[str, Json]:
    """A copy of ``tree`` with ``value`` at ``keys``; only the dicts on the way are copied."""
    first, *rest = keys
    copy = dict(tree)
    if rest:
        copy[first] = set_in(copy.get(first, {}), rest, value)
    elif value is None:
        copy.pop(first, None)
    else:
        copy[first] = value
    return copy
