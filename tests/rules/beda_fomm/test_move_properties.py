"""Whatever is ordered, what is carried out keeps to the limits of chapters 5, 6 and 9, told anew from counters and board alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import Hex, neighbours, parse_hex
from services.rules.engine.dice import SeededDice
from services.rules.engine.model import Event, GameState, Order
from services.rules.games.beda_fomm.legal import legal
from services.rules.schemas.state import dump_state, load_state
from tests.rules.beda_fomm.positions import Game, historical, module, move, one, position

ITALIANS = ["BAB-6-1", "BAB-6-2", "BAB-61-1", "BAB-MC", "PIA-PARA", "SAB-MG", "BER-SIR", "COL-AT", "T-1", "T-2"]
BRITISH = ["2RB-A", "2RB-B", "11H-1", "2RT-1", "C-4RHA", "106RHA", "7H-1"]
FIELD = [Hex(col, row) for col in range(17, 22) for row in range(20, 27)]
"""Road, trail, the Pimple and clear ground about it."""


T = TypeVar("T")


class Chance:
    """Choices from a seed."""

    def __init__(self, seed: int) -> None:
        self.dice, self.made = SeededDice(seed.to_bytes(32, "big")), 0

    def upto(self, most: int) -> int:
        """From 1 to ``most``."""
        self.made += 1
        high, low = self.dice.throw(("choice", self.made), 1000, 2)
        return (high * 1000 + low) % most + 1

    def happens(self, percent: int) -> bool:
        return self.upto(100) <= percent

    def choice(self, items: Sequence[T]) -> T:
        return items[self.upto(len(items)) - 1]

    def sample(self, items: Sequence[T], number: int) -> list[T]:
        left = list(items)
        return [left.pop(self.upto(len(left)) - 1) for _ in range(number)]


def class_of(unit: str) -> str:
    return str(module().data.cards[unit].values["class"])


def points(unit: str) -> int:
    return 3 if module().data.cards[unit].values["size"] == "battalion" else 1


def zone_against(counters: dict[str, Hex], sides: dict[str, str], side: str) -> set[Hex]:
    return {at for unit, where in counters.items() if sides[unit] != side and class_of(unit) != "transport" for at in neighbours(where)}


def scattered(chance: Chance, turn: int, side: str, one_hex: str) -> Game:
    """Units of both sides strewn over the field, within the limits; some hexes are interdicted."""
    places: dict[str, Hex] = {}
    for unit in chance.sample(ITALIANS, 7) + chance.sample(BRITISH, 5):
        mine = unit in ITALIANS
        fits = [
            at
            for at in FIELD
            if all((other in ITALIANS) == mine for other, where in places.items() if where == at)
            and points(unit) + sum(points(other) for other, where in places.items() if where == at) <= 4
        ]
        places[unit] = chance.choice(fits)
    shelled: dict[str, dict[str, Any]] = {
        str(chance.choice(FIELD)): {"side": who, "factors": chance.upto(9), "guns": []} for who in ("italian", "british")
    }
    units = " ".join(f"{unit}@{at}" for unit, at in places.items())
    inside = zone_against(places, {unit: "italian" if unit in ITALIANS else "british" for unit in places}, side)
    marks = {"in-zoc": " ".join(unit for unit, at in places.items() if (unit in ITALIANS) == (side == "italian") and at in inside)}
    return position(units, side=side, turn=turn, own={"interdicted": shelled}, marks=marks, one_hex=one_hex)


def any_order(chance: Chance, game: Game, side: str) -> Order:
    mine = [c for c in game.state.counters.values() if c.side == side]
    lead = chance.choice(mine)
    units = [c.id for c in mine if c.place == lead.place and (c.id == lead.id or chance.happens(40))]
    if chance.happens(30):
        return move(" ".join(units), to=str(chance.choice(FIELD)), road=chance.happens(20))
    at, path = lead.place, []
    for _ in range(chance.upto(5)):
        at = chance.choice(neighbours(at)) if isinstance(at, Hex) else Hex(17, 22)
        path.append(str(at))
    drop = {"drop": chance.choice(units), "drop_at": chance.choice(path)} if len(units) > 1 and chance.happens(40) else {}
    return move(" ".join(units), " ".join(path), **drop)


def check_move(before: GameState, event: Event, dark: bool) -> None:
    """A ``moved`` event against the rules, told from the units' places before it."""
    data = event.data
    side, path = str(data["side"]), [parse_hex(text) for text in data["path"]]
    places = {c.id: c.place for c in before.counters.values() if isinstance(c.place, Hex)}
    sides = {c.id: c.side for c in before.counters.values()}
    zone = zone_against(places, sides, side)
    armored = {at for unit, where in places.items() if sides[unit] != side and class_of(unit) == "armor" for at in neighbours(where)}
    stack, drop = list(data["units"]), data["drop"]
    assert {places[unit] for unit in stack} == {path[0]}
    for n, (at, to) in enumerate(pairwise(path)):
        if n and drop and drop["hex"] == str(at) and drop["unit"] in stack:
            stack.remove(drop["unit"])
        assert to in neighbours(at)
        assert all(sides[unit] == side for unit, where in places.items() if where == to)
        assert not (n and at in zone)
        others = [unit for unit, where in places.items() if where == to and unit not in stack]
        assert sum(points(unit) for unit in (*others, *stack)) <= 4
        for unit in stack if to in zone else ():
            assert not dark
            assert at not in zone or module().data.cards[unit].values["infiltrates"]
            assert class_of(unit) in ("armor", "personnel")
            assert class_of(unit) == "armor" or to not in armored or any(class_of(one) == "armor" for one in (*others, *stack))
    for unit in data["units"]:
        allowance = int(module().data.cards[unit].values["ma"])
        steps = len(path) - 1 if unit in stack or not drop else path.index(parse_hex(drop["hex"]), 1)
        first = "moved" not in before.counters[unit].marks
        spent = after_spent(data["cost"][unit])
        assert spent <= allowance or (first and steps == 1)


