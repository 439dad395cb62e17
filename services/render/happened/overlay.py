"""What happened: movement arrows along their paths, battles with hits, losses, who holds what. Drawn from a view's events only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from scenarios.hexes import Hex
from services.render.board.names import Placed
from services.render.draw.geometry import Lattice, Point, curve
from services.render.draw.ink import Plate, Stencil, Surface, bounds
from services.render.draw.lettering import Anchor, cap_height, width, write
from services.render.draw.room import Area, around, best, overlap
from services.render.style import Style
from services.render.views import EventView, hex_or_none, hexes


@dataclass(frozen=True, slots=True)
class Move:
    """A counter's way over the map: its side and its hexes, the start first."""

    side: str
    path: tuple[Hex, ...]


def moves(events: Iterable[EventView], sides: Mapping[str, Any]) -> list[Move]:
    """The movements among the events of a view."""
    out = []
    for event in events:
        path = hexes(event.data.get("path"))
        side = event.data.get("side")
        if event.kind == "moved" and len(path) > 1 and isinstance(side, str) and side in sides:
            out.append(Move(side, tuple(path)))
    return out


def draw_moves(plate: Plate, found: list[Move], lattice: Lattice, style: Style) -> None:
    """An arrow for each movement, side by side where several take the same road."""
    for move, lane in zip(found, _lanes(found), strict=True):
        _arrow(plate, move, lane, lattice, style)


def _lanes(found: list[Move]) -> list[int]:
    """For each movement the lane (0, 1, -1, 2, ...) that no earlier one uses between any two hexes of its path."""
    used: dict[frozenset[Hex], set[int]] = {}
    out = []
    for move in found:
        steps = [frozenset(pair) for pair in zip(move.path, move.path[1:], strict=False)]
        busy = set().union(*(used.get(step, set()) for step in steps)) if steps else set()
        lane = next((k for k in (0, 1, -1, 2, -2, 3, -3) if k not in busy), 0)
        for step in steps:
            used.setdefault(step, set()).add(lane)
        out.append(lane)
    return out


def _arrow(plate: Plate, move: Move, lane: int, lattice: Lattice, style: Style) -> None:
    r = lattice.radius
    centres = [lattice.centre(at) for at in move.path]
    halfway = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(centres)]
    line = curve(_shifted([centres[0], *halfway, centres[-1]], lane * r * 0.2), 6)
    line = _cut(line, r * (0.72 if len(move.path) > 2 else 0.55))
    head = _cut(line, r * 0.34)
    (tx, ty), (bx, by) = line[-1], head[-1]
    length = math.hypot(tx - bx, ty - by) or 1.0
    ux, uy = (tx - bx) / length, (ty - by) / length
    box = bounds(line, r * 0.6)
    for grow, colour, opacity in ((r * 0.05, "halo", 0.85), (0.0, style.sides[move.side].ink, 1.0)):
        stencil = Stencil(box, 3)
        stencil.line(head, r * 0.13 + 2 * grow)
        stencil.disc(line[0], r * 0.14 + grow)
        wide, long = r * 0.27 + grow * 1.6, r * 0.46 + grow
        tip = (bx + ux * (long + grow), by + uy * (long + grow))
        foot = (bx - ux * (r * 0.06 + grow), by - uy * (r * 0.06 + grow))
        stencil.polygon(
            [
                tip,
                (foot[0] - uy * wide, foot[1] + ux * wide),
                (bx + ux * r * 0.04, by + uy * r * 0.04),
                (foot[0] + uy * wide, foot[1] - ux * wide),
            ]
        )
        stencil.onto(plate, colour, opacity)


def _shifted(points: list[Point], by: float) -> list[Point]:
    """A line moved sideways."""
    if not by:
        return points
    out = []
    for k, (x, y) in enumerate(points):
        ax, ay = points[max(k - 1, 0)]
        bx, by_ = points[min(k + 1, len(points) - 1)]
        length = math.hypot(bx - ax, by_ - ay) or 1.0
        out.append((x - (by_ - ay) / length * by, y + (bx - ax) / length * by))
    return out


def _cut(line: list[Point], short: float) -> list[Point]:
    """A line shortened at its end."""
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


