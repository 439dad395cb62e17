"""Sample boards, one a game, that show every kind of ground, hexside, road and place of its map: ``samples/<game>/board.toml``."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from itertools import pairwise

import msgspec

from scenarios.data import Board, HexFeature
from scenarios.hexes import Hex, Hexside, neighbours, parse_hex, parse_hexside

_SEA = "sea"


class _Sides(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sides: list[str]
    up: bool = False


class _Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hex: str
    kind: str
    name: str


class _Sample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a sample: as ``map.toml`` of a package, with the letters of the hexes row by row and the lines' points in it."""

    letters: dict[str, str]
    map: list[str]
    roads: dict[str, list[str]] = {}
    hexsides: dict[str, _Sides] = {}
    places: list[_Place] = []
    lines: dict[str, list[list[tuple[float, float]]]] = {}


def sample_board(game: str) -> Board:
    """The sample board of a game. KeyError if it has none; ValueError, naming the file, if that is at fault."""
    file = files("services.render").joinpath("samples", game, "board.toml")
    if not file.is_file():
        raise KeyError(game)
    try:
        return _board(msgspec.convert(tomllib.loads(file.read_bytes().decode()), _Sample))
    except (ValueError, KeyError) as fault:
        raise ValueError(f"samples/{game}/board.toml: {fault}") from fault


def _board(sample: _Sample) -> Board:
    kinds = {Hex(c, r): sample.letters[letter] for r, line in enumerate(sample.map, 1) for c, letter in enumerate(line, 1)}
    features: dict[Hex, tuple[HexFeature, ...]] = {}
    for place in sample.places:
        at = parse_hex(place.hex)
        features[at] = (*features.get(at, ()), HexFeature(at, place.kind, place.name))
    return Board(
        columns=max(at.col for at in kinds),
        rows=max(at.row for at in kinds),
        terrain={at: kind for at, kind in sorted(kinds.items()) if kind not in (_SEA, "barred")},
        sea=frozenset(at for at, kind in kinds.items() if kind == _SEA),
        features=features,
        hexsides={kind: frozenset(parse_hexside(side) for side in one.sides) for kind, one in sample.hexsides.items()},
        up_side=frozenset(kind for kind, one in sample.hexsides.items() if one.up),
        roads={kind: frozenset(pair for chain in chains for pair in _pairs(chain)) for kind, chains in sample.roads.items()},
        names={},
        lines={kind: tuple(tuple(line) for line in lines) for kind, lines in sample.lines.items()},
    )


def _pairs(chain: str) -> list[Hexside]:
    """The steps of a road both ways. ValueError where it leaps."""
    hexes = [parse_hex(part) for part in chain.split("-")]
    for a, b in pairwise(hexes):
        if b not in neighbours(a):
            raise ValueError(f"road from {a} to {b}, which are not neighbours")
    return [Hexside(*pair) for a, b in pairwise(hexes) for pair in ((a, b), (b, a))]
