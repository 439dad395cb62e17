"""What a game's style sheets say for VASSAL alone: ``styles/<game>/vassal.toml``, which a game may leave out."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from services.render.panel.looks import PhaseKind


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
    of it (``styles/_common/vassal.toml``); ``kind.word``: of one whose code, kind, reason or step is that word.  ``players``: side -> what
    its player is called, in the plural.  ``counted``: what an event counts -> one of it, and ``{n}`` of it.
    """

    phases: list[PhaseKind] = []
    dice: tuple[DiceLook, ...] = (DiceLook("1d6", 1), DiceLook("2d6", 2, total=True))
    said: dict[str, str] = {}
    players: dict[str, str] = {}
    counted: dict[str, tuple[str, str]] = {}


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
