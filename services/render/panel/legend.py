"""The legend: what the map's signs mean."""

from __future__ import annotations

from collections.abc import Callable

from scenarios.data import GameData
from services.render.board.lines import pass_mark, scarp
from services.render.board.names import place_symbol
from services.render.counters.counters import draw_badge, look_of, sprite
from services.render.draw.ink import Canvas, Stencil, Surface, bounds
from services.render.draw.lettering import fitted, write
from services.render.happened.overlay import burst, cross, flag
from services.render.style import Sheet, Style
from services.render.views import CounterView

Rect = tuple[int, int, int, int]
Sample = Callable[[Surface, tuple[float, float, float, float], int], None]


def entries(style: Style) -> list[tuple[str, Sample]]:
    """All signs with their names, in the order of the legend."""
    out: list[tuple[str, Sample]] = []
    for look in (*style.board.terrain.values(), style.board.waste):
        if look.name:
            out.append((look.name, _swatch(look.tint, look.stroke if look.pattern else "")))
    out += [(road.name, _road(road.edge, road.colour)) for road in style.board.roads.values()]
    out += [(side.name, _hexside(side.drawing, side.colour)) for side in style.board.hexsides.values()]
    out += [(feature.name, _place(feature.symbol)) for feature in style.board.features.values() if feature.name]
    out += [("Control", _flag(style)), ("Moved", _badge("moved")), ("Attacked", _badge("attacked")), ("Arrived", _badge("arrived"))]
    out += [("Enemy block, unknown", _unknown), ("Eliminated", _eliminated)]
    out += [("Movement", _movement), ("Hits dealt : taken", _battle), ("Enemy ZOC", _zoc)]
    return out


