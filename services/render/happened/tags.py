"""Tags: a slip beside each hex where there was a battle, with its outcome and with what was lost there."""

from __future__ import annotations

import math
from collections.abc import Iterable

from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice, Point
from services.render.draw.ink import Plate, Stencil, bounds
from services.render.draw.lettering import cap_height, width, write
from services.render.draw.room import Area, around, best, gap, overlap
from services.render.happened.attacks import burst
from services.render.happened.fights import Battle
from services.render.happened.losses import cross

Line = tuple[str, str]
"""A line of a tag: its sign (``battle``, ``shot``, ``lost`` or ``note``), and what is written behind it."""
MOST_LINES = 5
_NEAR = 1.05
"""A tag so many hex radii from the middle of its hex, or less, needs no line to it."""


def tag_lines(
    fights: Iterable[Battle],
    lost: Iterable[tuple[Hex, str]],
    noted: Iterable[tuple[Hex, str]] = (),
    shots: Iterable[tuple[Hex, str]] = (),
) -> dict[Hex, list[Line]]:
    """What the tag of each hex says: what is noted of it, the shots that hit, its battles (label, odds or hits, result), then the counters
    lost in it."""
    out: dict[Hex, list[Line]] = {}
    for at, said in noted:
        out.setdefault(at, []).append(("note", said))
    for at, said in shots:
        out.setdefault(at, []).append(("shot", said))
    for battle in fights:
        out.setdefault(battle.hex, []).append(("battle", " ".join(said for said in (battle.label, battle.score) if said)))
    for at, name in lost:
        out.setdefault(at, []).append(("lost", name))
    for at, lines in out.items():
        if len(lines) > MOST_LINES:
            out[at] = [*lines[: MOST_LINES - 1], ("lost", f"and {len(lines) - MOST_LINES + 1} more")]
    return out


def draw_tags(plate: Plate, tags: dict[Hex, list[Line]], lattice: Lattice, taken: Iterable[Area], area: tuple[int, int]) -> None:
    """The tags, inside the map's ``area``, clear of what is ``taken``, of one another and of their hexes. Where one finds no room nearby, a
    line leads to its hex. A hex whose middle is not in the area has none."""
    r = lattice.radius
    size = max(round(r * 0.36), 8)
    step = cap_height("bold", size) + r * 0.2
    blocks = [*taken, *(around(lattice.centre(at), r * 1.5, r * 1.5) for at in tags)]
    for at, lines in tags.items():
        x, y = lattice.centre(at)
        if not (0 <= x < area[0] and 0 <= y < area[1]):
            continue
        wide = max(width(text, "bold", size) + (r * 0.75 if text else r * 0.6) for _, text in lines)
        slip = _place((x, y), (wide, step * len(lines) + r * 0.1), r, blocks, area)
        blocks.append(slip)
        _lead(plate, (x, y), slip, r)
        _draw_tag(plate, slip, lines, size, step, r)


_STEPS = sorted(((dx, dy) for dx in range(-8, 9) for dy in range(-7, 8)), key=lambda step: (2 * abs(step[0]) + 3 * abs(step[1]), step))
"""Where a tag is tried, in steps from its hex: the nearest first."""


def _place(middle: tuple[int, int], need: tuple[float, float], r: int, blocks: list[Area], size: tuple[int, int]) -> Area:
    """The nearest place for a tag that covers nothing."""
    x, y = middle
    near = [area for area in blocks if overlap(area, around(middle, need[0] + r * 6, need[1] + r * 5))]
    spots = [around((x + dx * r * 0.36, y + dy * r * 0.36), *need) for dx, dy in _STEPS]
    inside = [here for here in spots if here[0] >= 4 and here[1] >= 4 and here[2] <= size[0] - 4 and here[3] <= size[1] - 4] or spots
    first: Area | None = None
    for here in inside:
        x0, y0, x1, y1 = here
        if any(a[0] < x1 and x0 < a[2] and a[1] < y1 and y0 < a[3] for a in near):
            continue
        if _clear(middle, here, r, near):
            return here
        first = first or here
    return first or best(inside, lambda here: sum(overlap(here, other) for other in near))


