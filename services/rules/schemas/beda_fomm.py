"""Beda Fomm: the arguments of each verb, what the state keeps of the game's own, and its work (docs/decisions/0002-shapes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from marshmallow import Schema, ValidationError, validates_schema
from msgspec import Meta, Struct

from scenarios.data import GameData
from scenarios.hexes import DIRECTIONS, Edge, Hex, Place
from services.rules.engine.model import Counter, GameState, Side
from services.rules.schemas.common import (
    HEX,
    LABEL,
    ShortList,
    StrictBoolean,
    StrictInteger,
    StrictSchema,
    StrictText,
    hex_number,
    one_of,
    unit,
)
from services.rules.schemas.wire import Label, Strict, UnitId, Word

MAX_PATH = 100
MAX_UNITS = 40
BedaFommSide = Literal["italian", "british"]
HexNumber = Annotated[str, Meta(pattern=HEX)]
Units = Annotated[list[UnitId], Meta(max_length=MAX_UNITS)]
Points = Annotated[int, Meta(ge=0, le=1000)]
Clause = Annotated[str, Meta(pattern=r"\A[0-9.]{1,8}[a-z]?\Z")]
TableResult = Annotated[str, Meta(pattern=r"\A(?:M[0-9]{0,2}|E)\Z")]
AIM = r"\A(?:[0-9]{4}|ARMOR|MOST-UNITS)\Z"


def some_units(least: int = 1, **kwargs: Any) -> ShortList:
    """A list of unit ids."""
    return ShortList(unit(), most=MAX_UNITS, least=least, **kwargs)


def hexes(**kwargs: Any) -> ShortList:
    """A list of hexes."""
    return ShortList(hex_number(), most=MAX_PATH, **kwargs)


class OneUnit(StrictSchema):
    """``PARK``, ``UNPARK``, ``EXIT`` and one unit."""

    unit = unit(required=True)


class PlaceArgs(OneUnit):
    """``PLACE unit hex``."""

    hex = hex_number(required=True)


class Convoy(StrictSchema):
    """``CONVOY n transports personnel``."""

    n = StrictInteger(0, 99, required=True)
    transports = some_units(required=True)
    personnel = unit(required=True)


class UnitOrConvoy(StrictSchema):
    """``DELAY unit`` or ``DELAY CONVOY n``."""

    unit = unit(load_default=None, allow_none=True)
    convoy = StrictInteger(0, 99, load_default=None, allow_none=True)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if (data["unit"] is None) == (data["convoy"] is None):
            raise ValidationError("Give a unit or a convoy, and not both.")


class Enter(UnitOrConvoy):
    """``ENTER unit [AT hex]`` or ``ENTER CONVOY n [AT hex]``."""

    hex = hex_number(load_default=None, allow_none=True)


class Move(StrictSchema):
    """``MOVE unit+unit hex hex ... [DROP unit AT hex]`` or ``MOVE ... TO hex [VIA hex ...] [BY ROAD]``."""

    units = some_units(required=True)
    path = hexes(load_default=list)
    to = hex_number(load_default=None, allow_none=True)
    via = hexes(load_default=list)
    road = StrictBoolean(load_default=False)
    drop = unit(load_default=None, allow_none=True)
    drop_at = hex_number(load_default=None, allow_none=True)

    @validates_schema
    def _way(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if bool(data["path"]) == (data["to"] is not None):
            raise ValidationError("Give a path, or a hex to move to, and not both.")
        if data["path"] and (data["via"] or data["road"]):
            raise ValidationError("via and road go with to, not with a path.")
        if (data["drop"] is None) != (data["drop_at"] is None):
            raise ValidationError("drop and drop_at go together.")


class Interdict(StrictSchema):
    """``INTERDICT guns AT hex``; ``SUPPORT guns AT hex``."""

    guns = some_units(required=True)
    hex = hex_number(required=True)


class Barrage(StrictSchema):
    """``BARRAGE guns AT target [WITHIN n] [ELSE AT target]`` or ``HOLD-FIRE``."""

    guns = some_units(least=0, load_default=list)
    target = StrictText(AIM, "a hex, ARMOR or MOST-UNITS", load_default=None, allow_none=True)
    within = StrictInteger(0, 99, load_default=None, allow_none=True)
    else_target = StrictText(AIM, "a hex, ARMOR or MOST-UNITS", load_default=None, allow_none=True)
    hold_fire = StrictBoolean(load_default=False)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["hold_fire"] != (not data["guns"]) or data["hold_fire"] != (data["target"] is None):
            raise ValidationError("Give guns and a target, or hold fire.")


class Fire(StrictSchema):
    """``FIRE units AT unit|BEST [MASS n:1]``."""

    units = some_units(required=True)
    target = unit(required=True)
    mass = StrictInteger(1, 99, load_default=None, allow_none=True)


class Attack(StrictSchema):
    """``ATTACK hex WITH units [SUPPORT guns]``."""

    hex = hex_number(required=True)
    units = some_units(required=True)
    support = some_units(least=0, load_default=list)


class Resolve(StrictSchema):
    """``RESOLVE label``."""

    battle = StrictText(LABEL, "a label of at most 20 capitals, digits and hyphens", required=True)


class Advance(StrictSchema):
    """``ADVANCE units TO hex`` or ``ADVANCE NONE``."""

    units = some_units(least=0, load_default=list)
    hex = hex_number(load_default=None, allow_none=True)
    none = StrictBoolean(load_default=False)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["none"] == bool(data["units"]) or data["none"] != (data["hex"] is None):
            raise ValidationError("Give units and a hex, or none.")


class Retreat(StrictSchema):
    """``RETREAT unit path``, ``RETREAT unit TO hex`` or ``RETREAT parent DIRS list [EXIT yes|no] [AVOID hexes]``."""

    parent = unit(load_default=None, allow_none=True)
    path = hexes(load_default=list)
    hex = hex_number(load_default=None, allow_none=True)
    unit = unit(load_default=None, allow_none=True)
    dirs = ShortList(one_of(*DIRECTIONS), most=6, load_default=list)
    exit = StrictBoolean(load_default=None, allow_none=True)
    avoid = hexes(load_default=list)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if (data["unit"] is None) == (data["parent"] is None):
            raise ValidationError("Give a unit or a parent formation, and not both.")


class Checks(StrictSchema):
    """``CHECKS units``: the order in which they are checked."""

    units = some_units(required=True)


VERBS: Mapping[str, type[Schema]] = {
    "PLACE": PlaceArgs,
    "CONVOY": Convoy,
    "ENTER": Enter,
    "DELAY": UnitOrConvoy,
    "PARK": OneUnit,
    "UNPARK": OneUnit,
    "MOVE": Move,
    "EXIT": OneUnit,
    "INTERDICT": Interdict,
    "BARRAGE": Barrage,
    "FIRE": Fire,
    "ATTACK": Attack,
    "SUPPORT": Interdict,
    "RESOLVE": Resolve,
    "ADVANCE": Advance,
    "RETREAT": Retreat,
    "CHECKS": Checks,
}


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
    """Faults of a well-formed state that the rules could not work with: units as no play leaves them, both sides in one hex."""
    counters = {key: fault for key, counter in state.counters.items() if (fault := _unit_fault(key, counter, data))}
    faults: dict[str, Any] = {"counters": counters} if counters else {}
    if state.own["morale"].keys() != {row["parent"] for row in data.charts["morale"]}:
        faults["own"] = {"morale": ["Each parent formation, and nothing else, must have a level."]}
    held: dict[Place, Side] = {}
    for key, counter in state.counters.items():
        if isinstance(counter.place, Hex) and held.setdefault(counter.place, counter.side) != counter.side:  # 6.12a
            faults.setdefault("counters", {}).setdefault(key, {"place": ["Units of both sides are there."]})
    return faults


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
    return None
