"""1. New Units: reinforcements, refitted units, reserve tanks."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.sequence import PHASING, Step, on
from services.rules.games.fall_of_tobruk import opening
from services.rules.games.fall_of_tobruk.orders import Stand
from tests.rules.fall_of_tobruk.positions import DONE, Game, move, one, order, position

AFTER = Step("after", "seq.5", PHASING, accepts=(on(Stand, lambda adj, args, order: None),))
STEPS = (opening.NEW_UNITS, AFTER)


def game(units: str, *, side: str = "axis", **more: Any) -> Game:
    """A position in the step, with what lies in the boxes known as there when it opened."""
    boxed = [text.split("@")[0] for text in units.split() if text.endswith(("@refit", "@dead"))]
    own = {"opened": boxed, **more.pop("own", {})}
    return position(units, side=side, step="new units", steps=STEPS, own=own, **more)


def refit(keep: str, scrap: str, at: str) -> Any:
    return order("REFIT", keep=keep, scrap=scrap.split(), hex=at)


def reserve(model: str, at: str) -> Any:
    return order("RESERVE", model=model, hex=at)


# -- reinforcements --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "new.1", "new.6", "new.7", "new.8", "seq.2")
def test_a_due_unit_is_put_on_the_edge_without_spending_anything():
    play = game("12B@off 20@off6 5EY@1505")
    play.axis(one("ENTER", "20", hex="0103"))
    assert play.refusal() == ("not-due", "new.8")
    play.axis(one("ENTER", "12B", hex="0103"), DONE)
    assert (play.at("12B"), play.marks("12B"), dict(play.state.counters["12B"].num)) == ("0103", {"placed"}, {})
    assert play.at("20") == "edge:off"
    assert play.place == "5 axis after"


@pytest.mark.rule("fall-of-tobruk", "new.4", "new.5")
def test_the_axis_chooses_among_the_hexes_of_its_western_edges():
    play = game("12B@off 5EY@1505")
    for at in ("0107", "0501"):
        play.axis(one("ENTER", "12B", hex=at), check=True)
        assert play.last.status == "checked"
    play.axis(one("ENTER", "12B", hex="0701"))
    assert play.refusal() == ("not-an-entry", "new.4")


@pytest.mark.rule("fall-of-tobruk", "new.2", "new.3")
def test_allied_units_come_in_over_the_east_edge_and_at_tobruk_only_if_their_row_says_so():
    play = game("2HLI@off 115@0505", side="allied")
    play.allied(one("ENTER", "2HLI", hex="1802"))
    assert play.refusal() == ("not-an-entry", "new.2")
    play.allied(one("ENTER", "2HLI", hex="2014"), DONE)
    assert play.at("2HLI") == "2014"


@pytest.mark.rule("fall-of-tobruk", "reinf.2", "new.3")
def test_an_entry_of_tobruk_or_the_edge_is_the_owners_choice_while_the_allies_hold_tobruk():
    for at in ("1802", "2014"):
        play = game("2CAM@off 115@0505", side="allied")
        play.allied(one("ENTER", "2CAM", hex=at), DONE)
        assert play.at("2CAM") == at
    lost = game("2CAM@off 115@0505", side="allied", own={"tobruk": "axis"})
    lost.allied(one("ENTER", "2CAM", hex="1802"))
    assert lost.refusal() == ("tobruk-is-lost", "new.3")
    lost.allied(DONE)
    assert lost.at("2CAM") == "2001"  # the first hex of the edge


@pytest.mark.rule("fall-of-tobruk", "new.8")
def test_a_due_unit_not_named_comes_in_by_itself_and_one_that_is_kept_back_waits():
    play = game("12B@off 19@off3 20@off 5EY@1505")
    play.axis(one("DELAY", "20"), DONE)
    assert (play.at("12B"), play.at("19"), play.at("20")) == ("0102", "0101", "edge:off")  # each counts three battalions
    assert [(event.data["unit"], event.data["how"]) for event in play.events("arrived")] == [("19", "default"), ("12B", "default")]
    assert play.state.counters["20"].num == {"due": 5, "held": 5}


@pytest.mark.rule("fall-of-tobruk", "new.1", "new.8")
def test_a_unit_kept_back_cannot_enter_after_all():
    play = game("20@off 12B@off 5EY@1505")
    play.axis(one("DELAY", "20"), one("ENTER", "20", hex="0101"))
    assert play.refusal() == ("held-back", "new.8")
    play.axis(one("ENTER", "115", hex="0101"))
    assert play.refusal() == ("not-waiting", "new.1")


@pytest.mark.rule("fall-of-tobruk", "stacking.1")
def test_nobody_enters_a_full_hex_or_one_with_an_enemy():
    play = game("12B@off 20@0103 5EY@0105")
    play.axis(one("ENTER", "12B", hex="0103"))
    assert play.refusal() == ("stacking", "stacking.1")
    play.axis(one("ENTER", "12B", hex="0105"))
    assert play.refusal() == ("enemy-there", "new.4")
    play.axis(one("ENTER", "12B", hex="0104"), DONE)  # next to the enemy he may
    assert play.at("12B") == "0104"


@pytest.mark.rule("fall-of-tobruk", "artillery.14")
def test_guns_enter_beside_an_enemy_only_with_others():
    play = game("55ART-1@off 12B@off 5EY@0105")
    play.axis(one("ENTER", "55ART-1", hex="0104"))
    assert play.refusal() == ("guns-need-escort", "artillery.14")
    play.axis(one("ENTER", "12B", hex="0104"), one("ENTER", "55ART-1", hex="0104"), DONE)
    assert play.at("55ART-1") == "0104"


def test_where_every_hex_is_shut_the_arrival_waits():
    line = " ".join(f"{unit}@{at}" for unit, at in zip(("5EY", "6GH", "7GH"), ("0101", "0103", "0105"), strict=True))
    play = game(f"12B@off {line}")
    every = {str(at) for at in opening.entry_hexes(play.table, "axis-edge")}
    assert {str(at) for at in opening.ways_in(play.table, "12B", "axis-edge")} == every - {"0101", "0103", "0105"}


# -- refits ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "refit.2", "refit.3", "refit.4", "refit.5", "refit.11")
def test_two_units_pay_for_a_third_that_returns_at_the_edge():
    play = game("5EY@refit 6GH@refit 7GH@refit 115@0505", side="allied")
    play.allied(refit("5EY", "6GH 7GH", "1505"))
    assert play.refusal() == ("not-an-entry", "new.2")
    play.allied(refit("5EY", "6GH", "2003"))
    assert play.refusal() == ("scraps-so-many", "refit.3")
    play.allied(refit("5EY", "6GH 7GH", "2003"), DONE)
    assert [play.at(unit) for unit in ("5EY", "6GH", "7GH")] == ["2003", "box:destroyed", "box:destroyed"]
    assert play.marks("5EY") == {"placed"}


@pytest.mark.rule("fall-of-tobruk", "refit.5", "refit.14")
def test_axis_refits_come_in_over_its_western_edges():
    play = game("19@refit 20@refit 86@refit 5EY@1505")
    play.axis(refit("19", "20 86", "0601"), DONE)
    assert play.at("19") == "0601"


@pytest.mark.rule("fall-of-tobruk", "refit.6")
def test_a_regiment_is_not_refitted_by_battalions():
    play = game("115@refit 104-I@refit 104-II@refit 5EY@1505")
    play.axis(refit("115", "104-I 104-II", "0101"))
    assert play.refusal() == ("not-of-a-size", "refit.6")


@pytest.mark.rule("fall-of-tobruk", "refit.7")
def test_germans_are_not_refitted_by_italians():
    play = game("115@refit 19@refit 20@refit 5EY@1505")
    play.axis(refit("115", "19 20", "0101"))
    assert play.refusal() == ("not-of-a-nation", "refit.7")


@pytest.mark.rule("fall-of-tobruk", "refit.8")
def test_infantry_is_not_refitted_by_artillery_but_recon_and_engineers_count_as_infantry():
    play = game("104-I@refit 33ENG@refit 33AA@refit 33ART-1@refit 5EY@1505")
    play.axis(refit("104-I", "33ENG 33ART-1", "0101"))
    assert play.refusal() == ("not-of-a-type", "refit.8")
    play.axis(refit("104-I", "33ENG 33AA", "0101"), DONE)
    assert play.at("104-I") == "0101"


@pytest.mark.rule("fall-of-tobruk", "refit.2", "refit.4")
def test_a_unit_lost_since_the_player_turn_opened_does_not_count_yet():
    play = game("5EY@refit 6GH@refit 7GH@refit 4EY@refit 115@0505", side="allied", own={"opened": ["5EY", "6GH", "4EY"]})
    play.allied(refit("5EY", "6GH 7GH", "2003"))
    assert (play.refusal(), play.last.rejections[0].details["units"]) == (("not-in-pool", "refit.4"), ["7GH"])


@pytest.mark.rule("fall-of-tobruk", "refit.9", "refit.10", "refit.12", "refit.13")
def test_tanks_refit_only_by_option_and_german_ones_then_one_for_one():
    tanks = "8PZ-2@refit 8PZ-3@refit 12B@off 5EY@1505"
    play = game(tanks)
    play.axis(refit("8PZ-2", "8PZ-3", "0101"))
    assert play.refusal() == ("tanks-do-not-refit", "refit.9")
    play = game(tanks, chart_tank_refit=True)
    play.axis(refit("8PZ-2", "8PZ-3", "0101"), DONE)
    assert (play.at("8PZ-2"), play.at("8PZ-3")) == ("0101", "box:destroyed")
    play = game("2RGH-1@refit 2RGH-2@refit 2RGH-3@refit 115@0505", side="allied", chart_tank_refit=True)
    play.allied(refit("2RGH-1", "2RGH-2", "2003"))
    assert play.refusal() == ("scraps-so-many", "refit.3")


# -- reserve tanks ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "reserve.2", "reserve.3", "reserve.4", "reserve.5")
def test_a_reserve_tank_takes_one_out_of_the_destroyed_box_and_off_the_stock():
    play = game("2RGH-1@dead 3CLY-1@dead 115@0505", side="allied")
    play.allied(reserve("GRANT", "1505"))
    assert play.refusal() == ("not-an-entry", "new.2")
    play.allied(reserve("GRANT", "2010"), DONE)
    assert (play.at("2RGH-1"), play.at("3CLY-1")) == ("2010", "box:destroyed")
    assert (play.own("reserve")["grant"], play.own("committed")) == (3, 1)


@pytest.mark.rule("fall-of-tobruk", "reserve.6")
def test_two_reserve_tanks_a_player_turn_over_all_models():
    play = game("2RGH-1@dead 2RGH-2@dead 8H-3@dead 115@0505", side="allied")
    play.allied(reserve("GRANT", "2010"), reserve("CRUSADER", "2010"), reserve("STUART", "2010"))
    assert play.refusal() == ("reserve-used-up", "reserve.6")


@pytest.mark.rule("fall-of-tobruk", "reserve.5", "reserve.7", "reserve.9", "reserve.14")
def test_no_reserve_tank_without_one_destroyed_or_without_stock():
    play = game("2RGH-1@refit 7RT-2@dead 2RGH-2@dead 115@0505", side="allied")
    play.allied(reserve("STUART", "2010"))
    assert play.refusal() == ("none-destroyed", "reserve.7")
    play.allied(reserve("MATILDA", "2010"))
    assert play.refusal() == ("no-stock", "reserve.5")
    play = game("132-1@dead 8PZ-1@dead 8PZ-2@dead 5EY@1505")
    for model in ("M14", "II", "GRANT"):
        play.axis(reserve(model, "0101"))
        assert play.refusal() == ("no-reserve-of-it", "reserve.14")
    play.axis(reserve("IIIH", "0101"), DONE)
    assert (play.at("8PZ-2"), play.own("reserve")["pz-iiih"]) == ("0101", 1)


@pytest.mark.rule("fall-of-tobruk", "repair.25", "reserve.7")
def test_a_tank_destroyed_since_the_player_turn_opened_comes_in_the_next_one():
    play = game("2RGH-1@dead 2RGH-2@dead 115@0505", side="allied", own={"opened": ["2RGH-2"]})
    play.allied(reserve("GRANT", "2010"))
    assert play.refusal() == ("none-destroyed", "reserve.7")


# -- the step --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "refit.2", "reserve.2")
def test_the_boxes_are_looked_into_as_the_player_turn_opens():
    play = position("5EY@refit 2RGH-1@dead 8PZ-2@dead 115@0505", step="after", steps=STEPS, own={"committed": 2, "opened": ["8PZ-2"]})
    play.axis(DONE)
    assert play.place == "5 allied new units"  # a reserve tank could come
    assert (play.own("opened"), play.own("committed")) == (["2RGH-1", "5EY"], 0)


def test_with_nobody_due_and_nothing_in_the_boxes_the_step_is_passed_over():
    play = position("5EY@refit 6GH@refit 2RGH-2@refit 115@0505", step="after", steps=STEPS)
    play.axis(DONE)
    assert play.place == "5 allied after"
    three = position("5EY@refit 6GH@refit 7GH@refit 115@0505", step="after", steps=STEPS)
    three.axis(DONE)
    assert three.place == "5 allied new units"
    assert next((keep, set(scrap)) for keep, scrap in opening.refits(three.table, "allied")) == ("5EY", {"6GH", "7GH"})


@pytest.mark.rule("fall-of-tobruk", "new.4")
def test_an_entry_that_is_shut_whole_is_told():
    west = [str(at) for at in opening.entry_hexes(game("12B@off 5EY@1505").table, "axis-edge")]
    allies = [unit for unit, card in position("115@0505").module.data.cards.items() if card.side == "allied"]
    play = game("12B@off " + " ".join(f"{unit}@{at}" for unit, at in zip(allies, west, strict=False)))
    play.axis(one("ENTER", "12B"))
    assert play.refusal() == ("no-way-in", "new.4")
    play.axis(DONE)
    assert play.at("12B") == "edge:off"


@pytest.mark.rule("fall-of-tobruk", "zoc.2")
def test_who_comes_in_beside_an_enemy_has_entered_his_zone_and_stays():
    play = position("12B@off 20@off 5EY@0105 6GH@1505", step="new units")
    play.axis(one("ENTER", "12B", hex="0104"), one("ENTER", "20", hex="0101"), DONE)
    assert play.place == "5 axis movement 1"
    play.axis(move("12B", "0203"))
    assert play.refusal() == ("must-stop", "zoc.2")
    play.axis(move("20", "0201"))
    assert play.at("20") == "0201"
