"""Antitank fire by default, by a policy and by orders with other targets. Factors and hexes are in ``shooting``."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.games.fall_of_tobruk.legal import legal
from tests.rules.fall_of_tobruk.positions import DONE, fire, on, order
from tests.rules.fall_of_tobruk.shooting import NOTHING, segment, shots


@pytest.mark.rule("fall-of-tobruk", "at.9", "at.16")
def test_by_default_each_side_fires_with_all_that_it_can_the_highest_factor_first():
    game = segment("8PZ-7@1007 8PZ-1@1007 2RGH-1@1008 2RGH-2@1008 2SG@1008", "8PZ-7 8PZ-1")
    game.axis(order("DONE", turn=True), dice=[6, 6])
    # The Axis: all at the Grant, as 5 and 1 to 4 are not 3:1. The Allies: 4 and 2 to 5 at the IIIj are 1:1, with the Grant 2:1.
    assert shots(game) == [("8PZ-7 8PZ-1", "2RGH-1", "1:1"), ("2RGH-1 2RGH-2 2SG", "8PZ-7", "1:1")]


@pytest.mark.rule("fall-of-tobruk", "at.19")
def test_fire_no_holds_ones_fire():
    game = segment("8PZ-7@1007 2RGH-2@1008", "8PZ-7")
    game.allied(standing=[on("ANTITANK", NOTHING)])
    game.axis(NOTHING, DONE)
    assert shots(game) == []


@pytest.mark.rule("fall-of-tobruk", "at.16", "at.19")
@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({"min": 2}, [("2RGH-1", "8PZ-1", "4:1"), ("2RGH-2 2SG", "8PZ-1", "4:1")]),
        ({"min": 1}, [("2RGH-1 2RGH-2 2SG", "8PZ-7", "1:1")]),
        ({"pool": False}, [("2RGH-1", "8PZ-7", "1:2"), ("2RGH-2", "8PZ-1", "2:1"), ("2SG", "8PZ-1", "2:1")]),
    ],
)
def test_standing_orders_say_from_which_odds_to_fire_and_whether_together(policy, expected):
    game = segment("8PZ-7@1007 8PZ-1@1007 2RGH-1@1008 2RGH-2@1008 2SG@1008", "8PZ-7 8PZ-1")
    game.allied(standing=[on("ANTITANK", order("FIRE", policy="ALL", **policy))])
    game.axis(NOTHING, DONE, dice=[6] * len(expected))
    assert shots(game) == expected


@pytest.mark.rule("fall-of-tobruk", "at.19")
def test_a_policy_by_type_keeps_to_what_is_printed():
    laid = "8PZ-7@1007 8PZ-2@1007 2RGH-1@1008"
    for by, target in (("AT", "8PZ-2"), ("TYPE", "8PZ-7")):
        game = segment(laid, "8PZ-7 8PZ-2", marks={"disrupted": "8PZ-7"})  # 2 1/2 and 3
        game.allied(order("FIRE", policy="ALL", by=by), DONE)
        game.axis(NOTHING, DONE, dice=[6])
        assert [one[1] for one in shots(game)] == [target]


@pytest.mark.rule("fall-of-tobruk", "at.1")
def test_the_phasing_side_fires_by_default_at_the_hex_that_its_units_will_attack():
    game = segment("8PZ-7@1007 2RGH-1@1008 2RGH-2@1108", "8PZ-7")
    game.allied(NOTHING, DONE)
    game.axis(order("ATTACK", hexes=["1108"], units=["8PZ-7"]), dice=[6])
    assert shots(game) == [("8PZ-7", "2RGH-2", "2:1")]
    game = segment("8PZ-7@1007 2RGH-1@1008 2RGH-2@1108", "8PZ-7")
    game.allied(NOTHING, DONE)
    game.axis(order("ATTACK", hexes=["1108"], units=["5PZ-2"]), dice=[6])
    assert shots(game) == [("8PZ-7", "2RGH-1", "1:1")]


def test_faulty_shots_are_refused():
    game = segment("8PZ-7@1007 8PZ-2@dead 2RGH-1@1008", "8PZ-7")
    game.axis(fire("8PZ-2", "2RGH-1", "1008"))
    assert game.refusal() == ("not-on-map", "at.9")
    for targets in ("", "2RGH-1 2RGH-1"):
        game.axis(fire("8PZ-7", targets, "1008"))
        assert game.refusal() == ("malformed", "at.17")


@pytest.mark.rule("fall-of-tobruk", "at.9")
def test_a_shot_whose_other_targets_are_out_of_reach_is_wasted():
    # both 88s aim at 2RGH-1 first, which the first kills; for the second 2RGH-2 is too far, and 2RGH-3 is not
    laid = "2RGH-1@1007 2RGH-2@1107 2RGH-3@1007 88-1@1008 88-2@1008"
    for other, made in (("2RGH-2", []), ("2RGH-3", [("88-2", "2RGH-3", "6:1")])):
        game = segment(laid, "2RGH-1 2RGH-2", "allied", "first fire")
        game.axis(
            fire("88-1", "2RGH-1", "1007"), fire("88-2", "2RGH-1", "1007", else_targets=[other]), DONE, dice=[1, *([6] if made else [])]
        )
        assert game.codes() == []
        assert shots(game, "first_shot")[1:] == made
        assert [event.data["units"] for event in game.events("shot_wasted")] == ([] if made else [["88-2"]])


@pytest.mark.rule("fall-of-tobruk", "at.4")
def test_other_targets_are_for_the_case_that_the_first_are_gone():
    other = fire("8PZ-7", "2RGH-1", "1008", else_targets=["2RGH-2"])
    game = segment("8PZ-7@1007 2RGH-1@wreck 2RGH-2@1108", "8PZ-7", own={"wrecks": [wreck("2RGH-1")]})
    game.axis(fire("8PZ-7", "2RGH-1", "1008"))
    assert game.refusal() == ("no-such-target", "at.4")
    game.allied(NOTHING, DONE)
    game.axis(other, DONE, dice=[6])
    assert shots(game) == [("8PZ-7", "2RGH-2", "2:1")]


def wreck(unit: str) -> dict[str, Any]:
    return {"n": 1, "side": "allied", "hex": "1008", "tanks": [{"unit": unit, "turn": 5, "half": "axis"}]}


def test_who_has_closed_his_fire_has_nothing_to_order_until_the_other_has():
    game = segment("8PZ-7@1007 2RGH-1@1008", "8PZ-7", tempo="full")
    game.axis(DONE)
    assert (game.place, legal(game.table, "axis")) == ("5 axis antitank", ())
    assert {one.verb for one in legal(game.table, "allied")} == {"FIRE", "DONE"}
    game.axis(DONE)
    assert (game.codes(), game.last.rejections[0].details) == (["nothing-open"], {"waiting_for": ["allied"]})
