"""Places on the map: their symbols, and their names put where they collide with nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scenarios.data import Board, HexFeature
from scenarios.hexes import Hex, Hexside, distance
from services.render.board.ground import Ground
from services.render.board.looks import FeatureLook
from services.render.board.symbols import place_symbol as place_symbol
from services.render.draw.geometry import Point
from services.render.draw.ink import Surface
from services.render.draw.lettering import cap_height, width, write
from services.render.draw.room import Area, Crowd, around, gap, overlap
from services.render.style import Style


@dataclass(frozen=True, slots=True)
class Placed:
    """A name with the place found for it: the middle of its line, its size, the rectangle that it takes, and, for a place whose control
    counts, the foot of the flag beside it. ``fault``: how bad the place is, 0 for open ground."""

    hex: Hex
    text: str
    face: str
    size: int
    middle: Point
    area: Area
    flag: Point | None = None
    fault: float = 0.0
    colour: str = "ink"


def draw_places(surface: Surface, board: Board, ground: Ground, style: Style) -> None:
    """The symbols of all places that the style knows; the second and third of a hex stand beside the first."""
    radius = ground.lattice.radius
    for at, features in sorted(board.features.items()):
        looks = [style.board.features[one.kind] for one in features if one.kind in style.board.features]
        for look, spot in zip(looks, spots(ground, at), strict=False):
            place_symbol(surface, spot, look.symbol, radius)


def spots(ground: Ground, at: Hex) -> list[Point]:
    """Where the symbols of a hex stand: the first at its middle, the others around that, on dry ground before wet."""
    x, y = ground.anchor(at)
    r = ground.lattice.radius
    around = [(x + u * r, y + v * r) for u, v in ((0.52, 0.4), (-0.52, 0.4), (0.5, -0.3), (-0.5, -0.3))]
    return [(x, y), *sorted(around, key=lambda spot: not ground.dry(spot[0], spot[1], r * 0.2))]


def name_places(
    board: Board, ground: Ground, style: Style, taken: Iterable[Area], numbers: Iterable[Area], frame: Area
) -> list[list[Placed]]:
    """For the name of every feature the places where it may stand, best first: near it, inside ``frame``, clear of ``taken``, and as
    far as possible of hex centres, hex numbers and the shore line. The most important names come first."""
    half = ground.lattice.radius * 0.68
    squares = [around(ground.lattice.centre(at), 2 * half, 2 * half) for at in board.terrain]
    step = max(ground.lattice.radius // 6, 2)
    looks = style.board.features
    wanted = [(one, looks[one.kind]) for found in board.features.values() for one in found if one.kind in looks]
    town = {one.hex: ground.anchor(one.hex) for one, _ in wanted}
    near = {at: [other for other in town if other != at and distance(at, other) <= 4] for at in town}
    walls = [area for kind in style.board.hexsides for side in board.hexsides.get(kind, ()) for area in along_side(ground, side)]
    crowded, numbered, walled = (Crowd(ground.size, step, areas) for areas in (squares, numbers, walls))
    rooms = Rooms(ground, frame, list(taken), crowded, numbered, walled, town, near)
    out: list[list[Placed]] = []
    for feature, look in sorted(wanted, key=lambda pair: (-pair[1].size, pair[0].hex, pair[0].name)):
        if feature.name:
            spot = _own_spot(ground, feature, board.features[feature.hex], looks)
            rated = [replace(one, fault=rooms.fault(one)) for one in _candidates(feature, look, ground, spot)]
            out.append(sorted(rated, key=lambda one: one.fault)[:16])
    return out


def along_side(ground: Ground, side: Hexside) -> list[Area]:
    """What a hexside's drawing takes, as small squares."""
    (ax, ay), (bx, by) = ground.lattice.side(side.a, side.b)
    high = ground.lattice.radius * 0.34
    return [around((ax + (bx - ax) * t, ay + (by - ay) * t), high, high) for t in (0.17, 0.5, 0.83)]


