"""Holdfast: the arguments of each verb, what the state keeps of the game's own, and its work (docs/decisions/0002-shapes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar

from marshmallow import Schema, ValidationError, validates_schema
from msgspec import Meta, Struct

from scenarios.data import GameData
from scenarios.hexes import Edge, Hex, Place
from services.rules.engine.model import Counter, GameState, Side
from services.rules.schemas.common import HEX, ShortList, StrictBoolean, StrictInteger, StrictSchema, hex_number, unit
from services.rules.schemas.wire import Label, Strict, UnitId, Word

MAX_PATH = 100
MAX_UNITS = 40
T = TypeVar("T")
HoldfastSide = Literal["axis", "allied"]
Month = Annotated[str, Meta(pattern=r"\A19[0-9]{2}-[0-9]{2}\Z")]
HexNumber = Annotated[str, Meta(pattern=HEX)]
Alias = Annotated[str, Meta(pattern=r"\A[GV][0-9]{1,5}\Z")]
Units = Annotated[list[UnitId], Meta(max_length=MAX_UNITS + 1)]
Points = Annotated[int, Meta(ge=0, le=1000)]


class Commit(StrictSchema):
    """``COMMIT n``: air units sent against Malta; ``COMMIT TABLE``: pairs of the other side's number and one's own."""

    n = StrictInteger(0, 20)
    table = ShortList(ShortList(StrictInteger(0, 20), most=2, least=2), most=20, least=1)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if len(data) != 1:
            raise ValidationError("Give n or table, and not both.")


class OneUnit(StrictSchema):
    """``ENTER``, ``DELAY``, ``REBUILD``, ``KEEP`` and one unit."""

    unit = unit(required=True)


class Step(OneUnit):
    """``STEP unit k``: steps bought for a unit."""

    k = StrictInteger(1, 20, load_default=1)


class Move(StrictSchema):
    """``MOVE unit hex hex ...`` or ``MOVE unit TO hex [VIA hex ...] [BY ROAD]``."""

    units = ShortList(unit(), most=1, least=1, required=True)
    path = ShortList(hex_number(), most=MAX_PATH, load_default=list)
    to = hex_number(load_default=None, allow_none=True)
    via = ShortList(hex_number(), most=MAX_PATH, load_default=list)
    road = StrictBoolean(load_default=False)
    strategic = StrictBoolean(load_default=False)
    leader = StrictBoolean(load_default=False)

    @validates_schema
    def _way(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if bool(data["path"]) == (data["to"] is not None):
            raise ValidationError("Give a path, or a hex to move to, and not both.")
        if data["path"] and (data["via"] or data["road"]):
            raise ValidationError("via and road go with to, not with a path.")


class Attack(StrictSchema):
    """``ATTACK hex WITH units [AIR id] [LEADER] [LOSE units]``."""

    hex = hex_number(required=True)
    units = ShortList(unit(), most=MAX_UNITS, least=1, required=True)
    air = unit(load_default=None, allow_none=True)
    leader = StrictBoolean(load_default=False)
    lose = ShortList(unit(), most=MAX_UNITS, load_default=list)


class Lose(StrictSchema):
    """``LOSE units`` first, ``SPARE`` others."""

    units = ShortList(unit(), most=MAX_UNITS, load_default=list)
    spare = ShortList(unit(), most=MAX_UNITS, load_default=list)


VERBS: Mapping[str, type[Schema]] = {
    "COMMIT": Commit,
    "ENTER": OneUnit,
    "DELAY": OneUnit,
    "REBUILD": OneUnit,
    "STEP": Step,
    "MOVE": Move,
    "ATTACK": Attack,
    "LOSE": Lose,
    "KEEP": OneUnit,
}


class Known(Strict):
    """What the other side has learnt of a block, and when."""

    unit: UnitId
    sp: Points
    month: Month


class Uses(Strict):
    """A leader's uses in this month: True where spent."""

    move: bool
    attack: bool


class BySide(Strict, Generic[T]):
    """A value for each side."""

    axis: T
    allied: T


class Stepped(Strict):
    """Steps bought for a unit, and the game-turn in which."""

    turn: Points
    k: Points


