"""What the umpire sets right by hand: counters moved, removed and brought back, marks, strengths and points set. No die, no order, no rule.

An edit changes the position alone. The sequence of play stays where it is, and what a side has ordered beforehand stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from scenarios.hexes import Box, Edge, Hex, Place, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.model import Change, Counter, Event, GameState, Json, Outcome, Rejection, Side
from services.rules.engine.module import GameModule
from services.rules.engine.table import Table

ON = {"ON": True, "OFF": False}


@dataclass(frozen=True, slots=True)
class Edit:
    """One thing to set right, as it was written. ``verb``: MOVE, REMOVE, RESTORE or SET; ``unit``: the counter, or the name of a value;
    ``place``: where it comes to; ``name``: of a number or mark of the counter, or the key of a value; ``value``: what it becomes."""

    verb: str
    unit: str
    place: str = ""
    name: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the game's own that can be set: ``way`` to it; ``keys``, of which one is named, if it has some; ``words`` that it may be,
    or none: a whole number from 0 to ``most``."""

    way: tuple[str, ...]
    keys: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    most: int = 1000


def _nothing(table: Table, unit: str) -> list[Change]:
    return []


def _none_busy(table: Table) -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True, slots=True)
class Editing:
    """What of a game can be set by hand. ``gone``: the boxes where a counter may lie, the first of them where it goes that is removed;
    ``leaves``, ``enters``, ``moves``: what changes besides when a counter leaves the map, comes onto it, or goes from hex to hex;
    ``numbers``: those of a counter, with the largest value of each; ``values``: of the game's own, by name; ``crowded``: whether more
    stands in a hex than may; ``busy``: who takes part in a fight that is not over, or is for now part of another counter."""

    gone: Callable[[Table, str], tuple[Box | Edge, ...]]
    leaves: Callable[[Table, str], list[Change]]
    enters: Callable[[Table, str], list[Change]]
    numbers: Callable[[Table, str], Mapping[str, int]]
    marks: frozenset[str]
    values: Callable[[Table], Mapping[str, Value]]
    crowded: Callable[[Table, Hex], bool]
    faces: frozenset[str] = frozenset()
    moves: Callable[[Table, str], list[Change]] = _nothing
    busy: Callable[[Table], frozenset[str]] = _none_busy


class Wrong(Exception):
    """An edit that cannot be made: a code, and what the refusal may speak of."""

    def __init__(self, code: str, **details: Json) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


class _Draft(Table):
    """A working copy of the position."""

    def __init__(self, module: GameModule, state: GameState) -> None:
        super().__init__(module, state)
        self.counters: dict[str, Counter] = dict(sorted(state.counters.items()))

    def change(self, changes: list[Change]) -> None:
        self.memo.clear()
        self.own = ch.apply(changes, self.counters, self.own)


def edited(module: GameModule, state: GameState, edits: tuple[Edit, ...]) -> Outcome:
    """The position as it stands after all of the edits, or as it was with the faults of each that cannot be made."""
    if (fault := _closed(module, state)) is not None:
        return Outcome("refused", state, rejections=(fault,))
    draft = _Draft(module, state)
    events: list[Event] = []
    faults: list[Rejection] = []
    for line, edit in enumerate(edits, start=1):
        try:
            events.append(_made(draft, edit))
        except Wrong as wrong:
            faults.append(Rejection(line, wrong.code, "", wrong.details))
    faults += [] if faults else _crowded(draft, edits)
    if faults:
        return Outcome("refused", state, rejections=tuple(faults))
    after = replace(state, counters=draft.counters, own=draft.own)
    return Outcome("done", after, tuple(replace(event, n=n, path=state.path) for n, event in enumerate(events, start=1)))


def _closed(module: GameModule, state: GameState) -> Rejection | None:
    """Why nothing can be set right now. What a decision offers was worked out from the position as it is, so none may be open."""
    if module.editing is None or state.over is not None:
        return Rejection(0, "edit-not-here", "")
    if state.pending or state.agenda:
        return Rejection(0, "edit-open-decision", "", {"sides": sorted({decision.side for decision in state.pending})})
    return None


