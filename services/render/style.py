"""How a game's pictures look: a folder of TOML style sheets a game, read and checked into frozen values.

``styles/<game>/``: ``colours.toml`` (themes and sides), ``board.toml``, ``counters.toml``, ``panel.toml``. What all games share of their
colours stands in ``styles/_common/colours.toml``; a game's own says what is different or added.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

import msgspec

from services.render.board.check import check_board
from services.render.board.looks import BoardStyle
from services.render.counters.looks import CounterStyle
from services.render.draw.palette import Palette
from services.render.panel.looks import PanelStyle

Part = TypeVar("Part")


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of one theme: of ground and panel, of counters; and the mixtures of them that the palette must hold."""

    colours: dict[str, str] = {}
    counters: dict[str, str] = {}
    ramps: list[tuple[str, str, int]] = []

    def over(self, base: Theme) -> Theme:
        """This theme with what ``base`` has and it has not."""
        return Theme(base.colours | self.colours, base.counters | self.counters, [*base.ramps, *self.ramps])


class SideLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side: the colours of its blocks, of what is written on them, and of its arrows."""

    face: str
    light: str
    dark: str
    on: str
    ink: str


class Colours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of ``colours.toml``."""

    themes: dict[str, Theme] = {}
    sides: dict[str, SideLook] = {}

    def over(self, base: Colours) -> Colours:
        """These colours with those of ``base`` beneath them."""
        both = {name: self.themes.get(name, Theme()).over(base.themes.get(name, Theme())) for name in base.themes | self.themes}
        return Colours(both, base.sides | self.sides)


@dataclass(frozen=True, slots=True)
class Style:
    """All style sheets of a game."""

    themes: Mapping[str, Theme]
    sides: Mapping[str, SideLook]
    board: BoardStyle
    counters: CounterStyle
    panel: PanelStyle


@dataclass(frozen=True, eq=False, slots=True)
class Sheet:
    """A style sheet in one theme: the style and its palette. There is one of each for the life of the process, so it can key caches."""

    style: Style
    palette: Palette
    digest: str


def load_styles() -> None:
    """Read every style sheet, for good. ValueError, naming the game, if one is at fault."""
    for game in _styles():
        for theme in themes(game):
            style_sheet(game, theme)


def has_style(game: str) -> bool:
    """Whether there is a style sheet for a game."""
    return game in _styles()


def styled() -> list[str]:
    """The games that have style sheets."""
    return sorted(_styles())


def themes(game: str) -> tuple[str, ...]:
    """The themes that a game's style sheet has. KeyError if the game has no style sheet."""
    return tuple(_styles()[game][0].themes)


@cache
def style_sheet(game: str, theme: str) -> Sheet:
    """The style sheet of a game in one theme. KeyError if the game or the theme has none; ValueError if the file is at fault."""
    style, digest = _styles()[game]
    chosen = style.themes[theme]
    try:
        check_board(style.board, chosen.colours | chosen.counters)
        return Sheet(style, Palette(chosen.colours | chosen.counters, (*chosen.ramps, *style.counters.ramps())), digest + theme)
    except ValueError as fault:
        raise ValueError(f"style sheet of {game}, theme {theme}: {fault}") from fault


@lru_cache(maxsize=1)
def _styles() -> Mapping[str, tuple[Style, str]]:
    """Game -> its style and the digest of its files, all read at once: what changes on disk later is for the next start."""
    root = files("services.render").joinpath("styles")
    common = root.joinpath("_common")
    return {one.name: _read(one, common) for one in sorted(root.iterdir(), key=lambda one: one.name) if _is_game(one)}


def _is_game(folder: Traversable) -> bool:
    return folder.is_dir() and not folder.name.startswith("_") and folder.joinpath("colours.toml").is_file()


def _read(folder: Traversable, common: Traversable) -> tuple[Style, str]:
    digest = hashlib.sha256()
    shared = _part(common, "colours", Colours, digest)
    colours, board = _part(folder, "colours", Colours, digest).over(shared), _part(folder, "board", BoardStyle, digest)
    counters, panel = _part(folder, "counters", CounterStyle, digest), _part(folder, "panel", PanelStyle, digest)
    return Style(colours.themes, colours.sides, board, counters, panel), digest.hexdigest()


def _part(folder: Traversable, name: str, shape: type[Part], digest: hashlib._Hash) -> Part:
    raw = folder.joinpath(f"{name}.toml").read_bytes()
    digest.update(raw)
    try:
        return msgspec.convert(tomllib.loads(raw.decode()), shape)
    except ValueError as fault:  # msgspec's, tomllib's and that of a text that is not UTF-8
        raise ValueError(f"style sheet of {folder.name}, {name}.toml: {fault}") from fault
