"""The rules service as a Flask application."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from flask import Flask

from services.http import create_service
from services.rules.api import rules_api
from services.rules.config import Config
from services.rules.engine.module import GameModule
from services.rules.registry import load_games


def create_app(config: Config, games: Mapping[str, GameModule] | None = None) -> Flask:
    """The service. ``games``: what it plays (None: all that hexpost has, which may raise DataError)."""
    played = load_games(overlays=config.overlays) if games is None else games
    blueprint = rules_api(played)
    return create_service("hexpost rules", version("hexpost"), [blueprint], ready=list, max_body=config.max_body, token=config.token)
