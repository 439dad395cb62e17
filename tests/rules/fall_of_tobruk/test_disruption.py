"""Effects of disruption on who is disrupted already: a battalion of the units hit, or companies of its size (FT-30).

Bombardment as in ``test_artillery``, overruns as in ``test_overrun``.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.fall_of_tobruk.fighting import decision, fought, lose, lost
from tests.rules.fall_of_tobruk.positions import Game, attack, barrage, on
from tests.rules.fall_of_tobruk.test_artillery import MOST, disrupted, shelling

GUNS = "55ART-1 55ART-2 132ART-1"
THEIRS = "74ART@1006 72ART@1006 124ART@1006"
FAR = " 27@0312 2L@1812"


def shelled(units: str, dice: Any, hit: str, **more: Any) -> Game:
    """A game after 18 factors have fallen on Allied units in 1008, some of them disrupted before."""
    game = shelling(f"{MOST} {units}", marks={"disrupted": hit}, **more)
    game.axis(barrage(GUNS, "1008"), dice=dice)
    return game


def answered(units: str, dice: Any, hit: str, *standing: Any, **more: Any) -> Game:
    """A game after 18 factors have fallen on Axis units in 1008, the Axis having given orders before."""
    game = shelling(f"{THEIRS} {units}", "allied", marks={"disrupted": hit}, **more)
    if standing:
        game.axis(standing=standing)
    game.allied(barrage("74ART 72ART 124ART", "1008"), dice=dice)
    return game


def overrun(units: str, hit: str, side: str = "axis", standing: Any = (), **more: Any) -> Game:
    """A game after defenders in 0808 have been overrun, some of them disrupted before, without effect otherwise."""
    attackers, idle = ("8PZ-2 8PZ-3", "27") if side == "axis" else ("2RGH-1 2RGH-2", "2L")
    laid = " ".join(f"{unit}@0807" for unit in attackers.split()) + f" {units}{FAR}"
    marks = {"disrupted": hit}
    return fought(laid, attack("0808", attackers), roll=7, side=side, overrun="0808", idle=idle, marks=marks, standing=standing, **more)


# -- unit by unit ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "disrupt.16", "disrupt.17")
def test_a_battalion_hit_again_by_bombardment_dies_and_no_other_does():
    game = shelled("5EY@1008 6GH@1008", [1, 6], "5EY 6GH")
    assert lost(game) == {"5EY": "bombardment"}
    assert (game.at("5EY"), disrupted(game)) == ("box:refit", {"6GH"})
    game = shelled("5EY@1008 6GH@1008", [6, 6], "5EY")
    assert (lost(game), disrupted(game)) == ({}, {"5EY"})
    game = shelled("5EY@1008 6GH@1008", [1, 1], "5EY")
    assert (lost(game), disrupted(game)) == ({"5EY": "bombardment"}, {"6GH"})


@pytest.mark.rule("fall-of-tobruk", "disrupt.17", "repair.3")
def test_a_company_hit_again_by_bombardment_dies_alone_and_leaves_no_wreck():
    game = shelled("2RGH-2@1008 2RGH-3@1008", [1, 6], "2RGH-2 2RGH-3")
    assert lost(game) == {"2RGH-2": "bombardment"}
    assert (game.at("2RGH-2"), game.own("wrecks")) == ("box:destroyed", [])


@pytest.mark.rule("fall-of-tobruk", "disrupt.17", "breakdown.8", "arttable.5")
def test_a_regiment_that_can_break_down_loses_a_battalion():
    game = answered("115@1008", [1], "115")
    assert lost(game) == {"115-I": "bombardment"}
    assert (game.at("115"), game.at("115-II"), game.at("115-III")) == ("box:component", "1008", "1008")
    assert disrupted(game) == {"115-II", "115-III"}  # disrupt.16
    game = answered("115@1008", [1], "115", on("LOSSES", lose("115-III")))
    assert lost(game) == {"115-III": "bombardment"}


@pytest.mark.rule("fall-of-tobruk", "disrupt.17")
def test_a_regiment_without_battalion_counters_dies_whole():
    game = answered("27@1008", [1], "27")
    assert lost(game) == {"27": "bombardment"}
    assert game.at("27") == "box:refit"


# -- by the stack ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "disrupt.16", "disrupt.17")
def test_only_those_disrupted_before_pay_and_the_others_are_disrupted():
    game = overrun("6GH@0808 2SG@0808", "2SG")
    assert lost(game) == {"2SG": "overrun"}  # the dearer one, for it was disrupted
    assert game.marks("6GH") == {"disrupted"}


@pytest.mark.rule("fall-of-tobruk", "disrupt.17", "arttable.5")
@pytest.mark.parametrize(
    ("units", "side", "gone"),
    [
        ("8RT-1 8RT-2 8RT-3 42RT-1", "axis", {"42RT-1", "8RT-1", "8RT-2"}),  # three Allied tanks are a battalion
        ("8RT-1 8RT-2", "axis", {"8RT-1", "8RT-2"}),  # all, as they are less
        ("132-1 132-2 132-3 132-4", "allied", {"132-1", "132-2", "132-3"}),  # three Italian ones
        ("5PZ-2 5PZ-3 5PZ-4 5PZ-5 5PZ-6", "allied", {"5PZ-2", "5PZ-3", "5PZ-4", "5PZ-5"}),  # four German ones
        ("88-1 88-2 88-3 5PZ-2", "allied", {"88-1", "88-2", "88-3"}),  # three 88s, that count least in combat
        ("33ENG 5PZ-2", "allied", {"33ENG"}),  # a battalion is one
    ],
)
def test_a_stack_pays_a_battalion_in_companies_of_its_size(units, side, gone):
    game = overrun(" ".join(f"{unit}@0808" for unit in units.split()), units, side)
    assert lost(game) == dict.fromkeys(gone, "overrun")


@pytest.mark.rule("fall-of-tobruk", "disrupt.17", "arttable.5")
def test_the_owner_chooses_companies_or_a_battalion():
    laid = "5EY@0808 8RT-1@0808 8RT-2@0808 8RT-3@0808"
    everybody = "5EY 8RT-1 8RT-2 8RT-3"
    game = overrun(laid, everybody)
    assert lost(game) == {"5EY": "overrun"}  # 5 factors are less than 12
    game = overrun(laid, everybody, standing=[on("LOSSES", lose("8RT-3 8RT-1 8RT-2"))])
    assert lost(game) == dict.fromkeys(("8RT-1", "8RT-2", "8RT-3"), "overrun")
    assert {game.at(unit) for unit in ("8RT-1", "8RT-2", "8RT-3")} == {"box:wreck"}
    game = overrun(laid, everybody, tempo="normal")
    assert (decision(game).side, decision(game).verb, decision(game).clause) == ("allied", "LOSE", "disrupt.17")
    game.allied(lose("8RT-3 5EY"))
    assert lost(game) == {"5EY": "overrun"}  # with the battalion the company need not go


@pytest.mark.rule("fall-of-tobruk", "disrupt.17")
def test_a_unit_that_is_not_asked_for_is_no_answer():
    game = overrun("5EY@0808 6GH@0808 7GH@0808", "5EY 6GH", tempo="normal")
    game.allied(lose("7GH"))
    assert game.codes() == ["not-in-battle"]
    game.allied(lose("6GH"))
    assert lost(game) == {"6GH": "overrun"}


@pytest.mark.rule("fall-of-tobruk", "gap.4")
def test_the_gap_of_an_engineer_that_dies_closes():
    gap = {"hexes": ["1008", "1009"], "engineer": "33ENG"}
    game = answered("33ENG@1008", [1], "33ENG", mines="1008/1009", own={"gaps": [gap]})
    assert lost(game) == {"33ENG": "bombardment"}
    assert game.data("gap_closed") == {"hexes": ["1008", "1009"], "unit": "33ENG"}
    assert game.own("gaps") == []
