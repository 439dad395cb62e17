"""What the results of the table do (crt.aelim to crt.delim, crt.loss.1, boxes.2; FT-34, FT-36, FT-39).

Combat factors: 115 15, its battalions and 104-I, 5EY, 6GH 5, 288 6, 8PZ-2 4, 132-1, KDG 3, 605, 88-1 2.  Round 0808, clockwise: 0807 0908
0909 0809 0709 0708."""

import pytest

from tests.rules.fall_of_tobruk.fighting import advance, advanced, fought, lose, lost, results, retreated, strengths
from tests.rules.fall_of_tobruk.positions import DONE, TURN, attack, on, order, stand

# -- attackers eliminated --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "crt.aelim.1", "crt.aelim.2")
def test_attackers_go_for_what_the_defenders_count_and_the_others_fall_back_a_hex():
    game = fought("115-I@0807 104-I@0807 288@0708 5EY@0808", attack("0808", "115-I 104-I 288"), roll=2)  # 16 to 5
    assert (results(game), lost(game)) == ([("0808", "3:1", "AE")], {"104-I": "losses"})  # 5, as 115-I, and before it by its id
    assert (set(retreated(game)), game.at("5EY")) == ({"115-I", "288"}, "0808")
    assert all(len(way.split()) == 2 for way in retreated(game).values())


@pytest.mark.rule("fall-of-tobruk", "crt.aelim.1")
def test_attackers_that_count_no_more_all_go():
    game = fought("605@0807 88-1@0807 5EY@0808", attack("0808", "605 88-1"), roll=4)  # 4 to 5
    assert (results(game), lost(game)) == ([("0808", "1:2", "AE")], {"605": "losses", "88-1": "losses"})


@pytest.mark.rule("fall-of-tobruk", "crt.loss.1")
def test_losses_are_printed_factors_whatever_counted_in_the_combat():
    game = fought("605@0807 88-1@0807 132-1@0807 5EY@0808", attack("0808", "605 88-1 132-1"), roll=2, marks={"disrupted": "5EY"})
    # 7 to a half of 5; but 5 are to be lost: 132-1 and a 2 make 5, of the same antitank factor 605 is the less
    assert (strengths(game), lost(game)) == ((7, "5/2", "2:1"), {"605": "losses", "132-1": "losses"})
    game = fought("115-I@0807 288@0807 5EY@0808", attack("0808", "115-I 288"), roll=2, mines="0807/0808")
    assert (strengths(game), lost(game)) == (("11/2", 5, "1:1"), {"115-I": "losses"})


def test_defenders_may_enter_a_hex_whose_attackers_are_all_dead():  # FT-34
    standing = [on("ADVANCE", advance("5EY", "0807"))]
    game = fought("605@0807 88-1@0807 5EY@0808", attack("0808", "605 88-1"), roll=4, standing=standing)
    assert advanced(game) == {"5EY": "0807"}
    game = fought("115-I@0807 104-I@0807 5EY@0808", attack("0808", "115-I 104-I"), roll=2, standing=standing)  # one falls back
    assert (lost(game), advanced(game)) == ({"104-I": "losses"}, {})


# -- backs -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "crt.abk.1")
def test_attackers_fall_back_as_many_hexes_as_the_result_says():
    for roll, length in ((10, 1), (5, 2)):
        game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=roll)
        assert (results(game), len(retreated(game)["115-I"].split())) == ([("0808", "1:1", f"AR{length}")], length + 1)
        assert lost(game) == {}


@pytest.mark.rule("fall-of-tobruk", "crt.abk.2")
def test_defenders_may_advance_a_hex_less():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=5, standing=[on("ADVANCE", advance("5EY", "0807"))])
    assert (results(game)[0][2], advanced(game)) == ("AR2", {"5EY": "0807"})
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=10, standing=[on("ADVANCE", advance("5EY", "0807"))])
    assert (results(game)[0][2], advanced(game)) == ("AR1", {})


