"""Counters drawn, once for each look: wooden blocks with a label, or printed counters."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from services.render.counters.badges import draw_badge
from services.render.counters.look import Look, look_of, look_of_card
from services.render.counters.looks import LayoutLook, NationLook, PipsLook, SymbolLook
from services.render.counters.plan import Box, Line, Plan, dressed, edge_of, ink_on, nation_of, plan_of
from services.render.counters.symbols import cased, draw_size, draw_symbol, framed, size_width
from services.render.draw.geometry import Point
from services.render.draw.ink import Canvas, Sprite, Stencil
from services.render.draw.lettering import cap_height, squeezed
from services.render.style import Sheet

__all__ = ["Look", "draw_badge", "look_of", "look_of_card", "shadow", "sprite"]


@lru_cache(maxsize=4096)
def sprite(look: Look, size: int, sheet: Sheet) -> Sprite:
    """A counter ``size`` pixels wide and high; its badges hang over the lower edge, so that they hide no figure."""
    radius = badge_radius(size)
    high = size + hang_of(size) if look.badges else size
    canvas = Canvas((size, high), sheet.palette, sheet.style.sides[look.side].dark)
    outline = Stencil((0, 0, size, high))
    _body(outline, (0, 0, size, size), size, look.side, sheet)
    plan = plan_of(look, size, sheet)
    _draw_body(canvas, look, size, sheet)
    if look.nation:
        _draw_label(canvas, look, plan, size, sheet)
    for box in plan.boxes:
        _draw_box(canvas, box)
    for line in plan.lines:
        _draw_line(canvas, line)
    edge = edge_of(size, sheet)
    for k, badge in enumerate(look.badges):
        middle = (size - edge - radius * (1.1 + 2.1 * k), size + radius * (HANG - 1))
        draw_badge(canvas, badge, middle, radius, sheet.style.counters)
        outline.disc(middle, radius)
    mask = outline.mask().point([0] * 128 + [255] * 128).convert("1")
    return Sprite(sheet.palette.flatten(canvas.image), mask)


HANG = 1.4
"""How far badges hang below a counter, in their radii."""


def badge_radius(size: int) -> float:
    """The radius of the badges of a counter ``size`` pixels wide."""
    return max(size * 0.125, 4.0)


def hang_of(size: int) -> int:
    """How many pixels of the badges hang below a counter ``size`` pixels wide."""
    return round(badge_radius(size) * HANG)


@lru_cache(maxsize=64)
def shadow(size: int) -> Image.Image:
    """The mask of the shadow that a counter throws."""
    stencil = Stencil((0, 0, size, size), 2)
    stencil.rounded((0, 0, size, size), size * 0.08)
    return stencil.mask()


def _body(stencil: Stencil, box: tuple[float, float, float, float], size: int, side: str, sheet: Sheet) -> None:
    """A counter's outline, or what lies inside it: the corners of one side are round, those of the other cut off."""
    x0, y0, x1, y1 = box
    if sheet.style.counters.shapes.get(side) != "cut":
        stencil.rounded(box, size * 0.08)
        return
    cut = size * 0.11
    stencil.polygon(
        [(x0 + cut, y0), (x1 - cut, y0), (x1, y0 + cut), (x1, y1 - cut), (x1 - cut, y1), (x0 + cut, y1), (x0, y1 - cut), (x0, y0 + cut)]
    )


def _draw_body(canvas: Canvas, look: Look, size: int, sheet: Sheet) -> None:
    colours, face = sheet.style.sides[look.side], size - edge_of(size, sheet)
    rim = max(round(face * 0.03), 1)
    for box, colour in (((0, 0, face, face), colours.light), ((rim, rim, face, face), colours.face)):
        stencil = Stencil((0, 0, face, face))
        _body(stencil, box, face, look.side, sheet)
        stencil.onto(canvas, colour)


def _draw_label(canvas: Canvas, look: Look, plan: Plan, size: int, sheet: Sheet) -> None:
    style, nation = sheet.style.counters, nation_of(look, sheet)
    x0, y0, x1, y1 = plan.label
    whole = (0, 0, size, size)
    if style.make == "block":
        _fill(canvas, whole, (x0 - 1, y0 - 1, x1 + 1, y1 + 1), nation.frame, plan.inner * 0.06)
        _fill(canvas, whole, plan.label, nation.label, plan.inner * 0.05)
    else:
        stencil = Stencil(whole)
        _body(stencil, plan.label, round(plan.inner), look.side, sheet)
        stencil.onto(canvas, nation.label)
    layout = style.layout(size)
    _draw_stripe(canvas, look, layout, plan, size, sheet)
    if layout.symbol is not None and look.symbol:
        _draw_type(canvas, look, layout.symbol, plan, nation)
    if layout.pips is not None and not look.seen and not look.lost:
        _draw_pips(canvas, look, layout.pips, plan, nation.text)


def _fill(canvas: Canvas, whole: tuple[int, int, int, int], box: tuple[float, float, float, float], colour: str, radius: float) -> None:
    stencil = Stencil(whole)
    stencil.rounded(box, radius)
    stencil.onto(canvas, colour)


