"""Beda Fomm: what the state keeps of the game's own, its work, and what no play could leave behind (docs/decisions/0002-shapes.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from scenarios.data import GameData
from scenarios.hexes import Edge, Hex, Place, parse_hex
from services.rules.engine.model import Counter, GameState, Side
from services.rules.schemas.common import HEX
from services.rules.schemas.wire import Label, Strict, UnitId, Word

MAX_UNITS = 40
BedaFommSide = Literal["italian", "british"]
HexNumber = Annotated[str, Meta(pattern=HEX)]
Units = Annotated[list[UnitId], Meta(max_length=MAX_UNITS)]
Points = Annotated[int, Meta(ge=0, le=1000)]
Clause = Annotated[str, Meta(pattern=r"\A[0-9.]{1,8}[a-z]?\Z")]
TableResult = Annotated[str, Meta(pattern=r"\A(?:M[0-9]{0,2}|E)\Z")]
MARKS = frozenset({"moved", "infiltrated", "in-zoc", "done", "shot", "shot-at"})
STACK = 4
"""Points that a hex holds: a battalion 3, any other unit 1, a parked one none (6.13)."""


class Group(Strict):
    """A convoy."""

    transports: Units
    personnel: UnitId


class Contact(Strict):
    """First contact: the player-turn, the unit that made it, and where."""

    turn: Points
    side: BedaFommSide
    unit: UnitId
    hex: HexNumber


class Interdiction(Strict):
    """Interdiction in a hex."""

    side: BedaFommSide
    factors: Points
    guns: Units


class Declared(Strict):
    """A declared combat."""

    label: Label
    hex: HexNumber
    units: Units
    support: Units
    defence: Units
    done: bool


class Own(Strict):
    """What the state keeps of Beda Fomm's own (``games.beda_fomm.state`` says what each is)."""

    convoys: dict[Annotated[str, Meta(pattern=r"\A[1-9]\Z")], Group]
    called: Points
    morale: dict[Word, Points]
    vp: Points
    contact: Contact | None
    interdicted: dict[HexNumber, Interdiction]
    barraged: dict[HexNumber, BedaFommSide]
    declared: Annotated[list[Declared], Meta(max_length=200)]
    moving: Units
    delayed: dict[UnitId, Points]
    chain: dict[UnitId, Units]


class ResultsWork(Strict):
    """Results of a table that units are still to suffer; ``by``: the unit whose retreat makes them check (12.45)."""

    label: Label
    cause: Word
    clause: Clause
    results: dict[UnitId, TableResult]
    by: UnitId | None


class ResultWork(Strict):
    """What one unit is still to suffer."""

    unit: UnitId
    result: TableResult
    label: Label
    cause: Word
    clause: Clause
    by: UnitId | None


class RetreatWork(Strict):
    """A retreat still to be made."""

    unit: UnitId
    label: Label
    cause: Word
    by: UnitId | None


class ChainEndWork(Strict):
    """The end of a chain of retreats."""


class FateWork(Strict):
    """A parked unit that shares the fate of others."""

    unit: UnitId
    hex: HexNumber
    others: Units


class AimWork(Strict):
    """Units that fire at the best target, one shot after another."""

    units: Units
    mass: Annotated[int, Meta(ge=1, le=99)] | None


class VolleyWork(Strict):
    """Antitank fire of a side that has said nothing."""

    side: BedaFommSide


class NextCombatWork(Strict):
    """The next combat still to be taken up."""


class FightWork(Strict):
    """A declared combat to be fought now."""

    label: Label


class AftermathWork(Strict):
    """A combat whose hex may have been emptied, so that its attackers may advance."""

    label: Label
    hex: HexNumber
    units: Units
    result: Word


class NoContext(Strict):
    """A decision that says all of itself."""


class CasualtyContext(Strict):
    """The result that takes one unit; ``sharing``: parked units that go the way of the others."""

    result: Word
    sharing: Units


class AdvanceContext(Strict):
    """The hex that was emptied, and who may advance."""

    vacated: bool
    result: Word
    hex: HexNumber
    units: Units


