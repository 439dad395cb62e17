"""The turn in figures: attacks and how they ended, losses, arrivals and places taken, by side, counted from one viewer's events alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.mail.shape import mapping, mappings, sequence, whole
from services.mail.speech import Speech

_ROWS = ("attacks", "barrages", "shots", "strength", "lost", "retreats", "arrived", "rebuilt", "returned", "exited", "taken")
_COUNTED = ("moves", "arrived", "rebuilt", "returned", "barrages", "shots", "retreats")
"""What the summary counts beside the attacks."""
_ONES = {"moved": "moves", "barrage": "barrages", "declared": "declared", "shot": "shots", "retreated": "retreats"}
"""Kinds of events that count one of something."""


@dataclass(slots=True)
class Attack:
    """An attack: its hexes, and its end: ``won`` (the defenders are destroyed or driven off), ``held`` (they stand), ``open`` (it is not
    over). ``path``: the step in which it was made; ``defenders``: those that still stand there."""

    hexes: tuple[str, ...]
    label: str
    defenders: set[str]
    path: Any = None
    end: str = "open"


@dataclass(slots=True)
class Figures:
    """What one side did and suffered. ``strength``: hits taken, in the game's strength points; ``hit``: shots that destroyed their
    target; ``declared``: attacks declared, fought or not;
    ``points``: victory points that its units scored; ``morale``: formation -> level to which it fell; the rest counts, or names
    and ids."""

    attacks: list[Attack] = field(default_factory=list)
    declared: int = 0
    moves: int = 0
    barrages: int = 0
    shots: int = 0
    hit: int = 0
    retreats: int = 0
    strength: int = 0
    points: int = 0
    lost: list[str] = field(default_factory=list)
    arrived: list[str] = field(default_factory=list)
    rebuilt: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    exited: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    morale: dict[str, Any] = field(default_factory=dict)


def figures(events: Iterable[Mapping[str, Any]], speech: Speech) -> dict[str, Figures]:
    """Side -> its figures, in the game's order of sides; only sides of which something is known."""
    found: dict[str, Figures] = {}
    for event in events:
        _count(str(event.get("kind", "")), mapping(event.get("data")), event.get("path"), found, speech)
    return dict(speech.in_order(found))


def _count(kind: str, data: Mapping[str, Any], path: Any, found: dict[str, Figures], speech: Speech) -> None:
    unit = str(data.get("unit") or next(iter(sequence(data.get("units"))), "") or "")
    side = str(data.get("side") or (speech.side_of(unit) if unit else "") or "")
    if kind in _ONES:
        _add(_of(found, side), _ONES[kind])
    match kind:
        case "battle":
            attackers = mappings(data.get("attackers"))
            side = side or (speech.side_of(attackers[0].get("unit")) if attackers else "") or ""
            defenders = {str(one.get("unit") or "") for one in (*mappings(data.get("defenders")), mapping(data.get("defender")))} - {""}
            hexes = tuple(map(str, sequence(data.get("hexes")))) or (str(data.get("hex")),)
            _of(found, side).attacks.append(Attack(hexes, str(data.get("label")), defenders, path))
        case "hits":
            for row in mappings(data.get("units")):
                _of(found, speech.side_of(row.get("unit")) or "").strength += whole(row.get("hits"))
            if data.get("on") == "attackers":
                _close(found, str(data.get("label")))
        case "result" | "outgunned":
            _close(found, str(data.get("label")))
        case "shot":
            _of(found, side).hit += data.get("result") == "DE"
        case "retreated":
            _gone(found, unit, str(next(iter(sequence(data.get("path"))), "")), path)
        case "eliminated" if unit:
            _of(found, side).lost.append(unit)
            _gone(found, unit, str(data.get("hex")), path)
        case "exited" if unit:
            _of(found, side).exited.append(unit)
            _of(found, side).points += whole(data.get("points"))
        case "morale_fell":
            _of(found, side).morale[str(data.get("parent"))] = data.get("level")
        case "arrived" | "landed" | "lander":
            _of(found, side).arrived.append(unit or speech.block(side, data.get("alias")))
        case "rebuilt" | "replaced":
            _of(found, side).rebuilt.append(unit or speech.block(side, data.get("alias")))
        case "returned_off":
            _of(found, side).returned.append(unit or speech.block(side, data.get("alias")))
        case "control_changed":
            _of(found, side).taken.append(str(data.get("name") or speech.place_name(data.get("hex"))))


