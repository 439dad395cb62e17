"""The games that this server plays: the only place that names them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scenarios import loader
from services.rules.engine.module import GameModule
from services.rules.games import beda_fomm, fall_of_tobruk, holdfast, race_for_tunis

_BUILD = {
    "beda-fomm": beda_fomm.build,
    "fall-of-tobruk": fall_of_tobruk.build,
    "holdfast": holdfast.build,
    "race-for-tunis": race_for_tunis.build,
}


def load_games(root: Path | None = None, overlays: Path | None = None) -> Mapping[str, GameModule]:
    """Every game by its key, its package read and checked. ``root``: the folder of packages (None: those that come with hexpost).
    ``overlays``: the folder of an owner's overlays.

    DataError, all faults listed, if a package is bad: a service with bad data must not start.
    """
    found = loader.load_games(root, overlays)
    return {key: build(found[key]) for key, build in _BUILD.items()}
