"""What stands around the ground of a map sheet: title, compass rose, scale bar, frame, and the arrows where units enter."""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image

from scenarios.data import Board
from scenarios.hexes import Hex, parse_hex
from services.render.board.looks import BoardStyle, Entry
from services.render.draw.geometry import Lattice, Point
from services.render.draw.ink import Canvas, Stencil
from services.render.draw.lettering import cap_height, mask, width, write
from services.render.draw.room import Area, Crowd, best, overlap

_HEAD, _FOOT = 1.75, 0.9
"""Sizes of title and subtitle, in hex radii."""
_WIDEST = 44
"""A title is written for a sheet at least so many radii wide: on a narrow one it is smaller."""
_COVERED = 0.01
"""How much of its rectangle may lie on playable ground before paper is laid under a thing."""
_TOWARDS = {"top": (0, 1), "right": (-1, 0), "bottom": (0, -1), "left": (1, 0)}
"""Which way is into the map from each edge, on a screen."""


def draw_entries(canvas: Canvas, board: Board, lattice: Lattice, style: BoardStyle) -> list[Area]:
    """The arrows at the edges of the board, as far as these are on the picture, and the rectangles that they take."""
    return [_draw_entry(canvas, board, lattice, entry) for entry in style.entries if _shown(canvas, board, lattice, entry)]


def _shown(canvas: Canvas, board: Board, lattice: Lattice, entry: Entry) -> bool:
    """Whether the edge of an entry lies on the picture, and its hex too if it has one."""
    (left, top), (right, bottom) = lattice.centre(Hex(1, 1)), lattice.centre(Hex(board.columns, board.rows))
    wide, high = canvas.size
    if not {"left": left >= 0, "top": top >= 0, "right": right < wide, "bottom": bottom < high}[entry.edge]:
        return False
    if not entry.hex:
        return True
    x, y = lattice.centre(parse_hex(entry.hex))
    return parse_hex(entry.hex) in board.terrain and 0 <= x < wide and 0 <= y < high


