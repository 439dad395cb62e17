"""Golden pictures: pieces of maps and specimen sheets as somebody last saw and approved them, and how a picture is held against one.

``python -m tests.render.goldens`` writes those anew that no longer hold (with ``--all``: all of them); look at each before it is committed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops

from scenarios.hexes import parse_hex
from scenarios.loader import load_games
from services.render import turn_map
from services.render.board.art import sheet_of
from services.render.panel.looks import AirLook, PoolLook, RecordLook, SitesLook
from services.render.specimens import PARTS
from services.render.style import styled
from services.render.turn_map import Framing, render_map
from tests.render.boards import holdfast
from tests.render.positions import position

FOLDER = Path(__file__).parent / "golden"
SCALE = 2400
BEDA_FOMM = "beda-fomm-turn-12-british"
RACE_FOR_TUNIS = "race-for-tunis-turn-09-umpire"
OF_BOXES = (PoolLook, RecordLook, AirLook, SitesLook)
HALF = (450, 300)
"""Half the width and height of a piece of a map. ``OF_BOXES``: the kinds of boxes of which pictures are held."""


def front(name: str, at: str, theme: str, game: str = "holdfast") -> Image.Image:
    """The piece of a full-size map around a hex."""
    data = turn_map.own_turns(load_games()[game], position(name).scenario)
    whole = Image.open(BytesIO(render_map(data, position(name), scale=SCALE, theme=theme)))
    x, y = turn_map._base(data, sheet_of(data, theme), SCALE).layout.lattice.centre(parse_hex(at))
    left, top = max(x - HALF[0], 0), max(y - HALF[1], 0)
    return whole.crop((left, top, left + 2 * HALF[0], top + 2 * HALF[1]))


def panel(name: str, theme: str) -> Image.Image:
    """The panel of a full-size map."""
    data = holdfast()
    whole = Image.open(BytesIO(render_map(data, position(name), scale=SCALE, theme=theme)))
    high = turn_map._base(data, sheet_of(data, theme), SCALE).layout.map_size[1]
    return whole.crop((0, high, *whole.size))


def boxes(name: str, theme: str, game: str = "beda-fomm") -> Image.Image:
    """The boxes of what is off the map, of places, aircraft and the dice, in a panel beside the map."""
    data = turn_map.own_turns(load_games()[game], position(name).scenario)
    whole = Image.open(BytesIO(render_map(data, position(name), scale=SCALE, theme=theme)))
    panel = turn_map._base(data, sheet_of(data, theme), SCALE).layout.panel
    chosen = [panel.boxes[key] for key, look in panel.looks.items() if isinstance(look, OF_BOXES)]
    return whole.crop((min(c[0] for c in chosen), min(c[1] for c in chosen), max(c[2] for c in chosen), max(c[3] for c in chosen)))


def phone(name: str, theme: str) -> Image.Image:
    """The picture for phones."""
    return Image.open(BytesIO(render_map(holdfast(), position(name), scale=800, theme=theme, framing=Framing(crop="front"))))


def sheet(part: str, game: str, theme: str) -> Image.Image:
    """A sample sheet, small."""
    return Image.open(BytesIO(PARTS[part](game, theme, 900)))


PICTURES: dict[str, Callable[[], Image.Image]] = {
    **{f"holdfast-front-{theme}": partial(front, "turn-20-axis", "0906", theme) for theme in ("light", "dark", "contrast")},
    "holdfast-tobruk-light": partial(front, "turn-20-allied", "1805", "light"),
    **{f"beda-fomm-front-{theme}": partial(front, BEDA_FOMM, "1722", theme, "beda-fomm") for theme in ("light", "dark")},
    "beda-fomm-boxes-light": partial(boxes, BEDA_FOMM, "light"),
    **{f"race-for-tunis-front-{theme}": partial(front, RACE_FOR_TUNIS, "0918", theme, "race-for-tunis") for theme in ("light", "contrast")},
    "race-for-tunis-kef-dark": partial(front, RACE_FOR_TUNIS, "1819", "dark", "race-for-tunis"),
    "race-for-tunis-boxes-light": partial(boxes, RACE_FOR_TUNIS, "light", "race-for-tunis"),
    "holdfast-panel-light": partial(panel, "turn-20-axis", "light"),
    "holdfast-phone-light": partial(phone, "turn-20-axis", "light"),
    **{f"{game}-{part}-light": partial(sheet, part, game, "light") for game in styled() for part in PARTS},
    **{f"{game}-counters-{theme}": partial(sheet, "counters", game, theme) for game in styled() for theme in ("dark", "contrast")},
}
"""Name of the file -> what draws the picture."""

STEP, SQUARE, MOST = 80, 32, 2
"""A picture holds if in no square of ``SQUARE`` x ``SQUARE`` pixels more than ``MOST`` differ by more than ``STEP`` of 255 in a channel.

Equal programs draw equal bytes; the tolerance is for another FreeType, which moves the edges of letters. An edge that moves by a quarter
of a pixel changes a pixel by 64 at most, and one step of coverage more or less (they are thirds) changes one by 70 between ink and paper.
A figure of seven pixels that becomes another changes three pixels or more by over 80. Hence squares, not a share of the whole picture:
one wrong figure is a thousandth of one per cent of it."""


def differing(one: Image.Image, other: Image.Image) -> Image.Image:
    """Where two pictures of one size differ by more than ``STEP``: a mask of 0 and 255."""
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    red, green, blue = difference.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point([255 if k > STEP else 0 for k in range(256)])


def holds(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures are the same within the tolerance."""
    if one.size != other.size:
        return False
    mask = differing(one, other)
    for top in range(0, mask.height, SQUARE):
        for left in range(0, mask.width, SQUARE):
            if mask.crop((left, top, left + SQUARE, top + SQUARE)).histogram()[255] > MOST:
                return False
    return True


def saved(path: Path) -> Image.Image:
    """A picture from its file, which is closed again."""
    with Image.open(path) as picture:
        picture.load()
        return picture


def compare(name: str, actual: Image.Image, folder: Path) -> str:
    """Nothing if the picture holds; else what is wrong, with the files in ``folder`` where it and its differences are to be seen."""
    path = FOLDER / f"{name}.png"
    shown, marked = folder / f"{name}.actual.png", folder / f"{name}.differs.png"
    if not path.is_file():
        actual.save(shown)
        return f"there is no golden picture {name}; this is what was drawn: {shown}"
    golden = saved(path)
    if holds(golden, actual):
        return ""
    actual.save(shown)
    if golden.size != actual.size:
        return f"{name} is {actual.size[0]} x {actual.size[1]} pixels, the golden picture {golden.size[0]} x {golden.size[1]}: {shown}"
    mask = differing(golden, actual)
    grey = actual.convert("L").convert("RGB")
    grey.paste((255, 0, 160), (0, 0), mask)
    grey.save(marked)
    return f"{name} differs from the golden picture at {mask.getbbox()}: {shown}, differences in pink: {marked}"


def main(words: list[str]) -> None:
    """Write the golden pictures that do not hold, or all; drop those that are no longer drawn."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        if old.stem not in PICTURES:
            old.unlink()
            print(f"dropped {old.name}")
    for name, draw in PICTURES.items():
        path, drawn = FOLDER / f"{name}.png", draw()
        if "--all" in words or not path.is_file() or not holds(saved(path), drawn):
            drawn.save(path, optimize=True)
            print(f"wrote {path.name}, {path.stat().st_size // 1000} kB: look at it")


if __name__ == "__main__":
    main(sys.argv[1:])
