"""The calls of the render service, under ``/v1``: load, draw, send. Nothing of a game is kept between calls but empty base boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Response

from scenarios.data import GameData
from scenarios.hexes import Hex
from services.http import Endpoints, Problem, invalid
from services.render.animation import render_animation
from services.render.caption import bar_height
from services.render.compare import render_compare
from services.render.draw.room import Area
from services.render.happened.plans import with_plans
from services.render.layout import lay_bare
from services.render.schemas import (
    AnimationBody,
    CompareBody,
    GridAnswer,
    GridBody,
    LogBody,
    MapBody,
    ModuleBody,
    SaveBody,
    SpecimenBody,
    StylesAnswer,
)
from services.render.specimens import PARTS
from services.render.style import has_style, style_sheet, styled, themes
from services.render.turn_map import Framing, render_map, tray_boxes
from services.render.vassal import log, module, module_version, save
from services.render.views import View

ZIP = "application/zip"
WHOLE_MAP, PART_OF_MAP = 2400, 1200
"""Pixels on the longer side of a turn map, if nothing else is asked for."""


def render_api(games: Mapping[str, GameData]) -> Endpoints:
    """The blueprint of the render service for ``games``."""
    api = Endpoints("render", __name__, url_prefix="/v1", description="Pictures of a game, from one side's view of it")

    @api.call("POST", "/maps", takes=MapBody, content_type="image/png")
    def maps(body: Mapping[str, Any]) -> Response:
        """The turn map of one side's view, or a part of it, as PNG."""
        return Response(draw(games, body), mimetype="image/png")

    @api.call("POST", "/grids", takes=GridBody, gives=GridAnswer)
    def grids(body: Mapping[str, Any]) -> Any:
        """Where the hexes, and the boxes of stacks that are fanned out, lie on the turn map of the whole board without its panel (``POST
        /maps`` with ``panel`` false)."""
        return grid(games, body)

    @api.call("POST", "/compares", takes=CompareBody, content_type="image/png")
    def compares(body: Mapping[str, Any]) -> Response:
        """Two small maps of where fighting and movement took place, before and after, as PNG."""
        return Response(compare(games, body), mimetype="image/png")

    @api.call("POST", "/animations", takes=AnimationBody, content_type="image/webp")
    def animations(body: Mapping[str, Any]) -> Response:
        """The turn in motion, as WebP or GIF."""
        return Response(animate(games, body), mimetype=f"image/{body['format']}")

    @api.call("POST", "/specimens", takes=SpecimenBody, content_type="image/png")
    def specimens(body: Mapping[str, Any]) -> Response:
        """A sheet with samples of a game's terrain, counters or tracks, as PNG."""
        return Response(specimen(body), mimetype="image/png")

    @api.call("POST", "/modules", takes=ModuleBody, content_type=ZIP)
    def modules(body: Mapping[str, Any]) -> Response:
        """The VASSAL module of a game."""
        return vassal(games, body, lambda data: module(data, body["theme"]))

    @api.call("POST", "/saves", takes=SaveBody, content_type=ZIP)
    def saves(body: Mapping[str, Any]) -> Response:
        """One side's view as a VASSAL save."""
        return vassal(games, body, lambda data: save(data, body["view"], secret=body["secret"], theme=body["theme"]))

    @api.call("POST", "/logs", takes=LogBody, content_type=ZIP)
    def logs(body: Mapping[str, Any]) -> Response:
        """A turn as one side may know it, as a VASSAL log."""
        return vassal(games, body, lambda data: log(data, body["before"], body["view"], secret=body["secret"], theme=body["theme"]))

    @api.call("GET", "/styles", gives=StylesAnswer)
    def styles() -> Any:
        """The games that have style sheets, and the themes of each."""
        return {
            "games": [{"key": key, "title": style_sheet(key, themes(key)[0]).style.board.title, "themes": themes(key)} for key in styled()]
        }

    return api


def draw(games: Mapping[str, GameData], body: Mapping[str, Any]) -> bytes:
    """A turn map. Problem 404 for an unknown game or scenario, 422 for a view of another one, an unknown theme, a part that is not on the
    board, orders without a plan, or too large a picture."""
    data, framing = _checked(games, body)
    framing = Framing(framing.crop, body["panel"] and framing.crop is None, body["plan"])
    if body["orders"] and not body["plan"]:
        raise invalid(["Orders are drawn where plan is true; events where it is not."], "#/orders")
    view = with_plans(body["view"], body["orders"])
    scale = body["scale"] or (WHOLE_MAP if framing.crop is None else PART_OF_MAP)
    return _drawn(lambda: render_map(data, view, scale=scale, theme=body["theme"], framing=framing))


def grid(games: Mapping[str, GameData], body: Mapping[str, Any]) -> dict[str, Any]:
    """Where the hexes lie, and with a view its trays. Problems as ``draw``."""
    data = _game(games, body)
    board = data.board
    try:
        layout = lay_bare(board, body["scale"])
    except ValueError as fault:
        raise invalid([_sentence(fault)], "#/scale") from fault
    at, (wide, high) = layout.lattice, layout.map_size
    hexes = {str(one): list(at.centre(one)) for one in sorted(board.terrain)}
    found = {"size": [wide, high + bar_height(body["scale"])], "hex": [2 * at.radius, at.row], "hexes": hexes}
    return found if body["view"] is None else found | {"trays": _trays(data, body)}


