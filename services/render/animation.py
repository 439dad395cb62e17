"""A turn in motion: counters walk their ways, battles flash, what is lost fades; at the end stands the map of the turn. WebP or GIF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Literal

import msgspec
from PIL import Image

from scenarios.data import GameData
from scenarios.hexes import Hex
from services.render.board.art import sheet_of
from services.render.counters.pieces import draw_counters, place_counters
from services.render.draw.geometry import Lattice, Point
from services.render.draw.ink import Plate, Stencil, bounds
from services.render.happened.arrows import point_on
from services.render.happened.attacks import burst
from services.render.happened.losses import cross
from services.render.happened.steps import Step, steps
from services.render.style import Sheet
from services.render.turn_map import Base, Framing, base_of, check_scale, draw_foot, draw_position
from services.render.views import CounterView, EventView, View

MOST_BYTES = 1_500_000
"""A mail takes no larger animation, if nothing else is asked for."""
MOVING = 2000
"""The largest scale of an animation: it is as much work as dozens of maps."""
FRAMES = 60
"""How many frames an animation may have, if nothing else is asked for."""
FEWER = (30, 15, 6)
"""How many it may have if it is too large with more."""
STILL, WALK, FLASH, LAST = 700, 110, 260, 4000
"""How long a frame is seen, in milliseconds: the first, one of a walk, one of a battle or loss, the last."""
Format = Literal["webp", "gif"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture in palette indices and how long it is seen, in milliseconds."""

    indices: Image.Image
    lasts: int


def render_animation(
    data: GameData,
    before: View,
    view: View,
    *,
    form: Format = "webp",
    scale: int = 800,
    theme: str = "light",
    framing: Framing | None = None,
    limit: int = MOST_BYTES,
    most: int = FRAMES,
) -> bytes:
    """The way from ``before`` to ``view`` by the events of the second, at most ``limit`` bytes in ``most`` frames: with fewer if need be,
    and at the last the turn map alone. Equal arguments give equal bytes.  ValueError and KeyError as ``turn_map.render_map``."""
    check_scale(scale)
    sheet = sheet_of(data, theme)
    framing = replace(framing or Framing(), panel=False)
    scene = Scene(data, sheet, base_of(data, view, sheet, scale, framing), framing)
    told = steps(before, view)
    for count in (most, *(fewer for fewer in FEWER if fewer < most)):
        made = encoded(list(frames(scene, told, view, count)), sheet, form)
        if len(made) <= limit:
            return made
    return encoded([_map(scene, view, LAST)], sheet, form)


@dataclass(frozen=True, slots=True)
class Scene:
    """What all frames have in common."""

    data: GameData
    sheet: Sheet
    base: Base
    framing: Framing

    @property
    def lattice(self) -> Lattice:
        """Where the hexes lie."""
        return self.base.layout.lattice

    def plate(self, ground: Image.Image | None = None) -> Plate:
        """A picture to draw on: the empty map, or a copy of what is drawn."""
        return Plate((ground or self.base.indices).copy(), self.sheet.palette)

    def finished(self, plate: Plate, seen: View, lasts: int) -> Frame:
        """The frame of a picture, with its foot."""
        draw_foot(plate, self.data, seen, self.sheet, self.base, self.framing)
        return Frame(plate.image, lasts)


