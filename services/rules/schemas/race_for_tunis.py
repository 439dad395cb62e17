"""Race for Tunis: the arguments of each verb, what the state keeps of the game's own, and its work (docs/decisions/0002-shapes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from marshmallow import Schema, ValidationError, validates_schema
from msgspec import Meta, Struct, field

from scenarios.data import GameData
from scenarios.hexes import Edge, Hex, Place
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
MAX_UNITS = 60
TunisSide = Literal["axis", "allied"]
HexNumber = Annotated[str, Meta(pattern=HEX)]
Units = Annotated[list[UnitId], Meta(max_length=MAX_UNITS)]
Hexes = Annotated[list[HexNumber], Meta(max_length=MAX_PATH)]
Result = Annotated[str, Meta(pattern=r"\A(?:AE|AR[1-9]|Con|Eng|Ex|DR[1-9]|DE|VOID)\Z")]
Role = Literal["attacker", "defender"]
Length = Annotated[int, Meta(ge=1, le=9)]
Points = Annotated[int, Meta(ge=0, le=1000)]
INTERCEPTED = r"\A(?:[A-Z0-9-]{1,8}|SUPPORT-FIRST|INTERDICTION-FIRST)\Z"


def some_units(least: int = 1, **kwargs: Any) -> ShortList:
    """A list of unit ids."""
    return ShortList(unit(), most=MAX_UNITS, least=least, **kwargs)


class UnitsOrAll(ShortList):
    """A list of unit ids, or the word ``ALL``."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return value if value == "ALL" else super()._deserialize(value, attr, data, **kwargs)


def hexes(**kwargs: Any) -> ShortList:
    """A list of hexes."""
    return ShortList(hex_number(), most=MAX_PATH, **kwargs)


def battle(**kwargs: Any) -> StrictText:
    """The label of a battle."""
    return StrictText(LABEL, "a label of at most 20 capitals, digits and hyphens", **kwargs)


class OneUnit(StrictSchema):
    """``SPLIT``, ``REBUILD``, ``DELAY`` and one unit."""

    unit = unit(required=True)


class AtHex(OneUnit):
    """``LAND unit AT place``; ``DROP`` and ``AMPH`` likewise."""

    hex = hex_number(required=True)


class Sea(OneUnit):
    """``SEA unit AT port``."""

    port = hex_number(required=True)


class Enter(OneUnit):
    """``ENTER unit [AT hex]``."""

    hex = hex_number(load_default=None, allow_none=True)


class Rejoin(StrictSchema):
    """``REJOIN a,b,c AS battalion``."""

    units = some_units(required=True)
    battalion = unit(required=True)


class Bridge(StrictSchema):
    """``BRIDGE BLOW|MEND hex BY unit``."""

    act = one_of("BLOW", "MEND", required=True)
    hex = hex_number(required=True)
    unit = unit(required=True)


