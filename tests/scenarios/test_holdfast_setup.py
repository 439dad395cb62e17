"""Holdfast's charts and both campaigns, datum by datum as the rulebook lists them."""

from __future__ import annotations

from typing import Any

import pytest

from scenarios.data import GameData, ScenarioData
from scenarios.loader import load_game

MONTHS = {
    "May 1941": 3,
    "June 1941": 4,
    "July 1941": 5,
    "August 1941": 6,
    "November 1941": 9,
    "January 1942": 11,
    "May 1942": 15,
    "June 1942": 16,
}
"""Boxes of the turn track, counted by hand from March 1941."""


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "holdfast")


@pytest.fixture(scope="module")
def first(game: GameData) -> ScenarioData:
    return game.scenarios["campaign-1"]


@pytest.fixture(scope="module")
def second(game: GameData) -> ScenarioData:
    return game.scenarios["campaign-2"]


def at(game: GameData, scenario: ScenarioData, place: str) -> dict[str, int]:
    """The units set up at a place of the map -> their SP."""
    found: dict[str, int] = {}
    for row in scenario.tables["setup"]:
        if row["hex"] == str(game.board.names[place.upper()]):
            found |= {game.cards[unit].name: row.get("sp", game.cards[unit].values["max_sp"]) for unit in row["units"]}
    return found


def due(game: GameData, scenario: ScenarioData, side: str, month: str | None = None) -> list[str]:
    """What arrives for a side in a month (or at all), without options: names of units, "air", names of leaders."""
    leaders = game.charts["support"]["leaders"]
    found: list[str] = []
    for row in scenario.tables["arrivals"]:
        if row["side"] == side and "option" not in row and (month is None or game.turns.index(row["turn"]) + 1 == MONTHS[month]):
            found += [game.cards[unit].name for unit in row.get("units", ())]
            found += ["air" for _ in row.get("air", ())]
            found += [leaders[leader]["name"] for leader in row.get("leaders", ())]
    return found


def set_up(scenario: ScenarioData, side: str) -> int:
    return sum(len(row["units"]) for row in scenario.tables["setup"] if row["side"] == side)


@pytest.mark.parametrize(
    ("unit", "nation", "kind", "dice", "target", "ma"),
    [
        pytest.param("90INF", "german", "infantry", 3, 5, 5, marks=pytest.mark.rule("holdfast", "chart.1")),
        pytest.param("21PZ", "german", "armor", 5, 6, 8, marks=pytest.mark.rule("holdfast", "chart.2")),
        pytest.param("PAVIA", "italian", "infantry", 3, 4, 4, marks=pytest.mark.rule("holdfast", "chart.3")),
        pytest.param("ARIETE", "italian", "armor", 3, 5, 6, marks=pytest.mark.rule("holdfast", "chart.4")),
        pytest.param("4IND", "british", "infantry", 3, 5, 5, marks=pytest.mark.rule("holdfast", "chart.5")),
        pytest.param("7ARM", "british", "armor", 4, 6, 8, marks=pytest.mark.rule("holdfast", "chart.6")),
    ],
)
def test_units_have_the_values_of_their_line_of_the_chart(
    game: GameData, unit: str, nation: str, kind: str, dice: int, target: int, ma: int
) -> None:
    (line,) = [row for row in game.charts["units"] if (row["nation"], row["type"]) == (nation, kind)]
    assert (line["dice"], line["target"], line["ma"]) == (dice, target, ma)
    own = {"german": ["german"], "italian": ["italian"]}.get(nation)
    alike = [
        card for card in game.cards.values() if card.kind == kind and (card.nation in own if own is not None else card.side == "allied")
    ]
    assert unit in {card.id for card in alike}
    for card in alike:
        assert (card.values["dice"], card.values["target"], card.values["ma"], card.values["max_sp"]) == (dice, target, ma, 4), card.id


@pytest.mark.rule("holdfast", "chart.7")
def test_air_units_have_no_line_but_two_attack_dice(game: GameData) -> None:
    assert {row["type"] for row in game.charts["units"]} == {"infantry", "armor"}
    assert game.charts["support"]["air"]["dice"] == 2


