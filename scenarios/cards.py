"""Reading of the counter mix, ``counters.csv``: a line a unit."""

from __future__ import annotations

import re

from scenarios.data import Card
from scenarios.package import Package
from scenarios.records import Row, as_value, read_csv

_COLUMNS = ("id", "side", "name", "nation", "type", "aliases")
_TEXT = frozenset({"label", "formation", "regiment"})
"""Columns that are read as they stand, though they may look like numbers: the designation printed on a counter, ``75/27``; the formation or
the regiment that it belongs to, ``115``."""
_ID = re.compile(r"[A-Z0-9-]{1,8}")


def read_cards(package: Package, sides: tuple[str, ...]) -> dict[str, Card]:
    """Id -> card. Columns beyond the known ones are the game's and go to ``values`` (empty cells left out), with ``type``;
    those of ``_TEXT`` are always text."""
    file = package.read("counters.csv")
    cards: dict[str, Card] = {}
    spoken: dict[str, str] = {}
    for row in read_csv(file, package.faults, _COLUMNS) if file is not None else ():
        card = _card(row, sides)
        if card.id in cards:
            row.fault(f"unit id {card.id} is taken already")
            continue
        cards[card.id] = card
        for name in dict.fromkeys((card.id, card.name.upper(), *card.aliases)):
            if spoken.setdefault(name, card.id) != card.id:
                row.fault(f"{name!r} means {spoken[name]} already")
    if file is not None and not cards:
        package.faults.add(file.name, 1, "no counters")
    return cards


def _card(row: Row, sides: tuple[str, ...]) -> Card:
    cells = row.cells
    if not _ID.fullmatch(cells["id"]):
        row.fault(f"unit id {cells['id']!r} must be 1 to 8 of A-Z, 0-9 and -")
    if cells["side"] not in sides:
        row.fault(f"no side {cells['side']!r}; sides are {', '.join(sides)}")
    for column in ("name", "nation", "type"):
        if not cells[column]:
            row.fault(f"unit {cells['id']} has no {column}")
    own = {column: cell for column, cell in cells.items() if column not in _COLUMNS and cell}
    values = {column: cell if column in _TEXT else as_value(cell) for column, cell in own.items()}
    aliases = tuple(alias.strip().upper() for alias in cells["aliases"].split(";") if alias.strip())
    return Card(
        id=cells["id"],
        side=cells["side"],
        name=cells["name"],
        kind=cells["type"],
        nation=cells["nation"],
        values={"type": cells["type"], **values},
        aliases=aliases,
    )
