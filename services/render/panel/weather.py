"""Signs of the weather, and the box of its kinds with the present one marked."""

from __future__ import annotations

import math
from collections.abc import Callable

from services.render.draw.geometry import Point
from services.render.draw.ink import Stencil, Surface, bounds
from services.render.panel.frames import Area, Rect, cell, draw_cell, draw_ring, letters, say
from services.render.panel.looks import WeatherLook
from services.render.views import View


def sun(surface: Surface, middle: Point, radius: float) -> None:
    """Clear weather."""
    x, y = middle
    for grow, colour in ((max(radius * 0.1, 0.7), "ink"), (0.0, "gold")):
        stencil = Stencil(bounds([middle], radius + 2))
        stencil.disc(middle, radius * 0.5 + grow)
        for k in range(8):
            a = math.pi * k / 4
            ends = [(x + math.cos(a) * reach, y + math.sin(a) * reach) for reach in (radius * 0.74, radius)]
            stencil.line(ends, max(radius * 0.17, 1) + grow)
        stencil.onto(surface, colour)


def sand(surface: Surface, middle: Point, radius: float) -> None:
    """Poor weather: blown sand."""
    x, y = middle
    stencil = Stencil(bounds([middle], radius + 2))
    for k, (start, end) in enumerate(((-0.9, 0.6), (-0.6, 0.95), (-0.95, 0.4))):
        line_y = y + (k - 1) * radius * 0.55
        points = [(x + radius * (start + (end - start) * t / 8), line_y - math.sin(math.pi * t / 4) * radius * 0.16) for t in range(9)]
        stencil.line(points, max(radius * 0.2, 1.2))
    stencil.onto(surface, "town")


def _cloud(surface: Surface, middle: Point, radius: float) -> None:
    x, y = middle[0], middle[1] - radius * 0.2
    for grow, colour in ((max(radius * 0.1, 0.8), "ink"), (0.0, "white")):
        stencil = Stencil(bounds([middle], radius + 3))
        for dx, dy, r in ((-0.5, 0.1, 0.34), (0.0, -0.18, 0.46), (0.5, 0.08, 0.36)):
            stencil.disc((x + dx * radius, y + dy * radius), r * radius + grow)
        stencil.rounded((x - radius * 0.78 - grow, y, x + radius * 0.78 + grow, y + radius * 0.42 + grow), radius * 0.2)
        stencil.onto(surface, colour)


def _drops(surface: Surface, middle: Point, radius: float, count: int) -> None:
    x, y = middle
    stencil = Stencil(bounds([middle], radius + 2))
    for k in range(count):
        dx = (k - (count - 1) / 2) * radius * 1.3 / count
        stencil.line(
            [(x + dx + radius * 0.1, y + radius * 0.42), (x + dx - radius * 0.12, y + radius * 0.95)], max(radius * 0.15, 1.1), caps=False
        )
    stencil.onto(surface, "sea_ink")


def rain(surface: Surface, middle: Point, radius: float) -> None:
    """Rain: a cloud with a few drops."""
    _drops(surface, middle, radius, 3)
    _cloud(surface, middle, radius)


def storm(surface: Surface, middle: Point, radius: float) -> None:
    """Heavy rain: a cloud with many drops and a flash."""
    _drops(surface, middle, radius, 6)
    _cloud(surface, middle, radius)
    x, y = middle
    stencil = Stencil(bounds([middle], radius + 2))
    flash = [(0.12, -0.3), (-0.24, 0.36), (-0.02, 0.36), (-0.14, 0.95), (0.3, 0.16), (0.06, 0.16), (0.28, -0.3)]
    stencil.polygon([(x + dx * radius, y + dy * radius) for dx, dy in flash])
    stencil.onto(surface, "red")


def moon(surface: Surface, middle: Point, radius: float) -> None:
    """Darkness."""
    x, y = middle
    stencil = Stencil(bounds([middle], radius + 2))
    stencil.disc(middle, radius * 0.8)
    stencil.disc((x + radius * 0.42, y - radius * 0.18), radius * 0.66, 0)
    stencil.onto(surface, "ink")


SIGNS: dict[str, Callable[[Surface, Point, float], None]] = {"sun": sun, "sand": sand, "rain": rain, "storm": storm, "moon": moon}


def weather_now(looks: WeatherLook | None, view: View) -> tuple[str, str] | None:
    """The name and the sign of the present weather: by the game's box of weather, or clear and poor by its word; None without weather."""
    word = view.own.get(looks.key if looks else "weather")
    if not isinstance(word, str) or not word:
        return None
    for kind in looks.kinds if looks else ():
        if kind.key == word:
            return kind.name, kind.sign
    return word[:1].upper() + word[1:20].replace("-", " "), "sun" if word == "clear" else "sand"


def draw_weather_ground(surface: Surface, box: Rect, look: WeatherLook, unit: int) -> None:
    """A cell for each kind of weather: its sign, its name, and what it does."""
    for k, kind in enumerate(look.kinds):
        area = cell(box, len(look.kinds), k)
        x0, y0, x1, y1 = _inset(area)
        draw_cell(surface, (x0, y0, x1, y1), unit)
        middle, high = (x0 + x1) / 2, y1 - y0
        lines = kind.effect.split("; ") if kind.effect else []
        SIGNS.get(kind.sign, sun)(surface, (middle, y0 + high * (0.3 if lines else 0.38)), min(unit * 0.42, high * 0.24))
        foot = y0 + high * (0.6 if lines else 0.78)
        say(surface, (middle, foot), kind.name, "bold", letters(unit, 0.34), "ink", x1 - x0 - 4, "mm")
        for n, line in enumerate(lines):
            at = (middle, foot + unit * 0.34 * (n + 1))
            if at[1] < y1 - unit * 0.1:
                say(surface, at, line, "plain", letters(unit, 0.27), "faint", x1 - x0 - 4, "mm", 5)


def draw_weather(surface: Surface, box: Rect, look: WeatherLook, view: View, unit: int) -> None:
    """A ring around the present weather."""
    word = view.own.get(look.key)
    for k, kind in enumerate(look.kinds):
        if kind.key == word:
            draw_ring(surface, _inset(cell(box, len(look.kinds), k)), max(unit * 0.1, 1.5), "red")


def _inset(area: Area) -> Area:
    return area[0] + 1, area[1] + 1, area[2] - 1, area[3]
