"""Overruns: tanks against antitank factors as the antitank segment closes, doubled attacks, and defenders disrupted besides.

Round 0808, as in ``fighting``; 0807, 0909 and 0708 are next to it. Antitank and combat factors: 8PZ-2 to 8PZ-6 3, 4; 115 6, 15;
5EY, 6GH 1, 5; 2SG 2, 6; 74ART 6, 1; KDG 1, 3; 42RT-1, 2RGH-2 2, 4. The 27 and the 2L stand far away, so that the player-turn goes on.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.fall_of_tobruk.fighting import fought, lose, lost, results, retreated, strengths
from tests.rules.fall_of_tobruk.positions import DONE, Game, attack, fire, on, order, position
from tests.rules.fall_of_tobruk.shooting import NOTHING

FAR = " 27@0312 2L@1812"


def closing(units: str, active: str, **more: Any) -> Game:
    """A position at the end of the antitank segment, when the defenders have ordered no fire."""
    marks = {"active": active, **more.pop("marks", {})}
    game = position(units + FAR, step="antitank", marks=marks, **{"tempo": "blitz", **more})
    game.allied(NOTHING, DONE)
    return game


def told(game: Game) -> tuple[Any, Any]:
    """Tanks and antitank factors of the one overrun."""
    return game.data("overrun")["tanks"], game.data("overrun")["antitank"]


# -- the comparison --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "overrun.1", "overrun.3")
@pytest.mark.parametrize(("tanks", "attack_", "odds"), [("8PZ-2 8PZ-3", 8, "1:1"), ("8PZ-2 8PZ-3 8PZ-4", 24, "4:1")])
def test_more_tanks_than_antitank_factors_are_an_overrun_and_count_double(tanks, attack_, odds):
    game = closing(" ".join(f"{unit}@0807" for unit in tanks.split()) + " 2SG@0808", tanks)  # it has 2
    game.axis(attack("0808", tanks), DONE, dice=[3, 4])
    assert strengths(game) == (attack_, 6, odds)
    assert bool(game.events("overrun")) is (attack_ == 24)


@pytest.mark.rule("fall-of-tobruk", "overrun.3")
def test_every_unit_of_the_attack_counts_double():
    game = closing("8PZ-2@0807 8PZ-3@0807 115@0909 5EY@0808", "8PZ-2 8PZ-3 115")
    game.axis(attack("0808", "8PZ-2 8PZ-3 115"), DONE, dice=[3, 4])
    assert (told(game), strengths(game)[0]) == ((2, 1), 46)  # twice 4, 4 and 15


@pytest.mark.rule("fall-of-tobruk", "overrun.1")
def test_tanks_of_the_attack_alone_count():
    game = closing("8PZ-2@0807 8PZ-3@0807 8PZ-4@0807 2SG@0808 5EY@0908", "8PZ-2 8PZ-3 8PZ-4")
    game.axis(NOTHING, attack("0808", "8PZ-2 8PZ-3"), attack("0908", "8PZ-4"), DONE, dice=[3, 4, 3, 4])
    assert [event.data["label"] for event in game.events("overrun")] == []  # two tanks to 2, one to the 1 of 5EY: none is more


@pytest.mark.rule("fall-of-tobruk", "overrun.1", "disrupt.11")
def test_antitank_factors_count_as_they_stand_those_of_artillery_too():
    game = closing("8PZ-2@0807 5EY@0808 KDG@0808", "8PZ-2", marks={"disrupted": "5EY KDG"})
    assert game.own("snapshot") == {"0808": 1}  # two halves: one tank is not more
    game.axis(attack("0808", "8PZ-2"), DONE, dice=[3, 4])
    assert game.events("overrun") == []
    laid = "8PZ-2@0807 8PZ-3@0807 8PZ-4@0807 8PZ-5@0807 74ART@0808"
    game = closing(laid, "8PZ-2 8PZ-3 8PZ-4 8PZ-5", marks={"disrupted": "74ART"})
    game.axis(attack("0808", "8PZ-2 8PZ-3 8PZ-4 8PZ-5"), DONE, dice=[3, 4])
    assert told(game) == (4, 3)  # half of 6


@pytest.mark.rule("fall-of-tobruk", "overrun.1", "matilda.1")
def test_a_matilda_is_not_doubled_where_nothing_fires_at_it():
    tanks = "8PZ-2 8PZ-3 8PZ-4"
    game = closing("8PZ-2@0807 8PZ-3@0807 8PZ-4@0807 42RT-1@0808", tanks)
    game.axis(NOTHING, attack("0808", tanks), DONE, dice=[3, 4])
    assert told(game) == (3, 2)


@pytest.mark.rule("fall-of-tobruk", "overrun.1")
def test_a_defence_of_none_is_overrun_by_one_tank_and_disrupted_tanks_count_whole():
    game = position("2RGH-2@0807 19@0808" + FAR, side="allied", step="antitank", marks={"active": "2RGH-2", "disrupted": "2RGH-2"})
    game.allied(attack("0808", "2RGH-2"), DONE, dice=[3, 4])
    assert told(game) == (1, 0)
    assert strengths(game)[0] == 4  # half of 4, and twice that


@pytest.mark.rule("fall-of-tobruk", "overrun.2")
@pytest.mark.parametrize(("die", "antitank", "overruns"), [(1, 1, 1), (6, 3, 0)])
def test_the_comparison_is_made_when_the_antitank_segment_closes(die, antitank, overruns):
    game = closing("8PZ-8@0807 8PZ-3@0807 2RGH-2@0808 5EY@0808", "8PZ-8 8PZ-3")
    game.axis(fire("8PZ-8", "2RGH-2", "0808"), attack("0808", "8PZ-8 8PZ-3"), DONE, dice=[die, 3, 4])
    assert game.data("antitank_noted") == {"hexes": {"0808": antitank}}  # without the Crusader if it is a wreck
    assert len(game.events("overrun")) == overruns


@pytest.mark.rule("fall-of-tobruk", "overrun.1", "overrun.2")
def test_tanks_destroyed_in_the_segment_do_not_count():
    game = position("8PZ-8@0807 8PZ-3@0807 2RGH-2@0808" + FAR, step="antitank", marks={"active": "8PZ-8 8PZ-3"}, tempo="blitz")
    game.allied(fire("2RGH-2", "8PZ-3", "0807"), DONE)
    game.axis(NOTHING, attack("0808", "8PZ-8"), DONE, dice=[1, 3, 4])  # 2 to 3, 1:2
    assert game.at("8PZ-3") == "box:wreck"
    assert game.events("overrun") == []


@pytest.mark.rule("fall-of-tobruk", "overrun.2")
def test_recon_that_slips_away_after_the_comparison_has_counted():
    game = closing("8PZ-2@0807 8PZ-3@0807 5EY@0808 KDG@0808", "8PZ-2 8PZ-3")
    game.allied(standing=[on("SLIP", order("SLIP", unit="KDG", hex="0809"))])
    game.axis(attack("0808", "8PZ-2 8PZ-3"), DONE, dice=[3, 4])
    assert game.at("KDG") == "0809"
    assert game.events("overrun") == []  # 1 and 1 against two tanks


# -- the disruption --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "overrun.4", "overrun.5", "disrupt.4")
def test_an_overrun_disrupts_whatever_the_result():
    # Twice 4 to 6: 1:1, a 7 is contact.
    game = fought("8PZ-2@0807 2SG@0808" + FAR, attack("0808", "8PZ-2"), roll=7, overrun="0808", idle="27")
    assert (results(game), game.marks("2SG")) == ([("0808", "1:1", "CON")], {"disrupted"})
    assert game.data("disrupted") == {"unit": "2SG", "hex": "0808", "cause": "overrun"}
    # A 10 sends the attackers back.
    game = fought("8PZ-2@0807 2SG@0808" + FAR, attack("0808", "8PZ-2"), roll=10, overrun="0808", idle="27")
    assert (results(game), game.marks("2SG")) == ([("0808", "1:1", "AR1")], {"disrupted"})


@pytest.mark.rule("fall-of-tobruk", "overrun.5")
def test_the_disruption_comes_after_the_result_and_finds_the_defenders_wherever_they_are():
    game = fought("8PZ-2@0807 2SG@0808" + FAR, attack("0808", "8PZ-2"), roll=9, overrun="0808", idle="27")
    assert results(game) == [("0808", "1:1", "DR1")]
    assert len(retreated(game)) == 1
    assert game.marks("2SG") == {"disrupted"}
    assert strengths(game) == (8, 6, "1:1")  # it defended whole
    kinds = game.kinds()
    assert kinds.index("retreated") < kinds.index("disrupted")


@pytest.mark.rule("fall-of-tobruk", "overrun.4", "disrupt.17")
def test_a_defender_that_was_disrupted_already_loses_a_battalion():
    game = fought(
        "8PZ-2@0807 5EY@0808 6GH@0808" + FAR, attack("0808", "8PZ-2"), roll=7, overrun="0808", idle="27", marks={"disrupted": "5EY 6GH"}
    )
    assert results(game) == [("0808", "1:1", "CON")]  # 8 to 5
    assert lost(game) == {"5EY": "overrun"}  # one of the two: the stack pays together
    assert game.marks("6GH") == {"disrupted"}


@pytest.mark.rule("fall-of-tobruk", "overrun.4", "stall.3")
def test_an_overrun_disrupts_though_the_attack_stalls():
    game = fought(
        "8PZ-2@0807 8PZ-3@0807 2SG@0808" + FAR, attack("0808", "8PZ-2 8PZ-3"), dice=[4, 1], overrun="0808", idle="27", mines="0807/0808"
    )
    assert [one[2] for one in results(game)] == ["STALL"]
    assert game.marks("2SG") == {"disrupted"}


@pytest.mark.rule("fall-of-tobruk", "overrun.4", "boxes.2")
def test_occupants_of_a_box_are_overrun_and_disrupted_and_stay():
    game = fought(
        "8PZ-2@0807 8PZ-3@0807 2SG@0808" + FAR, attack("0808", "8PZ-2 8PZ-3"), dice=[1], roll=9, overrun="0808", idle="27", boxes="0808"
    )
    assert strengths(game) == (8, 6, "1:1")  # halved by the mines, doubled by the overrun
    assert results(game) == [("0808", "1:1", "DR1")]
    assert (game.at("2SG"), game.marks("2SG")) == ("0808", {"disrupted"})


@pytest.mark.rule("fall-of-tobruk", "overrun.4")
def test_the_owner_chooses_who_pays_for_it():
    game = fought(
        "8PZ-2@0807 5EY@0808 6GH@0808" + FAR,
        attack("0808", "8PZ-2"),
        roll=7,
        overrun="0808",
        idle="27",
        marks={"disrupted": "5EY 6GH"},
        standing=[on("LOSSES", lose("6GH"))],
    )
    assert lost(game) == {"6GH": "overrun"}
