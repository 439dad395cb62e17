"""Words on the map: the package's own fonts, text masks and haloes."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from services.render.ink import Surface

FACES = {
    "plain": "RobotoCondensed-Regular.ttf",
    "bold": "RobotoCondensed-Bold.ttf",
    "italic": "RobotoCondensed-Italic.ttf",
    "title": "EBGaramondSC12-Regular.ttf",
    "water": "EBGaramond12-Italic.ttf",
}
Anchor = Literal["lm", "mm", "rm", "ls", "ms", "rs", "lt", "mt", "rt"]


@lru_cache(maxsize=16)
def _file(face: str) -> bytes:
    return files("services.render").joinpath("fonts", FACES[face]).read_bytes()


@lru_cache(maxsize=256)
def font(face: str, size: int) -> ImageFont.FreeTypeFont:
    """A face of the package (``FACES``) at a size in pixels."""
    return ImageFont.truetype(BytesIO(_file(face)), max(size, 4), layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def width(text: str, face: str, size: int, spacing: int = 0) -> int:
    """Pixels from the start to the end of a text."""
    return round(font(face, size).getlength(text)) + spacing * max(len(text) - 1, 0)


@lru_cache(maxsize=8192)
def mask(text: str, face: str, size: int, stroke: int = 0, spacing: int = 0) -> tuple[Image.Image, int]:
    """A text as a mask (mode L), and how far its baseline lies below the mask's top. The text starts ``stroke`` pixels from the left."""
    letters = font(face, size)
    up, down = letters.getmetrics()
    up, down = up + stroke, down + stroke
    image = Image.new("L", (max(width(text, face, size, spacing), 1) + 2 * stroke + 2, up + down))
    draw = ImageDraw.Draw(image)
    if spacing:
        x = float(stroke)
        for letter in text:
            draw.text((x, up), letter, font=letters, fill=255, anchor="ls", stroke_width=stroke)
            x += letters.getlength(letter) + spacing
    else:
        draw.text((stroke, up), text, font=letters, fill=255, anchor="ls", stroke_width=stroke)
    return image, up


@lru_cache(maxsize=512)
def cap_height(face: str, size: int) -> int:
    """The height in pixels of capitals and figures."""
    _, top, _, bottom = font(face, size).getbbox("H", anchor="ls")
    return round(bottom - top)


def write(
    surface: Surface,
    at: tuple[float, float],
    text: str,
    face: str,
    size: int,
    colour: str,
    *,
    anchor: Anchor = "lm",
    halo: str | None = None,
    stroke: int = 2,
    spacing: int = 0,
    opacity: float = 1.0,
) -> None:
    """Write one line. ``anchor``: left, middle or right; then middle of the capitals, their foot (s) or their top (t)."""
    if not text:
        return
    wide, high = width(text, face, size, spacing), cap_height(face, size)
    x = at[0] - {"l": 0.0, "m": wide / 2, "r": float(wide)}[anchor[0]]
    y = at[1] + {"m": high / 2, "s": 0.0, "t": float(high)}[anchor[1]]
    left, base = round(x), round(y)
    if halo:
        under, up = mask(text, face, size, stroke, spacing)
        surface.ink(under, (left - stroke, base - up), halo, opacity)
    over, up = mask(text, face, size, 0, spacing)
    surface.ink(over, (left, base - up), colour, opacity)


def fitted(text: str, face: str, size: int, room: int, least: int = 7) -> tuple[str, int]:
    """The text and the largest size up to ``size`` at which it fits into ``room`` pixels; cut with an ellipsis at the least size."""
    while size > least and width(text, face, size) > room:
        size -= 1
    while len(text) > 1 and width(text, face, size) > room:
        text = text[:-2].rstrip() + "…" if len(text) > 2 else text[:1]
    return text, size
