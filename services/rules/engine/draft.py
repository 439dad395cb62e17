"""A packet in the making, for adjutants of games that hide nothing of the board: a view as a table on which orders are tried by the law."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from scenarios.hexes import Hex, parse_place
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.exact import parse_exact
from services.rules.engine.model import Counter, GameState, IllegalOrder, Json, Order, Packet, Side
from services.rules.engine.module import GameModule
from services.rules.engine.positions import hex_of
from services.rules.engine.script import gather
from services.rules.engine.table import T

Seen = Mapping[str, Json]
"""The view of a side."""


class Draft:
    """The orders of a packet. ``table``: the position after the orders given so far, carried out on it by the law.

    ``shown``: what a view of the game's own tells beside what the state holds."""

    def __init__(self, module: GameModule, seen: Seen, shown: Iterable[str]) -> None:
        self.side: Side = seen["side"]
        self.enemy: Side = next(side for side in module.data.sides if side != self.side)
        self.table = Adjudication(module, state_of(module, seen, frozenset(shown)), Packet("draft", self.side), ScriptedDice(()))
        self.orders: list[Order] = []
        self.kept: dict[Any, Any] = {}

    def lasting(self, key: Any, work_out: Callable[[], T]) -> T:
        """``work_out()``, remembered whatever the side orders: for what hangs on the enemy and the ground alone."""
        if key not in self.kept:
            self.kept[key] = work_out()
        found: T = self.kept[key]
        return found

    def give(self, verb: str, **args: Json) -> bool:
        """Add an order that falls by no die; whether the law takes it. One that it does not take is forgotten."""
        if self.table.over is not None:
            return False
        order = Order(len(self.orders) + 1, verb, args)
        if self.table.step.takes(verb) is None or self.table.attempt(partial(self._carry, order)) is not None:
            return False
        self.orders.append(order)
        return True

    def _carry(self, order: Order) -> None:
        taken = self.table.step.takes(order.verb)
        assert taken is not None
        taken.carry(self.table, read_args(taken.args, order.args), order)

    def gather(self, verb: str, label: str | None = None, **args: Json) -> bool:
        """Add an order of a step that gathers them; whether the law takes it."""
        order = Order(len(self.orders) + 1, verb, args, label)
        taken = self.table.step.takes(verb)
        assert taken is not None
        assert taken.subject is not None
        read = read_args(taken.args, args)
        try:
            if taken.check is not None:
                taken.check(self.table, read, order)
        except IllegalOrder:
            return False
        gather(self.table, self.side, order, taken.subject(read))
        self.orders.append(order)
        return True

    def add(self, verb: str, **args: Json) -> None:
        """Add an order that is known to be legal and that dice will decide."""
        self.orders.append(Order(len(self.orders) + 1, verb, args))

    def done(self, *, turn: bool = False) -> None:
        """The step closes, with ``turn`` all of the player-turn; duties are met by their defaults, so that it never sticks."""
        self.orders.append(Order(len(self.orders) + 1, "DONE", {"turn": turn, "auto": True}, confirm=True))

    def place(self, unit: str) -> Hex | None:
        """Where a unit stands after the orders given so far; None off the map."""
        return hex_of(self.table, unit)


def state_of(module: GameModule, seen: Seen, shown: frozenset[str]) -> GameState:
    """The state that a view shows, without the dice drawn and the orders that the other side has in store."""
    counters = {}
    for row in seen["counters"]:
        num = {key: parse_exact(number) for key, number in row["num"].items()}
        marks = frozenset(row["marks"]) - {row["face"]}  # a view names the face that is up among the marks
        unit = row["id"]
        counters[unit] = Counter(unit, row["side"], row["card"], parse_place(row["place"]), face=row["face"], marks=marks, num=num)
    path = tuple((str(name), number) for name, number in seen["path"])
    own = {key: told for key, told in seen["own"].items() if key not in shown}
    gathered = {f"{seen['side']}/{step}": tuple(_order(one) for one in orders) for step, orders in seen["sets"].items()}
    return GameState(seen["game"], seen["scenario"], module.data.digest, seen["options"], path, counters, own, "", sets=gathered)


def _order(told: Seen) -> Order:
    """An order that the side has given already in a step that gathers them."""
    return Order(told["line"], told["verb"], told["args"], told["label"])
