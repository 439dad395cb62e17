"""Tanks that attack across mines: losses and stall (minefields.8 to minefields.11, stall; FT-43, FT-44); and overruns (FT-16, FT-17).

Mines between 0807 and 0808. Combat factors: 115-I 5, 8PZ-2, 8PZ-3, 8PZ-7 4, 8PZ-1 3; 5EY 5. On 1:1 a 7 is Con."""

import pytest

from services.rules.games.fall_of_tobruk import minefield
from tests.rules.fall_of_tobruk.fighting import decision, fighting, fought, lose, lost, results, retreated, strengths
from tests.rules.fall_of_tobruk.positions import DONE, attack, on, order, position

UNITS = "115-I@0708 8PZ-2@0807 8PZ-3@0807 5EY@0808"
LINE = attack("0808", "115-I 8PZ-2 8PZ-3")  # 5 and half of 8: 9 to 5


def crossed(*dice: int, units: str = UNITS, line=LINE, **more):
    return fought(units, line, dice=dice, mines="0807/0808", **more)


@pytest.mark.rule("fall-of-tobruk", "minefields.8", "minefields.9", "minetable.1")
@pytest.mark.parametrize("die", [1, 2, 3])
def test_a_die_for_all_tanks_that_attack_across_mines(die):
    game = crossed(die, 1, 6)
    assert (lost(game), game.data("mine_roll")["tanks"], strengths(game)) == ({}, ["8PZ-2", "8PZ-3"], (9, 5, "1:1"))
    assert game.data("mine_roll") == {"label": "0808", "how": "attack", "tanks": ["8PZ-2", "8PZ-3"], "die": die, "lost": 0}


@pytest.mark.rule("fall-of-tobruk", "minefields.8")
def test_no_die_without_tanks_across_mines():
    game = crossed(2, 6, units="115-I@0807 8PZ-2@0708 5EY@0808", line=attack("0808", "115-I 8PZ-2"))  # half of 5, and 4
    assert (strengths(game), game.events("mine_roll")) == (("13/2", 5, "1:1"), [])


@pytest.mark.rule("fall-of-tobruk", "minefields.10", "minetable.2", "stall.1")
@pytest.mark.parametrize("die", [4, 5])
def test_a_four_and_a_five_lose_one_tank_and_the_odds_are_those_of_the_rest(die):
    game = crossed(die, 6, 1, 6)
    assert (lost(game), strengths(game), results(game)[0][2]) == ({"8PZ-2": "mines"}, (7, 5, "1:1"), "CON")
    assert (game.own("wrecks")[0]["hex"], game.data("not_stalled")["die"]) == ("0807", 6)


def test_the_table_of_the_battle_names_no_tank_that_the_mines_have_destroyed():
    game = crossed(4, 6, 1, 6)
    assert (lost(game), game.data("battle")["mined"]) == ({"8PZ-2": "mines"}, ["8PZ-3"])
    assert crossed(1, 1, 6).data("battle")["mined"] == ["8PZ-2", "8PZ-3"]


@pytest.mark.rule("fall-of-tobruk", "minefields.11", "minetable.3")
def test_a_six_loses_two_tanks():
    units, line = f"{UNITS} 8PZ-7@0807", attack("0808", "115-I 8PZ-2 8PZ-3 8PZ-7")
    game = crossed(6, 4, 1, 6, units=units, line=line)
    assert (lost(game), strengths(game)) == ({"8PZ-2": "mines", "8PZ-3": "mines"}, (7, 5, "1:1"))
    game = crossed(6, 4, 1, 6)  # all there are
    assert (lost(game), strengths(game)) == ({"8PZ-2": "mines", "8PZ-3": "mines"}, (5, 5, "1:1"))
    game = crossed(6, 4, 1, 6, units="115-I@0708 8PZ-2@0807 5EY@0808", line=attack("0808", "115-I 8PZ-2"))  # one at most
    assert (lost(game), strengths(game)) == ({"8PZ-2": "mines"}, (5, 5, "1:1"))


