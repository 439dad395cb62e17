"""Where things lie on a picture of a board: sea, shore and dry ground, and masks of country with soft edges."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from functools import cached_property

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scenarios.data import Board
from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice, Point, curve
from services.render.draw.ink import Stencil


class Ground:
    """Where land and water lie on a picture of a board."""

    def __init__(self, board: Board, lattice: Lattice, size: tuple[int, int]) -> None:
        self.board = board
        self.lattice = lattice
        self.size = size

    @cached_property
    def sea(self) -> Image.Image:
        """The waters as a mask (mode L, soft edges)."""
        lines = self.coast
        if not lines:
            return soft_country(self, self.board.sea, 0.2, 124)[0]
        factor = 2
        mask = Image.new("L", (self.size[0] * factor, self.size[1] * factor))
        for line in lines:
            # Areas overlap by exclusive or: a coast from edge to edge, an island in it and a lake on that all come out right.
            area = Image.new("L", mask.size)
            closed = line if _is_ring(line) else _closed(line, self.size)
            ImageDraw.Draw(area).polygon([(x * factor, y * factor) for x, y in closed], fill=255)
            mask = ImageChops.difference(mask, area)
        if not self._agrees(mask, factor):
            mask = ImageChops.invert(mask)
        return mask.reduce(factor)

    def _agrees(self, mask: Image.Image, factor: int) -> bool:
        """Whether most hexes of the picture that are wholly sea lie in the mask, and most others beside it."""
        votes = 0
        for at in (Hex(col, row) for col in range(1, self.board.columns + 1) for row in range(1, self.board.rows + 1)):
            x, y = self.lattice.centre(at)
            if 0 <= x < self.size[0] and 0 <= y < self.size[1]:
                votes += 1 if bool(mask.getpixel((x * factor, y * factor))) == (at in self.board.sea) else -1
        return votes > 0

    @cached_property
    def coast(self) -> list[list[Point]]:
        """The shore lines in pixels; those that run off the map are carried on over the picture's edge."""
        lines = [curve([self.lattice.point(u, v) for u, v in line], 4) for line in self.board.lines.get("coast", ())]
        return [line if _is_ring(line) else carried_on(line, self.size, 4 * max(self.size)) for line in lines]

    @cached_property
    def nearness(self) -> Image.Image:
        """How near the shore a pixel lies (mode L): 128 on the line, more at sea, less on land, over about one hex."""
        small = self.sea.reduce(4) if min(self.size) >= 64 else self.sea
        reach = self.lattice.radius * 0.5 * small.width / self.size[0]
        return small.filter(ImageFilter.BoxBlur(reach)).filter(ImageFilter.BoxBlur(reach)).resize(self.size, Image.Resampling.BILINEAR)

    @cached_property
    def raggedness(self) -> Image.Image:
        """The noise by which outlines stray (mode L, half as large as the picture)."""
        return noise(((self.size[0] + 1) // 2, (self.size[1] + 1) // 2), self.lattice.radius * 0.21, 7)

    def dry(self, x: float, y: float, clearance: float) -> bool:
        """Whether a point lies on land, and everything within ``clearance`` pixels of it."""
        c, d = clearance, clearance * 0.7
        around = ((0, 0), (c, 0), (-c, 0), (0, c), (0, -c), (d, d), (d, -d), (-d, d), (-d, -d)) if c else ((0, 0),)
        return all(self._land(x + dx, y + dy) for dx, dy in around)

    def _land(self, x: float, y: float) -> bool:
        px = min(max(round(x), 0), self.size[0] - 1)
        py = min(max(round(y), 0), self.size[1] - 1)
        return self._bytes[py * self.size[0] + px] < 128

    @cached_property
    def _bytes(self) -> bytes:
        return self.sea.tobytes()

    def anchor(self, at: Hex) -> Point:
        """Where a road or a town stands in a hex: its centre, or the nearest dry ground in it if that is water."""
        x, y = self.lattice.centre(at)
        clearance = self.lattice.radius * 0.17
        if at not in self.board.terrain or self.dry(x, y, clearance):
            return x, y
        reach = self.lattice.row / 2 - clearance
        for ring in range(1, 9):
            for dx, dy in _SPOKES:
                px, py = x + dx * reach * ring / 8, y + dy * reach * ring / 8
                if self.dry(px, py, clearance):
                    return px, py
        return x, y

    def crossing(self, a: Hex, b: Hex) -> Point:
        """Where a road crosses the hexside between two hexes: its middle, or the dry point nearest to that."""
        first, second = sorted((a, b))
        (px, py), (qx, qy) = self.lattice.side(first, second)
        clearance = self.lattice.radius * 0.13
        for step in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.1, 0.9):
            x, y = px + (qx - px) * step, py + (qy - py) * step
            if self.dry(x, y, clearance):
                return x, y
        return (px + qx) / 2, (py + qy) / 2


_SPOKES = tuple(
    (dx, dy)
    for dx, dy in (
        (0, 1),
        (0.5, 0.87),
        (-0.5, 0.87),
        (0.87, 0.5),
        (-0.87, 0.5),
        (1, 0),
        (-1, 0),
        (0.87, -0.5),
        (-0.87, -0.5),
        (0.5, -0.87),
        (-0.5, -0.87),
        (0, -1),
    )
)


def _is_ring(line: list[Point]) -> bool:
    (ax, ay), (bx, by) = line[0], line[-1]
    return abs(ax - bx) < 1 and abs(ay - by) < 1


def _closed(line: list[Point], size: tuple[int, int]) -> list[Point]:
    """A coast that runs off the picture, closed round the outside."""
    far = 4 * max(size)
    # Clockwise corners of a frame well outside, from the side where the line ends to the one where it began.
    corners: list[Point] = [(-far, -far), (far, -far), (far, far), (-far, far)]
    k, last = _edge_of(line[-1], size), _edge_of(line[0], size)
    round_about: list[Point] = []
    while k != last:
        k = (k + 1) % 4
        round_about.append(corners[k])
    return [*line, *round_about]


def carried_on(line: list[Point], size: tuple[int, int], reach: float) -> list[Point]:
    """A line with its ends carried on over the picture's edge, unless that is more than ``reach`` pixels away.

    An end goes on as it ran, if that soon leads out; else straight over the nearest edge.
    """
    return [*_onward(line[1], line[0], size, reach), *line, *_onward(line[-2], line[-1], size, reach)]


def _onward(before: Point, end: Point, size: tuple[int, int], reach: float) -> list[Point]:
    gaps = (end[1], size[0] - end[0], size[1] - end[1], end[0])  # to the top, right, bottom and left
    if min(gaps) < 0 or min(gaps) > reach:
        return []
    dx, dy = end[0] - before[0], end[1] - before[1]
    speeds = (-dy, dx, dy, -dx)
    length = math.hypot(dx, dy)
    times = [gap * length / speed if speed > 0 else math.inf for gap, speed in zip(gaps, speeds, strict=True)]
    near = times.index(min(times))
    if times[near] > 3 * max(min(gaps), 1):
        near = gaps.index(min(gaps))
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[near]
        length, times[near] = 1.0, gaps[near]
    far = times[near] + 4
    return [(end[0] + dx / length * far, end[1] + dy / length * far)]


def _edge_of(point: Point, size: tuple[int, int]) -> int:
    """Over which edge of the picture a point lies, or to which it is nearest: top, right, bottom, left."""
    gaps = (point[1], size[0] - point[0], size[1] - point[1], point[0])
    return gaps.index(min(gaps))


def noise(size: tuple[int, int], cell: float, seed: int, *, detail: bool = True) -> Image.Image:
    """Smooth hills and hollows (mode L), about ``cell`` pixels wide, with smaller ones on them if ``detail``.

    The same for the same arguments, everywhere.
    """
    coarse = _octave(size, cell, seed)
    return Image.blend(coarse, _octave(size, cell * 0.47, seed + 101), 0.32) if detail else coarse


def _octave(size: tuple[int, int], cell: float, seed: int) -> Image.Image:
    columns, rows = max(int(size[0] / cell) + 2, 2), max(int(size[1] / cell) + 2, 2)
    values = hashlib.shake_256(b"%d" % seed).digest(columns * rows)
    small = Image.frombytes("L", (columns, rows), values)
    return small.resize((round(columns * cell), round(rows * cell)), Image.Resampling.BICUBIC).crop((0, 0, *size))


def over(image: Image.Image, level: float, soft: float = 5) -> Image.Image:
    """255 where a mode L picture is above ``level``, 0 where it is below, with a soft edge."""
    return image.point([min(max(round((k - level) * 255 / (2 * soft) + 127), 0), 255) for k in range(256)])


def soft_country(ground: Ground, hexes: Iterable[Hex], ragged: float, *levels: float, round_: float = 1.0) -> list[Image.Image]:
    """The union of hexes as masks with rounded, slightly ragged outlines that follow the hexsides within ``ragged`` hex radii.

    ``round_``: how much rounder than usual.

    One mask for each of ``levels``: 124 draws the outline at the hexsides, a lower level wider, a higher one closer.
    """
    lattice, size = ground.lattice, ground.size
    stencil = Stencil((0, 0, *size), 1)
    for at in hexes:
        stencil.polygon(lattice.corners(at))
    half = stencil.mask().reduce(2)
    blurred = half.filter(ImageFilter.BoxBlur(lattice.radius * 0.13 * round_)).filter(ImageFilter.BoxBlur(lattice.radius * 0.1 * round_))
    hills = ground.raggedness.point([round((k - 128) * ragged * 1.4 + 128) for k in range(256)])
    edge = ImageChops.add(blurred, hills, 2, 0).resize(size, Image.Resampling.BILINEAR)
    return [over(edge, level, 9) for level in levels]
