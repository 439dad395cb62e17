"""Engagements (crt.eng.1 to crt.eng.5, FT-40): on 1:1 an 8, on 3:1 an 8 is Eng; a 7 on 1:1 Con, a 9 DR1, a 10 AR1; a 4 on 3:1 Con.

Round 0808, clockwise: 0807 0908 0909 0809 0709 0708; round 0807: 0806 0907 0908 0808 0708 0707."""

import pytest

from services.rules.games.fall_of_tobruk import engaged
from tests.rules.fall_of_tobruk.fighting import advance, advanced, fighting, fought, lost, results, retreated, strengths
from tests.rules.fall_of_tobruk.positions import DONE, TURN, attack, barrage, move, on, order, position, stand

HELD = {"attackers": ["115-I"], "defenders": ["5EY"], "hexes": ["0808"], "beside": {}, "broken": []}
MARKS = {"engaged-attacker": "115-I", "engaged-defender": "5EY"}


def locked(units: str = "", side: str = "axis", **more):
    """115-I in 0807 is engaged with 5EY in 0808, and a side declares its attacks."""
    own = {"engaged": [more.pop("held", HELD)]}
    return fighting(f"115-I@0807 5EY@0808 {units}", side, own=own, **{"marks": MARKS, **more})


@pytest.mark.rule("fall-of-tobruk", "crt.eng.1")
def test_all_that_took_part_are_engaged():
    game = fought("115-I@0807 104-I@0708 288@0606 5EY@0808 6GH@0808", attack("0808", "115-I 104-I"), roll=8, idle="288")
    assert (results(game)[0][1:], lost(game), retreated(game)) == (("1:1", "ENG"), {}, {})
    (record,) = game.own("engaged")
    assert (record["attackers"], record["defenders"], record["hexes"]) == (["115-I", "104-I"], ["5EY", "6GH"], ["0808"])
    assert ("engaged-attacker" in game.marks("115-I"), game.marks("5EY"), game.marks("288")) == (True, {"engaged-defender"}, set())


@pytest.mark.rule("fall-of-tobruk", "crt.eng.2")
def test_engaged_defenders_neither_leave_nor_owe_an_attack():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=8)
    game.axis(TURN)
    assert game.place == "5 allied movement 1"
    game.allied(move("5EY", "0809"))
    assert game.refusal() == ("engaged", "crt.eng.2")
    game.allied(TURN)
    assert (game.codes(), game.place.partition(" ")[0], game.marks("5EY")) == ([], "6", {"engaged-defender"})


def test_engaged_defenders_may_counterattack_of_their_own_will():
    game = locked(side="allied")
    game.allied(DONE)
    assert game.codes() == []
    game = locked(side="allied")
    game.allied(attack("0807", "5EY"), DONE, dice=[1, 6])
    assert (results(game), game.own("engaged"), game.marks("115-I")) == ([("0807", "1:1", "CON")], [], set())  # that ends it


@pytest.mark.rule("fall-of-tobruk", "crt.eng.3")
def test_engaged_attackers_must_attack_that_hex_again():
    game = locked("6GH@0806")
    game.axis(attack("0806", "115-I"), DONE)
    assert (game.last.rejections[0].code, game.last.rejections[0].clause) == ("must-attack", "combat.2")
    game = locked("104-I@0708 6GH@0806")
    game.axis(attack("0808", "104-I"), attack("0806", "115-I"), DONE)
    assert (game.last.rejections[0].code, game.last.rejections[0].clause) == ("must-take-part", "crt.eng.3")
    assert game.last.rejections[0].details["hexes"] == ["0808"]


@pytest.mark.rule("fall-of-tobruk", "crt.eng.3")
def test_the_renewed_attack_ends_the_engagement_but_for_another_eng():
    game = locked()
    game.axis(attack("0808", "115-I"), DONE, dice=[1, 6])
    assert (results(game)[0][2], game.own("engaged"), game.marks("5EY")) == ("CON", [], set())
    game = locked()
    game.axis(attack("0808", "115-I"), DONE, dice=[2, 6])
    assert (results(game)[0][2], len(game.own("engaged")), game.marks("5EY")) == ("ENG", 1, {"engaged-defender"})


def test_who_renews_the_attack_and_wins_may_advance():
    game = locked()
    game.axis(on("ADVANCE", advance("115-I", "0808")), attack("0808", "115-I"), DONE, dice=[1, 2])
    assert (results(game)[0][2], advanced(game), game.own("engaged")) == ("DR2", {"115-I": "0808"}, [])