@pytest.mark.rule("fall-of-tobruk", "stall.1", "stall.2", "stall.3", "minetable.4")
@pytest.mark.parametrize("die", [1, 2, 3])
def test_an_attack_that_stalls_falls_back_a_hex_without_a_throw(die):
    game = crossed(4, die)
    assert (lost(game), results(game)) == ({"8PZ-2": "mines"}, [("0808", None, "STALL")])
    assert {unit: len(path.split()) for unit, path in retreated(game).items()} == {"115-I": 2, "8PZ-3": 2}
    assert (game.events("battle"), game.at("5EY"), game.data("finished")["units"]) == ([], "0808", ["115-I", "8PZ-3"])


@pytest.mark.parametrize("die", [4, 5, 6])
def test_on_four_to_six_the_attack_goes_on(die):
    assert results(crossed(4, die, 1, 6))[0][2] == "CON"


def test_all_attackers_in_a_stalled_attack_fall_back_engineers_and_those_not_behind_mines_too():
    units, line = f"{UNITS} 33ENG@0807", attack("0808", "115-I 8PZ-2 8PZ-3 33ENG")
    assert set(retreated(crossed(4, 1, units=units, line=line))) == {"115-I", "8PZ-3", "33ENG"}


def test_if_all_attackers_die_in_the_mines_there_is_no_combat():
    game = crossed(4, 6, units="8PZ-2@0807 5EY@0808", line=attack("0808", "8PZ-2"))
    assert (lost(game), results(game), game.events("battle")) == ({"8PZ-2": "mines"}, [("0808", None, "VOID")], [])


def test_attackers_whom_the_mines_leave_below_one_to_five_are_lost():
    units = "8PZ-2@0807 8PZ-7@0807 605@0708 5EY@0808 6GH@0808 7GH@0808"  # 2 and half of 8 to 15: 1:3; without 8PZ-2 and 8PZ-7 1:8
    game = crossed(6, 6, units=units, line=attack("0808", "8PZ-2 8PZ-7 605"))
    assert (lost(game), results(game)[0][2]) == ({"8PZ-2": "mines", "8PZ-7": "mines", "605": "below-1-5"}, "AE")
    game = crossed(6, 6, units=units, line=attack("0808", "8PZ-2 8PZ-7 605"), below_min="no-attack")
    assert (lost(game), results(game)[0][2]) == ({"8PZ-2": "mines", "8PZ-7": "mines"}, "VOID")


@pytest.mark.rule("fall-of-tobruk", "combat.11", "boxes.5")
def test_attackers_out_of_a_box_whom_the_mines_leave_below_one_to_five_are_not_lost():  # FT-20: they need not have attacked
    units = "8PZ-2@0807 8PZ-7@0807 605@0807 5EY@0808 6GH@0808 7GH@0808"  # half of 10 to 15; without the tanks 1 to 15
    game = fought(units, attack("0808", "8PZ-2 8PZ-7 605"), dice=[6, 6], boxes="0807")
    assert (lost(game), results(game)[0][2]) == ({"8PZ-2": "mines", "8PZ-7": "mines"}, "VOID")
    assert "done" in game.marks("605")


def test_one_roll_for_an_attack_on_several_hexes():
    units = "8PZ-2@0807 8PZ-3@0708 5EY@0808 6GH@0908"
    game = fought(units, attack("0808 0908", "8PZ-2 8PZ-3"), dice=[3, 1, 2], mines="0807/0808 0708/0808 0807/0908")
    assert (game.data("mine_roll")["tanks"], strengths(game)) == (["8PZ-2", "8PZ-3"], (4, 10, "1:3"))


# -- whose choice ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "minefields.10")
def test_the_owner_says_which_tank_is_lost():
    game = crossed(4, tempo="normal")
    assert (decision(game).kind, decision(game).default) == ("mine losses", {"units": ["8PZ-2"], "mine": True})
    game.axis(lose("115-I"))
    assert game.refusal() == ("not-in-battle", "minefields.10")
    game.axis(lose("8PZ-3", mine=True), dice=[6, 1, 6])
    assert lost(game) == {"8PZ-3": "mines"}
    game = crossed(4, 6, 1, 6, before=[on("MINE-LOSSES", lose("8PZ-3", mine=True))])
    assert lost(game) == {"8PZ-3": "mines"}
    game = crossed(4, 6, 1, 6, before=[on("MINE-LOSSES", lose("CHEAPEST", mine=True))])
    assert lost(game) == {"8PZ-2": "mines"}


