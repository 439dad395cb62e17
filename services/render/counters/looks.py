"""How a game's counters look: the shape of its ``counters.toml``.

Places on a counter are shares of its label, from 0 to 1, x to the right and y down; heights of letters are those of capitals and figures,
in the same shares. Colours are names of the theme's palette, ``label`` and ``text`` those of the counter's nation.

A counter has *tags*, which the sheet's rules ask for: its marks; the tags of its type (``tags``); ``type:``, ``nation:`` and ``side:`` with
the word behind it; ``has:`` with each column of its card that is filled; a column that says yes (``x``, ``yes`` or 1) by its name, any
other as ``column:value``; and ``reduced``, ``seen`` and ``lost`` of what fights by strength points.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from services.render.draw.lettering import Anchor

Share = tuple[float, float]
Shares = tuple[float, float, float, float]
Ramp = tuple[str, str, int]


class NationLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A nation's label: its colour, the colour of what is written on it, and that of its frame."""

    label: str
    text: str
    frame: str


class ParentLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A formation's colour, over the whole stripe or, with ``second``, over the half of it."""

    colour: str
    second: str = ""


class Dress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour that something has on counters with one of these tags."""

    when: list[str]
    colour: str


class TextLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that is written alone: ``id``, ``name``, ``strength`` or a column of the card, in ``room`` (its width) or squeezed into it.

    ``dresses``: the colours that it has instead of ``colour``.  ``box``: a box of that colour behind it.  ``prefix`` is put before it.
    """

    value: str
    at: Share
    high: float
    anchor: Anchor = "mm"
    face: Literal["plain", "bold"] = "plain"
    room: float = 1.0
    colour: str = "text"
    on: str = "label"
    box: str = ""
    prefix: str = ""
    dresses: list[Dress] = []
    when: list[str] = []
    unless: list[str] = []


class FactorLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One factor of a row: in brackets, in a circle or underlined on counters with one of these tags."""

    value: str
    brackets: list[str] = []
    circle: list[str] = []
    underline: list[str] = []


class RowLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The factors in a row, joined as printed; ``at`` is the middle of their foot. ``boxes``: a filled box behind the whole row."""

    factors: list[FactorLook]
    at: Share
    high: float
    room: float = 1.0
    join: str = "-"
    boxes: list[Dress] = []
    boxed_text: str = "white"
    when: list[str] = []
    unless: list[str] = []


class SymbolLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The unit-type symbol: its frame, the size above it ``size_high`` high, and what lies behind them. ``picture``: the room of a
    silhouette, if it is not the frame's.

    ``boxes``: behind the symbol, the first that fits, else ``box``.  ``bands``: across the box.  ``size_boxes``: behind the size.
    """

    frame: Shares
    picture: Shares | None = None
    size_high: float = 0.0
    box: str = ""
    boxes: list[Dress] = []
    bands: list[Dress] = []
    size_boxes: list[Dress] = []


class StripeLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the colour of the parent formation lies."""

    box: Shares


class PipsLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One pip a strength point from ``at`` (the lower left corner) upwards, two in a row, each ``side`` wide; hollow where lost."""

    at: Share
    side: float


class LayoutLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands where on counters at least ``least`` pixels wide. ``letters``: no capital is lower than so many pixels."""

    least: int
    letters: int
    texts: list[TextLook] = []
    rows: list[RowLook] = []
    symbol: SymbolLook | None = None
    stripe: StripeLook | None = None
    pips: PipsLook | None = None


class BadgeLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a mark is shown: a sign on a disc of ``ground``. ``name``: what the legend calls it."""

    sign: str
    ground: str = "paper"
    ink: str = "ink"
    name: str = ""


class FaceLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The other side of a counter, shown when it has the mark: the columns of its card that are printed there instead of others."""

    columns: dict[str, str]


class CounterLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a counter's strength comes from, if it has any: of its ``num`` what it is now, of the card's values the most and the size as
    a formation. ``back``: the column of the card that names the mark of its other side. ``names``: what the legend calls the figures in
    the upper left, upper right and lower right."""

    strength: str = ""
    most: str = ""
    formation: str = "size"
    usual_formation: str = ""
    parent: str = "parent"
    back: str = "back"
    names: tuple[str, str, str] = ("", "", "")


class CounterStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counters of a game.

    ``make``: wooden blocks with a label, or printed counters.  ``width``: of a counter, in hex radii; ``mailed``: in pixels
    on a map of 2400 pixels.  ``shapes``: each side's corners,
    so that sides differ without colour.  ``badges``: the marks that are shown, in their order; every other mark is only a tag.
    ``mixtures``: how many colours lie between a label and what is written on it.
    """

    nations: dict[str, NationLook]
    symbols: dict[str, str]
    badges: dict[str, BadgeLook]
    layouts: list[LayoutLook]
    make: Literal["block", "printed"] = "printed"
    width: float = 1.36
    mailed: int = 48
    counter: CounterLook = CounterLook()
    shapes: dict[str, Literal["round", "cut"]] = {}
    tags: dict[str, list[str]] = {}
    sizes: dict[str, str] = {}
    parents: dict[str, ParentLook] = {}
    faces: dict[str, FaceLook] = {}
    markers: dict[str, BadgeLook] = {}
    mixtures: int = 1

    def ramps(self) -> tuple[Ramp, ...]:
        """The mixtures that letters on the nations' labels need in the palette."""
        return tuple(dict.fromkeys((nation.text, nation.label, self.mixtures) for nation in self.nations.values()))

    def layout(self, width: int) -> LayoutLook:
        """The layout of counters of a width in pixels: the first that has room."""
        return next((one for one in self.layouts if width >= one.least), self.layouts[-1])
