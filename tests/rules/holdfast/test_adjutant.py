"""The adjutant: a game that plays itself, from what each side may see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice, game_key, packet_seed
from services.rules.engine.model import Order
from services.rules.engine.view import view
from services.rules.games.holdfast.adjutant_attack import Place, Plan, can_be_done
from services.rules.games.holdfast.adjutant_ground import caution
from services.rules.games.holdfast.adjutant_odds import Attacker
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.supply import in_supply
from services.rules.schemas.state import digest_of
from services.rules.selfplay import play
from tests.rules.holdfast.positions import DONE, Game, attack, module, order, position
from tests.rules.holdfast.test_properties import check_conserved

SECRET = f"{7:064x}"


def asked(game: Game, side: str = "axis") -> tuple[Order, ...]:
    """What the adjutant orders for a side."""
    adjutant = module().adjutant
    assert adjutant is not None
    return adjutant(module(), view(module(), game.state, side))


def test_a_game_plays_itself_by_legal_orders_and_the_same_again() -> None:
    outcomes = list(play(module(), "campaign-1", {}, SECRET, turns=6))
    start = outcomes[0][1].state
    state = start
    n = 0
    for packet, outcome in outcomes[1:]:
        assert packet is not None
        assert outcome.status == "done"
        assert not outcome.rejections
        check_conserved(outcome.state, start)
        n += 1
        seed = packet_seed(game_key(SECRET, ()), "holdfast/campaign-1", 0, n)
        again = adjudicate(module(), state, packet, SeededDice(seed))
        assert digest_of(again.state) == digest_of(outcome.state)
        n -= not outcome.ran
        state = outcome.state
    assert view(module(), state, None)["turn"] == 7


def test_an_enemy_city_without_a_garrison_is_entered_first() -> None:
    game = position("21PZ@1603 TRENTA@0210 4IND@3508", cities="0210 0504")
    assert [(o.verb, o.args["units"], o.args["to"]) for o in asked(game)] == [("MOVE", ["21PZ"], "1803")]


def test_units_are_brought_up_for_an_attack_with_air_unit_and_leader() -> None:
    game = position(
        "21PZ@1502 15PZ@1402 TRENTA@0210 4IND:2@1603 9AUS@1803 2SA@3907", cities="0210 0504 2204", air={"X1": "free"}, leaders="ROMMEL"
    )
    orders = asked(game)
    assert [o.verb for o in orders] == ["MOVE"] * (len(orders) - 1) + ["ATTACK"]
    assert orders[-1].args["hex"] == "1603"
    assert (orders[-1].args["air"], orders[-1].args["leader"]) == ("X1", True)
    game.axis(*orders, dice=SeededDice("5e" * 32))
    assert game.last.status == "done"


def test_a_weak_unit_leaves_a_fortress_alone() -> None:
    game = position("TRENTA:1@1904 BRESCIA@0210 4IND@1803", cities="0210 0504", rp=(6, 10))
    assert "ATTACK" not in [o.verb for o in asked(game)]


def test_a_unit_cut_off_goes_back_into_supply() -> None:
    game = position("BOLOGNA@1410 TRENTA@0210 4IND@3508 9AUS@3907", cities="0210 0504 1803 2204", rp=(4, 10))
    assert not in_supply(game.table, "BOLOGNA")
    (order,) = [o for o in asked(game) if o.verb == "MOVE" and o.args["units"] == ["BOLOGNA"]]
    game.axis(order)
    assert in_supply(game.table, "BOLOGNA")


def test_where_nothing_is_worth_doing_the_step_ends_without_fail() -> None:
    game = position("TRENTA@0210 4IND@0504 9AUS@3508", cities="0210")
    (order,) = asked(game)
    assert (order.verb, order.args, order.confirm) == ("DONE", {"turn": False, "auto": True}, True)


def test_the_build_step_enters_rebuilds_and_makes_good() -> None:
    game = position("TRENTA:2@0210 15PZ@off1 PAVIA@pool 4IND@3508", cities="0210", step="build", rp=(12, 10))
    assert [(o.verb, *o.args.values()) for o in asked(game)] == [
        ("ENTER", "15PZ"),
        ("REBUILD", "PAVIA"),
        ("STEP", "TRENTA", 2),
        ("DONE", False, True),
    ]


def test_a_unit_next_to_the_enemy_that_has_been_stepped_is_not_stepped_again() -> None:
    game = position("ARIETE:1@0410 PAVIA:2@0309 22GDS@0510", step="build")
    game.axis(order("STEP", unit="ARIETE", k=1))  # its player then misses his deadline
    assert "ARIETE" not in [o.args["unit"] for o in asked(game) if o.verb == "STEP"]
    game.axis(*asked(game))
    assert game.last.status == "done"


def test_the_build_step_leaves_alone_what_has_no_supply_or_no_room() -> None:
    game = position("TRENTA:2@1410 15PZ@off1 4IND@0210", cities="0504", step="build", rp=(12, 10))
    assert [o.verb for o in asked(game)] == ["DONE"]


@pytest.mark.parametrize(("at", "n"), [("3508", 2), ("0608", 1)])
def test_air_units_that_the_front_can_spare_go_to_malta(at: str, n: int) -> None:
    game = position(f"21PZ@0210 4IND@{at}", cities="0210", step="malta roll", air={"X1": "free", "X2": "free"})
    seen = {**view(module(), game.state, "axis"), "waiting_for": ["axis"]}
    choices = [{"n": 0}, {"n": 1}, {"n": 2}]
    seen["pending"] = [{"kind": "malta-axis", "verb": "COMMIT", "choices": choices, "default": {"n": 0}}]
    adjutant = module().adjutant
    assert adjutant is not None
    assert [o.args for o in adjutant(module(), seen)] == [{"n": n}]


def test_losses_fall_where_no_unit_dies_and_are_the_cheapest() -> None:
    game = position("PAVIA:1@1904 TRENTA:3@1704 4IND@1803", cities="0210 0504")
    game.axis(attack("1803", "PAVIA TRENTA"), dice=[1] * 6 + [4, 4, 1, 1, 1, 1])
    (decision,) = game.state.pending
    assert decision.kind == "losses"
    assert [o.args["units"] for o in asked(game)] == [["TRENTA", "TRENTA"]]


def test_the_most_valuable_unit_stays_in_the_entry_hex() -> None:
    game = position("TRENTA@0210 21PZ:3@0210 BRESCIA@0210 4IND@3508", cities="0210", rp=(1, 10), moved="TRENTA 21PZ BRESCIA")
    game.axis(DONE)
    (decision,) = game.state.pending
    assert decision.kind == "surplus"
    assert [o.args for o in asked(game)] == [{"unit": "21PZ"}]


def test_nobody_is_ordered_about_who_is_not_waited_for() -> None:
    game = position("TRENTA@0210 4IND@3508")
    assert asked(game, "allied") == ()


@pytest.mark.parametrize("options", [{"ezoc_public": False, "surplus": "eliminate"}, {"attack_dice_reading": "total", "littorio": True}])
def test_it_plays_by_every_option(options: dict[str, Any]) -> None:
    for packet, outcome in play(module(), "campaign-2", options, SECRET, turns=2):
        assert packet is None or not outcome.rejections


def test_a_plan_is_only_good_if_each_of_its_orders_is_legal_in_its_turn() -> None:
    sketch = Sketch(module(), view(module(), position("21PZ@1502 TRENTA@0210 4IND@1603", cities="0210").state, "axis"))
    fights = Attacker(5, 6, 4, 2)

    def possible(to: str, move: bool) -> bool:
        return can_be_done(sketch, Plan(0, Hex(16, 3), (Place("21PZ", parse_hex(to), move, False, False, fights),), None, False))

    assert possible("1503", True)
    assert not possible("3508", True)  # beyond reach
    assert not possible("1502", False)  # not next to the enemy
    assert str(sketch.counters["21PZ"].place) == "1502"


def test_near_the_end_a_side_that_is_losing_takes_risks() -> None:
    place = "PAVIA:2@1603 BRESCIA@0210 TRENTA@0504 4IND@1803 9AUS@2204 7ARM@2005 2ARM@2004"
    early, late = (Sketch(module(), view(module(), position(place, cities="0210 0504", turn=n).state, "axis")) for n in (12, 20))
    assert (caution(early), caution(late)) == (225, 20)  # 72 to 48: blocks never turned up are taken for infantry


def test_an_adjutant_whose_orders_are_refused_is_an_error() -> None:
    wrong = replace(module(), adjutant=lambda _, __: (Order(1, "COMMIT", {"n": 9}),))
    with pytest.raises(RuntimeError, match="sticks"):
        list(play(wrong, "campaign-1", {}, SECRET))