def draw_furniture(canvas: Canvas, board: Board, lattice: Lattice, style: BoardStyle, taken: list[Area]) -> list[Area]:
    """Title, compass rose and scale bar, each in the open corner that costs least ground; the rectangles that they take.

    ``taken``: where nothing of them may stand.
    """
    r = lattice.radius
    half = r * 0.9
    centres = [lattice.centre(at) for at in board.terrain]
    crowd = Crowd(canvas.size, max(r // 4, 2), [(x - half, y - half, x + half, y + half) for x, y in centres])
    length = style.scale_bar / style.scale_per_hex * lattice.row
    unit = min(r, canvas.size[0] // _WIDEST)
    large, title = _fitting(canvas, crowd, unit, lambda u: (_title_width(style, u), 3.6 * u), taken)
    middling, rose = _fitting(canvas, crowd, r, lambda u: (3.8 * u, 3.8 * u), [*taken, title])
    small, bar = _fitting(canvas, crowd, r, lambda u: (length + 2.2 * u, 0.95 * u), [*taken, title, rose])
    for area in (title, rose, bar):
        if crowd.share(area) > _COVERED:
            _draw_plate(canvas, area, r)
    _draw_title(canvas, title, style, large)
    draw_rose(canvas, rose, style.bearing, middling)
    _draw_bar(canvas, bar, style, small, length)
    return [title, rose, bar]


def _fitting(canvas: Canvas, crowd: Crowd, unit: int, need: Callable[[int], tuple[float, float]], taken: list[Area]) -> tuple[int, Area]:
    """The largest unit, up to ``unit``, at which a thing covers nothing of the playable ground, and its rectangle there.

    If there is none: half the unit, where it covers least.
    """
    area, smaller = (0.0, 0.0, 1.0, 1.0), unit
    for share in (1.0, 0.85, 0.72, 0.6, 0.5):
        smaller = max(round(unit * share), 4)
        for margin in (0.7 * unit, 0.35 * unit):
            area = _free_spot(canvas, crowd, margin, need(smaller), taken)
            if crowd.share(area) <= _COVERED and not any(overlap(area, other) for other in taken):
                return smaller, area
    return smaller, area


def _free_spot(canvas: Canvas, crowd: Crowd, margin: float, need: tuple[float, float], taken: list[Area]) -> Area:
    """The rectangle of the size needed that covers the least of the board's playable ground, then lies nearest to a corner."""
    (wide, high), (across, down) = need, canvas.size
    xs = [margin + (across - wide - 2 * margin) * k / 32 for k in range(33)]
    ys = [margin + (down - high - 2 * margin) * k / 20 for k in range(21)]

    def cost(area: Area) -> float:
        inset = min(area[0], across - area[2]) / across + min(area[1], down - area[3]) / down
        return crowd.share(area) * 20 + (50 if any(overlap(area, other) for other in taken) else 0) + inset

    return best(((x, y, x + wide, y + high) for x in xs for y in ys), cost)


def _draw_plate(canvas: Canvas, area: Area, r: int) -> None:
    """Paper under what must stand on land."""
    box = (round(area[0]) - 1, round(area[1]) - 1, round(area[2]) + 2, round(area[3]) + 2)
    for inset, colour in ((0.0, "rule"), (max(r * 0.05, 1), "paper"), (r * 0.14, "rule"), (r * 0.14 + 1, "paper")):
        stencil = Stencil(box, 2)
        stencil.rounded((area[0] + inset, area[1] + inset, area[2] - inset, area[3] - inset), max(r * 0.12 - inset / 2, 1))
        stencil.onto(canvas, colour)


def _title_width(style: BoardStyle, r: int) -> float:
    head = width(style.title.upper(), "title", round(_HEAD * r), round(0.22 * r))
    return max(head, width(style.subtitle, "title", round(_FOOT * r), round(0.08 * r))) + r


def _draw_title(canvas: Canvas, area: Area, style: BoardStyle, r: int) -> None:
    x, y = (area[0] + area[2]) / 2, area[1]
    head, foot, thin = round(_HEAD * r), round(_FOOT * r), max(r // 16, 1)
    write(
        canvas, (x, y + 0.3 * r), style.title.upper(), "title", head, "ink", anchor="mt", halo="halo", spacing=round(0.22 * r), stroke=thin
    )
    rule = y + 2.0 * r
    stencil = Stencil((round(area[0]), round(rule - r), round(area[2]), round(rule + r)))
    reach = (area[2] - area[0]) * 0.4
    stencil.line([(x - reach, rule), (x - 0.26 * r, rule)], max(r * 0.045, 1), caps=False)
    stencil.line([(x + 0.26 * r, rule), (x + reach, rule)], max(r * 0.045, 1), caps=False)
    stencil.polygon([(x - 0.17 * r, rule), (x, rule - 0.17 * r), (x + 0.17 * r, rule), (x, rule + 0.17 * r)])
    stencil.onto(canvas, "town")
    write(canvas, (x, y + 2.4 * r), style.subtitle, "title", foot, "ink", anchor="mt", halo="halo", spacing=round(0.08 * r), stroke=thin)


def draw_rose(canvas: Canvas, area: Area, bearing: float, r: int) -> None:
    """A compass rose of eight points; north is where it lies on this sheet."""
    north = -math.radians(bearing)
    x, y = (area[0] + area[2]) / 2 - math.sin(north) * 0.2 * r, (area[1] + area[3]) / 2 + math.cos(north) * 0.2 * r
    box = (round(area[0]), round(area[1]), round(area[2]), round(area[3]))
    dark, light = Stencil(box), Stencil(box)
    dark.oval((x - 0.8 * r, y - 0.8 * r, x + 0.8 * r, y + 0.8 * r), max(r * 0.04, 1))
    dark.oval((x - 0.7 * r, y - 0.7 * r, x + 0.7 * r, y + 0.7 * r), max(r * 0.02, 0.7))
    for k in (1, 3, 5, 7, 0, 2, 4, 6):
        long = 1.18 * r if k % 2 == 0 else 0.72 * r
        angle = north + math.pi / 4 * k
        tip = (x + math.sin(angle) * long, y - math.cos(angle) * long)
        for way, stencil in ((1, dark), (-1, light)):
            flank = angle + way * math.pi / 8
            side = (x + math.sin(flank) * 0.28 * r, y - math.cos(flank) * 0.28 * r)
            stencil.polygon([(x, y), tip, side])
            dark.line([tip, side, (x, y), tip], max(r * 0.02, 0.8))
    light.onto(canvas, "halo")
    dark.onto(canvas, "sea_ink")
    at = (x + math.sin(north) * 1.45 * r, y - math.cos(north) * 1.45 * r)
    write(canvas, at, "N", "title", round(0.72 * r), "ink", anchor="mm", halo="halo", stroke=max(r // 20, 1))


def _draw_bar(canvas: Canvas, area: Area, style: BoardStyle, r: int, length: float) -> None:
    x0, y = area[0] + (area[2] - area[0] - length) / 2 - 0.4 * r, area[3] - 0.18 * r
    box = (round(area[0]), round(area[1]), round(area[2]), round(area[3]))
    dark, light = Stencil(box), Stencil(box)
    high = 0.16 * r
    hexes = max(round(style.scale_bar / style.scale_per_hex), 1)
    dark.polygon([(x0 - 1, y - high - 1), (x0 + length + 1, y - high - 1), (x0 + length + 1, y + 1), (x0 - 1, y + 1)])
    for k in range(0, hexes, 2):
        a, b = x0 + length * (k + 1) / hexes, x0 + length * min(k + 2, hexes) / hexes
        light.polygon([(a, y - high), (b, y - high), (b, y), (a, y)])
    dark.onto(canvas, "ink")
    light.onto(canvas, "halo")
    size = max(round(0.36 * r), 7)
    for share in (0.0, 0.5, 1.0):
        text = f"{style.scale_bar * share:g}" + (f" {style.scale_unit}" if share == 1.0 else "")
        write(canvas, (x0 + length * share, y - high - 0.14 * r), text, "plain", size, "ink", anchor="ms", halo="halo", stroke=1)


def _draw_entry(canvas: Canvas, board: Board, lattice: Lattice, entry: Entry) -> Area:
    """An arrow in the margin, into the map or out of it, and its text; the rectangle that both take."""
    r = lattice.radius
    dx, dy = _TOWARDS[entry.edge]
    x, y = _at_edge(canvas, lattice, entry, r)
    inward = -1 if entry.out else 1
    stencil = Stencil((round(x - r), round(y - r), round(x + r), round(y + r)))
    outline = ((-0.3, -0.11), (0.05, -0.11), (0.05, -0.26), (0.4, 0.0), (0.05, 0.26), (0.05, 0.11), (-0.3, 0.11))
    points = [(x + (u * dx * inward - v * dy) * r, y + (u * dy * inward + v * dx) * r) for u, v in outline]
    stencil.ring(points, max(r * 0.1, 2))
    stencil.onto(canvas, "halo")
    stencil = Stencil((round(x - r), round(y - r), round(x + r), round(y + r)))
    stencil.polygon(points)
    stencil.onto(canvas, entry.colour)
    size = max(round(0.4 * r), 8)
    wide = width(entry.text, "bold", size)
    thin = max(r // 16, 1)
    if dx == 0 and x + 0.5 * r + wide > canvas.size[0] - r:  # it would run off the sheet
        write(canvas, (x - 0.42 * r, y), entry.text, "bold", size, entry.colour, anchor="rm", halo="halo", stroke=thin)
        return (x - 0.5 * r - wide, y - 0.4 * r, x + 0.4 * r, y + 0.4 * r)
    if dx == 0:
        write(canvas, (x + 0.42 * r, y), entry.text, "bold", size, entry.colour, anchor="lm", halo="halo", stroke=thin)
        return (x - 0.4 * r, y - 0.4 * r, x + 0.5 * r + wide, y + 0.4 * r)
    _write_upright(canvas, (x, y + 0.5 * r), entry.text, size, entry.colour, thin, left=dx > 0)
    return (x - 0.4 * r, y - 0.4 * r, x + 0.4 * r, y + 0.6 * r + wide)


def _write_upright(canvas: Canvas, at: Point, text: str, size: int, colour: str, stroke: int, *, left: bool) -> None:
    """A line written downwards from a point (``left``: upwards, ending there), as along the side of a sheet."""
    for ink, thick in (("halo", stroke), (colour, 0)):
        letters, base = mask(text, "bold", size, thick)
        turned = letters.transpose(Image.Transpose.ROTATE_90 if left else Image.Transpose.ROTATE_270)
        middle = base - cap_height("bold", size) / 2
        x = at[0] - middle if left else at[0] - (letters.height - middle)
        canvas.ink(turned, (round(x), round(at[1] - thick)), ink)


def _at_edge(canvas: Canvas, lattice: Lattice, entry: Entry, r: int) -> Point:
    """The middle of an arrow: between its hex and the frame, or in the middle of its edge."""
    across, down = canvas.size
    margin = 0.5 * r
    if entry.hex:
        x, y = map(float, lattice.centre(parse_hex(entry.hex)))
        x, y = (x - 0.6 * r, y) if entry.edge in ("top", "bottom") else (x, y - 0.6 * r)  # beside the road that comes in there
        spots: dict[str, Point] = {
            "top": (x, y - lattice.row / 2 - 0.34 * r),
            "bottom": (x, y + lattice.row / 2 + 0.34 * r),
            "left": (x - 1.3 * r, y),
            "right": (x + 1.3 * r, y),
        }
        x, y = spots[entry.edge]
        return min(max(x, margin), across - margin), min(max(y, margin), down - margin)
    middles: dict[str, Point] = {
        "top": (across / 2, margin),
        "bottom": (across / 2, down - margin),
        "left": (margin, down / 2),
        "right": (across - margin, down / 2),
    }
    return middles[entry.edge]


def draw_frame(canvas: Canvas, lattice: Lattice) -> None:
    """A neat line around the sheet."""
    w, h = canvas.size
    stencil = Stencil((0, 0, w, h), 1)
    out, gap = max(lattice.radius // 9, 2), max(lattice.radius // 14, 2)
    for inset, thick in ((0, out), (out + gap, max(out // 3, 1))):
        for k in range(inset, inset + thick):
            stencil.ring([(k, k), (w - 1 - k, k), (w - 1 - k, h - 1 - k), (k, h - 1 - k)], 1)
    stencil.onto(canvas, "ink")
