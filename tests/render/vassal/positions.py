"""The modules of the games that are played, and positions to write files of: set-ups, and moments of games that the adjutant played, from
every viewer."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from scenarios.data import GameData
from scenarios.loader import load_game
from services.render.style import Sheet, style_sheet
from services.render.vassal import module
from services.render.views import View, read_view
from tests.render.vassal.modules import Module, read_module
from worker import local
from worker.desk.selfplay import play_into
from worker.ports import Rules

GAMES = ("holdfast", "beda-fomm", "race-for-tunis", "fall-of-tobruk")
SCENARIOS = (
    *("holdfast/campaign-1", "holdfast/campaign-2", "beda-fomm/historical"),
    *("race-for-tunis/standard", "race-for-tunis/early-start", "race-for-tunis/extended", "race-for-tunis/eilbote"),
    "fall-of-tobruk/gazala",
)
PLAYED = (
    ("holdfast/campaign-1", 1, ()),
    ("beda-fomm/historical", 2, ()),
    ("race-for-tunis/early-start", 1, ("air=true",)),
    ("fall-of-tobruk/gazala", 1, ()),
)
"""Scenarios that are played, how many game-turns of each, and with which options."""
MOST_PACKETS = 10
"""So many packets of a game are looked at, at most."""
SECRET = "5c" * 32


@cache
def package(game: str) -> GameData:
    return load_game(None, game)


@cache
def sheet(game: str) -> Sheet:
    return style_sheet(game, "light")


@cache
def module_of(game: str) -> Module:
    """The module of a game as VASSAL reads it."""
    return read_module(module(package(game)))


@cache
def rules() -> Rules:
    return local.local_rules()


@dataclass(frozen=True)
class Step:
    """A packet of a played game: the state before it, what it led to, and the events."""

    scenario: str
    number: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    events: list[Any]

    @property
    def game(self) -> str:
        return self.scenario.partition("/")[0]

    def views(self, side: str | None) -> tuple[View, View]:
        """What a side sees before, and after with the events."""
        return seen(self.before, side), seen(self.after, side, self.events)


@cache
def start(scenario: str) -> Mapping[str, Any]:
    """The first state of a scenario."""
    return dict(rules().new_state(scenario, {}, "2a" * 32)["state"])


@cache
def played() -> list[Step]:
    """Short games by a fixed seed, packet by packet."""
    found = []
    for scenario, turns, options in PLAYED:
        with tempfile.TemporaryDirectory() as room:
            play_into(Path(room) / "game", scenario, "07", options, turns, maps=False)
            outcomes = [json.loads(one.read_bytes()) for one in sorted((Path(room) / "game" / "outcomes").glob("*.json"))]
        for number, (before, after) in enumerate(pairwise(outcomes[: MOST_PACKETS + 1]), start=1):
            found.append(Step(scenario, number, before["state"], after["state"], after["events"]))
    return found


def viewers(game: str) -> tuple[str | None, ...]:
    """Both sides, and a spectator."""
    return (*package(game).sides, None)


def raw_view(state: Mapping[str, Any], side: str | None, events: list[Any] | None = None) -> dict[str, Any]:
    return dict(rules().view(dict(state), side, events))


def seen(state: Mapping[str, Any], side: str | None, events: list[Any] | None = None) -> View:
    """A state as a viewer sees it."""
    return read_view(raw_view(state, side, events))


@cache
def positions() -> list[tuple[str, View]]:
    """Every set-up and every third state of the played games, from every viewer."""
    return list(_positions())


def _positions() -> Iterator[tuple[str, View]]:
    for scenario in SCENARIOS:
        for side in viewers(scenario.partition("/")[0]):
            yield f"{scenario} {side}", seen(start(scenario), side)
    for step in played():
        if step.number % 3 == 0:
            for side in viewers(step.game):
                yield f"{step.scenario} packet {step.number} {side}", seen(step.after, side)