def test_of_itself_the_cheapest_tank_goes():
    table = position("8PZ-1@0807 8PZ-2@0807 8PZ-7@0807 8PZ-3@0807").table
    tanks = ["8PZ-7", "8PZ-3", "8PZ-2", "8PZ-1"]
    assert minefield.choose(table, tanks, 2) == ("8PZ-1", "8PZ-2")
    assert minefield.choose(table, tanks, 2, ["8PZ-7", "115"]) == ("8PZ-7", "8PZ-1")


# -- overruns --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "overrun.4", "overrun.5")
def test_an_overrun_disrupts_whatever_the_result():
    units, line = "115-I@0708 8PZ-2@0807 8PZ-3@0807 5EY@0808", LINE
    game = fought(units, line, dice=[1, 2], overrun="0808")  # 26 to 5: Con
    assert (results(game)[0][2], game.marks("5EY"), game.data("disrupted")["cause"]) == ("CON", {"disrupted"}, "overrun")
    game = fought(units, line, dice=[2, 3], overrun="0808", standing=[on("RETREAT", order("RETREAT", hex="0910"))])
    assert (results(game)[0][2], game.at("5EY"), game.marks("5EY")) == ("DR2", "0910", {"disrupted"})
    game = fought(units, line, dice=[1, 1], overrun="0808", marks={"disrupted": "5EY"})  # 8:1, and the second time
    assert (results(game)[0][2], lost(game)) == ("CON", {"5EY": "overrun"})


def test_an_overrun_disrupts_though_the_attack_stalls_and_mines_do_not_undo_it():
    game = crossed(4, 1, overrun="0808")
    assert (results(game)[0][2], game.marks("5EY")) == ("STALL", {"disrupted"})
    game = crossed(6, 6, 1, 2, overrun="0808")  # both tanks lost, 115-I doubled all the same: 10 to 5
    assert (strengths(game), game.marks("5EY")) == ((10, 5, "2:1"), {"disrupted"})


@pytest.mark.rule("fall-of-tobruk", "overrun.1")
def test_tanks_of_the_attack_itself_are_counted():
    game = fighting("8PZ-2@0807 8PZ-3@0708 5EY@0808", own={"snapshot": {"0808": 1}})
    game.axis(attack("0808", "8PZ-2 8PZ-3"), DONE, dice=[1, 2])
    assert (game.data("overrun"), strengths(game)) == ({"label": "0808", "hexes": ["0808"], "tanks": 2, "antitank": 1}, (16, 5, "3:1"))
    game = fighting("8PZ-2@0807 8PZ-3@0708 5EY@0808", own={"snapshot": {"0808": 2}})
    game.axis(attack("0808", "8PZ-2 8PZ-3"), DONE, dice=[3, 4])
    assert (game.events("overrun"), strengths(game)) == ([], (8, 5, "1:1"))


@pytest.mark.rule("fall-of-tobruk", "minefields.18", "minefields.21")
def test_a_lone_tank_that_dies_in_the_mines_as_it_advances_goes_nowhere():
    before = [on("ADVANCE", order("ADVANCE", units=["8PZ-2"], hex="0808"))]
    game = fought("8PZ-2@0807 KDG@0808", attack("0808", "8PZ-2"), dice=[1, 6, 6, 4, 6], mines="0807/0808", before=before, overrun="0808")
    # no loss in the attack, 4 to 3 on 1:1: D elim; then the roll of the advance, and no stall
    assert (results(game)[0][1:], lost(game)) == (("1:1", "DE"), {"KDG": "combat", "8PZ-2": "mines"})
    assert game.events("advanced") == []
