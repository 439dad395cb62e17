"""Ways of single units, their cost, and why they are refused."""

from __future__ import annotations

from tests.rules.race_for_tunis.positions import Game, move, position

FAR = {"axis": "1ES@2125", "allied": "T1@0216"}
RAIN = {"weather": True, "own": {"weather": "heavy-rain"}}


def walk(unit: str, path: str, others: str = "", *, side: str = "axis", **more) -> Game:
    """A unit of the phasing side goes from the first hex of the path to the last."""
    start, _, way = path.partition(" ")
    game = position(f"{unit}@{start} {others} {FAR[side]}", side=side, **more)
    game.send(side, move(unit, way))
    return game


def cost(unit: str, path: str, others: str = "", **more) -> object:
    """MP that the way costs, as the event tells it."""
    game = walk(unit, path, others, **more)
    assert (game.codes(), game.at(unit)) == ([], path.split()[-1])
    return game.data("moved")["cost"][unit]


def refused(unit: str, path: str, others: str = "", **more) -> tuple[str, str]:
    """Code and clause of the refusal of a way; the unit stays where it was."""
    game = walk(unit, path, others, **more)
    assert game.at(unit) == path.split()[0]
    return game.refusal()