def _draw_stripe(canvas: Canvas, look: Look, layout: LayoutLook, plan: Plan, size: int, sheet: Sheet) -> None:
    """The colour of the parent formation; the second of two over the right half, cut aslant. It ends where the counter does."""
    parent = sheet.style.counters.parents.get(look.parent)
    if parent is None or layout.stripe is None:
        return
    (x0, y0), (x1, y1) = (tuple(map(round, plan.point(*corner))) for corner in (layout.stripe.box[:2], layout.stripe.box[2:]))
    shape = Stencil((0, 0, size, size))
    _body(shape, plan.label, round(plan.inner), look.side, sheet)
    inside = shape.mask().crop((x0, y0, x1, y1))
    canvas.ink(inside, (x0, y0), parent.colour)
    if parent.second:
        half = Stencil((x0, y0, x1, y1))
        middle, lean = (x0 + x1) / 2, (y1 - y0) / 2
        half.polygon([(middle + lean, y0), (x1 + 1, y0), (x1 + 1, y1 + 1), (middle - lean, y1 + 1)])
        second = Image.new("L", inside.size)
        second.paste(inside, (0, 0), half.mask())
        canvas.ink(second, (x0, y0), parent.second)


def _draw_type(canvas: Canvas, look: Look, symbol: SymbolLook, plan: Plan, nation: NationLook) -> None:
    """The type symbol in its box, and the size above it."""
    whole = (0, 0, *canvas.size)
    picture = not framed(look.symbol)
    place = symbol.picture if picture and symbol.picture else symbol.frame
    (x0, y0), (x1, y1) = plan.point(*place[:2]), plan.point(*place[2:])
    line = max(plan.inner * 0.03, 1.0 if plan.inner > 30 else 0.75)
    frame = cased((round(x0) + line / 2, round(y0) + line / 2, round(x1) - line / 2, round(y1) - line / 2), look.symbol)
    box = "" if picture else dressed(look, symbol.boxes, symbol.box)
    ink = ink_on(box or "label", nation)
    if box:
        _rectangle(canvas, whole, frame, box)
    third = (frame[3] - frame[1]) / 3.2
    across = (frame[0], frame[1] + third, frame[2], frame[3] - third)
    band = dressed(look, symbol.bands)
    if band:
        _rectangle(canvas, whole, across, band)
    if look.formation and symbol.size_high:
        high = symbol.size_high * plan.inner
        under = dressed(look, symbol.size_boxes)
        if under:
            half, middle = size_width(look.formation, high) / 2 + max(high * 0.5, 2.0), (frame[0] + frame[2]) / 2
            _rectangle(canvas, whole, (middle - half, frame[1] - line / 2 - high - 1.6, middle + half, frame[1]), under)
        stencil = Stencil(whole, 6)
        draw_size(stencil, frame, look.formation, high, max(line * 0.8, 1.0))
        stencil.onto(canvas, ink_on(under or "label", nation))
    stencil = Stencil(whole, 6)
    draw_symbol(stencil, frame, look.symbol, line)
    stencil.onto(canvas, ink)
    if band and ink_on(band, nation) != ink:
        strip = (round(across[0] + line), round(across[1]), round(across[2] - line), round(across[3]))
        canvas.ink(stencil.mask().crop(strip), strip[:2], ink_on(band, nation))


def _rectangle(canvas: Canvas, whole: tuple[int, int, int, int], box: tuple[float, float, float, float], colour: str) -> None:
    stencil = Stencil(whole)
    stencil.polygon([(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])])
    stencil.onto(canvas, colour)


def _draw_pips(canvas: Canvas, look: Look, pips: PipsLook, plan: Plan, colour: str) -> None:
    """One pip a strength point, hollow where it is lost, in two rows."""
    if not 0 < look.most <= 6:
        return
    side, gap, (left, foot) = pips.side * plan.inner, pips.side * plan.inner * 0.37, plan.point(*pips.at)
    full, hollow = Stencil((0, 0, *canvas.size), 6), Stencil((0, 0, *canvas.size), 6)
    for k in range(look.most):
        x, y = left + (k % 2) * (side + gap), foot - (k // 2 + 1) * (side + gap) + gap
        square: list[Point] = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
        if k < look.strength:
            full.polygon(square)
        else:
            hollow.ring(square, max(plan.inner * 0.018, 0.6))
    full.onto(canvas, colour)
    hollow.onto(canvas, colour, 0.6)


def _draw_box(canvas: Canvas, box: Box) -> None:
    stencil = Stencil((0, 0, *canvas.size))
    x0, y0, x1, y1 = box.box
    stencil.rounded(box.box, min(box.radius, (x1 - x0) / 2, (y1 - y0) / 2))
    stencil.onto(canvas, box.colour)


def _draw_line(canvas: Canvas, line: Line) -> None:
    letters, up = squeezed(line.text, line.face, line.size, line.room + 2)
    wide, high = letters.width - 2, cap_height(line.face, line.size)
    x = line.at[0] - {"l": 0.0, "m": wide / 2, "r": float(wide)}[line.anchor[0]]
    y = line.at[1] + {"m": high / 2, "s": 0.0, "t": float(high)}[line.anchor[1]]
    canvas.ink(letters, (round(x), round(y) - up), line.colour)
