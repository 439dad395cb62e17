"""The pictures of a module as PNG: faces, badges, and the tokens of tracks and places."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from PIL import Image

from services.render.counters.badges import draw_badge
from services.render.draw.geometry import Point
from services.render.draw.ink import Canvas, Sprite, Stencil, Surface
from services.render.draw.lettering import write
from services.render.happened.flags import flag
from services.render.panel.air import draw_piece
from services.render.style import Sheet, SideLook


def picture(made: Sprite, sheet: Sheet) -> bytes:
    """A sprite, transparent outside its outline."""
    out = BytesIO()
    whole = sheet.palette.finish(made.indices).convert("RGBA")
    whole.putalpha(made.mask.convert("L"))
    whole.save(out, "PNG", compress_level=6)
    return out.getvalue()


def drawn(size: tuple[int, int], sheet: Sheet, draw: Callable[[Surface], None]) -> bytes:
    """What a drawing leaves on nothing: a picture with soft edges. The drawing is made twice, on white and on black, to see them."""
    layers = []
    for ground in _GROUNDS:
        canvas = Canvas(size, sheet.palette, "ink")
        canvas.image.paste(ground, (0, 0, *size))
        draw(canvas)
        layers.append(canvas.image)
    return _between(layers[0], layers[1])


_GROUNDS = ((255, 255, 255), (0, 0, 0))


def _between(white: Image.Image, black: Image.Image) -> bytes:
    """The picture with transparency of which two grounds gave these two."""
    pixels = bytearray()
    over, under = white.tobytes(), black.tobytes()
    for k in range(0, len(under), 3):
        found = under[k : k + 3]
        alpha = 255 - max(light - dark for light, dark in zip(over[k : k + 3], found, strict=True))
        pixels += bytes(min(part * 255 // alpha, 255) for part in found) + bytes((alpha,)) if alpha else b"\0\0\0\0"
    out = Image.frombytes("RGBA", white.size, bytes(pixels))
    file = BytesIO()
    out.save(file, "PNG", compress_level=6)
    return file.getvalue()


def badge(mark: str, radius: float, sheet: Sheet) -> bytes:
    """The badge of a mark."""
    side = 2 * round(radius + 1)
    return drawn((side, side), sheet, lambda on: draw_badge(on, mark, (side / 2, side / 2), radius, sheet.style.counters))


def past(radius: float, sheet: Sheet) -> bytes:
    """The badge of what was seen once: a question mark."""
    side = 2 * round(radius + 1)

    def draw(on: Surface) -> None:
        for inset, colour in ((0.0, "ink"), (max(radius * 0.14, 0.9), "paper")):
            disc = Stencil((0, 0, side, side))
            disc.disc((side / 2, side / 2), radius - inset)
            disc.onto(on, colour)
        write(on, (side / 2, side / 2), "?", "bold", round(radius * 1.5), "ink", anchor="mm")

    return drawn((side, side), sheet, draw)


def banner(high: int, look: SideLook, sheet: Sheet) -> bytes:
    """A side's flag, of which the foot of the staff is the middle of the picture."""
    size = (2 * round(high * 1.1), 2 * round(high * 1.2))
    foot: Point = (size[0] / 2, size[1] / 2)
    return drawn(size, sheet, lambda on: flag(on, foot, high, look.face, look.ink))


def support(kind: str, reach: int, look: SideLook, free: bool, sheet: Sheet) -> bytes:
    """An air unit or a leader, pale if it is spent."""
    side = 2 * (reach + 2)
    return drawn((side, side), sheet, lambda on: draw_piece(on, kind, (side / 2, side / 2), reach, look, free))


def flat(canvas: Canvas, sheet: Sheet) -> bytes:
    """A canvas as a PNG in the colours of the palette."""
    out = BytesIO()
    sheet.palette.finish(sheet.palette.flatten(canvas.image)).save(out, "PNG", compress_level=6)
    return out.getvalue()
