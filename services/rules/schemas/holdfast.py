"""Holdfast: the arguments of each verb, what the state keeps of the game's own, and its work (docs/decisions/0002-shapes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from marshmallow import Schema, ValidationError, validates_schema

from services.rules.schemas.common import ShortList, StrictBoolean, StrictInteger, StrictSchema, hex_number, unit

MAX_PATH = 100
MAX_UNITS = 40


class Commit(StrictSchema):
    """``COMMIT n``: air units sent against Malta; ``COMMIT TABLE``: pairs of the other side's number and one's own."""

    n = StrictInteger(0, 20)
    table = ShortList(ShortList(StrictInteger(0, 20), most=2, least=2), most=20, least=1)

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if len(data) != 1:
            raise ValidationError("Give n or table, and not both.")
        numbers = [pair[0] for pair in data.get("table", ())]
        if len(set(numbers)) != len(numbers):
            raise ValidationError({"table": ["A number of the other side's stands in it twice."]})


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


class Own(msgspec.Struct):
    """What the state keeps of Holdfast's own."""


FRAMES: Mapping[str, type[msgspec.Struct]] = {}
