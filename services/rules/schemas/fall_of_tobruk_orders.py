"""The Fall of Tobruk: the arguments of each verb (docs/decisions/0002-shapes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, validates_schema

from services.rules.schemas.common import ShortList, StrictBoolean, StrictInteger, StrictSchema, StrictText, hex_number, one_of, unit
from services.rules.schemas.verbs import ExactField

MAX_PATH = 100
MAX_UNITS = 60
NAME = r"\A[A-Z0-9][A-Z0-9-]{0,15}\Z"


def some_units(least: int = 1, **kwargs: Any) -> ShortList:
    """A list of unit ids."""
    return ShortList(unit(), most=MAX_UNITS, least=least, **kwargs)


class UnitsOrCheapest(ShortList):
    """A list of unit ids, or the word ``CHEAPEST``."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return value if value == "CHEAPEST" else super()._deserialize(value, attr, data, **kwargs)


def hexes(**kwargs: Any) -> ShortList:
    """A list of hexes."""
    return ShortList(hex_number(), most=MAX_PATH, **kwargs)


def name(**kwargs: Any) -> StrictText:
    """The name of a tank's model, a brigade, a wreck marker, or of what a retreat avoids."""
    return StrictText(NAME, "a name of at most 16 capitals, digits and hyphens", **kwargs)


class OneUnit(StrictSchema):
    """``DELAY``, ``SPLIT``, ``REJOIN``, ``EXIT`` and one unit."""

    unit = unit(required=True)


class Place(OneUnit):
    """``PLACE unit hex``."""

    hex = hex_number(required=True)


class Enter(OneUnit):
    """``ENTER unit [AT hex]``."""

    hex = hex_number(load_default=None, allow_none=True)


class Refit(StrictSchema):
    """``REFIT keep SCRAP u,v AT hex``."""

    keep = unit(required=True)
    scrap = some_units(required=True)
    hex = hex_number(required=True)


class Reserve(StrictSchema):
    """``RESERVE model AT hex``."""

    model = name(required=True)
    hex = hex_number(required=True)


class Barrage(StrictSchema):
    """``BARRAGE guns AT hex [ELSE AT hex]``."""

    guns = some_units(required=True)
    hex = hex_number(required=True)
    else_hex = hex_number(load_default=None, allow_none=True)


class Recover(StrictSchema):
    """``RECOVER tank AUTO|TRY``."""

    tank = unit(required=True)
    mode = one_of("AUTO", "TRY", required=True)


class Scrap(StrictSchema):
    """``SCRAP wreck``."""

    wreck = name(required=True)


class Demolish(StrictSchema):
    """``DEMOLISH tank BY unit``."""

    tank = unit(required=True)
    unit = unit(required=True)


class Free(StrictSchema):
    """``FREE brigade``."""

    brigade = name(required=True)


class Move(StrictSchema):
    """``MOVE a+b hex hex ... [DROP unit AT hex]`` or ``MOVE a+b TO hex [VIA hex ...] [BY ROAD]``."""

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


class Stand(StrictSchema):
    """``STAND units``."""

    units = some_units(required=True)


class Fire(StrictSchema):
    """``FIRE units AT tanks [IN hex] [ELSE AT tanks]``; beforehand ``FIRE YES|NO|ALL [BY AT|TYPE] [MIN k:1] [POOL yes|no]``."""

    units = some_units(least=0, load_default=list)
    targets = some_units(least=0, load_default=list)
    hex = hex_number(load_default=None, allow_none=True)
    else_targets = some_units(least=0, load_default=list)
    policy = one_of("YES", "NO", "ALL", load_default=None, allow_none=True)
    by = one_of("AT", "TYPE", load_default=None, allow_none=True)
    min = ExactField(load_default=None, allow_none=True)
    pool = StrictBoolean(load_default=None, allow_none=True)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        shot = bool(data["units"])
        if shot != bool(data["targets"]) or shot == (data["policy"] is not None):
            raise ValidationError("Give units and their targets, or a policy.")
        if shot and not (data["by"] is data["min"] is data["pool"] is None):
            raise ValidationError("by, min and pool go with a policy.")
        if not shot and (data["else_targets"] or data["hex"] is not None):
            raise ValidationError("hex and else_targets go with units and their targets.")


class Attack(StrictSchema):
    """``ATTACK hex[+hex] WITH units`` or ``ATTACK hex WITH NONE``."""

    hexes = ShortList(hex_number(), most=20, least=1, required=True)
    units = some_units(least=0, load_default=list)
    none = StrictBoolean(load_default=False)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["none"] == bool(data["units"]):
            raise ValidationError("Give units, or none.")


class Occupy(StrictSchema):
    """``OCCUPY hex WITH units``."""

    hex = hex_number(required=True)
    units = some_units(required=True)


class Slip(StrictSchema):
    """``SLIP recon TO hex`` or ``SLIP NEVER``."""

    unit = unit(load_default=None, allow_none=True)
    hex = hex_number(load_default=None, allow_none=True)
    never = StrictBoolean(load_default=False)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if (data["unit"] is None) != (data["hex"] is None) or (data["unit"] is None) != data["never"]:
            raise ValidationError("Give a unit and a hex, or never.")


class Lose(StrictSchema):
    """``LOSE list|CHEAPEST [SPLIT yes|no]``; ``MINE LOSE list`` for tanks lost to mines."""

    units = UnitsOrCheapest(unit(), most=MAX_UNITS, least=0, load_default=list)
    split = StrictBoolean(load_default=None, allow_none=True)
    mine = StrictBoolean(load_default=False)


class Retreat(StrictSchema):
    """``RETREAT unit path``, ``RETREAT unit TO hex`` or ``RETREAT POLICY avoid``; no unit: those asked for, as one in an answer."""

    unit = unit(load_default=None, allow_none=True)
    path = hexes(load_default=list)
    hex = hex_number(load_default=None, allow_none=True)
    avoid = ShortList(name(), most=10, load_default=list)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if bool(data["path"]) + (data["hex"] is not None) + bool(data["avoid"]) != 1:
            raise ValidationError("Give a path, the hex where it ends, or what all avoid.")
        if data["unit"] is not None and data["avoid"]:
            raise ValidationError("avoid is for all units.")


class Advance(StrictSchema):
    """``ADVANCE units TO hex``, ``ADVANCE NEVER`` or ``ADVANCE MAX n``."""

    units = some_units(least=0, load_default=list)
    hex = hex_number(load_default=None, allow_none=True)
    none = StrictBoolean(load_default=False)
    max = StrictInteger(0, 99, load_default=None, allow_none=True)


VERBS: Mapping[str, type[Schema]] = {
    "PLACE": Place,
    "ENTER": Enter,
    "DELAY": OneUnit,
    "REFIT": Refit,
    "RESERVE": Reserve,
    "BARRAGE": Barrage,
    "RECOVER": Recover,
    "SCRAP": Scrap,
    "DEMOLISH": Demolish,
    "FREE": Free,
    "MOVE": Move,
    "SPLIT": OneUnit,
    "REJOIN": OneUnit,
    "STAND": Stand,
    "EXIT": OneUnit,
    "FIRE": Fire,
    "ATTACK": Attack,
    "OCCUPY": Occupy,
    "SLIP": Slip,
    "LOSE": Lose,
    "RETREAT": Retreat,
    "ADVANCE": Advance,
}
