"""What the adjutant knows: the view of its side, which hides nothing of the board, as a table on which it tries its orders by the law."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from services.rules.games.race_for_tunis.state import defence_value, is_artillery, value

Seen = Mapping[str, Json]
SHOWN = ("date", "last_turn", "vp", "control", "due", "coming", "interdicted", "supply", "ezoc")
"""What a view tells beside what the state holds."""


class Draft:
    """A packet in the making. ``table``: the position after the orders given so far, carried out on it by the law."""

    def __init__(self, module: GameModule, seen: Seen) -> None:
        self.side: Side = seen["side"]
        self.enemy: Side = next(side for side in module.data.sides if side != self.side)
        self.table = Adjudication(module, state_of(module, seen), Packet("draft", self.side), ScriptedDice(()))
        self.left: int = seen["own"]["last_turn"] - self.table.turn
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
        order = Order(len(self.orders) + 1, verb, args)
        taken = self.table.step.takes(verb)
        if taken is None or self.table.attempt(partial(self._carry, order)) is not None:
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

    def done(self) -> None:
        """The step closes, duties met by their defaults, so that it never sticks."""
        self.orders.append(Order(len(self.orders) + 1, "DONE", {"turn": False, "auto": True}, confirm=True))

    def place(self, unit: str) -> Hex | None:
        """Where a unit stands after the orders given so far; None off the map."""
        return hex_of(self.table, unit)

    def worth(self, unit: str) -> int:
        """What a unit is worth, in hundredths of a combat factor: its better factor; the range of a gun counts as part of it."""
        table = self.table
        best = max(value(table, unit, "attack"), defence_value(table, unit))
        return 100 * best + (20 * value(table, unit, "ma") if not is_artillery(table, unit) else 0)


def state_of(module: GameModule, seen: Seen) -> GameState:
    """The state that a view shows, without the dice drawn and the orders that the other side has in store."""
    counters = {}
    for row in seen["counters"]:
        num = {key: parse_exact(number) for key, number in row["num"].items()}
        unit = row["id"]
        counters[unit] = Counter(
            unit, row["side"], row["card"], parse_place(row["place"]), face=row["face"], marks=frozenset(row["marks"]), num=num
        )
    path = tuple((str(name), number) for name, number in seen["path"])
    own = {key: shown for key, shown in seen["own"].items() if key not in SHOWN}
    gathered = {f"{seen['side']}/{step}": tuple(_order(one) for one in orders) for step, orders in seen["sets"].items()}
    return GameState(seen["game"], seen["scenario"], module.data.digest, seen["options"], path, counters, own, "", sets=gathered)


def _order(told: Seen) -> Order:
    """An order that the side has given already in a step that gathers them."""
    return Order(told["line"], told["verb"], told["args"], told["label"])
