"""How a game's map sheet looks: the shape of its ``board.toml``.

Measures are in hex radii (``Lattice.radius``) unless said otherwise, colours are names of the theme's palette. The drawings that a sheet
may name stand in dicts: ``patterns.PATTERNS``, ``lines.HEXSIDES``, ``roads.WATERS``, ``symbols.SYMBOLS``.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class TerrainLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of terrain: its tint, the colour and kind of its texture (``patterns.PATTERNS``), and its name in the legend.

    ``rise``: how high its ground stands for the hill shading, from 0 for the plain to 4 for crests.
    """

    tint: str
    name: str
    pattern: str = ""
    stroke: str = ""
    rise: float = 0.0


class RoadLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of road: widths with and without casing, colours, and its name in the legend.

    ``dash``: the length of a dash and of the gap behind it, 0 for an unbroken line.  ``wander``: how far the line strays from the hexes'
    middles, as a track does.  ``edge`` may be empty: no casing.
    """

    width: float
    casing: float
    colour: str
    edge: str
    name: str
    dash: float = 0.0
    wander: float = 0.0


class HexsideLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of hexside: how it is drawn (``lines.HEXSIDES``), its colour, and its name in the legend."""

    drawing: str
    colour: str
    name: str


class LineLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of line across country (``Board.lines``): how it is drawn (``roads.WATERS``), its width and colour, its name in the legend."""

    drawing: str
    width: float
    colour: str
    name: str


class FeatureLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of place: its symbol (``symbols.SYMBOLS``), how big, in which face and colour its name is written, its name in the legend."""

    symbol: str
    size: float
    face: str
    name: str = ""
    control: bool = False
    colour: str = "ink"


class Lettered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name of waters or country, written across the map at a point in hex units."""

    text: str
    u: float
    v: float
    size: float
    face: str
    colour: str
    spacing: float = 0.0


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where units enter or leave: an arrow at an edge of the sheet, and what is written beside it.

    ``edge``: which edge of the sheet.  ``hex``: the hex that it points into; without one the arrow stands in the middle of the edge.
    ``out``: units leave here.
    """

    text: str
    edge: Literal["top", "right", "bottom", "left"]
    hex: str = ""
    colour: str = "town"
    out: bool = False


class BoardStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The map sheet of a game: its title, what each kind of ground, road, hexside and place looks like, its scale, its lettering.

    ``bearing``: the compass bearing in degrees of the sheet's upper edge, 0 if north is at the top.  The kinds of roads stand in order of
    importance: the first is drawn over the others.  ``front``: how many columns of hexes the picture of the main front has at least.
    """

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
    lines: dict[str, LineLook] = {}
    entries: list[Entry] = []
    bearing: float = 0.0
    front: int = 12