class Move(StrictSchema):
    """``MOVE unit hex hex ... [BRIDGE BLOW|MEND hex]`` or ``MOVE unit TO hex [VIA hex ...] [BY ROAD]``."""

    units = some_units(required=True)
    path = hexes(load_default=list)
    to = hex_number(load_default=None, allow_none=True)
    via = hexes(load_default=list)
    road = StrictBoolean(load_default=False)
    drop = unit(load_default=None, allow_none=True)
    drop_at = hex_number(load_default=None, allow_none=True)
    bridge = one_of("BLOW", "MEND", load_default=None, allow_none=True)
    bridge_at = hex_number(load_default=None, allow_none=True)

    @validates_schema
    def _way(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if bool(data["path"]) == (data["to"] is not None):
            raise ValidationError("Give a path, or a hex to move to, and not both.")
        if data["path"] and (data["via"] or data["road"]):
            raise ValidationError("via and road go with to, not with a path.")
        if (data["drop"] is None) != (data["drop_at"] is None):
            raise ValidationError("drop and drop_at go together.")
        if (data["bridge"] is None) != (data["bridge_at"] is None):
            raise ValidationError("bridge and bridge_at go together.")


class Attack(StrictSchema):
    """``ATTACK hex[+hex] WITH units [SUPPORT guns] [LOWER n]``; ``ATTACK hex ONLY unit WITH units``, ``ATTACK hex REST WITH units``."""

    hexes = ShortList(hex_number(), most=20, least=1, required=True)
    units = some_units(required=True)
    support = some_units(least=0, load_default=list)
    lower = StrictInteger(0, 20, load_default=None, allow_none=True)
    rest = StrictBoolean(load_default=False)

    class Meta(StrictSchema.Meta):
        include = {"only": unit(load_default=None, allow_none=True)}  # noqa: RUF012 - marshmallow reads it once, and has an ``only`` itself

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["only"] is not None and data["rest"]:
            raise ValidationError("An attack is made on one unit only, or on the rest, not both.")


class Support(StrictSchema):
    """``SUPPORT guns FOR label``; as a standing order ``SUPPORT MAXIMISE`` or ``SUPPORT DENY hexes``."""

    guns = some_units(least=0, load_default=list)
    battle = battle(load_default=None, allow_none=True)
    maximise = StrictBoolean(load_default=False)
    deny = hexes(load_default=list)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if bool(data["guns"]) != (data["battle"] is not None) or bool(data["guns"]) == (data["maximise"] or bool(data["deny"])):
            raise ValidationError("Give guns and a battle, or how they are allotted.")


class Air(StrictSchema):
    """``AIR unit SUPPORT|INTERDICT hex [FOR label]``."""

    air = unit(required=True)
    mission = one_of("SUPPORT", "INTERDICT", required=True)
    hex = hex_number(required=True)
    battle = battle(load_default=None, allow_none=True)


class CounterBattery(StrictSchema):
    """``CB guns AT gun``."""

    guns = some_units(required=True)
    target = unit(required=True)


class Intercept(StrictSchema):
    """``INTERCEPT air|ALL AT air|SUPPORT-FIRST|INTERDICTION-FIRST [KEEP n]``."""

    air = unit(required=True)
    target = StrictText(INTERCEPTED, "an air unit, SUPPORT-FIRST or INTERDICTION-FIRST", required=True)
    keep = StrictInteger(0, 99, load_default=None, allow_none=True)


class Lose(StrictSchema):
    """``LOSE list [SPLIT yes|no]``."""

    units = some_units(least=0, load_default=list)
    split = StrictBoolean(load_default=None, allow_none=True)


class Retreat(StrictSchema):
    """``RETREAT unit path``, or ``RETREAT units|ALL TO hex,hex [ROAD yes|no]``."""

    units = UnitsOrAll(unit(), most=MAX_UNITS, least=0, load_default=list)
    rally = hexes(load_default=list)
    road = StrictBoolean(load_default=None, allow_none=True)
    unit = unit(load_default=None, allow_none=True)
    path = hexes(load_default=list)


class Advance(StrictSchema):
    """``ADVANCE units TO hex ...``, ``ADVANCE NONE`` or ``ADVANCE MAX n``."""

    units = some_units(least=0, load_default=list)
    hexes = hexes(load_default=list)
    none = StrictBoolean(load_default=False)
    max = StrictInteger(0, 20, load_default=None, allow_none=True)


class JoinBattle(StrictSchema):
    """``JOINBATTLE label|SPREAD [WITH units]``."""

    battle = battle(required=True)
    units = some_units(least=0, load_default=list)


VERBS: Mapping[str, type[Schema]] = {
    "LAND": AtHex,
    "SEA": Sea,
    "REJOIN": Rejoin,
    "SPLIT": OneUnit,
    "REBUILD": OneUnit,
    "MOVE": Move,
    "ENTER": Enter,
    "DELAY": OneUnit,
    "BRIDGE": Bridge,
    "DROP": AtHex,
    "AMPH": AtHex,
    "ATTACK": Attack,
    "SUPPORT": Support,
    "AIR": Air,
    "CB": CounterBattery,
    "INTERCEPT": Intercept,
    "LOSE": Lose,
    "RETREAT": Retreat,
    "ADVANCE": Advance,
    "JOINBATTLE": JoinBattle,
}


# -- the game's own --------------------------------------------------------------------------------------------------------------


class Port(Strict):
    """A port: whether both were lost and its landings are diced for, and how many may still land."""

    lost: bool
    limit: Points | None


class Flight(Strict):
    """An air unit: what it does, where, and the game-turn in which it returns."""

    state: Word
    hex: HexNumber | None
    back: Points | None


class Engagement(Strict):
    """Units engaged with one another; ``beside``: units of the defenders' side that stood beside the attackers already, and where;
    ``broken``: the newcomers that have broken it in this combat phase."""

    attackers: Units
    defenders: Units
    hexes: Hexes
    beside: dict[UnitId, HexNumber] = field(default_factory=dict)
    broken: Units = field(default_factory=list)


class French(Strict):
    """Whether the French fight freely, and whether the Axis has attacked one of them."""

    free: bool
    attacked: bool


class Battle(Strict):
    """A declared battle."""

    label: Label
    hexes: Hexes
    units: Units
    support: Units
    lower: Points | None
    only: UnitId | None
    rest: bool
    defenders: Units
    defence: Units
    air: Units
    done: bool
    result: Result | None
    moved: Units = field(default_factory=list)


class Fire(Strict):
    """Guns that fire at an enemy one (17.3)."""

    guns: Units
    target: UnitId


class Own(Strict):
    """What the state keeps of Race for Tunis's own (``games.race_for_tunis.state`` says what each is)."""

    places: dict[HexNumber, TunisSide]
    rp: Points
    weather: Literal["clear", "rain", "heavy-rain"]
    blown: Hexes
    worked: Hexes
    moving: Annotated[str, Meta(pattern=r"\A[A-Z0-9-]{0,8}\Z")]
    ports: dict[Word, Port]
    diverted: dict[UnitId, Word]
    limits: dict[Word, Points]
    air: dict[UnitId, Flight]
    engaged: Annotated[list[Engagement], Meta(max_length=200)]
    french: French
    battles: Annotated[list[Battle], Meta(max_length=200)]
    silenced: Units
    fires: Annotated[list[Fire], Meta(max_length=200)]
    landers: dict[UnitId, Points]
    dropped: Units


# -- work and decisions ----------------------------------------------------------------------------------------------------------


class ExcessWork(Strict):
    """A hex over the stacking limits at the end of a player-turn."""

    side: TunisSide
    hex: HexNumber


class ExcessContext(Strict):
    """The hex, and the units in it."""

    hex: HexNumber
    units: Units


class NextBattleWork(Strict):
    """The next battle is taken up."""


class BattleWork(Strict):
    """A battle to be fought, or to be settled."""

    label: Label


class LossesWork(Strict):
    """One side of a battle removes units that count so much."""

    label: Label
    role: Role
    need: Points


class RetreatsWork(Strict):
    """One side of a battle retreats so many hexes."""

    label: Label
    role: Role
    hexes: Length


class AdvanceWork(Strict):
    """One side of a battle may advance so many hexes, the first one of these."""

    label: Label
    role: Role
    hexes: Length
    into: Hexes


class LossesContext(LossesWork):
    """The result that takes the units."""

    result: Result


class RetreatContext(RetreatsWork):
    """The unit that is asked for, and the result that drives it."""

    unit: UnitId
    result: Result


class AdvanceContext(AdvanceWork):
    """The units that can advance, and the result that lets them."""

    units: Units
    vacated: bool
    result: Result


class Interception(Strict):
    """An air unit intercepts an enemy one."""

    unit: UnitId
    target: UnitId


class Scramble(Strict):
    """All air units of the other side intercept, by a rule, but for those kept back."""

    rank: Literal["SUPPORT-FIRST", "INTERDICTION-FIRST", "HIGHEST"]
    keep: Points | None


FRAMES: Mapping[str, type[Struct]] = {
    "Counterbattery": Fire,
    "Interception": Interception,
    "Scramble": Scramble,
    "NextBattle": NextBattleWork,
    "Battle": BattleWork,
    "Losses": LossesWork,
    "Retreats": RetreatsWork,
    "Advance": AdvanceWork,
    "Settle": BattleWork,
    "Excess": ExcessWork,
}
CONTEXTS: Mapping[str, type[Struct]] = {
    "losses": LossesContext,
    "retreat": RetreatContext,
    "advance": AdvanceContext,
    "excess": ExcessContext,
}


def check(state: GameState, data: GameData) -> dict[str, Any]:
    """Faults of a well-formed state that the rules could not work with: units as no play leaves them, both sides in one hex."""
    counters = {key: fault for key, counter in state.counters.items() if (fault := _unit_fault(key, counter, data))}
    faults: dict[str, Any] = {"counters": counters} if counters else {}
    if state.own["ports"].keys() != data.charts["ports"].keys():
        faults["own"] = {"ports": ["Each port, and nothing else, must be there."]}
    if state.own["places"].keys() != {str(at) for at in data.board.marks["held"]}:
        faults["own"] = {"places": ["Each place that is held, and nothing else, must have a side."]}
    held: dict[Place, Side] = {}
    for key, counter in state.counters.items():
        if isinstance(counter.place, Hex) and held.setdefault(counter.place, counter.side) != counter.side:  # 6.3-1
            faults.setdefault("counters", {}).setdefault(key, {"place": ["Units of both sides are there."]})
    return faults


def _unit_fault(key: str, counter: Counter, data: GameData) -> dict[str, Any] | None:
    card = data.cards[counter.card]
    if key != counter.card:
        return {"card": ["Must be the unit's own."]}
    if counter.side != card.side:
        return {"side": [f"The unit is of the side {card.side}."]}
    if counter.face:
        return {"face": ["The unit has no such side."]}
    if isinstance(counter.place, Hex) and (counter.place not in data.board.terrain or card.values["class"] == "air"):
        return {"place": ["No unit can stand there."]}
    if isinstance(counter.place, Edge) and counter.place.name != "off":
        return {"place": ["Units wait at edge:off."]}
    return None
