"""The Fall of Tobruk: what the state keeps of the game's own, and its work (docs/decisions/0002-shapes.md). Its verbs: ``_orders``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from scenarios.data import GameData
from scenarios.hexes import Box, Edge, Hex, Place, parse_hex
from services.rules.engine.model import Counter, GameState, Side
from services.rules.schemas.common import HEX
from services.rules.schemas.fall_of_tobruk_orders import MAX_PATH, MAX_UNITS, VERBS
from services.rules.schemas.wire import Label, Strict, UnitId, Word

__all__ = ["CONTEXTS", "FRAMES", "VERBS", "Own", "check"]
TobrukSide = Literal["axis", "allied"]
HexNumber = Annotated[str, Meta(pattern=HEX)]
Units = Annotated[list[UnitId], Meta(max_length=MAX_UNITS)]
Hexes = Annotated[list[HexNumber], Meta(max_length=MAX_PATH)]
Count = Annotated[int, Meta(ge=0, le=1000)]
Number = Annotated[int, Meta(ge=1, le=1000)]
Clause = Annotated[str, Meta(pattern=r"\A[a-z0-9.-]{1,20}\Z")]
Exact = Count | Annotated[str, Meta(pattern=r"\A[0-9]{1,6}/[0-9]{1,4}\Z")]
Role = Literal["attacker", "defender"]
Length = Annotated[int, Meta(ge=1, le=9)]
Result = Annotated[str, Meta(pattern=r"\A(?:AE|AR[1-9]|CON|ENG|EX|DR[1-9]|DE|VOID|STALL)\Z")]
BOXES = frozenset({"setup", "component", "refit", "destroyed", "wreck", "exited"})
NUMBERS = frozenset({"due", "held", "spent", "pass"})
MARKS = frozenset(
    {
        *("disrupted", "shelled", "moved", "done", "active", "fired", "placed", "unsupplied", "roused"),
        *("engaged-attacker", "engaged-defender"),
    }
)


# -- the game's own --------------------------------------------------------------------------------------------------------------


class Tank(Strict):
    """A tank under a wreck marker: the game-turn and the player-turn in which it was lost."""

    unit: UnitId
    turn: Number
    half: TobrukSide


class Wreck(Strict):
    """A wreck marker, and the tanks in its box."""

    n: Number
    side: TobrukSide
    hex: HexNumber
    tanks: Annotated[list[Tank], Meta(min_length=1, max_length=MAX_UNITS)]


class Gap(Strict):
    """A gap in the mines between two hexes."""

    hexes: Annotated[list[HexNumber], Meta(min_length=2, max_length=2)]
    engineer: UnitId


class Engagement(Strict):
    """Units engaged with one another; ``beside``: units of the defenders' side that stood beside the attackers already, and where;
    ``broken``: the newcomers that have broken it."""

    attackers: Units
    defenders: Units
    hexes: Hexes
    beside: dict[UnitId, HexNumber] = field(default_factory=dict)
    broken: Units = field(default_factory=list)


class Attack(Strict):
    """A declared attack."""

    label: Label
    hexes: Hexes
    units: Units
    defenders: Units
    mined: Units
    overrun: bool
    stalled: bool
    done: bool
    result: Result | None
    odds: Word | None
    paths: dict[UnitId, Hexes] = field(default_factory=dict)
    moved: Units = field(default_factory=list)


class Exits(Strict):
    """Units that have left over the east edge, by quota."""

    tanks: Count
    infantry: Count
    artillery: Count


class Own(Strict):
    """What the state keeps of The Fall of Tobruk's own (``games.fall_of_tobruk.state`` says what each is)."""

    wrecks: Annotated[list[Wreck], Meta(max_length=200)]
    reserve: dict[Word, Count]
    opened: Annotated[list[UnitId], Meta(max_length=400)]
    gaps: Annotated[list[Gap], Meta(max_length=100)]
    engaged: Annotated[list[Engagement], Meta(max_length=200)]
    shelled: Annotated[list[HexNumber], Meta(max_length=200)]
    snapshot: dict[HexNumber, Exact]
    shots: Annotated[list[dict[str, Any]], Meta(max_length=200)]
    attacks: Annotated[list[Attack], Meta(max_length=200)]
    freed: Annotated[str, Meta(max_length=20)]
    tobruk: TobrukSide
    exits: Exits
    committed: Count


