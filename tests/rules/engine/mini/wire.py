"""How the test-only game's own parts of a state look on the wire."""

from __future__ import annotations

import msgspec
from marshmallow import Schema, fields

from services.rules.schemas.common import StrictSchema
from services.rules.schemas.game import GameSchemas
from services.rules.schemas.verbs import COMMON


class Own(msgspec.Struct, forbid_unknown_fields=True):
    stake: dict[str, int]
    dust: bool


class Check(msgspec.Struct, forbid_unknown_fields=True):
    unit: str


class Battle(msgspec.Struct, forbid_unknown_fields=True):
    label: str
    hex: str
    units: list[str]


class Flee(msgspec.Struct, forbid_unknown_fields=True):
    unit: str
    label: str
    result: str


class Plain(msgspec.Struct, forbid_unknown_fields=True):
    """The context of a decision that has none."""


class Retreating(msgspec.Struct, forbid_unknown_fields=True):
    result: str


class Advancing(msgspec.Struct, forbid_unknown_fields=True):
    result: str
    vacated: bool


def _verb(**kinds: fields.Field) -> type[Schema]:
    return StrictSchema.from_dict(dict(kinds))


def _text(allow_none: bool = False) -> fields.Field:
    return fields.String(required=True, allow_none=allow_none)


def _texts() -> fields.Field:
    return fields.List(fields.String(), required=True)


UNIT = _verb(unit=_text())
SCHEMAS = GameSchemas(
    verbs={
        **COMMON,
        **dict.fromkeys(("ENTER", "DELAY", "SPLIT", "STAND", "PARK"), UNIT),
        "PLACE": _verb(unit=_text(), hex=_text()),
        "JOIN": _verb(units=_texts(), into=_text()),
        "MOVE": _verb(unit=_text(), path=_texts()),
        "FIRE": _verb(unit=_text(), at=_text()),
        "ATTACK": _verb(hex=_text(), units=_texts()),
        "STAKE": _verb(n=fields.Integer(required=True)),
        "RETREAT": _verb(unit=_text(), hex=_text()),
        "ADVANCE": _verb(unit=_text(allow_none=True), hex=_text()),
    },
    own=Own,
    frames={"Check": Check, "Battle": Battle, "Flee": Flee, "Follow": Battle},
    contexts={"stake": Plain, "retreat": Retreating, "advance": Advancing},
    check=lambda state, data: {},
)
