"""What a game's style sheets say for VASSAL alone: ``styles/<game>/vassal.toml``, which a game may leave out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

from scenarios.data import GameData
from services.render.panel.looks import PhaseKind, PhaseLook
from services.render.style import Sheet


class DiceLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A button that rolls ``count`` dice of ``sides`` sides; ``total``: they are added up; ``ask``: how many is asked for each time."""

    name: str
    count: int
    sides: int = 6
    total: bool = False
    ask: bool = False


class VassalStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The phases of a game-turn with the steps of the sequence of play that each holds, where the panel has no box of them; and the dice.

    Phases that are no ``turn``'s own are gone through by each side in its player-turn.  ``said``: kind of event -> what the log's chat says
    of it (``styles/_common/vassal.toml``).
    """

    phases: list[PhaseKind] = []
    dice: tuple[DiceLook, ...] = (DiceLook("1d6", 1), DiceLook("2d6", 2, total=True))
    said: dict[str, str] = {}


@cache
def vassal_style(game: str) -> VassalStyle:
    """The file of a game, with what all games have in common. ValueError, naming the file, if one is at fault."""
    common, own = _read("_common"), _read(game)
    return msgspec.structs.replace(own, said=common.said | own.said)


def _read(folder: str) -> VassalStyle:
    file = files("services.render").joinpath("styles", folder, "vassal.toml")
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}, VassalStyle)
    except ValueError as fault:
        raise ValueError(f"style sheet of {folder}, vassal.toml: {fault}") from fault


class Stage(msgspec.Struct, frozen=True):
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