def draw_ezoc(plate: Plate, at: Iterable[Hex], lattice: Lattice) -> None:
    """The hexes that the viewer knows to lie in enemy ZOC: a red dotted line just inside each."""
    inset = 0.86
    for one in at:
        x, y = lattice.centre(one)
        corners = [(x + (cx - x) * inset, y + (cy - y) * inset) for cx, cy in lattice.corners(one)]
        stencil = Stencil(bounds(corners, 2), 3)
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            for k in range(5):
                stencil.disc((ax + (bx - ax) * (k + 0.5) / 5, ay + (by - ay) * (k + 0.5) / 5), max(lattice.radius * 0.038, 0.9))
        stencil.onto(plate, "red", 0.75)


def draw_flags(plate: Plate, control: Mapping[str, Any], changed: frozenset[Hex], names: Iterable[Placed], style: Style) -> None:
    """A flag in the colour of the holder beside the name of every place whose control counts; edged in gold where it has just changed."""
    for name in names:
        side = control.get(str(name.hex))
        if name.flag is not None and isinstance(side, str) and side in style.sides:
            look = style.sides[side]
            flag(plate, name.flag, name.size * 0.98, look.face, look.dark, name.hex in changed)


def flag(surface: Surface, foot: Point, high: float, colour: str, rim: str, changed: bool = False) -> None:
    """A flag on its staff, whose foot is given."""
    x, y = foot
    long, deep = high * 0.78, high * 0.5
    cloth = [
        (x, y - high),
        (x + long * 0.5, y - high + deep * 0.12),
        (x + long, y - high),
        (x + long, y - high + deep),
        (x + long * 0.5, y - high + deep * 1.12),
        (x, y - high + deep),
    ]
    box = bounds([*cloth, foot], high * 0.3)
    if changed:
        back = Stencil(box)
        back.ring(cloth, high * 0.3)
        back.onto(surface, "gold")
    for shape, tint in (("rim", rim), ("cloth", colour)):
        stencil = Stencil(box)
        if shape == "rim":
            stencil.ring(cloth, max(high * 0.12, 1.6))
            stencil.line([(x, y - high), foot], max(high * 0.1, 1.4))
        else:
            stencil.polygon(cloth)
        stencil.onto(surface, tint)


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle as the events tell it: its label (empty if it is the hex's number), where, from where, hits and dice of either side,
    and who fought, air unit and leader included."""

    label: str
    hex: Hex
    origins: tuple[Hex, ...]
    on_defender: int | None
    on_attackers: int | None
    attack_dice: tuple[int, ...]
    defence_dice: tuple[int, ...]
    attackers: str
    defender: str


def battles(events: Iterable[EventView]) -> list[Battle]:
    """The battles among the events of a view, with the dice and the hits told after them."""
    told = list(events)
    found = [{"data": event.data, "hits": {}, "dice": {}, "at": k} for k, event in enumerate(told) if event.kind == "battle"]
    for k, event in enumerate(told):
        if event.kind == "hits" and (one := _of_label(found, event.data.get("label"), k)):
            one["hits"][event.data.get("on")] = sum(_number(unit.get("hits")) for unit in _dicts(event.data.get("units")))
        elif event.kind == "rolled" and _of_battle(event) and (one := _of_label(found, event.data.get("site"), k)):
            part = "attack" if "attack" in str(event.data.get("why")) else "defence"
            one["dice"].setdefault(part, []).extend(_number(die) for die in _list(event.data.get("dice")))
    return [battle for battle in map(_battle, found) if battle is not None]


def _of_label(found: list[dict[str, Any]], label: Any, at: int) -> dict[str, Any] | None:
    """The battle of that label, or on that hex, last told before the event numbered ``at``; or else the last one before it."""
    before = [one for one in found if one["at"] < at]
    named = [one for one in before if label is not None and label in (one["data"].get("label"), one["data"].get("hex"))]
    if named:
        return named[-1]
    return before[-1] if before else None


def _of_battle(event: EventView) -> bool:
    why = str(event.data.get("why"))
    return "attack" in why or "defen" in why


def other_rolls(events: Iterable[EventView], side_names: Mapping[str, str]) -> list[tuple[str, tuple[int, ...]]]:
    """The rolls of a view that belong to no battle: what for (and by whom, if a side rolled), and the dice."""
    out = []
    for event in events:
        if event.kind == "rolled" and not _of_battle(event):
            why = str(event.data.get("why", "")).replace("-", " ")[:40]
            named = [side_names[part] for part in _list(event.data.get("key"))[5:] if isinstance(part, str) and part in side_names]
            out.append(
                (", ".join([why[:1].upper() + why[1:], *named[:1]]), tuple(_number(die) for die in _list(event.data.get("dice")))[:20])
            )
    return out


def _battle(one: Mapping[str, Any]) -> Battle | None:
    data = one["data"]
    at = hex_or_none(data.get("hex"))
    if at is None:
        return None
    label = str(data.get("label", ""))[:12]
    attackers = _dicts(data.get("attackers"))
    origins = [hex_or_none(attacker.get("from")) for attacker in attackers]
    defender = data.get("defender")
    dice = one["dice"]
    return Battle(
        label=label if label != str(at) else "",
        hex=at,
        origins=tuple(dict.fromkeys(origin for origin in origins if origin is not None)),
        on_defender=one["hits"].get("defender"),
        on_attackers=one["hits"].get("attackers"),
        attack_dice=tuple(dice.get("attack", ())),
        defence_dice=tuple(dice.get("defence", ())),
        attackers=", ".join([*map(_called, attackers), *_helpers(data)]),
        defender=_called(defender) if isinstance(defender, dict) else "",
    )


def _helpers(data: Mapping[str, Any]) -> list[str]:
    """The air unit and the leader of an attack, by name."""
    return [prefix + str(data[key])[:12] for key, prefix in (("air", "air "), ("leader", "")) if data.get(key)]


def _called(unit: Mapping[str, Any]) -> str:
    return str(unit.get("unit") or unit.get("alias") or "?")[:12]


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in _list(value) if isinstance(item, dict)]


def draw_attacks(plate: Plate, found: Iterable[Battle], lattice: Lattice) -> None:
    """A short red arrow over the hexside from each attacker's hex, and the burst of battle on it."""
    r = lattice.radius
    for battle in found:
        tx, ty = lattice.centre(battle.hex)
        for origin in battle.origins:
            ox, oy = lattice.centre(origin)
            length = math.hypot(tx - ox, ty - oy) or 1.0
            ux, uy = (tx - ox) / length, (ty - oy) / length
            mx, my = (ox + tx) / 2, (oy + ty) / 2
            tail, neck = (mx - ux * r * 0.26, my - uy * r * 0.26), (mx, my)
            tip = (mx + ux * r * 0.24, my + uy * r * 0.24)
            box = bounds([tail, tip], r * 0.5)
            for grow, colour in ((r * 0.06, "halo"), (0.0, "red")):
                stencil = Stencil(box, 3)
                stencil.line([tail, neck], r * 0.14 + 2 * grow)
                wide = r * 0.21 + grow * 1.5
                end = (tip[0] + ux * grow * 1.5, tip[1] + uy * grow * 1.5)
                stencil.polygon(
                    [
                        (neck[0] - uy * wide - ux * grow, neck[1] + ux * wide - uy * grow),
                        end,
                        (neck[0] + uy * wide - ux * grow, neck[1] - ux * wide - uy * grow),
                    ]
                )
                stencil.onto(plate, colour)


def draw_results(plate: Plate, found: Iterable[Battle], lattice: Lattice, taken: Iterable[Area]) -> None:
    """A tag beside each hex attacked, clear of counters, names and the hex itself: its label, hits on the defender, on the attackers."""
    r = lattice.radius
    size = max(round(r * 0.36), 8)
    fights = list(found)
    blocks = [*taken, *(around(lattice.centre(battle.hex), r * 1.5, r * 1.5) for battle in fights)]
    for battle in fights:
        text = " ".join(part for part in (battle.label, _score(battle)) if part)
        wide, high = width(text, "bold", size) + r * 0.75, cap_height("bold", size) + r * 0.28
        area = _tag_place(lattice.centre(battle.hex), (wide, high), r, blocks, plate.size)
        blocks.append(area)
        _tag(plate, area, text, size, r)


def _tag_place(middle: tuple[int, int], need: tuple[float, float], r: int, blocks: list[Area], size: tuple[int, int]) -> Area:
    """The nearest place for a tag that covers nothing."""
    x, y = middle
    near = [area for area in blocks if overlap(area, around(middle, need[0] + r * 5, need[1] + r * 4))]
    steps = sorted(((dx, dy) for dx in range(-6, 7) for dy in range(-5, 6)), key=lambda step: (2 * abs(step[0]) + 3 * abs(step[1]), step))
    spots = [around((x + dx * r * 0.36, y + dy * r * 0.36), *need) for dx, dy in steps]
    inside = [here for here in spots if here[0] >= 4 and here[1] >= 4 and here[2] <= size[0] - 4 and here[3] <= size[1] - 4] or spots
    free = next((here for here in inside if not any(overlap(here, other) for other in near)), None)
    return free or best(inside, lambda here: sum(overlap(here, other) for other in near))


def _tag(plate: Plate, area: Area, text: str, size: int, r: int) -> None:
    x0, y0, x1, y1 = area
    box = bounds([(x0, y0), (x1, y1)], 4)
    for grow, colour in ((1.6, "red"), (0.0, "paper")):
        slip = Stencil(box)
        slip.rounded((x0 - grow, y0 - grow, x1 + grow, y1 + grow), r * 0.12)
        slip.onto(plate, colour)
    y = (y0 + y1) / 2
    burst(plate, (x0 + r * 0.32, y), r * 0.22)
    write(plate, (x0 + r * 0.6, y), text, "bold", size, "ink", anchor="lm")


def _score(battle: Battle) -> str:
    if battle.on_defender is None and battle.on_attackers is None:
        return ""
    return f"{battle.on_defender or 0}:{battle.on_attackers or 0}"


def burst(surface: Surface, middle: Point, radius: float) -> None:
    """The sign of a battle."""
    x, y = middle
    stencil = Stencil(bounds([middle], radius + 1))
    points = []
    for k in range(16):
        reach = radius if k % 2 == 0 else radius * 0.5
        points.append((x + math.sin(math.pi * k / 8) * reach, y - math.cos(math.pi * k / 8) * reach))
    stencil.polygon(points)
    stencil.onto(surface, "red")


def draw_losses(plate: Plate, events: Iterable[EventView], lattice: Lattice, held: frozenset[Hex] = frozenset()) -> None:
    """A cross where a counter was eliminated, with its name; above the counters of a hex that is ``held`` by now."""
    r = lattice.radius
    seen: dict[Hex, int] = {}
    for event in events:
        if event.kind not in ("eliminated", "supply_lost"):
            continue
        at = hex_or_none(event.data.get("hex"))
        if at is None:
            continue
        nth = seen.get(at, 0)
        seen[at] = nth + 1
        cx, cy = lattice.centre(at)
        size = max(round(r * 0.3), 8)
        spot: Point = (cx, cy + r * 0.62 + nth * size)
        anchor: Anchor = "mm"
        if at in held:
            cross(plate, (cx - r * 0.55, cy - r * 0.84 - nth * size), r * 0.14, "halo")
            spot, anchor = (cx - r * 0.3, cy - r * 0.84 - nth * size), "lm"
        else:
            cross(plate, (cx + (nth % 3 - (1 if nth else 0)) * r * 0.5, cy + r * 0.05), r * 0.3, "halo")
        write(plate, spot, _called(event.data), "bold", size, "red", anchor=anchor, halo="halo", stroke=max(r // 18, 1))


def cross(surface: Surface, middle: Point, reach: float, halo: str = "") -> None:
    """The cross of an elimination, from its middle to the end of an arm sideways ``reach``."""
    x, y = middle
    for grow, colour in ((reach * 0.24, halo), (0.0, "red")):
        stencil = Stencil(bounds([middle], reach * 1.7), 3)
        for s in (-1, 1):
            stencil.line([(x - reach, y - reach * s), (x + reach, y + reach * s)], reach * 0.46 + 2 * grow)
        if colour:
            stencil.onto(surface, colour)
