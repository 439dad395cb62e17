"""Packages of Race for Tunis: positions in which a side orders its attacks, and what is declared, with a halt before they are fought.

Round 1313 the ground is clear: 1312 1412 1413 1314 1213 1212 are next to it, clockwise from the top."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from services.rules.engine.model import Order
from services.rules.engine.module import GameModule
from services.rules.engine.sequence import PHASING, PlayerTurn, Sequence, Step
from services.rules.games.race_for_tunis.package import PACKAGE
from tests.rules.race_for_tunis.positions import Game, module, order, position

AUTO = order("DONE", turn=False, auto=True)


@cache
def halting() -> GameModule:
    """The game with a halt after each package, so that nothing is fought."""
    halt = Step("halt", "", PHASING)

    def shortened(turn: PlayerTurn) -> PlayerTurn:
        names = [step.name for step in turn.steps]
        return replace(turn, steps=(*turn.steps[: names.index(PACKAGE) + 1], halt))

    turn = tuple(shortened(item) if isinstance(item, PlayerTurn) else item for item in module().sequence.turn)
    return replace(module(), sequence=Sequence(turn=turn))


def packing(units: str, side: str = "axis", step: str = PACKAGE, **more: Any) -> Game:
    """A position in which a side orders its attacks, or moves before it does."""
    game = position(units, side=side, step=step, **{"tempo": "blitz", **more})
    game.module = halting()
    return game


def support(guns: str, battle: str) -> Order:
    """``support("II-90", "1313")``."""
    return order("SUPPORT", guns=guns.split(), battle=battle)


def confirmed() -> Order:
    """``DONE CONFIRM``."""
    return order("DONE", confirm=True)


def odds(game: Game) -> dict[str, tuple[Any, Any, Any]]:
    """Label -> attack, defence and column of the battles declared."""
    return {one["label"]: (one["attack"], one["defence"], one["odds"]) for one in game.data("package")["battles"]}


def attacked(game: Game) -> dict[str, tuple[list[str], list[str]]]:
    """Label -> attackers and defenders of the battles declared, whether they will be fought or not."""
    return {one["label"]: (one["units"], one["defenders"]) for one in game.own("battles")}


def lost(game: Game) -> list[tuple[str, str]]:
    """The units that have been eliminated, and why."""
    return [(event.data["unit"], event.data["cause"]) for event in game.events("eliminated")]
