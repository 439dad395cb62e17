"""The symbols of places."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from services.render.draw.geometry import Point
from services.render.draw.ink import Box, Stencil, Surface

Symbol = Callable[[Surface, Point, float], None]
"""Draws a place around a point, for hexes of a radius in pixels."""
_Block = tuple[float, float, float, float]


def place_symbol(surface: Surface, middle: Point, symbol: str, radius: float) -> None:
    """The symbol of that name (``SYMBOLS``) around a point. KeyError if there is none."""
    SYMBOLS[symbol](surface, middle, radius)


def _box(middle: Point, r: float) -> Box:
    x, y = middle
    return round(x - r), round(y - r), round(x + r), round(y + r)


def _blocks(surface: Surface, middle: Point, r: float, blocks: tuple[_Block, ...], colour: str, halo: float = 1.3) -> None:
    """Houses, with a clear edge around them."""
    x, y = middle
    back, front = Stencil(_box(middle, r)), Stencil(_box(middle, r))
    for x0, y0, x1, y1 in blocks:
        back.rounded((x + x0 * r - halo, y + y0 * r - halo, x + x1 * r + 1 + halo, y + y1 * r + 1 + halo), 1)
        front.rounded((x + x0 * r, y + y0 * r, x + x1 * r + 1, y + y1 * r + 1), 0)
    back.onto(surface, "halo")
    front.onto(surface, colour)


def _village(surface: Surface, middle: Point, r: float) -> None:
    """A village: four houses."""
    blocks = ((-0.2, -0.14, -0.03, 0.02), (0.02, -0.2, 0.2, -0.05), (-0.12, 0.07, 0.03, 0.2), (0.08, 0.0, 0.22, 0.13))
    _blocks(surface, middle, r, blocks, "ink")


def _town(surface: Surface, middle: Point, r: float) -> None:
    """A town: streets of houses around a square."""
    blocks = (
        (-0.32, -0.25, -0.14, -0.08),
        (-0.1, -0.31, 0.08, -0.1),
        (0.12, -0.26, 0.33, -0.07),
        (-0.34, -0.03, -0.16, 0.14),
        (0.13, -0.02, 0.31, 0.17),
        (-0.28, 0.18, -0.07, 0.32),
        (-0.03, 0.12, 0.09, 0.31),
        (-0.1, -0.05, 0.08, 0.07),
    )
    _blocks(surface, middle, r, blocks, "town")


def _city(surface: Surface, middle: Point, r: float) -> None:
    """A city: built up over half its hex."""
    blocks = tuple(
        (-0.52 + 0.21 * col + 0.03 * (row % 2), -0.42 + 0.17 * row, -0.36 + 0.21 * col + 0.03 * (row % 2), -0.29 + 0.17 * row)
        for row in range(5)
        for col in range(5)
        if (col, row) not in ((0, 0), (4, 4), (0, 4), (2, 2))
    )
    _blocks(surface, middle, r, blocks, "town", 2.0)


def _fortress(surface: Surface, middle: Point, r: float) -> None:
    """A fortified city: houses within a bastioned wall."""
    _star(surface, middle, r * 0.44, "town")
    _star(surface, middle, r * 0.36, "halo")
    x, y = middle
    stencil = Stencil(_box(middle, r))
    for x0, y0, x1, y1 in ((-0.19, -0.15, -0.03, 0.0), (0.03, -0.17, 0.19, -0.04), (-0.16, 0.05, 0.0, 0.18), (0.05, 0.02, 0.2, 0.16)):
        stencil.rounded((x + x0 * r, y + y0 * r, x + x1 * r + 1, y + y1 * r + 1), 0)
    stencil.onto(surface, "town")


def _star(surface: Surface, middle: Point, size: float, colour: str) -> None:
    """A bastioned fort: a square with pointed corners."""
    x, y = middle
    outer, inner = size * 1.12, size * 0.72
    points = []
    for sx, sy, flip in ((-1, -1, False), (1, -1, True), (1, 1, False), (-1, 1, True)):
        corner = [(x + sx * inner, y + sy * inner * 0.55), (x + sx * outer, y + sy * outer), (x + sx * inner * 0.55, y + sy * inner)]
        points += corner if not flip else corner[::-1]
    stencil = Stencil(_box(middle, size * 1.3))
    stencil.polygon(points)
    stencil.onto(surface, colour)


def _dot(surface: Surface, middle: Point, r: float) -> None:
    """A place that is only a name: a small ring."""
    for radius, colour in ((0.12, "ink"), (0.07, "halo")):
        stencil = Stencil(_box(middle, r * 0.3))
        stencil.disc(middle, max(r * radius, 1.2))
        stencil.onto(surface, colour)


def _well(surface: Surface, middle: Point, r: float) -> None:
    """A well or cistern: a blue ring with a point in it."""
    for radius, colour in ((0.17, "halo"), (0.13, "sea_ink"), (0.085, "halo"), (0.04, "sea_ink")):
        stencil = Stencil(_box(middle, r * 0.3))
        stencil.disc(middle, max(r * radius, 0.8))
        stencil.onto(surface, colour)


def _peak(surface: Surface, middle: Point, r: float) -> None:
    """A height with a name: a solid triangle."""
    x, y = middle
    for grow, colour in ((0.07, "halo"), (0.0, "scarp")):
        stencil = Stencil(_box(middle, r * 0.4))
        half, foot = (0.18 + grow) * r, (0.12 + grow) * r
        stencil.polygon([(x, y - (0.2 + grow * 1.4) * r), (x + half, y + foot), (x - half, y + foot)])
        stencil.onto(surface, colour)


def _plane(stencil: Stencil, middle: Point, size: float) -> None:
    """An aeroplane from above."""
    x, y = middle
    outline = (
        (0.0, -1.0), (0.13, -0.8), (0.15, -0.3), (0.95, 0.12), (0.95, 0.34), (0.15, 0.16),
        (0.1, 0.62), (0.36, 0.8), (0.36, 0.95), (0.0, 0.88),
    )  # fmt: skip
    points = [(x + u * size, y + v * size) for u, v in outline] + [(x - u * size, y + v * size) for u, v in outline[::-1]]
    stencil.polygon(points)


def _field(surface: Surface, middle: Point, r: float, ground: str, plane: str, rings: tuple[tuple[float, str], ...]) -> None:
    for radius, colour in (*rings, (0.24, ground)):
        stencil = Stencil(_box(middle, r * 0.5))
        stencil.disc(middle, r * radius)
        stencil.onto(surface, colour)
    stencil = Stencil(_box(middle, r * 0.5))
    _plane(stencil, middle, r * 0.2)
    stencil.onto(surface, plane)


def _airfield(surface: Surface, middle: Point, r: float) -> None:
    """An airfield: an aeroplane on open ground in a ring."""
    _field(surface, middle, r, "halo", "ink", ((0.29, "ink"),))


def _all_weather_airfield(surface: Surface, middle: Point, r: float) -> None:
    """An airfield with paved runways, for all weathers: a light aeroplane on a dark disc in two rings."""
    _field(surface, middle, r, "ink", "halo", ((0.38, "ink"), (0.335, "halo"), (0.27, "ink")))


def _port(surface: Surface, middle: Point, r: float) -> None:
    """A port: an anchor."""
    x, y = middle
    for grow, colour in ((0.075, "halo"), (0.0, "sea_ink")):
        stencil = Stencil(_box(middle, r * 0.6))
        thick = max((0.06 + grow * 1.6) * r, 1.3)
        stencil.line([(x, y - 0.16 * r), (x, y + 0.26 * r)], thick)
        stencil.line([(x - 0.13 * r, y - 0.08 * r), (x + 0.13 * r, y - 0.08 * r)], thick)
        arc = [(x + math.cos(a) * 0.22 * r, y + 0.05 * r + math.sin(a) * 0.22 * r) for a in (k * math.pi / 12 for k in range(13))]
        stencil.line(arc, thick)
        stencil.disc((x, y - 0.23 * r), (0.075 + grow) * r)
        if not grow:
            stencil.disc((x, y - 0.23 * r), 0.03 * r, 0)
        stencil.onto(surface, colour)


def _works(surface: Surface, middle: Point, r: float) -> None:
    """A fortified box: a ring of trenches, spiked outwards."""
    x, y = middle
    ring = [(x + math.cos(a) * 0.5 * r, y + math.sin(a) * 0.5 * r) for a in (k * math.pi / 12 for k in range(24))]
    for grow, colour in ((0.05, "halo"), (0.0, "scarp")):
        stencil = Stencil(_box(middle, r * 0.75))
        stencil.ring(ring, max((0.055 + 2 * grow) * r, 1.2))
        for k in range(0, 24, 2):
            a = k * math.pi / 12
            ends = [(x + math.cos(a) * s * r, y + math.sin(a) * s * r) for s in (0.5, 0.6)]
            stencil.line(ends, max((0.045 + 2 * grow) * r, 1.1), caps=False)
        stencil.onto(surface, colour)


def _none(surface: Surface, middle: Point, r: float) -> None:
    """No symbol: a stretch of country, told by its name alone."""


SYMBOLS: Mapping[str, Symbol] = {
    "village": _village,
    "town": _town,
    "city": _city,
    "fortress": _fortress,
    "works": _works,
    "dot": _dot,
    "well": _well,
    "peak": _peak,
    "airfield": _airfield,
    "all-weather-airfield": _all_weather_airfield,
    "port": _port,
    "none": _none,
}
"""The symbols that a place of a style sheet may name. What each is like, its docstring says."""
