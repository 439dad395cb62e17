"""The Fall of Tobruk's charts and options: printed cells as printed, the others within what the rulebook says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from scenarios.data import GameData
from scenarios.loader import load_game

ODDS = ["1:5", "1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1"]
WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
HALF = Fraction(1, 2)
WORTH = {
    "AE": -4,
    "AB3": -2.5,
    "AB2": -2,
    "AB1": -1.5,
    "Con": -0.5,
    "Eng": 0,
    "Ex": 0.5,
    "DB1": 1,
    "DB2": 1.75,
    "DB3": 2.5,
    "DB4": 3,
    "DE": 4,
}
"""What a result is worth to the attacker; an exchange at 1:2 is -2."""


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "fall-of-tobruk")


def cell(game: GameData, chart: str, row: int, column: str) -> str:
    key = next(iter(game.charts[chart][0]))
    return str(next(line[column] for line in game.charts[chart] if line[key] == row))


def printed(game: GameData, chart: str, row: int, column: str) -> bool:
    return game.source_of(chart, row, column) == "printed"


# -- combat results ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "crt.1")
def test_rows_and_columns_of_the_combat_results(game: GameData) -> None:
    chart = game.charts["combat"]
    assert [row["roll"] for row in chart] == list(range(2, 13))
    assert [column for column in chart[0] if column != "roll"] == ODDS
    assert {row[column] for row in chart for column in ODDS} == set(WORTH) == {row["code"] for row in game.charts["results"]}


@pytest.mark.parametrize(
    ("row", "columns", "result"),
    [
        pytest.param(2, "1:5 1:4 1:3", "A elim", marks=pytest.mark.rule("fall-of-tobruk", "crt.r2a")),
        pytest.param(2, "1:2", "D bk 1", marks=pytest.mark.rule("fall-of-tobruk", "crt.r2b")),
        pytest.param(2, "1:1 2:1 3:1", "A elim", marks=pytest.mark.rule("fall-of-tobruk", "crt.r2c")),
        pytest.param(2, "4:1", "Exch", marks=pytest.mark.rule("fall-of-tobruk", "crt.r2d")),
        pytest.param(2, "5:1", "Engd", marks=pytest.mark.rule("fall-of-tobruk", "crt.r2e")),
        pytest.param(2, "6:1 7:1", "D elim", marks=pytest.mark.rule("fall-of-tobruk", "crt.r2f")),
        pytest.param(2, "8:1", "Cont", marks=pytest.mark.rule("fall-of-tobruk", "crt.r2g")),
        pytest.param(3, "1:5 1:4 1:3", "A elim", marks=pytest.mark.rule("fall-of-tobruk", "crt.r3a")),
        pytest.param(3, "1:2", "Cont", marks=pytest.mark.rule("fall-of-tobruk", "crt.r3b")),
    ],
)
def test_printed_cells_of_the_combat_results(game: GameData, row: int, columns: str, result: str) -> None:
    spelt = {line["code"]: line["printed"] for line in game.charts["results"]}
    for column in columns.split():
        assert spelt[cell(game, "combat", row, column)] == result
        assert printed(game, "combat", row, column)


@pytest.mark.rule("fall-of-tobruk", "crt.r3c")
def test_the_other_cells_are_there_and_told_as_reconstructed(game: GameData) -> None:
    cells = {(row["roll"], column) for row in game.charts["combat"] for column in ODDS}
    ours = {(row, column) for row, column in cells if not printed(game, "combat", row, column)}
    assert ours == {(row, column) for row, column in cells if row > 3 or (row == 3 and column not in ODDS[:4])}
    assert len(ours) == 132 - 16
    assert {game.source_of("combat", row, column) for row, column in ours} == {"reconstructed"}
    assert game.sources["combat"] == "reconstructed"


def test_the_keys_words_and_the_tables_words_are_one(game: GameData) -> None:
    rows = {row["code"]: (row["printed"], row["key"]) for row in game.charts["results"]}
    assert rows["Con"] == ("Cont", "Con")
    assert rows["Eng"] == ("Engd", "Eng")
    assert rows["DB1"] == ("D bk 1", "D bk N")
    assert {key for _, key in rows.values()} == {"A elim", "A bk N", "Con", "Eng", "Exch", "D bk N", "D elim"}


def ways(game: GameData, column: str, *results: str) -> int:
    """In how many of the 36 rolls a column gives one of the results."""
    return sum(WAYS[row["roll"]] for row in game.charts["combat"] if row[column] in results)


def test_higher_odds_are_better_and_surprises_lie_at_the_ends(game: GameData) -> None:
    worth = []
    for column in ODDS:
        cells = {row["roll"]: row[column] for row in game.charts["combat"]}
        worth.append(sum(WAYS[roll] * (-2 if (result, column) == ("Ex", "1:2") else WORTH[result]) for roll, result in cells.items()))
    assert worth == sorted(worth)
    assert len(set(worth)) == 12
    assert [ways(game, column, "AE") for column in ODDS] == [25, 21, 13, 8, 1, 1, 1, 0, 0, 0, 0, 0]
    assert [ways(game, column, "DE") for column in ODDS] == [0, 0, 0, 0, 1, 1, 2, 2, 5, 7, 20, 28]
    # the key treats an exchange at 1:2 in its own way and knows none below
    assert next(column for column in ODDS if ways(game, column, "Ex")) == "1:2"
    assert ways(game, "1:3", "DB1", "DB2") == 3
    assert ways(game, "3:1", "AE", "AB1", "AB2") == 4
    far = {column: ways(game, column, "DB3", "DB4") for column in ODDS}
    assert max(far, key=lambda column: far[column]) == "6:1"


# -- antitank and artillery tables -------------------------------------------------------------------------------------------------

AT = ["1:2", "1:1", "2:1", "3:1", "4:1", "6:1", "8:1", "10:1"]
ART = ["6", "8", "12", "16", "18"]


@pytest.mark.rule("fall-of-tobruk", "attable.1", "attable.r1", "attable.r2", "attable.r3a", "attable.r3b")
def test_printed_cells_of_the_antitank_table(game: GameData) -> None:
    rows = {row["die"]: [row[column] for column in AT] for row in game.charts["antitank"]}
    assert list(game.charts["antitank"][0]) == ["die", *AT]
    assert rows[1] == ["X"] * 8
    assert rows[2] == ["-", *["X"] * 7]
    assert rows[3][:4] == ["-", "-", "X", "X"]
    assert [sum(printed(game, "antitank", die, column) for column in AT) for die in range(1, 9)] == [8, 8, 4, 0, 0, 0, 0, 0]


@pytest.mark.rule("fall-of-tobruk", "attable.r3c", "attable.4")
def test_the_other_cells_of_the_antitank_table(game: GameData) -> None:
    """A row begins a column later than the one above; +2 for mines makes rolls of 7 and 8."""
    hits = {column: sum(cell(game, "antitank", die, column) == "X" for die in range(1, 7)) for column in AT}
    across = {column: sum(cell(game, "antitank", die + 2, column) == "X" for die in range(1, 7)) for column in AT}
    assert list(hits.values()) == [1, 2, 3, 4, 5, 6, 6, 6]
    assert list(across.values()) == [0, 0, 1, 2, 3, 4, 5, 6]
    assert {row[column] for row in game.charts["antitank"] for column in AT} == {"X", "-"}
    assert game.source_of("antitank", 3, "4:1") == game.source_of("antitank", 6, "1:2") == "reconstructed"


@pytest.mark.rule("fall-of-tobruk", "arttable.1", "arttable.r1", "arttable.r2", "arttable.r3", "arttable.r4")
def test_printed_cells_of_the_artillery_table(game: GameData) -> None:
    rows = {row["die"]: [row[column] for column in ART] for row in game.charts["artillery"]}
    assert list(game.charts["artillery"][0]) == ["die", *ART]
    assert [rows[die] for die in (1, 2, 3, 4)] == [
        ["D", "D", "D", "D", "D"],
        ["-", "D", "D", "D", "D"],
        ["-", "-", "D", "D", "D"],
        ["-", "-", "-", "D", "D"],
    ]
    assert all(printed(game, "artillery", die, column) for die in (1, 2, 3, 4) for column in ART)


@pytest.mark.rule("fall-of-tobruk", "arttable.r5", "arttable.3")
def test_rows_five_and_six_of_the_artillery_table_are_ours(game: GameData) -> None:
    assert not any(printed(game, "artillery", die, column) for die in (5, 6) for column in ART)
    assert [cell(game, "artillery", 5, column) for column in ART] == ["-", "-", "-", "-", "D"]
    assert [cell(game, "artillery", 6, column) for column in ART] == ["-"] * 5


@pytest.mark.rule("fall-of-tobruk", "artillery.17", "artillery.18", "artillery.19", "artillery.20")
def test_the_range_table(game: GameData) -> None:
    assert {row["range"]: row["halved_from"] for row in game.charts["ranges"]} == {2: "never", 3: 2, 4: 3, 5: 3}


# -- mines, repair, reserves -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "minetable.1", "minetable.2", "minetable.3", "minetable.4")
def test_the_minefields_table(game: GameData) -> None:
    assert [(row["die"], row["losses"]) for row in game.charts["mines"]] == [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 2)]
    assert [row["die"] for row in game.charts["stall"] if row["result"] == "stalls"] == [1, 2, 3]
    assert [row["die"] for row in game.charts["stall"]] == [1, 2, 3, 4, 5, 6]


def test_the_repair_dice(game: GameData) -> None:
    for side, last in (("axis", 4), ("allied", 3)):
        assert [row["die"] for row in game.charts["repair"] if row[side] == "recovered"] == list(range(1, last + 1))
        assert [row["die"] for row in game.charts["repair"] if row[side] == "lost"] == list(range(last + 1, 7))


@pytest.mark.rule("fall-of-tobruk", "reserve.10", "reserve.11", "reserve.12", "reserve.14", "repair.35")
def test_the_reserve_and_wreck_charts(game: GameData) -> None:
    stock = {side: {row["model"]: row["stock"] for row in game.charts["reserve"] if row["side"] == side} for side in game.sides}
    assert stock["allied"] == {"grant": 4, "crusader": 6, "stuart": 4, "valentine": 0, "matilda": 0}
    assert stock["axis"] == {"pz-iiih": 2, "pz-iiij": 1, "pz-iv": 1}
    assert {row["track"] for row in game.charts["reserve"] if row["side"] == "allied"} == {6}
    assert {row["track"] for row in game.charts["reserve"] if row["side"] == "axis"} == {2}
    assert all(row["stock"] <= row["track"] for row in game.charts["reserve"])
    assert game.charts["costs"]["wrecks"]["boxes"] == 15
    tanks = {card.kind for card in game.cards.values() if card.side == "axis" and kind_row(game, card.kind)["class"] == "tank"}
    assert tanks - stock["axis"].keys() == {"m14", "pz-ii"}


def kind_row(game: GameData, kind: str) -> dict[str, object]:
    return next(row for row in game.charts["types"] if row["type"] == kind)


# -- terrain, costs, victory, calendar ---------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "tec.1", "tec.2", "tec.3", "tec.4", "tec.5", "tec.6", "tec.7", "tec.8", "tec.9", "tec.10")
def test_the_terrain_effects_chart(game: GameData) -> None:
    chart = game.charts["terrain"]
    assert {kind: row["mp"] for kind, row in chart.items()} == {
        "clear": 1,
        "track": HALF,
        "road": Fraction(1, 4),
        "village": "other",
        "minefield": "rule",
        "high-ground": 2,
        "partial-sea": "other",
        "full-sea": "bar",
        "escarpment": "option",
    }
    assert {kind: row["shift"] for kind, row in chart.items() if row["shift"]} == {"high-ground": 1}
    assert game.sources["terrain"] == "printed"


def test_numbers_of_the_text(game: GameData) -> None:
    costs, stacking = game.charts["costs"], game.charts["stacking"]
    assert (costs["artillery"]["least"], costs["artillery"]["most"], costs["artillery"]["tank_drm"]) == (6, 18, 2)
    assert costs["antitank"]["mine_drm"] == 2
    assert [costs["supply"][key] for key in ("mp", "box", "ma", "factor")] == [20, 2, 3, HALF]
    assert [costs["repair"][key] for key in ("axis_auto", "axis_tries", "allied_tries", "scrap", "demolish")] == [1, 2, 2, 1, 1]
    assert (costs["reserve"]["a_turn"], costs["refit"]["scrapped"], costs["refit"]["chart_german_tanks"]) == (2, 2, 1)
    assert [costs["quotas"][key] for key in ("tanks", "infantry", "artillery")] == [18, 9, 5]
    assert [costs["modifiers"][key] for key in ("mines", "disrupted", "far", "overrun", "matilda")] == [HALF, HALF, HALF, 2, 2]
    assert [stacking["limits"][key] for key in ("battalions", "german", "artillery", "companies", "regiment")] == [2, 3, 1, 1, 3]
    assert [stacking["company"][key] for key in ("allied", "italian", "german", "flak-88")] == [3, 3, 4, 3]


def test_who_wins_and_how(game: GameData) -> None:
    rows = {(row["holder"], row["quotas"]): (row["winner"], row["level"]) for row in game.charts["victory"]}
    assert rows[("axis", "short")] == ("axis", "total")
    assert rows[("axis", "met")] == ("axis", "marginal")
    assert rows[("allied", "any")][0] == "allied"


@pytest.mark.rule("fall-of-tobruk", "calendar.1", "calendar.2", "calendar.3", "calendar.4")
def test_the_turn_record(game: GameData) -> None:
    track = game.charts["track"]
    days = [f"{day} May" for day in range(26, 32)] + [f"{day} June" for day in range(1, 27)]
    assert [row["turn"] for row in track] == list(game.turns) == days
    # read down four columns of eight days each
    tops = {1: "26 May", 2: "3 June", 3: "11 June", 4: "19 June"}
    assert {row["column"]: row["turn"] for row in track if row["row"] == 1} == tops
    assert [(row["column"], row["row"]) for row in track] == [(k // 8 + 1, k % 8 + 1) for k in range(32)]
    ours = {row["turn"] for row in track if game.source_of("track", row["turn"], "allied") == "reconstructed"}
    assert ours == {"2 June", "9 June", "10 June", "17 June", "18 June", "25 June", "26 June"}
    assert [row["turn"] for row in track if row["allied"] == "yes"] == ["1 June", "3 June", "6 June", "8 June"]
    assert [row["turn"] for row in track if row["axis"] == "yes"] == ["20 June"]
    assert game.turns[game.scenarios["gazala"].first_turn - 1] == "26 May"
    assert game.options["last_day"].default == "24 June"


def test_options_and_their_defaults(game: GameData) -> None:
    assert {key: option.default for key, option in game.options.items()} == {
        "tempo": "normal",
        "split_move": False,
        "below_min": "eliminate",
        "escarpment_move": "free",
        "multi_salvo": True,
        "markers_off": "all",
        "gap_moves": False,
        "voluntary_overstack": "refuse",
        "chart_tank_refit": False,
        "last_day": "24 June",
    }