class Own(Strict):
    """What the state keeps of Holdfast's own (``games.holdfast.state`` says what each is)."""

    month: Month
    weather: Literal["clear", "poor"] | None
    rp: BySide[Points]
    spent: BySide[Points]
    malta: dict[HoldfastSide, Points]
    air: BySide[dict[Word, Literal["free", "malta", "used"]]]
    leader: BySide[dict[Word, Uses]]
    control: dict[HexNumber, HoldfastSide]
    stepped: dict[UnitId, Stepped]
    blocks: dict[Alias, UnitId]
    next_alias: BySide[Annotated[int, Meta(ge=1, le=100_000)]]
    seen: dict[Alias, Known]


class AttackWork(Strict):
    """An attack declared and not resolved yet."""

    hex: HexNumber
    units: Units
    air: Word | None
    leader: Word | None
    lose: Units
    label: Label


class LossesWork(Strict):
    """Hits on the attackers that are still to be taken."""

    label: Label
    units: Units
    dice: Annotated[list[Annotated[int, Meta(ge=1, le=6)]], Meta(max_length=200)]
    lose: Units


class CloseAttackWork(Strict):
    """An attack whose end is still to be noted."""

    label: Label
    hex: HexNumber
    units: Units


FRAMES: Mapping[str, type[Struct]] = {"Attack": AttackWork, "Losses": LossesWork, "CloseAttack": CloseAttackWork}


class NoContext(Strict):
    """A decision that says all of itself."""


class AlliedMaltaContext(Strict):
    """The number of air units that the Axis has sent."""

    axis: Points


class LossesContext(Strict):
    """The defence dice, and the attackers that may take their hits."""

    dice: Annotated[list[Annotated[int, Meta(ge=1, le=6)]], Meta(max_length=200)]
    units: Units


CONTEXTS: Mapping[str, type[Struct]] = {
    "malta-axis": NoContext,
    "malta-allied": AlliedMaltaContext,
    "losses": LossesContext,
    "surplus": NoContext,
}


def check(state: GameState, data: GameData) -> dict[str, Any]:
    """Faults of a well-formed state that the rules could not work with: units as no play leaves them, and a board without its cities."""
    fighting = {unit for kind, args in state.agenda if kind == "CloseAttack" for unit in args.get("units", ())}
    counters = {key: fault for key, counter in state.counters.items() if (fault := _unit_fault(key, counter, data, key in fighting))}
    faults: dict[str, Any] = {"counters": counters} if counters else {}
    for name, parts in (("agenda", [args for _, args in state.agenda]), ("pending", [decision.context for decision in state.pending])):
        if unknown := {u for part in parts for key in ("units", "lose") for u in part.get(key, ())} - state.counters.keys():
            faults[name] = [f"There is no unit {min(unknown)}."]
    if own := _own_faults(state, data):
        faults["own"] = own
    held: dict[Place, Side] = {}
    for key, counter in state.counters.items():
        if isinstance(counter.place, Hex) and held.setdefault(counter.place, counter.side) != counter.side:  # 11.1k
            faults.setdefault("counters", {}).setdefault(key, {"place": ["Units of both sides are there."]})
    return faults


def _unit_fault(key: str, counter: Counter, data: GameData, fighting: bool) -> dict[str, Any] | None:
    card, on_map = data.cards[counter.card], isinstance(counter.place, Hex)
    least = int(on_map and not fighting)  # hits fall together: who has none left lies there until the attack is closed
    wanted = {"sp", "due"} if isinstance(counter.place, Edge) else {"sp"}
    if not wanted <= counter.num.keys() or any(not isinstance(number, int) for number in counter.num.values()):
        return {"num": [f"Must have whole numbers: {', '.join(sorted(wanted))}."]}
    if key != counter.card:
        return {"card": ["Must be the unit's own."]}
    if counter.side != card.side:
        return {"side": [f"The unit is of the side {card.side}."]}
    if not least <= counter.num["sp"] <= card.values["max_sp"]:  # 11.2p
        return {"num": [f"Must have {least} to {card.values['max_sp']} sp."]}
    return None


def _own_faults(state: GameState, data: GameData) -> dict[str, Any]:
    own, cities = state.own, data.scenarios[state.scenario].tables["control"]
    units = [own["blocks"][alias] for alias in sorted(own["blocks"])]
    if sorted(units) != sorted(key for key, counter in state.counters.items() if isinstance(counter.place, Hex)):
        return {"blocks": ["Each unit on the map must have one block, and each block a unit on the map."]}
    if not own["seen"].keys() <= own["blocks"].keys():
        return {"seen": ["Only blocks on the map are known."]}
    if own["control"].keys() != {at for side in data.sides for at in cities[side]}:
        return {"control": ["Each fortified city, and no other hex, must have a side that controls it."]}  # control.1
    return {}
