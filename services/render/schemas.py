"""What the render service's calls take."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from scenarios.hexes import Hex, parse_hex
from services.render.animation import FRAMES, MOST_BYTES, MOVING
from services.render.turn_map import LARGEST, SMALLEST
from services.render.views import View, read_view

MOST_ORDERS = 500


class ViewField(fields.Field[View]):
    """One side's view, as ``POST /v1/views`` of the rules service gives it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> View:
        try:
            return read_view(value)
        except ValueError as fault:
            raise ValidationError(f"Not a view: {fault}.") from fault


class CropField(fields.Field[Any]):
    """A part of the map: the main front, or the rectangle between two hexes."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str | tuple[Hex, Hex]:
        if value == "front":
            return "front"
        found = re.fullmatch(r"([0-9]{4})-([0-9]{4})", value) if isinstance(value, str) else None
        if found is None:
            raise ValidationError("Neither front nor two hexes: 0407-1211, the upper left and the lower right one.")
        try:
            first, last = parse_hex(found[1]), parse_hex(found[2])
        except ValueError as fault:
            raise ValidationError(f"{str(fault)[:1].upper()}{str(fault)[1:]}.") from None
        if first.col > last.col or first.row > last.row:
            raise ValidationError("The first hex is not the upper left, the second not the lower right one.")
        return first, last


def _scale(usual: int | None, said: str, most: int = LARGEST) -> fields.Integer:
    return fields.Integer(
        strict=True,
        load_default=usual,
        validate=validate.Range(SMALLEST, most),
        metadata={"description": f"pixels on the longer side{said}"},
    )


def _crop(usual: str | None) -> CropField:
    said = 'a part of the map: "front" (where most happened), or two hexes, upper left and lower right ("0407-1211"); null: all of it'
    return CropField(allow_none=True, load_default=usual, metadata={"type": ["string", "null"], "description": said})


class GameBody(Schema):
    """What all that is made of a game needs. Unknown fields are refused."""

    scenario = fields.String(
        required=True,
        validate=validate.Regexp(
            r"\A[a-z][a-z0-9-]{0,40}/[a-z0-9][a-z0-9-]{0,40}\Z", error="Not a game and a scenario: holdfast/campaign-1."
        ),
        metadata={"description": "game and scenario: holdfast/campaign-1"},
    )
    theme = fields.String(
        load_default="light", validate=validate.Length(1, 20), metadata={"description": "a theme of the game's style sheet"}
    )


class PictureBody(GameBody):
    """What every picture of a game needs."""

    view = ViewField(required=True, metadata={"type": "object", "description": "one side's view, with its events if there are any"})


class MapBody(PictureBody):
    """A turn map that is asked for."""

    scale = _scale(None, " (2400; of a part 1200)")
    crop = _crop(None)
    panel = fields.Boolean(
        truthy={True}, falsy={False}, load_default=True, metadata={"description": "whether the whole map has its panel; a part has none"}
    )
    plan = fields.Boolean(
        truthy={True},
        falsy={False},
        load_default=False,
        metadata={"description": "whether movements and attacks are only planned: drawn hollow and in dashes"},
    )
    orders = fields.List(
        fields.Dict(),
        load_default=list,
        validate=validate.Length(max=MOST_ORDERS),
        metadata={"description": "orders of the view's side, drawn as planned after its events; needs plan"},
    )


class GridBody(GameBody):
    """Where the hexes lie on a turn map of the whole board without its panel."""

    scale = _scale(2400, " of that map")
    view = ViewField(
        allow_none=True,
        load_default=None,
        metadata={"type": ["object", "null"], "description": "the view of that map, whose stacks that are fanned out are asked for"},
    )


class GridAnswer(Schema):
    """Sizes in pixels of that map, from its upper left corner."""

    size = fields.List(fields.Integer(), required=True, metadata={"description": "width and height of the picture"})
    hex = fields.List(fields.Integer(), required=True, metadata={"description": "width and height of a hex, flat at top and bottom"})
    hexes = fields.Dict(required=True, metadata={"description": "hex number -> its centre, x and y"})
    trays = fields.Dict(
        metadata={
            "description": "hex number -> area (left, top, right, bottom) of the tray in which its stack is fanned out, and its counters: "
            "each with its number n among those of the view, from 0, and its area"
        }
    )


class TwoViewsBody(PictureBody):
    """A picture of what changed."""

    before = ViewField(required=True, metadata={"type": "object", "description": "the same side's view before the events of view"})
    crop = _crop("front")


class CompareBody(TwoViewsBody):
    """Two small maps side by side, before and after."""

    scale = _scale(1200, "")


class AnimationBody(TwoViewsBody):
    """A turn in motion."""

    scale = _scale(800, "", MOVING)
    format = fields.String(load_default="webp", validate=validate.OneOf(("webp", "gif")))
    limit = fields.Integer(
        strict=True,
        load_default=MOST_BYTES,
        validate=validate.Range(1, 16_000_000),
        metadata={"description": "bytes; frames are left out until it fits, at the last all but the turn map"},
    )
    frames = fields.Integer(
        strict=True,
        load_default=FRAMES,
        validate=validate.Range(2, FRAMES),
        metadata={"description": "pictures that it may have at most: fewer are made sooner"},
    )


class ModuleBody(GameBody):
    """A VASSAL module that is asked for: one for all scenarios of the game."""


class SaveBody(PictureBody):
    """A VASSAL save that is asked for."""

    secret = fields.String(
        required=True,
        validate=validate.Regexp(r"\A[0-9a-f]{64}\Z", error="Not 64 hex digits."),
        metadata={"description": "64 hex digits, the same for all files of a game: the ids of pieces are made from them"},
    )


class LogBody(SaveBody):
    """A VASSAL log that is asked for."""

    before = ViewField(required=True, metadata={"type": "object", "description": "the same side's view before the events of view"})


class SpecimenBody(Schema):
    """A sheet with samples of a game's pictures that is asked for."""

    game = fields.String(required=True, validate=validate.Length(1, 40))
    part = fields.String(required=True, validate=validate.Length(1, 20), metadata={"description": "terrain, counters or tracks"})
    theme = fields.String(load_default="light", validate=validate.Length(1, 20))
    scale = _scale(1600, "")


class StyledGame(Schema):
    """A game that can be drawn."""

    key = fields.String(required=True)
    title = fields.String(required=True)
    themes = fields.List(fields.String(), required=True)


class StylesAnswer(Schema):
    """The games that have style sheets."""

    games = fields.List(fields.Nested(StyledGame), required=True)