def draw_legend(canvas: Canvas, box: Rect, data: GameData, sheet: Sheet, unit: int) -> None:
    """The signs in two columns, and what is written on a counter."""
    x0, y0, x1, y1 = box
    key = min(round(unit * 4.6), (x1 - x0) // 3)
    _draw_key(canvas, (x1 - key, y0, x1, y1), data, sheet, unit)
    found = entries(sheet.style)
    rows = -(-len(found) // 2)
    high, wide = (y1 - y0) / rows, (x1 - key - x0) / 2
    sample = min(unit * 1.0, wide * 0.3)
    for k, (name, draw) in enumerate(found):
        left, top = x0 + wide * (k // rows), y0 + high * (k % rows)
        draw(canvas, (left, top + high * 0.14, left + sample, top + high * 0.92), unit)
        text, size = fitted(name, "plain", max(round(unit * 0.36), 6), round(wide - sample - unit * 0.3), 6)
        write(canvas, (left + sample + unit * 0.2, top + high * 0.53), text, "plain", size, "ink", anchor="lm")


def _draw_key(canvas: Canvas, box: Rect, data: GameData, sheet: Sheet, unit: int) -> None:
    """A counter of the game with its figures named: those of the style's corners, and the strength."""
    card = next(iter(data.cards.values()))
    known = CounterView(side=card.side, place="", id=card.id, card=card.id, num={sheet.style.counters.counter.strength: 4}, known="own")
    x0, y0, x1, y1 = box
    side, size = round(unit * 1.9), max(round(unit * 0.34), 6)
    x, y = (x0 + x1) / 2, y0 + (y1 - y0) * 0.42
    canvas.stamp(sprite(look_of(known, data, sheet), side, sheet), (round(x - side / 2), round(y - side / 2)))
    left, right, low = sheet.style.counters.counter.names
    write(canvas, (x, y - side * 0.5 - unit * 0.16), "id", "plain", size, "ink", anchor="ms")
    for text, spot, anchor in (
        (left, (x - side * 0.56, y), "rm"),
        (right, (x + side * 0.53, y), "lm"),
        ("SP", (x - side * 0.56, y + side * 0.36), "rm"),
        (low, (x + side * 0.53, y + side * 0.36), "lm"),
    ):
        write(canvas, spot, text, "plain", size, "ink", anchor="lm" if anchor == "lm" else "rm")
    for k, note in enumerate(notes(data, sheet.style)):
        said, small = fitted(note, "italic", size, round(x1 - x0), 6)
        write(canvas, (x, y1 - unit * (0.1 + k * 0.44)), said, "italic", small, "faint", anchor="ms")


def notes(data: GameData, style: Style) -> list[str]:
    """Small print, from below: what of the game is reconstructed or an owner's, and what a doubtful strength is."""
    ours = [name for key, name in style.panel.reconstructed.items() if data.sources.get(key) == "reconstructed"]
    said = [f"{what}: {', '.join(names)}" for what, names in (("Reconstructed", ours), ("The owner's", data.overlaid)) if names]
    return [*([". ".join(said)] if said else []), "SP with ?: when last seen"]


def _fill(surface: Surface, area: tuple[float, float, float, float], colour: str, edge: str) -> None:
    box = bounds([(area[0], area[1]), (area[2], area[3])], 1)
    for inset, tint in ((0.0, edge), (1.0, colour)):
        stencil = Stencil(box)
        stencil.rounded((area[0] + inset, area[1] + inset, area[2] - inset, area[3] - inset), 2)
        stencil.onto(surface, tint)


def _swatch(tint: str, stroke: str) -> Sample:
    def draw(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
        _fill(surface, area, tint, "grid")
        if not stroke:
            return
        x0, y0, x1, y1 = area
        stencil = Stencil(bounds([(x0, y0), (x1, y1)], 1))
        for k in range(3):
            x, y, r = x0 + (x1 - x0) * (k + 0.75) / 3.6, (y0 + y1) / 2 + (k % 2 - 0.5) * 3, (x1 - x0) * 0.1
            stencil.line([(x - r, y + r * 0.8), (x - r * 0.2, y - r * 0.7), (x + r, y + r * 0.6)], max(unit * 0.04, 0.9))
        stencil.onto(surface, stroke)

    return draw


def _road(edge: str, colour: str) -> Sample:
    def draw(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
        _fill(surface, area, "sand", "grid")
        x0, y0, x1, y1 = area
        line = [(x0 + 1, y1 - (y1 - y0) * 0.35), ((x0 + x1) / 2, (y0 + y1) / 2), (x1 - 1, y0 + (y1 - y0) * 0.35)]
        for wide, tint in ((0.22, edge), (0.12, colour)):
            stencil = Stencil(bounds([(x0, y0), (x1, y1)], 0))
            stencil.line(line, max(unit * wide, 1.2), caps=False)
            stencil.onto(surface, tint)

    return draw


def _hexside(drawing: str, colour: str) -> Sample:
    def draw(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
        _fill(surface, area, "sand", "grid")
        x0, y0, x1, y1 = area
        stencil = Stencil(bounds([(x0, y0), (x1, y1)], 0))
        if drawing == "scarp":
            scarp(stencil, [(x0 + 2, y0 + (y1 - y0) * 0.3), (x1 - 2, y0 + (y1 - y0) * 0.3)], unit)
        else:
            middle = (y0 + y1) / 2
            pass_mark(stencil, (x0, middle), (x1, middle), unit)
        stencil.onto(surface, colour)

    return draw


def _place(symbol: str) -> Sample:
    def draw(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
        _fill(surface, area, "sand", "grid")
        size = min(unit, round((area[3] - area[1]) * (0.95 if symbol == "fortress" else 1.6)))
        place_symbol(surface, ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2), symbol, size)

    return draw


def _badge(badge: str) -> Sample:
    def draw(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
        draw_badge(surface, badge, ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2), (area[3] - area[1]) * 0.45)

    return draw


def _unknown(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
    side = area[3] - area[1]
    x, y = (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
    for reach, colour in ((0.5, "axis_ink"), (0.3, "paper")):
        stencil = Stencil(bounds([(x, y)], side))
        stencil.rounded((x - side * reach, y - side * reach, x + side * reach, y + side * reach), 2)
        stencil.onto(surface, colour)
    write(surface, (x, y), "?", "bold", max(round(side * 0.6), 6), "ink", anchor="mm")


def _eliminated(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
    cross(surface, ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2), (area[3] - area[1]) * 0.32)


def _movement(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
    x0, x1, y = area[0], area[2], (area[1] + area[3]) / 2
    stencil = Stencil(bounds([(x0, y)], unit) if x1 - x0 < unit else bounds([(x0, y), (x1, y)], unit * 0.3), 3)
    stencil.disc((x0 + unit * 0.14, y), unit * 0.13)
    stencil.line([(x0 + unit * 0.14, y), (x1 - unit * 0.35, y)], unit * 0.13)
    stencil.polygon([(x1 - unit * 0.4, y - unit * 0.2), (x1, y), (x1 - unit * 0.4, y + unit * 0.2)])
    stencil.onto(surface, "axis_ink")


def _battle(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
    burst(surface, (area[0] + (area[3] - area[1]) * 0.45, (area[1] + area[3]) / 2), (area[3] - area[1]) * 0.45)
    write(surface, (area[2], (area[1] + area[3]) / 2), "2:1", "bold", max(round(unit * 0.34), 6), "ink", anchor="rm")


def _zoc(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
    x0, y0, x1, y1 = area
    stencil = Stencil(bounds([(x0, y0), (x1, y1)], 1))
    for k in range(6):
        stencil.disc((x0 + (x1 - x0) * (k + 0.5) / 6, (y0 + y1) / 2), max(unit * 0.05, 0.9))
    stencil.onto(surface, "red", 0.8)


def _flag(style: Style) -> Sample:
    def draw(surface: Surface, area: tuple[float, float, float, float], unit: int) -> None:
        high = area[3] - area[1]
        for k, look in enumerate(style.sides.values()):
            flag(surface, (area[0] + high * 0.1 + k * high * 0.95, area[3]), high * 0.9, look.face, look.dark)

    return draw