def test_the_counter_mix(game: GameData) -> None:
    count = {
        (side, kind): sum(1 for card in game.cards.values() if (card.side, card.kind) == (side, kind) and "option" not in card.values)
        for side in game.sides
        for kind in ("infantry", "armor")
    }
    assert count == {("axis", "infantry"): 12, ("axis", "armor"): 4, ("allied", "infantry"): 11, ("allied", "armor"): 3}
    assert [card.id for card in game.cards.values() if "option" in card.values] == ["LITTORIO"]
    assert {card.nation for card in game.cards.values() if card.side == "axis"} == {"german", "italian"}
    leaders = game.charts["support"]["leaders"]
    assert {key: (leader["side"], leader["dice"], leader["mp"]) for key, leader in leaders.items()} == {
        "ROMMEL": ("axis", 2, 2),
        "MONTY": ("allied", 2, 2),
    }


@pytest.mark.parametrize(
    ("use", "what", "rp"),
    [
        pytest.param("step", "infantry", 1, marks=pytest.mark.rule("holdfast", "cost.1")),
        pytest.param("step", "armor", 2, marks=pytest.mark.rule("holdfast", "cost.2")),
        pytest.param("rebuild", "infantry", 2, marks=pytest.mark.rule("holdfast", "cost.3")),
        pytest.param("rebuild", "armor", 3, marks=pytest.mark.rule("holdfast", "cost.4")),
        pytest.param("activate", "move", 1, marks=pytest.mark.rule("holdfast", "cost.5")),
        pytest.param("activate", "attack", 1, marks=pytest.mark.rule("holdfast", "cost.6")),
    ],
)
def test_resource_point_costs(game: GameData, use: str, what: str, rp: int) -> None:
    assert game.charts["costs"][use][what] == rp


@pytest.mark.parametrize(
    ("month", "side", "expected"),
    [
        pytest.param("May 1941", "axis", ["15th Panzer"], marks=pytest.mark.rule("holdfast", "arrivals.1")),
        pytest.param("June 1941", "allied", ["7th Armor"], marks=pytest.mark.rule("holdfast", "arrivals.2")),
        pytest.param("July 1941", "allied", ["50th Infantry"], marks=pytest.mark.rule("holdfast", "arrivals.3")),
        pytest.param("August 1941", "allied", ["51st Infantry", "air"], marks=pytest.mark.rule("holdfast", "arrivals.4")),
        pytest.param("November 1941", "axis", ["Trieste", "Fascists", "Sabratha", "air"], marks=pytest.mark.rule("holdfast", "arrivals.5")),
        pytest.param(
            "November 1941", "allied", ["1st Infantry SA", "2nd Infantry NZ", "1st Armor"], marks=pytest.mark.rule("holdfast", "arrivals.6")
        ),
        pytest.param("January 1942", "axis", ["90th Infantry", "air"], marks=pytest.mark.rule("holdfast", "arrivals.7")),
        pytest.param("May 1942", "axis", ["air"], marks=pytest.mark.rule("holdfast", "arrivals.8")),
        pytest.param("May 1942", "allied", ["10th Infantry Ind"], marks=pytest.mark.rule("holdfast", "arrivals.9")),
        pytest.param(
            "June 1942",
            "axis",
            ["164th Infantry", "51st Para", "Pistolio", "Centor", "air"],
            marks=pytest.mark.rule("holdfast", "arrivals.10"),
        ),
        pytest.param("June 1942", "allied", ["air", "Montgomery"], marks=pytest.mark.rule("holdfast", "arrivals.11")),
    ],
)
def test_arrivals_of_campaign_1(game: GameData, first: ScenarioData, month: str, side: str, expected: list[str]) -> None:
    assert due(game, first, side, month) == expected


@pytest.mark.rule("holdfast", "15d")
def test_campaign_1_has_the_whole_arrival_table_and_nothing_else(game: GameData, first: ScenarioData) -> None:
    assert _rows(first) == [_plain(row) for row in game.charts["arrivals"]]
    assert set_up(first, "axis") + len([name for name in due(game, first, "axis") if name != "air"]) == 16
    assert set_up(first, "allied") + len([name for name in due(game, first, "allied") if name not in ("air", "Montgomery")]) == 14


