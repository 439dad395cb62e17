"""Attacks in The Fall of Tobruk in one line each. Round 0808 on the bare field, clockwise from the top: 0807 0908 0909 0809 0709 0708; on
two dice a column gives what ``combat.csv`` says: on 1:1 a 7 is Con, a 9 DB1, a 10 AB1; on 2:1 a 9 is DB2; on 3:1 a 10 is DB3, an 11 DE."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from services.rules.engine.model import Order
from tests.rules.fall_of_tobruk.field import package
from tests.rules.fall_of_tobruk.positions import DONE, Game, order, position

SPARE = {"axis": "132ENG@0114", "allied": "232ENG@2014"}
"""A unit that has yet to move, so that the player-turn is not over after a pass and its marks stay."""


def fighting(units: str, side: str = "axis", **more: Any) -> Game:
    """A position in which a side declares its attacks, with all its units in the pass but those of ``idle`` and a spare one.

    Nobody is asked but in the tempo named. ``overrun``: hexes for which no antitank factors were noted; all others are safe from it."""
    units = f"{units} {SPARE[side]}"
    more["idle"] = f"{more.get('idle', '')} {SPARE[side].partition('@')[0]}"
    idle, weak = str(more.pop("idle", "")).split(), str(more.pop("overrun", "")).split()
    places = dict(text.split("@") for text in units.split())
    sides = {unit: package().cards[unit].side for unit in places}
    marks = {"active": " ".join(unit for unit, at in places.items() if sides[unit] == side and at.isdigit() and unit not in idle)}
    snapshot = {at: 0 if at in weak else 99 for unit, at in places.items() if sides[unit] != side and at.isdigit()}
    given = {"step": "declaration", "tempo": "blitz", **more}
    game = position(
        units, side=side, **{**given, "marks": {**marks, **more.get("marks", {})}, "own": {"snapshot": snapshot, **more.get("own", {})}}
    )
    game.state = replace(game.state, results={"@pass-1": True})  # somebody has moved or stood in this pass
    return game


def throw(total: int) -> tuple[int, int]:
    """Two dice of a sum."""
    return (total - 6, 6) if total > 7 else (total - 1, 1)


def fought(units: str, *lines: Order, roll: int = 0, dice: Iterable[int] = (), side: str = "axis", **more: Any) -> Game:
    """A game after the attacks of a side: two dice of the sum ``roll``, after ``dice`` as they are thrown, mines first.

    ``standing``: orders that the other side has given before, ``before``: those that its own has."""
    theirs, ours = more.pop("standing", ()), more.pop("before", ())
    game = fighting(units, side, **more)
    if theirs:
        game.send(other(side), standing=theirs)
    if ours:
        game.send(side, standing=ours)
    game.send(side, *lines, DONE, dice=[*dice, *(throw(roll) if roll else ())])
    assert game.codes() == []
    return game


def other(side: str) -> str:
    return "allied" if side == "axis" else "axis"


def lose(units: str, **more: Any) -> Order:
    """``lose("115-I 8PZ-1", split=False)``."""
    return order("LOSE", units=units if units == "CHEAPEST" else units.split(), **more)


def retreat(path: str = "", unit: str | None = None, **more: Any) -> Order:
    """``retreat("0707 0607", "5EY")``; ``hex="0607"``; ``avoid=["ZOC"]``."""
    return order("RETREAT", unit=unit, path=path.split(), **more)


def advance(units: str, at: str | None = None, **more: Any) -> Order:
    """``advance("115", "0808")``."""
    return order("ADVANCE", units=units.split(), hex=at, **more)


def results(game: Game) -> list[tuple[str, Any, str]]:
    """Label, odds and result of the attacks made, in order."""
    return [(e.data["label"], e.data["odds"], e.data["result"]) for e in game.events("result")]


def lost(game: Game) -> dict[str, str]:
    """The units that have died, and why."""
    return {e.data["unit"]: e.data["cause"] for kind in ("eliminated", "wrecked") for e in game.events(kind)}


def retreated(game: Game) -> dict[str, str]:
    """Units -> the way of their retreat, their own hex first."""
    found: dict[str, str] = {}
    for event in game.events("retreated"):
        for unit in event.data["units"]:
            found[unit] = " ".join([*found.get(unit, event.data["path"][0]).split(), *event.data["path"][1:]])
    return found


def advanced(game: Game) -> dict[str, str]:
    """Units -> the hexes that they entered after combat."""
    found: dict[str, str] = {}
    for event in game.events("advanced"):
        for unit in event.data["units"]:
            found[unit] = " ".join([*found.get(unit, "").split(), *event.data["path"]])
    return found


def strengths(game: Game) -> tuple[Any, Any, Any]:
    """Attack, defence and column of the one battle."""
    data = game.data("battle")
    return data["attack"], data["defence"], data["odds"]


def decision(game: Game) -> Any:
    """The one decision that is open."""
    (found,) = game.state.pending
    return found
