"""Bodies and answers of the calls under ``/v1`` (docs/decisions/0002-shapes.md, "HTTP")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validates_schema

from services.rules.engine.dice import MAX_SIDES
from services.rules.engine.editing import Edit
from services.rules.schemas.common import (
    JsonObject,
    ShortList,
    StrictBoolean,
    StrictInteger,
    StrictSchema,
    StrictText,
    key256,
    one_of,
    side,
)
from services.rules.schemas.events import load_events
from services.rules.schemas.packet import PacketSchema
from services.rules.schemas.state import StateField

MAX_DICE = 1000
MAX_EDITS = 20
MOST_WORDS = 8
LONGEST_WORD = 80
MOST_ORDERS = 2001  # what a game works out at most, and the last by which one goes on


class EventsField(fields.List[Any]):
    """Events of an outcome."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return load_events(value)


class WordsField(fields.List[Any]):
    """The players' words for the dice, ``[[side, word], ...]`` in side order."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        pairs = isinstance(value, list) and len(value) <= MOST_WORDS and all(isinstance(one, list) and len(one) == 2 for one in value)
        if not pairs or not all(isinstance(one, str) and 0 < len(one) <= LONGEST_WORD for pair in value for one in pair):
            raise ValidationError(f"Must be a list of at most {MOST_WORDS} pairs of a side and a word.")
        return [tuple(pair) for pair in value]


class NewStateBody(StrictSchema):
    """``POST /states``: a new game. ``words``: what its players add to the dice."""

    scenario = StrictText(r"\A[a-z][a-z0-9-]{0,40}/[a-z0-9][a-z0-9-]{0,40}\Z", "a game and a scenario: holdfast/campaign-1", required=True)
    options = JsonObject(load_default=dict)
    secret = key256("the game's secret", required=True)
    words = WordsField(fields.Raw(), load_default=list)


class AdjudicationBody(StrictSchema):
    """``POST /adjudications``: one packet. ``digest``: what the state's must be; ``dry_run``: as ``CHECK``, nothing is done."""

    state = StateField(required=True)
    packet = fields.Nested(PacketSchema, required=True)
    seed = key256("the packet's seed")
    dice = ShortList(StrictInteger(1, MAX_SIDES), most=MAX_DICE)
    dry_run = StrictBoolean(load_default=False)
    digest = key256("the SHA-256 of the state", load_default=None, allow_none=True)

    @validates_schema(skip_on_field_errors=True)
    def _chance(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        given = ("seed" in data) + ("dice" in data)
        testing = data["dry_run"] or data["packet"].check or data["packet"].hold
        if given > 1 or (given == 0 and not testing):
            raise ValidationError("Give a seed, or dice for study, and not both.")


class ViewBody(StrictSchema):
    """``POST /views``: what one side (null: a spectator) may know of a state and, perhaps, of the events that led to it."""

    state = StateField(required=True)
    side = side(required=True, allow_none=True)
    events = EventsField(fields.Dict())


def _word(most: int = 40, **kwargs: Any) -> StrictText:
    return StrictText(rf"\A[A-Za-z0-9:-]{{0,{most}}}\Z", f"a word of at most {most} letters, digits and hyphens", **kwargs)


class EditSchema(StrictSchema):
    """One thing that the umpire sets right: a counter moved, removed or brought back to a place; a number, mark or value set."""

    verb = one_of("MOVE", "REMOVE", "RESTORE", "SET", required=True)
    unit = _word(required=True, metadata={"description": "a unit's id, or the name of a value"})
    place = _word(load_default="", metadata={"description": "a hex, a place's name or a box"})
    name = _word(load_default="", metadata={"description": "of a unit's number or mark, or the key of a value"})
    value = _word(load_default="")

    @post_load
    def _made(self, data: Mapping[str, Any], **kwargs: Any) -> Edit:
        return Edit(data["verb"], *(data[name].upper() for name in ("unit", "place", "name", "value")))

    @validates_schema(skip_on_field_errors=True)
    def _whole(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["verb"] == "SET" and not data["value"]:
            raise ValidationError("SET wants a value.")
        if data["verb"] in ("MOVE", "RESTORE") and not data["place"]:
            raise ValidationError("MOVE and RESTORE want a place.")


class EditsBody(StrictSchema):
    """``POST /edits``: what the umpire sets right by hand, all of it or nothing."""

    state = StateField(required=True)
    digest = key256("the SHA-256 of the state", load_default=None, allow_none=True)
    edits = ShortList(fields.Nested(EditSchema), most=MAX_EDITS, least=1, required=True)


class AdjutantBody(StrictSchema):
    """``POST /adjutant``."""

    state = StateField(required=True)
    side = side(required=True)


class LegalBody(AdjutantBody):
    """``POST /legal-orders``. ``most``: orders that are given at most; ``packet``: lines of the side that are thought to be given."""

    most = StrictInteger(2, MOST_ORDERS, load_default=100)  # G12
    packet = fields.Nested(PacketSchema, load_default=None, allow_none=True)
    unit = _word(
        load_default=None,
        allow_none=True,
        metadata={"description": "only orders that name this unit of the side; empty: only those that name none of them"},
    )


def _json(what: str) -> fields.Raw:
    return fields.Raw(required=True, metadata={"type": "object", "description": what})


def _objects(what: str) -> fields.List[Any]:
    return fields.List(fields.Dict(), required=True, metadata={"description": what})


class NewStateAnswer(Schema):
    """A new game's state, before anybody has sent anything."""

    state = _json("the state")
    digest = fields.String(required=True, metadata={"description": "SHA-256 of the state"})
    events = _objects("what happened on the way to the first open step")


class OutcomeAnswer(NewStateAnswer):
    """What a packet led to."""

    status = fields.String(required=True, metadata={"enum": ["done", "refused", "checked", "held", "stale"]})
    rejections = _objects("orders that were not carried out")
    pending = _objects("the decisions now open")
    ran = fields.Boolean(required=True, metadata={"description": "whether the packet ran the agenda, and so takes a number and a seed"})


class ViewAnswer(Schema):
    """A view; its members are the contract's."""

    class Meta:
        include = {  # noqa: RUF012 - marshmallow reads it once
            name: fields.Raw()
            for name in (
                *("game", "scenario", "side", "options", "path", "turn", "phasing", "step", "seq", "counters", "own", "pending"),
                *("waiting_for", "standing", "on", "tail", "sets", "answers", "drafts", "over", "events"),
            )
        }


class LegalAnswer(Schema):
    """Legal orders of the open step, at most as many as were asked for; ``more`` if there are others."""

    orders = _objects("orders")
    more = fields.Boolean(required=True)
    foreseen = fields.Dict(
        metadata={
            "description": "of a packet: line, the first that they do not come after (0: none), and why: fault, chance, later or empty"
        }
    )


class AdjutantAnswer(Schema):
    """What the adjutant orders: lines to play now, and lines to keep as standing orders."""

    orders = _objects("orders")
    standing = _objects("standing orders")


class GamesAnswer(Schema):
    """The games that this server plays."""

    games = _objects("key, title, edition, sides, scenarios, options")


class ScenarioAnswer(Schema):
    """A scenario's vocabulary."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    game = _json("key, title, edition, sides, options")
    first_turn = fields.Integer(required=True)
    last_turn = fields.Integer(required=True)
    turns = fields.List(fields.String(), required=True, metadata={"description": "the label of each box of the turn track"})
    units = _json("unit id -> side, name, kind, nation, aliases, values")
    places = _json("place name in capitals -> hex")
    names = _json("hex -> the name printed there")
    hexes = fields.List(fields.String(), required=True, metadata={"description": "the hexes that can be entered"})
    labels = _json("hex -> its number as printed, where that differs")
    verbs = _json("step -> the verbs that it takes or that answer its decisions")
