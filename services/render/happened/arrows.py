"""Arrows: ribbons that grow towards their head, in the colour of a side, with an edge that keeps them apart from the map."""

from __future__ import annotations

import math
from itertools import pairwise

from services.render.draw.geometry import Lattice, Point, curve
from services.render.draw.ink import Plate, Stencil, bounds, clip
from services.render.draw.lettering import write
from services.render.happened.kinds import Shaft
from services.render.happened.ways import Move, lanes
from services.render.style import Style

_APART = 0.2
"""How far from each other two lanes of a road lie, in hex radii."""
_EDGES = {"north": (0.0, -1.0), "south": (0.0, 1.0), "west": (-1.0, 0.0), "east": (1.0, 0.0)}


def draw_moves(plate: Plate, found: list[Move], lattice: Lattice, style: Style) -> None:
    """An arrow for each way, side by side where several take the same road; how many counters went together stands on it."""
    chosen = lanes(found)
    apart = _APART if not any(chosen) else min(_APART, 0.62 / max(abs(lane) for lane in chosen))
    slim = lattice.radius * max(apart / _APART, 0.72)  # where many take a road, all arrows are finer
    lines = [course(move, lane * apart, lattice) for move, lane in zip(found, chosen, strict=True)]
    for move, line in zip(found, lines, strict=True):
        draw_arrow(plate, line, style.sides[move.side].ink, move.shaft, slim)
    for move, line in zip(found, lines, strict=True):
        if move.count > 1:
            _count(plate, point_on(line, 0.42), str(move.count), style.sides[move.side].ink, lattice.radius)


def course(move: Move, aside: float, lattice: Lattice) -> list[Point]:
    """The line of a way in pixels, from the centre of its first hex to short of the last one's; ``aside``: so many radii to the right."""
    r = lattice.radius
    centres: list[Point] = [lattice.centre(at) for at in move.path]
    if move.off is not None:
        (x, y), (dx, dy) = centres[-1], _EDGES.get(move.off, _way_out(centres))
        start = (x + dx * r * 0.7, y + dy * r * 0.7)
        return [*centres[:-1], start, (x + dx * r * 1.5, y + dy * r * 1.5)]
    halfway = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(centres)]
    line = curve(_shifted([centres[0], *halfway, centres[-1]], aside * r), 5)
    return cut(line, r * (0.72 if len(move.path) > 2 else 0.55))


def _way_out(centres: list[Point]) -> Point:
    """The direction of the last step, if there is one; else downwards."""
    if len(centres) < 2:
        return 0.0, 1.0
    (ax, ay), (bx, by) = centres[-2:]
    length = math.hypot(bx - ax, by - ay) or 1.0
    return (bx - ax) / length, (by - ay) / length


def draw_arrow(plate: Plate, line: list[Point], colour: str, shaft: Shaft, r: float) -> None:
    """An arrow along a line, ``r`` being the hex radius, or less for a finer one. What each shaft means: ``kinds.Shaft``."""
    box = clip(bounds(line, r * 0.6), plate.size)
    if box is None:
        return
    rim = max(r * 0.05, 1.2)
    if shaft in ("planned", "broken"):
        hollow = shaft == "planned"
        _lay(plate, box, line, "halo", shaft, r, rim * (2 if hollow else 1))
        _lay(plate, box, line, colour, shaft, r, rim * 0.8 if hollow else 0.0)
        if hollow:
            _lay(plate, box, line, "paper", shaft, r, -rim * 0.3)
        return
    if shaft == "rammed":
        _lay(plate, box, line, "halo", shaft, r, rim * 2)
        _lay(plate, box, line, "red", shaft, r, rim)
    else:
        _lay(plate, box, line, "halo", shaft, r, rim, 0.85)
    _lay(plate, box, line, colour, shaft, r, 0.0)


def _lay(
    plate: Plate, box: tuple[int, int, int, int], line: list[Point], colour: str, shaft: Shaft, r: float, grow: float, opacity: float = 1.0
) -> None:
    """One coat of an arrow, ``grow`` pixels wider all around than its body."""
    stencil = Stencil(box, 3)
    long = r * (0.42 if shaft == "double" else 0.46)
    neck = cut(line, long * 0.8)
    if shaft in ("solid", "rammed", "double"):
        stencil.polygon(ribbon(neck, r * 0.09 + 2 * grow, r * 0.15 + 2 * grow))
        stencil.disc(line[0], r * 0.14 + grow)
    else:
        thin = r * (0.15 if shaft == "planned" else 0.13)
        for piece in dashes(neck, r * (0.42 if shaft == "planned" else 0.26), r * 0.17):
            stencil.polygon(ribbon(stretched(piece, grow), thin + 2 * grow, thin + 2 * grow))
    if shaft == "broken":
        _open_head(stencil, line, r * 0.34, r * 0.14 + 2 * grow)
    else:
        _head(stencil, neck[-1], _direction(line), long, r * 0.24, grow)
        if shaft == "double":
            _head(stencil, cut(line, long * 1.7)[-1], _direction(line), long, r * 0.24, grow)
    stencil.onto(plate, colour, opacity)