def _clear(middle: tuple[int, int], area: Area, r: int, near: list[Area]) -> bool:
    """Whether the line that leads from a tag to its hex, if it needs one, crosses nothing outside the hex."""
    (x, y), reach = middle, gap(area, *middle)
    if reach < r * _NEAR:
        return True
    px, py = min(max(x, area[0]), area[2]), min(max(y, area[1]), area[3])
    points = [(x + (px - x) * share, y + (py - y) * share) for share in (k / 8 for k in range(8)) if reach * share > r]
    return not any(a[0] <= u <= a[2] and a[1] <= v <= a[3] for u, v in points for a in near)


def _lead(plate: Plate, middle: Point, area: Area, r: int) -> None:
    """A line from a tag to the edge of its hex's counter, if they are more than a little apart."""
    x, y = middle
    if gap(area, x, y) < r * _NEAR:
        return
    near = (min(max(x, area[0]), area[2]), min(max(y, area[1]), area[3]))
    length = math.hypot(near[0] - x, near[1] - y)
    end = (x + (near[0] - x) / length * r * 0.72, y + (near[1] - y) / length * r * 0.72)
    for wide, colour in ((max(r * 0.12, 3.0), "halo"), (max(r * 0.05, 1.2), "red")):
        line = Stencil(bounds([near, end], r * 0.2), 3)
        line.line([near, end], wide)
        line.onto(plate, colour)


def _draw_tag(plate: Plate, area: Area, lines: list[Line], size: int, step: float, r: int) -> None:
    x0, y0, x1, y1 = area
    box = bounds([(x0, y0), (x1, y1)], 4)
    for grow, colour in ((1.6, "red"), (0.0, "paper")):
        slip = Stencil(box)
        slip.rounded((x0 - grow, y0 - grow, x1 + grow, y1 + grow), r * 0.12)
        slip.onto(plate, colour)
    for k, (sign, text) in enumerate(lines):
        y = y0 + r * 0.05 + step * (k + 0.5)
        if sign == "battle":
            burst(plate, (x0 + r * 0.32, y), r * 0.22)
        elif sign == "shot":
            _shot(plate, (x0 + r * 0.32, y), r)
        elif sign == "note":
            burst(plate, (x0 + r * 0.32, y), r * 0.24, "ink")
            burst(plate, (x0 + r * 0.32, y), r * 0.17, "gold")
        else:
            cross(plate, (x0 + r * 0.32, y), r * 0.12)
        write(plate, (x0 + r * 0.6, y), text, "bold", size, "red" if sign == "lost" else "ink", anchor="lm")


def _shot(plate: Plate, middle: Point, r: int) -> None:
    """The sign of a shot: an arrow towards what came of it."""
    x, y = middle
    head = Stencil(bounds([middle], r * 0.3))
    head.line([(x - r * 0.2, y), (x, y)], r * 0.09)
    head.polygon([(x - r * 0.02, y - r * 0.14), (x + r * 0.2, y), (x - r * 0.02, y + r * 0.14)])
    head.onto(plate, "red")


def _furniture(plate: Plate, area: Area) -> int:
    """How many pixels of a rectangle are ink or halo, as of a title, a compass rose or a scale bar."""
    seen = plate.image.crop(bounds([area[:2], area[2:]], 0)).histogram()
    return sum(seen[plate.palette.index(name)] for name in ("ink", "sea_ink", "halo"))


def draw_notice(plate: Plate, text: str, taken: Iterable[Area], area: tuple[int, int], r: int) -> None:
    """A slip in that corner of the map's ``area`` where it covers the least of what is ``taken`` and of what is printed there."""
    size, blocks, edge = max(round(r * 0.42), 10), list(taken), r * 0.4
    wide, high = width(text, "bold", size) + r * 0.6, cap_height("bold", size) + r * 0.4
    corners = [(x, y, x + wide, y + high) for y in (edge, area[1] - edge - high) for x in (edge, area[0] - edge - wide)]
    x0, y0, x1, y1 = best(corners, lambda here: sum(overlap(here, other) for other in blocks) + 4 * _furniture(plate, here))
    box = bounds([(x0, y0), (x1, y1)], 4)
    for grow, colour in ((max(r * 0.04, 1.6), "ink"), (0.0, "paper")):
        slip = Stencil(box)
        slip.rounded((x0 - grow, y0 - grow, x1 + grow, y1 + grow), r * 0.12)
        slip.onto(plate, colour)
    write(plate, ((x0 + x1) / 2, (y0 + y1) / 2), text, "bold", size, "ink", anchor="mm")