def _made(draft: _Draft, edit: Edit) -> Event:
    """Make one edit; the event that tells it."""
    rules = draft.module.editing
    assert rules is not None
    known = rules.values(draft)
    if edit.verb == "SET" and edit.unit in known:
        return _valued(draft, known[edit.unit], edit)
    unit = _unit(draft, edit.unit, known)
    if unit in rules.busy(draft):
        raise Wrong("edit-busy", unit=unit)
    data, changes = _changes(draft, rules, unit, edit)
    return _told(draft, unit, data, changes)


def _changes(draft: _Draft, rules: Editing, unit: str, edit: Edit) -> tuple[dict[str, Json], list[Change]]:
    counter = draft.counters[unit]
    on_map = isinstance(counter.place, Hex)
    data: dict[str, Json] = {"verb": edit.verb, "unit": unit, "from": str(counter.place)}
    if edit.verb == "SET":
        if not on_map and edit.name.lower() not in rules.numbers(draft, unit):
            raise Wrong("edit-off-map", unit=unit, place=str(counter.place))
        return _set(draft, rules, unit, edit)
    boxes = {place.name.upper(): place for place in rules.gone(draft, unit)}
    to = _place(draft, edit.place, boxes) if edit.place else rules.gone(draft, unit)[0]
    if to == counter.place:
        raise Wrong("edit-there-already", unit=unit, place=str(to))
    if edit.verb == "REMOVE" and isinstance(to, Hex):
        raise Wrong("edit-no-box", boxes=sorted(boxes))
    if edit.verb != "RESTORE" and not on_map:
        raise Wrong("edit-off-map", unit=unit, place=str(counter.place))
    if edit.verb == "RESTORE" and on_map:
        raise Wrong("edit-on-map", unit=unit, place=str(counter.place))
    changes = [ch.place(unit, to)]
    if on_map and isinstance(to, Hex):
        changes += rules.moves(draft, unit)
    elif on_map:
        changes = [*rules.leaves(draft, unit), *changes]
    elif isinstance(to, Hex):
        changes += rules.enters(draft, unit)
    return {**data, "to": str(to)}, changes


def _set(draft: _Draft, rules: Editing, unit: str, edit: Edit) -> tuple[dict[str, Json], list[Change]]:
    """A number, a mark or a face of a counter is set."""
    name, numbers = edit.name.lower(), rules.numbers(draft, unit)
    data: dict[str, Json] = {"verb": "SET", "unit": unit, "from": str(draft.counters[unit].place), "name": name}
    if name in numbers:
        value = _number(edit.value, numbers[name], name)
        if draft.counters[unit].num.get(name) == value:
            raise Wrong("edit-is-so", unit=unit, name=name, value=value)
        return {**data, "value": value}, [ch.number(unit, name, value)]
    if name not in rules.marks | rules.faces:
        raise Wrong("edit-no-name", unit=unit, name=name, names=sorted({*numbers, *rules.marks, *rules.faces}))
    if edit.value not in ON:
        raise Wrong("edit-on-off", name=name)
    on = ON[edit.value]
    counter = draft.counters[unit]
    if on == (name in counter.marks or name == counter.face):
        raise Wrong("edit-is-so", unit=unit, name=name, value=edit.value.lower())
    change = ch.face(unit, name if on else "") if name in rules.faces else ch.mark(unit, name, on)
    return {**data, "value": edit.value.lower()}, [change]


def _valued(draft: _Draft, value: Value, edit: Edit) -> Event:
    """A value of the game's own is set."""
    name, key = edit.unit.lower(), next((one for one in value.keys if one.upper() == edit.name), "")
    if bool(value.keys) != bool(key) or (edit.name and not key):
        raise Wrong("edit-no-key", name=name, keys=list(value.keys))
    if value.words and edit.value.lower() not in value.words:
        raise Wrong("edit-no-word", name=name, words=list(value.words))
    new = edit.value.lower() if value.words else _number(edit.value, value.most, name)
    way = (*value.way, *([key] if key else []))
    old: Json = draft.own
    for step in way:
        old = old[step]
    if old == new:
        raise Wrong("edit-is-so", unit="", name=name, value=new)
    draft.change([ch.own(*way, new)])
    return Event("edited", "", {"verb": "SET", "name": name, "key": key, "was": old, "value": new}, changes=(ch.own(*way, new),))


