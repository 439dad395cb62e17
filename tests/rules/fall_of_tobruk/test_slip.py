"""Reconnaissance units slip back before combat (recon.1 to recon.5; FT-42). Round 0808, clockwise: 0807 0908 0909 0809 0709 0708."""

from dataclasses import replace

import pytest

from services.rules.engine.model import Guard
from services.rules.games.fall_of_tobruk import slip
from tests.rules.fall_of_tobruk.fighting import advance, advanced, fighting, fought, results, strengths
from tests.rules.fall_of_tobruk.positions import DONE, attack, on, one, order


def slips(unit: str, at: str):
    return on("SLIP", one("SLIP", unit, hex=at))


def attacked(units: str, *lines, **more):
    """A game in which the Axis has attacked and the Allies must say who slips away."""
    game = fighting(units, tempo="full", **more)
    game.axis(*lines, DONE)
    assert game.place == "5 axis slip 1"
    return game


@pytest.mark.rule("fall-of-tobruk", "recon.1", "recon.3")
def test_recon_slips_back_a_hex_and_its_attackers_attack_nobody():
    game = fought("115-I@0807 KDG@0808", attack("0808", "115-I"), standing=[slips("KDG", "0909")])
    assert (game.at("KDG"), results(game), game.events("rolled")) == ("0909", [], [])
    assert (game.data("battle_void")["why"], game.data("finished")["units"], game.at("115-I")) == ("slipped", ["115-I"], "0807")


@pytest.mark.rule("fall-of-tobruk", "recon.4")
def test_the_attackers_may_occupy_the_hex():
    into = [on("ADVANCE", advance("115-I", "0808"))]
    game = fought("115-I@0807 KDG@0808", attack("0808", "115-I"), standing=[slips("KDG", "0909")], before=into)
    assert (advanced(game), game.events("advanced")[0].clause) == ({"115-I": "0808"}, "advance.3")


@pytest.mark.rule("fall-of-tobruk", "recon.3")
def test_others_that_stay_are_attacked_by_all():
    game = fought("115-I@0807 KDG@0808 5EY@0808", attack("0808", "115-I"), roll=7, standing=[slips("KDG", "0909")])
    assert (strengths(game), game.at("KDG"), game.at("5EY")) == ((5, 5, "1:1"), "0909", "0808")


@pytest.mark.rule("fall-of-tobruk", "recon.2")
def test_recon_does_not_slip_from_recon_alone():
    game = fighting("33AA@0807 KDG@0808", tempo="full")
    game.axis(attack("0808", "33AA"), DONE, dice=[1, 6])
    assert results(game) == [("0808", "1:1", "CON")]
    game = attacked("33AA@0807 115-I@0806 KDG@0808 12L@0805", attack("0808", "33AA"), attack("0805", "115-I"))
    game.allied(one("SLIP", "KDG", hex="0909"))
    assert game.refusal() == ("recon-attacks", "recon.2")
    game = attacked("33AA@0807 115-I@0708 KDG@0808", attack("0808", "33AA 115-I"))
    game.allied(one("SLIP", "KDG", hex="0909"), DONE)
    assert game.at("KDG") == "0909"


@pytest.mark.rule("fall-of-tobruk", "recon.5", "zoc.14")
def test_recon_does_not_slip_into_an_enemy_zone():
    game = attacked("115-I@0807 KDG@0808", attack("0808", "115-I"))
    game.allied(one("SLIP", "KDG", hex="0908"))
    assert game.refusal() == ("in-zone", "recon.5")
    assert set(map(str, slip.hexes(game.table, "KDG"))) == {"0909", "0809", "0709"}


@pytest.mark.rule("fall-of-tobruk", "recon.1", "stacking.11", "tec.8")
def test_where_else_recon_does_not_slip():
    units = "115-I@0807 104-I@0707 KDG@0808 5EY@0808 12L@0505 2SG@0809 1-5MAH@0809 4SA@refit"
    game = attacked(units, attack("0808", "115-I"), mines="0808/0909", idle="104-I")
    for unit, at, code in (
        ("KDG", "0909", "mined"),
        ("KDG", "0809", "stacking"),
        ("KDG", "0807", "enemy-there"),
        ("KDG", "0610", "not-adjacent"),
        ("5EY", "0709", "no-recon"),
        ("12L", "0405", "not-attacked"),
    ):
        game.allied(one("SLIP", unit, hex=at))
        assert (at, game.codes()) == (at, [code])
    game.allied(order("SLIP", unit="KDG"))
    assert game.codes() == ["malformed"]
    game.allied(one("SLIP", "4SA", hex="0709"))
    assert game.codes() == ["not-on-map"]


def test_recon_slips_along_a_road_through_mines_and_out_of_a_box():  # FT-47
    game = attacked("115-I@0807 KDG@0808", attack("0808", "115-I"), mines="0808/0909", road="0808-0909")
    game.allied(one("SLIP", "KDG", hex="0909"), DONE)
    assert (game.codes(), game.at("KDG")) == ([], "0909")
    game = attacked("115-I@0807 KDG@0808", attack("0808", "115-I"), boxes="0808")
    game.allied(one("SLIP", "KDG", hex="0909"), DONE)
    assert (game.codes(), game.at("KDG")) == ([], "0909")


