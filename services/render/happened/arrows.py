"""Arrows: ribbons that grow towards their head, in the colour of a side, with an edge that keeps them apart from the map."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice, Point, curve
from services.render.draw.ink import Box, Plate, Stencil, bounds, clip
from services.render.draw.lettering import write
from services.render.draw.room import Area
from services.render.happened.kinds import Shaft
from services.render.happened.ribbons import merged
from services.render.happened.ways import Move, lanes
from services.render.style import Style

_APART = 0.2
"""How far from each other two lanes of a road lie, in hex radii."""
_NOBODY: Mapping[Hex, Area] = {}
_EDGES = {"north": (0.0, -1.0), "south": (0.0, 1.0), "west": (-1.0, 0.0), "east": (1.0, 0.0)}


def draw_moves(plate: Plate, found: list[Move], lattice: Lattice, style: Style, held: Mapping[Hex, Area] = _NOBODY) -> None:
    """An arrow for each way, side by side where several take the same road; how many counters went together stands on it. Ways that run
    together for long are one ribbon. ``held``: where the counters of a hex hide what lies below them; arrows begin and end outside."""
    groups = merged(found)
    pieces = [one for group in groups for one in group]
    chosen = lanes(pieces)
    apart = _APART if not any(chosen) else min(_APART, 0.62 / max(abs(lane) for lane in chosen))
    slim = lattice.radius * max(apart / _APART, 0.72)  # where many take a road, all arrows are finer
    drawn = {id(one): course(one, lane * apart, lattice) for one, lane in zip(pieces, chosen, strict=True)}
    for group in groups:
        lines = joined(group, [drawn[id(one)] for one in group])
        shown = [(one, outside(one, line, held, lattice.radius)) for one, line in zip(group, lines, strict=True)]
        for coat in range(_COATS):
            for move, line in shown:
                draw_coat(plate, line, style.sides[move.side].ink, move, slim, coat)
        for move, line in shown:
            if move.count > 1:
                spots = [point_on(line, share) for share in (0.42, 0.3, 0.55, 0.2, 0.7, 0.85)]
                open_ = (at for at in spots if not any(_in(at, area, lattice.radius * 0.27) for area in held.values()))
                _count(plate, next(open_, spots[0]), str(move.count), style.sides[move.side].ink, lattice.radius)


def draw_ends(plate: Plate, found: list[Move], lattice: Lattice, style: Style, held: Mapping[Hex, Area]) -> None:
    """Over the counters: a small head or dot on the hexside where a way ends or begins between two of them, which leave no room for it."""
    r = lattice.radius
    for move in (one for one in found if one.shaft != "planned" and len(one.path) > 1):
        ink = style.sides[move.side].ink
        for here, beside, last in ((move.path[-1], move.path[-2], True), (move.path[0], move.path[1], False)):
            if here not in held or beside not in held or (last and move.off is not None):
                continue
            (ax, ay), (bx, by) = lattice.centre(beside), lattice.centre(here)
            length, middle = math.hypot(bx - ax, by - ay) or 1.0, ((ax + bx) / 2, (ay + by) / 2)
            for grow, colour in ((r * 0.08, "halo"), (0.0, ink)):
                stencil = Stencil(bounds([middle], r), 3)
                if last:
                    way = ((bx - ax) / length, (by - ay) / length)
                    _head(stencil, (middle[0] - way[0] * r * 0.12, middle[1] - way[1] * r * 0.12), way, r * 0.26, r * 0.18, grow)
                else:
                    stencil.disc(middle, r * 0.1 + grow)
                stencil.onto(plate, colour)


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
    return cut(line, r * (0.72 if len(move.path) > 2 else 0.55)) if move.head else line


def joined(group: list[Move], lines: list[list[Point]]) -> list[list[Point]]:
    """The lines of a group's pieces, those without head or tail drawn to where the others that they join or leave begin or end."""
    joints: dict[Hex, Point] = {}
    for move, line in sorted(zip(group, lines, strict=True), key=lambda pair: pair[0].count):
        joints[move.path[0]] = line[0]
        if not move.head or move.count > 1:
            joints[move.path[-1]] = line[-1]
    out = []
    for move, line in zip(group, lines, strict=True):
        first = [joints[move.path[0]]] if not move.tail else line[:1]
        last = [joints[move.path[-1]]] if not move.head else line[-1:]
        out.append([*first, *line[1:-1], *last])
    return out


