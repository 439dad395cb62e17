"""The Combat Results Table, every cell by a combat fought."""

import pytest

from services.rules.games.beda_fomm.crt import column_at
from tests.rules.beda_fomm.fight import attack, battles, checked, declaring, lost
from tests.rules.beda_fomm.positions import DONE

TABLE = {
    "1:3": "AE AE AM2 AM1 AM1 AM",
    "1:2": "AE AM2 AM1 AM1 AM DM",
    "1:1": "AM2 AM1 AM1 AM DM DM1",
    "2:1": "AM1 AM DM DM DM1 DM2",
    "3:1": "AM DM DM DM1 DM2 DE",
    "4:1": "AM DM DM1 DM1 DM2 DE",
    "5:1": "DM DM1 DM1 DM2 DE DE",
    "6:1": "DM1 DM1 DM2 DM3 DE DE",
}
"""As the chart is: odds -> the results of dice 1 to 6."""
FIGHTS = {  # combat factors: antitank and anti-air 1, SAB-MG 2, SAB-1 4, BER-BRE 5, 10B-16 6; 2RB-A 3, 106RHA 1, C-4RHA 4
    "1:3": ("10B-AT", "2RB-A", 1, 3),
    "1:2": ("SAB-MG", "C-4RHA", 2, 4),
    "1:1": ("10B-AT", "106RHA", 1, 1),
    "2:1": ("SAB-MG", "106RHA", 2, 1),
    "3:1": ("SAB-MG 10B-AT", "106RHA", 3, 1),
    "4:1": ("SAB-1", "106RHA", 4, 1),
    "5:1": ("BER-BRE", "106RHA", 5, 1),
    "6:1": ("10B-16", "106RHA", 6, 1),
}


def fought(odds: str, die: int):
    ours, theirs, attacking, defending = FIGHTS[odds]
    game = declaring(f"{theirs}@2404 {' '.join(f'{unit}@2304' for unit in ours.split())}", "italian")
    game.italian(attack("2404", ours), DONE, dice=[die, *[1, 1] * len(ours.split())])
    assert battles(game) == [("2404", attacking, defending, odds)]
    return game


@pytest.mark.rule("beda-fomm", "12.0s", "12.0t", "12.0u")
@pytest.mark.parametrize("odds", TABLE)
def test_every_cell_of_the_combat_results_table(odds):
    ours, theirs = (units.split() for units in FIGHTS[odds][:2])
    for die, result in enumerate(TABLE[odds].split(), 1):
        game = fought(odds, die)
        assert game.data("result")["result"] == result
        struck = ours if result.startswith("A") else theirs
        if result.endswith("E"):
            assert lost(game) == struck
        else:  # two ones and what the result adds, which everybody passes
            assert sorted(checked(game)) == sorted(struck)
            assert {event.data["n"] for event in game.events("morale_check")} == {int(result[2:] or 0)}
            assert not lost(game)


@pytest.mark.rule("beda-fomm", "12.0r")
def test_odds_are_rounded_for_the_defender():
    table = declaring("2RB-A@2404").table
    shown = {(7, 2): "3:1", (5, 3): "1:1", (2, 3): "1:2", (4, 9): "1:3", (11, 2): "5:1", (3, 3): "1:1"}
    assert {pair: column_at(table, *pair)[0] for pair in shown} == shown


@pytest.mark.rule("beda-fomm", "12.0r")
def test_beyond_the_table_the_columns_at_its_ends_are_used_and_nothing_is_too_poor_to_attack():
    # 12 to 1, and a defence of nought: two transports of a hex cannot stand so, hence by the column alone. 1 to 6: the column 1:3.
    table = declaring("2RB-A@2404").table
    assert column_at(table, 12, 1)[0] == "6:1"
    assert column_at(table, 1, 0)[0] == "6:1"
    assert column_at(table, 0, 4)[0] == "1:3"  # of an attack whose units are gone
    game = declaring("2RB-A@2404 2RB-B@2404 10B-AT@2304", "italian")
    game.italian(attack("2404", "10B-AT"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2404", 1, 6, "1:3")]
    assert game.data("result")["result"] == "AM"
