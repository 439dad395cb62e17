"""How a game's panel looks: the shape of its ``panel.toml``, rows of boxes, each box of a kind with what it shows.

Widths and heights are in hex radii (``Lattice.radius``): what a box would like; a row is spread over the width that there is.
``key``: the entry of a view's ``own`` that a box shows. Sides, names and places are the game's words.
"""

from __future__ import annotations

import msgspec


class BoxLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    """What every box has: its title and the width that it would like."""

    title: str
    width: float = 8.0


class TurnsLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="turns"):
    """The turn record: a box a game-turn with its label, its weather, and the number of units due. ``cell``: the least width of such a
    box; ``dark``: the turns that are shaded, from 1; ``arrivals``: what counts of a line of arrivals: lists by length, and numbers."""

    cell: float = 1.55
    dark: list[int] = []
    arrivals: tuple[str, ...] = ("units", "air", "leaders")


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stretch of a track with a meaning: its first and last number, its name, whom it favours."""

    first: int
    last: int
    name: str
    side: str = ""


class TrackLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="track"):
    """Numbers from ``first`` to ``last`` with a cube for each side, or a gold one if ``own`` holds a single number."""

    key: str
    last: int
    first: int = 0
    bands: list[Band] = []


class MoraleLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="morale"):
    """The levels of one side's formations: ``names`` of those that ``own`` has under ``key``."""

    key: str
    side: str
    names: dict[str, str]
    last: int = 12
    first: int = 0


class GroupLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counters that lie together off the map: their name, the places whose counters they are; ``due``: only those that may enter by
    now; ``later``: only those that may not yet, in the order of their game-turns, each turn named before its counters, and last, under the
    name ``undated``, those of which none is fixed; ``brief``: left out while there are none; ``slots``: numbered places for them, filled in
    their order."""

    name: str
    places: list[str]
    due: bool = False
    later: bool = False
    undated: str = ""
    brief: bool = False
    slots: int = 0


class PoolLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="pool"):
    """Counters off the map, in groups that share the room as they need it."""

    groups: list[GroupLook]


class StockRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of thing of which a side has a number left."""

    side: str
    key: str
    name: str
    last: int


class StockLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="stock"):
    """How many are left of several things: ``own[key][side][thing]``."""

    key: str
    rows: list[StockRow]


class SupportLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="support"):
    """Air units and leaders of each side."""


class BaseLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A base of aircraft; ``note``: what is said of it in small print."""

    key: str
    name: str
    side: str
    note: str = ""


class AirLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="air"):
    """Air units at their bases: ``own[key][unit]`` is a table with ``state``, the ``hex`` of its mission and ``back``, the turn of its
    return; its card has its side, its ``base`` and the columns ``values``. ``states``: what a state is called, those at hand left out;
    ``place``: where their counters are said to be, which lie at their bases or over the hex of their mission where counters can be taken
    up."""

    key: str
    bases: list[BaseLook]
    states: dict[str, str] = {}
    values: list[str] = []
    place: str = ""


class SitesLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="sites"):
    """Places with the flag of their holder: ``own[key]`` by hex or by name. ``worth``: victory points by name; ``names``: the hexes that
    are shown, if not all, with their names; ``more``: by scenario, such hexes besides."""

    key: str
    worth: dict[str, int] = {}
    names: dict[str, str] = {}
    more: dict[str, dict[str, str]] = {}


class RecordLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="record"):
    """The dice of the turn."""


class WeatherKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of weather: the game's word, its name, its sign (``sun``, ``sand``, ``rain``, ``storm``, ``moon``), and what it does."""

    key: str
    name: str
    sign: str
    effect: str = ""


class WeatherLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="weather"):
    """The kinds of weather, the present one marked."""

    kinds: list[WeatherKind]
    key: str = "weather"


class PhaseKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phase with the steps of the sequence of play that it holds; ``turn``: it belongs to no player-turn."""

    name: str
    steps: list[str]
    turn: bool = False


class PhaseLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="phase"):
    """The phases in their order, the present one marked in the colour of the phasing side; who is awaited."""

    phases: list[PhaseKind]


class ColumnLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of a chart: its heading and the entry of each row; ``signed``: a modifier, written with its sign."""

    name: str
    key: str
    signed: bool = False


class ChartLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="chart"):
    """A chart of the game as a small table; left out if the package has none. ``head``: the heading and entry of its first column;
    without ``columns`` all others; ``note``: small print under it."""

    chart: str
    head: ColumnLook
    columns: list[ColumnLook] = []
    note: str = ""


class LegendLook(BoxLook, frozen=True, forbid_unknown_fields=True, tag="legend"):
    """What the map's signs mean. ``signs``: those of what happened (``legend.SIGNS``) that the game has, with their names."""

    signs: dict[str, str] = {}


AnyBox = (
    TurnsLook
    | TrackLook
    | MoraleLook
    | PoolLook
    | StockLook
    | SupportLook
    | AirLook
    | SitesLook
    | RecordLook
    | WeatherLook
    | PhaseLook
    | ChartLook
    | LegendLook
)


class RowLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Boxes side by side, as high as they would like to be."""

    height: float
    boxes: list[AnyBox]


class ScoreLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number for phones: one for each side or a single one; ``key`` may lead into a table with dots."""

    name: str
    key: str


class PanelStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The panel of a game. ``reconstructed``: a source of the game -> what the legend calls it if it is not the printed game's;
    ``scores``: what the small panel for phones shows beside turn and weather."""

    rows: list[RowLook]
    scores: list[ScoreLook] = []
    reconstructed: dict[str, str] = {}
