"""Pieces that are kept beside the board: the air units and leaders of the chart ``support``."""

from __future__ import annotations

from collections.abc import Collection

from scenarios.package import Package
from scenarios.records import read_toml


def read_off_board(package: Package, file_name: str, sides: tuple[str, ...], cards: Collection[str]) -> dict[str, dict[str, str]]:
    """Kind ("air", "leaders") -> id -> side. Faults: an id twice or among those of ``cards``, a side that the game does not have."""
    pieces: dict[str, dict[str, str]] = {"air": {}, "leaders": {}}
    file = package.read(file_name)
    top = read_toml(file, package.faults) if file is not None else None
    if top is None:
        return pieces
    air = top.table("air", needed=False)
    for side in sides if air is not None else ():
        assert air is not None
        for piece in air.texts(side):
            if piece in pieces["air"] or piece in cards:
                air.fault(f"{piece} is there twice", side, f'"{piece}"')
            pieces["air"][piece] = side
    leaders = top.table("leaders", needed=False)
    for name, leader in leaders.subtables() if leaders is not None else ():
        if name in pieces["air"] or name in cards:
            leader.fault(f"{name} is there twice")
        pieces["leaders"][name] = leader.text("side")
        if pieces["leaders"][name] not in sides:
            leader.fault(f"leader {name} belongs to no side of the game", "side")
    return pieces