def outside(move: Move, line: list[Point], held: Mapping[Hex, Area], r: int) -> list[Point]:
    """The part of a line between the counters that stand at its two ends now; if that is next to nothing, what lies halfway."""
    whole, start, end = length_of(line), 0.0, length_of(line)
    steps = [whole * k / 48 for k in range(49)]
    if move.tail and (there := held.get(move.path[0])) is not None:
        start = next((gone for gone in steps if not _in(point_on(line, gone / (whole or 1)), there, r * 0.06)), 0.0)
    if move.head and move.off is None and (there := held.get(move.path[-1])) is not None:
        end = next((gone for gone in reversed(steps) if not _in(point_on(line, gone / (whole or 1)), there, r * 0.04)), whole)
    if end - start < r * 0.3:
        middle = min(max((start + end) / 2, r * 0.15), max(whole - r * 0.15, 0.0))
        start, end = max(middle - r * 0.2, 0.0), min(middle + r * 0.2, whole)
    return part(line, start, end) if (start, end) != (0.0, whole) else line


def _in(point: Point, area: Area, grow: float) -> bool:
    return area[0] - grow <= point[0] <= area[2] + grow and area[1] - grow <= point[1] <= area[3] + grow


def _way_out(centres: list[Point]) -> Point:
    """The direction of the last step, if there is one; else downwards."""
    if len(centres) < 2:
        return 0.0, 1.0
    (ax, ay), (bx, by) = centres[-2:]
    length = math.hypot(bx - ax, by - ay) or 1.0
    return (bx - ax) / length, (by - ay) / length


def draw_arrow(plate: Plate, line: list[Point], colour: str, shaft: Shaft, r: float) -> None:
    """An arrow along a line, ``r`` being the hex radius, or less for a finer one. What each shaft means: ``kinds.Shaft``."""
    for coat in range(_COATS):
        draw_coat(plate, line, colour, Move("", (), shaft), r, coat)


_COATS = 3
"""Of how many coats an arrow consists: its edge, its body, and what is laid on that."""


def draw_coat(plate: Plate, line: list[Point], colour: str, move: Move, r: float, coat: int) -> None:
    """One coat of an arrow, so that arrows which join are drawn coat by coat."""
    box = clip(bounds(line, r * 0.6), plate.size)
    if box is None:
        return
    rim, shaft = max(r * 0.05, 1.2), move.shaft
    coats: dict[Shaft, list[tuple[str, float, float]]] = {
        "planned": [("halo", rim * 2, 1.0), (colour, rim * 0.8, 1.0), ("paper", -rim * 0.3, 1.0)],
        "broken": [("halo", rim, 1.0), (colour, 0.0, 1.0)],
        "rammed": [("halo", rim * 2, 1.0), ("red", rim, 1.0), (colour, 0.0, 1.0)],
    }
    chosen = coats.get(shaft, [("halo", rim, 0.85), (colour, 0.0, 1.0)])
    if coat < len(chosen):
        tint, grow, opacity = chosen[coat]
        _lay(plate, box, line, tint, move, r, grow, opacity)


def _lay(plate: Plate, box: Box, line: list[Point], colour: str, move: Move, r: float, grow: float, opacity: float) -> None:
    """One coat of an arrow, ``grow`` pixels wider all around than its body."""
    stencil, shaft = Stencil(box, 3), move.shaft
    long = min(r * (0.42 if shaft == "double" else 0.46), length_of(line) * 0.8)
    neck = cut(line, long * 0.8) if move.head else line
    broad = 0.18 if move.count > 1 else 0.15
    if shaft in ("solid", "rammed", "double"):
        first = broad if not move.tail else 0.09
        last = broad if move.head or move.count > 1 else 0.11
        stencil.polygon(ribbon(neck, r * first + 2 * grow, r * last + 2 * grow))
        stencil.disc(line[0], r * (0.14 if move.tail else broad / 2) + grow)
        if not move.head:
            stencil.disc(line[-1], r * last / 2 + grow)
    else:
        thin = r * (0.15 if shaft == "planned" else 0.13)
        for piece in dashes(neck, r * (0.42 if shaft == "planned" else 0.26), r * 0.17):
            stencil.polygon(ribbon(stretched(piece, grow), thin + 2 * grow, thin + 2 * grow))
    wide = min(r * 0.24, long * 0.7)
    if not move.head:
        pass
    elif shaft == "broken":
        _open_head(stencil, line, min(r * 0.34, long), r * 0.14 + 2 * grow)
    else:
        _head(stencil, neck[-1], _direction(line), long, wide, grow)
        if shaft == "double":
            _head(stencil, cut(line, long * 1.7)[-1], _direction(line), long, wide, grow)
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
