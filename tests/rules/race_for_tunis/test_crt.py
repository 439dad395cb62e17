"""9.1 The Combat Results Table, cell by cell: what two dice bring on each column.

Factors: 190PZ 8, BRN-I, BRN-II 4, T1 2, RVT 1; 17-21L 4, 13-1A-I 3, 1ES 2, 4CA 1."""

import pytest

from tests.rules.race_for_tunis.fighting import fought, results
from tests.rules.race_for_tunis.positions import attack

TABLE = """
    1:5 1:4 1:3 1:2 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1
 2  AE  AE  AE  DR1 AE  AE  AE  Ex  Eng DE  DE  Con
 3  AE  AE  AE  Con DR2 AR2 AR1 AR1 Con Con DR2 DE
 4  AE  AE  AR3 AE  Ex  Ex  Con Con Ex  Ex  DE  DE
 5  AR3 AR2 AE  AR2 AR2 AR1 Ex  DR1 DR2 DR3 Ex  DR4
 6  AE  AE  AR2 AR1 AR1 Eng DR1 DR2 DR3 DR3 DR4 DE
 7  AE  AE  AE  AR2 Con DR1 DR2 DR2 DR2 DR4 DE  DE
 8  AE  AR2 AR2 AE  Eng Con Eng DR2 DR3 DR3 DE  DE
 9  AR3 AE  AR1 Eng DR1 DR2 DR2 Ex  Ex  DE  DR3 DE
10  AE  AR3 Con DR1 AR1 DR1 DR3 DR3 DE  Eng DE  Ex
11  AR2 Con DR1 Ex  Ex  Ex  DE  DE  DE  DE  DE  DE
12  Con AR1 DR2 DR2 DE  DE  AR2 Eng DR4 Ex  Eng DE
"""
ROWS = [line.split() for line in TABLE.splitlines() if line.strip()]
FORCES = {
    "1:5": ("RVT", "17-21L 4CA"),
    "1:4": ("RVT", "17-21L"),
    "1:3": ("RVT", "13-1A-I"),
    "1:2": ("RVT", "1ES"),
    "1:1": ("T1", "1ES"),
    "2:1": ("BRN-I", "1ES"),
    "3:1": ("BRN-I T1", "1ES"),
    "4:1": ("190PZ", "1ES"),
    "5:1": ("190PZ T1", "1ES"),
    "6:1": ("190PZ BRN-I", "1ES"),
    "7:1": ("190PZ BRN-I T1", "1ES"),
    "8:1": ("190PZ BRN-I BRN-II", "1ES"),
}


@pytest.mark.rule("race-for-tunis", "9.1.A-2")
@pytest.mark.parametrize("column", range(12), ids=ROWS[0])
def test_each_cell_of_a_column(column):
    odds = ROWS[0][column]
    attackers, defenders = FORCES[odds]
    units = " ".join([*(f"{unit}@1312" for unit in attackers.split()), *(f"{unit}@1313" for unit in defenders.split())])
    for row in ROWS[1:]:
        game = fought(units, attack("1313", attackers), roll=int(row[0]))
        assert results(game) == [("1313", odds, row[column + 1])]


@pytest.mark.rule("race-for-tunis", "9.1.A-1", "2.5-1", "8.1-3")
def test_two_dice_are_thrown_for_a_battle_once_the_odds_are_known():
    game = fought("BRN-I@1312 1ES@1313", attack("1313", "BRN-I"), roll=8)
    (rolled,) = game.events("rolled")
    assert (rolled.data["dice"], rolled.data["sides"]) == ([2, 6], 6)
    assert game.kinds().index("battle") < game.kinds().index("rolled") < game.kinds().index("result")
