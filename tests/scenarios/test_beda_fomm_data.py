"""Beda Fomm's counter mix, set-up and charts, as the rulebook lists them and within what it says of what it does not print."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from scenarios.data import Card, GameData, ScenarioData
from scenarios.hexes import neighbours, parse_hex
from scenarios.loader import load_game
from services.mail.orders.vocabulary import read_vocabulary


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "beda-fomm")


@pytest.fixture(scope="module")
def scenario(game: GameData) -> ScenarioData:
    return game.scenarios["historical"]


def units(game: GameData, **wanted: Any) -> list[Card]:
    return [card for card in game.cards.values() if all({"side": card.side, **card.values}[key] == value for key, value in wanted.items())]


# -- the counter mix ---------------------------------------------------------------------------------------------------------------


def test_the_counter_mix_has_its_parents_types_and_sizes(game: GameData) -> None:
    assert (len(game.cards), len(units(game, side="italian")), len(units(game, side="british"))) == (104, 79, 25)
    parents = {side: Counter(card.values["parent"] for card in units(game, side=side)) for side in game.sides}
    assert parents["british"] == {"COM": 9, "4ARM": 13, "7ARM": 3}
    assert parents["italian"] == {"BER": 22, "BAB": 19, "SAB": 8, "BIG": 5, "10B": 4} | dict.fromkeys(
        ("ALL", "COL", "CRU", "FER", "MOE", "PAS", "PIA"), 3
    )
    assert {row["parent"]: row["side"] for row in game.charts["morale"]} == {
        parent: side for side, found in parents.items() for parent in found
    }
    classes = {
        "armor": {"a13", "m13", "mark-vib", "l3", "armored-car"},
        "personnel": {"infantry", "parachute", "machine-gun", "motorcycle"},
        "weapons": {"artillery", "antitank", "light-aa", "heavy-aa"},
        "transport": {"transport"},
    }
    assert {name: {card.kind for card in units(game, **{"class": name})} for name in classes} == classes
    assert {card.values["size"] for card in game.cards.values()} == {row["size"] for row in game.charts["sizes"]}


def test_each_counter_bears_the_marks_of_its_type(game: GameData) -> None:
    for card in game.cards.values():
        values, armor, british = card.values, card.values["class"] == "armor", card.side == "british"
        assert values["infiltrates"] == (values["class"] == "personnel" or (armor and british)), card.id
        assert values["bonus"] == (0 if not armor else 2 if card.kind == "armored-car" else 3), card.id
        assert ("range" in values) == (card.kind == "artillery"), card.id
        back = {"artillery": ("fired", values["cf"]), "transport": ("parked", 0)}.get(card.kind, (None, None))
        assert (values.get("back"), values.get("back_cf")) == back, card.id
        assert (values["cf_defends"], values["at_defends"]) == (card.kind == "transport", card.kind in ("mark-vib", "l3", "armored-car"))
        assert values["at_defends"] <= values["at"], card.id


@pytest.mark.rule("beda-fomm", "14.32b")
def test_the_third_tank_battalion_is_two_groups_of_2_2_4(game: GameData) -> None:
    third = [card for card in units(game, parent="BAB") if card.id.startswith("BAB-3-")]
    assert [(card.values["cf"], card.values["at"], card.values["ma"], card.values["size"]) for card in third] == [(2, 2, 4, "group")] * 2


def test_names_of_units_and_places_are_told_apart_in_orders(game: GameData) -> None:
    told = {card.id: {"side": card.side, "name": card.name, "aliases": card.aliases} for card in game.cards.values()}
    words = read_vocabulary({"units": told, "places": {name: str(at) for name, at in game.board.names.items()}, "side": "italian"})
    assert {name: ids for name, ids in words.by_key.items() if len(ids) > 1} == {}
    assert not words.by_key.keys() & words.places.keys()
    assert not set(game.cards) & {str(at) for at in game.board.terrain}
    labels = Counter((card.values["parent"], card.values["label"]) for card in game.cards.values())
    assert max(labels.values()) == 1
    assert (game.cards["PIA-ART"].values["label"], game.cards["BAB-3-1"].values["label"]) == ("75/27", "3/1")  # words, not fractions


# -- set-up, convoys, arrivals -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "14.2a", "14.2b")
def test_the_nine_units_of_combeforce_are_placed_on_and_round_2731(game: GameData, scenario: ScenarioData) -> None:
    (row,) = scenario.tables["placements"]
    assert row["side"] == "british"
    assert sorted(row["units"]) == sorted(card.id for card in units(game, parent="COM"))
    assert len(row["units"]) == 9
    assert {parse_hex(text) for text in row["hexes"]} == {parse_hex("2731"), *neighbours(parse_hex("2731"))}


@pytest.mark.rule("beda-fomm", "14.31a", "14.31b", "14.31c", "14.31d")
def test_nine_convoys_are_made_of_the_units_that_the_rulebook_names(game: GameData, scenario: ScenarioData) -> None:
    convoys = scenario.tables["convoys"]
    assert (convoys["side"], convoys["count"], convoys["transports_each"], convoys["personnel_each"]) == ("italian", 9, 2, 1)
    assert convoys["transports"] == [card.id for card in units(game, type="transport")]
    assert len(convoys["transports"]) == 18
    assert {game.cards[unit].kind for unit in convoys["transports"]} == {"transport"}
    assert {game.cards[unit].values["parent"] for unit in convoys["transports"]} == {"BER"}
    made = Counter((game.cards[unit].values["parent"], game.cards[unit].kind) for unit in convoys["personnel"])
    assert made == {("BER", "infantry"): 2, ("BER", "machine-gun"): 2, ("10B", "infantry"): 2, ("10B", "motorcycle"): 1}
    assert convoys["choice"] == [card.id for card in units(game, parent="SAB", type="infantry")]
    assert {game.cards[unit].values["size"] for unit in (*convoys["personnel"], *convoys["choice"])} == {"battalion"}


def test_every_unit_comes_into_play_once(game: GameData, scenario: ScenarioData) -> None:
    convoys, rows = scenario.tables["convoys"], scenario.tables["arrivals"]
    arriving = [unit for row in rows for unit in row.get("units", ())]
    placed = [unit for row in scenario.tables["placements"] for unit in row["units"]]
    assert sorted(arriving + placed + convoys["transports"] + convoys["personnel"]) == sorted(game.cards)
    assert sum(row.get("convoys", 0) for row in rows) == convoys["count"]
    by_entry = {entry: {row["side"] for row in rows if row["entry"] == entry} for entry in game.charts["entries"]}
    assert by_entry == {"road": {"italian"}, "bignami": {"italian"}, "east": {"british"}}


@pytest.mark.rule("beda-fomm", "16.11b", "14.32a")
def test_the_first_turn_bignami_and_babinis_battalions(game: GameData, scenario: ScenarioData) -> None:
    rows = scenario.tables["arrivals"]
    (first,) = [row for row in rows if row["turn"] == game.turns[0]]
    assert (first["units"], first["convoys"], first["entry"]) == ([card.id for card in units(game, parent="COL")], 1, "road")
    (late,) = [row for row in rows if row["entry"] == "bignami"]
    assert late["units"] == [card.id for card in units(game, parent="BIG")]
    turns: dict[str, set[str]] = {}
    for row in rows:
        for unit in row.get("units", ()):
            if game.cards[unit].kind in ("m13", "l3"):
                turns.setdefault(unit.split("-")[1], set()).add(row["turn"])
    assert turns.keys() == {"3", "5", "6", "21", "61"}
    assert all(len(found) == 1 for found in turns.values())
    assert len(set.union(*turns.values())) == 5


def test_units_of_the_first_turn_and_of_convoys_can_spend_six_mp(game: GameData, scenario: ScenarioData) -> None:
    convoys = scenario.tables["convoys"]
    named = ("COL-ART", "COL-AT", "COL-LAA", *convoys["transports"], *convoys["personnel"], *convoys["choice"])
    assert min(int(game.cards[unit].values["ma"]) for unit in named) == 6


# -- track, victory, charts --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "13.0a")
def test_28_turns_of_which_two_a_night_are_dark(game: GameData, scenario: ScenarioData) -> None:
    track = game.charts["track"]
    assert tuple(row["turn"] for row in track) == game.turns
    assert (len(track), scenario.first_turn, scenario.last_turn) == (28, 1, 28)
    assert [k for k, row in enumerate(track, 1) if row["light"] == "dark"] == [7, 8, 21, 22]
    assert all(row["hours"] == (6 if row["light"] == "dark" else 1) for row in track)
    assert sum(row["hours"] for row in track) == 48  # noon to noon


@pytest.mark.parametrize(
    ("points", "winner", "level"),
    [
        pytest.param((0,), "british", "decisive", marks=pytest.mark.rule("beda-fomm", "4.2a")),
        pytest.param((1, 5), "british", "marginal", marks=pytest.mark.rule("beda-fomm", "4.2b")),
        pytest.param((6, 10), "italian", "marginal", marks=pytest.mark.rule("beda-fomm", "4.2c")),
        pytest.param((11, 126), "italian", "decisive", marks=pytest.mark.rule("beda-fomm", "4.2d")),
    ],
)
def test_victory_levels(game: GameData, points: tuple[int, ...], winner: str, level: str) -> None:
    for number in points:
        row = [row for row in game.charts["victory"] if row["least"] <= number][-1]
        assert (row["winner"], row["level"]) == (winner, level)


def test_worth_and_stacking_of_the_sizes(game: GameData) -> None:
    sizes = {row["size"]: row for row in game.charts["sizes"]}
    assert {size: (row["vp"], row["points"]) for size, row in sizes.items()} == {
        "battalion": (2, 3),
        "company": (1, 1),
        "platoon": (1, 1),
        "group": (1, 1),
    }
    assert sum(sizes[card.values["size"]]["vp"] for card in units(game, side="italian")) == 126


@pytest.mark.rule("beda-fomm", "7.1a", "7.1b")
def test_levels_of_morale_at_the_start(game: GameData) -> None:
    levels = {row["parent"]: row["level"] for row in game.charts["morale"]}
    assert levels["4ARM"] == 12
    assert len(levels) == 15
    assert all(2 <= level <= 12 for level in levels.values())


@pytest.mark.rule("beda-fomm", "2.0e", "2.0f", "2.0g", "2.0h", "2.0i", "9.11a")
def test_the_terrain_chart_has_what_the_rulebook_tells_of_it(game: GameData) -> None:
    chart = game.charts["terrain"]
    assert chart.keys() == {"clear", "undulating", "sand-dunes", "road", "trail"}
    assert {**chart["sand-dunes"], "label": ""} == {**chart["undulating"], "label": ""}
    assert (chart["clear"]["personnel"], chart["clear"]["armor"]) == (2, 1)
    assert all(chart[ground]["weapons"] == "bar" for ground in ("clear", "undulating"))
    assert all(chart[way]["weapons"] == chart[way]["personnel"] == chart[way]["british"] for way in ("road", "trail"))
    assert chart["road"]["weapons"] == Fraction(1, 2)
    assert {row["british"] for row in chart.values()} == {1, 2, Fraction(1, 2)}
    assert {name for name, row in chart.items() if row["hidden"] or row["antitank"] == 2} == {"undulating", "sand-dunes"}


ORDER = {
    "barrage": ["-", "M", "M1", "M2", "M3", "E"],
    "antitank": ["-", "DE"],
    "combat": ["AE", "AM2", "AM1", "AM", "DM", "DM1", "DM2", "DM3", "DE"],
}
"""The results of a table, from the worst for who rolls to the best."""


@pytest.mark.rule("beda-fomm", "10.5d", "11.0p", "12.0t", "12.0u")
@pytest.mark.parametrize("name", ORDER)
def test_a_table_has_results_of_its_kind_that_get_better_with_the_column(game: GameData, name: str) -> None:
    table = game.charts[name]
    assert [row["die"] for row in table] == [1, 2, 3, 4, 5, 6]
    columns = [column for column in table[0] if column != "die"]
    ranks = [[ORDER[name].index(row[column]) for column in columns] for row in table]
    assert {cell for row in ranks for cell in row} == set(range(len(ORDER[name])))
    assert all(row == sorted(row) for row in ranks)
    down = [list(column) for column in zip(*ranks, strict=True)]
    # at antitank fire low numbers hit
    assert all(column == sorted(column, reverse=name == "antitank") for column in down)
    assert all(earlier < later for earlier, later in zip(map(sum, down), map(sum, down[1:]), strict=False) if name == "combat")


def test_columns_of_the_tables(game: GameData) -> None:
    odds = ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1"]
    heads = {name: [column for column in game.charts[name][0] if column != "die"] for name in ORDER}
    assert heads == {"barrage": [str(factors) for factors in range(1, 11)], "antitank": odds, "combat": odds}
    # six factors lie two columns above four, and three above three
    six = heads["barrage"].index("6")
    assert (heads["barrage"][six - 2], heads["barrage"][six - 3]) == ("4", "3")
    # seven against two is 3:1: hit by 1 to 4
    assert [row["die"] for row in game.charts["antitank"] if row[f"{7 // 2}:1"] == "DE"] == [1, 2, 3, 4]


def test_options_and_their_defaults(game: GameData) -> None:
    assert {key: option.default for key, option in game.options.items()} == {
        "tempo": "normal",
        "retreat_checks": False,
        "four_points": False,
        "one_hex": "anywhere",
        "parked_in_company": "result",
        "line_of_sight": "both",
        "elimination": "all",
        "blocked_entry": "waits",
        "british_hold_back": True,
        "opening_fire": "none",
    }
