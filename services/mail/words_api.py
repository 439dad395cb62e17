"""The calls for words that stand in no mail: single sentences, and game-turns for pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields, validate

from services.http import Endpoints, Problem
from services.mail.chronicle import ChronicleRequest, chronicle
from services.mail.schemas import GAME, SaidBody, Strict, objects, thing, words
from services.mail.speech import Speech
from services.mail.wording import UnknownLanguage, load_wording


class SentencesBody(Strict):
    """Sentences of a table, by key. ``game``: whose names of sides and units are used; empty: those of none."""

    game = fields.String(load_default="", validate=validate.Regexp(r"([a-z][a-z0-9-]{0,40})?\Z", error="a game's key, or empty"))
    table = fields.String(required=True, validate=validate.OneOf(("chat",)))
    sentences = fields.List(fields.Nested(SaidBody), required=True, validate=validate.Length(max=50))
    language = words(20, load_default="en")


class SentencesAnswer(Schema):
    """The sentences, in order."""

    sentences = fields.List(fields.String(), required=True)


class ChronicleBody(Strict):
    """A game-turn as one viewer may know it, to be told in parts."""

    game = fields.String(required=True, validate=GAME)
    turn = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 1_000))
    side = words(40, allow_none=True, load_default=None)
    view = thing(load_default=dict)
    events = objects(200_000, load_default=list)
    vocabulary = thing(load_default=dict)
    language = words(10, load_default="en")


class ChronicleAnswer(Schema):
    """The parts: words, tables, battles with their dice, numbers to plot, and what pictures show."""

    game = fields.String(required=True)
    title = fields.String(required=True)
    summary = fields.List(fields.String(), required=True)
    awaited = fields.String(required=True)
    sides = fields.List(fields.String(), required=True)
    figures = fields.List(fields.Dict(), required=True)
    sections = fields.List(fields.Dict(), required=True)
    position = fields.List(fields.Dict(), required=True)
    measures = fields.List(fields.Dict(), required=True)
    alt = fields.Dict(required=True)
    names = fields.Dict(required=True)


def words_api() -> Endpoints:
    """The blueprint."""
    api = Endpoints("words", __name__, url_prefix="/v1", description="Words for what is no mail")

    @api.call("POST", "/sentences", takes=SentencesBody, gives=SentencesAnswer)
    def sentences(body: Mapping[str, Any]) -> Any:
        """Single sentences, for what is told elsewhere than in mails."""
        try:
            speech = Speech(load_wording(body["language"], body["game"]), {})
        except UnknownLanguage as error:
            raise Problem(404, "unknown-language", str(error)) from None
        told = [(one["key"], one["fields"]) for one in body["sentences"]]
        return {"sentences": [speech.say(body["table"], key, fields) or key.replace("-", " ") for key, fields in told]}

    @api.call("POST", "/chronicles", takes=ChronicleBody, gives=ChronicleAnswer)
    def chronicles(body: Mapping[str, Any]) -> Any:
        """A game-turn for one viewer, in parts of which a page is made."""
        try:
            return chronicle(ChronicleRequest(**body))
        except UnknownLanguage as error:
            raise Problem(404, "unknown-language", str(error)) from None

    return api