@pytest.mark.rule("fall-of-tobruk", "crt.dbk.1")
def test_defenders_fall_back_as_many_hexes_as_the_result_says():
    for roll, length in ((9, 1), (3, 2)):
        game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=roll)
        assert (results(game), len(retreated(game)["5EY"].split())) == ([("0808", "1:1", f"DR{length}")], length + 1)
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=10)
    assert (results(game)[0][2], len(retreated(game)["5EY"].split())) == ("DR3", 4)


@pytest.mark.rule("fall-of-tobruk", "crt.dbk.2")
def test_attackers_may_advance_a_hex_less():
    into = [on("ADVANCE", advance("115-I", "0808"))]
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=3, before=into)
    assert (results(game)[0][2], advanced(game)) == ("DR2", {"115-I": "0808"})
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=9, before=into)
    assert (results(game)[0][2], advanced(game)) == ("DR1", {})


@pytest.mark.rule("fall-of-tobruk", "crt.dbk.3")
def test_defenders_driven_off_the_map_are_lost():
    # 2008 has 2007, 1908, 1909, 2009 on the map.
    units = "115-I@2007 104-I@1908 104-II@1909 104-III@2009 5EY@2008 6GH@2008 7GH@2008 4EY@2008"
    game = fought(units, attack("2008", "115-I 104-I 104-II 104-III"), roll=9)  # 20 to 20
    assert (results(game)[0][1:], set(lost(game).values())) == (("1:1", "DR1"), {"off-map"})
    assert game.events("eliminated")[0].clause == "crt.dbk.3"
    assert [game.at(unit) for unit in ("5EY", "6GH", "7GH", "4EY")] == ["box:refit"] * 4


@pytest.mark.rule("fall-of-tobruk", "boxes.2")
def test_occupants_of_a_box_disregard_a_result_back_and_no_other():
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=9, boxes="0808", before=[on("ADVANCE", advance("115", "0808"))])
    assert (results(game)[0][1:], retreated(game), advanced(game)) == (("1:1", "DR1"), {}, {})
    assert game.data("held") == {"label": "0808", "units": ["5EY"]}
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=12, boxes="0808")
    assert (results(game)[0][1:], lost(game)) == (("1:1", "DE"), {"5EY": "combat"})
    game = fought("115@0807 104@0807 5EY@0808 6GH@0908", attack("0808 0908", "115 104"), roll=9, boxes="0808")  # 15 to 10
    assert (results(game)[0][1:], set(retreated(game))) == (("1:1", "DR1"), {"6GH"})


# -- contact ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "crt.con.1", "crt.con.2")
def test_after_a_contact_nothing_changes_and_the_defender_must_attack_or_leave_in_his_turn():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=7)
    assert (results(game)[0][2], lost(game), retreated(game), advanced(game)) == ("CON", {}, {}, {})
    assert game.own("engaged") == []
    game.axis(TURN)
    assert game.place == "5 allied movement 1"
    game.allied(DONE)
    assert (game.last.rejections[0].code, game.last.rejections[0].details["units"]) == ("must-attack", ["5EY"])
    game.allied(stand("5EY"), DONE, DONE)
    assert (game.last.rejections[0].code, game.last.rejections[0].clause) == ("must-attack", "combat.2")


# -- exchanges -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "crt.exch.1", "crt.exch.2")
def test_an_exchange_takes_all_defenders_and_as_much_of_the_attackers():
    game = fought("115-I@0807 104-I@0708 5EY@0808", attack("0808", "115-I 104-I"), roll=4)
    assert (results(game), lost(game)) == ([("0808", "2:1", "EX")], {"5EY": "combat", "104-I": "losses"})
    assert (retreated(game), game.at("115-I")) == ({}, "0807")


@pytest.mark.rule("fall-of-tobruk", "crt.exch.3")
def test_where_the_exact_number_cannot_be_removed_more_is():
    game = fought("288@0807 8PZ-2@0708 5EY@0808", attack("0808", "288 8PZ-2"), roll=4)  # 6 and 4: 4 are too few
    assert (results(game)[0][1:], lost(game)) == (("2:1", "EX"), {"5EY": "combat", "288": "losses"})


