"""How a game's pictures look: one TOML style sheet a game, read and checked into frozen values.

Measures are in hex radii (``Lattice.radius``) unless said otherwise, colours are names of the theme's palette.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from services.render.palette import Palette


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of one theme, and the mixtures of them that the palette must hold."""

    colours: dict[str, str]
    ramps: list[tuple[str, str, int]]


class TerrainLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of terrain: its tint, the colour and kind of its texture, and its name in the legend."""

    tint: str
    name: str
    pattern: str = ""
    stroke: str = ""


class RoadLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of road: widths with and without casing, colours, and its name in the legend."""

    width: float
    casing: float
    colour: str
    edge: str
    name: str
    dash: float = 0.0


class HexsideLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of hexside: how it is drawn, its colour, and its name in the legend."""

    drawing: str
    colour: str
    name: str


class FeatureLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of place: its symbol, how big its name is written, and its name in the legend."""

    symbol: str
    size: float
    face: str
    name: str = ""
    control: bool = False


class Lettered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name of waters or country, written across the map at a point in hex units."""

    text: str
    u: float
    v: float
    size: float
    face: str
    colour: str
    spacing: float = 0.0


class SideLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side: the colours of its blocks, of what is written on them, and of its arrows."""

    face: str
    light: str
    dark: str
    on: str
    ink: str


class NationLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A nation's label on a block."""

    label: str
    text: str
    frame: str


class BoxLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box beside the map: its title, the places whose counters it shows, its share of the width; ``due``: of those that wait
    only the ones that may enter by now."""

    title: str
    places: list[str]
    width: float = 8.0
    due: bool = False


class TrackLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A track of numbers beside the map: which entry of ``own`` it shows by side, from 0 to ``last``."""

    title: str
    key: str
    last: int


class CounterLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a counter's figures come from: of a card's ``values`` those in the upper left, upper right and lower right corner (their
    ``names`` in the legend), its greatest strength and its size as a formation; of a counter's ``num`` its strength."""

    corners: tuple[str, str, str]
    names: tuple[str, str, str]
    strength: str
    most: str
    formation: str = ""
    usual_formation: str = ""


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole style sheet. ``reconstructed``: a source of the game -> what the legend calls it if it is not the printed game's."""

    title: str
    subtitle: str
    themes: dict[str, Theme]
    terrain: dict[str, TerrainLook]
    waste: TerrainLook
    roads: dict[str, RoadLook]
    hexsides: dict[str, HexsideLook]
    features: dict[str, FeatureLook]
    sides: dict[str, SideLook]
    nations: dict[str, NationLook]
    boxes: list[BoxLook]
    tracks: list[TrackLook]
    symbols: dict[str, str]
    counter: CounterLook
    badges: list[str]
    support_title: str
    support_width: float
    sites_title: str
    scale_per_hex: float
    scale_unit: str
    scale_bar: int
    lettered: list[Lettered] = []
    reconstructed: dict[str, str] = {}


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


def themes(game: str) -> tuple[str, ...]:
    """The themes that a game's style sheet has. KeyError if the game has no style sheet."""
    return tuple(_styles()[game][0].themes)


@cache
def style_sheet(game: str, theme: str) -> Sheet:
    """The style sheet of a game in one theme. KeyError if the game or the theme has none; ValueError if the file is at fault."""
    style, digest = _styles()[game]
    chosen = style.themes[theme]
    try:
        return Sheet(style, Palette(chosen.colours, tuple(chosen.ramps)), digest + theme)
    except ValueError as fault:
        raise ValueError(f"style sheet of {game}, theme {theme}: {fault}") from fault


@lru_cache(maxsize=1)
def _styles() -> Mapping[str, tuple[Style, str]]:
    """Game -> its style and the digest of the file, all read at once: what changes on disk later is for the next start."""
    entries = files("services.render").joinpath("styles").iterdir()
    return {one.name.removesuffix(".toml"): _read(one) for one in entries if one.name.endswith(".toml")}


def _read(file: Traversable) -> tuple[Style, str]:
    raw = file.read_bytes()
    try:
        return msgspec.convert(tomllib.loads(raw.decode()), Style), hashlib.sha256(raw).hexdigest()
    except ValueError as fault:  # msgspec's, tomllib's and that of a text that is not UTF-8
        raise ValueError(f"style sheet of {file.name.removesuffix('.toml')}: {fault}") from fault
