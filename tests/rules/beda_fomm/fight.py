"""Regular combats of Beda Fomm in one line each. Round 2404 the ground is clear: its neighbours are 2403 2405 2304 2305 2504 2505."""

from __future__ import annotations

from typing import Any

from services.rules.engine.model import Guard, Order
from tests.rules.beda_fomm.positions import Game, order, position


def attack(at: str, units: str, support: str = "", **more: Any) -> Order:
    """``attack("2404", "2RB-A 2RB-B", "C-4RHA", label="A1")``."""
    return order("ATTACK", hex=at, units=units.split(), support=support.split(), **more)


def support(guns: str, at: str, **more: Any) -> Order:
    """``support("C-4RHA", "2404")``."""
    return order("SUPPORT", guns=guns.split(), hex=at, **more)


def resolve(battle: str) -> Order:
    """The combat to be fought next."""
    return order("RESOLVE", battle=battle)


def advance(units: str, at: str, **more: Any) -> Order:
    """``advance("2RB-A", "2404")``."""
    return order("ADVANCE", units=units.split(), hex=at, none=False, **more)


def checks(units: str) -> Order:
    """An order of checks, or the unit that is lost."""
    return order("CHECKS", units=units.split())


def only_if(test: str, negated: bool = False, **args: Any) -> tuple[Guard, ...]:
    """One guard."""
    return (Guard(test, args, negated),)


def declaring(units: str, side: str = "british", **more: Any) -> Game:
    """A position in which a side declares its attacks; nobody is asked but in the tempo named."""
    return position(units, side=side, step="declaration", **{"tempo": "blitz", **more})


def battles(game: Game) -> list[tuple[str, int, int, str]]:
    """Hex, attack, defence and odds of the combats fought."""
    return [(e.data["hex"], e.data["attack"], e.data["defence"], e.data["odds"]) for e in game.events("battle")]


def checked(game: Game) -> list[str]:
    """The units that have checked morale, in order."""
    return [event.data["unit"] for event in game.events("morale_check")]


def lost(game: Game) -> list[str]:
    """The units that have been eliminated, in order."""
    return [event.data["unit"] for event in game.events("eliminated")]
