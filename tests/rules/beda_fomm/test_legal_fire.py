"""Legal orders of fire and combat, and legal answers: each is carried out, and those are there that must be."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.dice import SeededDice
from services.rules.engine.model import Order
from services.rules.games.beda_fomm.legal import legal
from tests.rules.beda_fomm.fight import attack
from tests.rules.beda_fomm.positions import DONE, Game, position

BLOCK = "C-4RHA@1733 F-4RHA@1733 2RB-A@1732 2RB-B@1732 10B-16@1731 T-1:parked@1730 T-2@1729 COL-ART@1728 PIA-ART@1727"
TANKS = "BAB-6-1@1731 BAB-6-2@1731 106RHA@1732 2RT-1@1732 2RB-A@1831"


def found(game: Game, side: str) -> list[Order]:
    """The legal orders but ``DONE``, each tried on its own."""
    orders = [order for order in legal(game.table, side) if order.verb != "DONE"]
    before = game.state
    for order in orders:
        game.state = before
        game.send(side, order, dice=SeededDice("5e" * 32))
        assert game.last.status == "done", (order, game.last.rejections)
    game.state = before
    return orders


def args(orders: list[Order], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(order.args[name] for name in names) for order in orders]


def test_stacked_guns_may_interdict_together_or_one_by_one() -> None:
    orders = found(position(BLOCK, side="british", step="interdiction"), "british")
    assert [guns for guns in (["C-4RHA", "F-4RHA"], ["C-4RHA"], ["F-4RHA"]) if (guns, "1731") in args(orders, "guns", "hex")] == [
        ["C-4RHA", "F-4RHA"],
        ["C-4RHA"],
        ["F-4RHA"],
    ]
    assert "1732" not in {order.args["hex"] for order in orders}  # held by friends


@pytest.mark.parametrize(("side", "step"), [("british", "barrage"), ("italian", "reaction barrage")])
def test_guns_may_bombard_what_they_reach_and_spot(side: str, step: str) -> None:
    orders = found(position(BLOCK, side="british", step=step), side)
    hexes = {target for (target,) in args(orders, "target")}
    assert hexes == ({"1731"} if side == "british" else {"1732"})  # the others are neither next to friends nor in sight behind dunes


def test_all_that_can_fire_at_a_tank_may_or_one_alone() -> None:
    orders = found(position(TANKS, step="reaction antitank"), "british")
    assert args(orders, "target", "units")[:4] == [
        ("BAB-6-1", ["106RHA", "2RT-1", "2RB-A"]),
        ("BAB-6-1", ["106RHA"]),
        ("BAB-6-1", ["2RT-1"]),
        ("BAB-6-1", ["2RB-A"]),
    ]


def test_a_hex_may_be_attacked_by_all_that_are_free_with_or_without_support() -> None:
    game = position(BLOCK + " 10B-34@1831", step="declaration", tempo="blitz")
    orders = found(game, "italian")
    assert args(orders, "hex", "units", "support") == [
        ("1732", ["10B-16", "10B-34"], []),
        ("1732", ["10B-16", "10B-34"], ["COL-ART", "PIA-ART"]),
    ]
    nobody = position("10B-16@1710 2RB-A@1732", step="declaration")
    assert [order.verb for order in legal(nobody.table, "italian")] == ["DONE"]


def test_the_defender_may_support_each_hex_attacked() -> None:
    game = position(BLOCK, step="declaration")
    game.italian(attack("1732", "10B-16"), DONE)
    assert args(found(game, "british"), "guns", "hex") == [(["C-4RHA"], "1732"), (["F-4RHA"], "1732")]


def test_answers_are_the_choices_and_of_an_advance_each_unit_too() -> None:
    game = position("T-1:parked@2404 2RT-1@2504 2RT-2@2504 10B-16@1710", side="british", step="declaration")
    game.british(attack("2404", "2RT-1 2RT-2"), DONE)
    assert [(o.args.get("none"), o.args.get("units")) for o in legal(game.table, "british")] == [
        (True, None),
        (False, ["2RT-1"]),
        (False, ["2RT-2"]),
    ]
    fled = position("10B-16@1731 C-4RHA@1733 2RB-A@1732", step="reaction barrage")
    shell = Order(1, "BARRAGE", {"guns": ["C-4RHA"], "target": "1731", "within": None, "else_target": None, "hold_fire": False})
    fled.british(shell, dice=[6, 5, 5])  # M1: ten and one against nine
    answers = legal(fled.table, "italian")
    assert {o.verb for o in answers} == {"RETREAT"}
    assert len(answers) > 1