def frames(scene: Scene, told: list[Step], view: View, most: int) -> Iterator[Frame]:
    """The frames, at most ``most``: first and last, and the steps between as finely as this allows; with too many of them, the
    quietest are left out."""
    room = max(most - 2, 0)
    shown = told
    if len(shown) > room:
        loud = [step for step in shown if step.flash or step.gone][:room]
        calm = [step for step in shown if not (step.flash or step.gone)]
        keep = {id(step) for step in (*loud, *calm[:: max(-(-len(calm) // max(room - len(loud), 1)), 1)][: room - len(loud)])}
        shown = [step for step in shown if id(step) in keep]
    each = min(max(room // max(len(shown), 1), 1), 6)
    if shown:
        yield _map(scene, msgspec.structs.replace(shown[0].seen, events=[]), STILL)
    for step in shown:
        yield from _moving(scene, step, view.events[: step.told], each)
    yield _map(scene, view, LAST)


def _map(scene: Scene, seen: View, lasts: int) -> Frame:
    plate = scene.plate()
    draw_position(plate, scene.data, seen, scene.sheet, scene.base)
    return scene.finished(plate, seen, lasts)


def _moving(scene: Scene, step: Step, told: list[EventView], count: int) -> Iterator[Frame]:
    """The frames of a step: the walkers further and further on their way, or the flash of a battle, or a loss that fades."""
    walking = {id(one) for one, _ in step.walks}
    still = [one for one in step.seen.counters if id(one) not in walking]
    standing = msgspec.structs.replace(step.seen, counters=still, events=told)
    ground = scene.plate()
    draw_position(ground, scene.data, standing, scene.sheet, scene.base)
    few = count if step.walks else min(count, 2)
    r = scene.lattice.radius
    for k in range(1, few + 1):
        plate = scene.plate(ground.image)
        for counter, path in step.walks:
            _draw_at(plate, scene, counter, _on_way(path, k / few, scene.lattice))
        for at in step.flash:
            burst(plate, scene.lattice.centre(at), r * (0.65 + 0.2 * k), "halo")
            burst(plate, scene.lattice.centre(at), r * (0.55 + 0.2 * k))
        for counter in step.gone:
            if counter.hex is not None:
                _fade(plate, scene.lattice.centre(counter.hex), r, k / (few + 1))
                cross(plate, scene.lattice.centre(counter.hex), r * 0.3 * (k + 1), "halo")
        yield scene.finished(plate, step.seen, max(WALK, 2 * WALK // few) if step.walks else FLASH)


def _fade(plate: Plate, middle: Point, r: int, share: float) -> None:
    """A counter's hex paler by a share."""
    x, y = middle
    veil = Stencil(bounds([middle], r))
    veil.rounded((x - r * 0.74, y - r * 0.74, x + r * 0.74, y + r * 0.74), r * 0.1)
    veil.onto(plate, "halo", share)


def _on_way(path: tuple[Hex, ...], share: float, lattice: Lattice) -> Point:
    return point_on([lattice.centre(at) for at in path], share)


def _draw_at(plate: Plate, scene: Scene, counter: CounterView, at: Point) -> None:
    """A counter between two hexes: drawn in its own, on a lattice that lies so much further."""
    if counter.hex is None:
        return
    grid = scene.lattice
    x, y = grid.centre(counter.hex)
    there = replace(grid, left=grid.left + round(at[0] - x), top=grid.top + round(at[1] - y))
    alone = msgspec.structs.replace(_NOTHING, counters=[counter])
    draw_counters(plate, place_counters(scene.data, alone, scene.sheet, there, scene.base.layout.map_size), scene.sheet)


_NOTHING = View(game="", scenario="", side=None, counters=[], own={})


def encoded(made: list[Frame], sheet: Sheet, form: Format) -> bytes:
    """Frames as a file that plays for ever."""
    out = BytesIO()
    same = [one for k, one in enumerate(made) if k == 0 or one.indices.tobytes() != made[k - 1].indices.tobytes()]
    first, *rest = (sheet.palette.finish(one.indices) for one in same)
    lasts = [one.lasts for one in same]
    if form == "gif":
        first.save(out, "GIF", save_all=True, append_images=rest, duration=lasts, loop=0, optimize=False, disposal=1)
    else:
        first, *rest = (one.convert("RGB") for one in (first, *rest))
        how = {"lossless": True, "quality": 40, "method": 2, "minimize_size": True}
        first.save(out, "WEBP", save_all=True, append_images=rest, duration=lasts, loop=0, **how)
    return out.getvalue()