def _add(figures: Figures, measure: str) -> None:
    setattr(figures, measure, getattr(figures, measure) + 1)


def _gone(found: Mapping[str, Figures], unit: str, at: str, path: Any) -> None:
    """A unit is no longer in the hex that it defended: with the last of them the attack of that step is won."""
    for attack in _attacks(found):
        if unit in attack.defenders and at in attack.hexes and attack.path == path:
            attack.defenders.discard(unit)
            attack.end = attack.end if attack.defenders else "won"


def _of(found: dict[str, Figures], side: str) -> Figures:
    return found.setdefault(side, Figures())


def _attacks(found: Mapping[str, Figures]) -> list[Attack]:
    return [attack for one in found.values() for attack in one.attacks]


def _close(found: Mapping[str, Figures], label: str) -> None:
    for attack in _attacks(found):
        if attack.label == label and attack.end == "open":
            attack.end = "held"


def summary(found: Mapping[str, Figures], view: Mapping[str, Any], speech: Speech) -> list[str]:
    """What happened in at most three sentences: attacks and moves; losses; what changed hands, with resources. Empty if nothing did."""
    known = {side: one for side, one in found.items() if side}
    if not any(one != Figures() for one in known.values()):
        return []
    attackers = [side for side, one in known.items() if one.attacks]
    losers = [{"side": side, "strength": one.strength, "lost": one.lost} for side, one in known.items() if one.strength or one.lost]
    takers = [{"side": side, "taken": one.taken} for side, one in known.items() if one.taken]
    doers = [
        {"side": side, "attacks": [_ended(a, speech) for a in one.attacks], "counts": _counts(one, speech)} for side, one in known.items()
    ]
    doers = sorted((one for one in doers if one["attacks"] or one["counts"]), key=lambda one: not one["attacks"])
    fields: dict[str, Any] = {"declared": any(one.declared for one in known.values())}
    fields |= {"attackers": attackers, "losers": losers, "takers": takers, "doers": doers, "now": mapping(view.get("own"))}
    fields["fallen"] = [(parent, level) for one in known.values() for parent, level in one.morale.items()]
    fields["exited"] = [unit for one in known.values() for unit in one.exited]
    said = [speech.say("summary", key, fields) for key in ("deeds", "losses", "standing")]
    return [one for one in said if one]


def _counts(one: Figures, speech: Speech) -> list[str]:
    """What a side did beside its attacks, in words with their numbers."""
    counted = {key: _number(getattr(one, key)) for key in _COUNTED} | {"declared": max(0, one.declared - len(one.attacks))}
    return [said for key, n in counted.items() if n and (said := speech.say("summary", key, {"n": n}))]


def _number(measure: int | list[str]) -> int:
    return len(measure) if isinstance(measure, list) else measure


def _ended(attack: Attack, speech: Speech) -> str:
    return f"{speech.list_of([speech.place_name(at) for at in attack.hexes])} ({speech.words.find('ends', attack.end) or attack.end})"


def table(found: Mapping[str, Figures], speech: Speech) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The figures as a table: its sides, and a row for each measure that is not nil for all: caption, then a cell a side."""
    sides = [side for side in found if side]
    known = [str(side) for side in sequence(mapping(speech.vocabulary.get("game")).get("sides"))]
    sides = known if set(sides) <= set(known) else sides
    rows = []
    for key in _ROWS:
        cells = [speech.say("figures", key, {"figures": found.get(side) or Figures()}) or "" for side in sides]
        if any(cells):
            rows.append((str(speech.words.find("figure_labels", key) or key), [cell or speech.words.label("none") for cell in cells]))
    return ([speech.side_name(side) for side in sides], rows) if rows else ([], [])


def front(found: Mapping[str, Figures], speech: Speech) -> list[str]:
    """Where it was decided: places attacked and taken, each once, at most four."""
    fought = [speech.place_name(at) for attack in _attacks(found) for at in attack.hexes]
    taken = [name for one in found.values() for name in one.taken]
    return list(dict.fromkeys([*fought, *taken]))[:4]
