"""What a scenario package holds once it is read and checked: board, counter mix, charts, scenarios, options.

Plain frozen values; ``scenarios.loader`` makes them. Rules and render stand on them, and neither changes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from scenarios.hexes import Hex, Hexside, neighbours

Source = Literal["printed", "reconstructed", "overlay"]


@dataclass(frozen=True, slots=True)
class HexFeature:
    """A named or special place: ``kind`` is the game's word for it ("village", "fortified-city", "airfield")."""

    hex: Hex
    kind: str
    name: str
    note: str = ""


@dataclass(frozen=True)
class Board:
    """A map sheet: terrain by hex, features of hexes and of hexsides, roads, and the lines that are only drawn.

    ``terrain``: hex -> terrain name of the game's chart, for every hex that can be entered; a hex not in it is off the map or barred.
    ``sea``: hexes wholly sea.  ``hexsides``: kind -> the sides that bear it, upper hex first where the kind has an up side.
    ``roads``: kind -> unordered pairs of hexes, stored both ways.  ``names``: place name in capitals -> hex (several names may share one).
    ``lines``: drawn lines in hex units ("coast", "river"), each a tuple of (x, y): x grows by 1 a column, y by 1 a row; the centre of hex
    (c, r) is at x = c, y = r for odd columns and r + 0.5 for even ones.  ``labels``: hex -> the number printed in it, where that is not its
    own, as on a second sheet joined to a first.  ``marks``: kind -> the hexes that bear it ("bridge", "coastal", "held").
    """

    columns: int
    rows: int
    terrain: Mapping[Hex, str]
    sea: frozenset[Hex]
    features: Mapping[Hex, tuple[HexFeature, ...]]
    hexsides: Mapping[str, frozenset[Hexside]]
    up_side: frozenset[str]
    roads: Mapping[str, frozenset[Hexside]]
    names: Mapping[str, Hex]
    lines: Mapping[str, tuple[tuple[tuple[float, float], ...], ...]]
    labels: Mapping[Hex, str] = field(default_factory=dict)
    marks: Mapping[str, frozenset[Hex]] = field(default_factory=dict)

    def label(self, at: Hex) -> str:
        """The hex number as printed on this map."""
        return self.labels.get(at, str(at))

    @cached_property
    def adjacent(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """Hex -> its neighbours that can be entered by something."""
        return {at: tuple(n for n in neighbours(at) if n in self.terrain) for at in self.terrain}

    @cached_property
    def road_neighbours(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """Hex -> the hexes that a road of any kind joins to it, in grid order."""
        joined: dict[Hex, set[Hex]] = {}
        for pairs in self.roads.values():
            for side in pairs:
                joined.setdefault(side.a, set()).add(side.b)
                joined.setdefault(side.b, set()).add(side.a)
        return {at: tuple(sorted(others)) for at, others in joined.items()}

    def joined(self, a: Hex, b: Hex) -> bool:
        """Whether a road runs from ``a`` to ``b`` across their common side."""
        return b in self.road_neighbours.get(a, ())

    def hexside(self, kind: str, a: Hex, b: Hex) -> Hexside | None:
        """The hexside between ``a`` and ``b`` if it bears ``kind`` (upper hex first), else None."""
        sides = self.hexsides.get(kind, frozenset())
        side = Hexside(a, b)
        if side in sides:
            return side
        return side.turned() if side.turned() in sides else None

    def marked(self, kind: str, at: Hex) -> bool:
        """Whether a hex bears a mark."""
        return at in self.marks.get(kind, ())

    def kinds_at(self, at: Hex) -> frozenset[str]:
        """The kinds of feature in a hex."""
        return frozenset(f.kind for f in self.features.get(at, ()))

    def name_of(self, at: Hex) -> str | None:
        """The first name of a hex, as written on the map."""
        found = self.features.get(at)
        return found[0].name if found else None


@dataclass(frozen=True, slots=True)
class Card:
    """What is printed on one counter: its id, owner, names and values (``values``: the game's columns, exact numbers or words)."""

    id: str
    side: str
    name: str
    kind: str
    nation: str
    values: Mapping[str, Any]
    aliases: tuple[str, ...] = ()
    source: Source = "printed"


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option of a game: its legal values, the default (as printed or ruled), and the ruling or clause behind it."""

    key: str
    values: tuple[Any, ...]
    default: Any
    clause: str
    text: str


@dataclass(frozen=True, slots=True)
class ScenarioData:
    """One scenario: its title, game-turns (``first`` to ``last`` of the turn track), and the tables of its TOML as read."""

    key: str
    title: str
    first_turn: int
    last_turn: int
    tables: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MapArt:
    """An owner's picture of the map sheet, in pixels. ``origin``: the centre of hex 0101; ``spacing``: from column to column, row to row.

    ``numbers``: whether our hex numbers are put on it.  ``digest``: SHA-256 over the picture and all of this.
    """

    picture: Path
    size: tuple[int, int]
    origin: tuple[float, float]
    spacing: tuple[float, float]
    digest: str
    numbers: bool = True

    def centre(self, at: Hex) -> tuple[float, float]:
        """Where the centre of a hex lies; even columns stand half a row lower."""
        low = 0.5 if at.col % 2 == 0 else 0.0
        return self.origin[0] + (at.col - 1) * self.spacing[0], self.origin[1] + (at.row - 1 + low) * self.spacing[1]

    def holds(self, at: Hex) -> bool:
        """Whether the centre of a hex lies on the picture."""
        x, y = self.centre(at)
        return 0 <= x < self.size[0] and 0 <= y < self.size[1]


@dataclass(frozen=True, slots=True)
class GameData:
    """A whole package. ``turns``: the label of each box of the turn track, from 1.  ``charts``: name -> table as laid out in its file.
    ``sources``: chart or datum -> "printed", "reconstructed" or "overlay".  ``digest``: SHA-256 over the data files.
    ``overlaid``: the files that are an owner's.  ``art``: his map sheet, if he has given one; it is no part of the digest.
    ``printed``: chart -> its cells (row, column) that are printed though the chart is reconstructed; a row goes by its first cell."""

    key: str
    title: str
    edition: str
    sides: tuple[str, ...]
    side_names: Mapping[str, str]
    board: Board
    cards: Mapping[str, Card]
    charts: Mapping[str, Any]
    scenarios: Mapping[str, ScenarioData]
    options: Mapping[str, OptionSpec]
    turns: tuple[str, ...]
    sources: Mapping[str, Source]
    digest: str
    overlaid: tuple[str, ...] = ()
    art: MapArt | None = None
    printed: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    def source_of(self, chart: str, row: object, column: str) -> Source:
        """Where one cell of a chart comes from; ``row``: the number or word in the first column. KeyError if there is no such chart."""
        source = self.sources[chart]
        return "printed" if source == "reconstructed" and (str(row), column) in self.printed.get(chart, ()) else source
