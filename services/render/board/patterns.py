"""The textures of ground: small tiles of strokes, repeated so that it does not show."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PIL import Image

from services.render.draw.ink import Stencil

Pattern = Callable[[Stencil, float, float], None]
"""Draws a tile of a side in pixels, for hexes of a radius in pixels."""
SIDE = 6
"""A tile's side, in hex radii."""


def tiled(size: tuple[int, int], radius: float, draw: Pattern) -> Image.Image:
    """A mask filled with one tile of a pattern."""
    side = max(round(radius * SIDE), 8)
    stencil = Stencil((0, 0, side, side), 3)
    draw(stencil, side, radius)
    tile = stencil.mask()
    full = Image.new("L", size)
    for y in range(0, size[1], side):
        # Each row of tiles starts elsewhere, so that the repetition does not show.
        start = -(y // side * side * 5 // 13) % side - side
        for x in range(start, size[0], side):
            full.paste(tile, (x, y))
    return full


def spots(count: int, seed: int) -> list[tuple[float, float]]:
    """Well-spread points in the unit square (an additive recurrence)."""
    return [((0.5 + seed * 0.17 + k * 0.7548776662) % 1, (0.5 + seed * 0.31 + k * 0.5698402910) % 1) for k in range(1, count + 1)]


def _around(side: float, x: float, y: float, reach: float) -> list[tuple[float, float]]:
    """A point of a tile, and where it comes again across the tile's edges, so that no stroke is cut."""
    xs = [x, x + side if x < reach else x - side if x > side - reach else x]
    ys = [y, y + side if y < reach else y - side if y > side - reach else y]
    return [(u, v) for u in dict.fromkeys(xs) for v in dict.fromkeys(ys)]


def grain(stencil: Stencil, side: float, radius: float) -> None:
    """Desert: sparse dots and short ripples of wind."""
    for k, (u, v) in enumerate(spots(230, 1)):
        for x, y in _around(side, u * side, v * side, radius * 0.3):
            if k % 9 == 0:
                r = radius * 0.1
                stencil.line([(x - r * 1.6, y + r * 0.4), (x, y - r * 0.25), (x + r * 1.6, y + r * 0.3)], max(radius * 0.03, 0.7))
            else:
                stencil.disc((x, y), max(radius * (0.018 + 0.006 * (k % 3)), 0.5))


def broken(stencil: Stencil, side: float, radius: float) -> None:
    """Broken, stony ground: little crags, with a shaded flank on every third."""
    for k, (u, v) in enumerate(spots(118, 2)):
        r = radius * (0.17 if k % 3 == 0 else 0.1 + 0.02 * (k % 4))
        for x, y in _around(side, u * side, v * side, r * 2):
            stencil.line([(x - r, y + r * 0.7), (x - r * 0.15, y - r * 0.7), (x + r * 0.9, y + r * 0.6)], max(radius * 0.036, 0.8))
            if k % 3 == 0:
                stencil.polygon([(x - r * 0.15, y - r * 0.7), (x + r * 0.9, y + r * 0.6), (x + r * 0.2, y + r * 0.6)])
            elif k % 5 == 0:
                stencil.disc((x + r * 1.4, y + r * 0.5), max(radius * 0.03, 0.6))


def crags(stencil: Stencil, side: float, radius: float) -> None:
    """Rugged crests: sharp peaks close together, dark on the side away from the light."""
    for k, (u, v) in enumerate(spots(74, 5)):
        r = radius * (0.2 + 0.05 * (k % 4))
        for x, y in _around(side, u * side, v * side, r * 1.5):
            top = (x, y - r * 0.85)
            stencil.line([(x - r, y + r * 0.55), (x - r * 0.45, y - r * 0.1), top], max(radius * 0.04, 0.9))
            dark = [top, (x + r * 0.5, y - r * 0.1), (x + r, y + r * 0.55), (x + r * 0.34, y + r * 0.4), (x + r * 0.16, y + r * 0.05)]
            stencil.polygon([*dark, (x - r * 0.05, y - r * 0.2)])


def hills(stencil: Stencil, side: float, radius: float) -> None:
    """High ground: short hachures that fall away to the south-east of soft rises."""
    for k, (u, v) in enumerate(spots(52, 3)):
        r = radius * (0.24 + 0.04 * (k % 3))
        for x, y in _around(side, u * side, v * side, r * 1.5):
            for j in range(5):
                t = (j - 2) / 2
                fx, fy = x + t * r * 0.62, y - (1 - t * t) * r * 0.28 - t * r * 0.16
                stencil.line([(fx, fy), (fx + r * (0.12 + 0.1 * t), fy + r * (0.42 - 0.1 * abs(t)))], max(radius * 0.03, 0.7))


def swells(stencil: Stencil, side: float, radius: float) -> None:
    """Undulating ground: long low swells, each a curved back with short hachures down its lee."""
    for k, (u, v) in enumerate(spots(34, 6)):
        r = radius * (0.36 + 0.06 * (k % 3))
        for x, y in _around(side, u * side, v * side, r * 1.6):
            arc = [(x + r * t, y - r * 0.34 * (1 - t * t) - r * 0.1 * t) for t in (-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1)]
            stencil.line(arc, max(radius * 0.034, 0.8))
            for j in (2, 3, 4, 5, 6, 7):
                px, py = arc[j]
                long = r * (0.24 - 0.05 * abs(j - 4.5))
                stencil.line([(px, py + r * 0.07), (px + long * 0.45, py + r * 0.07 + long)], max(radius * 0.024, 0.6))


def dunes(stencil: Stencil, side: float, radius: float) -> None:
    """Sand dunes: crescents built of dots, dense at the lee edge and thinning out behind."""
    for k, (u, v) in enumerate(spots(30, 7)):
        r = radius * (0.34 + 0.07 * (k % 3))
        for x, y in _around(side, u * side, v * side, r * 1.5):
            for row, (inset, count) in enumerate(((0.0, 13), (0.2, 10), (0.42, 7), (0.66, 4))):
                for j in range(count):
                    t = (j + 0.5) / count * 2 - 1
                    px = x + t * r * (1 - inset * 0.35)
                    py = y - r * 0.5 * (1 - t * t) + r * inset * 0.62 + r * 0.2 * t * t
                    stencil.disc((px, py), max(radius * (0.03 - 0.005 * row), 0.5))


def marsh(stencil: Stencil, side: float, radius: float) -> None:
    """Swamp: level water lines with tufts of reeds."""
    for k, (u, v) in enumerate(spots(60, 8)):
        r = radius * 0.2
        for x, y in _around(side, u * side, v * side, r * 2):
            stencil.line([(x - r, y), (x + r, y)], max(radius * 0.03, 0.7))
            if k % 2:
                stencil.line([(x - r * 0.3, y + r * 0.45), (x + r * 0.7, y + r * 0.45)], max(radius * 0.026, 0.6))
            for lean in (-0.55, -0.2, 0.2, 0.55):
                foot, tip = (x + lean * r * 0.5, y), (x + lean * r * 1.1, y - r * (0.95 - abs(lean) * 0.6))
                stencil.line([foot, tip], max(radius * 0.024, 0.6))


def salt(stencil: Stencil, side: float, radius: float) -> None:
    """Salt flats and sand seas that nothing enters: level dashes."""
    for k, (u, v) in enumerate(spots(76, 4)):
        r = radius * (0.12 + 0.03 * (k % 3))
        for x, y in _around(side, u * side, v * side, r * 2):
            stencil.line([(x - r, y), (x + r, y)], max(radius * 0.026, 0.7))
            if k % 2:
                stencil.line([(x - r * 0.4, y + radius * 0.08), (x + r * 0.6, y + radius * 0.08)], max(radius * 0.022, 0.6))


def gravel(stencil: Stencil, side: float, radius: float) -> None:
    """The beds of wadis: pebbles."""
    for k, (u, v) in enumerate(spots(300, 9)):
        for x, y in _around(side, u * side, v * side, radius * 0.1):
            stencil.disc((x, y), max(radius * (0.02 + 0.01 * (k % 3)), 0.5))


PATTERNS: Mapping[str, Pattern] = {
    "grain": grain,
    "broken": broken,
    "crags": crags,
    "hills": hills,
    "swells": swells,
    "dunes": dunes,
    "marsh": marsh,
    "salt": salt,
    "gravel": gravel,
}
"""The textures that a terrain of a style sheet may name as its ``pattern``. What each is like, its docstring says."""
