"""Which cells of charts that are printed in part the dice of a mail were read on: what of them is not printed is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.mail.shape import mapping, mappings, sequence, whole

Cell = tuple[str, str, str]
"""Chart, row and column."""
MOST = 6
"""Cells of a chart that are named one by one."""
READS: Mapping[str, Mapping[str, str]] = {
    "fall-of-tobruk": {"shot": "antitank", "first_shot": "antitank", "result": "combat", "rolled": "artillery"},
}
"""Game -> kind of event -> the chart on which its dice are read; ``rolled`` counts for bombardments alone."""


def charts_in_part(vocabulary: Mapping[str, Any], game: str) -> frozenset[str]:
    """The charts of a game that are printed in part, as far as it is known which cells the dice of a mail were read on."""
    return frozenset(_printed(vocabulary)) & frozenset(READS.get(game, {}).values())


def _printed(vocabulary: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(mapping(vocabulary.get("game")).get("printed"))


def reconstructed_cells(events: Iterable[Mapping[str, Any]], vocabulary: Mapping[str, Any], game: str) -> dict[str, list[str]]:
    """Chart -> the cells read in these events that are not printed, as ``7 at 3:1``; each once, in their order. Charts of which the
    vocabulary names no printed cells are left out."""
    printed = {chart: {(str(row), str(column)) for row, column in sequence(cells)} for chart, cells in _printed(vocabulary).items()}
    found: dict[str, list[str]] = {}
    for chart, row, column in _read(events, READS.get(game, {})):
        if chart in printed and (row, column) not in printed[chart]:
            told = found.setdefault(chart, [])
            told += [cell for cell in (f"{row} at {column}",) if cell not in told]
    return found


def _read(events: Iterable[Mapping[str, Any]], reads: Mapping[str, str]) -> Iterable[Cell]:
    bombarded = ""
    for event in events:
        kind, data = str(event.get("kind")), mapping(event.get("data"))
        if kind == "shelled":
            bombarded = str(data.get("column"))
        chart = reads.get(kind)
        if chart is None or (kind == "rolled" and data.get("why") != "bombardment"):
            continue
        dice: Sequence[Any] = [data["die"]] if isinstance(data.get("die"), int) else sequence(data.get("dice"))
        row = sum(map(whole, dice)) + sum(whole(one.get("n")) for one in mappings(data.get("modifiers")))
        column = bombarded if kind == "rolled" else data.get("column") or data.get("odds")
        if dice and column and (kind != "rolled" or row <= LAST_OF_ARTILLERY):
            yield chart, str(row), str(column)


LAST_OF_ARTILLERY = 6
"""A modified die above this is on no row of the artillery table (FT-04)."""
