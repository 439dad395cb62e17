"""Battles of Race for Tunis in one line each. Round 1313 the ground is clear: 1312 1412 1413 1314 1213 1212 are next to it, clockwise from
the top; on two dice a column gives the results of ``test_crt``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from services.rules.engine.model import Guard, Order
from tests.rules.race_for_tunis.positions import Game, order, position

VACATED = (Guard("vacated", {}),)


def fighting(units: str, side: str = "axis", **more: Any) -> Game:
    """A position in which a side orders its attacks; nobody is asked but in the tempo named."""
    return position(units, side=side, **{"step": "package", "tempo": "blitz", **more})


def throw(total: int) -> tuple[int, int]:
    """Two dice of a sum."""
    return (total - 6, 6) if total > 7 else (total - 1, 1)


def fought(units: str, *lines: Order, roll: int | Iterable[int] = (), side: str = "axis", **more: Any) -> Game:
    """A game after the attacks of a side, one throw of two dice a battle; ``standing``: orders that the other side has given before."""
    standing = more.pop("standing", ())
    game = fighting(units, side, **more)
    if standing:
        game.send(other(side), standing=standing)
    sums = (roll,) if isinstance(roll, int) else roll
    game.send(side, *lines, order("DONE"), dice=[die for total in sums for die in throw(total)])
    assert game.codes() == []
    return game


def other(side: str) -> str:
    return "allied" if side == "axis" else "axis"


def lose(units: str, **more: Any) -> Order:
    """``lose("T1 T2", split=False)``."""
    return order("LOSE", units=units.split(), **more)


def retreat(unit: str, path: str, **more: Any) -> Order:
    """``retreat("1ES", "1314 1315")``."""
    return order("RETREAT", unit=unit, path=path.split(), **more)


def rally(units: str, hexes: str, **more: Any) -> Order:
    """``rally("ALL", "1315", road=False)``."""
    return order("RETREAT", units=units if units == "ALL" else units.split(), rally=hexes.split(), **more)


def advance(units: str, hexes: str, **more: Any) -> Order:
    """``advance("5-I 5-III", "1313 1314")``."""
    return order("ADVANCE", units=units.split(), hexes=hexes.split(), **more)


def results(game: Game) -> list[tuple[str, str, str]]:
    """Label, odds and result of the battles fought, in order."""
    return [(e.data["label"], e.data["odds"], e.data["result"]) for e in game.events("result")]


def lost(game: Game) -> dict[str, str]:
    """The units that have been eliminated, and why."""
    return {event.data["unit"]: event.data["cause"] for event in game.events("eliminated")}


def retreated(game: Game) -> dict[str, str]:
    """Units -> the way of their retreat, their own hex first."""
    return {event.data["unit"]: " ".join(event.data["path"]) for event in game.events("retreated")}


def advanced(game: Game) -> dict[str, str]:
    """Units -> the hexes that they entered after combat."""
    return {unit: " ".join(event.data["path"]) for event in game.events("advanced") for unit in event.data["units"]}


def decision(game: Game) -> Any:
    """The one decision that is open."""
    (found,) = game.state.pending
    return found
