"""The parts of a game-turn, as VASSAL's turn counter goes through them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scenarios.data import GameData
from services.render.panel.looks import PhaseKind, PhaseLook
from services.render.style import Sheet
from services.render.vassal.looks import vassal_style


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a game-turn as the turn counter shows it: its name, the steps in it, and whose player-turn it belongs to."""

    name: str
    steps: tuple[str, ...]
    side: str = ""


def stages(data: GameData, sheet: Sheet) -> tuple[Stage, ...]:
    """The parts of a game-turn in their order; the player-turns alone if the game's sheets name no phases."""
    boxes = [box for row in sheet.style.panel.rows for box in row.boxes if isinstance(box, PhaseLook)]
    phases = vassal_style(data.key).phases or [phase for box in boxes for phase in box.phases]
    return tuple(_stages(data, phases or [PhaseKind("player-turn", [])]))


def _stages(data: GameData, phases: list[PhaseKind]) -> Iterator[Stage]:
    block: list[PhaseKind] = []
    for phase in [*phases, None]:
        if phase is not None and not phase.turn:
            block.append(phase)
            continue
        for side in data.sides:
            yield from (Stage(f"{data.side_names.get(side, side)}: {one.name}", tuple(one.steps), side) for one in block)
        block = []
        if phase is not None:
            yield Stage(phase.name, tuple(phase.steps))


def stage_of(found: tuple[Stage, ...], step: str, phasing: str | None) -> int:
    """Which part a step of the sequence of play belongs to; 0 if none names it."""
    for k, stage in enumerate(found):
        if stage.side in ("", phasing) and step in stage.steps:
            return k
    return next((k for k, stage in enumerate(found) if stage.side and stage.side == phasing), 0)