@pytest.mark.rule("fall-of-tobruk", "crt.eng.4")
def test_the_attacker_may_feed_more_units_in():
    game = locked("104@0708")
    game.axis(attack("0808", "115-I 104"), DONE, dice=[2, 2])
    assert (strengths(game), results(game)[0][2]) == ((20, 5, "4:1"), "CON")


def reinforced(path: str):
    """6GH has gone by a path into 0808 or beside 115-I, while 5EY neither moved nor stood."""
    start, *way = path.split()
    game = position(f"115-I@0807 5EY@0808 6GH@{start}", side="allied", own={"engaged": [HELD]}, marks=MARKS, tempo="blitz")
    game.allied(move("6GH", " ".join(way)), DONE)
    assert game.place == "5 allied declaration 1"
    return game


@pytest.mark.rule("fall-of-tobruk", "crt.eng.4", "crt.eng.5")
@pytest.mark.parametrize("path", ["0710 0709 0808", "0706 0806"])
def test_a_defender_who_feeds_units_in_must_counterattack_with_all(path):
    game = reinforced(path)
    assert game.data("reinforced") == {"hexes": ["0808"], "units": ["5EY"], "by": ["6GH"]}
    game.allied(DONE)
    assert (game.last.rejections[0].code, game.last.rejections[0].details["units"]) == ("must-attack", ["5EY", "6GH"])
    game.allied(attack("0807", "6GH"), DONE)
    assert (game.refusal(), game.last.rejections[0].details["units"]) == (("must-take-part", "crt.eng.3"), ["5EY"])
    game.allied(attack("0807", "6GH 5EY"), DONE, dice=[2, 6])
    assert (strengths(game), results(game)[0][2], game.own("engaged")) == ((10, 5, "2:1"), "CON", [])


def test_a_newcomer_that_is_near_nobody_engaged_binds_nobody():
    game = position("115-I@0807 5EY@0808 6GH@0710", side="allied", own={"engaged": [HELD]}, marks=MARKS, tempo="blitz")
    game.allied(move("6GH", "0810 0809"), DONE)
    assert (game.codes(), game.events("reinforced"), game.place) == ([], [], "5 allied movement 2")


def test_units_that_were_there_before_bind_nobody():
    game = locked("6GH@0806", "allied", held={**HELD, "beside": {"6GH": "0806"}}, idle="5EY 6GH")
    game.allied(DONE)
    assert game.codes() == []


def test_fresh_units_may_attack_the_engaged_and_the_engagement_stands():
    game = fighting("115-I@0807 104-I@0708 5EY@0808", own={"engaged": [HELD]}, marks={**MARKS, "done": "115-I"})
    game.axis(attack("0808", "104-I"), DONE, dice=[1, 6])
    assert (results(game)[0][2], game.own("engaged")[0]["attackers"]) == ("CON", ["115-I"])


def test_an_engagement_ends_when_a_side_is_driven_off_or_gone():
    game = fighting("115-I@0807 104-I@0708 5EY@0808", own={"engaged": [HELD]}, marks={**MARKS, "done": "115-I"})
    game.axis(attack("0808", "104-I"), DONE, dice=[3, 6])
    assert (results(game)[0][2], game.own("engaged"), game.marks("5EY")) == ("DR1", [], set())
    assert game.data("disengaged")["units"] == ["115-I", "5EY"]
    game = locked("6GH@0605", "allied", idle="5EY 6GH", held={**HELD, "attackers": ["115-I", "104-I"]})
    assert engaged.exempt(game.table, "5EY")
    game.allied(DONE)
    assert game.own("engaged")[0]["attackers"] == ["115-I"]  # 104-I is not on the map


def test_attackers_that_fall_back_are_free_though_they_are_beside_the_enemy_still():
    game = locked()
    game.axis(attack("0808", "115-I"), DONE, dice=[4, 6])
    assert (results(game)[0][2], game.own("engaged"), game.marks("115-I")) == ("AR1", [], {"done"})


def test_artillery_in_an_engagement_owes_nothing():
    held = {**HELD, "attackers": ["115-I", "88-1"], "defenders": ["5EY", "74ART"]}
    game = locked("74ART@0808 88-1@0807", "allied", held=held, idle="5EY 74ART")
    assert engaged.bound(game.table, "axis").keys() == {"115-I", "88-1"}
    held = {**held, "broken": ["6GH"]}
    game = locked("74ART@0808 88-1@0807 6GH@0806", "allied", held=held)
    assert engaged.bound(game.table, "allied").keys() == {"5EY"}


