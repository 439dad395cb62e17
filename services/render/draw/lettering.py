"""Words on the map: the package's own fonts, text masks and haloes."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from services.render.draw.ink import Surface

FACES = {
    "plain": "RobotoCondensed-Regular.ttf",
    "bold": "RobotoCondensed-Bold.ttf",
    "italic": "RobotoCondensed-Italic.ttf",
    "title": "EBGaramondSC12-Regular.ttf",
    "water": "EBGaramond12-Italic.ttf",
}
Anchor = Literal["lm", "mm", "rm", "ls", "ms", "rs", "lt", "mt", "rt"]


def load_fonts() -> None:
    """Read every face, for good. ValueError, naming the file, if one is at fault."""
    for face, name in FACES.items():
        try:
            font(face, _SMALL)
        except OSError as fault:
            raise ValueError(f"font {name}: {fault}") from fault


@lru_cache(maxsize=16)
def _file(face: str) -> bytes:
    return files("services.render").joinpath("fonts", FACES[face]).read_bytes()


@lru_cache(maxsize=256)
def font(face: str, size: int) -> ImageFont.FreeTypeFont:
    """A face of the package (``FACES``) at a size in pixels."""
    return ImageFont.truetype(BytesIO(_file(face)), max(size, 4), layout_engine=ImageFont.Layout.BASIC)


_SMALL, _FINER = 13, 4
"""Up to this size letters are drawn finer and reduced: set on whole pixels they would stand unevenly."""


@lru_cache(maxsize=8192)
def width(text: str, face: str, size: int, spacing: int = 0) -> int:
    """Pixels from the start to the end of a text."""
    finer = _FINER if size <= _SMALL else 1
    return round(font(face, size * finer).getlength(text) / finer) + spacing * max(len(text) - 1, 0)


@lru_cache(maxsize=8192)
def mask(text: str, face: str, size: int, stroke: int = 0, spacing: int = 0) -> tuple[Image.Image, int]:
    """A text as a mask (mode L), and how far its baseline lies below the mask's top. The text starts ``stroke`` pixels from the left."""
    finer = _FINER if size <= _SMALL else 1
    letters = font(face, size * finer)
    up, down = (-(-part // finer) + stroke for part in letters.getmetrics())
    wide = max(width(text, face, size, spacing), 1) + 2 * stroke + 2
    image = Image.new("L", (wide * finer, (up + down) * finer))
    draw = ImageDraw.Draw(image)
    x = float(stroke * finer)
    for part in text if spacing else (text,):
        draw.text((x, up * finer), part, font=letters, fill=255, anchor="ls", stroke_width=stroke * finer)
        x += letters.getlength(part) + spacing * finer
    return image.reduce(finer) if finer > 1 else image, up


@lru_cache(maxsize=2048)
def squeezed(text: str, face: str, size: int, room: int) -> tuple[Image.Image, int]:
    """A text as a mask made narrower, letters and all, so as to fit into ``room`` pixels; and where its baseline is."""
    full, up = mask(text, face, size)
    wide = min(full.width, room)
    return (full.resize((wide, full.height), Image.Resampling.BOX) if wide < full.width else full), up


@lru_cache(maxsize=512)
def cap_height(face: str, size: int) -> int:
    """The height in pixels of capitals and figures."""
    finer = _FINER if size <= _SMALL else 1
    _, top, _, bottom = font(face, size * finer).getbbox("H", anchor="ls")
    return round((bottom - top) / finer)


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