# -- work and decisions ----------------------------------------------------------------------------------------------------------


class LossesWork(Strict):
    """Units of one side of which some are to be removed, by printed combat factors or by size."""

    units: Units
    need: Count
    measure: Literal["combat", "battalions"]
    clause: Clause
    cause: Word
    label: Label | None
    result: Annotated[str, Meta(max_length=10)]


class BombardWork(Strict):
    """A hex under fire, and the column of the Artillery Table."""

    hex: HexNumber
    column: Number


class CrowdWork(Strict):
    """A hex that may be too crowded now that a German is gone from it (FT-59)."""

    hex: HexNumber


class ShotWork(Strict):
    """Units that fire at tanks, or at others if those are gone."""

    units: Units
    targets: Units
    others: Units


class LabelWork(Strict):
    """The attack of a label."""

    label: Label


class AttackWork(LabelWork, kw_only=True):
    """An attack is made; ``fighting``: those who make it, where others have been let into the hexes that were left to them."""

    fighting: Units = field(default_factory=list)


class NextAttackWork(Strict):
    """The next attack is taken up."""


class MinesWork(Strict):
    """Tanks that cross mines, in an attack, a retreat or an advance; what is done ``then``: a kind of work and its arguments."""

    label: Label
    how: Literal["attack", "retreat", "advance"]
    units: Units
    site: Word
    then: tuple[Word, dict[str, Any]]


class RetreatsWork(Strict):
    """One side of an attack retreats so many hexes; ``plan``: the ways found so far of the units of one hex."""

    label: Label
    role: Role
    hexes: Length
    plan: dict[UnitId, Hexes]


class MarchWork(Strict):
    """Units on their retreat along a path, from its hex number ``n`` on; ``crossed``: the mines before that hex are behind them."""

    label: Label
    role: Role
    units: Units
    path: Hexes
    n: Count
    crossed: bool


class HaltedWork(Strict):
    """Units at the end of their retreat."""

    label: Label
    role: Role
    units: Units


class AdvanceWork(Strict, kw_only=True):
    """One side of an attack may advance: so many hexes along retreats, or into hexes left otherwise; ``but``: who has set out already,
    ``fighting``: who stays to attack."""

    label: Label
    role: Role
    hexes: Annotated[int, Meta(ge=0, le=9)]
    into: Hexes
    but: Units
    fighting: Units = field(default_factory=list)


class FollowWork(Strict):
    """Units on their advance along a path, from its hex number ``n`` on; ``crossed``: the mines before that hex are behind them."""

    label: Label
    units: Units
    path: Hexes
    n: Count
    crossed: bool
    clause: Clause


class MineLossesContext(MinesWork):
    """How many of the tanks are lost."""

    lost: Number


class RetreatContext(RetreatsWork):
    """The units of a hex that are asked for, and the result that drives them."""

    units: Units
    hex: HexNumber
    result: Result


class AdvanceContext(AdvanceWork, kw_only=True):
    """The units that can advance, and the result that lets them."""

    units: Units
    vacated: bool
    result: Result


FRAMES: Mapping[str, type[Struct]] = {
    "Bombard": BombardWork,
    "Crowd": CrowdWork,
    "Shot": ShotWork,
    "NextAttack": NextAttackWork,
    "Attack": AttackWork,
    "Resolve": LabelWork,
    "Overrun": LabelWork,
    "Settle": LabelWork,
    "Losses": LossesWork,
    "Mines": MinesWork,
    "Stall": MinesWork,
    "Retreats": RetreatsWork,
    "March": MarchWork,
    "Halted": HaltedWork,
    "Advance": AdvanceWork,
    "Follow": FollowWork,
}
CONTEXTS: Mapping[str, type[Struct]] = {
    "losses": LossesWork,
    "mine losses": MineLossesContext,
    "retreat": RetreatContext,
    "advance": AdvanceContext,
}


