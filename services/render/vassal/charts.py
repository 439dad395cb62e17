"""The charts of a game, each as a picture for a chart window, and the help page."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.data import GameData
from services.render.draw.ink import Canvas
from services.render.panel.chart import chart_rows, draw_chart
from services.render.panel.frames import draw_box
from services.render.panel.legend import draw_legend, legend_height
from services.render.panel.looks import ChartLook, LegendLook
from services.render.style import Sheet
from services.render.vassal import images
from services.render.vassal.codec import escape, plain
from services.render.vassal.ground import inner
from services.render.vassal.kit import Kit

UNIT = 44
"""The unit of the panel in pixels, for charts."""


def charts(data: GameData, sheet: Sheet) -> Iterator[tuple[str, bytes]]:
    """The title and the picture of each chart and of the legend."""
    for box in (box for row in sheet.style.panel.rows for box in row.boxes):
        if isinstance(box, ChartLook) and (rows := chart_rows(data, box)):
            canvas, area = _paper(sheet, max(box.width, 11.0), 1.4 + 0.72 * (len(rows) + (0.8 if box.note else 0.0)), box.title)
            draw_chart(canvas, area, box, data, UNIT)
            yield box.title, images.flat(canvas, sheet)
        elif isinstance(box, LegendLook):
            wide = 22.0
            canvas, area = _paper(sheet, wide, 1.4 + legend_height(data, sheet, wide - 0.6, box), box.title)
            draw_legend(canvas, area, box, data, sheet, UNIT)
            yield box.title, images.flat(canvas, sheet)


def _paper(sheet: Sheet, wide: float, high: float, title: str) -> tuple[Canvas, tuple[int, int, int, int]]:
    size = (round(wide * UNIT), round(high * UNIT))
    canvas = Canvas(size, sheet.palette, "paper")
    whole = (4, 4, size[0] - 4, size[1] - 4)
    draw_box(canvas, whole, title, UNIT)
    return canvas, inner(whole, UNIT)


def help_page(kit: Kit) -> str:
    """How to use the module, as the simple HTML that VASSAL shows."""
    data = kit.data
    sides = " and ".join(data.side_names.get(side, side) for side in data.sides)
    block = kit.sheet.style.counters.make == "block"
    flips = any(len(found) > 1 for found in kit.cards.values())
    marks = [(look.name or mark.capitalize()) for mark, look in kit.sheet.style.counters.badges.items()]
    named = kit.sheet.style.panel.reconstructed
    reconstructed = [named[key] for key, source in data.sources.items() if source == "reconstructed" and key in named]
    parts = [
        f"<h1>{escape(data.title)}</h1>",
        f"<p>For {escape(sides)}. The file of a turn shows what one side knows, and no more: open it with File, Load Game or Log, and "
        "choose your side or watch; set-ups stand by name in the same menu. In the log of a turn the button with the arrow (or Page Down) "
        "shows one thing after the other; each is told in the chat above the map. Nothing that you do here changes the game: orders go by "
        "mail.</p>",
        "<h2>Board</h2><p>The hexes bear the game's own numbers. Tracks and boxes lie around the map; units to come lie in the box of "
        f"their game-turn, and what has no box of its own under {escape('Elsewhere')}.</p>",
        "<h2>Counters</h2><p>Right click a counter, or press its keys: ",
    ]
    if block:
        parts.append("Ctrl+F takes a step, Ctrl+G gives one back, Ctrl+I hides your block. A block of the other ")
        parts.append(
            "side with a letter and a number alone is unknown; one with a small question mark was seen, and may have changed since. "
        )
    elif flips:
        parts.append("Ctrl+F turns it over. ")
    parts.append("Ctrl+D removes it. ")
    if marks:
        parts.append(f"Marks: {escape(', '.join(marks))}; the button Clear marks takes all off.")
    parts.append("</p>")
    if reconstructed:
        parts.append(f"<h2>Sources</h2><p>Reconstructed and not as printed: {escape(', '.join(reconstructed))}.</p>")
    return f"<html><head><title>{escape(plain(data.title))}</title></head><body>{''.join(parts)}</body></html>"
