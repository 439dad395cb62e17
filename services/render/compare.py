"""Before and after: two small maps of where fighting and movement took place, side by side."""

from __future__ import annotations

import msgspec
from PIL import Image

from scenarios.data import GameData
from services.render.board.art import sheet_of
from services.render.caption import bar_height, draw_caption, turn_of
from services.render.draw.ink import Plate
from services.render.layout import rectangle
from services.render.turn_map import Framing, bare, check_scale, cropped, draw_position, front_of, png
from services.render.views import View

COLUMNS = (9, 11, 13, 16)
"""How many columns of hexes each of the two maps may show."""


def render_compare(
    data: GameData, before: View, view: View, *, scale: int = 1200, theme: str = "light", framing: Framing | None = None
) -> bytes:
    """A PNG, about ``scale`` pixels wide: the position in ``before``, and that in ``view`` with what its events tell.

    The part of the map is the main front of ``view``, or the ``framing``'s, of which None is the whole map. ValueError and KeyError as
    ``turn_map.render_map``.
    """
    check_scale(scale)
    sheet = sheet_of(data, theme)
    crop = framing.crop if framing else "front"
    room = (scale * 149 // 300, bar_height(scale * 4 // 3))
    if crop is None:
        base = bare(data, sheet, *room)
    else:
        base = cropped(data, sheet, front_of(data, view, sheet, COLUMNS, room) if crop == "front" else rectangle(*crop), *room)
    wide, high = base.layout.size
    gap = max(scale - 2 * wide, 4) if wide == scale * 149 // 300 else 4
    picture = Image.new("L", (2 * wide + gap, high), sheet.palette.index("ink"))
    still = msgspec.structs.replace(before, events=[])
    for k, (seen, title) in enumerate(((still, "Before"), (view, "After"))):
        plate = Plate(base.indices.copy(), sheet.palette)
        draw_position(plate, data, seen, sheet, base)
        draw_caption(plate, (title, turn_of(data, seen)), (0, base.layout.map_size[1], wide, high))
        picture.paste(plate.image, (k * (wide + gap), 0))
    return png(sheet, picture)
