"""Antitank fire: who fires at which tanks, at what odds, and all at once. Factors and hexes are in ``shooting``."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.games.fall_of_tobruk import antitank
from tests.rules.fall_of_tobruk.positions import DONE, fire, order
from tests.rules.fall_of_tobruk.shooting import NOTHING, fired, segment, shots, wrecked

# -- odds and the table ----------------------------------------------------------------------------------------------------------

BY_COLUMN = {
    "1:2": "8PZ-1",  # 1 to 2
    "1:1": "8PZ-2",  # 3
    "2:1": "8PZ-8",  # 4
    "3:1": "115",  # 6
    "4:1": "8PZ-2 8PZ-7",  # 8
    "6:1": "88-1",  # 12
    "8:1": "88-1 8PZ-8",  # 16
    "10:1": "88-1 8PZ-7 8PZ-2",  # 20
}
"""Units that fire at a Crusader, of 2, in each column of the table."""


def at_crusader(units: str, die: int) -> Any:
    laid = " ".join(f"{unit}@1007" for unit in units.split())
    return fired(f"{laid} 2RGH-2@1008", units, fire(units, "2RGH-2", "1008"), dice=[die])


@pytest.mark.rule("fall-of-tobruk", "at.13", "attable.1", "attable.r1", "attable.2")
@pytest.mark.parametrize(("column", "units"), BY_COLUMN.items())
def test_a_one_kills_in_every_column(column, units):
    game = at_crusader(units, 1)
    assert (shots(game), game.data("shot")["column"]) == ([(units, "2RGH-2", column)], column)
    assert wrecked(game) == {"2RGH-2": "1008"}


@pytest.mark.rule("fall-of-tobruk", "attable.r2", "attable.r3a", "attable.r3b", "attable.4")
@pytest.mark.parametrize(
    ("column", "die", "hit"),
    [
        ("1:2", 2, False),
        *((column, 2, True) for column in BY_COLUMN if column != "1:2"),
        ("1:2", 3, False),
        ("1:1", 3, False),
        ("2:1", 3, True),
        ("3:1", 3, True),
    ],
)
def test_printed_cells_of_the_second_and_third_row(column, die, hit):
    game = at_crusader(BY_COLUMN[column], die)
    assert wrecked(game) == ({"2RGH-2": "1008"} if hit else {})
    assert game.data("shot")["hit"] is hit


@pytest.mark.rule("fall-of-tobruk", "attable.r3c")
@pytest.mark.parametrize("die", [3, 4, 5, 6])
@pytest.mark.parametrize("column", ["4:1", "10:1"])
def test_cells_that_are_not_printed_are_the_packages(column, die):
    game = at_crusader(BY_COLUMN[column], die)
    cell = next(row for row in game.module.data.charts["antitank"] if row["die"] == die)[column]
    assert game.data("shot")["hit"] is (cell == "X")


@pytest.mark.rule("fall-of-tobruk", "at.14", "attable.1")
@pytest.mark.parametrize(
    ("units", "targets", "odds", "column"),
    [
        ("8PZ-2", "2RGH-2", "1:1", "1:1"),  # 3 to 2
        ("8PZ-2", "2RGH-1", "1:2", "1:2"),  # 3 to 4
        ("8PZ-7 8PZ-2", "2RGH-2 2RGH-3", "2:1", "2:1"),  # 8 to 4
        ("8PZ-7 605", "2RGH-2", "5:1", "4:1"),  # 10 to 2
        ("88-1 8PZ-2", "2RGH-2", "7:1", "6:1"),  # 15 to 2
        ("88-1 8PZ-2 8PZ-8", "2RGH-2", "9:1", "8:1"),  # 19 to 2
        ("88-1 88-2", "2RGH-2", "12:1", "10:1"),  # 24 to 2
    ],
)
def test_odds_are_rounded_to_the_good_of_the_targets(units, targets, odds, column):
    laid = " ".join(f"{unit}@1007" for unit in units.split()) + "".join(f" {unit}@1008" for unit in targets.split())
    game = fired(laid, units, fire(units, targets, "1008"), dice=[6])
    assert (game.data("shot")["odds"], game.data("shot")["column"]) == (odds, column)


@pytest.mark.rule("fall-of-tobruk", "attable.3")
def test_a_shot_below_one_to_two_is_refused():
    game = segment("8PZ-1@1007 8PZ-3@1007 2RGH-1@1008", "8PZ-1 8PZ-3")
    game.axis(fire("8PZ-1", "2RGH-1", "1008"))  # 1 to 4
    assert game.refusal() == ("below-the-table", "attable.3")
    game.allied(NOTHING, DONE)
    game.axis(fire("8PZ-1 8PZ-3", "2RGH-1", "1008"), DONE, dice=[6])  # 4 to 4
    assert shots(game) == [("8PZ-1 8PZ-3", "2RGH-1", "1:1")]


# -- who fires at what -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "at.1", "at.9", "seq.8")
def test_active_units_of_the_phasing_side_fire_at_tanks_that_they_stand_next_to():
    units = "8PZ-7@1007 8PZ-2@1007 8PZ-3@1007 8PZ-4@1006 2RGH-2@1008"
    game = segment(units, "8PZ-7 8PZ-3 8PZ-4", marks={"done": "8PZ-3"})
    game.axis(fire("8PZ-2", "2RGH-2", "1008"))
    assert game.refusal() == ("not-active", "at.1")
    game.axis(fire("8PZ-3", "2RGH-2", "1008"))
    assert game.refusal() == ("finished", "seq.8")
    game.axis(fire("8PZ-4", "2RGH-2", "1008"))
    assert game.refusal() == ("not-adjacent", "at.9")
    game.allied(NOTHING, DONE)
    game.axis(fire("8PZ-7", "2RGH-2", "1008"), DONE, dice=[2])  # 5 to 2
    assert wrecked(game) == {"2RGH-2": "1008"}


@pytest.mark.rule("fall-of-tobruk", "at.2", "seq.10")
def test_defenders_fire_at_tanks_beside_them_if_an_active_enemy_is():
    game = segment("8PZ-2@1007 8PZ-3@1107 2SG@1008 5EY@1207 KDG@1106", "8PZ-2")
    game.allied(fire("5EY", "8PZ-3", "1107"))  # 8PZ-3 takes no part, and nobody else is beside 1207
    assert game.refusal() == ("not-attacked", "seq.10")
    game.allied(fire("2SG", "8PZ-2", "1007"), DONE, dice=[1])  # 2 to 3; the Axis has nothing to fire at
    assert (shots(game), wrecked(game)) == ([("2SG", "8PZ-2", "1:2")], {"8PZ-2": "1007"})


@pytest.mark.rule("fall-of-tobruk", "at.2")
def test_defenders_that_are_attacked_fire_at_any_tank_beside_them_active_or_not():
    game = segment("115@1007 8PZ-2@1108 2SG@1008", "115")
    game.allied(fire("2SG", "8PZ-2", "1108"), DONE, dice=[1])
    assert wrecked(game) == {"8PZ-2": "1108"}


@pytest.mark.rule("fall-of-tobruk", "at.3", "at.4")
def test_a_shooter_needs_an_antitank_factor_and_a_target_is_a_tank():
    game = segment("19@1007 132ENG@1007 8PZ-2@1007 2RGH-2@1008 2SG@1008", "19 132ENG 8PZ-2")
    for unit in ("19", "132ENG"):
        game.axis(fire(unit, "2RGH-2", "1008"))
        assert game.refusal() == ("no-antitank-factor", "at.3")
    for target, code in (("2SG", "not-a-tank"), ("115", "no-such-target"), ("8PZ-2", "no-such-target")):
        game.axis(fire("8PZ-2", target, "1008"))
        assert game.refusal() == (code, "at.4")


@pytest.mark.rule("fall-of-tobruk", "at.5", "matilda.1", "matilda.2")
def test_a_tank_resists_with_its_own_factor_and_a_matilda_with_twice_that():
    game = fired("8PZ-8@1007 2RGH-2@1008 42RT-1@1008", "8PZ-8", fire("8PZ-8", "2RGH-2", "1008"), dice=[6])
    assert shots(game) == [("8PZ-8", "2RGH-2", "2:1")]  # 4 to 2
    game = fired("8PZ-8@1007 2RGH-2@1008 42RT-1@1008", "8PZ-8", fire("8PZ-8", "42RT-1", "1008"), dice=[6])
    assert shots(game) == [("8PZ-8", "42RT-1", "1:1")]  # 4 to twice 2
    game = fired("42RT-1@1007 8PZ-1@1008", "42RT-1", fire("42RT-1", "8PZ-1", "1008"), side="allied", dice=[6])
    assert shots(game) == [("42RT-1", "8PZ-1", "2:1")]  # it fires with 2


@pytest.mark.rule("fall-of-tobruk", "at.6", "at.7")
def test_who_has_moved_does_not_fire_but_for_tanks_recon_and_self_propelled_guns():
    moved = "115-I 33ENG 88-1 33ART-1 8PZ-7 33AA 605"
    laid = " ".join(f"{unit}@1007" for unit in moved.split()) + " 2RGH-2@1008"
    game = segment(laid, moved, marks={"moved": moved})
    for unit in ("115-I", "33ENG", "88-1", "33ART-1"):
        game.axis(fire(unit, "2RGH-2", "1008"))
        assert game.refusal() == ("moved-no-antitank", "at.6")
    game.allied(NOTHING, DONE)
    game.axis(fire("8PZ-7 33AA 605", "2RGH-2", "1008"), DONE, dice=[6])  # 5, 2 and 5
    assert shots(game) == [("8PZ-7 33AA 605", "2RGH-2", "6:1")]
    game = fired("115-I@1007 2RGH-2@1008", "115-I", fire("115-I", "2RGH-2", "1008"), dice=[6])  # stands
    assert shots(game) == [("115-I", "2RGH-2", "1:1")]


@pytest.mark.rule("fall-of-tobruk", "at.2", "at.6")
def test_that_a_defender_moved_in_his_own_turn_is_nothing_to_this_one():
    game = segment("8PZ-2@1007 2SG@1008", "8PZ-2", marks={"moved": "2SG"})
    game.allied(fire("2SG", "8PZ-2", "1007"), DONE, dice=[6])
    assert len(shots(game)) == 1


@pytest.mark.rule("fall-of-tobruk", "artillery.11")
def test_guns_that_have_bombarded_fire_at_tanks():
    game = fired("33ART-1@1007 2RGH-2@1008", "33ART-1", fire("33ART-1", "2RGH-2", "1008"), dice=[2], marks={"shelled": "33ART-1"})
    assert (shots(game), wrecked(game)) == ([("33ART-1", "2RGH-2", "1:1")], {"2RGH-2": "1008"})


# -- singly, together, at one tank or several ------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "at.16", "at.19")
def test_units_fire_singly_or_together_and_leave_tanks_alone():
    laid = "8PZ-2@1007 8PZ-3@1007 2RGH-2@1008 2RGH-3@1008"
    game = fired(laid, "8PZ-2 8PZ-3", fire("8PZ-2 8PZ-3", "2RGH-2", "1008"), dice=[3])
    assert (shots(game), wrecked(game)) == ([("8PZ-2 8PZ-3", "2RGH-2", "3:1")], {"2RGH-2": "1008"})  # 6 to 2
    assert game.at("2RGH-3") == "1008"
    game = fired(laid, "8PZ-2 8PZ-3", fire("8PZ-2", "2RGH-2", "1008"), fire("8PZ-3", "2RGH-3", "1008"), dice=[2, 3])
    assert shots(game) == [("8PZ-2", "2RGH-2", "1:1"), ("8PZ-3", "2RGH-3", "1:1")]
    assert wrecked(game) == {"2RGH-2": "1008"}


@pytest.mark.rule("fall-of-tobruk", "at.16")
def test_units_of_several_hexes_fire_together():
    game = fired("8PZ-2@1007 8PZ-3@1108 2RGH-2@1008", "8PZ-2 8PZ-3", fire("8PZ-2 8PZ-3", "2RGH-2", "1008"), dice=[6])
    assert shots(game) == [("8PZ-2 8PZ-3", "2RGH-2", "3:1")]


@pytest.mark.rule("fall-of-tobruk", "at.17", "at.18", "attable.2")
def test_several_tanks_in_one_hex_pool_their_factors_and_die_together():
    laid = "8PZ-7@1007 2RGH-2@1008 2RGH-3@1008 3CLY-2@1108"
    game = segment(laid, "8PZ-7")
    game.axis(order("FIRE", units=["8PZ-7"], targets=["2RGH-2", "3CLY-2"]))
    assert game.refusal() == ("targets-in-one-hex", "at.17")
    game.axis(fire("8PZ-7", "2RGH-2", "1108"))
    assert game.refusal() == ("targets-in-one-hex", "at.17")
    game.allied(NOTHING, DONE)
    game.axis(fire("8PZ-7", "2RGH-2 2RGH-3", "1008"), DONE, dice=[2])  # 5 to 4
    assert shots(game) == [("8PZ-7", "2RGH-2 2RGH-3", "1:1")]
    assert wrecked(game) == {"2RGH-2": "1008", "2RGH-3": "1008"}


@pytest.mark.rule("fall-of-tobruk", "at.11")
def test_a_unit_fires_once_in_a_segment():
    game = segment("8PZ-7@1007 8PZ-2@1007 2RGH-2@1008 2RGH-3@1008", "8PZ-7 8PZ-2")
    game.axis(fire("8PZ-7", "2RGH-2", "1008"), fire("8PZ-7 8PZ-2", "2RGH-3", "1008"))
    assert game.refusal() == ("shot-already", "at.11")
    game.axis(fire("8PZ-7 8PZ-7", "2RGH-2", "1008"))
    assert game.codes() == ["malformed"]
    game.allied(NOTHING, DONE)
    game.axis(fire("8PZ-7", "2RGH-2", "1008"), fire("8PZ-7", "2RGH-3", "1008"), DONE, dice=[6])  # the later line for it stands
    assert shots(game) == [("8PZ-7", "2RGH-3", "2:1")]
    assert game.marks("8PZ-7") == {"active", "fired"}


# -- mines, disruption, supply ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "at.15", "minefields.5")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (2, False)])
def test_two_are_added_for_the_phasing_side_across_mines(die, hit):
    game = fired("8PZ-8@1007 2RGH-2@1008", "8PZ-8", fire("8PZ-8", "2RGH-2", "1008"), dice=[die], mines="1007/1008")
    assert game.data("shot")["modifiers"] == [{"n": 2, "why": "minefield", "clause": "at.15"}]
    assert game.data("shot")["hit"] is hit  # at 2:1: 3 kills, 4 does not


@pytest.mark.rule("fall-of-tobruk", "at.15", "minefields.5")
def test_two_are_added_if_one_of_those_who_fire_together_does_so_across_mines():
    both = fire("8PZ-2 8PZ-3", "2RGH-2", "1008")
    game = fired("8PZ-2@1007 8PZ-3@1108 2RGH-2@1008", "8PZ-2 8PZ-3", both, dice=[6], mines="1007/1008")
    assert [one["n"] for one in game.data("shot")["modifiers"]] == [2]
    alone = fire("8PZ-3", "2RGH-2", "1008")
    game = fired("8PZ-2@1007 8PZ-3@1108 2RGH-2@1008", "8PZ-2 8PZ-3", alone, dice=[6], mines="1007/1008")
    assert game.data("shot")["modifiers"] == []


@pytest.mark.rule("fall-of-tobruk", "at.15", "firstfire.2", "gap.5")
def test_a_gap_is_nothing_to_antitank_fire_unless_the_game_is_played_so():  # FT-46
    laid, shot = "8PZ-8@1007 33ENG@1007 2RGH-2@1008", fire("8PZ-8", "2RGH-2", "1008")
    gap = {"own": {"gaps": [{"hexes": ["1007", "1008"], "engineer": "33ENG"}]}, "mines": "1007/1008"}
    for option, more in ((False, [2]), (True, [])):
        game = fired(laid, "8PZ-8", shot, dice=[6], gap_moves=option, **gap)
        assert [one["n"] for one in game.data("shot")["modifiers"]] == more
        game = segment(laid, "8PZ-8", step="first fire", gap_moves=option, **gap)
        assert antitank.somebody_entitled(game.table) is not option
    game = fired(laid, "2RGH-2", fire("2RGH-2", "8PZ-8", "1007"), side="allied", dice=[6], gap_moves=True, **gap)
    assert [one["n"] for one in game.data("shot")["modifiers"]] == [2]  # to the Allies the mines lie there still


@pytest.mark.rule("fall-of-tobruk", "minefields.6")
def test_the_side_that_does_not_move_fires_across_mines_as_elsewhere():
    game = segment("8PZ-1@1007 2RGH-2@1008", "8PZ-1", mines="1007/1008")
    game.allied(fire("2RGH-2", "8PZ-1", "1007"), DONE)
    game.axis(NOTHING, DONE, dice=[3])  # 2:1
    assert (game.data("shot")["modifiers"], wrecked(game)) == ([], {"8PZ-1": "1007"})


@pytest.mark.rule("fall-of-tobruk", "disrupt.11")
def test_disrupted_units_fire_and_resist_with_half():
    game = fired("8PZ-7@1007 2RGH-2@1008", "8PZ-7", fire("8PZ-7", "2RGH-2", "1008"), dice=[6], marks={"disrupted": "8PZ-7"})
    assert (shots(game), game.data("shot")["units"]) == ([("8PZ-7", "2RGH-2", "1:1")], [{"unit": "8PZ-7", "factor": "5/2"}])
    game = fired("8PZ-7@1007 2RGH-2@1008", "8PZ-7", fire("8PZ-7", "2RGH-2", "1008"), dice=[6], marks={"disrupted": "2RGH-2"})
    assert shots(game) == [("8PZ-7", "2RGH-2", "5:1")]  # 5 to 1


@pytest.mark.rule("fall-of-tobruk", "disrupt.14")
def test_disrupted_artillery_does_not_fire_and_a_disrupted_88_fires_with_half():
    laid = "33ART-1@1007 88-1@1007 2RGH-2@1008"
    game = segment(laid, "33ART-1 88-1", marks={"disrupted": "33ART-1 88-1"})
    game.axis(fire("33ART-1", "2RGH-2", "1008"))
    assert game.refusal() == ("disrupted-gun", "disrupt.14")
    game.allied(NOTHING, DONE)
    game.axis(fire("88-1", "2RGH-2", "1008"), DONE, dice=[6])
    assert shots(game) == [("88-1", "2RGH-2", "3:1")]  # 6 to 2


@pytest.mark.rule("fall-of-tobruk", "supply.13", "supply.2")
def test_want_of_supply_halves_the_fire_of_the_axis_in_its_own_turn_alone():
    game = fired("8PZ-8@1007 2RGH-2@1008", "8PZ-8", fire("8PZ-8", "2RGH-2", "1008"), dice=[6], marks={"unsupplied": "8PZ-8"})
    assert shots(game) == [("8PZ-8", "2RGH-2", "1:1")]  # 2 to 2
    game = segment("2RGH-2@1007 8PZ-8@1008", "2RGH-2", "allied", marks={"unsupplied": "8PZ-8"})
    game.axis(fire("8PZ-8", "2RGH-2", "1007"), DONE)
    game.allied(fire("2RGH-2", "8PZ-8", "1008"), DONE, dice=[6, 6])
    assert shots(game) == [("2RGH-2", "8PZ-8", "1:2"), ("8PZ-8", "2RGH-2", "2:1")]


# -- at once, and in secret ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "at.12", "at.20", "at.21", "repair.3", "repair.4")
def test_tanks_that_kill_each_other_both_fire():
    game = segment("8PZ-2@1007 2RGH-1@1008", "8PZ-2")
    game.allied(fire("2RGH-1", "8PZ-2", "1007"), DONE)
    game.axis(fire("8PZ-2", "2RGH-1", "1008"), DONE, dice=[1, 1])
    assert shots(game) == [("8PZ-2", "2RGH-1", "1:2"), ("2RGH-1", "8PZ-2", "1:1")]
    assert wrecked(game) == {"8PZ-2": "1007", "2RGH-1": "1008"}
    assert (game.at("8PZ-2"), game.at("2RGH-1")) == ("box:wreck", "box:wreck")
    assert [(one["side"], one["hex"]) for one in game.own("wrecks")] == [("allied", "1008"), ("axis", "1007")]


@pytest.mark.rule("fall-of-tobruk", "at.12")
def test_two_shots_at_one_tank_are_both_fired_and_kill_it_once():
    each = (fire("8PZ-2", "2RGH-2", "1008"), fire("8PZ-3", "2RGH-2", "1008"))
    game = fired("8PZ-2@1007 8PZ-3@1007 2RGH-2@1008", "8PZ-2 8PZ-3", *each, dice=[1, 1])
    assert (len(shots(game)), wrecked(game)) == (2, {"2RGH-2": "1008"})


@pytest.mark.rule("fall-of-tobruk", "at.8", "at.9")
def test_neither_side_sees_what_the_other_has_ordered_until_both_have_closed():
    game = segment("8PZ-2@1007 2RGH-1@1008", "8PZ-2", tempo="normal")
    game.axis(fire("8PZ-2", "2RGH-1", "1008"), DONE)
    assert (shots(game), game.view("allied")["waiting_for"]) == ([], ["allied"])
    assert game.view("allied")["sets"] == {}
    game.allied(fire("2RGH-1", "8PZ-2", "1007"), DONE, dice=[6, 6])
    assert len(shots(game)) == 2


@pytest.mark.rule("fall-of-tobruk", "paralysis.7")
def test_tanks_shot_at_on_the_first_day_are_roused():
    game = fired("8PZ-8@1007 2RGH-2@1008 2RGH-3@1008", "8PZ-8", fire("8PZ-8", "2RGH-2", "1008"), dice=[6], turn=1)
    assert (game.marks("2RGH-2"), game.marks("2RGH-3")) == ({"roused"}, set())


def test_the_table_is_read_by_its_columns():
    game = segment("8PZ-2@1007 2RGH-1@1008", "8PZ-2")
    assert [str(column) for column in antitank.at_table(game.table).columns] == list(BY_COLUMN)
