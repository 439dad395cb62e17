"""Tank Repair: recovery by either side, scrapping and demolition, once a player-turn before movement."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.sequence import PHASING, Step, on
from services.rules.games.fall_of_tobruk import repair
from services.rules.games.fall_of_tobruk.orders import Stand
from tests.rules.fall_of_tobruk.positions import DONE, Game, order, position

AFTER = Step("after", "seq.5", PHASING, accepts=(on(Stand, lambda adj, args, order: None),))
STEPS = (repair.REPAIR, AFTER)


def wreck(n: int, side: str, at: str, *tanks: str, turn: int = 4) -> dict[str, Any]:
    return {"n": n, "side": side, "hex": at, "tanks": [{"unit": tank, "turn": turn, "half": "axis"} for tank in tanks]}


def game(units: str, *wrecks: dict[str, Any], side: str = "axis", **more: Any) -> Game:
    lying = " ".join(f"{tank['unit']}@wreck" for one in wrecks for tank in one["tanks"])
    return position(f"{units} {lying}", side=side, step="repair", steps=STEPS, own={"wrecks": list(wrecks)}, **more)


def recover(tank: str, mode: str = "TRY") -> Any:
    return order("RECOVER", tank=tank, mode=mode)


# -- the Axis --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "repair.1", "repair.11", "repair.16", "repair.17", "repair.34")
def test_one_axis_tank_comes_back_without_a_die_and_may_move_at_once():
    play = game("115@0505 5EY@1505", wreck(1, "axis", "0506", "8PZ-2"))
    play.axis(recover("8PZ-2", "AUTO"), DONE)
    assert (play.at("8PZ-2"), play.marks("8PZ-2")) == ("0506", set())
    assert play.own("wrecks") == []
    assert play.place == "5 axis after"  # repair is over before anything moves
    assert play.data("recovered") == {"side": "axis", "unit": "8PZ-2", "hex": "0506", "die": 0}


@pytest.mark.rule("fall-of-tobruk", "repair.11")
def test_a_second_tank_without_a_die_is_refused():
    play = game("115@0505 5EY@1505", wreck(1, "axis", "0506", "8PZ-2", "8PZ-3"))
    play.axis(recover("8PZ-2", "AUTO"), recover("8PZ-3", "AUTO"))
    assert play.refusal() == ("no-more-recoveries", "repair.11")


@pytest.mark.rule("fall-of-tobruk", "repair.12", "repair.13", "repair.14", "repair.15")
@pytest.mark.parametrize(("die", "place"), [(1, "0506"), (4, "0506"), (5, "box:destroyed"), (6, "box:destroyed")])
def test_two_more_axis_tanks_are_tried_for_by_a_die_each(die, place):
    play = game("115@0505 5EY@1505", wreck(1, "axis", "0506", "8PZ-2", "8PZ-3"), wreck(2, "axis", "0405", "8PZ-4", "8PZ-5"))
    play.axis(recover("8PZ-5"), recover("8PZ-4"), recover("8PZ-3"))
    assert play.refusal() == ("no-more-recoveries", "repair.12")
    play.axis(recover("8PZ-5"), recover("8PZ-3"), recover("8PZ-2", "AUTO"), DONE, dice=[die, 6])
    assert (play.at("8PZ-5"), play.at("8PZ-3"), play.at("8PZ-2")) == (place.replace("0506", "0405"), "box:destroyed", "0506")
    assert [(row["n"], [tank["unit"] for tank in row["tanks"]]) for row in play.own("wrecks")] == [(2, ["8PZ-4"])]


@pytest.mark.rule("fall-of-tobruk", "repair.9", "repair.10")
def test_an_axis_wreck_needs_a_friend_beside_it_and_no_enemy_on_it():
    far, held = wreck(1, "axis", "0508", "8PZ-2"), wreck(2, "axis", "0606", "8PZ-3")
    play = game("115@0505 5EY@0606", far, held)
    play.axis(recover("8PZ-2"))
    assert play.refusal() == ("nobody-at-wreck", "repair.9")
    play.axis(recover("8PZ-3"))
    assert play.refusal() == ("enemy-on-wreck", "repair.10")


@pytest.mark.rule("fall-of-tobruk", "repair.9")
def test_an_axis_unit_on_the_wreck_will_do():
    play = game("115@0505 5EY@1505", wreck(1, "axis", "0505", "8PZ-2"))
    play.axis(recover("8PZ-2", "AUTO"), DONE)
    assert play.at("8PZ-2") == "0505"


@pytest.mark.rule("fall-of-tobruk", "repair.2")
@pytest.mark.parametrize(("turn", "refused"), [(5, True), (4, False)])
def test_a_tank_lost_on_this_day_is_not_recovered_on_it(turn, refused):
    play = game("5EY@1505 115@0505", wreck(3, "allied", "1505", "2RGH-1", turn=turn), side="allied")
    play.allied(recover("2RGH-1"))
    assert play.codes() == (["lost-today"] if refused else [])


# -- the Allies ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "repair.20", "repair.21", "repair.23", "repair.24", "reserve.8")
@pytest.mark.parametrize("die", [1, 3])
def test_an_allied_tank_recovered_goes_to_the_destroyed_box_and_its_model_gains_one(die):
    play = game("5EY@1505 115@0505", wreck(1, "allied", "1505", "2RGH-1"), side="allied")
    play.allied(recover("2RGH-1", "AUTO"))
    assert play.refusal() == ("only-axis-auto", "repair.20")
    play.allied(recover("2RGH-1"), DONE, dice=[die])
    assert (play.at("2RGH-1"), play.own("reserve")["grant"]) == ("box:destroyed", 5)


@pytest.mark.rule("fall-of-tobruk", "repair.22", "reserve.15")
@pytest.mark.parametrize("die", [4, 6])
def test_an_allied_tank_not_recovered_adds_nothing(die):
    play = game("5EY@1505 115@0505", wreck(1, "allied", "1505", "2RGH-1"), side="allied")
    play.allied(recover("2RGH-1"), DONE, dice=[die])
    assert (play.at("2RGH-1"), play.own("reserve")["grant"]) == ("box:destroyed", 4)
    assert play.data("unrecovered")["die"] == die


@pytest.mark.rule("fall-of-tobruk", "repair.18", "repair.19")
def test_an_allied_wreck_needs_a_friend_on_it_and_no_axis_unit_next_to_it():
    play = game("5EY@1505 6GH@1205 115@1206", wreck(1, "allied", "1506", "2RGH-1"), wreck(2, "allied", "1205", "2RGH-2"), side="allied")
    play.allied(recover("2RGH-1"))
    assert play.refusal() == ("nobody-on-wreck", "repair.18")
    play.allied(recover("2RGH-2"))
    assert play.refusal() == ("enemy-beside-wreck", "repair.19")


@pytest.mark.rule("fall-of-tobruk", "repair.20")
def test_the_allies_try_for_two_tanks_at_most():
    play = game("5EY@1505 115@0505", wreck(1, "allied", "1505", "2RGH-1", "2RGH-2", "2RGH-3"), side="allied")
    play.allied(recover("2RGH-1"), recover("2RGH-2"), recover("2RGH-3"))
    assert play.refusal() == ("no-more-recoveries", "repair.20")


@pytest.mark.rule("fall-of-tobruk", "repair.26", "repair.27", "repair.28")
def test_a_scrapped_marker_brings_all_its_tanks_into_the_destroyed_box_and_no_stock():
    play = game("5EY@1505 115@0505", wreck(7, "allied", "0504", "2RGH-1", "2RGH-2"), wreck(8, "allied", "1505", "2RGH-3"), side="allied")
    play.allied(order("SCRAP", wreck="W8"), recover("2RGH-3"))
    assert play.refusal() == ("scrapped-anyway", "repair.27")
    play.allied(recover("2RGH-3"), order("SCRAP", wreck="W8"))
    assert play.refusal() == ("recovered-instead", "repair.27")
    play.allied(order("SCRAP", wreck="W7"), recover("2RGH-3"), DONE, dice=[1])  # another wreck may be recovered beside it (FT-50)
    assert {play.at(tank) for tank in ("2RGH-1", "2RGH-2")} == {"box:destroyed"}
    assert play.own("reserve")["crusader"] == 7  # by the recovery alone
    assert play.own("reserve")["grant"] == 4


@pytest.mark.rule("fall-of-tobruk", "repair.29")
def test_of_two_markers_named_the_last_is_scrapped():
    play = game("5EY@1505 115@0505", wreck(7, "allied", "0504", "2RGH-1"), wreck(8, "allied", "0503", "2RGH-2"), side="allied")
    play.allied(order("SCRAP", wreck="7"), order("SCRAP", wreck="8"), DONE)
    assert (play.at("2RGH-1"), play.at("2RGH-2")) == ("box:wreck", "box:destroyed")


@pytest.mark.rule("fall-of-tobruk", "repair.26")
def test_only_the_allies_scrap_and_only_their_own_markers():
    play = game("115@0505 5EY@1505", wreck(1, "axis", "0506", "8PZ-2"))
    play.axis(order("SCRAP", wreck="W1"))
    assert play.refusal() == ("only-allies-scrap", "repair.26")
    play = game("5EY@1505 115@0505", wreck(1, "axis", "0506", "8PZ-2"), wreck(2, "allied", "1505", "2RGH-1"), side="allied")
    play.allied(order("SCRAP", wreck="W1"))
    assert play.refusal() == ("no-such-marker", "repair.26")


# -- demolition ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "repair.30", "repair.32", "repair.36")
def test_a_unit_on_an_enemy_wreck_destroys_one_tank_of_its_choice():
    play = game("115@0505 5EY@1505", wreck(1, "allied", "0505", "2RGH-1", "2RGH-2"))
    play.axis(order("DEMOLISH", tank="2RGH-2", unit="115"), DONE)
    assert (play.at("2RGH-1"), play.at("2RGH-2")) == ("box:wreck", "box:destroyed")
    assert play.place == "5 axis after"  # before anything moves


@pytest.mark.rule("fall-of-tobruk", "repair.32")
def test_of_two_demolitions_the_last_counts():
    play = game("115@0505 5EY@1505", wreck(1, "allied", "0505", "2RGH-1", "2RGH-2"))
    play.axis(order("DEMOLISH", tank="2RGH-2", unit="115"), order("DEMOLISH", tank="2RGH-1", unit="115"), DONE)
    assert (play.at("2RGH-1"), play.at("2RGH-2")) == ("box:destroyed", "box:wreck")


@pytest.mark.rule("fall-of-tobruk", "repair.30", "repair.31")
def test_demolition_needs_a_unit_in_the_hex_and_no_enemy_zone():
    enemy, own = wreck(1, "allied", "0505", "2RGH-1"), wreck(1, "axis", "0505", "8PZ-2")
    play = game("115@0506 104@0505 5EY@1505", enemy, own)
    play.axis(order("DEMOLISH", tank="2RGH-1", unit="115"))
    assert play.refusal() == ("not-on-wreck", "repair.30")
    play.axis(order("DEMOLISH", tank="8PZ-2", unit="104"))
    assert play.refusal() == ("not-an-enemy-wreck", "repair.30")
    play = game("104@0505 5EY@0605", enemy, own)
    play.axis(order("DEMOLISH", tank="2RGH-1", unit="104"))
    assert play.refusal() == ("wreck-in-zone", "repair.31")


@pytest.mark.rule("fall-of-tobruk", "repair.33")
def test_who_demolishes_recovers_nothing():
    enemy, own = wreck(1, "allied", "0505", "2RGH-1"), wreck(1, "axis", "0506", "8PZ-2")
    play = game("115@0505 5EY@1505", enemy, own)
    play.axis(order("DEMOLISH", tank="2RGH-1", unit="115"), recover("8PZ-2", "AUTO"))
    assert play.refusal() == ("demolition-forfeits", "repair.33")
    play.axis(recover("8PZ-2", "AUTO"), order("DEMOLISH", tank="2RGH-1", unit="115"))
    assert play.refusal() == ("recovery-forfeits", "repair.33")


@pytest.mark.rule("fall-of-tobruk", "repair.5", "repair.9")
def test_what_is_no_wreck_and_what_is_the_enemys_is_not_recovered():
    play = game("115@0505 5EY@1505", wreck(1, "axis", "0505", "8PZ-2"), wreck(1, "allied", "0506", "2RGH-1"))
    play.axis(recover("8PZ-3"))
    assert play.refusal() == ("no-such-wreck", "repair.5")
    play.axis(recover("2RGH-1"))
    assert play.refusal() == ("not-your-wreck", "repair.9")


def test_without_wrecks_there_is_nothing_to_order():
    play = game("115@0505 5EY@1505", wreck(1, "axis", "1010", "8PZ-2"))
    assert repair.nothing_to_order(play.table, "axis")
    assert not repair.nothing_to_order(game("5EY@1505", wreck(1, "allied", "0101", "2RGH-1"), side="allied").table, "allied")
    assert list(repair.targets(game("115@0505", wreck(1, "allied", "0505", "2RGH-1")).table, "axis")) == [("2RGH-1", "115")]


@pytest.mark.rule("fall-of-tobruk", "paralysis.3")
def test_a_brigade_can_be_freed_with_the_repairs_of_the_first_day():
    play = game("5EY@1505 2SG@1508 115@0505", wreck(1, "allied", "1505", "2RGH-1", turn=1), side="allied", turn=1)
    play.allied(order("FREE", brigade="69BDE"), order("FREE", brigade="201GDS"), DONE)
    assert play.own("freed") == "201GDS"


@pytest.mark.rule("fall-of-tobruk", "paralysis.3")
def test_without_a_wreck_the_step_opens_on_the_first_day_for_the_brigade():
    play = game("5EY@1505 115@0505", side="allied", turn=1)
    assert not repair.nothing_to_order(play.table, "allied")
    assert repair.nothing_to_order(game("115@0505 5EY@1505", turn=1).table, "axis")
    assert repair.nothing_to_order(game("5EY@1505 115@0505", side="allied", turn=2).table, "allied")
    play.allied(order("FREE", brigade="69BDE"), DONE)
    assert play.own("freed") == "69BDE"


def test_a_recovery_is_automatic_or_tried() -> None:
    play = game("115@0505 5EY@1505", wreck(1, "axis", "0505", "8PZ-2"))
    play.axis(recover("8PZ-2", "MAYBE"))
    assert play.refusal() == ("malformed", "")


@pytest.mark.rule("fall-of-tobruk", "repair.2")
def test_a_tank_shot_in_the_axis_half_is_not_recovered_in_the_allied_half_of_the_day():
    play = position("88-1@0807 2RGH-2@0808 5EY@0808", tempo="blitz")
    shot = order("FIRE", units=["88-1"], targets=["2RGH-2"], hex="0808")
    attack = order("ATTACK", hexes=["0808"], units=["88-1"])
    # 12 to 2: a kill; then 2 to 5 is 1:3, a 10 Con
    play.axis(order("STAND", units=["88-1"]), DONE, shot, DONE, attack, order("DONE", turn=True), dice=[1, 4, 6])
    assert (play.at("2RGH-2"), play.place) == ("box:wreck", "5 allied repair")
    play.allied(order("RECOVER", tank="2RGH-2", mode="TRY"))
    assert play.refusal() == ("lost-today", "repair.2")
