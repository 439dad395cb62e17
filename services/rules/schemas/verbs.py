"""The arguments of the verbs that all games share, and the tests of guards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validates_schema

from services.rules.engine.exact import parse_exact
from services.rules.engine.model import Guard
from services.rules.schemas.common import (
    LABEL,
    ShortList,
    StrictBoolean,
    StrictInteger,
    StrictSchema,
    StrictText,
    hex_number,
    side,
    unit,
)

WORDS = r"\A[A-Za-z0-9][A-Za-z0-9 :+-]{0,39}\Z"


def words(**kwargs: Any) -> StrictText:
    """A name of letters, digits, blanks and hyphens: of a step, a window, a result."""
    return StrictText(WORDS, "a name of at most 40 letters, digits, blanks and hyphens", **kwargs)


def label(**kwargs: Any) -> StrictText:
    """The label of a fight: its name, or the number of its hex."""
    return StrictText(LABEL, "a label of at most 20 capitals, digits and hyphens", **kwargs)


class ExactField(fields.Field[Any]):
    """An exact number: an integer, or a fraction as text."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            parse_exact(value)
        except ValueError as error:
            raise ValidationError(f"{error}.") from None
        return value


class Nothing(StrictSchema):
    """No arguments."""


class Done(StrictSchema):
    """``DONE [TURN] [AUTO]``."""

    turn = StrictBoolean(load_default=False)
    auto = StrictBoolean(load_default=False)


class Next(StrictSchema):
    """``NEXT``; a stored one names the pass that it begins."""

    class Meta(StrictSchema.Meta):
        include = {"pass": StrictInteger(1, 10_000)}  # noqa: RUF012 - marshmallow reads it once


class Phase(StrictSchema):
    """``PHASE name``."""

    name = words(required=True)


class Cancel(StrictSchema):
    """``CANCEL n`` or ``CANCEL ALL``; ``CANCEL verb name`` or ``CANCEL verb ALL`` of orders that the open step has gathered."""

    n = fields.Raw()
    verb = StrictText(LABEL, "a verb")
    of = label()

    @validates_schema
    def _n(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        n = data.get("n")
        if n is None and "verb" in data and "of" in data:
            return
        if "verb" in data or "of" in data:
            raise ValidationError("Give the number of a standing order, or a verb and what its order names.")
        if n != "ALL" and (isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= 100_000):
            raise ValidationError({"n": ['Must be the number of a standing order, or "ALL".']})


class Duty(StrictSchema):
    """``DUTY AUTO``."""

    auto = StrictBoolean(load_default=True)


class OnLine(StrictSchema):
    """``ON window|label|ANY [result IN (..)] [ASK]``: which decision the line answers."""

    window = words(load_default=None, allow_none=True)
    label = label(load_default=None, allow_none=True)
    results = ShortList(words(), most=20, load_default=list)
    ask = StrictBoolean(load_default=False)


COMMON: Mapping[str, type[Schema]] = {
    "DONE": Done,
    "PASS": Nothing,
    "NEXT": Next,
    "PHASE": Phase,
    "CONCEDE": Nothing,
    "DRAW": Nothing,
    "CANCEL": Cancel,
    "DUTY": Duty,
    "ON": OnLine,
}


class _Vacant(StrictSchema):
    hex = hex_number(required=True)


class _Held(_Vacant):
    side = side(required=True)


class _Unit(StrictSchema):
    unit = unit(required=True)


class _At(_Unit):
    hex = hex_number(required=True)


class _Strength(_Unit):
    at_least = StrictInteger(0, 9999, required=True)


class _Points(StrictSchema):
    at_least = StrictInteger(0, 9999, required=True)


class _Weather(StrictSchema):
    # "is" is a word of Python's
    class Meta(StrictSchema.Meta):
        include = {"is": words(required=True)}  # noqa: RUF012 - marshmallow reads it once


class _Result(StrictSchema):
    label = label(required=True)

    class Meta(StrictSchema.Meta):
        include = {"in": ShortList(words(), most=20, least=1, required=True)}  # noqa: RUF012 - marshmallow reads it once


class _Odds(StrictSchema):
    at_least = ExactField(required=True)
    label = label(required=True, allow_none=True)


class _Holds(_Vacant):
    kind = words(required=True)


class _Disrupted(StrictSchema):
    hex = hex_number()
    unit = unit()

    @validates_schema
    def _one(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if len(data) != 1:
            raise ValidationError("Give a hex or a unit, and not both.")


GUARDS: Mapping[str, type[Schema]] = {
    "vacant": _Vacant,
    "held": _Held,
    "alive": _Unit,
    "at": _At,
    "sp": _Strength,
    "supplied": _Unit,
    "engaged": _Unit,
    "rp": _Points,
    "weather": _Weather,
    "result": _Result,
    "odds": _Odds,
    "landed": _Unit,
    "holds": _Holds,
    "free": _Vacant,
    "disrupted": _Disrupted,
    "vacated": Nothing,
    "french": Nothing,
}


class GuardField(fields.Dict):
    """A guard: ``test``, perhaps ``not``, and beside them the arguments that the test takes."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("Must be an object.")
        test = value.get("test")
        if not isinstance(test, str) or test not in GUARDS:
            raise ValidationError({"test": [f"Must be one of: {', '.join(GUARDS)}."]})
        negated = value.get("not", False)
        if not isinstance(negated, bool):
            raise ValidationError({"not": ["Must be true or false."]})
        return Guard(test, GUARDS[test]().load({k: v for k, v in value.items() if k not in ("test", "not")}), negated)


def load_args(verbs: Mapping[str, type[Schema]], verb: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """``args`` as the verb takes them, what was left out filled in. ValidationError for a verb or an argument that there is not."""
    if verb not in verbs:
        raise ValidationError({"verb": [f"No verb of this game; it has {', '.join(verbs)}."]})
    try:
        loaded: dict[str, Any] = verbs[verb]().load(args)
    except ValidationError as error:
        raise ValidationError({"args": error.messages}) from None
    return loaded
