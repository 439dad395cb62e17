"""The render service as a Flask application."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from flask import Flask

from scenarios.data import GameData
from scenarios.loader import load_games
from services.http import create_service
from services.render.api import render_api
from services.render.board.art import check_art
from services.render.config import Config
from services.render.draw.lettering import load_fonts
from services.render.style import load_styles


def create_app(config: Config, games: Mapping[str, GameData] | None = None) -> Flask:
    """The service. ``games``: whose maps it draws (None: all that hexpost has, which may raise DataError).

    Style sheets and fonts are read here and never again, and map art is tried. ValueError, naming the file, if one is at fault.
    """
    load_styles()
    load_fonts()
    drawn = load_games(overlays=config.overlays) if games is None else games
    check_art(drawn)
    blueprint = render_api(drawn)
    return create_service("hexpost render", version("hexpost"), [blueprint], ready=list, max_body=config.max_body, token=config.token)
