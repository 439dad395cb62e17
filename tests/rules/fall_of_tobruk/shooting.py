"""Antitank segments of The Fall of Tobruk in one line each. 1007 lies north of 1008; 1108 and 0908 are next to both.

Antitank factors: 8PZ-1 1, 8PZ-2 to 8PZ-6 3, 8PZ-7 5, 8PZ-8 4, 115 6, 115-I 2, 33AA 2, 33ENG 1, 88-1 to 88-3 12, 605 5, 33ART-1 3; 2RGH-1
(Grant) 4, 2RGH-2, 2RGH-3 (Crusader) 2, 42RT-1, 42RT-2 (Matilda) 2; 2SG 2, 5EY 1, 74ART 6, KDG 1, 1SP 4.
"""

from __future__ import annotations

from typing import Any

from services.rules.engine.model import Order
from services.rules.engine.sequence import PHASING, Mode, Step, on
from services.rules.games.fall_of_tobruk import antitank, overrun
from services.rules.games.fall_of_tobruk.orders import Attack
from tests.rules.fall_of_tobruk.positions import DONE, Game, order, position

DECLARATION = Step("declaration", "combat.2", PHASING, Mode.SET, accepts=(on(Attack, lambda adj, args, order: None),))
"""Holds a game after its antitank segment, and takes the attacks of one's tail."""
STEPS = (*antitank.STEPS, overrun.SNAPSHOT, DECLARATION)
NOTHING = order("FIRE", policy="NO")


def segment(units: str, active: str, side: str = "axis", step: str = "antitank", **more: Any) -> Game:
    """A position in the antitank segment; ``active``: the units of the phasing side that take part. Nobody is asked."""
    marks = {"active": active, **more.pop("marks", {})}
    return position(units, side=side, step=step, steps=STEPS, marks=marks, **{"tempo": "blitz", **more})


def other(side: str) -> str:
    return "allied" if side == "axis" else "axis"


def fired(units: str, active: str, *shots: Order, side: str = "axis", dice: Any = (), **more: Any) -> Game:
    """A game after the shots of the phasing side, the other having fired at nothing."""
    game = segment(units, active, side, **more)
    game.send(other(side), NOTHING, DONE)
    game.send(side, *shots, DONE, dice=dice)
    return game


def shots(game: Game, kind: str = "shot") -> list[tuple[str, str, str]]:
    """Who fired at whom at what odds, in order."""

    def names(rows: Any) -> str:
        return " ".join(row["unit"] for row in rows)

    return [(names(e.data["units"]), names(e.data["targets"]), e.data["odds"]) for e in game.events(kind)]


def wrecked(game: Game) -> dict[str, str]:
    """The tanks that have become wrecks, and where."""
    return {event.data["unit"]: event.data["hex"] for event in game.events("wrecked")}
