"""What happened, as a line of the chat: who, what, where, with dice and clause. The reports of the mail service tell it at length.

The sentences stand in the style sheets (``[said]`` of ``vassal.toml``); an event without one is told by its keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from scenarios.data import GameData
from services.render.happened.reading import called, items, objects
from services.render.panel.frames import words
from services.render.vassal.codec import plain
from services.render.vassal.looks import vassal_style
from services.render.views import EventView, hex_or_none

LONGEST = 400
"""Characters of a line at most."""
_MOST = 30
"""So many things of a list are told at most."""
_KEY = re.compile(r"\{([a-z_]+)\}")
_NOT_TOLD = frozenset({"key", "clause", "clauses", "side"})
_WAY = frozenset({"path"})
_SORTS = ("code", "kind", "why", "step", "mission", "state", "how")
"""Keys whose word may choose a sentence of its own."""
_BROKEN = re.compile(r"[0-9]{1,6}/[1-9][0-9]{0,2}")
_PARTS = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


def line(event: EventView, data: GameData) -> str:
    """The line of an event, a system message of VASSAL's chat; empty for one that is not told."""
    told = _told(event, data)
    at = f" [{event.clause}]" if event.clause else ""
    return plain(f"- {told}{at}", LONGEST) if told else ""


def _told(event: EventView, data: GameData) -> str:
    sentence = _sentence(event, vassal_style(data.key).said)
    if sentence is not None:
        return _filled(sentence, event.data, data)
    if event.kind == "rolled":
        return _dice(event.data, data)
    side = data.side_names.get(str(event.data.get("side")), "")
    facts = "; ".join(f"{words(key)} {told}" for key, told in _facts(event.data, data))
    head = words(event.kind).capitalize()
    return f"{f'{side}: ' if side else ''}{head}{f': {facts}' if facts else ''}"


def _sentence(event: EventView, said: Mapping[str, str]) -> str | None:
    """The sentence for an event of this sort, or of its kind."""
    for key in _SORTS:
        found = said.get(f"{event.kind}.{event.data.get(key)}")
        if found is not None:
            return found
    return said.get(event.kind)


def _filled(sentence: str, said: Mapping[str, Any], data: GameData) -> str:
    """A sentence with its keys filled in; parts of which a key is empty are left out."""
    parts = []
    for part in sentence.split("|"):
        found = {key: _of(key, _about(key, said), data) for key in _KEY.findall(part)}
        if all(found.values()):
            parts.append(_worded(part, found))
    whole = "".join(parts).strip()
    return whole[:1].upper() + whole[1:]


def _worded(part: str, found: Mapping[str, str]) -> str:
    return _KEY.sub(lambda match: found[match[1]], part)


def _about(key: str, said: Mapping[str, Any]) -> Any:
    """What an event has under a key; ``who``: the counters that it is about, by their ids, or by an alias; ``player``: whose it is."""
    if key != "who":
        return said.get("side" if key == "player" else key)
    return said.get("units") or said.get("unit") or said.get("alias")


def _of(key: str, value: Any, data: GameData) -> str:
    if key in ("side", "winner"):
        return data.side_names.get(str(value), "")
    if key == "player":
        return vassal_style(data.key).players.get(str(value)) or data.side_names.get(str(value), "")
    if key in (counted := vassal_style(data.key).counted) and isinstance(value, int):
        return counted[key][value != 1].replace("{n}", str(value))
    if key == "choice" and isinstance(value, dict):
        return ", ".join(filter(None, (words(one) if given is True else _of(one, given, data) for one, given in value.items())))
    if key == "cost" and isinstance(value, dict):
        return ", ".join(dict.fromkeys(_value(one, data) for one in value.values()))
    if key in _WAY:
        return _way(items(value), data)
    if key == "passed":
        return "passed" if value is True else "failed"
    return _value(value, data)


def _way(path: list[Any], data: GameData) -> str:
    """From where to where, and through how many hexes."""
    if len(path) < 2:
        return _place(path[0], data) if path else ""
    between = f" ({len(path) - 1} hexes)" if len(path) > 2 else ""
    return f"{_place(path[0], data)} to {_place(path[-1], data)}{between}"


def _dice(said: Mapping[str, Any], data: GameData) -> str:
    """The dice of a roll with what it was for and what was added to it."""
    rolled = ", ".join(str(die) for die in items(said.get("dice"))[:_MOST])
    site = _place(said.get("site"), data)
    changes = []
    for one in objects(said.get("modifiers")):
        clause = f" [{one['clause']}]" if one.get("clause") else ""
        changes.append(f"{_signed(one.get('n'))} {words(one.get('why'))}{clause}")
    what = f"{words(said.get('why')) or 'a roll'}{f' at {site}' if site else ''}"
    return f"Dice for {what}: {'; '.join([rolled or 'none', *changes])}"


def _signed(value: Any) -> str:
    return f"{value:+d}" if isinstance(value, int) and not isinstance(value, bool) else str(value)[:8]


def _place(value: Any, data: GameData) -> str:
    """A hex with its number as printed and its name; another place by its word."""
    at = hex_or_none(value)
    if at is None:
        return words(str(value).removeprefix("box:").removeprefix("edge:")) if isinstance(value, str) else ""
    name = data.board.name_of(at)
    return f"{data.board.label(at)} {name}" if name else data.board.label(at)


def _facts(said: Mapping[str, Any], data: GameData) -> Iterator[tuple[str, str]]:
    """What an event tells, key by key."""
    for key, value in said.items():
        told = "" if key in _NOT_TOLD else _of(key, value, data)
        if told:
            yield key, told


def _value(value: Any, data: GameData) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _place(value, data) if hex_or_none(value) is not None or ":" in value else _word(value, data)
    if isinstance(value, list):
        return ", ".join(filter(None, (_value(one, data) for one in value[:_MOST])))
    return _table(value, data) if isinstance(value, dict) else ""


def _word(value: str, data: GameData) -> str:
    """A unit's id, odds or a fraction as they are, other words without hyphens; a side by its name."""
    if value == "-":
        return "no effect"
    if _BROKEN.fullmatch(value):
        return _number(Fraction(value))
    if value in data.side_names:
        return data.side_names[value]
    return value[:60] if value != value.lower() or value in data.cards else words(value, 60)


def _number(value: Fraction) -> str:
    """A number with its fraction, as a sign where every face has one: ``4½``, ``4 1/3``."""
    most, rest = divmod(value, 1)
    if rest in _PARTS:
        return f"{most or ''}{_PARTS[rest]}"
    return f"{most or ''} {rest or ''}".strip() or "0"


def _table(one: Mapping[str, Any], data: GameData) -> str:
    """A counter with what is told of it, or a small table."""
    name = called(one) if one.get("unit") or one.get("alias") else ""
    counted = vassal_style(data.key).counted
    rest = [
        told if key in counted else f"{_word(key, data)} {told}"
        for key, told in _facts({key: value for key, value in one.items() if key not in ("unit", "alias")}, data)
    ]
    return f"{name} ({', '.join(rest)})" if name and rest else name or ", ".join(rest)
