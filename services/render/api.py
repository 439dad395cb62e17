"""The calls of the render service, under ``/v1``: load, draw, send. Nothing of a game is kept between calls but empty base boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from scenarios.data import GameData
from services.http import Endpoints, Problem, invalid
from services.render.schemas import MapBody
from services.render.style import has_style, themes
from services.render.turn_map import render_map
from services.render.views import View


def render_api(games: Mapping[str, GameData]) -> Endpoints:
    """The blueprint of the render service for ``games``."""
    api = Endpoints("render", __name__, url_prefix="/v1", description="Pictures of a game, from one side's view of it")

    @api.call("POST", "/maps", takes=MapBody, content_type="image/png")
    def maps(body: Mapping[str, Any]) -> Response:
        """The turn map of one side's view, as PNG."""
        return Response(draw(games, body), mimetype="image/png")

    return api


def draw(games: Mapping[str, GameData], body: Mapping[str, Any]) -> bytes:
    """A turn map. Problem 404 for an unknown game or scenario, 422 for a view of another one, an unknown theme or too large a picture."""
    game, scenario = body["scenario"].split("/")
    data, view, theme = games.get(game), body["view"], body["theme"]
    if data is None or not has_style(game):
        raise Problem(404, "unknown-game", f"There is no map of a game {game!r}.")
    if scenario not in data.scenarios:
        raise Problem(404, "unknown-scenario", f"{data.title} has no scenario {scenario!r}; it has: {', '.join(sorted(data.scenarios))}.")
    _check_view(view, game, scenario)
    if theme not in themes(game):
        raise invalid([f"There is no such theme; there are: {', '.join(themes(game))}."], "#/theme")
    try:
        return render_map(data, view, scale=body["scale"], theme=theme)
    except ValueError as fault:
        raise invalid([f"{str(fault)[:1].upper()}{str(fault)[1:]}."], "#/scale") from fault


def _check_view(view: View, game: str, scenario: str) -> None:
    if view.game != game:
        raise invalid([f"The view is of another game: {view.game}."], "#/view/game")
    if view.scenario != scenario:
        raise invalid([f"The view is of another scenario: {view.scenario}."], "#/view/scenario")
