"""One palette a theme: at most 64 colours, known by name, and the tables that blend them while a picture stays in indices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from PIL import Image

Rgb = tuple[int, int, int]
LIMIT = 64
LEVELS = 3
"""Steps of coverage with which a soft edge is drawn on an indexed picture: with none, four, so that with 64 colours a step and an
index together fit one byte."""


class Palette:
    """Named colours, and the mixtures of two of them, in a fixed order.

    ``ramps``: (from, to, how many between them).  ValueError if a colour is malformed, a ramp names an unknown one, or there are too many.
    """

    def __init__(self, named: Mapping[str, str], ramps: tuple[tuple[str, str, int], ...]) -> None:
        self.named: dict[str, Rgb] = {name: rgb(text) for name, text in named.items()}
        found = list(dict.fromkeys(self.named.values()))
        for first, last, count in ramps:
            for unknown in {first, last} - set(self.named):
                raise ValueError(f"a ramp of the palette names no colour: {unknown}")
            for k in range(1, count + 1):
                mixed = mix(self.named[first], self.named[last], k / (count + 1))
                if mixed not in found:
                    found.append(mixed)
        if len(found) > LIMIT:
            raise ValueError(f"{len(found)} colours in a palette of {LIMIT}")
        self.colours: tuple[Rgb, ...] = tuple(found)
        self._carrier = Image.new("P", (1, 1))
        self._carrier.putpalette([part for colour in self.colours for part in colour])
        self._tables: dict[tuple[str, int], bytes] = {}
        self._nearest = lru_cache(maxsize=8192)(self._search)

    def index(self, name: str) -> int:
        """The index of a named colour. KeyError if there is none."""
        return self.colours.index(self.named[name])

    def nearest(self, colour: Rgb) -> int:
        """The index of the colour that looks most like ``colour``."""
        return self._nearest(colour)

    def _search(self, colour: Rgb) -> int:
        r, g, b = colour

        def far(k: int) -> int:
            x, y, z = self.colours[k]
            return 3 * (x - r) ** 2 + 6 * (y - g) ** 2 + 2 * (z - b) ** 2

        return min(range(len(self.colours)), key=far)

    def cover(self, name: str, percent: int) -> bytes:
        """A table from an index plus 64 times a step of coverage (0 to ``LEVELS``) to the index of that colour so far covered by the
        named one, the last step covering ``percent``."""
        key = (name, percent)
        if key not in self._tables:
            over = self.named[name]
            table: list[int] = []
            for level in range(LEVELS + 1):
                share = percent / 100 * level / LEVELS
                row = list(range(len(self.colours))) if level == 0 else [self.nearest(mix(under, over, share)) for under in self.colours]
                table += row + [0] * (LIMIT - len(row))
            self._tables[key] = bytes(table)
        return self._tables[key]

    def flatten(self, picture: Image.Image) -> Image.Image:
        """An RGB picture as indices (mode L), without dithering."""
        indexed = picture.quantize(palette=self._carrier, dither=Image.Dither.NONE)
        return Image.frombytes("L", indexed.size, indexed.tobytes())

    def dithered(self, picture: Image.Image) -> Image.Image:
        """An RGB picture in these colours alone (mode RGB), those between them dithered."""
        return picture.quantize(palette=self._carrier, dither=Image.Dither.FLOYDSTEINBERG).convert("RGB")

    def finish(self, indices: Image.Image) -> Image.Image:
        """An indexed picture (mode L) as a P image that carries the palette."""
        done = Image.frombytes("P", indices.size, indices.tobytes())
        done.putpalette([part for colour in self.colours for part in colour])
        return done


def rgb(text: str) -> Rgb:
    """``"#eadcb0"`` as three numbers. ValueError on anything else."""
    if len(text) != 7 or text[0] != "#":
        raise ValueError(f"not a colour: {text!r}")
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(under: Rgb, over: Rgb, share: float) -> Rgb:
    """Two colours mixed, ``share`` of the second."""
    r, g, b = (round(u + (o - u) * share) for u, o in zip(under, over, strict=True))
    return r, g, b