FRAMES: Mapping[str, type[Struct]] = {
    "Results": ResultsWork,
    "Result": ResultWork,
    "Retreat": RetreatWork,
    "ChainEnd": ChainEndWork,
    "Fate": FateWork,
    "Aim": AimWork,
    "Volley": VolleyWork,
    "NextCombat": NextCombatWork,
    "Fight": FightWork,
    "Aftermath": AftermathWork,
}
CONTEXTS: Mapping[str, type[Struct]] = {
    "checks": ResultsWork,
    "retreat": RetreatWork,
    "combat": NoContext,
    "casualty": CasualtyContext,
    "advance": AdvanceContext,
}


def check(state: GameState, data: GameData) -> dict[str, Any]:
    """Faults of a well-formed state that the rules could not work with, or that no play leaves behind."""
    counters: dict[str, Any] = {key: fault for key, counter in state.counters.items() if (fault := _unit_fault(key, counter, data))}
    counters |= {key: ["Every unit of the game must have its counter."] for key in data.cards if key not in state.counters}
    held: dict[Place, Side] = {}
    load: dict[Place, int] = {}
    for key, counter in state.counters.items():
        if not isinstance(counter.place, Hex):
            continue
        if held.setdefault(counter.place, counter.side) != counter.side:  # 6.12a
            counters.setdefault(key, {"place": ["Units of both sides are there."]})
        battalion = data.cards[counter.card].values["size"] == "battalion"
        load[counter.place] = load.get(counter.place, 0) + (0 if counter.face == "parked" else 3 if battalion else 1)
        if load[counter.place] > STACK:  # 6.13a
            counters.setdefault(key, {"place": ["More units are there than may stack."]})
    own = _own_faults(state, data)
    return ({"counters": counters} if counters else {}) | ({"own": own} if own else {})


def _own_faults(state: GameState, data: GameData) -> dict[str, Any]:
    own, faults = state.own, {}
    if own["morale"].keys() != {row["parent"] for row in data.charts["morale"]}:
        faults["morale"] = ["Each parent formation, and nothing else, must have a level."]
    for name, units in _units_named(own):
        if strange := sorted(unit for unit in units if unit not in state.counters):
            faults[name] = [f"There is no unit {strange[0]}."]
    for name, hexes in _hexes_named(own):
        if strange := sorted(at for at in hexes if parse_hex(at) not in data.board.terrain):
            faults[name] = [f"No unit can stand in {strange[0]}."]
    formed = int(data.scenarios[state.scenario].tables["convoys"]["count"])
    if state.path[:1] and state.path[0][0] == "turn" and len(own["convoys"]) != formed:
        faults["convoys"] = [f"There must be {formed} convoys."]
    return faults


def _units_named(own: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The parts of the game's own that name units."""
    yield "moving", list(own["moving"])
    yield "delayed", list(own["delayed"])
    yield "convoys", [unit for one in own["convoys"].values() for unit in (*one["transports"], one["personnel"])]
    yield "declared", [unit for one in own["declared"] for unit in (*one["units"], *one["support"], *one["defence"])]
    yield "interdicted", [unit for one in own["interdicted"].values() for unit in one["guns"]]
    yield "chain", [unit for by, failed in own["chain"].items() for unit in (by, *failed)]


def _hexes_named(own: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The parts of the game's own that name hexes."""
    yield "interdicted", list(own["interdicted"])
    yield "barraged", list(own["barraged"])
    yield "declared", [one["hex"] for one in own["declared"]]
    yield "contact", [own["contact"]["hex"]] if own["contact"] else []


def _unit_fault(key: str, counter: Counter, data: GameData) -> dict[str, Any] | None:
    card = data.cards[counter.card]
    if key != counter.card:
        return {"card": ["Must be the unit's own."]}
    if counter.side != card.side:
        return {"side": [f"The unit is of the side {card.side}."]}
    if counter.face not in ("", card.values.get("back")):
        return {"face": ["The unit has no such side."]}
    if isinstance(counter.place, Hex) and counter.place not in data.board.terrain:
        return {"place": ["No unit can stand there."]}
    if isinstance(counter.place, Edge) and counter.place.name != "off":
        return {"place": ["Units wait at edge:off."]}
    if strange := sorted(counter.marks - MARKS):
        return {"marks": [f"There is no mark {strange[0]}."]}
    if strange := sorted(key for key, number in counter.num.items() if key not in ("due", "spent") or number < 0):
        return {"num": [f"{strange[0]} must be due or spent, and not negative."]}
    return None
