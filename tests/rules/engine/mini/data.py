"""Board, counters and options of the test-only game."""

from __future__ import annotations

from fractions import Fraction

from scenarios.data import Board, Card, GameData, OptionSpec, ScenarioData
from scenarios.hexes import Hex, Hexside

FLAG = Hex(8, 3)
ENTRY = Hex(1, 3)
ALLOWANCE = Fraction(7, 2)
CLIFF = Hexside(Hex(4, 2), Hex(4, 3))  # upper hex first


def board() -> Board:
    terrain = {Hex(c, r): "clear" for c in range(1, 9) for r in range(1, 7)}
    road = frozenset({Hexside(Hex(1, 3), Hex(2, 3)), Hexside(Hex(2, 3), Hex(3, 3)), Hexside(Hex(3, 3), Hex(4, 3))})
    return Board(8, 6, terrain, frozenset(), {}, {"cliff": frozenset({CLIFF})}, frozenset({"cliff"}), {"road": road}, {"FLAG": FLAG}, {})


def data(tempo: str = "normal") -> GameData:
    sides = {"R1": 5, "R2": 3, "R3": 2, "RG": 4, "RG-1": 2, "RG-2": 2}, {"B1": 4, "B2": 2, "B3": 3}
    cards = {
        unit: Card(unit, side, unit, "unit", side, {"cf": cf})
        for side, mix in zip(("red", "blue"), sides, strict=True)
        for unit, cf in mix.items()
    }
    options = {"tempo": OptionSpec("tempo", ("normal", "full", "blitz"), tempo, "", "")}
    scenario = ScenarioData("one", "One", 1, 3, {})
    return GameData("mini", "Mini", "1", ("red", "blue"), {}, board(), cards, {}, {"one": scenario}, options, ("1", "2", "3"), {}, "0" * 64)