def after_spent(text: int | str) -> float:
    top, _, bottom = str(text).partition("/")
    return int(top) / int(bottom or 1)


@given(
    st.integers(0, 2**32), st.sampled_from([7, 9]), st.sampled_from(["italian", "british"]), st.sampled_from(["anywhere", "outside-zoc"])
)
@settings(max_examples=60)
def test_no_order_breaks_stacking_zones_or_allowances(seed: int, turn: int, side: str, one_hex: str) -> None:
    chance = Chance(seed)
    game = scattered(chance, turn, side, one_hex)
    for _ in range(12):
        before = game.state
        game.send(side, any_order(chance, game, side))
        if game.last.status == "refused":
            assert game.state is before
            assert all(rejection.clause and rejection.code for rejection in game.last.rejections)
        for event in game.events("moved"):
            check_move(before, event, turn == 7)
    held = Counter(c.place for c in game.state.counters.values() for _ in range(points(c.id)))
    assert max(held.values()) <= 4


def test_the_law_lets_the_orders_of_these_properties_through_often_enough() -> None:
    done = 0
    for seed in range(12):
        chance = Chance(seed)
        game = scattered(chance, 9, "british", "anywhere")
        for _ in range(12):
            game.send("british", any_order(chance, game, "british"))
            done += len(game.events("moved"))
    assert done > 25


# -- legal orders ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "options"), [(1, {}), (2, {"tempo": "blitz", "british_hold_back": False, "blocked_entry": "lost"})])
def test_each_legal_order_is_carried_out_from_set_up_to_the_first_battles(seed: int, options: dict[str, object]) -> None:
    chance = Chance(seed)
    game = historical(**options)
    for n in range(120):
        side, orders = next((side, found) for side in ("italian", "british") if (found := legal(game.table, side)))
        chosen = orders[-1] if chance.happens(30) else chance.choice(orders)
        game.send(side, chosen, dice=SeededDice(f"{seed:032x}{n:032x}"))
        assert game.last.status == "done", (chosen, game.last.rejections)
    assert load_state(dump_state(game.state)) == game.state
    assert game.table.turn > 2


def test_every_hex_within_reach_is_legal_and_no_other() -> None:
    # Tanks with 4 MP on the plain: 4 hexes about; a rifle company in 2926 stops them next to it.
    game = position("BAB-61-1@2924 2RB-A@2927")
    found = {order.args["to"] for order in legal(game.table, "italian") if order.verb == "MOVE"}
    for where in (Hex(col, row) for col in range(25, 34) for row in range(20, 30)):
        game = position("BAB-61-1@2924 2RB-A@2927")
        if str(where) != "2924" and where in module().data.board.terrain:
            game.italian(move("BAB-61-1", to=str(where)))
            assert (game.last.status == "done") is (str(where) in found), where


def test_legal_orders_of_each_kind_are_found() -> None:
    units = "T-1@1740 T-2:parked@1738 T-3@1736 COL-AT@off9 2RB-A@3310"
    game = position(units, step="parking")
    found = [(order.verb, order.args.get("unit")) for order in legal(game.table, "italian")]
    assert found == [("PARK", "T-1"), ("UNPARK", "T-2"), ("PARK", "T-3"), ("DONE", None)]
    game = position(units)
    orders = legal(game.table, "italian")
    assert {order.verb for order in orders} == {"ENTER", "DELAY", "EXIT", "MOVE", "DONE"}
    assert one("EXIT", "T-1").args in [order.args for order in orders if order.verb == "EXIT"]
    assert legal(game.table, "british") == ()


def test_in_the_opening_a_unit_on_its_way_goes_before_all_others_and_a_duty_bars_done() -> None:
    game = position("T-1@1720 T-2@1619 2RB-A@2731", contact=False, turn=5)
    assert "DONE" not in {order.verb for order in legal(game.table, "italian")}
    game.italian(move("T-1", "1721 1722"))
    assert {order.args["units"][0] for order in legal(game.table, "italian")} == {"T-1"}
    blocked = position("T-1@1738 2RB-A@3310", contact=False, turn=5, own={"vp": 0})
    blocked.italian(move("T-1", "1739 1740"))
    assert legal(blocked.table, "italian")[-1].verb == "DONE"
