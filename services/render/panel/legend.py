"""The legend: what the map's signs mean. Signs of the map itself are pieces of it; under an owner's map art they are left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from scenarios.data import Board, GameData
from services.render.board.looks import BoardStyle
from services.render.counters.badges import draw_badge
from services.render.counters.counters import look_of, sprite
from services.render.draw.ink import Canvas, Plate, Stencil, bounds
from services.render.draw.lettering import width, write
from services.render.happened.arrows import draw_arrow
from services.render.happened.attacks import burst
from services.render.happened.flags import flag
from services.render.happened.kinds import Shaft, Sign
from services.render.happened.losses import cross
from services.render.happened.signs import draw_badge as draw_sign
from services.render.panel.frames import Area, Rect, draw_ring, letters, say
from services.render.panel.looks import LegendLook
from services.render.panel.swatches import Finish, country, swatch, with_hexside, with_place, with_road, with_water
from services.render.style import Sheet, Style
from services.render.views import CounterView

Sample = Callable[[Canvas, Area, Sheet, int], None]
_COLUMN, _KEY, _LINE = 4.6, 4.2, 0.64
"""The least width of a column of the legend and of the counter with its figures named, and a line's height, in units."""


def entries(data: GameData, style: Style, look: LegendLook) -> list[tuple[str, Sample]]:
    """All signs with their names, in the order of the legend."""
    out = [] if data.art is not None else _of_map(style.board)
    out += [(name, partial(SIGNS[sign])) for sign, name in look.signs.items() if sign in SIGNS]
    out += [(badge.name, partial(_badge, key)) for key, badge in style.counters.badges.items() if badge.name]
    return out


def _of_map(board: BoardStyle) -> list[tuple[str, Sample]]:
    """The signs of the map sheet: ground, waters, roads, hexsides, places."""
    plain = next(iter(board.terrain), "")
    out: list[tuple[str, Sample]] = [(look.name, partial(_ground, kind)) for kind, look in board.terrain.items() if look.name]
    if board.waste.name:
        out.append((board.waste.name, partial(_ground, "")))
    found = [(look.name, with_water(kind, look, plain)) for kind, look in board.lines.items() if look.name]
    found += [(look.name, with_road(kind, look, plain)) for kind, look in board.roads.items() if look.name]
    sides = [(kind, look) for kind, look in board.hexsides.items() if look.name]
    found += [(look.name, with_hexside(kind, look, plain, up=look.drawing in ("scarp", "cliff"))) for kind, look in sides]
    found += [(look.name, with_place(look, plain)) for look in board.features.values() if look.name]
    return out + [(name, partial(_on_map, board, finish)) for name, (board, finish) in found]


