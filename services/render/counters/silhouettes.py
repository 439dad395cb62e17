"""Silhouettes: vehicles, guns and aircraft as they are printed in place of a unit-type symbol, and the star of a leader."""

from __future__ import annotations

import math
from collections.abc import Callable

from services.render.draw.geometry import Point
from services.render.draw.ink import Stencil

Frame = tuple[float, float, float, float]
Outline = tuple[tuple[float, float], ...]
Wheels = tuple[float, tuple[float, ...], float]
"""The height of their axles, the place of each along the frame, and the radius in the frame's heights."""


class _Shape:
    """What is filled, and the wheels that are left free, all in shares of the frame; ``tall``: wanted width through height."""

    __slots__ = ("filled", "solid", "tall", "wheels")

    def __init__(self, *filled: Outline, wheels: Wheels | None = None, solid: Wheels | None = None, tall: float = 2.0) -> None:
        self.filled, self.wheels, self.solid, self.tall = filled, wheels, solid, tall


def _hull(front: float = 0.97) -> Outline:
    return ((0.03, 0.66), (0.08, 0.50), (0.80, 0.48), (front, 0.60), (front, 0.68))


_TRACK: Outline = ((0.0, 0.74), (0.07, 0.62), (0.93, 0.62), (1.0, 0.74), (0.90, 0.97), (0.12, 0.97))
_ROAD_WHEELS: Wheels = (0.80, (0.20, 0.40, 0.60, 0.80), 0.085)


def _barrel(root: float, y: float, tip: float, thick: float = 0.075) -> Outline:
    return ((root, y - thick * 0.7), (tip, y - thick / 2), (tip, y + thick / 2), (root, y + thick * 0.7))


def _turret(x0: float, x1: float, top: float = 0.18, foot: float = 0.5, slant: float = 0.05) -> Outline:
    return ((x0, foot), (x0 + slant, top), (x1 - slant * 1.6, top), (x1, foot))


SHAPES: dict[str, _Shape] = {
    "tank": _Shape(_hull(), _TRACK, _turret(0.28, 0.68), _barrel(0.6, 0.33, 1.0), wheels=_ROAD_WHEELS),
    "cruiser-tank": _Shape(
        _hull(), _TRACK, ((0.22, 0.5), (0.32, 0.2), (0.58, 0.2), (0.72, 0.38), (0.66, 0.5)), _barrel(0.6, 0.36, 0.96), wheels=_ROAD_WHEELS
    ),
    "medium-tank": _Shape(
        ((0.03, 0.66), (0.05, 0.44), (0.74, 0.44), (0.97, 0.6), (0.97, 0.68)),
        _TRACK,
        _turret(0.3, 0.62, 0.12, 0.46, 0.03),
        _barrel(0.55, 0.28, 0.9),
        wheels=(0.80, (0.17, 0.30, 0.43, 0.57, 0.70, 0.83), 0.065),
    ),
    "light-tank": _Shape(
        ((0.12, 0.66), (0.16, 0.5), (0.72, 0.46), (0.88, 0.62), (0.88, 0.68)),
        ((0.06, 0.76), (0.13, 0.62), (0.88, 0.62), (0.95, 0.76), (0.86, 0.97), (0.16, 0.97)),
        _turret(0.3, 0.56, 0.2, 0.5, 0.03),
        _barrel(0.5, 0.34, 0.74, 0.06),
        wheels=(0.80, (0.26, 0.5, 0.74), 0.1),
    ),
    "tankette": _Shape(
        ((0.16, 0.66), (0.18, 0.36), (0.6, 0.32), (0.74, 0.5), (0.86, 0.62)),
        ((0.08, 0.78), (0.14, 0.64), (0.88, 0.64), (0.94, 0.76), (0.84, 0.97), (0.2, 0.97)),
        _barrel(0.6, 0.48, 0.92, 0.05),
        wheels=(0.81, (0.28, 0.5, 0.72), 0.09),
    ),
    "grant-tank": _Shape(
        ((0.04, 0.66), (0.07, 0.42), (0.80, 0.38), (0.95, 0.6), (0.95, 0.68)),
        _TRACK,
        _turret(0.28, 0.58, 0.08, 0.42, 0.04),
        _barrel(0.5, 0.18, 0.84, 0.06),
        _barrel(0.7, 0.5, 1.0, 0.09),
        wheels=_ROAD_WHEELS,
    ),
    "heavy-tank": _Shape(
        ((0.02, 0.66), (0.04, 0.42), (0.84, 0.42), (0.9, 0.6), (0.9, 0.68)),
        ((0.0, 0.72), (0.06, 0.6), (0.86, 0.6), (0.93, 0.72), (0.84, 0.98), (0.1, 0.98)),
        _turret(0.22, 0.62, 0.12, 0.44, 0.02),
        _barrel(0.55, 0.28, 1.0, 0.08),
        ((0.93, 0.21), (1.0, 0.21), (1.0, 0.35), (0.93, 0.35)),
        wheels=(0.79, (0.16, 0.29, 0.42, 0.55, 0.68, 0.80), 0.075),
    ),
    "assault-gun-vehicle": _Shape(
        ((0.03, 0.66), (0.06, 0.5), (0.22, 0.28), (0.62, 0.28), (0.74, 0.48), (0.97, 0.6), (0.97, 0.68)),
        _TRACK,
        _barrel(0.62, 0.44, 1.0, 0.09),
        wheels=_ROAD_WHEELS,
    ),
    "self-propelled-gun": _Shape(
        ((0.04, 0.68), (0.06, 0.52), (0.66, 0.52), (0.7, 0.36), (0.86, 0.36), (0.94, 0.58), (0.94, 0.7)),
        ((0.16, 0.52), (0.16, 0.16), (0.46, 0.16), (0.5, 0.52)),
        _barrel(0.44, 0.28, 0.98, 0.06),
        solid=(0.8, (0.24, 0.78), 0.19),
    ),
    "armoured-car-vehicle": _Shape(
        ((0.06, 0.74), (0.1, 0.46), (0.26, 0.4), (0.66, 0.4), (0.9, 0.52), (0.95, 0.74)),
        _turret(0.32, 0.58, 0.14, 0.42, 0.04),
        _barrel(0.54, 0.27, 0.82, 0.06),
        solid=(0.78, (0.25, 0.76), 0.19),
        tall=1.8,
    ),
    "gun": _Shape(
        ((0.02, 0.86), (0.06, 0.76), (0.5, 0.56), (0.52, 0.66)),
        ((0.5, 0.2), (0.57, 0.2), (0.6, 0.72), (0.52, 0.72)),
        ((0.42, 0.5), (0.98, 0.1), (1.0, 0.18), (0.46, 0.62)),
        solid=(0.74, (0.56,), 0.22),
        tall=1.8,
    ),
    "heavy-gun": _Shape(
        ((0.02, 0.97), (0.02, 0.86), (0.98, 0.86), (0.98, 0.97)),
        ((0.30, 0.9), (0.40, 0.42), (0.56, 0.42), (0.66, 0.9)),
        ((0.24, 0.58), (0.20, 0.44), (0.44, 0.30), (0.98, 0.0), (1.0, 0.08), (0.52, 0.50)),
        ((0.50, 0.16), (0.58, 0.12), (0.66, 0.56), (0.58, 0.60)),
        tall=1.7,
    ),
}
"""Vehicles and guns, all facing right."""


