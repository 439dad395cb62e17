"""Counters on the map: one a hex in its middle, several as a fanned stack with its number and a tray that shows each of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from scenarios.data import GameData
from scenarios.hexes import Hex
from services.render.counters.counters import shadow, sprite
from services.render.counters.look import Look, look_of
from services.render.counters.plan import letter_size
from services.render.counters.trays import Floor, draw_string, draw_tray, place_tray, shape_of
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Canvas, Plate, Sprite, Stencil
from services.render.draw.lettering import cap_height, write
from services.render.draw.room import Area, around, overlap
from services.render.style import Sheet
from services.render.views import CounterView, View, hex_or_none, hexes


def counter_size(radius: int, width: float = 1.36) -> int:
    """The width in pixels of a counter that is ``width`` hex radii wide, where hexes have this radius."""
    return max(round(radius * width), 8)


@dataclass(frozen=True, slots=True)
class Stack:
    """The counters of one hex, top first: their looks, the corner of the top one, the hex's middle and number, and the tray if there
    are several."""

    looks: tuple[Look, ...]
    corner: tuple[int, int]
    middle: tuple[int, int]
    tray: Area | None
    number: str = ""


@dataclass(frozen=True, slots=True)
class Pieces:
    """All counters on the map, each with its place; ``side`` is a counter's width."""

    stacks: tuple[Stack, ...]
    side: int
    areas: tuple[Area, ...]

    def squares(self, lattice: Lattice) -> dict[Hex, Area]:
        """What the counters of each hex hide."""
        found = {lattice.hex_at(*stack.middle): stack.corner for stack in self.stacks}
        return {at: (x, y, x + self.side, y + self.side) for at, (x, y) in found.items()}

    @property
    def crowded(self) -> bool:
        """Whether a tray found no room of its own."""
        trays = [stack.tray for stack in self.stacks if stack.tray is not None]
        return any(overlap(tray, other) > self.side for tray in trays for other in self.areas if other is not tray)


