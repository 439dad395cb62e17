"""Charts of the game as small tables: combat results, terrain effects."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scenarios.data import GameData
from services.render.draw.ink import Stencil, Surface
from services.render.panel.frames import Rect, letters, say
from services.render.panel.looks import ChartLook, ColumnLook


def chart_rows(data: GameData, look: ChartLook) -> list[list[str]]:
    """The lines of a chart, the headings first; empty if the package has no such chart."""
    found = data.charts.get(look.chart)
    rows: list[Mapping[str, Any]] = []
    if isinstance(found, Mapping):
        rows = [{"key": key, **row} for key, row in found.items() if isinstance(row, Mapping)]
    elif isinstance(found, list | tuple):
        rows = [row for row in found if isinstance(row, Mapping)]
    if not rows:
        return []
    columns = look.columns or [ColumnLook(key, key) for key in rows[0] if key not in (look.head.key, "key", "clause", "clauses")]
    lines = [[look.head.name, *(column.name for column in columns)]]
    told = [[_said(row.get(look.head.key)), *(_said(row.get(column.key), column.signed) for column in columns)] for row in rows]
    return lines + [[line[0], *(look.said.get(entry, entry) for entry in line[1:])] for line in told]


def _said(value: Any, signed: bool = False) -> str:
    if signed and isinstance(value, int):
        return f"{value:+d}".replace("-", "−") if value else "–"
    if isinstance(value, Fraction):
        return {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}.get(value, str(value))
    said = str(value) if isinstance(value, str | int) else ""
    return said if said not in ("", "-") else "–"


def draw_chart(surface: Surface, box: Rect, look: ChartLook, data: GameData, unit: int) -> None:
    """The table: headings over a rule, lines toned in turn; whether the chart is reconstructed, and a note, in small print. Where a chart
    is printed in part, its printed cells are bold."""
    lines = chart_rows(data, look)
    bold = _printed(data, look, lines)
    x0, y0, x1, y1 = box
    mark = "Reconstructed" if data.sources.get(look.chart) == "reconstructed" else ""
    mark += " but for bold" if mark and bold else ""
    note = ". ".join(part for part in (look.note, mark) if part)
    foot = y1 - (round(unit * 0.42) if note else 0)
    high = min((foot - y0) / len(lines), unit * 0.8)
    first = min((x1 - x0) * 0.42, unit * 4.2) if any(len(line[0]) > 4 for line in lines) else (x1 - x0) / (len(lines[0]) + 0.6)
    wide = (x1 - x0 - first) / max(len(lines[0]) - 1, 1)
    for k, line in enumerate(lines):
        top, middle = y0 + high * k, y0 + high * (k + 0.5)
        if k % 2 == 0 and k:
            band = Stencil((x0, round(top), x1, round(top + high)), 1)
            band.polygon([(x0, round(top)), (x1, round(top)), (x1, round(top + high) - 1), (x0, round(top + high) - 1)])
            band.onto(surface, "paper_lo")
        size = min(letters(unit, 0.34), max(round(high * 0.72), 5))
        say(surface, (x0 + unit * 0.1, middle), line[0], "bold", size, "ink", first - unit * 0.15, "lm", 5)
        for n, text in enumerate(line[1:]):
            at = (x0 + first + wide * (n + 0.5), middle)
            face = "bold" if k == 0 or (k, n) in bold else "plain"
            say(surface, at, text, face, size, "town" if k == 0 else "faint" if text == "–" else "ink", wide - 2, "mm", 5)
    rule = Stencil((x0, round(y0 + high) - 1, x1, round(y0 + high) + 1), 1)
    rule.line([(x0, y0 + high), (x1, y0 + high)], 1)
    rule.onto(surface, "town")
    say(surface, (x1, y1 - unit * 0.12), note, "italic", letters(unit, 0.29), "faint", x1 - x0, "rm", 5)


def _printed(data: GameData, look: ChartLook, lines: list[list[str]]) -> frozenset[tuple[int, int]]:
    """Line and column, each without the headings, of the cells that are printed in a chart that is reconstructed otherwise."""
    cells = data.printed.get(look.chart, frozenset())
    keys = [column.key for column in look.columns] or lines[0][1:]
    return frozenset((k, n) for k, line in enumerate(lines) for n, key in enumerate(keys) if k and (line[0], key) in cells)
