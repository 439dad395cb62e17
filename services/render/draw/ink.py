"""Soft-edged drawing: stencils drawn large and reduced, and the two surfaces that take ink through them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from PIL import Image, ImageDraw

from services.render.draw.geometry import Point
from services.render.draw.palette import LEVELS, LIMIT, Palette

Box = tuple[int, int, int, int]


class Surface(Protocol):
    """What can be drawn on: the colour picture of a base board, or the indexed picture of a turn."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def ink(self, mask: Image.Image, at: tuple[int, int], colour: str, opacity: float = 1.0) -> None:
        """Lay a named colour through a mask (mode L) whose upper left corner is ``at``."""


class Canvas:
    """A picture in full colour, for what is drawn once and kept."""

    def __init__(self, size: tuple[int, int], palette: Palette, ground: str) -> None:
        self.palette = palette
        self.image = Image.new("RGB", (max(size[0], 1), max(size[1], 1)), palette.named[ground])

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.size

    def ink(self, mask: Image.Image, at: tuple[int, int], colour: str, opacity: float = 1.0) -> None:
        """Lay a named colour through a mask (mode L) whose upper left corner is ``at``."""
        drawn = mask.getbbox()
        if drawn is None:
            return
        at, mask = (at[0] + drawn[0], at[1] + drawn[1]), mask.crop(drawn)
        if opacity < 1.0:
            mask = mask.point([round(k * opacity) for k in range(256)])
        self.image.paste(self.palette.named[colour], (*at, at[0] + mask.width, at[1] + mask.height), mask)

    def stamp(self, sprite: Sprite, at: tuple[int, int]) -> None:
        """Paste a sprite with its upper left corner ``at``."""
        self.image.paste(self.palette.finish(sprite.indices).convert("RGB"), at, sprite.mask)


class Plate:
    """A picture in palette indices (mode L), for what is drawn anew every turn."""

    def __init__(self, image: Image.Image, palette: Palette) -> None:
        self.palette = palette
        self.image = image

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.size

    def ink(self, mask: Image.Image, at: tuple[int, int], colour: str, opacity: float = 1.0) -> None:
        """Lay a named colour through a mask (mode L) whose upper left corner is ``at``."""
        box = clip((*at, at[0] + mask.width, at[1] + mask.height), self.size)
        if box is None:
            return
        if box != (*at, at[0] + mask.width, at[1] + mask.height):
            mask = mask.crop((box[0] - at[0], box[1] - at[1], box[2] - at[0], box[3] - at[1]))
        # As bytes: an index is below 64 and a step a multiple of it, so that two numbers made of all of them add without a carry.
        # A picture takes some hundreds of masks, and Image.point() would read its table anew for each.
        under = int.from_bytes(self.image.crop(box).tobytes(), "little")
        over = int.from_bytes(mask.tobytes().translate(_STEPS), "little")
        mixed = (under + over).to_bytes(mask.width * mask.height, "little").translate(self.palette.cover(colour, round(100 * opacity)))
        self.image.paste(Image.frombytes("L", mask.size, mixed), box)

    def stamp(self, sprite: Sprite, at: tuple[int, int]) -> None:
        """Paste a sprite with its upper left corner ``at``."""
        self.image.paste(sprite.indices, at, sprite.mask)


class Sprite:
    """A small picture in palette indices with its outline (mode 1)."""

    __slots__ = ("indices", "mask")

    def __init__(self, indices: Image.Image, mask: Image.Image) -> None:
        self.indices = indices
        self.mask = mask


_STEPS = bytes(LIMIT * round(k * LEVELS / 255) for k in range(256))
"""Coverage of a mask to a step of ``Palette.cover``."""


def clip(box: Box, size: tuple[int, int]) -> Box | None:
    """What of a rectangle lies on a picture of that size; None if nothing does."""
    x0, y0, x1, y1 = max(box[0], 0), max(box[1], 0), min(box[2], size[0]), min(box[3], size[1])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


class Stencil:
    """A mask in the making: drawn ``factor`` times as large, so that edges are soft. Coordinates are the picture's pixels."""

    def __init__(self, box: Box, factor: int = 4) -> None:
        self.at = (box[0], box[1])
        self.factor = factor
        self._size = (max(box[2] - box[0], 1), max(box[3] - box[1], 1))
        self._image = Image.new("L", (self._size[0] * factor, self._size[1] * factor))
        self._draw = ImageDraw.Draw(self._image)

    def _scaled(self, points: Sequence[Point]) -> list[Point]:
        f, (x, y) = self.factor, self.at
        return [((px - x) * f, (py - y) * f) for px, py in points]

    def polygon(self, points: Sequence[Point], value: int = 255) -> None:
        """Fill an area."""
        if len(points) > 2:
            self._draw.polygon(self._scaled(points), fill=value)

    def line(self, points: Sequence[Point], width: float, value: int = 255, caps: bool = True) -> None:
        """Draw a line with round joints, and round ends if ``caps``."""
        if len(points) < 2:
            return
        wide = max(round(width * self.factor), 1)
        scaled = self._scaled(points)
        self._draw.line(scaled, fill=value, width=wide, joint="curve" if wide > 2 else None)
        if caps and wide > 2:
            for x, y in (scaled[0], scaled[-1]):
                self._draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=value)

    def ring(self, points: Sequence[Point], width: float, value: int = 255) -> None:
        """Draw the outline of an area."""
        self.line([*points, points[0], points[1]], width, value, caps=False)

    def disc(self, centre: Point, radius: float, value: int = 255) -> None:
        """Fill a circle."""
        ((x, y),) = self._scaled([centre])
        r = radius * self.factor
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill=value)

    def oval(self, box: tuple[float, float, float, float], width: float, value: int = 255) -> None:
        """Draw the outline of an ellipse."""
        (x0, y0), (x1, y1) = self._scaled([(box[0], box[1]), (box[2], box[3])])
        if x0 > x1 or y0 > y1:
            return
        self._draw.ellipse((x0, y0, x1, y1), outline=value, width=max(round(width * self.factor), 1))

    def rounded(self, box: tuple[float, float, float, float], radius: float, value: int = 255) -> None:
        """Fill a rectangle with round corners; nothing where a rim leaves no room for it."""
        (x0, y0), (x1, y1) = self._scaled([(box[0], box[1]), (box[2], box[3])])
        if x0 > x1 - 1 or y0 > y1 - 1:
            return
        self._draw.rounded_rectangle((x0, y0, x1 - 1, y1 - 1), radius * self.factor, fill=value)

    def mask(self) -> Image.Image:
        """The finished mask, in the picture's pixels (mode L)."""
        return self._image.reduce(self.factor) if self.factor > 1 else self._image.copy()

    def onto(self, surface: Surface, colour: str, opacity: float = 1.0) -> None:
        """Lay a colour through the mask."""
        surface.ink(self.mask(), self.at, colour, opacity)


def bounds(points: Sequence[Point], grow: float) -> Box:
    """The whole-pixel rectangle around points, grown on all sides."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return math.floor(min(xs) - grow), math.floor(min(ys) - grow), math.ceil(max(xs) + grow) + 1, math.ceil(max(ys) + grow) + 1
