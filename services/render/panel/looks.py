"""How a game's panel looks: the shape of its ``panel.toml``.

Measures are in hex radii (``Lattice.radius``) unless said otherwise, colours are names of the theme's palette.
"""

from __future__ import annotations

import msgspec


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


class PanelStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The panel of a game. ``reconstructed``: a source of the game -> what the legend calls it if it is not the printed game's."""

    boxes: list[BoxLook]
    tracks: list[TrackLook]
    support_title: str
    support_width: float
    sites_title: str
    reconstructed: dict[str, str] = {}