def _head(stencil: Stencil, at: Point, way: Point, long: float, wide: float, grow: float) -> None:
    """A barbed head whose base lies ``at``."""
    (x, y), (ux, uy) = at, way
    wide, tip, foot, notch = wide + grow * 1.5, long + grow * 2, -grow - long * 0.12, -grow * 0.5
    corners = [(tip, 0.0), (foot, wide), (notch + long * 0.08, 0.0), (foot, -wide)]
    stencil.polygon([(x + ux * along - uy * across, y + uy * along + ux * across) for along, across in corners])


def _open_head(stencil: Stencil, line: list[Point], reach: float, wide: float) -> None:
    (x, y), (ux, uy) = line[-1], _direction(line)
    for across in (-1, 1):
        back = (x - ux * reach - uy * reach * across * 0.8, y - uy * reach + ux * reach * across * 0.8)
        stencil.line([(x, y), back], wide)


def _direction(line: list[Point]) -> Point:
    """The unit vector at the end of a line."""
    (ax, ay), (bx, by) = line[-2:]
    length = math.hypot(bx - ax, by - ay) or 1.0
    return (bx - ax) / length, (by - ay) / length


def _count(plate: Plate, at: Point, text: str, colour: str, r: int) -> None:
    for radius, tint in ((0.27, "halo"), (0.23, colour)):
        disc = Stencil(bounds([at], r * 0.4))
        disc.disc(at, r * radius)
        disc.onto(plate, tint)
    write(plate, at, text, "bold", max(round(r * 0.36), 7), "halo", anchor="mm")


def ribbon(line: list[Point], first: float, last: float) -> list[Point]:
    """The outline of a band along a line, as wide as told at its ends."""
    left, right = [], []
    for k, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(k - 1, 0)], line[min(k + 1, len(line) - 1)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        half = (first + (last - first) * k / max(len(line) - 1, 1)) / 2
        nx, ny = -(by - ay) / length * half, (bx - ax) / length * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    return [*left, *reversed(right)]


def dashes(line: list[Point], long: float, gap: float) -> list[list[Point]]:
    """A line in pieces, the last of which ends where the line does."""
    total = length_of(line)
    count = max(round((total + gap) / (long + gap)), 1)
    step = (total + gap) / count
    return [part(line, k * step, k * step + step - gap) for k in range(count)]


def stretched(line: list[Point], by: float) -> list[Point]:
    """A line made longer at both ends."""
    out = list(line)
    for end, beside in ((0, 1), (-1, -2)):
        (x, y), (bx, by_) = line[end], line[beside]
        length = math.hypot(x - bx, y - by_) or 1.0
        out[end] = (x + (x - bx) / length * by, y + (y - by_) / length * by)
    return out


def length_of(line: list[Point]) -> float:
    """Pixels from the start of a line to its end."""
    return sum(math.hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(line))


def part(line: list[Point], start: float, end: float) -> list[Point]:
    """What of a line lies between two distances from its start; at least two points."""
    out: list[Point] = []
    gone = 0.0
    for (ax, ay), (bx, by) in pairwise(line):
        length = math.hypot(bx - ax, by - ay)
        for mark in (start, end):
            if length and gone <= mark <= gone + length and (not out or mark == end):
                share = (mark - gone) / length
                out.append((ax + (bx - ax) * share, ay + (by - ay) * share))
        gone += length
        if start < gone < end:
            out.append((bx, by))
    return out if len(out) > 1 else [line[0], line[-1]]


def point_on(line: list[Point], share: float) -> Point:
    """The point at a share of a line's length."""
    return part(line, 0.0, max(length_of(line) * share, 0.01))[-1]


def _shifted(points: list[Point], by: float) -> list[Point]:
    """A line moved sideways, to the right of the way."""
    if not by:
        return points
    out = []
    for k, (x, y) in enumerate(points):
        ax, ay = points[max(k - 1, 0)]
        bx, by_ = points[min(k + 1, len(points) - 1)]
        length = math.hypot(bx - ax, by_ - ay) or 1.0
        out.append((x - (by_ - ay) / length * by, y + (bx - ax) / length * by))
    return out


def cut(line: list[Point], short: float) -> list[Point]:
    """A line shortened at its end; something of it always remains."""
    out = list(line)
    left = short
    while len(out) > 2:
        (ax, ay), (bx, by) = out[-2], out[-1]
        length = math.hypot(bx - ax, by - ay)
        if length > left:
            share = left / length
            out[-1] = (bx + (ax - bx) * share, by + (ay - by) * share)
            return out
        left -= length
        out.pop()
    (ax, ay), (bx, by) = out[-2], out[-1]
    length = math.hypot(bx - ax, by - ay) or 1.0
    share = min(left / length, 0.6)
    out[-1] = (bx + (ax - bx) * share, by + (ay - by) * share)
    return out
