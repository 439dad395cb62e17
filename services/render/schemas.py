"""What the render service's calls take."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from services.render.turn_map import LARGEST, SMALLEST
from services.render.views import View, read_view


class ViewField(fields.Field[View]):
    """One side's view, as ``POST /v1/views`` of the rules service gives it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> View:
        try:
            return read_view(value)
        except ValueError as fault:
            raise ValidationError(f"Not a view: {fault}.") from fault


class MapBody(Schema):
    """A turn map that is asked for. Unknown fields are refused."""

    scenario = fields.String(
        required=True,
        validate=validate.Regexp(
            r"\A[a-z][a-z0-9-]{0,40}/[a-z0-9][a-z0-9-]{0,40}\Z", error="Not a game and a scenario: holdfast/campaign-1."
        ),
        metadata={"description": "game and scenario: holdfast/campaign-1"},
    )
    view = ViewField(required=True, metadata={"type": "object", "description": "one side's view, with its events if there are any"})
    scale = fields.Integer(
        strict=True,
        load_default=2400,
        validate=validate.Range(SMALLEST, LARGEST),
        metadata={"description": "pixels on the longer side"},
    )
    theme = fields.String(
        load_default="light", validate=validate.Length(1, 20), metadata={"description": "a theme of the game's style sheet"}
    )