def _number(text: str, most: int, name: str) -> int:
    if not text.isdigit() or not text.isascii() or int(text[:6]) > most:
        raise Wrong("edit-number", name=name, most=most)
    return int(text[:6])


def _unit(draft: _Draft, name: str, values: Mapping[str, Value]) -> str:
    """The counter that is meant: by its id, hyphens left out or not."""
    near = [unit for unit in draft.counters if unit.replace("-", "") == name.replace("-", "")]
    if name in draft.counters:
        return name
    if len(near) != 1:
        raise Wrong("edit-no-unit", unit=name, names=sorted(values))
    return near[0]


def _place(draft: _Draft, name: str, boxes: Mapping[str, Box | Edge]) -> Place:
    """A hex by its number or its name, or a box."""
    board = draft.data.board
    if name in boxes:
        return boxes[name]
    named = {str(key).upper().replace(" ", "-"): at for key, at in board.names.items()}
    found = parse_hex(name) if name.isdigit() and len(name) == 4 else named.get(name)
    if found is None or found not in board.terrain:
        raise Wrong("edit-no-place", place=name, boxes=sorted(boxes))
    return found


def _told(draft: _Draft, unit: str, data: dict[str, Json], changes: list[Change]) -> Event:
    """Make the changes; the event, of which the other side is told what it sees of them."""
    owner = draft.counters[unit].side
    enemy = draft.enemy(owner)
    before = _seen(draft, unit, enemy)
    draft.change(changes)
    after = _seen(draft, unit, enemy)
    seen = before is not None and after is not None and before["id"] == after["id"] == unit
    if seen and (data["verb"] != "SET" or before != after):
        return Event("edited", "", data, changes=tuple(changes))
    public = None if before == after else _public(data, before, after)
    return Event("edited", "", data, owner=owner, public=public, changes=tuple(changes))


def _seen(draft: _Draft, unit: str, viewer: Side) -> Mapping[str, Json] | None:
    return draft.module.view_counter(draft, draft.counters[unit], viewer)


def _public(data: Mapping[str, Json], before: Mapping[str, Json] | None, after: Mapping[str, Json] | None) -> dict[str, Json]:
    """What the other side sees of a counter that it does not know, or that comes out of its sight or into it."""
    names = sorted(str(one.get("id") or one.get("alias")) for one in (before, after) if one is not None)
    told: dict[str, Json] = {"verb": data["verb"], "unit": None, "alias": names[0] if names else None}
    return told | {"from": before["place"] if before else None, "to": after["place"] if after else None}


def _crowded(draft: _Draft, edits: tuple[Edit, ...]) -> list[Rejection]:
    """The hexes that the edits have filled with more than may stand there, or with units of both sides."""
    rules, before = draft.module.editing, draft.before
    moved = {unit for unit, counter in draft.counters.items() if counter.place != before.counters[unit].place}
    faults = []
    for at in sorted({draft.counters[unit].place for unit in moved}, key=str):
        if not isinstance(at, Hex) or rules is None:
            continue
        units = sorted(unit for unit, counter in draft.counters.items() if counter.place == at)
        line = next((n for n, edit in enumerate(edits, start=1) if edit.unit.replace("-", "") in {u.replace("-", "") for u in units}), 0)
        if len({draft.counters[unit].side for unit in units}) > 1:
            faults.append(Rejection(line, "edit-both-sides", "", {"hex": str(at), "units": units}))
        elif rules.crowded(draft, at):
            faults.append(Rejection(line, "edit-crowded", "", {"hex": str(at), "units": units}))
    return faults
