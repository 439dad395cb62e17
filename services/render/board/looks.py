"""How a game's map sheet looks: the shape of its ``board.toml``.

Measures are in hex radii (``Lattice.radius``) unless said otherwise, colours are names of the theme's palette.
"""

from __future__ import annotations

import msgspec


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


class BoardStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The map sheet of a game: its title, what each kind of ground, road, hexside and place looks like, its scale, its lettering."""

    title: str
    subtitle: str
    terrain: dict[str, TerrainLook]
    waste: TerrainLook
    roads: dict[str, RoadLook]
    hexsides: dict[str, HexsideLook]
    features: dict[str, FeatureLook]
    scale_per_hex: float
    scale_unit: str
    scale_bar: int
    lettered: list[Lettered] = []
