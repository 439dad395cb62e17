"""The adjutant's answers: air units for Malta, who takes hits, who stays in the entry hex."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import distance
from services.rules.engine.model import Json, Order
from services.rules.engine.positions import occupied
from services.rules.games.holdfast.adjutant_ground import worth
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.state import sp

KEPT = 1
"""Air units that do not go to Malta when the sides are near."""
NEAR = 9
"""Hexes between the sides at which an attack is to be reckoned with."""


def answer(sketch: Sketch, decision: Mapping[str, Json]) -> Order:
    """The answer to an open decision: the best of its choices, or what the rules would do."""
    choices = decision["choices"] or [decision["default"]]
    if decision["kind"].startswith("malta"):
        args = choices[min(_for_malta(sketch), len(choices) - 1)]
    elif decision["kind"] == "losses":
        args = min(choices, key=lambda choice: _cost(sketch, choice["units"]))
    else:
        args = max(choices, key=lambda choice: (worth(sketch, choice["unit"]) * sp(sketch, choice["unit"]), choice["unit"]))
    return Order(0, decision["verb"], args)


def _for_malta(sketch: Sketch) -> int:
    """Air units that the next attacks can spare: all while the enemy is far, else all but two."""
    mine, theirs = occupied(sketch, sketch.side), occupied(sketch, sketch.enemy(sketch.side))
    close = any(distance(a, b) <= NEAR for a in mine for b in theirs)
    free = len(sketch.own["air"][sketch.side])
    return max(0, free - KEPT) if close else free


def _cost(sketch: Sketch, units: list[str]) -> tuple[int, int, tuple[str, ...]]:
    """How losses weigh: units that die, then the RP that it takes to make good."""
    dead = sum(units.count(unit) >= sp(sketch, unit) for unit in set(units))
    return dead, sum(worth(sketch, unit) for unit in units), tuple(units)
