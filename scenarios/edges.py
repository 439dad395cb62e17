"""Where units come over the edge of the map: the charts ``entries`` and ``exits``, a table for each way in or out."""

from __future__ import annotations

from scenarios.data import Board
from scenarios.hexes import parse_hex
from scenarios.package import Package
from scenarios.records import Record, read_toml

_LISTS = ("hexes", "delayed", "path")
"""The hexes of a way: at the printed time; for a unit that comes later; those where a road or trail goes on beyond the edge."""
_INLAND = "inland"
"""Hexes of a way that do not lie at an edge: a port, a town that is held."""


def read_edges(package: Package, file_name: str, sides: tuple[str, ...], board: Board) -> dict[str, str]:
    """Way in or out -> its side. Faults: a side that the game does not have; a hex that cannot be entered, is inland or there twice."""
    file = package.read(file_name)
    top = read_toml(file, package.faults) if file is not None else None
    ways: dict[str, str] = {}
    for name, way in top.subtables() if top is not None else ():
        ways[name] = way.text("side")
        if ways[name] not in sides:
            way.fault(f"{name} belongs to no side of the game", "side")
        for key in (*_LISTS, _INLAND):
            _check_hexes(way, key, board)
        if not way.texts("hexes"):
            way.fault(f"{name} has no hexes")
        way.texts("clauses")
        way.done()
    return ways


def _check_hexes(way: Record, key: str, board: Board) -> None:
    found: set[str] = set()
    for text in way.texts(key):
        try:
            at = parse_hex(text)
        except ValueError as error:
            way.fault(str(error), key, f'"{text}"')
            continue
        if at not in board.terrain:
            way.fault(f"{text} is off the map or cannot be entered", key, f'"{text}"')
        elif key != _INLAND and at.col not in (1, board.columns) and at.row not in (1, board.rows):
            way.fault(f"{text} does not lie at an edge of the map", key, f'"{text}"')
        if text in found:
            way.fault(f"{text} is there twice", key)
        found.add(text)
