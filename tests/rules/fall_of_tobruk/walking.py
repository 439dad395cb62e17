"""Single moves, for the tests of movement: what a way costs, or why it is refused."""

from __future__ import annotations

from typing import Any

from tests.rules.fall_of_tobruk.positions import Game, move, position


def side_of(unit: str) -> str:
    """The side of a unit."""
    return str(position(f"{unit}@0505").state.counters[unit].side)


def walk(unit: str, way: str, others: str = "", **more: Any) -> Game:
    """The game after a unit was ordered along a way, of which the first hex is its own; ``marks`` and ground as in ``position``."""
    start, *path = way.split()
    side = side_of(unit)
    game = position(f"{unit}@{start} {others}", side=side, **more)
    game.send(side, move(unit, " ".join(path)))
    return game


def cost(unit: str, way: str, others: str = "", **more: Any) -> int | str:
    """What a unit pays for a way, in MP."""
    found: int | str = walk(unit, way, others, **more).data("moved")["cost"][unit]
    return found


def refused(unit: str, way: str, others: str = "", **more: Any) -> tuple[str, str]:
    """Code and clause of the refusal of a way."""
    return walk(unit, way, others, **more).refusal()
