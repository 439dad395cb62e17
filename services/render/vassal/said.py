"""What happened, as a line of the chat: who, what, where, with dice and clause. The reports of the mail service tell it at length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.data import GameData
from services.render.happened.reading import called, items, objects, units_of
from services.render.panel.frames import words
from services.render.vassal.codec import plain
from services.render.views import EventView, hex_or_none, hexes

LONGEST = 400
"""Characters of a line at most."""
_WAYS = {
    "moved": "moves",
    "retreated": "retreats",
    "advanced": "advances",
    "slipped": "slips away",
    "overrun": "overruns",
    "exited": "leaves the map",
    "arrived": "arrives",
    "placed": "is placed",
    "rebuilt": "is rebuilt",
    "eliminated": "is eliminated",
    "delayed": "is delayed",
    "parked": "parks",
    "unparked": "unparks",
    "supply_lost": "is lost for want of supply",
    "returned_off": "goes back off the map",
    "stepped": "gains steps",
}
"""Kinds of events of which a counter is the subject."""
_SUBJECT = frozenset({"unit", "units", "alias", "path", "hex", "place", "side", "mode", "moves", "cost", "allowance"})
_SILENT = frozenset({"key", "clause", "clauses", "side"})


def line(event: EventView, data: GameData) -> str:
    """The line of an event, a system message of VASSAL's chat."""
    at = f" [{event.clause}]" if event.clause else ""
    return plain(f"- {_told(event, data)}{at}", LONGEST)


def _told(event: EventView, data: GameData) -> str:
    said = event.data
    if event.kind == "rolled":
        return _dice(said, data)
    if event.kind in _WAYS:
        rest = "; ".join(_facts({key: value for key, value in said.items() if key not in _SUBJECT}, data))
        return f"{_who(event, data)} {_WAYS[event.kind]}{_where(said, data)}{_cost(said)}{f' ({rest})' if rest else ''}"
    owner = data.side_names.get(str(said.get("side")), "")
    facts = "; ".join(_facts(said, data))
    head = words(event.kind).capitalize()
    return f"{f'{owner}: ' if owner else ''}{head}{f': {facts}' if facts else ''}"


def _dice(said: Mapping[str, Any], data: GameData) -> str:
    """The dice of a roll with what it was for and what was added to it."""
    rolled = ", ".join(str(die) for die in items(said.get("dice")))
    site = _place(said.get("site"), data)
    changes = []
    for one in objects(said.get("modifiers")):
        clause = f" [{one['clause']}]" if one.get("clause") else ""
        changes.append(f"{_signed(one.get('n'))} {words(one.get('why'))}{clause}")
    what = f"{words(said.get('why')) or 'a roll'}{f' at {site}' if site else ''}"
    return f"Dice for {what}: {'; '.join([rolled or 'none', *changes])}"


def _signed(value: Any) -> str:
    return f"{value:+d}" if isinstance(value, int) and not isinstance(value, bool) else str(value)[:8]


def _who(event: EventView, data: GameData) -> str:
    names = [called(one) for one in objects(event.data.get("moves"))] or list(units_of(event))
    owner = data.side_names.get(str(event.data.get("side")), "")
    return f"{f'{owner} ' if owner else ''}{', '.join(names) or 'a counter'}"


def _where(said: Mapping[str, Any], data: GameData) -> str:
    path = hexes(said.get("path"))
    if len(path) > 1:
        return f" from {_place(str(path[0]), data)} to {_place(str(path[-1]), data)}"
    at = _place(said.get("hex") or said.get("place"), data)
    return f" at {at}" if at else ""


def _cost(said: Mapping[str, Any]) -> str:
    cost = said.get("cost")
    return f" for {cost} MP" if isinstance(cost, int | str) and not isinstance(cost, bool) else ""


def _place(value: Any, data: GameData) -> str:
    """A hex with its number as printed and its name; another place by its word."""
    at = hex_or_none(value)
    if at is None:
        return words(value).removeprefix("box:").removeprefix("edge:") if isinstance(value, str) else ""
    name = data.board.name_of(at)
    return f"{data.board.label(at)} {name}" if name else data.board.label(at)


def _facts(said: Mapping[str, Any], data: GameData) -> Iterator[str]:
    """Whatever else an event tells, key by key."""
    for key, value in said.items():
        told = "" if key in _SILENT else _value(value, data)
        if told:
            yield told if key in ("units", "unit", "alias") else f"{words(key)} {told}"


def _value(value: Any, data: GameData) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _place(value, data) if hex_or_none(value) is not None else words(value, 60)
    if isinstance(value, list):
        return ", ".join(filter(None, (_value(one, data) for one in value[:24])))
    if isinstance(value, dict):
        return _named(value, data)
    return ""


def _named(one: Mapping[str, Any], data: GameData) -> str:
    """A counter with what is told of it, or a small table."""
    name = called(one) if one.get("unit") or one.get("alias") else ""
    rest = [
        f"{words(key)} {told}" for key, value in one.items() if key not in ("unit", "alias", *_SILENT) and (told := _value(value, data))
    ]
    return f"{name} ({', '.join(rest)})" if name and rest else name or ", ".join(rest)