@dataclass(frozen=True, slots=True)
class Rooms:
    """What a name on a board should keep clear of. ``near``: of each place those around it, for which its name must not be taken."""

    ground: Ground
    frame: Area
    taken: list[Area]
    centres: Crowd
    numbers: Crowd
    walls: Crowd
    towns: dict[Hex, Point]
    near: dict[Hex, list[Hex]]

    def fault(self, placed: Placed) -> float:
        """How bad a place is: 0 for open ground or open water close to the place that it names."""
        x0, y0, x1, y1 = placed.area
        area = (x1 - x0) * (y1 - y0)
        hard = sum(overlap(placed.area, other) for other in self.taken) / area
        outside = 1 - overlap(placed.area, self.frame) / area
        wet = sum(not self.ground.dry(x0 + (x1 - x0) * k / 4, (y0 + y1) / 2, 0) for k in range(5))
        mixed = min(wet, 5 - wet) / 5
        r = self.ground.lattice.radius
        own = gap(placed.area, *self.towns[placed.hex])
        others = min((gap(placed.area, *self.towns[one]) for one in self.near[placed.hex]), default=9.0 * r)
        mistaken = 3.0 if others < own else 0.0
        hidden = 2.0 if own < r * 0.2 else 0.0
        # Letters end short of their rectangle, which has room for the halo.
        letters = (x0 + 2, y0 + 3, x1 - 2, y1 - 3)
        covered = self.centres.share(placed.area) * 2 + self.numbers.share(placed.area) * 20 + self.walls.share(letters) * 5
        return hard * 40 + outside * 60 + covered + mixed + own / r + mistaken + hidden + (3.0 if others < r * 0.2 else 0.0)


def choose_names(places: Iterable[Iterable[Placed]], taken: Iterable[Area]) -> list[Placed]:
    """One place for each name, over nothing in ``taken`` and over no other name; a name without room is left out."""
    blocks = list(taken)
    out: list[Placed] = []
    for candidates in places:
        best_cost, chosen, share = 1e9, None, 0.0
        for one in candidates:
            if one.fault >= best_cost:
                break
            x0, y0, x1, y1 = one.area
            covered = sum(overlap(one.area, other) for other in blocks) / ((x1 - x0) * (y1 - y0))
            if one.fault + covered * 40 < best_cost:
                best_cost, chosen, share = one.fault + covered * 40, one, covered
        if chosen is not None and share < 0.12:
            out.append(chosen)
            blocks.append(chosen.area)
    return out


def _own_spot(ground: Ground, feature: HexFeature, shared: tuple[HexFeature, ...], looks: Mapping[str, FeatureLook]) -> Point:
    """Where the symbol of one of a hex's places stands."""
    drawn = [one for one in shared if one.kind in looks]
    return (spots(ground, feature.hex) + [ground.anchor(feature.hex)] * len(drawn))[drawn.index(feature)]


def _candidates(feature: HexFeature, look: FeatureLook, ground: Ground, own: Point) -> list[Placed]:
    """Places around a feature, the better ones first."""
    r = ground.lattice.radius
    size = max(round(look.size * r), 8)
    cx, cy = ground.lattice.centre(feature.hex)
    ax, ay = own
    high = cap_height(look.face, size)
    banner = round(high * 1.5) if look.control else 0
    wide = width(feature.name, look.face, size) + banner
    spots = [(cx + dx * r, cy + dy * r) for dy in _LEVELS for dx in _ACROSS]
    for side in (1, -1):
        for dy in (-0.12, -0.25, 0.3, -0.5, 0.5, -0.92, 0.8):
            spots.append((cx + side * (r * 0.8 + wide / 2), cy + dy * r))
            spots.append((ax + side * (r * 0.5 + wide / 2), ay + dy * r))
    out = []
    for x, y in spots:
        area = around((x, y), wide + 4, high + 6)
        foot = (x - wide / 2, y + high * 0.62) if banner else None
        out.append(Placed(feature.hex, feature.name, look.face, size, (x + banner / 2, y), area, foot, 0.0, look.colour))
    return out


_LEVELS = (-0.95, 0.76, -1.1, 1.4)
"""How high above and below a hex's centre names stand, in radii: first where neither counters nor hex numbers are."""
_ACROSS = (0, 0.25, -0.25, 0.5, -0.5, 0.8, -0.8, 1.1, -1.1)


def draw_names(surface: Surface, placed: Iterable[Placed]) -> None:
    """The names with their haloes."""
    for name in placed:
        stroke = max(round(name.size * 0.14), 1)
        write(surface, name.middle, name.text, name.face, name.size, name.colour, anchor="mm", halo="halo", stroke=stroke)
