"""Setting Up the Game: charted units in their hexes, the others in their boxes; and the calendar. Placing by orders: ``placement``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.data import GameData, ScenarioData
from scenarios.hexes import parse_hex
from services.rules.engine.model import Counter, GameState, Json
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.state import COMPONENT, OFF, SET_UP


def new_game(data: GameData, scenario: ScenarioData, options: Mapping[str, Json], hidden: str) -> GameState:
    """The position before the first step: charted units stand, the others wait in their boxes."""
    own: dict[str, Json] = {
        "wrecks": [],
        "reserve": {row["model"]: int(row["stock"]) for row in data.charts["reserve"]},  # reserve.1
        "opened": [],
        "gaps": [],
        "engaged": [],
        "shelled": [],
        "snapshot": {},
        "shots": [],
        "attacks": [],
        "freed": "",
        "tobruk": next(side for side in data.sides if scenario.tables["control"].get(side)),
        "exits": {"tanks": 0, "infantry": 0, "artillery": 0},
        "committed": 0,
    }
    return GameState(data.key, scenario.key, data.digest, dict(options), (), dict(_counters(data, scenario)), own, hidden)


def _counters(data: GameData, scenario: ScenarioData) -> Iterator[tuple[str, Counter]]:
    """The units of the scenario; a counter that its lists do not name is not in the game."""

    def one(unit: str, place: Any, **num: int) -> tuple[str, Counter]:
        return unit, Counter(unit, data.cards[unit].side, unit, place, num=num)

    for row in scenario.tables["setup"]:
        yield from (one(unit, parse_hex(row["hex"])) for unit in row["units"])  # setup.4 setup.14
    for row in scenario.tables.get("placements", ()):
        yield from (one(unit, SET_UP) for unit in row["units"])  # setup.12 setup.13
    for row in scenario.tables.get("arrivals", ()):
        yield from (one(unit, OFF, due=turn_of(data, scenario, row["turn"])) for unit in row["units"])  # new.8
    for side in data.sides:
        yield from (one(unit, COMPONENT) for unit in scenario.tables.get("available", {}).get(side, ()))  # setup.2


# -- what a scenario says --------------------------------------------------------------------------------------------------------


def scenario_of(table: Table) -> ScenarioData:
    """The scenario that is played."""
    return table.data.scenarios[table.before.scenario]


def turn_of(data: GameData, scenario: ScenarioData, label: str) -> int:
    """The game-turn of a date of the turn record (calendar.1)."""
    return data.turns.index(label) + 2 - scenario.first_turn


def date(table: Table) -> str:
    """The date of this game-turn."""
    return table.data.turns[scenario_of(table).first_turn + table.turn - 2]


def last_turn(table: Table) -> int:
    """The game-turn that ends the game: that of the option (FT-57)."""
    return turn_of(table.data, scenario_of(table), str(table.options["last_day"]))
