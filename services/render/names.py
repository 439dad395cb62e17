"""Places on the map: their symbols, and their names put where they collide with nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scenarios.data import Board, HexFeature
from services.render.geometry import Point
from services.render.ground import Ground
from services.render.ink import Stencil, Surface
from services.render.lettering import cap_height, width, write
from services.render.style import Style

Area = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """A name with the place found for it: the middle of its line, its size, and the rectangle that it takes."""

    text: str
    face: str
    size: int
    middle: Point
    area: Area


def overlap(a: Area, b: Area) -> float:
    """The area in square pixels that two rectangles share."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def draw_places(surface: Surface, board: Board, ground: Ground, style: Style) -> None:
    """The symbols of all places that the style knows."""
    radius = ground.lattice.radius
    for at, features in sorted(board.features.items()):
        for feature in features:
            look = style.features.get(feature.kind)
            if look:
                place_symbol(surface, ground.anchor(at), look.symbol, radius)


def place_symbol(surface: Surface, middle: Point, symbol: str, radius: int) -> None:
    """A village, or a fortified city within its walls, in the middle given."""
    x, y = middle
    r = radius
    box = (round(x - r), round(y - r), round(x + r), round(y + r))
    if symbol == "fortress":
        _star(surface, box, middle, r * 0.44, "town")
        _star(surface, box, middle, r * 0.36, "halo")
        blocks = ((-0.19, -0.15, -0.03, 0.0), (0.03, -0.17, 0.19, -0.04), (-0.16, 0.05, 0.0, 0.18), (0.05, 0.02, 0.2, 0.16))
    elif symbol == "dot":
        _dot(surface, box, middle, r)
        return
    else:
        blocks = ((-0.2, -0.14, -0.03, 0.02), (0.02, -0.2, 0.2, -0.05), (-0.12, 0.07, 0.03, 0.2), (0.08, 0.0, 0.22, 0.13))
        back = Stencil(box)
        for x0, y0, x1, y1 in blocks:
            back.rounded((x + x0 * r - 1.3, y + y0 * r - 1.3, x + x1 * r + 2.3, y + y1 * r + 2.3), 1)
        back.onto(surface, "halo")
    stencil = Stencil(box)
    for x0, y0, x1, y1 in blocks:
        stencil.rounded((x + x0 * r, y + y0 * r, x + x1 * r + 1, y + y1 * r + 1), 0)
    stencil.onto(surface, "town" if symbol == "fortress" else "ink")


def _dot(surface: Surface, box: tuple[int, int, int, int], middle: Point, r: int) -> None:
    """A place that is only a name: a small ring."""
    for radius, colour in ((0.12, "ink"), (0.07, "halo")):
        stencil = Stencil(box)
        stencil.disc(middle, max(r * radius, 1.2))
        stencil.onto(surface, colour)


def _star(surface: Surface, box: tuple[int, int, int, int], middle: Point, size: float, colour: str) -> None:
    """A bastioned fort: a square with pointed corners."""
    x, y = middle
    outer, inner = size * 1.12, size * 0.72
    points = []
    for sx, sy, flip in ((-1, -1, False), (1, -1, True), (1, 1, False), (-1, 1, True)):
        corner = [(x + sx * inner, y + sy * inner * 0.55), (x + sx * outer, y + sy * outer), (x + sx * inner * 0.55, y + sy * inner)]
        points += corner if not flip else corner[::-1]
    stencil = Stencil(box)
    stencil.polygon(points)
    stencil.onto(surface, colour)


def place_names(board: Board, ground: Ground, style: Style, taken: Iterable[Area], frame: Area) -> list[Placed]:
    """A place for the name of every feature: near it, inside ``frame``, over no other name, and as far as possible over no counter's
    place, no road symbol and no shore line."""
    blocks = list(taken)
    soft = _counter_places(board, ground)
    out: list[Placed] = []
    wanted = [
        (feature, style.features[feature.kind])
        for features in board.features.values()
        for feature in features
        if feature.kind in style.features
    ]
    for feature, look in sorted(wanted, key=lambda pair: (-pair[1].size, pair[0].hex, pair[0].name)):
        if not feature.name:
            continue
        size = max(round(look.size * ground.lattice.radius), 8)
        best = min(_candidates(feature, look.face, size, ground), key=lambda placed: _fault(placed, blocks, soft, ground, frame))
        out.append(best)
        blocks.append(best.area)
    return out


def _counter_places(board: Board, ground: Ground) -> list[Area]:
    half = ground.lattice.radius * 0.68
    return [(x - half, y - half, x + half, y + half) for x, y in (ground.lattice.centre(at) for at in board.terrain)]


def _candidates(feature: HexFeature, face: str, size: int, ground: Ground) -> list[Placed]:
    """Places around a feature, the better ones first."""
    r = ground.lattice.radius
    cx, cy = ground.lattice.centre(feature.hex)
    ax, ay = ground.anchor(feature.hex)
    wide, high = width(feature.name, face, size), cap_height(face, size)
    out = []
    for dx, dy in (
        (0, -0.80),
        (0, 0.80),
        (0.45, -0.80),
        (-0.45, -0.80),
        (0.45, 0.80),
        (-0.45, 0.80),
        (0.9, -0.8),
        (-0.9, -0.8),
        (0.9, 0.8),
        (-0.9, 0.8),
        (0, -1.05),
        (0, 1.05),
    ):
        out.append((cx + dx * r, cy + dy * r))
    for side in (1, -1):
        for dy in (0.0, -0.3, 0.3, -0.6, 0.6):
            out.append((cx + side * (r * 0.74 + wide / 2), cy + dy * r))
            out.append((ax + side * (r * 0.5 + wide / 2), ay + dy * r))
    return [
        Placed(feature.name, face, size, (x, y), (x - wide / 2 - 2, y - high / 2 - 3, x + wide / 2 + 2, y + high / 2 + 3)) for x, y in out
    ]


def _fault(placed: Placed, blocks: list[Area], soft: list[Area], ground: Ground, frame: Area) -> float:
    """How bad a place is: 0 for open ground or open water."""
    x0, y0, x1, y1 = placed.area
    area = (x1 - x0) * (y1 - y0)
    hard = sum(overlap(placed.area, other) for other in blocks) / area
    outside = 1 - overlap(placed.area, frame) / area
    covered = sum(overlap(placed.area, other) for other in soft) / area
    wet = sum(not ground.dry(x0 + (x1 - x0) * k / 4, (y0 + y1) / 2, 0) for k in range(5))
    mixed = min(wet, 5 - wet) / 5
    return hard * 40 + outside * 60 + covered * 3 + mixed * 1.2


def draw_names(surface: Surface, placed: Iterable[Placed]) -> None:
    """The names with their haloes."""
    for name in placed:
        stroke = max(round(name.size * 0.14), 1)
        write(surface, name.middle, name.text, name.face, name.size, "ink", anchor="mm", halo="halo", stroke=stroke)
