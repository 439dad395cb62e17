"""Counters: wooden blocks with a label of type symbol, strength, allowance and dice, drawn once for each look."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from scenarios.data import GameData
from services.render.counters.symbols import draw_size, draw_symbol
from services.render.draw.ink import Canvas, Sprite, Stencil, Surface, bounds
from services.render.draw.lettering import cap_height, fitted, squeezed, write
from services.render.style import Sheet
from services.render.views import CounterView


@dataclass(frozen=True, slots=True)
class Look:
    """All that shows on a block. With ``symbol`` empty only colour and ``name`` (the alias) show; one ``lost`` has no
    strength."""

    side: str
    name: str
    nation: str = ""
    symbol: str = ""
    formation: str = ""
    corners: tuple[str, str, str] = ("", "", "")
    strength: int = 0
    most: int = 0
    seen: bool = False
    lost: bool = False
    badges: tuple[str, ...] = ()


def look_of(counter: CounterView, data: GameData, sheet: Sheet, badges: tuple[str, ...] = ()) -> Look:
    """What shows of a counter: its label if its card is known, else its colour and alias."""
    style = sheet.style
    marks = tuple(mark for mark in style.counters.badges if mark in counter.marks or mark in badges)
    card = data.cards.get(counter.card) if counter.card else None
    if card is None:
        return Look(counter.side, counter.alias or "?", badges=marks)
    most = _whole(card.values.get(style.counters.counter.most))
    strength = counter.num.get(style.counters.counter.strength, most if counter.known == "own" else 0)
    left, right, low = (_printed(card.values.get(key)) for key in style.counters.counter.corners)
    return Look(
        side=counter.side,
        name=counter.id or card.id,
        nation=card.nation,
        symbol=style.counters.symbols.get(card.kind, ""),
        formation=_printed(card.values.get(style.counters.counter.formation, style.counters.counter.usual_formation)),
        corners=(left, right, low),
        strength=_whole(strength),
        lost=counter.hex is None and not _whole(strength),
        most=most,
        seen=counter.known == "seen",
        badges=marks,
    )


def _whole(value: object) -> int:
    return value if isinstance(value, int) else int(value) if isinstance(value, str) and value.isdigit() else 0


def _printed(value: object) -> str:
    return "" if value is None else str(value)[:4]


@lru_cache(maxsize=4096)
def sprite(look: Look, size: int, sheet: Sheet) -> Sprite:
    """A block ``size`` pixels wide and high; its badges stand out over the lower edge, so that they hide no figure."""
    radius = size * 0.125
    high = size + round(radius) if look.badges else size
    canvas = Canvas((size, high), sheet.palette, sheet.style.sides[look.side].dark)
    edge = max(round(size * 0.06), 1)
    outline = Stencil((0, 0, size, high))
    outline.rounded((0, 0, size, size), size * 0.06)
    face = size - edge
    _draw_block(canvas, look, face, sheet)
    if look.symbol:
        _draw_label(canvas, look, face, sheet)
    else:
        _draw_alias(canvas, look, face, sheet)
    for k, badge in enumerate(look.badges):
        middle = (size - edge - radius * (1.2 + 2.1 * k), size - edge * 0.5)
        draw_badge(canvas, badge, middle, radius)
        outline.disc(middle, radius)
    mask = outline.mask().point([0] * 128 + [255] * 128).convert("1")
    return Sprite(sheet.palette.flatten(canvas.image), mask)


def _draw_block(canvas: Canvas, look: Look, face: int, sheet: Sheet) -> None:
    colours = sheet.style.sides[look.side]
    light, plain = Stencil((0, 0, face, face)), Stencil((0, 0, face, face))
    light.rounded((0, 0, face, face), face * 0.06)
    light.onto(canvas, colours.light)
    rim = max(round(face * 0.03), 1)
    plain.rounded((rim, rim, face, face), face * 0.05)
    plain.onto(canvas, colours.face)


def _draw_alias(canvas: Canvas, look: Look, face: int, sheet: Sheet) -> None:
    """An unknown block: its colour, and its alias on a slip of paper."""
    size = max(round(face * 0.4), 6)
    name, up = squeezed(look.name, "bold", size, max(round(face * 0.74), 6))
    half = max(name.width / 2 + face * 0.09, face * 0.24)
    high = cap_height("bold", size) / 2 + face * 0.1
    middle = face / 2
    slip = Stencil((0, 0, face, face))
    slip.rounded((middle - half, middle - high, middle + half, middle + high), face * 0.07)
    slip.onto(canvas, sheet.style.sides[look.side].dark)
    slip = Stencil((0, 0, face, face))
    slip.rounded((middle - half + 1, middle - high + 1, middle + half - 1, middle + high - 1), face * 0.06)
    slip.onto(canvas, "paper")
    canvas.ink(name, (round(middle - name.width / 2), round(middle + cap_height("bold", size) / 2) - up), "ink")


def _draw_label(canvas: Canvas, look: Look, face: int, sheet: Sheet) -> None:
    nation = sheet.style.counters.nations[look.nation]
    inset = max(round(face * 0.075), 2)
    frame = Stencil((0, 0, face, face))
    frame.rounded((inset - 1, inset - 1, face - inset + 1, face - inset + 1), face * 0.05)
    frame.onto(canvas, nation.frame)
    paper = Stencil((0, 0, face, face))
    paper.rounded((inset, inset, face - inset, face - inset), face * 0.04)
    paper.onto(canvas, nation.label)
    inner = face - 2 * inset
    if face >= 38:
        _draw_full(canvas, look, inset, inner, nation.text)
    else:
        _draw_small(canvas, look, inset, inner, nation.text)


def _draw_full(canvas: Canvas, look: Look, inset: int, inner: int, colour: str) -> None:
    """Name; dice, symbol, number to hit; strength with its pips, allowance."""
    x0, x1, middle = inset, inset + inner, inset + inner / 2
    size = max(round(inner * 0.29), 9)
    name, up = squeezed(look.name, "bold", size, inner + 1)
    canvas.ink(name, (round(middle - name.width / 2), round(inset + inner * 0.05) + cap_height("bold", size) - up), colour)
    y = inset + inner * 0.52
    wide, high = inner * 0.24, inner * 0.14
    stencil = Stencil((0, 0, canvas.size[0], canvas.size[1]), 6)
    symbol = (middle - wide, y - high + inner * 0.03, middle + wide, y + high + inner * 0.03)
    line = max(inner * 0.03, 1.0)
    paper = Stencil((0, 0, *canvas.size))
    paper.polygon([(symbol[0], symbol[1]), (symbol[2], symbol[1]), (symbol[2], symbol[3]), (symbol[0], symbol[3])])
    paper.onto(canvas, "paper", 0.75)
    draw_symbol(stencil, symbol, look.symbol, line)
    if look.formation:
        draw_size(stencil, symbol, look.formation, inner * 0.075, line * 0.75)
    stencil.onto(canvas, colour)
    small, big = round(inner * 0.29), round(inner * 0.36)
    dice, hit, allowance = look.corners
    write(canvas, (x0 + inner * 0.03, y + inner * 0.03), dice, "plain", small, colour, anchor="lm")
    write(canvas, (x1 - inner * 0.03, y + inner * 0.03), hit, "plain", small, colour, anchor="rm")
    foot = inset + inner * 0.955
    write(canvas, (x1 - inner * 0.04, foot), allowance, "bold", big, colour, anchor="rs")
    if look.lost:
        return
    strength = (str(look.strength) if look.strength else "?") + ("?" if look.seen and look.strength else "")
    write(canvas, (x0 + inner * 0.05, foot), strength, "bold", big, "red" if 0 < look.strength < look.most else colour, anchor="ls")
    if not look.seen:
        _draw_pips(canvas, look, (x0 + inner * 0.34, foot), inner, colour)


def _draw_pips(canvas: Canvas, look: Look, at: tuple[float, float], inner: int, colour: str) -> None:
    """One pip a strength point, hollow where it is lost, in two rows."""
    if not 0 < look.most <= 6:
        return
    side, gap = inner * 0.095, inner * 0.035
    full, hollow = Stencil((0, 0, *canvas.size), 6), Stencil((0, 0, *canvas.size), 6)
    for k in range(look.most):
        x = at[0] + (k % 2) * (side + gap)
        y = at[1] - (k // 2 + 1) * (side + gap) + gap
        square = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
        if k < look.strength:
            full.polygon(square)
        else:
            hollow.ring(square, max(inner * 0.018, 0.6))
    full.onto(canvas, colour)
    hollow.onto(canvas, colour, 0.6)


def _draw_small(canvas: Canvas, look: Look, inset: int, inner: int, colour: str) -> None:
    """Symbol and strength only, for small pictures."""
    middle = inset + inner / 2
    stencil = Stencil((0, 0, *canvas.size), 6)
    draw_symbol(
        stencil,
        (middle - inner * 0.32, inset + inner * 0.1, middle + inner * 0.32, inset + inner * 0.45),
        look.symbol,
        max(inner * 0.045, 0.8),
    )
    stencil.onto(canvas, colour)
    strength = "" if look.lost else str(look.strength or "?")
    text = "-".join(part for part in (strength, look.corners[2]) if part)
    text, size = fitted(text, "bold", round(inner * 0.55), inner, 5)
    write(canvas, (middle, inset + inner * 0.94), text, "bold", size, colour, anchor="ms")


def draw_badge(surface: Surface, badge: str, middle: tuple[float, float], radius: float) -> None:
    """A status mark on the block's lower edge: moved (a chevron), attacked (a cross), arrived (a plus)."""
    x, y = middle
    box = bounds([middle], radius + 1)
    rim, disc, sign = Stencil(box), Stencil(box), Stencil(box)
    rim.disc(middle, radius)
    rim.onto(surface, "ink")
    disc.disc(middle, radius - 1)
    disc.onto(surface, {"moved": "paper", "attacked": "red", "arrived": "gold"}.get(badge, "paper"))
    r, w = radius * 0.45, max(radius * 0.3, 1)
    if badge == "moved":
        sign.line([(x - r * 0.5, y - r), (x + r * 0.5, y), (x - r * 0.5, y + r)], w)
    elif badge == "attacked":
        sign.line([(x - r, y - r), (x + r, y + r)], w)
        sign.line([(x - r, y + r), (x + r, y - r)], w)
    else:
        sign.line([(x - r, y), (x + r, y)], w)
        sign.line([(x, y - r), (x, y + r)], w)
    sign.onto(surface, "white" if badge == "attacked" else "ink")


@lru_cache(maxsize=64)
def shadow(size: int) -> Image.Image:
    """The mask of the shadow that a block throws."""
    stencil = Stencil((0, 0, size, size), 2)
    stencil.rounded((0, 0, size, size), size * 0.08)
    return stencil.mask()