def test_by_default_and_with_never_recon_stays():
    game = fought("115-I@0807 KDG@0808", attack("0808", "115-I"), roll=7)
    assert (game.at("KDG"), results(game)) == ("0808", [("0808", "1:1", "CON")])
    game = attacked("115-I@0807 KDG@0808", attack("0808", "115-I"))
    game.allied(order("SLIP", never=True), DONE, dice=[1, 6])
    assert (game.at("KDG"), results(game)) == ("0808", [("0808", "1:1", "CON")])


def test_beforehand_recon_may_slip_by_the_odds_of_the_attack():
    wary = replace(slips("KDG", "0909"), guard=(Guard("odds", {"at_least": 3, "label": None}),))
    game = fought("115@0807 KDG@0808", attack("0808", "115"), standing=[wary])  # 15 to 3
    assert game.at("KDG") == "0909"
    game = fought("115-I@0807 KDG@0808", attack("0808", "115-I"), roll=7, standing=[wary])  # 5 to 3
    assert (game.at("KDG"), results(game)) == ("0808", [("0808", "1:1", "CON")])


def test_each_recon_unit_decides_for_itself_once():
    game = attacked("115@0807 KDG@0808 12L@0808", attack("0808", "115"))
    game.allied(one("SLIP", "KDG", hex="0909"), one("SLIP", "KDG", hex="0809"), one("SLIP", "12L", hex="0709"), DONE)
    assert (game.at("KDG"), game.at("12L"), game.data("battle_void")["why"]) == ("0809", "0709", "slipped")


@pytest.mark.rule("fall-of-tobruk", "recon.4", "seq.8")
def test_who_attacks_only_those_that_slip_away_is_finished_though_others_fight_on():
    line = attack("0808 0908", "115-I 104-I", label="A1")  # 115-I is next to 0808 alone
    game = fought("115-I@0708 104-I@0807 KDG@0808 5EY@0908", line, roll=7, standing=[slips("KDG", "0909")])
    assert (game.at("KDG"), strengths(game), results(game)[0][2]) == ("0909", (5, 5, "1:1"), "CON")
    assert ("done" in game.marks("115-I"), "done" in game.marks("104-I")) == (True, True)


TWO_HEXES = "115-I@0708 115-II@0708 104-I@0807 KDG@0808 5EY@0908"
"""115-I and 115-II are next to 0808 alone, 104-I is next to both hexes."""


def left_alone(*into, roll: int = 7, units: str = TWO_HEXES, **more):
    """Attackers of two hexes, from one of which the only defender slips away; ``into``: who is said beforehand to enter it."""
    line = attack("0808 0908", "115-I 115-II 104-I", label="A1")
    before = [on("ADVANCE", line) for line in into]
    return fought(units, line, roll=roll, standing=[slips("KDG", "0909")], before=before, **more)


@pytest.mark.rule("fall-of-tobruk", "recon.4", "seq.8")
def test_who_is_next_to_the_left_hex_alone_may_occupy_it_and_the_others_fight_on():
    game = left_alone(advance("115-I", "0808"))
    assert (advanced(game), game.at("115-II"), strengths(game)) == ({"115-I": "0808"}, "0708", (5, 5, "1:1"))
    assert [event.kind for event in game.last.events if event.kind in ("advanced", "battle")] == ["advanced", "battle"]
    assert results(game) == [("A1", "1:1", "CON")]
    assert all("done" in game.marks(unit) for unit in ("115-I", "115-II", "104-I"))  # though 115-I is now next to 5EY in 0908
    game = left_alone(advance("", max=1))
    assert advanced(game) == {"115-I": "0808", "115-II": "0808"}


@pytest.mark.rule("fall-of-tobruk", "recon.4")
def test_who_still_attacks_does_not_occupy_it_before_the_battle():
    game = left_alone(advance("104-I", "0808"))
    assert (advanced(game), strengths(game)) == ({}, (5, 5, "1:1"))
    assert game.data("unused")["code"] == "may-not-advance"
    game = left_alone(advance("104-I", "0808"), roll=2)  # A elim: nothing of the kind comes afterwards either
    assert advanced(game) == {}


@pytest.mark.rule("fall-of-tobruk", "recon.4")
def test_who_has_occupied_it_is_not_hurt_by_the_battle_of_the_others():
    game = left_alone(advance("115-I", "0808"), roll=10)  # 1:1, a 10: A back 1
    assert (results(game), game.at("115-I"), game.at("104-I")) == ([("A1", "1:1", "AR1")], "0808", "0707")


@pytest.mark.rule("fall-of-tobruk", "stacking.12", "stacking.9")
def test_no_german_slips_away_who_leaves_too_many_italians():
    tanks = [*(f"132-{n}" for n in range(1, 7)), *(f"XI-{n}" for n in range(1, 4))]  # with a German 1 + 9/4, one of them free; without 9/3
    crowd = " ".join(f"{unit}@0808" for unit in ("33AA", *tanks))
    game = fighting(f"{crowd} 5EY@0807 4EY@0807 3AA@1111 6GH@1110", "allied", tempo="full")
    game.allied(attack("0808", "5EY 4EY"), attack("1111", "6GH"), DONE)
    game.axis(one("SLIP", "33AA", hex="0909"))
    assert game.refusal() == ("leaves-crowd", "stacking.12")
    assert game.last.rejections[0].details == {"hex": "0808", "units": tanks}
    assert set(slip.entitled(game.table, "axis")) == {"3AA"}