def test_who_stands_beside_as_a_pass_ends_is_noted():
    game = fought("115-I@0807 6GH@0806 5EY@0808", attack("0808 0806", "115-I"), roll=9)  # 5 to 10: 1:2, Eng
    assert results(game)[0][1:] == ("1:2", "ENG")
    game = fought("115-I@0807 104-I@0807 6GH@0908 5EY@0808", attack("0808", "115-I"), attack("0908", "104-I"), dice=[2, 6, 1, 6])
    assert game.own("engaged")[0]["beside"] == {"6GH": "0908"}


def test_a_standing_pass_of_an_engaged_attacker():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=8)
    game.axis(TURN)
    game.allied(TURN)
    while not game.place.startswith("6 axis movement"):
        game.axis(DONE)
    game.axis(move("115-I", "0806"))
    assert game.refusal() == ("engaged", "crt.eng.2")
    game.axis(DONE)
    assert game.last.rejections[0].details["units"] == ["115-I"]
    game.axis(stand("115-I"), attack("0808", "115-I"), TURN, dice=[1, 6])
    assert (game.codes(), game.own("engaged")) == ([], [])


@pytest.mark.rule("fall-of-tobruk", "crt.eng.4", "crt.eng.5")
def test_who_is_driven_beside_an_engaged_attacker_is_no_newcomer():
    units, line = "104-I@1007 6GH@0907", attack("0907", "104-I")  # 6GH is next to 115-I in 0807 from the first
    game = locked(f"{units} 361-I@0706", side="axis", idle="115-I 361-I", held={**HELD, "beside": {"6GH": "0907"}})
    game.allied(standing=[on("RETREAT", order("RETREAT", hex="0806"))])
    game.axis(line, DONE, dice=[3, 6])  # 1:1, DR1 to a hex that is next to 115-I too
    assert (retreated(game), game.own("engaged")[0]["beside"]) == ({"6GH": "0907 0806"}, {"6GH": "0806"})


@pytest.mark.rule("fall-of-tobruk", "crt.eng.2")
def test_a_bombardment_that_kills_one_side_frees_the_other_before_it_moves():
    units = "115-I@0807 5EY@0808 33ART-1@0608 33ART-2@0608 55ART-1@0608"
    game = position(units, step="bombardment", own={"engaged": [HELD]}, marks={**MARKS, "disrupted": "5EY"})
    game.axis(barrage("33ART-1 33ART-2 55ART-1", "0808"), DONE, dice=[1])
    assert (lost(game), game.own("engaged"), game.marks("115-I")) == ({"5EY": "bombardment"}, [], set())
    game.axis(move("115-I", "0707"))
    assert (game.codes(), game.place, game.at("115-I")) == ([], "5 axis movement 1", "0707")


@pytest.mark.rule("fall-of-tobruk", "crt.eng.3")
def test_an_engaged_attacker_that_is_attacked_and_engaged_in_its_turn_must_still_attack_again():
    other = {"attackers": ["6GH"], "defenders": ["115-I"], "hexes": ["0807"], "beside": {}, "broken": []}
    marks = {"engaged-attacker": "115-I 6GH", "engaged-defender": "5EY 115-I"}
    game = position("115-I@0807 5EY@0808 6GH@0908", own={"engaged": [HELD, other]}, marks=marks)
    game.axis(TURN)
    assert (game.codes(), game.last.rejections[0].details["units"]) == (["must-attack"], ["115-I"])
    game.axis(stand("115-I"), attack("0808", "115-I"), DONE, dice=[1, 6])  # of 6GH, whose attack it stood, it owes none
    assert (game.codes(), results(game)) == ([], [("0808", "1:1", "CON")])
    assert [one["attackers"] for one in game.own("engaged")] == [["6GH"]]


@pytest.mark.rule("fall-of-tobruk", "crt.eng.5", "supply.14")
def test_engaged_defenders_that_must_counterattack_do_so_at_half_strength_out_of_supply():
    held = {"attackers": ["5EY"], "defenders": ["115-I"], "hexes": ["0807"], "beside": {}, "broken": []}
    marks = {"engaged-attacker": "5EY", "engaged-defender": "115-I"}
    game = position("115-I@0807 5EY@0808 6GH@0806 104-I@0607", own={"engaged": [held]}, marks=marks)  # two zones round 115-I
    game.axis(move("104-I", "0708"), DONE)
    assert (game.place, game.marks("115-I") >= {"active", "unsupplied"}) == ("5 axis declaration 1", True)
    game.axis(attack("0808 0806", "115-I 104-I"), DONE, dice=[1, 6])
    assert strengths(game) == ("15/2", 10, "1:2")  # 2 1/2 and 5 to 10