@pytest.mark.rule("fall-of-tobruk", "crt.exch.4")
def test_attackers_that_are_left_may_occupy_the_hex():
    into = [on("ADVANCE", advance("115-I", "0808"))]
    game = fought("115-I@0807 104-I@0708 5EY@0808", attack("0808", "115-I 104-I"), roll=4, before=into)
    assert (lost(game), advanced(game)) == ({"5EY": "combat", "104-I": "losses"}, {"115-I": "0808"})


@pytest.mark.rule("fall-of-tobruk", "crt.exch.5")
def test_at_one_to_two_the_attackers_all_go_and_the_defenders_pay():
    game = fought("8PZ-2@0807 5EY@0808 KDG@0808", attack("0808", "8PZ-2"), roll=11)  # 4 to 8
    assert (results(game), lost(game)) == ([("0808", "1:2", "EX")], {"8PZ-2": "combat", "5EY": "losses"})
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=11, high="0808")  # 1:1 and high ground
    assert (results(game), lost(game)) == ([("0808", "1:2", "EX")], {"115-I": "combat", "5EY": "losses"})


def test_defenders_left_by_an_exchange_may_enter_the_hex_of_the_attackers():  # FT-34
    game = fought("8PZ-2@0807 5EY@0808 KDG@0808", attack("0808", "8PZ-2"), roll=11, standing=[on("ADVANCE", advance("KDG", "0807"))])
    assert advanced(game) == {"KDG": "0807"}


# -- defenders eliminated --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "crt.delim.1", "crt.delim.2")
def test_all_defenders_go_and_an_attacker_may_enter():
    into = [on("ADVANCE", advance("115", "0808"))]
    game = fought("115@0807 5EY@0808 6GH@0808", attack("0808", "115"), roll=12, before=into)
    assert (results(game)[0][1:], lost(game)) == (("1:1", "DE"), {"5EY": "combat", "6GH": "combat"})
    assert advanced(game) == {"115": "0808"}


# -- several attacks -------------------------------------------------------------------------------------------------------------


def test_attacks_are_made_in_the_order_declared_each_finished_before_the_next():
    game = fought("115-I@0807 104-I@0807 5EY@0808 6GH@0806", attack("0806", "104-I"), attack("0808", "115-I"), dice=[3, 6, 1, 6])
    kinds = [e.kind for e in game.last.events if e.kind in ("attack", "retreated", "result")]
    assert kinds == ["attack", "result", "retreated", "attack", "result"]
    assert [label for label, _, _ in results(game)] == ["0806", "0808"]


def test_who_has_retreated_into_a_hex_yet_to_be_attacked_shares_its_fate_and_adds_nothing():
    # 0909 is next to 0808; 6GH there is attacked after 5EY, which falls back to it.
    units = "115-I@0807 104-I@0809 104-II@1008 5EY@0808 6GH@0909"
    lines = (attack("0808", "115-I 104-I"), attack("0909", "104-II"))
    game = fought(units, *lines, dice=[4, 6, 6, 6], standing=[on("RETREAT", order("RETREAT", path=["0909"]))])
    assert results(game) == [("0808", "2:1", "DR1"), ("0909", "1:1", "DE")]
    assert (retreated(game), lost(game)) == ({"5EY": "0808 0909"}, {"6GH": "combat", "5EY": "combat"})


def test_who_loses_is_asked():
    game = fought("115-I@0807 104-I@0807 288@0708 5EY@0808", attack("0808", "115-I 104-I 288"), roll=2, tempo="normal")
    (asked,) = game.state.pending
    assert (asked.side, asked.verb, asked.rule["need"], asked.default["units"]) == ("axis", "LOSE", 5, ["104-I"])
    game.axis(lose("115-I"), *[order("PASS")] * 2)
    assert (game.codes(), lost(game), set(retreated(game))) == ([], {"115-I": "losses"}, {"104-I", "288"})