@pytest.mark.rule("holdfast", "16c")
def test_campaign_2_has_the_arrival_table_from_january_1942_without_who_is_there(game: GameData, second: ScenarioData) -> None:
    expected = [_plain(row) for row in game.charts["arrivals"] if row["turn"] >= "1942-01"]
    assert expected[0]["units"] == ["90INF"]
    expected[0]["units"] = []
    assert _rows(second) == expected
    assert due(game, second, "axis", "January 1942") == ["air"]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {"turn": row["turn"], "side": row["side"], **{key: list(row.get(key, ())) for key in ("units", "air", "leaders")}}


def _rows(scenario: ScenarioData) -> list[dict[str, Any]]:
    return [_plain(row) for row in scenario.tables["arrivals"] if "option" not in row]


def test_options_bring_what_they_say(game: GameData) -> None:
    for scenario in game.scenarios.values():
        rows = [(row["option"], *row.get("units", ()), *row.get("air", ())) for row in scenario.tables["arrivals"] if "option" in row]
        assert sorted(rows) == [("extra_allied_air", "L3"), ("extra_allied_air", "L4"), ("littorio", "LITTORIO")]
    assert {key: option.default for key, option in game.options.items()} == {
        "tempo": "normal",
        "first_turn_weather": "clear",
        "leader_strategic_road": 34,
        "escarpment_move": "additional",
        "attack_dice_reading": "unit",
        "six_surplus": "next",
        "surplus": "return",
        "ezoc_public": True,
        "littorio": False,
        "extra_allied_air": False,
    }


@pytest.mark.rule("holdfast", "15a", "15b", "16b")
def test_months_of_the_campaigns(game: GameData, first: ScenarioData, second: ScenarioData) -> None:
    assert len(game.turns) == 22
    assert (game.turns[first.first_turn - 1], game.turns[first.last_turn - 1]) == ("1941-03", "1942-12")
    assert (game.turns[second.first_turn - 1], game.turns[second.last_turn - 1]) == ("1942-01", "1942-12")
    assert (second.first_turn, second.last_turn) == (11, 22)
    assert game.turns == tuple(f"{year}-{month:02d}" for year in (1941, 1942) for month in range(3 if year == 1941 else 1, 13))


@pytest.mark.rule("holdfast", "15e", "16d")
def test_rp_of_the_first_and_the_last_months(game: GameData) -> None:
    def rp(side: str, month: str) -> list[int]:
        return [row["rp"] for row in game.charts["rp"] if row["side"] == side and row["from"] <= month <= row["to"]]

    assert {month: rp("axis", month) for month in game.turns} == {month: [12] for month in game.turns}
    assert rp("allied", "1941-03") == rp("allied", "1941-10") == [10]
    assert rp("allied", "1941-11") == rp("allied", "1942-01") == rp("allied", "1942-05") == [12]
    assert rp("allied", "1942-06") == rp("allied", "1942-12") == [14]


@pytest.mark.rule("holdfast", "control.1")
def test_the_allies_hold_all_cities_but_el_agheila(game: GameData, first: ScenarioData, second: ScenarioData) -> None:
    names = game.board.names
    for scenario in (first, second):
        assert scenario.tables["control"]["axis"] == [str(names["EL AGHEILA"])]
        allied = sorted(str(names[name]) for name in ("BENGHAZI", "TOBRUK", "BARDIA", "ALEXANDRIA"))
        assert sorted(scenario.tables["control"]["allied"]) == allied


@pytest.mark.parametrize(
    ("place", "units"),
    [
        pytest.param(
            "El Agheila",
            {"21st Panzer": 4, "Ariete": 4, "Trenta": 4, "Brescia": 4, "Pavia": 4, "Bologna": 4, "Savena": 4},
            marks=pytest.mark.rule("holdfast", "15f"),
        ),
        pytest.param("El Alamein", {"4th Infantry Ind": 4}, marks=pytest.mark.rule("holdfast", "15h")),
        pytest.param("Mersa Matruh", {"7th Infantry Aus": 2}, marks=pytest.mark.rule("holdfast", "15i")),
        pytest.param("Sollum", {"22nd Guards": 2}, marks=pytest.mark.rule("holdfast", "15j")),
        pytest.param("Tobruk", {"9th Infantry Aus": 3}, marks=pytest.mark.rule("holdfast", "15k")),
        pytest.param("Mechili", {"Free French": 1}, marks=pytest.mark.rule("holdfast", "15l")),
        pytest.param("Msus", {"2nd Armor": 4}, marks=pytest.mark.rule("holdfast", "15m")),
        pytest.param("Benghazi", {"2nd Infantry SA": 1}, marks=pytest.mark.rule("holdfast", "15n")),
    ],
)
def test_set_up_of_campaign_1(game: GameData, first: ScenarioData, place: str, units: dict[str, int]) -> None:
    assert at(game, first, place) == units
    assert set_up(first, "axis") == 7
    assert set_up(first, "allied") == 7


