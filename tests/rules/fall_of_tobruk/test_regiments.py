"""Axis Unit Breakdown: regiments split into battalions and rejoin."""

import pytest

from services.rules.games.fall_of_tobruk.regiments import parts_of
from tests.rules.fall_of_tobruk.positions import move, one, position, stand


@pytest.mark.rule("fall-of-tobruk", "breakdown.1", "breakdown.3", "setup.2")
def test_panzergrenadiers_and_bersaglieri_have_battalions_and_others_have_not():
    table = position("115@0505 19@0505").table
    assert parts_of(table, "115") == ("115-I", "115-II", "115-III")
    assert parts_of(table, "19") == ()
    regiments = {str(card.values["regiment"]) for card in table.data.cards.values() if card.values.get("regiment")}
    assert {table.data.cards[unit].kind for unit in regiments} == {"panzergrenadier", "bersaglieri"}
    game = position("19@0505")
    game.axis(one("SPLIT", "19"))
    assert game.refusal() == ("cannot-break-down", "breakdown.3")
    game.axis(one("REJOIN", "19"))
    assert game.refusal() == ("no-such-regiment", "breakdown.3")


@pytest.mark.rule("fall-of-tobruk", "breakdown.4", "breakdown.7", "setup.3")
def test_a_regiment_splits_in_its_hex_and_its_battalions_go_their_ways():
    game = position("115@0505")
    game.axis(one("SPLIT", "115"), move("115-I", "0605"), move("115-II 115-III", "0404"))
    assert [game.at(unit) for unit in ("115", "115-I", "115-II", "115-III")] == ["box:component", "0605", "0404", "0404"]
    assert game.data("split") == {"unit": "115", "parts": ["115-I", "115-II", "115-III"], "hex": "0505"}
    game.axis(one("SPLIT", "115"))
    assert game.refusal() == ("not-on-map", "breakdown.4")


@pytest.mark.rule("fall-of-tobruk", "breakdown.4")
def test_battalions_have_the_marks_of_their_regiment_and_what_it_has_spent():
    game = position("115@0505 5EY@0705", marks={"disrupted": "115"})
    game.axis(move("115", "0605"), one("SPLIT", "115"))
    assert game.marks("115-II") == {"disrupted", "moved", "active"}
    assert game.state.counters["115-II"].num == game.state.counters["115-I"].num != {}
    assert (game.marks("115"), game.state.counters["115"].num) == (set(), {})
    game.axis(move("115-I", "0606"))
    assert game.codes() == ["moved-already"]


@pytest.mark.rule("fall-of-tobruk", "breakdown.5", "breakdown.6")
def test_all_its_battalions_rejoin_in_one_hex():
    game = position("115-I@0505 115-II@0505 115-III@0605")
    game.axis(one("REJOIN", "115"))
    assert game.refusal() == ("not-in-one-hex", "breakdown.6")
    game.axis(move("115-III", "0505"), one("REJOIN", "115"))
    assert [game.at(unit) for unit in ("115", "115-I", "115-II", "115-III")] == ["0505", *["box:component"] * 3]
    assert game.data("joined") == {"unit": "115", "units": ["115-I", "115-II", "115-III"], "hex": "0505"}
    game = position("115-I@0505 115-II@0505 115-III@refit")
    game.axis(one("REJOIN", "115"))
    assert game.refusal() == ("not-in-one-hex", "breakdown.6")


@pytest.mark.rule("fall-of-tobruk", "breakdown.5", "breakdown.7")
def test_a_regiment_that_has_rejoined_has_moved_if_one_of_them_has():
    game = position("115-I@0505 115-II@0505 115-III@0605")
    game.axis(move("115-III", "0505"), one("REJOIN", "115"), move("115", "0605"))
    assert game.codes() == ["moved-already"]
    game = position("115-I@0505 115-II@0505 115-III@0505")
    game.axis(one("REJOIN", "115"), move("115", "0605"))
    assert [game.at(unit) for unit in ("115", "115-I", "115-II")] == ["0605", "box:component", "box:component"]
    game.axis(one("REJOIN", "115"))
    assert game.refusal() == ("battalions-not-in-play", "breakdown.7")


@pytest.mark.rule("fall-of-tobruk", "breakdown.5")
def test_by_option_it_goes_on_with_what_the_most_tired_has_left():
    game = position("115-I@0505 115-II@0505 115-III@0705", split_move=True)
    game.axis(move("115-III", "0605 0505"), one("REJOIN", "115"))  # 2 of 7
    assert game.state.counters["115"].num["spent"] == 2
    game.axis(move("115", "0605 0705 0804 0904 1003"))
    assert game.at("115") == "1003"
    game.axis(move("115", "1103"))
    assert game.codes() == ["too-far"]


@pytest.mark.rule("fall-of-tobruk", "breakdown.7")
def test_no_regiment_splits_while_a_battalion_of_it_is_elsewhere():
    game = position("115@0505 115-I@refit")
    game.axis(one("SPLIT", "115"))
    assert game.refusal() == ("battalions-in-play", "breakdown.7")


@pytest.mark.rule("fall-of-tobruk", "breakdown.4")
def test_an_engagement_names_the_battalions_then():
    held = [{"attackers": ["115"], "defenders": ["5EY"], "hexes": ["0605"], "beside": {}, "broken": []}]
    marks = {"engaged-attacker": "115", "engaged-defender": "5EY"}
    game = position("115@0505 5EY@0605", own={"engaged": held}, marks=marks)
    game.axis(one("SPLIT", "115"), stand("115-I"))
    assert game.own("engaged")[0]["attackers"] == ["115-I", "115-II", "115-III"]
    assert "engaged-attacker" in game.marks("115-II")


@pytest.mark.rule("fall-of-tobruk", "breakdown.2", "stacking.11")
def test_two_battalions_do_not_rejoin_where_there_is_no_room_for_their_regiment():
    units = "155-I@0505 155-II@0505 104-I@0505"  # three battalions; the regiment counts three by itself
    game = position(units)
    game.axis(one("REJOIN", "155"))
    assert game.refusal() == ("stacking", "breakdown.2")
    assert game.last.rejections[0].details == {"hex": "0505", "units": ["104-I", "155"]}
    game.axis(move("104-I", "0605"), one("REJOIN", "155"))
    assert (game.at("155"), game.at("155-I")) == ("0505", "box:component")
    game = position("155-I@0505 155-II@0505 33ART-1@0505 8PZ-2@0505")
    game.axis(one("REJOIN", "155"))
    assert game.at("155") == "0505"  # with an artillery battalion and a company
    game = position(units, voluntary_overstack="disrupt")
    game.axis(one("REJOIN", "155"))
    assert game.at("155") == "0505"
    game = position(f"{units} 115-I@0505")  # too many already
    game.axis(one("REJOIN", "155"))
    assert game.at("155") == "0505"
