"""Set Up, 15 and 16: a campaign laid out as its charts say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.data import GameData, ScenarioData
from scenarios.hexes import Hex, Place, parse_hex
from services.rules.engine.dice import hidden_shuffle
from services.rules.engine.model import Counter, GameState, Json, Side
from services.rules.games.holdfast.state import OFF, PREFIX, pool


def new_game(data: GameData, scenario: ScenarioData, options: Mapping[str, Json], hidden: str) -> GameState:
    """The position before the first step. ``hidden`` keys the draw that deals the blocks of one hex their aliases."""
    tables = scenario.tables
    counters = dict(_counters(data, scenario, options))
    first = data.turns[scenario.first_turn - 1]
    blocks, following, seen = _blocks(tables, hidden, counters, first)
    own: dict[str, Json] = {
        "month": first,  # 15a 16a
        "weather": None,
        "rp": dict.fromkeys(data.sides, 0),
        "spent": dict.fromkeys(data.sides, 0),
        "malta": {},
        "air": {side: dict.fromkeys(tables["air"][side], "free") for side in data.sides},  # setup.4 15g 16f 16o
        "leader": {side: {name: {"move": False, "attack": False} for name in tables["leaders"][side]} for side in data.sides},
        "control": {at: side for side in data.sides for at in tables["control"][side]},  # control.1
        "stepped": {},
        "blocks": blocks,
        "next_alias": following,
        "seen": seen,
    }
    return GameState(data.key, scenario.key, data.digest, dict(options), (), counters, own, hidden)


def arrivals_in_force(scenario: ScenarioData, options: Mapping[str, Json]) -> tuple[Mapping[str, Any], ...]:
    """The rows of the arrival table that count in this game."""
    return tuple(row for row in scenario.tables["arrivals"] if "option" not in row or options.get(row["option"]))


def _counters(data: GameData, scenario: ScenarioData, options: Mapping[str, Json]) -> Iterator[tuple[str, Counter]]:
    tables = scenario.tables

    def unit(name: str, place: Place, sp: int | None, **num: int) -> tuple[str, Counter]:
        card = data.cards[name]
        strength = int(card.values["max_sp"]) if sp is None else sp  # setup.2 15c reinf.4
        return name, Counter(name, card.side, name, place, num={"sp": strength, **num})

    for row in tables["setup"]:
        for name in row["units"]:
            yield unit(name, parse_hex(row["hex"]), row.get("sp"))  # setup.1
    for side in data.sides:
        for name in tables["pool"][side]:
            yield unit(name, pool(side), 0)  # 16g 16p
    for row in arrivals_in_force(scenario, options):
        for name in row.get("units", ()):
            yield unit(name, OFF, None, due=data.turns.index(row["turn"]) + 2 - scenario.first_turn)  # 15d 16c


def _blocks(
    tables: Mapping[str, Any], hidden: str, counters: Mapping[str, Counter], month: str
) -> tuple[dict[str, str], dict[Side, int], dict[str, Json]]:
    """Aliases in the order of the set-up, those of one hex shuffled; a hex that the chart fills with one unit shows which it is."""
    blocks: dict[str, str] = {}
    following: dict[Side, int] = {"axis": 1, "allied": 1}
    seen: dict[str, Json] = {}
    by_hex: dict[Hex, list[str]] = {}
    for name, counter in counters.items():
        if isinstance(counter.place, Hex):
            by_hex.setdefault(counter.place, []).append(name)
    for at, names in by_hex.items():
        side = counters[names[0]].side
        for name in hidden_shuffle(hidden, ["set-up", str(at), side], names):
            alias = f"{PREFIX[side]}{following[side]}"
            following[side] += 1
            blocks[alias] = name
            if len(names) == 1:
                seen[alias] = {"unit": name, "sp": counters[name].num["sp"], "month": month}
    return blocks, following, seen
