"""Where the schemas of one game are found: the module here that bears its name (``schemas.holdfast``)."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from marshmallow import Schema

from scenarios.data import GameData
from services.rules.engine.model import GameState
from services.rules.schemas.verbs import COMMON


@dataclass(frozen=True, slots=True)
class GameSchemas:
    """``verbs``: verb -> schema of its arguments, the common ones among them.  ``own``: the type of the state's ``own``.
    ``frames``: kind of work -> the type of its arguments on the agenda.
    ``contexts``: kind of decision -> the type of its context.  ``check``: further faults of a well-formed state, placed."""

    verbs: Mapping[str, type[Schema]]
    own: type[msgspec.Struct]
    frames: Mapping[str, type[msgspec.Struct]]
    contexts: Mapping[str, type[msgspec.Struct]]
    check: Callable[[GameState, GameData], dict[str, Any]]


def schemas_of(game: str) -> GameSchemas:
    """The schemas of a game, from the names in capitals, ``Own`` and ``check`` of its module. ModuleNotFoundError if it has none."""
    module: Any = importlib.import_module(f"services.rules.schemas.{game.replace('-', '_')}")
    return GameSchemas({**COMMON, **module.VERBS}, module.Own, module.FRAMES, module.CONTEXTS, module.check)
