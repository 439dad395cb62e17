"""Race for Tunis's charts and options, as printed and within what the rulebook says of what it does not print."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from scenarios.data import GameData
from scenarios.loader import load_game

ODDS = ["1:5", "1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1"]
WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
WORTH = {
    "AE": -4,
    "AR3": -2.5,
    "AR2": -2,
    "AR1": -1.5,
    "Con": -0.5,
    "Eng": 0,
    "Ex": 0.5,
    "DR1": 1,
    "DR2": 1.75,
    "DR3": 2.5,
    "DR4": 3,
    "DE": 4,
}
"""What a result is worth to the attacker; an exchange at 1:2 is -2."""


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "race-for-tunis")


def ways(game: GameData, column: str, *results: str) -> int:
    """In how many of the 36 rolls a column gives one of the results."""
    return sum(WAYS[row["roll"]] for row in game.charts["combat"] if row[column] in results)


# -- combat results ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "2.4-1")
def test_every_chart_that_the_cards_have_is_there(game: GameData) -> None:
    assert [row["roll"] for row in game.charts["combat"]] == list(range(2, 13))
    assert [column for column in game.charts["combat"][0] if column != "roll"] == ODDS
    assert {row[column] for row in game.charts["combat"] for column in ODDS} == set(WORTH)
    assert len(game.turns) == 14 + 24 + 7
    assert game.charts.keys() >= {"terrain", "weather", "weather_drm", "victory"}
    assert game.sources["combat"] == "reconstructed"


def test_cells_that_are_known_stand_as_they_are(game: GameData) -> None:
    rows = {row["roll"]: [row[column] for column in ODDS] for row in game.charts["combat"]}
    assert rows[2] == ["AE", "AE", "AE", "DR1", "AE", "AE", "AE", "Ex", "Eng", "DE", "DE", "Con"]
    assert rows[3][:4] == ["AE", "AE", "AE", "Con"]


def test_higher_odds_are_better_and_surprises_lie_at_the_ends(game: GameData) -> None:
    worth = []
    for column in ODDS:
        cells = {row["roll"]: row[column] for row in game.charts["combat"]}
        worth.append(sum(WAYS[roll] * (-2 if (result, column) == ("Ex", "1:2") else WORTH[result]) for roll, result in cells.items()) / 36)
    assert worth == sorted(worth)
    assert len(set(worth)) == 12
    eliminated = [ways(game, column, "AE") for column in ODDS]
    taken = [ways(game, column, "DE") for column in ODDS]
    assert eliminated == [25, 21, 13, 8, 1, 1, 1, 0, 0, 0, 0, 0]
    assert taken == [0, 0, 0, 0, 1, 1, 2, 2, 5, 7, 20, 28]
    assert next(column for column in ODDS if ways(game, column, "Ex")) == "1:2"
    assert ways(game, "1:3", "DR1", "DR2") == 3
    assert ways(game, "3:1", "AE", "AR1", "AR2") == 4
    # who wants to go far attacks at about 6:1
    far = {column: ways(game, column, "DR3", "DR4") for column in ODDS}
    assert max(far, key=lambda column: far[column]) == "6:1"
    assert far["6:1"] == 20


# -- terrain and costs -------------------------------------------------------------------------------------------------------------


def test_the_terrain_chart_has_what_the_rulebook_tells_of_it(game: GameData) -> None:
    chart, half = game.charts["terrain"], Fraction(1, 2)
    assert chart.keys() == {"clear", "city", "high-ground", "rugged-crest", "swamp", "wadi", "road", "dirt-road", "cliff"}
    assert {kind: chart[kind]["mp"] for kind in ("clear", "road", "dirt-road", "rugged-crest", "wadi", "cliff")} == {
        "clear": 1,
        "road": half,
        "dirt-road": half,
        "rugged-crest": 4,
        "wadi": 2,
        "cliff": "bar",
    }
    # more than 1 each: a unit of MA 3 cannot retreat three hexes through one of them (9.2.C-EX2)
    assert all(chart[kind]["mp"] > 1 for kind in ("swamp", "high-ground", "rugged-crest", "wadi"))
    assert (chart["clear"]["rain_mp"], chart["wadi"]["rain_mp"], chart["dirt-road"]["rain_mp"]) == (2, 3, "none")
    assert chart["road"]["rain_mp"] == half
    assert {kind for kind, row in chart.items() if row["heavy"] == "bar"} == {"swamp", "rugged-crest", "cliff"}
    assert {kind: row["elevation"] for kind, row in chart.items() if row["elevation"]} == {"high-ground": 1, "rugged-crest": 2}
    assert {kind for kind, row in chart.items() if row["defence"] == 2} == {"city"}
    assert {kind: row["leaving"] for kind, row in chart.items() if row["leaving"] != 1} == {"wadi": half}


def test_costs_that_are_printed(game: GameData) -> None:
    costs = game.charts["costs"]
    assert (costs["zoc"]["axis"], costs["zoc"]["allied"], costs["mountaineer"]["mp"]) == (1, 2, 1)
    assert (costs["bridge"]["blow"], costs["bridge"]["mend"], costs["bridged"]["mp"]) == (2, 4, 1)
    assert (costs["stacking"]["units"], costs["stacking"]["maneuver"], costs["stacking"]["company"]) == (4, 3, Fraction(1, 3))
    # an Axis unit into a rugged crest under a ZOC, and the way round Djebel Mansour
    assert game.charts["terrain"]["rugged-crest"]["mp"] + costs["zoc"]["axis"] == 5
    way = [game.charts["terrain"][game.board.terrain[at]]["mp"] for at in map(game_hex, ("1811", "1812", "1713", "1714"))]
    assert sum(way) + 3 * costs["zoc"]["axis"] == 8
    assert costs["combat"]["uphill"] * costs["combat"]["leaving_wadi"] == costs["combat"]["floor"] == costs["combat"]["up_cliff"]


def game_hex(text: str) -> Any:
    return (int(text[:2]), int(text[2:]))


# -- victory -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "16.0.A-3", "16.0.A-4", "16.0.A-5", "16.0.A-6")
def test_places_that_score(game: GameData) -> None:
    worth: dict[int, set[str]] = {}
    for row in game.charts["objectives"].values():
        if row["when"] == "always":
            worth.setdefault(row["vp"], set()).add(row["label"])
    assert worth == {
        1: {"Medjez el Bab", "Robaa", "Pont du Fahs", "Teboursouk"},
        2: {"Kairouan", "Mateur", "Tebourba"},
        3: {"Bizerta", "Le Kef", "Enfidaville"},
        4: {"Tunis"},
    }
    assert sum(vp * len(places) for vp, places in worth.items()) == 23
    for row in game.charts["objectives"].values():
        assert str(game.board.names[row["label"].upper()]) == row["hex"]
        assert game.board.marked("held", game.board.names[row["label"].upper()])


def test_five_more_in_eilbote(game: GameData) -> None:
    extra = {row["hex"]: row["vp"] for row in game.charts["objectives"].values() if row["when"] == "eilbote"}
    assert extra == dict.fromkeys(("1813", "1810", "2208", "2109", "2011"), 1)


@pytest.mark.parametrize(
    ("points", "winner", "level"),
    [
        pytest.param((0, 8), "allied", "overwhelming", marks=pytest.mark.rule("race-for-tunis", "16.0.B-2")),
        pytest.param((9, 12), "allied", "decisive", marks=pytest.mark.rule("race-for-tunis", "16.0.B-3")),
        pytest.param((13, 16), "allied", "tactical", marks=pytest.mark.rule("race-for-tunis", "16.0.B-4")),
        pytest.param((17, 18), "axis", "tactical", marks=pytest.mark.rule("race-for-tunis", "16.0.B-5")),
        pytest.param((19, 20), "axis", "decisive", marks=pytest.mark.rule("race-for-tunis", "16.0.B-6")),
        pytest.param((21, 23), "axis", "overwhelming", marks=pytest.mark.rule("race-for-tunis", "16.0.B-7")),
    ],
)
def test_levels_of_victory(game: GameData, points: tuple[int, ...], winner: str, level: str) -> None:
    for number in points:
        row = [row for row in game.charts["victory"] if row["least"] <= number][-1]
        assert (row["winner"], row["level"]) == (winner, level)


# -- weather, air, arrivals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "clear", "rain", "heavy"),
    [
        ("17 Nov,25 Nov,5 Dec,12 Dec,21 Dec", 4, 1, 1),
        ("6 Dec,11 Dec", 2, 1, 3),
        ("22 Dec,24 Dec", 1, 1, 4),
        ("18 Jan,24 Jan", 3, 1, 2),
    ],
)
def test_chances_of_the_weather(game: GameData, days: str, clear: int, rain: int, heavy: int) -> None:
    """In sixths. Heavy rain fell from 6 to 12 December and from the 22nd; the third week of December was better."""
    for day in days.split(","):
        modifiers = [
            row["drm"]
            for row in game.charts["weather_drm"]
            if game.turns.index(row["from"]) <= game.turns.index(day) <= game.turns.index(row["to"])
        ]
        assert len(modifiers) == 1
        found = [[row["weather"] for row in game.charts["weather"] if row["least"] <= die + modifiers[0]][-1] for die in range(1, 7)]
        assert [found.count(word) for word in ("clear", "rain", "heavy-rain")] == [clear, rain, heavy]


def test_every_day_has_one_modifier(game: GameData) -> None:
    spans = [(game.turns.index(row["from"]), game.turns.index(row["to"])) for row in game.charts["weather_drm"]]
    assert [day for first, last in spans for day in range(first, last + 1)] == list(range(len(game.turns)))


@pytest.mark.rule("race-for-tunis", "17.2.4.C-3", "17.2.4.C-4", "17.2.4.C-5")
def test_interception(game: GameData) -> None:
    assert [row["result"] for row in game.charts["interception"]] == ["miss"] * 3 + ["abort"] * 2 + ["shot-down"]
    assert [row["die"] for row in game.charts["interception"]] == [1, 2, 3, 4, 5, 6]


def test_landings_replacements_ports_and_bases(game: GameData) -> None:
    assert [row["mp"] for row in game.charts["landing"]] == [0, 0, 0, 3, 3, 3]
    assert [(row["from"], row["standard"], row["increased"]) for row in game.charts["replacements"]] == [("17 Nov", 1, 1), ("1 Dec", 1, 2)]
    assert {port["label"]: port["hex"] for port in game.charts["ports"].values()} == {"Tunis": "0711", "Bizerta": "0216"}
    bases = game.charts["bases"]
    assert {key for key, base in bases.items() if base["all_weather"]} == {"el-aouina", "sidi-ahmed", "djedeida", "bone"}
    assert {key for key, base in bases.items() if base["tied"]} == {"tebessa", "thelepte", "kairouan"}
    fields = {str(f.hex) for found in game.board.features.values() for f in found if f.kind.endswith("airfield")}
    assert {base["hex"] for base in bases.values() if base["on_map"]} == fields
    assert {key for key, base in bases.items() if not base["on_map"]} == {"bone", "tebessa-off", "tebessa", "thelepte"}
    all_weather = {str(f.hex) for found in game.board.features.values() for f in found if f.kind == "all-weather-airfield"}
    assert {base["hex"] for base in bases.values() if base["all_weather"] and base["on_map"]} == all_weather


def test_what_differs_in_the_scenarios(game: GameData) -> None:
    rows = {row["scenario"]: row for row in game.charts["variants"]}
    assert rows.keys() == game.scenarios.keys() == {"standard", "early-start", "extended", "eilbote"}
    assert {key for key, row in rows.items() if row["axis_on_turn_1"] == "no"} == {"standard", "extended"}
    assert {key for key, row in rows.items() if row["french"] == "restricted"} == {"early-start"}
    turns = {key: scenario.last_turn - scenario.first_turn + 1 for key, scenario in game.scenarios.items()}
    assert turns == {"standard": 17, "early-start": 25, "extended": 30, "eilbote": 7}


def test_options_and_their_defaults(game: GameData) -> None:
    assert {key: option.default for key, option in game.options.items()} == {
        "tempo": "normal",
        "wadi_towns": False,
        "air": False,
        "counterbattery": False,
        "weather": False,
        "more_replacements": False,
        "landings": False,
        "extended_end": "24 Dec",
        "supply": "off",
        "italian_selective": True,
        "counterbattery_before": True,
        "eilbote_levels": "none",
    }
