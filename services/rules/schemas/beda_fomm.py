"""Beda Fomm: the arguments of each verb; what the state keeps of the game's own is in ``beda_fomm_own`` (docs/decisions/0002-shapes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, validates_schema

from scenarios.hexes import DIRECTIONS
from services.rules.schemas.beda_fomm_own import CONTEXTS, FRAMES, MAX_UNITS, Own, check
from services.rules.schemas.common import (
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

__all__ = ["CONTEXTS", "FRAMES", "VERBS", "Own", "check"]

MAX_PATH = 100
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
    """``ATTACK hex WITH units [SUPPORT guns]`` or ``ATTACK hex WITH NONE``."""

    hex = hex_number(required=True)
    units = some_units(least=0, load_default=list)
    support = some_units(least=0, load_default=list)
    none = StrictBoolean(load_default=False)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["none"] == bool(data["units"]) or (data["none"] and data["support"]):
            raise ValidationError("Give units, or none.")


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
