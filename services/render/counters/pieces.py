"""Counters on the map: one a hex in its middle, several as a fanned stack with its number and a tray that shows each of them."""

from __future__ import annotations

from dataclasses import dataclass

from scenarios.data import GameData
from scenarios.hexes import Hex
from services.render.counters.counters import Look, look_of, shadow, sprite
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Plate, Stencil, bounds
from services.render.draw.lettering import write
from services.render.draw.room import Area, overlap
from services.render.style import Sheet
from services.render.views import CounterView, View


def counter_size(radius: int, width: float = 1.36) -> int:
    """The width in pixels of a counter that is ``width`` hex radii wide, where hexes have this radius."""
    return max(round(radius * width), 8)


@dataclass(frozen=True, slots=True)
class Stack:
    """The counters of one hex, top first: their looks, the corner of the top one, the hex's middle, and the tray if there are several."""

    looks: tuple[Look, ...]
    corner: tuple[int, int]
    middle: tuple[int, int]
    tray: Area | None


@dataclass(frozen=True, slots=True)
class Pieces:
    """All counters on the map, each with its place; ``side`` is a counter's width."""

    stacks: tuple[Stack, ...]
    side: int
    areas: tuple[Area, ...]


def place_counters(data: GameData, view: View, sheet: Sheet, lattice: Lattice, area: tuple[int, int]) -> Pieces:
    """Where the counters of a view go; those on hexes that the board does not have are left out."""
    hexes: dict[Hex, list[CounterView]] = {}
    for counter in view.counters:
        at = counter.hex
        if at is not None and counter.side in sheet.style.sides and 1 <= at.col <= data.board.columns and 1 <= at.row <= data.board.rows:
            hexes.setdefault(at, []).append(counter)
    arrived = {str(event.data["alias"]) for event in view.events if event.kind in ("arrived", "rebuilt") and event.data.get("alias")}
    side = counter_size(lattice.radius, sheet.style.counters.width)
    taken = [_square(lattice, at, side, len(hexes[at])) for at in sorted(hexes)]
    stacks = []
    for at, stack in sorted(hexes.items()):
        looks = tuple(look_of(one, data, sheet, ("arrived",) if one.alias in arrived else ()) for one in stack)
        x, y = lattice.centre(at)
        tray = None
        if len(stack) > 1:
            tray = _tray_place(len(stack), (x, y), side, taken, area)
            taken.append(tray)
        stacks.append(Stack(looks, (x - side // 2, y - side // 2 + lattice.radius // 16), (x, y), tray))
    return Pieces(tuple(stacks), side, tuple(taken))


def draw_counters(plate: Plate, pieces: Pieces, sheet: Sheet) -> None:
    """The counters in their hexes, and beside a stack the tray that shows each of its counters."""
    side = pieces.side
    gap = max(side // 10, 2)
    for stack in pieces.stacks:
        if stack.tray is not None:
            _draw_tray(plate, stack.tray, stack.middle, side)
            columns = _columns(len(stack.looks))
            for k, look in enumerate(stack.looks):
                spot = (round(stack.tray[0]) + gap + k % columns * (side + gap), round(stack.tray[1]) + gap + k // columns * (side + gap))
                plate.stamp(sprite(look, side, sheet), spot)
    for stack in pieces.stacks:
        step = max(side // 14, 1)
        (left, top), few = stack.corner, stack.looks[:3]
        for k, look in enumerate(reversed(few)):
            lift = (len(few) - 1 - k) * step
            plate.ink(shadow(side), (left + lift + max(side // 20, 1), top - lift + max(side // 16, 1)), "ink", 0.28)
            plate.stamp(sprite(look, side, sheet), (left + lift, top - lift))
        if len(stack.looks) > 1:
            _draw_count(plate, stack.corner, len(stack.looks), side)


def _square(lattice: Lattice, at: Hex, side: int, count: int) -> Area:
    """The room of a hex's counters, with the badges below, and a stack's number and the fan of its counters."""
    x, y = lattice.centre(at)
    out = side * 0.16 if count > 1 else 0.0
    return x - side / 2 - out, y - side / 2 - out, x + side / 2 + out, y + side * 0.66


def _columns(count: int) -> int:
    return count if count <= 4 else (count + 1) // 2 if count <= 10 else 6


def _tray_place(count: int, middle: tuple[int, int], side: int, taken: list[Area], area: tuple[int, int]) -> Area:
    """Where the tray of a stack goes: near it, over no counter and no other tray, inside the map."""
    gap, edge = max(side // 10, 2), side * 0.3
    columns = _columns(count)
    rows = -(-count // columns)
    wide, high = columns * (side + gap) + gap, rows * (side + gap) + gap
    x, y = middle
    best: tuple[float, Area] | None = None
    for dx in range(-6, 7):
        for dy in range(-6, 7):
            left, top = x - wide / 2 + dx * side * 0.7, y - high / 2 + dy * side * 0.7
            left, top = min(max(left, edge), area[0] - wide - edge), min(max(top, edge), area[1] - high - edge)
            here = (left, top, left + wide, top + high)
            cost = sum(overlap(here, other) for other in taken) * 10 + abs(left + wide / 2 - x) + abs(top + high / 2 - y) * 1.1
            if best is None or cost < best[0]:
                best = cost, here
    assert best is not None
    return best[1]


def _draw_tray(plate: Plate, tray: Area, middle: tuple[int, int], side: int) -> None:
    """The tray, and a line from it to its hex."""
    x, y = middle
    cx, cy = min(max(x, tray[0]), tray[2]), min(max(y, tray[1]), tray[3])
    line = Stencil(bounds([(x, y), (cx, cy)], 4))
    line.line([(x, y), (cx, cy)], max(side * 0.05, 1.5))
    line.onto(plate, "ink")
    for grow, colour in ((max(side * 0.03, 1), "ink"), (0, "paper_lo")):
        box = Stencil(bounds([(tray[0], tray[1]), (tray[2], tray[3])], 4))
        box.rounded((tray[0] - grow, tray[1] - grow, tray[2] + grow, tray[3] + grow), side * 0.08)
        box.onto(plate, colour)


def _draw_count(plate: Plate, corner: tuple[int, int], count: int, side: int) -> None:
    """How many counters a stack has, on its upper left corner."""
    radius = side * 0.17
    x, y = corner[0] + radius * 0.4, corner[1] + radius * 0.4
    for grow, colour in ((1.0, "paper"), (0.0, "ink")):
        disc = Stencil(bounds([(x, y)], radius + 3))
        disc.disc((x, y), radius + grow)
        disc.onto(plate, colour)
    write(plate, (x, y), str(count), "bold", round(radius * 1.55), "paper", anchor="mm")
