"""9.3 Infiltration: from an enemy ZOC straight to another, on the clear plain about 2926, whose ZOC is 2925 3025 3026 2927 2826 2825."""

import pytest

from tests.rules.beda_fomm.positions import DONE, Game, move, order, position


def step(unit: str, others: str, side: str, to: str = "2825") -> Game:
    game = position(f"{unit}@2925 {others}", side=side)
    game.send(side, move(unit, to))
    return game


@pytest.mark.rule("beda-fomm", "9.31b", "9.32a", "9.33a", "5.33b")
def test_british_armor_infiltrates_and_is_marked():
    game = step("11H-1", "BER-SIR@2926", "british")
    assert (game.at("11H-1"), game.data("moved")["infiltrated"]) == ("2825", ["11H-1"])
    assert game.marks("11H-1") == {"moved", "infiltrated"}


@pytest.mark.rule("beda-fomm", "9.32b", "5.33b")
def test_personnel_of_both_sides_infiltrate():
    assert step("2RB-A", "BER-SIR@2926", "british").at("2RB-A") == "2825"
    assert step("PIA-PARA", "2RB-A@2926", "italian").at("PIA-PARA") == "2825"


@pytest.mark.rule("beda-fomm", "9.32c", "9.31b")
def test_italian_armor_and_weapons_do_not_infiltrate():
    assert step("BAB-6-1", "2RB-A@2926", "italian").refusal() == ("no-infiltration", "5.33a")
    assert step("C-4RHA", "BER-SIR@2926", "british").refusal() == ("no-infiltration", "5.33a")


@pytest.mark.rule("beda-fomm", "9.31b")
def test_who_leaves_a_zone_and_comes_back_over_free_ground_does_not_infiltrate():
    game = position("2RB-A@2925 BER-SIR@2926", side="british")
    game.british(move("2RB-A", "2924 2824 2825"))
    assert game.marks("2RB-A") == {"moved"}


@pytest.mark.rule("beda-fomm", "9.31a", "9.31b")
def test_an_infiltrator_enters_only_what_its_type_may_enter_and_stops_there():
    # Personnel into the zone of armor: with armor in the hex, not alone (BF-R17).
    assert step("2RB-A", "BAB-6-1@2926", "british").refusal() == ("armored-zoc", "5.42b")
    assert step("2RB-A", "BAB-6-1@2926 11H-1@2825", "british").at("2RB-A") == "2825"
    assert step("PIA-PARA", "11H-1@2926 BAB-6-1@2825", "italian").at("PIA-PARA") == "2825"
    game = position("2RB-A@2925 BER-SIR@2926", side="british")
    game.british(move("2RB-A", "2825 2826"))
    assert game.refusal() == ("must-stop", "5.32a")


@pytest.mark.rule("beda-fomm", "9.31b")
def test_armor_takes_personnel_along_in_an_infiltration_only_if_it_infiltrates_itself():
    game = position("2RB-A@2925 11H-1@2925 BAB-6-1@2926", side="british")
    game.british(move("2RB-A 11H-1", "2825"))
    assert game.data("moved")["infiltrated"] == ["11H-1", "2RB-A"]
    game = position("PIA-PARA@2925 BAB-6-1@2925 11H-1@2926")
    game.italian(move("PIA-PARA BAB-6-1", "2825"))
    assert game.refusal() == ("no-infiltration", "5.33a")


@pytest.mark.rule("beda-fomm", "9.33b")
def test_an_infiltrator_does_not_attack_in_that_player_turn():
    game = position("2RB-A@2925 2RB-B@3025 BER-SIR@2926", side="british")
    game.british(move("2RB-A", "2825"), order("ATTACK", hex="2926", units=["2RB-A"]))
    assert game.codes() == ["infiltrated"]
    game.british(move("2RB-A", "2825"), order("ATTACK", hex="2926", units=["2RB-B"]))
    assert game.last.status == "done"


@pytest.mark.rule("beda-fomm", "8.2h", "9.33b")
def test_the_marks_come_off_at_the_end_of_the_player_turn():
    game = position("2RB-A@2925 2RB-B@3025 BER-SIR@2926", side="british")
    game.british(move("2RB-A", "2825"), order("PHASE", name="declaration"))
    assert "infiltrated" in game.marks("2RB-A")
    game.british(DONE)
    assert (game.place, game.marks("2RB-A")) == ("10 italian movement", set())