def _trays(data: GameData, body: Mapping[str, Any]) -> dict[str, Any]:
    try:
        found = tray_boxes(data, body["view"], scale=body["scale"], theme=body["theme"])
    except ValueError as fault:
        raise invalid([_sentence(fault)], "#/scale") from fault
    return {
        str(at): {"area": _whole(one.tray), "counters": [{"n": number, "area": _whole(box)} for number, box in one.counters]}
        for at, one in sorted(found.items())
    }


def _whole(area: Area) -> list[int]:
    return [round(part) for part in area]


def compare(games: Mapping[str, GameData], body: Mapping[str, Any]) -> bytes:
    """Before and after. Problems as ``draw``, and 422 where the two views are not of the same side."""
    data, framing = _checked(games, body)
    return _drawn(lambda: render_compare(data, body["before"], body["view"], scale=body["scale"], theme=body["theme"], framing=framing))


def animate(games: Mapping[str, GameData], body: Mapping[str, Any]) -> bytes:
    """A turn in motion. Problems as ``compare``."""
    data, framing = _checked(games, body)
    how = {"form": body["format"], "scale": body["scale"], "theme": body["theme"], "framing": framing}
    how |= {"limit": body["limit"], "most": body["frames"]}
    return _drawn(lambda: render_animation(data, body["before"], body["view"], **how))


def vassal(games: Mapping[str, GameData], body: Mapping[str, Any], make: Callable[[GameData], bytes]) -> Response:
    """A VASSAL file, with the version of the module that it is or needs in ``X-Module-Version``. Problem 404 for an unknown game or
    scenario, 422 for an unknown theme, a view of another game or scenario, or one that does not fit the game."""
    data = _game(games, body)
    try:
        made, version = make(data), module_version(data, body["theme"])
    except ValueError as fault:
        raise invalid([_sentence(fault)], "#/view" if "view" in body else "#/scenario") from fault
    return Response(made, mimetype=ZIP, headers={"X-Module-Version": version})


def specimen(body: Mapping[str, Any]) -> bytes:
    """A sheet of samples. Problem 404 for a game without style sheet or a part that has no samples, 422 for an unknown theme."""
    game = body["game"]
    if not has_style(game):
        raise Problem(404, "unknown-game", f"There are no pictures of a game {game!r}.")
    if body["part"] not in PARTS:
        raise Problem(404, "unknown-part", f"There are no samples of {body['part']!r}; there are of: {', '.join(PARTS)}.")
    _check_theme(game, body["theme"])
    return _drawn(lambda: PARTS[body["part"]](game, body["theme"], body["scale"]))


def _drawn(make: Callable[[], bytes]) -> bytes:
    """A picture; its ValueError, that it is too large or too small, as a problem."""
    try:
        return make()
    except ValueError as fault:
        raise invalid([_sentence(fault)], "#/scale") from fault


def _sentence(fault: ValueError) -> str:
    return f"{str(fault)[:1].upper()}{str(fault)[1:]}."


def _checked(games: Mapping[str, GameData], body: Mapping[str, Any]) -> tuple[GameData, Framing]:
    """The game of a request and the part of its map, once all its fields agree with each other."""
    data = _game(games, body)
    if isinstance(body["crop"], tuple):
        _check_crop(body["crop"], data)
    return data, Framing(body["crop"], panel=False)


def _game(games: Mapping[str, GameData], body: Mapping[str, Any]) -> GameData:
    """The game of a request, once its views are of it and its theme is there."""
    game, scenario = body["scenario"].split("/")
    data = games.get(game)
    if data is None or not has_style(game):
        raise Problem(404, "unknown-game", f"There is no map of a game {game!r}.")
    if scenario not in data.scenarios:
        raise Problem(404, "unknown-scenario", f"{data.title} has no scenario {scenario!r}; it has: {', '.join(sorted(data.scenarios))}.")
    for field in ("view", "before"):
        if body.get(field) is not None:
            _check_view(body[field], game, scenario, field)
    if "before" in body and body["before"].side != body["view"].side:
        raise invalid(["The view before is another side's."], "#/before/side")
    _check_theme(game, body["theme"])
    return data


def _check_view(view: View, game: str, scenario: str, field: str) -> None:
    if view.game != game:
        raise invalid([f"The view is of another game: {view.game}."], f"#/{field}/game")
    if view.scenario != scenario:
        raise invalid([f"The view is of another scenario: {view.scenario}."], f"#/{field}/scenario")


def _check_theme(game: str, theme: str) -> None:
    if theme not in themes(game):
        raise invalid([f"There is no such theme; there are: {', '.join(themes(game))}."], "#/theme")


def _check_crop(crop: tuple[Hex, Hex], data: GameData) -> None:
    for at in crop:
        if not (1 <= at.col <= data.board.columns and 1 <= at.row <= data.board.rows):
            raise invalid([f"The map has no hex {at}; it ends at {Hex(data.board.columns, data.board.rows)}."], "#/crop")
