"""Plots as SVG, of the measures of a campaign by game-turn. They are read without colours and, by the table beside them, without eyes."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import pairwise

from worker.site.told import Told

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 46, 110, 16, 30
LINES = 4
"""Horizontal lines, at most, besides that of zero."""
MARKS = ("circle", "square", "triangle", "diamond")


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a plot: whose it is in words, and its points (game-turn, value)."""

    name: str
    points: list[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot. ``said``: what it shows, in words; ``rows``: its table: game-turn, then a cell a series, None where it has no value."""

    key: str
    caption: str
    said: str
    svg: str
    names: list[str]
    rows: list[tuple[str, list[float | None]]]


def plots(told: list[Told]) -> list[Plot]:
    """A plot for each measure that changes. Set-up before the first game-turn has none."""
    found: dict[str, tuple[str, dict[str, Series]]] = {}
    for one in told:
        names = one.words["names"]
        for measure in one.words["measures"] if one.turn.number else ():
            _, lines = found.setdefault(measure["key"], (measure["caption"], {}))
            for side, value in measure["values"].items():
                lines.setdefault(side, Series(names.get(side, "") if side else "", [])).points.append((one.turn.number, value))
    kept = [(key, caption, list(lines.values())) for key, (caption, lines) in found.items()]
    return [_plot(key, caption, lines) for key, caption, lines in kept if any(len({v for _, v in one.points}) > 1 for one in lines)]


def _plot(key: str, caption: str, lines: list[Series]) -> Plot:
    turns = sorted({turn for one in lines for turn, _ in one.points})
    by_turn = [dict(one.points) for one in lines]
    rows = [(str(turn), [values.get(turn) for values in by_turn]) for turn in turns]
    said = "; ".join(_said(one) for one in lines)
    return Plot(key, caption, f"{caption} by game-turn. {said}.", _svg(caption, lines, turns), [one.name or caption for one in lines], rows)


def _said(line: Series) -> str:
    """``Axis: from 24 in turn 1 to 9 in turn 22, most 31``."""
    (first, value), (last, now) = line.points[0], line.points[-1]
    most = max(value for _, value in line.points)
    named = f"{line.name}: from" if line.name else "From"
    return f"{named} {_number(value)} in game-turn {first} to {_number(now)} in game-turn {last}, most {_number(most)}"


def _svg(caption: str, lines: list[Series], turns: list[int]) -> str:
    values = [value for one in lines for _, value in one.points]
    low, high = min(0.0, *values), max(values)
    step = _step((high - low) / LINES)
    high = step * -(-high // step) or step
    low = step * (low // step)

    def x(turn: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (turn - turns[0]) / max(1, turns[-1] - turns[0])

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)

    parts = [f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(caption)}" focusable="false">']
    level = low
    while level <= high:
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(level):.1f}" y2="{y(level):.1f}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{y(level) + 4:.1f}" text-anchor="end">{_number(level)}</text>')
        level += step
    apart = max(1, -(-len(turns) // 14))
    parts += [f'<text class="tick" x="{x(turn):.1f}" y="{HEIGHT - 10}" text-anchor="middle">{turn}</text>' for turn in turns[::apart]]
    ends = _spread([y(one.points[-1][1]) for one in lines])
    for place, (one, end) in enumerate(zip(lines, ends, strict=True)):
        way = " ".join(f"{x(turn):.1f},{y(value):.1f}" for turn, value in one.points)
        parts.append(f'<g class="series s{place % len(MARKS)}"><polyline points="{way}"/>')
        parts += [_mark(place, x(turn), y(value)) for turn, value in one.points]
        parts.append(f'<text x="{WIDTH - RIGHT + 10}" y="{end + 4:.1f}">{escape(one.name)}</text></g>')
    return "".join([*parts, "</svg>"])


def _mark(place: int, x: float, y: float) -> str:
    """A point, of a shape of its own for each series."""
    match MARKS[place % len(MARKS)]:
        case "circle":
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>'
        case "square":
            return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6"/>'
        case "triangle":
            return f'<path d="M{x:.1f} {y - 4:.1f}l4 7h-8z"/>'
    return f'<path d="M{x:.1f} {y - 4:.1f}l4 4-4 4-4-4z"/>'


def _spread(ends: list[float]) -> list[float]:
    """Where the names at the lines' ends stand, moved apart where they would cover each other."""
    found = list(ends)
    order = sorted(range(len(ends)), key=ends.__getitem__)
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + 15)
    return found


def _step(about: float) -> float:
    """The smallest of 1, 2, 5, 10, 20 ... that is no smaller than ``about``."""
    size = 1.0
    while True:
        for one in (1, 2, 5):
            if size * one >= about:
                return size * one
        size *= 10


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:g}"
