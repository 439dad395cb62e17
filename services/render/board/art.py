"""An owner's map art in place of the drawn sheet: his picture laid so that its hexes lie where ours do, in colours of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from PIL import Image

from scenarios.data import GameData, MapArt
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Canvas
from services.render.draw.palette import LIMIT, Palette
from services.render.style import Sheet, style_sheet

_SAMPLE = (600, 600)
"""A picture's colours are chosen on a copy of this size at most."""


def sheet_of(data: GameData, theme: str) -> Sheet:
    """The style sheet of a game in one theme, with the colours of its map art if there is some. Errors as ``style_sheet``, ``read_art``."""
    return style_sheet(data.key, theme) if data.art is None else _sheet_with(data.key, theme, data.art)


@lru_cache(maxsize=8)
def _sheet_with(game: str, theme: str, art: MapArt) -> Sheet:
    """The named colours stay, for all that is drawn upon the map; those between them make room for the picture's."""
    plain = style_sheet(game, theme)
    named = {name: _written(colour) for name, colour in plain.palette.named.items()}
    room = LIMIT - len(set(named.values()))
    if room > 0:
        sample = read_art(art)
        sample.thumbnail(_SAMPLE)
        few = sample.quantize(room, method=Image.Quantize.MEDIANCUT)
        flat = (few.getpalette() or [])[: 3 * room]
        found = dict.fromkeys(_written((flat[k], flat[k + 1], flat[k + 2])) for k in range(0, len(flat) - 2, 3))
        named |= {f"art-{k}": colour for k, colour in enumerate(colour for colour in found if colour not in named.values())}
    return replace(plain, palette=Palette(named, ()), digest=plain.digest + art.digest)


def check_art(games: Mapping[str, GameData]) -> None:
    """ValueError, naming the file, if a game's map art cannot be read whole."""
    for data in games.values():
        if data.art is not None:
            read_art(data.art)


def read_art(art: MapArt) -> Image.Image:
    """The picture in full colour. ValueError, naming the file, if it cannot be read or has not the size that it had."""
    try:
        with Image.open(art.picture, formats=("PNG", "JPEG")) as picture:
            if picture.size != art.size:
                raise ValueError(f"{picture.size[0]} x {picture.size[1]} pixels now")
            picture.load()
            # A copy would need as much memory again, and a large sheet would no longer fit where it does.
            return picture if picture.mode == "RGB" else picture.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise ValueError(f"map art {art.picture} cannot be read: {error}") from None


def paint_art(canvas: Canvas, art: MapArt, lattice: Lattice) -> None:
    """Lay the picture on the canvas, hex on hex; what of the canvas lies outside it stays as it is. Only the palette's colours are used."""
    across, down = art.spacing[0] / lattice.column, art.spacing[1] / lattice.row
    # Of the canvas: the whole pixels that the picture covers; of the picture: what lies under just these.
    x0 = max(round(lattice.left - art.origin[0] / across), 0)
    y0 = max(round(lattice.top - art.origin[1] / down), 0)
    x1 = min(round(lattice.left + (art.size[0] - art.origin[0]) / across), canvas.size[0])
    y1 = min(round(lattice.top + (art.size[1] - art.origin[1]) / down), canvas.size[1])
    if x0 >= x1 or y0 >= y1:
        return
    box = (
        max(art.origin[0] + (x0 - lattice.left) * across, 0.0),
        max(art.origin[1] + (y0 - lattice.top) * down, 0.0),
        min(art.origin[0] + (x1 - lattice.left) * across, float(art.size[0])),
        min(art.origin[1] + (y1 - lattice.top) * down, float(art.size[1])),
    )
    laid = read_art(art).resize((x1 - x0, y1 - y0), Image.Resampling.LANCZOS, box)
    canvas.image.paste(canvas.palette.dithered(laid), (x0, y0))


def _written(colour: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