# -- what no play leaves behind --------------------------------------------------------------------------------------------------


def check(state: GameState, data: GameData) -> dict[str, Any]:
    """Faults of a well-formed state that the rules could not work with: units as no play leaves them, both sides in one hex."""
    counters: dict[str, Any] = {key: fault for key, counter in state.counters.items() if (fault := _unit_fault(key, counter, data))}
    held: dict[Place, Side] = {}
    for key, counter in state.counters.items():
        if isinstance(counter.place, Hex) and held.setdefault(counter.place, counter.side) != counter.side:  # advance.5
            counters.setdefault(key, {"place": ["Units of both sides are there."]})
    own = _own_faults(state, data)
    return ({"counters": counters} if counters else {}) | ({"own": own} if own else {})


def _unit_fault(key: str, counter: Counter, data: GameData) -> dict[str, Any] | None:
    card = data.cards[counter.card]
    if key != counter.card:
        return {"card": ["Must be the unit's own."]}
    if counter.side != card.side:
        return {"side": [f"The unit is of the side {card.side}."]}
    if counter.face:
        return {"face": ["The unit has no such side."]}
    if isinstance(counter.place, Hex) and counter.place not in data.board.terrain:
        return {"place": ["No unit can stand there."]}
    if isinstance(counter.place, Edge) and counter.place.name != "off":
        return {"place": ["Units wait at edge:off."]}
    if isinstance(counter.place, Box) and counter.place.name not in BOXES:
        return {"place": ["There is no such box."]}
    if strange := sorted(counter.marks - MARKS):
        return {"marks": [f"There is no mark {strange[0]}."]}
    if strange := sorted(name for name, number in counter.num.items() if name not in NUMBERS or number < 0):
        return {"num": [f"{strange[0]} is no number of a unit, or negative."]}
    return None


def _own_faults(state: GameState, data: GameData) -> dict[str, Any]:
    own, faults = state.own, {}
    if own["reserve"].keys() != {row["model"] for row in data.charts["reserve"]}:
        faults["reserve"] = ["Each model with a reserve, and nothing else, must have a stock."]
    for name, units in _units_named(own):
        if strange := sorted(unit for unit in units if unit not in state.counters):
            faults[name] = [f"There is no unit {strange[0]}."]
    for name, hexes in _hexes_named(own):
        if strange := sorted(at for at in hexes if parse_hex(at) not in data.board.terrain):
            faults[name] = [f"No unit can stand in {strange[0]}."]
    lying = sorted(tank["unit"] for wreck in own["wrecks"] for tank in wreck["tanks"])
    boxed = sorted(key for key, counter in state.counters.items() if counter.place == Box("wreck"))
    if "wrecks" not in faults and lying != boxed:
        faults["wrecks"] = ["The tanks under wreck markers must be those in box:wreck, each once."]
    return faults


def _units_named(own: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The parts of the game's own that name units."""
    yield "wrecks", [tank["unit"] for wreck in own["wrecks"] for tank in wreck["tanks"]]
    yield "opened", list(own["opened"])
    yield "gaps", [gap["engineer"] for gap in own["gaps"]]
    yield "engaged", [unit for one in own["engaged"] for unit in (*one["attackers"], *one["defenders"])]
    yield "attacks", [unit for one in own["attacks"] for unit in (*one["units"], *one["defenders"], *one["mined"])]


def _hexes_named(own: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The parts of the game's own that name hexes."""
    yield "wrecks", [wreck["hex"] for wreck in own["wrecks"]]
    yield "gaps", [at for gap in own["gaps"] for at in gap["hexes"]]
    yield "engaged", [at for one in own["engaged"] for at in one["hexes"]]
    yield "shelled", list(own["shelled"])
    yield "attacks", [at for one in own["attacks"] for at in one["hexes"]]
