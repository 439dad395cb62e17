"""14. Set-up: the game laid out by the lists of its scenario; and what a scenario says of its dates (18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.data import GameData, ScenarioData
from scenarios.hexes import parse_hex
from services.rules.engine.model import Counter, GameState, Json
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.state import AIR_BOX, COMPONENT, OFF


def new_game(data: GameData, scenario: ScenarioData, options: Mapping[str, Json], hidden: str) -> GameState:
    """The position before the first step: nothing is set up by orders."""
    own: dict[str, Json] = {
        "places": {at: side for side in data.sides for at in scenario.tables["control"][side]},
        "rp": 0,
        "weather": "clear",  # 17.4.C
        "blown": [],
        "worked": [],
        "moving": "",
        "ports": {name: {"lost": False, "limit": None} for name in data.charts["ports"]},
        "diverted": {},
        "limits": {},
        "air": {unit: {"state": "ready", "hex": None, "back": None} for unit in _aircraft(data, scenario, options)},
        "engaged": [],
        "french": {"free": variant(data, scenario.key)["french"] == "free", "attacked": False},  # 18.1.7.A
        "battles": [],
        "silenced": [],
        "fires": [],
        "landers": {},
        "dropped": [],
    }
    counters = dict(_counters(data, scenario, options))
    return GameState(data.key, scenario.key, data.digest, dict(options), (), counters, own, hidden)


def _counters(data: GameData, scenario: ScenarioData, options: Mapping[str, Json]) -> Iterator[tuple[str, Counter]]:
    """The units of the scenario; those that its lists do not name stay out of the game (14.0.A-6)."""

    def one(unit: str, place: Any, **num: int) -> tuple[str, Counter]:
        return unit, Counter(unit, data.cards[unit].side, unit, place, num=num)

    named = set()
    for row in scenario.tables["setup"]:
        for unit in row["units"]:  # 14.0.B
            named.add(unit)
            yield one(unit, parse_hex(row["hex"]))
    for row in scenario.tables["arrivals"]:
        for unit in row["units"]:  # 14.0.C
            named.add(unit)
            yield one(unit, OFF, due=turn_of(data, scenario, row["turn"]))
    for unit in _aircraft(data, scenario, options):
        yield one(unit, AIR_BOX)
    for row in data.charts["companies"]:  # 11.2.A-3: the counters that stand in for those named
        parts = {row["battalion"], *row["companies"]}
        if parts & named:
            yield from (one(unit, COMPONENT) for unit in sorted(parts - named))


def _aircraft(data: GameData, scenario: ScenarioData, options: Mapping[str, Json]) -> tuple[str, ...]:
    """The air units of the game: none if they are not played with (17.2)."""
    if not options["air"]:
        return ()
    return tuple(unit for side in data.sides for unit in scenario.tables["available"][side])  # 17.2.A-1 18.1.B-1


# -- what a scenario says --------------------------------------------------------------------------------------------------------


def scenario_of(table: Table) -> ScenarioData:
    """The scenario that is played."""
    return table.data.scenarios[table.before.scenario]


def variant(data: GameData, scenario: str) -> Mapping[str, Any]:
    """What is special to a scenario: whether the Axis plays in the first game-turn, whether the French are restricted, how it is won."""
    found: Mapping[str, Any] = next(row for row in data.charts["variants"] if row["scenario"] == scenario)
    return found


def turn_of(data: GameData, scenario: ScenarioData, date: str) -> int:
    """The game-turn of a date, counted from the scenario's first (RT-54)."""
    return data.turns.index(date) + 2 - scenario.first_turn


def date(table: Table) -> str:
    """The date of this game-turn."""
    return table.data.turns[scenario_of(table).first_turn - 2 + table.turn]


def last_turn(table: Table) -> int:
    """The last game-turn; of the extended game, by option (18.2, RT-60)."""
    scenario = scenario_of(table)
    if scenario.key == "extended":
        return turn_of(table.data, scenario, str(table.options["extended_end"]))  # 18.2-3
    return scenario.last_turn + 1 - scenario.first_turn


def by_date(table: Table, chart: str) -> Mapping[str, Any]:
    """The row of a chart in force at the date of this game-turn: the last whose ``from`` it has reached."""
    turns = table.data.turns
    today = turns.index(date(table))
    rows: list[Mapping[str, Any]] = [row for row in table.data.charts[chart] if turns.index(row["from"]) <= today]
    return rows[-1]


def axis_plays(table: Table) -> bool:
    """Whether the Axis has a player-turn in this game-turn: in the standard and the extended game not in the first (15.0)."""
    return table.turn > 1 or variant(table.data, table.before.scenario)["axis_on_turn_1"] == "yes"  # 15.0-1 15.0-2
