"""The country of a board: desert, the terrain of hexes as soft-edged, hill-shaded ground rather than filled hexagons, waters and shore."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scenarios.hexes import Hex
from services.render.board.ground import Ground, noise, over, soft_country
from services.render.board.looks import TerrainLook
from services.render.board.patterns import PATTERNS, tiled
from services.render.draw.ink import Canvas, Stencil
from services.render.style import Style

_SHORE_LINES = ((0.17, ((0.10, 0.05), (0.23, 0.04))), (0.4, ((0.39, 0.032), (0.58, 0.026))))
"""Water lines along a shore: the blur from which each is found, then distance and width, all in hex radii."""
_TALL = 48
"""How many steps of the height picture a ``rise`` of 1 is."""


def paint_ground(canvas: Canvas, ground: Ground, style: Style) -> None:
    """Desert, terrain, waters and shore onto a canvas."""
    board = ground.board
    _paint_sand(canvas, ground)
    by_terrain: dict[str, list[Hex]] = {}
    for at, terrain in board.terrain.items():
        by_terrain.setdefault(terrain, []).append(at)
    grid = (Hex(c, r) for c in range(1, board.columns + 1) for r in range(1, board.rows + 1))
    barred = [at for at in grid if at not in board.terrain and at not in board.sea]
    found = [(look, by_terrain.get(kind, [])) for kind, look in style.board.terrain.items() if look.pattern or look.tint != "sand"]
    masks = [(look, _tint(canvas, ground, hexes, look)) for look, hexes in found if hexes]
    masks += [(style.board.waste, _tint(canvas, ground, barred, style.board.waste, 1.8))] if barred else []
    _paint_relief(canvas, ground, {at: look.rise for look, hexes in found for at in hexes if look.rise})
    for look, mask in masks:
        if look.pattern:
            strokes = tiled(ground.size, ground.lattice.radius, PATTERNS[look.pattern])
            canvas.ink(ImageChops.multiply(strokes, mask), (0, 0), look.stroke)
    _paint_sea(canvas, ground)


def _paint_sand(canvas: Canvas, ground: Ground) -> None:
    """The bare desert: a green breath along the coast, and wind-blown grain that comes and goes."""
    radius = ground.lattice.radius
    strip = ImageChops.add(ground.nearness, noise(ground.size, radius * 0.9, 11).point([k // 7 for k in range(256)]))
    canvas.ink(over(strip, 62, 16), (0, 0), "coastal")
    small = (max(ground.size[0] // 2, 1), max(ground.size[1] // 2, 1))
    drift = over(_stretched(small, radius * 0.9, 3), 118, 40).resize(ground.size, Image.Resampling.BILINEAR)
    canvas.ink(ImageChops.multiply(tiled(ground.size, radius, PATTERNS["grain"]), drift), (0, 0), "sand_lo")


def _stretched(size: tuple[int, int], cell: float, seed: int) -> Image.Image:
    """Noise drawn out from west to east, as wind lays sand."""
    return noise((size[0] // 2 + 1, size[1]), cell, seed).resize(size, Image.Resampling.BILINEAR)


def _tint(canvas: Canvas, ground: Ground, hexes: list[Hex], look: TerrainLook, round_: float = 1.0) -> Image.Image:
    """Lay a terrain's tint, running out over a narrow edge; the mask of its ground, within which strokes may stand."""
    wide, mask = soft_country(ground, hexes, 0.34 if round_ == 1.0 else 0.46, 112, 136, round_=round_)
    canvas.ink(wide, (0, 0), look.tint, 0.5)
    canvas.ink(mask, (0, 0), look.tint)
    shift = max(ground.lattice.radius // 8, 1)
    return ImageChops.darker(ImageChops.offset(mask, shift, shift), ImageChops.offset(mask, -shift, -shift))


def _paint_relief(canvas: Canvas, ground: Ground, rise: Mapping[Hex, float]) -> None:
    """Hill shading by light from the north-west: what faces it lighter, what turns away darker, in a few flat tones."""
    if not rise:
        return
    heights = _heights(ground, rise)
    reach = max(round(ground.lattice.radius * 0.05), 1)
    slope = ImageChops.subtract(ImageChops.offset(heights, -reach, -reach), ImageChops.offset(heights, reach, reach), 1, 128)
    slope = slope.filter(ImageFilter.BoxBlur(max(reach * 0.7, 1))).resize(ground.size, Image.Resampling.BILINEAR)
    (risen,) = soft_country(ground, rise, 0.34, 128)
    canvas.ink(ImageChops.multiply(over(slope, 128 + 9, 5), risen), (0, 0), "lit", 0.5)
    away = ImageChops.invert(slope)
    canvas.ink(over(away, 128 + 6, 4), (0, 0), "shade", 0.44)
    canvas.ink(over(away, 128 + 20, 5), (0, 0), "shade", 0.5)


def _heights(ground: Ground, rise: Mapping[Hex, float]) -> Image.Image:
    """How high the ground stands (mode L, half as large as the picture): mounds over the hexes that rise, with ridges on them."""
    lattice, radius = ground.lattice, ground.lattice.radius
    small = (max(ground.size[0] // 2, 1), max(ground.size[1] // 2, 1))
    mounds = Image.new("L", small)
    draw = ImageDraw.Draw(mounds)
    for at, high in sorted(rise.items(), key=lambda pair: pair[1]):
        draw.polygon([(x / 2, y / 2) for x, y in lattice.corners(at)], fill=min(round(high * _TALL), 255))
    for share in (0.17, 0.12, 0.08):
        mounds = mounds.filter(ImageFilter.BoxBlur(radius * share))
    ridges = noise(small, radius * 0.44, 17).point([255 - abs(2 * k - 255) for k in range(256)])
    hills = noise(small, radius * 0.3, 29)
    carved = ImageChops.multiply(mounds, Image.blend(ridges, hills, 0.45))
    return Image.blend(mounds, carved, 0.62)


def _paint_sea(canvas: Canvas, ground: Ground) -> None:
    radius, sea = ground.lattice.radius, ground.sea
    canvas.ink(sea, (0, 0), "sea")
    canvas.ink(ImageChops.multiply(_deep(ground), sea), (0, 0), "sea_deep")
    canvas.ink(ImageChops.multiply(over(ImageChops.invert(ground.nearness), 70, 8), sea), (0, 0), "shallow")
    half, opacity = sea.reduce(2), 0.5
    for blur, found in _SHORE_LINES:
        near = half.filter(ImageFilter.GaussianBlur(blur * radius / 2)).resize(ground.size, Image.Resampling.BILINEAR)
        for reach, width in found:
            water = _contour(near, reach / blur, max(width * radius, 0.9) / (blur * radius))
            canvas.ink(ImageChops.multiply(water, sea), (0, 0), "shore", opacity)
            opacity -= 0.08
    stencil = Stencil((0, 0, *ground.size), 2)
    for line in ground.coast:
        stencil.line(line, max(radius * 0.055, 1.2))
    stencil.onto(canvas, "shore")


def _deep(ground: Ground) -> Image.Image:
    """The deep water, two to three hexes off the shore."""
    radius, small = ground.lattice.radius, (max(ground.size[0] // 4, 1), max(ground.size[1] // 4, 1))
    wide = ground.sea.resize(small).filter(ImageFilter.GaussianBlur(radius * 0.6))
    # Drawn in a small picture and smoothed once more, so that its outline has no steps.
    smooth = over(wide, 224, 10).filter(ImageFilter.GaussianBlur(radius * 0.16))
    return over(smooth.resize(ground.size, Image.Resampling.BICUBIC), 128, 24)


def _contour(near: Image.Image, reach: float, width: float) -> Image.Image:
    """A thin line along an edge that was blurred to ``near``, at a distance of ``reach`` from it; both measures in widths of the blur."""
    level = 255 * (1 + math.erf(reach / math.sqrt(2))) / 2
    span = max(255 * math.exp(-reach * reach / 2) / math.sqrt(2 * math.pi) * width / 2, 1.5)
    return near.point([max(0, min(255, round((span + 1.5 - abs(k - level)) * 90))) for k in range(256)])