@pytest.mark.parametrize(
    ("place", "units"),
    [
        pytest.param(
            "El Agheila",
            dict.fromkeys(
                (
                    "15th Panzer",
                    "21st Panzer",
                    "90th Infantry",
                    "Ariete",
                    "Trieste",
                    "Brescia",
                    "Pavia",
                    "Bologna",
                    "Sabratha",
                    "Trenta",
                ),
                4,
            ),
            marks=pytest.mark.rule("holdfast", "16e"),
        ),
        pytest.param("Agedabia", {"1st Armor": 3}, marks=pytest.mark.rule("holdfast", "16h")),
        pytest.param("Benghazi", {"4th Infantry Ind": 4}, marks=pytest.mark.rule("holdfast", "16i")),
        pytest.param("Gazala", {"2nd Armor": 2}, marks=pytest.mark.rule("holdfast", "16j")),
        pytest.param("Tobruk", {"7th Armor": 4}, marks=pytest.mark.rule("holdfast", "16k")),
        pytest.param("Bardia", {"2nd Infantry SA": 4}, marks=pytest.mark.rule("holdfast", "16l")),
        pytest.param("Sollum", {"Free French": 4}, marks=pytest.mark.rule("holdfast", "16m")),
        pytest.param(
            "Alexandria",
            {"1st Infantry SA": 4, "9th Infantry Aus": 4, "2nd Infantry NZ": 4},
            marks=pytest.mark.rule("holdfast", "16n"),
        ),
    ],
)
def test_set_up_of_campaign_2(game: GameData, second: ScenarioData, place: str, units: dict[str, int]) -> None:
    assert at(game, second, place) == units
    assert set_up(second, "axis") == 10
    assert set_up(second, "allied") == 9


@pytest.mark.rule("holdfast", "setup.1")
def test_each_set_up_row_names_the_place_that_the_map_has_there(game: GameData) -> None:
    for scenario in game.scenarios.values():
        for row in scenario.tables["setup"]:
            assert str(game.board.names[row["place"].upper()]) == row["hex"]


def test_places_of_a_set_up_lie_in_hexes_of_their_own(game: GameData) -> None:
    for scenario, places in (("campaign-1", 8), ("campaign-2", 8)):
        assert len({row["hex"] for row in game.scenarios[scenario].tables["setup"]}) == places


@pytest.mark.rule("holdfast", "15g")
def test_off_board_in_campaign_1(first: ScenarioData) -> None:
    assert first.tables["air"] == {"axis": ["X1"], "allied": []}
    assert first.tables["leaders"] == {"axis": ["ROMMEL"], "allied": []}
    assert first.tables["pool"] == {"axis": [], "allied": []}


@pytest.mark.rule("holdfast", "16f", "16g", "16o", "16p")
def test_off_board_and_pools_in_campaign_2(second: ScenarioData) -> None:
    assert second.tables["air"] == {"axis": ["X1", "X2"], "allied": ["L1"]}
    assert second.tables["leaders"] == {"axis": ["ROMMEL"], "allied": []}
    assert second.tables["pool"] == {"axis": ["SAVENA"], "allied": ["7AUS", "22GDS", "50INF", "51INF"]}


def test_rows_cite_the_clause_that_they_carry_out(game: GameData) -> None:
    cited = [row["clause"] for scenario in game.scenarios.values() for row in scenario.tables["setup"]]
    assert cited == ["15f", *(f"15{letter}" for letter in "hijklmn"), "16e", *(f"16{letter}" for letter in "hijklmn")]
