"""Reading of one scenario: its turns, set-up, pools, off-board pieces and arrivals, checked against the board and the counter mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scenarios.data import Board, Card, OptionSpec, ScenarioData
from scenarios.hexes import Hex, parse_hex
from scenarios.package import Package
from scenarios.records import Record, read_toml


@dataclass(frozen=True, slots=True)
class Ground:
    """What a scenario stands on. ``off_board``: kind ("air", "leaders") -> piece id -> side; ``free``: hexes without a stacking limit.
    ``entries``: way over the edge -> side."""

    sides: tuple[str, ...]
    turns: tuple[str, ...]
    board: Board
    cards: Mapping[str, Card]
    options: Mapping[str, OptionSpec]
    off_board: Mapping[str, Mapping[str, str]]
    stacking: int
    free: frozenset[Hex]
    entries: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Seen:
    """Where each unit or off-board piece comes in, so that it comes in once."""

    pieces: dict[str, str] = field(default_factory=dict)

    def take(self, record: Record, piece: str, where: str, key: str) -> None:
        if piece in self.pieces:
            record.fault(f"{piece} is in {self.pieces[piece]} already", key, f'"{piece}"')
        self.pieces.setdefault(piece, where)


@dataclass(frozen=True, slots=True)
class _Convoys:
    """Whose the convoys are, how many, and the units of which only so many go as are wanting: the others arrive by themselves."""

    side: str = ""
    count: int = 0
    choice: tuple[str, ...] = ()


def read_scenario(package: Package, key: str, ground: Ground) -> ScenarioData | None:
    """The scenario in ``<key>.toml``; None, with a fault, if it cannot be read."""
    file = package.read(f"{key}.toml", ("game.toml", 1))
    top = read_toml(file, package.faults) if file is not None else None
    if top is None:
        return None
    first, last = (_turn(top, name, ground) for name in ("first_turn", "last_turn"))
    if last < first:
        top.fault("the last turn lies before the first", "last_turn")
    seen = _Seen()
    _setup(top, ground, seen)
    _placements(top, ground, seen)
    convoys = _convoys(top, ground, seen)
    for table in ("pool", "available"):  # off the map: those lost already, and those at hand without a hex, such as aircraft
        _by_side(top, table, ground, seen, ground.cards, "unit")
    for kind, pieces in ground.off_board.items():
        _by_side(top, kind, ground, seen, pieces, "piece")
    _control(top, ground)
    _arrivals(top, ground, seen, first, last, convoys)
    top.texts("clauses")
    title = top.text("title")
    top.done()
    return ScenarioData(key=key, title=title, first_turn=first, last_turn=last, tables=dict(top.data))


def _turn(record: Record, key: str, ground: Ground) -> int:
    label = record.text(key)
    if label not in ground.turns:
        if label:
            record.fault(f"no box {label!r} on the turn track", key)
        return 1
    return ground.turns.index(label) + 1


def _hex(record: Record, key: str, ground: Ground) -> Hex | None:
    text = record.text(key)
    try:
        at = parse_hex(text)
    except ValueError as error:
        if text:
            record.fault(str(error), key)
        return None
    if at not in ground.board.terrain:
        record.fault(f"{at} is off the map or cannot be entered", key)
        return None
    return at


def _side(record: Record, ground: Ground) -> str:
    side = record.text("side")
    if side and side not in ground.sides:
        record.fault(f"no side {side!r}", "side")
    return side


def _units(record: Record, side: str, cards: Mapping[str, Card], key: str = "units") -> tuple[str, ...]:
    units = record.texts(key)
    for unit in units:
        if unit not in cards:
            record.fault(f"no unit {unit!r} in the counter mix", key, f'"{unit}"')
        elif side and cards[unit].side != side:
            record.fault(f"{unit} is not a unit of {side}", key, f'"{unit}"')
    return units


def _setup(top: Record, ground: Ground, seen: _Seen) -> None:
    in_hex: Counter[Hex] = Counter()
    owner: dict[Hex, str] = {}
    for record in top.tables("setup"):
        side, at = _side(record, ground), _hex(record, "hex", ground)
        units = _units(record, side, ground.cards)
        place = record.text("place")
        record.text("clause")
        if not units:
            record.fault("a set-up row without units")
        for unit in units:
            seen.take(record, unit, "the set-up", "units")
        _strength(record, units, ground.cards)
        record.done()
        if at is None:
            continue
        if place and ground.board.names.get(place.upper()) != at:
            record.fault(f"{place} is not in {at} on the map", "place")
        in_hex[at] += len(units)
        if owner.setdefault(at, side) != side:
            record.fault(f"{at} holds units of both sides", "hex")
        if in_hex[at] > ground.stacking and at not in ground.free:
            record.fault(f"{in_hex[at]} units in {at}, where the stacking limit is {ground.stacking}", "units")


def _placements(top: Record, ground: Ground, seen: _Seen) -> None:
    """``[[placements]]``: units that their owner sets up by orders, each in one of the hexes of the row; or ``anywhere`` by the rules."""
    for record in top.tables("placements"):
        units = _units(record, _side(record, ground), ground.cards)
        if not units:
            record.fault("a placement without units")
        for unit in units:
            seen.take(record, unit, "the set-up", "units")
        anywhere = record.flag("anywhere", False)
        hexes = record.texts("hexes", needed=not anywhere)
        for text in hexes:
            if text not in {str(at) for at in ground.board.terrain}:
                record.fault(f"{text} is off the map or cannot be entered", "hexes", f'"{text}"')
        if anywhere and hexes:
            record.fault("units that go anywhere have no list of hexes", "hexes")
        elif not anywhere and (not hexes or len(set(hexes)) < len(hexes)):
            record.fault("no hexes, or one of them twice", "hexes")
        record.text("clause")
        record.done()


def _convoys(top: Record, ground: Ground, seen: _Seen) -> _Convoys:
    """``[convoys]``: groups of transports and personnel that their owner makes up by orders."""
    record = top.table("convoys", needed=False)
    if record is None:
        return _Convoys()
    side, count = _side(record, ground), record.whole("count", 1, 99)
    choice: tuple[str, ...] = ()
    for key in ("transports", "personnel"):
        wanted = count * record.whole(f"{key}_each", 1, 9)
        units = _units(record, side, ground.cards, key)
        for unit in units:
            seen.take(record, unit, "the convoys", key)
        choice = _units(record, side, ground.cards, "choice") if key == "personnel" else ()
        if not len(units) <= wanted <= len(units) + len(choice) or (choice and wanted == len(units)):
            record.fault(f"{count} convoys need {wanted} {key}", key)
    record.texts("clauses")
    record.done()
    return _Convoys(side, count, choice)


def _strength(record: Record, units: tuple[str, ...], cards: Mapping[str, Card]) -> None:
    most = min((value for unit in units if unit in cards and isinstance(value := cards[unit].values.get("max_sp"), int)), default=99)
    record.whole("sp", 1, most, default=most)


def _by_side(top: Record, key: str, ground: Ground, seen: _Seen, known: Mapping[str, Any], what: str) -> None:
    record = top.table(key, needed=False)
    if record is None:
        return
    for side in ground.sides:
        for piece in record.texts(side):
            owner = known.get(piece)
            owner = owner.side if isinstance(owner, Card) else owner
            if owner is None:
                record.fault(f"no {what} {piece!r} in the game", side, f'"{piece}"')
            elif owner != side:
                record.fault(f"{piece} does not belong to {side}", side, f'"{piece}"')
            seen.take(record, piece, f"[{key}]", side)
    record.done()


def _control(top: Record, ground: Ground) -> None:
    """Every hex that the board marks as held (every fortified city, if it marks none), once, and no other hex."""
    record = top.table("control", needed=False)
    if record is None:
        return
    board = ground.board
    cities = {at for at in board.features if "fortified-city" in board.kinds_at(at)}
    wanted, what = (board.marks["held"], "place that is held") if "held" in board.marks else (cities, "fortified city")
    held: dict[str, str] = {}
    for side in ground.sides:
        for text in record.texts(side):
            if held.setdefault(text, side) != side or text not in {str(at) for at in wanted}:
                record.fault(f"{text} is no {what}, or is held twice", side)
    record.done()
    for at in sorted(wanted):
        if str(at) not in held:
            record.fault(f"nobody holds the {what} in {at}")


def _arrivals(top: Record, ground: Ground, seen: _Seen, first: int, last: int, convoys: _Convoys) -> None:
    coming = 0
    for record in top.tables("arrivals"):
        turn, side = _turn(record, "turn", ground), _side(record, ground)
        if not first <= turn <= last:
            record.fault("arrives on a turn that the scenario does not have", "turn")
        pieces = list(_units(record, side, ground.cards))
        for piece in pieces:
            seen.take(record, piece, "the set-up or the arrivals", "units")
        for kind, known in ground.off_board.items():
            for piece in record.texts(kind):
                pieces.append(piece)
                if known.get(piece) != side:
                    record.fault(f"{side} has no {piece!r} among its {kind}", kind)
                seen.take(record, piece, "the set-up or the arrivals", kind)
        groups = record.whole("convoys", 0, 99, default=0)
        if groups and side != convoys.side:
            record.fault(f"{side} has no convoys", "convoys")
        coming += groups
        if not pieces and not groups:
            record.fault("nothing arrives in this row")
        entry = record.text("entry", "")
        if entry and ground.entries.get(entry) != side:
            record.fault(f"{side} has no way in that is called {entry!r}", "entry")
        option = record.text("option", "")
        if option and option not in ground.options:
            record.fault(f"no option {option!r}", "option")
        record.text("clause")
        record.done()
    if coming != convoys.count:
        top.fault(f"{coming} convoys arrive of {convoys.count}", "convoys")
    for unit in convoys.choice:
        if unit not in seen.pieces:
            top.fault(f"{unit} goes with a convoy or not, and does not arrive if not", "choice", f'"{unit}"')
