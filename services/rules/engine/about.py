"""What orders are about: the units that they name, by which those of one unit are parted from all others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from services.rules.engine.model import GameState, Json, Order, Side

About = Callable[[Order], bool] | None
"""Which orders are wanted; None: all."""


def about(state: GameState, side: Side, unit: str) -> Callable[[Order], bool]:
    """Whether an order names a unit of the side; with none (empty), whether it names none of them."""
    own = frozenset(one.id for one in state.counters.values() if one.side == side)
    wanted = {unit} if unit else frozenset[str]()
    return lambda order: named(order, own) >= wanted if wanted else not named(order, own)


def named(order: Order, units: Collection[str]) -> set[str]:
    """Those of the units that an order names in its arguments."""
    return {word for word in _words(order.args) if word in units}


def _words(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _words(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _words(one)