def place_counters(
    data: GameData, view: View, sheet: Sheet, lattice: Lattice, area: tuple[int, int], furniture: Iterable[Area] = ()
) -> Pieces:
    """Where the counters of a view go; those on hexes that the board does not have are left out. ``furniture``: where no tray lies while
    there is other room, as where the map tells what happened."""
    held = held_by(data, view, sheet)
    arrived = {str(event.data.get(key)) for event in view.events if event.kind in ("arrived", "rebuilt") for key in ("alias", "unit")}
    side = counter_size(lattice.radius, sheet.style.counters.width)
    looks = {
        at: tuple(look_of(one, data, sheet, ("arrived",) if one.alias in arrived or one.id in arrived else ()) for _, one in stack)
        for at, stack in held.items()
    }
    taken = [_square(lattice, at, side, len(looks[at])) for at in sorted(looks)]
    trays = _place_trays(looks, lattice, side, Floor(area, side // 4, taken, [*_told(view, lattice), *furniture]))
    stacks = []
    for at, stack in sorted(looks.items()):
        x, y = lattice.centre(at)
        corner = (x - side // 2, y - side // 2 + lattice.radius // 16)
        stacks.append(Stack(stack, corner, (x, y), trays.get(at), data.board.label(at)))
    return Pieces(tuple(stacks), side, (*taken, *trays.values()))


def held_by(data: GameData, view: View, sheet: Sheet) -> dict[Hex, list[tuple[int, CounterView]]]:
    """What stands in each hex of the board, the top one of a stack first, each with its number among the counters of the view."""
    held: dict[Hex, list[tuple[int, CounterView]]] = {}
    for number, counter in enumerate(view.counters):
        at = counter.hex
        if at is not None and counter.side in sheet.style.sides and 1 <= at.col <= data.board.columns and 1 <= at.row <= data.board.rows:
            held.setdefault(at, []).append((number, counter))
    return held


def _told(view: View, lattice: Lattice) -> list[Area]:
    """Where the map tells what happened: on the paths of movements and in the hexes of events."""
    told = {at for event in view.events for at in (*hexes(event.data.get("path")), hex_or_none(event.data.get("hex"))) if at is not None}
    return [around(lattice.centre(at), lattice.radius, lattice.radius) for at in sorted(told)]


def _place_trays(looks: dict[Hex, tuple[Look, ...]], lattice: Lattice, side: int, floor: Floor) -> dict[Hex, Area]:
    """The trays of all stacks: those on the outside of a crowd first, so that they do not bar the others' way."""
    stacks = {at: lattice.centre(at) for at in sorted(looks) if len(looks[at]) > 1}

    def crowd(at: Hex) -> int:
        x, y = stacks[at]
        return sum(math.hypot(x - u, y - v) < side * 4 for u, v in stacks.values())

    trays: dict[Hex, Area] = {}
    for at in sorted(stacks, key=crowd):
        trays[at] = place_tray(shape_of(looks[at], side), stacks[at], side, floor, [(stacks[one], tray) for one, tray in trays.items()])
    return trays


def draw_strings(plate: Plate, pieces: Pieces) -> None:
    """The lines from trays to their stacks, which lie under all else that is drawn of a turn."""
    for stack in pieces.stacks:
        if stack.tray is not None:
            draw_string(plate, stack.tray, stack.middle, pieces.side)


def draw_counters(plate: Plate, pieces: Pieces, sheet: Sheet) -> None:
    """The counters in their hexes, and beside a stack the tray that shows each of its counters."""
    side = pieces.side
    for stack in pieces.stacks:
        if stack.tray is not None:
            draw_tray(plate, stack.tray, stack.number, stack.looks, side, sheet)
    for stack in pieces.stacks:
        step = max(side // 14, 1)
        (left, top), few = stack.corner, stack.looks[:3]
        lift = (len(few) - 1) * step
        plate.ink(shadow(side), (left + lift + max(side // 20, 1), top - lift + max(side // 16, 1)), "print", 0.28)
        for k, look in enumerate(reversed(few)):
            plate.stamp(sprite(look, side, sheet), (left + lift - k * step, top - lift + k * step))
        if len(stack.looks) > 1:
            draw_count(plate, stack.corner, len(stack.looks), side, sheet)


def _square(lattice: Lattice, at: Hex, side: int, count: int) -> Area:
    """The room of a hex's counters, with the badges below, and a stack's number and the fan of its counters."""
    x, y = lattice.centre(at)
    out = side * 0.16 if count > 1 else 0.0
    return x - side / 2 - out, y - side / 2 - out, x + side / 2 + out, y + side * 0.7


def draw_count(plate: Plate, corner: tuple[int, int], count: int, side: int, sheet: Sheet) -> None:
    """How many counters a stack has, on its upper left corner."""
    disc = _count(count, side, sheet)
    middle = disc.indices.width // 2
    plate.stamp(disc, (corner[0] - middle, corner[1] - middle))


@lru_cache(maxsize=256)
def _count(count: int, side: int, sheet: Sheet) -> Sprite:
    size = letter_size("bold", max(side * 0.19, 7 if side >= 30 else 5))
    radius = cap_height("bold", size) * (0.98 if count < 10 else 1.2)
    high = 2 * round(radius + 1.5) + 1
    canvas = Canvas((high, high), sheet.palette, "paper")
    rim, disc = Stencil((0, 0, high, high)), Stencil((0, 0, high, high))
    rim.disc((high / 2, high / 2), radius + 1)
    disc.disc((high / 2, high / 2), radius)
    disc.onto(canvas, "ink")
    write(canvas, (high / 2, high / 2), str(count), "bold", size, "paper", anchor="mm")
    return Sprite(sheet.palette.flatten(canvas.image), rim.mask().point([0] * 128 + [255] * 128).convert("1"))
