"""Badges: signs on discs that show a counter's marks; and markers, small counters of their own that lie in a hex."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from services.render.counters.looks import BadgeLook, CounterStyle
from services.render.draw.ink import Canvas, Sprite, Stencil, Surface, bounds
from services.render.draw.lettering import squeezed
from services.render.style import Sheet

Middle = tuple[float, float]
Sign = Callable[[Stencil, Middle, float], None]


def _lines(*lines: tuple[Middle, ...], thick: float = 0.3) -> Sign:
    """A sign of lines; their points are in shares of its reach."""

    def draw(s: Stencil, middle: Middle, r: float) -> None:
        for line in lines:
            s.line([(middle[0] + r * x, middle[1] + r * y) for x, y in line], max(r * thick, 1))

    return draw


def _areas(*areas: tuple[Middle, ...]) -> Sign:
    def draw(s: Stencil, middle: Middle, r: float) -> None:
        for area in areas:
            s.polygon([(middle[0] + r * x, middle[1] + r * y) for x, y in area])

    return draw


def _round(points: int, inner: float) -> tuple[Middle, ...]:
    reach = [1.0 if k % 2 == 0 else inner for k in range(2 * points)]
    return tuple((one * math.sin(math.pi * k / points), -one * math.cos(math.pi * k / points)) for k, one in enumerate(reach))


def _drop(s: Stencil, middle: Middle, r: float) -> None:
    x, y = middle
    s.disc((x, y + r * 0.3), r * 0.55)
    s.polygon([(x - r * 0.5, y + r * 0.1), (x, y - r), (x + r * 0.5, y + r * 0.1)])
    s.line([(x - r, y - r * 0.7), (x + r, y + r * 0.9)], max(r * 0.34, 1), 0, caps=False)


def _dots(s: Stencil, middle: Middle, r: float) -> None:
    x, y = middle
    for k in (-0.85, -0.2):
        s.disc((x + r * k, y), r * 0.22)
    s.polygon([(x + r * 0.15, y - r * 0.7), (x + r, y), (x + r * 0.15, y + r * 0.7)])


def _disc(s: Stencil, middle: Middle, r: float) -> None:
    s.disc(middle, r * 0.6)


SIGNS: dict[str, Sign] = {
    "chevron": _lines(((-0.45, -0.9), (0.5, 0.0), (-0.45, 0.9)), thick=0.5),
    "cross": _lines(((-0.8, -0.8), (0.8, 0.8)), ((-0.8, 0.8), (0.8, -0.8)), thick=0.5),
    "plus": _lines(((-0.9, 0.0), (0.9, 0.0)), ((0.0, -0.9), (0.0, 0.9)), thick=0.5),
    "burst": _areas(_round(8, 0.45)),
    "bolt": _areas(((0.25, -1.0), (-0.65, 0.15), (-0.05, 0.15), (-0.3, 1.0), (0.65, -0.25), (0.05, -0.25))),
    "clash": _areas(((-1.0, -0.75), (-0.08, 0.0), (-1.0, 0.75)), ((1.0, -0.75), (0.08, 0.0), (1.0, 0.75))),
    "dots": _dots,
    "bars": _lines(((-0.9, -0.6), (0.9, -0.6)), ((-0.9, 0.0), (0.9, 0.0)), ((-0.9, 0.6), (0.9, 0.6)), thick=0.28),
    "drop": _drop,
    "pause": _lines(((-0.4, -0.75), (-0.4, 0.75)), ((0.4, -0.75), (0.4, 0.75)), thick=0.42),
    "wrench": _lines(((-0.6, 0.7), (0.3, -0.3)), ((0.1, -0.9), (0.1, -0.2), (0.85, -0.2)), thick=0.42),
    "smoke": _lines(((-0.7, 0.7), (-0.7, -0.1)), ((0.0, 0.7), (0.0, -0.8)), ((0.7, 0.7), (0.7, -0.1)), thick=0.4),
    "gap": _lines(((-1.0, 0.0), (-0.5, 0.0)), ((0.5, 0.0), (1.0, 0.0)), ((0.0, -0.8), (0.0, 0.8)), thick=0.4),
    "dash": _lines(((-0.8, 0.0), (0.8, 0.0)), thick=0.5),
    "flag": _areas(((-0.65, -1.0), (-0.4, -1.0), (-0.4, 1.0), (-0.65, 1.0)), ((-0.4, -0.95), (0.85, -0.45), (-0.4, 0.1))),
    "disc": _disc,
    "shield": _areas(((-0.75, -0.85), (0.75, -0.85), (0.75, 0.1), (0.0, 1.0), (-0.75, 0.1))),
    "tick": _lines(((-0.8, 0.0), (-0.2, 0.65), (0.8, -0.7)), thick=0.45),
}
"""Names of signs (as a style sheet gives them) to what is drawn."""

_PLAIN = BadgeLook("disc")


def badge_look(badge: str, style: CounterStyle) -> BadgeLook:
    """How a badge or a marker looks; a plain disc if the style sheet does not know it."""
    return style.badges.get(badge) or style.markers.get(badge) or _PLAIN


def draw_badge(surface: Surface, badge: str, middle: Middle, radius: float, style: CounterStyle) -> None:
    """A mark of the style sheet as a sign on a disc."""
    look = badge_look(badge, style)
    box = bounds([middle], radius + 1)
    for inset, colour in ((0.0, look.ink), (max(radius * 0.14, 0.9), look.ground)):
        disc = Stencil(box)
        disc.disc(middle, radius - inset)
        disc.onto(surface, colour)
    sign = Stencil(box, 6)
    SIGNS[look.sign](sign, middle, radius * 0.56)
    sign.onto(surface, look.ink)


@lru_cache(maxsize=512)
def marker(kind: str, size: int, sheet: Sheet, side: str = "", text: str = "") -> Sprite:
    """A marker as a small counter: its sign, and with ``text`` (a number of a wreck, the factors of a barrage) that beside it.

    With ``side`` it has that side's edge, so that one sees whose it is.
    """
    look = badge_look(kind, sheet.style.counters)
    edge = sheet.style.sides[side].dark if side in sheet.style.sides else look.ink
    canvas = Canvas((size, size), sheet.palette, edge)
    outline, face = Stencil((0, 0, size, size)), Stencil((0, 0, size, size))
    outline.rounded((0, 0, size, size), size * 0.2)
    rim = max(size * 0.09, 1.0)
    face.rounded((rim, rim, size - rim, size - rim), size * 0.14)
    face.onto(canvas, look.ground)
    sign = Stencil((0, 0, size, size), 6)
    SIGNS[look.sign](sign, (size / 2, size * (0.29 if text else 0.5)), size * (0.15 if text else 0.27))
    sign.onto(canvas, look.ink)
    if text:
        letters = max(round(size * 0.52), 10)
        name, up = squeezed(text, "bold", letters, max(round(size - 2 * rim - 2), 4))
        foot = round(size - rim - max(size * 0.07, 1))
        canvas.ink(name, (round((size - name.width) / 2), foot - up), look.ink)
    mask = outline.mask().point([0] * 128 + [255] * 128).convert("1")
    return Sprite(sheet.palette.flatten(canvas.image), mask)