def legend_height(data: GameData, sheet: Sheet, wide: float, look: LegendLook) -> float:
    """The height in units of the legend in a box ``wide`` units inside: the same under an owner's map art, for a picture of one size."""
    columns, _ = _columns(wide)
    return max(-(-len(entries(replace(data, art=None), sheet.style, look)) // columns) * _LINE, 3.4 if wide >= _COLUMN + _KEY else 0.0)


def _columns(wide: float) -> tuple[int, float]:
    """How many columns of signs a width takes, and the room for the counter beside them."""
    key = _KEY if wide >= _COLUMN + _KEY else 0.0
    return max(int((wide - key) / _COLUMN), 1), key


def draw_legend(canvas: Canvas, box: Rect, look: LegendLook, data: GameData, sheet: Sheet, unit: int) -> None:
    """The signs in columns, and what is written on a counter."""
    x0, y0, x1, y1 = box
    columns, key = _columns((x1 - x0) / unit)
    if key:
        _draw_key(canvas, (round(x1 - key * unit), y0, x1, y1), data, sheet, unit)
    found = entries(data, sheet.style, look)
    rows = -(-len(found) // columns)
    high, wide = min((y1 - y0) / max(rows, 1), unit * 0.9), (x1 - key * unit - x0) / columns
    sample = unit * 1.2
    for k, (name, draw) in enumerate(found):
        left, top = x0 + wide * (k // rows), y0 + high * (k % rows)
        half = min(high * 0.41, unit * 0.28)
        draw(canvas, (left, top + high * 0.51 - half, left + sample, top + high * 0.51 + half), sheet, unit)
        at = (left + sample + unit * 0.2, top + high * 0.52)
        say(canvas, at, name, "plain", letters(unit, 0.36), "ink", wide - sample - unit * 0.35)


def _draw_key(canvas: Canvas, box: Rect, data: GameData, sheet: Sheet, unit: int) -> None:
    """A counter of the game with its figures named: those of the style's corners, and the strength; under it the small print."""
    look = sheet.style.counters.counter
    card = next(iter(data.cards.values()), None)
    x0, y0, x1, y1 = box
    size = letters(unit, 0.34)
    if card is not None:
        num: dict[str, int | str] = {look.strength: 4} if look.strength else {}
        known = CounterView(side=card.side, place="", id=card.id, card=card.id, num=num, known="own")
        side = round(unit * 1.9)
        x, y = (x0 + x1) / 2, y0 + unit * (1.5 if look.strength else 1.05)
        canvas.stamp(sprite(look_of(known, data, sheet), side, sheet), (round(x - side / 2), round(y - side / 2)))
        if look.strength:
            left, right, low = look.names
            write(canvas, (x, y - side * 0.5 - unit * 0.16), "id", "plain", size, "ink", anchor="ms")
            for text, dx, dy in ((left, -0.56, 0.0), ("SP", -0.56, 0.36), (right, 0.53, 0.0), (low, 0.53, 0.36)):
                write(canvas, (x + side * dx, y + side * dy), text, "plain", size, "ink", anchor="lm" if dx > 0 else "rm")
        else:
            say(canvas, (x, y + side * 0.5 + unit * 0.3), _figures(sheet.style), "plain", size, "ink", x1 - x0, "mm")
    small = letters(unit, 0.3)
    lines = [line for note in reversed(notes(data, sheet.style)) for line in wrapped(note, "italic", small, x1 - x0)]
    for k, line in enumerate(reversed(lines)):
        say(canvas, ((x0 + x1) / 2, y1 - unit * (0.1 + k * 0.38)), line, "italic", small, "faint", x1 - x0, "ms", 5)


def _figures(style: Style) -> str:
    """What the figures of a counter's row are: named by the style, or else by the columns of the cards."""
    named = [name for name in style.counters.counter.names if name]
    rows = style.counters.layouts[0].rows if style.counters.layouts else []
    columns = [factor.value for factor in rows[0].factors] if rows else []
    return " – ".join(named or [column.upper() if len(column) < 3 else column.replace("_", " ") for column in columns])


def wrapped(text: str, face: str, size: int, room: int) -> list[str]:
    """A text in lines that fit into ``room`` pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width(longer, face, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def notes(data: GameData, style: Style) -> list[str]:
    """Small print, from below: what of the game is reconstructed or an owner's, whose the picture of the map is, and what a doubtful
    strength is."""
    ours = [name for key, name in style.panel.reconstructed.items() if data.sources.get(key) == "reconstructed"]
    said = [f"{what}: {', '.join(names)}" for what, names in (("Reconstructed", ours), ("The owner's", data.overlaid)) if names]
    theirs = ["The picture of the map is the owner's"] if data.art is not None else []
    doubtful = ["SP with ?: when last seen"] if style.counters.counter.strength else []
    return [*([". ".join(said)] if said else []), *theirs, *doubtful]


def _framed(canvas: Canvas, area: Area) -> None:
    draw_ring(canvas, (round(area[0]), round(area[1]), round(area[2]), round(area[3])), 1, "rule")


def _ground(kind: str, canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    size = (round(area[2] - area[0]), round(area[3] - area[1]))
    canvas.image.paste(swatch(sheet, size, round(unit * 0.62), country(kind)).image, (round(area[0]), round(area[1])))
    _framed(canvas, area)


def _on_map(board: Board, finish: Finish, canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    size = (round(area[2] - area[0]), round(area[3] - area[1]))
    piece = swatch(sheet, size, round(unit * 0.62), board, finish)
    canvas.image.paste(piece.image, (round(area[0]), round(area[1])))
    _framed(canvas, area)


def _middle(area: Area) -> tuple[float, float]:
    return (area[0] + area[2]) / 2, (area[1] + area[3]) / 2


def _badge(badge: str, canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    draw_badge(canvas, badge, _middle(area), (area[3] - area[1]) * 0.46, sheet.style.counters)


def _arrow(shaft: Shaft, canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    """An arrow as on the map, drawn small on a plate of its own."""
    size = (round(area[2] - area[0]), round(area[3] - area[1]))
    plate = Plate(sheet.palette.flatten(Canvas(size, sheet.palette, "paper").image), sheet.palette)
    first = next(iter(sheet.style.sides.values()))
    line = [(unit * 0.1, size[1] / 2), (size[0] / 2, size[1] / 2), (size[0] - unit * 0.1, size[1] / 2)]
    draw_arrow(plate, line, first.ink, shaft, round(unit * 0.62))
    canvas.image.paste(sheet.palette.finish(plate.image).convert("RGB"), (round(area[0]), round(area[1])))


def _event(sign: Sign, canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    size = (round(area[2] - area[0]), round(area[3] - area[1]))
    plate = Plate(sheet.palette.flatten(Canvas(size, sheet.palette, "paper").image), sheet.palette)
    draw_sign(plate, (size[0] / 2, size[1] / 2), sign, "", round(unit * 0.9))
    canvas.image.paste(sheet.palette.finish(plate.image).convert("RGB"), (round(area[0]), round(area[1])))


def _control(canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    high = area[3] - area[1]
    for k, look in enumerate(sheet.style.sides.values()):
        flag(canvas, (area[0] + high * (0.1 + 1.0 * k), area[3]), high * 0.95, look.face, look.ink)


def _unknown(canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    side = area[3] - area[1]
    x, y = _middle(area)
    for reach, colour in ((0.5, "ink"), (0.36, "paper_lo")):
        stencil = Stencil(bounds([(x, y)], side))
        stencil.rounded((x - side * reach, y - side * reach, x + side * reach, y + side * reach), 2)
        stencil.onto(canvas, colour)
    write(canvas, (x, y), "?", "bold", letters(unit, 0.36), "ink", anchor="mm")


def _eliminated(canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    cross(canvas, _middle(area), (area[3] - area[1]) * 0.32)


def _battle(said: str, canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    high = area[3] - area[1]
    burst(canvas, (area[0] + high * 0.45, _middle(area)[1]), high * 0.45)
    say(canvas, (area[2], _middle(area)[1]), said, "bold", letters(unit, 0.34), "ink", area[2] - area[0] - high, "rm", 5)


def _dots(colour: str, canvas: Canvas, area: Area, sheet: Sheet, unit: int) -> None:
    stencil = Stencil(bounds([(area[0], area[1]), (area[2], area[3])], 1))
    for k in range(6):
        stencil.disc((area[0] + (area[2] - area[0]) * (k + 0.5) / 6, _middle(area)[1]), max(unit * 0.05, 0.9))
    stencil.onto(canvas, colour, 0.85)


SIGNS: dict[str, Sample] = {
    "control": _control,
    "unknown": _unknown,
    "eliminated": _eliminated,
    "movement": partial(_arrow, "solid"),
    "retreat": partial(_arrow, "broken"),
    "advance": partial(_arrow, "double"),
    "hits": partial(_battle, "2 : 1"),
    "result": partial(_battle, "3:1"),
    "zoc": partial(_dots, "red"),
    "interdiction": partial(_event, Sign("sight")),
    "barrage": partial(_event, Sign("shell")),
    "disrupted": partial(_event, Sign("letter", letter="D")),
    "engaged": partial(_event, Sign("letter", "ink", "E")),
    "gap": partial(_event, Sign("gap", "gold")),
    "air-support": partial(_event, Sign("plane", "ink")),
    "landing": partial(_event, Sign("chute", "gold")),
    "bridge": partial(_event, Sign("bridge")),
}
"""The signs of what happened, by the word that a legend's style gives them."""
