"""Combat phases of Race for Tunis from the package on: attacks, guns and aircraft; battles that end in contact, so that nothing follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.model import Order
from tests.rules.race_for_tunis.positions import Game, order, position

CONTACT = {
    "1:5": (6, 6),
    "1:4": (5, 6),
    "1:3": (4, 6),
    "1:2": (1, 2),
    "1:1": (3, 4),
    "2:1": (4, 4),
    "3:1": (1, 3),
    "4:1": (1, 3),
    "5:1": (1, 2),
    "6:1": (1, 2),
    "8:1": (1, 1),
}
"""Column -> two dice that bring a contact, after which nothing is left to do."""


def combat(units: str, side: str = "axis", **more: Any) -> Game:
    """A position in which a side orders its attacks."""
    return position(units, side=side, step="package", **more)


def contact(*columns: str) -> tuple[int, ...]:
    """The dice of battles on these columns."""
    return tuple(die for column in columns for die in CONTACT[column])


def support(guns: str, battle: str) -> Order:
    """``SUPPORT 78FA,32FA FOR 1312``."""
    return order("SUPPORT", guns=guns.split(), battle=battle)


def aircraft(unit: str, mission: str, at: str, battle: str | None = None) -> Order:
    """``AIR JU87 SUPPORT 1312``."""
    return order("AIR", air=unit, mission=mission, hex=at, battle=battle)


def intercept(unit: str, target: str, keep: int | None = None) -> Order:
    """``INTERCEPT SPIT AT JU87 KEEP 1``."""
    return order("INTERCEPT", air=unit, target=target, keep=keep)


def fought(game: Game) -> dict[str, tuple[Any, Any, Any]]:
    """Label -> attack, defence and column of the battles fought."""
    return {e.data["label"]: (e.data["attack"], e.data["defence"], e.data["odds"]) for e in game.events("battle")}


def helped(game: Game) -> dict[str, list[str]]:
    """Label -> the guns that have supported the defence in the battles fought."""
    return {e.data["label"]: [gun["unit"] for gun in e.data["defence_support"]] for e in game.events("battle")}


def flight(game: Game, unit: str) -> Mapping[str, Any]:
    """What an air unit does."""
    found: Mapping[str, Any] = game.own("air")[unit]
    return found


def state(game: Game, unit: str) -> str:
    """The state of an air unit in a word."""
    return str(flight(game, unit)["state"])
