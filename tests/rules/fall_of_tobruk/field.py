"""A bare field for positions: 20 by 14 hexes of clear desert, on which a test draws the ground that it needs.

West and north-west edge, where the Axis enters and its supply starts: column 01, and 0201 to 0601. East edge: column 20. Tobruk: 1802.
Counters and charts are the game's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

from scenarios.data import GameData, HexFeature
from scenarios.hexes import Hex, Hexside, neighbours, parse_hex, parse_hexside
from scenarios.loader import load_game

COLUMNS, ROWS = 20, 14
WEST = tuple(f"01{row:02d}" for row in range(1, ROWS + 1)) + tuple(f"{col:02d}01" for col in range(2, 7))
EAST = tuple(f"20{row:02d}" for row in range(1, ROWS + 1))
TOBRUK = "1802"


@cache
def package() -> GameData:
    """The game's package, read once."""
    return load_game(None, "fall-of-tobruk")


@cache
def field(
    *, mines: str = "", road: str = "", track: str = "", high: str = "", cliffs: str = "", boxes: str = "", sea: str = "", village: str = ""
) -> GameData:
    """The package with its map exchanged for the field and what is drawn on it.

    ``mines="0505/0506 0605/0606"``; ``cliffs`` the upper hex first; ``road="0101-0201-0301 0505-0605"``; ``high``, ``sea``, ``village``
    hexes; ``boxes="0808 1010+1011"``, each ringed by mines.
    """
    data = package()
    water = _hexes(sea)
    land = [at for at in (Hex(col, row) for col in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)) if at not in water]
    hills, towns = _hexes(high), _hexes(village)
    rings = {f"box-{n}": tuple(text.split("+")) for n, text in enumerate(boxes.split(), 1)}
    mined = {parse_hexside(text) for text in mines.split()} | {side for ring in rings.values() for side in _ring(ring, land)}
    board = replace(
        data.board,
        columns=COLUMNS,
        rows=ROWS,
        terrain={at: "high-ground" if at in hills else "clear" for at in land},
        sea=water,
        features={at: (HexFeature(at, "village", f"Village {at}"),) for at in sorted(towns)},
        hexsides={"minefield": frozenset(mined), "escarpment": frozenset(parse_hexside(text) for text in cliffs.split())},
        roads={"road": _chains(road), "track": _chains(track)},
        names={},
        lines={},
        labels={},
        marks={"held": frozenset({parse_hex(TOBRUK)})},
    )
    entries: dict[str, Any] = {
        "axis-edge": {"side": "axis", "hexes": WEST, "delayed": ()},
        "east": {"side": "allied", "hexes": EAST, "delayed": ()},
        "tobruk-or-east": {"side": "allied", "hexes": EAST, "delayed": (), "inland": (TOBRUK,)},
    }
    charts = {
        **data.charts,
        "boxes": {name: {"label": name, "hexes": hexes} for name, hexes in rings.items()},
        "entries": entries,
        "exits": {"east": {"side": "allied", "hexes": EAST}},
        "line": tuple({"row": row, "column": 10} for row in range(1, ROWS + 1)),
    }
    return replace(data, board=board, charts=charts)


def _hexes(text: str) -> frozenset[Hex]:
    return frozenset(parse_hex(part) for part in text.split())


def _chains(text: str) -> frozenset[Hexside]:
    sides = [Hexside(parse_hex(a), parse_hex(b)) for chain in text.split() for a, b in pairwise(chain.split("-"))]
    return frozenset(one for side in sides for one in (side, side.turned()))


def _ring(hexes: Iterable[str], land: Iterable[Hex]) -> frozenset[Hexside]:
    """The sides all round a Box."""
    inside, around = {parse_hex(text) for text in hexes}, set(land)
    return frozenset(parse_hexside(f"{at}/{to}") for at in inside for to in neighbours(at) if to in around and to not in inside)
