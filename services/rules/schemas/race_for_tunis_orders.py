"""Race for Tunis: the arguments of each verb (docs/decisions/0002-shapes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, validates_schema

from services.rules.schemas.common import LABEL, ShortList, StrictBoolean, StrictInteger, StrictSchema, StrictText, hex_number, one_of, unit

MAX_PATH = 100
MAX_UNITS = 60
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
    """``ATTACK hex[+hex] WITH units [SUPPORT guns] [LOWER n]``; ``ATTACK hex ONLY unit WITH units``, ``ATTACK hex REST WITH units``;
    ``ATTACK hex WITH NONE``."""

    hexes = ShortList(hex_number(), most=20, least=1, required=True)
    units = some_units(least=0, load_default=list)
    support = some_units(least=0, load_default=list)
    lower = StrictInteger(0, 20, load_default=None, allow_none=True)
    rest = StrictBoolean(load_default=False)
    none = StrictBoolean(load_default=False)

    class Meta(StrictSchema.Meta):
        include = {"only": unit(load_default=None, allow_none=True)}  # noqa: RUF012 - marshmallow reads it once, and has an ``only`` itself

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["only"] is not None and data["rest"]:
            raise ValidationError("An attack is made on one unit only, or on the rest, not both.")
        if data["none"] == bool(data["units"]):
            raise ValidationError("Give units, or none.")


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