def aircraft(stencil: Stencil, middle: Point, r: float, engines: int = 1) -> None:
    """An aeroplane from above, flying up, ``r`` pixels from its middle to a wing's tip."""
    x, y = middle
    stencil.polygon(
        [(x + r * dx, y + r * dy) for dx, dy in ((-0.12, -0.68), (-0.05, -0.96), (0.05, -0.96), (0.12, -0.68), (0.08, 0.85), (-0.08, 0.85))]
    )
    wing = ((-1.0, -0.02), (-0.97, -0.22), (0.0, -0.5), (0.97, -0.22), (1.0, -0.02), (0.0, 0.02))
    stencil.polygon([(x + r * dx, y + r * dy) for dx, dy in wing])
    tail = ((-0.4, 0.88), (-0.38, 0.68), (0.0, 0.58), (0.38, 0.68), (0.4, 0.88))
    stencil.polygon([(x + r * dx, y + r * dy) for dx, dy in tail])
    for way in (-1, 1) if engines == 2 else ():
        stencil.polygon(
            [(x + r * (way * 0.42 + dx), y + r * dy) for dx, dy in ((-0.09, -0.56), (0.09, -0.56), (0.09, 0.05), (-0.09, 0.05))]
        )


def star(middle: Point, r: float) -> list[Point]:
    """The outline of a star of five points, one of them up."""
    x, y = middle
    reach = [r if k % 2 == 0 else r * 0.42 for k in range(10)]
    return [(x + math.sin(math.pi * k / 5) * one, y - math.cos(math.pi * k / 5) * one) for k, one in enumerate(reach)]


def _fighter(stencil: Stencil, middle: Point, r: float) -> None:
    aircraft(stencil, middle, r)


def _bomber(stencil: Stencil, middle: Point, r: float) -> None:
    aircraft(stencil, middle, r, engines=2)


def _leader(stencil: Stencil, middle: Point, r: float) -> None:
    stencil.polygon(star(middle, r))


ROUND: dict[str, Callable[[Stencil, Point, float], None]] = {"fighter": _fighter, "bomber": _bomber, "leader": _leader}
"""Signs that are as wide as high."""
SILHOUETTES = frozenset(SHAPES) | frozenset(ROUND)


def draw_silhouette(stencil: Stencil, frame: Frame, name: str) -> None:
    """A silhouette as large as fits into a frame. KeyError if there is none of that name."""
    x0, y0, x1, y1 = frame
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    if name in ROUND:
        ROUND[name](stencil, middle, min(x1 - x0, y1 - y0) / 2)
        return
    shape = SHAPES[name]
    wide = min(x1 - x0, (y1 - y0) * shape.tall)
    high = wide / shape.tall
    left, top = middle[0] - wide / 2, y1 - high - max((y1 - y0 - high) / 2, 0)
    for outline in shape.filled:
        stencil.polygon([(left + wide * x, top + high * y) for x, y in outline])
    for wheels, value in ((shape.wheels, 0), (shape.solid, 255)):
        for x in wheels[1] if wheels else ():
            assert wheels is not None
            at = (left + wide * x, top + high * wheels[0])
            if value:
                stencil.disc(at, wheels[2] * high * 1.35, 0)
            stencil.disc(at, wheels[2] * high, value)
