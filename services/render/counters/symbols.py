"""Unit-type symbols of land forces: the frame and what is drawn in it, and the marks of a formation's size above it."""

from __future__ import annotations

import math
from collections.abc import Callable

from services.render.counters.silhouettes import SILHOUETTES, draw_silhouette
from services.render.draw.ink import Stencil

Frame = tuple[float, float, float, float]
"""Left, top, right and bottom of the symbol's frame, in pixels."""
Sign = Callable[[Stencil, Frame, float], None]


def _both(*signs: Sign) -> Sign:
    def draw(s: Stencil, f: Frame, w: float) -> None:
        for sign in signs:
            sign(s, f, w)

    return draw


def _at(f: Frame, x: float, y: float) -> tuple[float, float]:
    return f[0] + (f[2] - f[0]) * x, f[1] + (f[3] - f[1]) * y


def _falling(s: Stencil, f: Frame, w: float) -> None:
    s.line([(f[0], f[1]), (f[2], f[3])], w, caps=False)


def _rising(s: Stencil, f: Frame, w: float) -> None:
    s.line([(f[0], f[3]), (f[2], f[1])], w, caps=False)


_infantry = _both(_falling, _rising)


def _armour(s: Stencil, f: Frame, w: float) -> None:
    wide, high = f[2] - f[0], f[3] - f[1]
    s.oval((f[0] + wide * 0.16, f[1] + high * 0.22, f[2] - wide * 0.16, f[3] - high * 0.22), w)


def _artillery(s: Stencil, f: Frame, w: float) -> None:
    s.disc(_at(f, 0.5, 0.5), (f[3] - f[1]) * 0.22)


def _gun_in_oval(s: Stencil, f: Frame, w: float) -> None:
    s.disc(_at(f, 0.5, 0.5), (f[3] - f[1]) * 0.13)


def _antitank(s: Stencil, f: Frame, w: float) -> None:
    s.line([(f[0], f[3]), _at(f, 0.5, 0.04), (f[2], f[3])], w, caps=False)


def _dome(f: Frame) -> list[tuple[float, float]]:
    middle, reach, high = (f[0] + f[2]) / 2, (f[2] - f[0]) * 0.42, (f[3] - f[1]) * 0.72
    return [(middle - reach * math.cos(math.pi * k / 12), f[3] - high * math.sin(math.pi * k / 12)) for k in range(13)]


def _flak(s: Stencil, f: Frame, w: float) -> None:
    s.line(_dome(f), w, caps=False)


def _heavy_flak(s: Stencil, f: Frame, w: float) -> None:
    s.polygon(_dome(f))


def _engineer(s: Stencil, f: Frame, w: float) -> None:
    (x0, top), (x1, foot) = _at(f, 0.22, 0.34), _at(f, 0.78, 0.72)
    s.line([(x0, foot), (x0, top), (x1, top), (x1, foot)], w, caps=False)
    s.line([((x0 + x1) / 2, top), ((x0 + x1) / 2, foot)], w, caps=False)


def _canopy(s: Stencil, f: Frame, w: float) -> None:
    middle, reach, foot = (f[0] + f[2]) / 2, (f[2] - f[0]) * 0.14, f[3] - w
    for way in (-1, 1):
        x = middle + way * reach
        s.line([(x + reach * math.cos(math.pi * k / 8), foot - reach * math.sin(math.pi * k / 8)) for k in range(9)], w * 0.9, caps=False)


def _peak(s: Stencil, f: Frame, w: float) -> None:
    s.polygon([_at(f, 0.34, 1.0), _at(f, 0.5, 0.5), _at(f, 0.66, 1.0)])


def _anchor(s: Stencil, f: Frame, w: float) -> None:
    s.line([_at(f, 0.5, 0.16), _at(f, 0.5, 0.84)], w)
    s.line([_at(f, 0.4, 0.32), _at(f, 0.6, 0.32)], w)
    reach, high = (f[2] - f[0]) * 0.2, (f[3] - f[1]) * 0.3
    x, y = _at(f, 0.5, 0.55)
    s.line([(x - reach * math.cos(math.pi * k / 8), y + high * math.sin(math.pi * k / 8)) for k in range(9)], w)


def _dagger(s: Stencil, f: Frame, w: float) -> None:
    s.polygon([_at(f, 0.5, 0.98), _at(f, 0.43, 0.5), _at(f, 0.57, 0.5)])
    s.line([_at(f, 0.36, 0.46), _at(f, 0.64, 0.46)], w)
    s.line([_at(f, 0.5, 0.12), _at(f, 0.5, 0.5)], w * 1.5, caps=False)


def _machine_gun(s: Stencil, f: Frame, w: float) -> None:
    s.line([_at(f, 0.5, 0.86), _at(f, 0.5, 0.2)], w * 1.1, caps=False)
    s.line([_at(f, 0.36, 0.42), _at(f, 0.5, 0.14), _at(f, 0.64, 0.42)], w * 1.1)
    s.line([_at(f, 0.36, 0.84), _at(f, 0.64, 0.84)], w * 1.1)


def _gun_up(s: Stencil, f: Frame, w: float) -> None:
    s.line([_at(f, 0.5, 0.78), _at(f, 0.5, 0.1)], w * 1.1, caps=False)
    s.line([_at(f, 0.4, 0.3), _at(f, 0.5, 0.08), _at(f, 0.6, 0.3)], w * 0.9)


def _wheels(s: Stencil, f: Frame, w: float) -> None:
    r = (f[3] - f[1]) * 0.15
    for x in (0.2, 0.8):
        s.disc((f[0] + (f[2] - f[0]) * x, f[3] + r * 0.9), r)


def _wheel(s: Stencil, f: Frame, w: float) -> None:
    x, y = _at(f, 0.5, 0.5)
    r = (f[3] - f[1]) * 0.36
    s.oval((x - r, y - r, x + r, y + r), w)
    for way in (0.25, 0.75):
        dx, dy = r * math.cos(math.pi * way), r * math.sin(math.pi * way)
        s.line([(x - dx, y - dy), (x + dx, y + dy)], w * 0.8, caps=False)


def _staff(s: Stencil, f: Frame, w: float) -> None:
    s.polygon([_at(f, 0, 0), _at(f, 1, 0), _at(f, 1, 0.36), _at(f, 0, 0.36)])


SYMBOLS: dict[str, Sign] = {
    "infantry": _infantry,
    "armour": _armour,
    "mechanised": _both(_infantry, _armour),
    "recon": _both(_armour, _rising),
    "cavalry": _rising,
    "motorcycle": _both(_infantry, _wheels),
    "machine-gun": _machine_gun,
    "parachute": _both(_infantry, _canopy),
    "mountain": _both(_infantry, _peak),
    "marine": _both(_infantry, _anchor),
    "commando": _both(_falling, _rising, _dagger),
    "engineer": _engineer,
    "artillery": _artillery,
    "antitank": _antitank,
    "self-propelled-antitank": _both(_antitank, _armour),
    "flak": _flak,
    "light-flak": _flak,
    "heavy-flak": _heavy_flak,
    "assault-gun": _both(_armour, _gun_up),
    "self-propelled-artillery": _both(_armour, _gun_in_oval),
    "armoured-car": _both(_armour, _rising, _wheels),
    "transport": _wheel,
    "headquarters": _staff,
}
"""Names of symbols (as a style sheet gives them) to what is drawn in the frame. ``SILHOUETTES`` are names of symbols too."""


_WHEELED = frozenset({"motorcycle", "armoured-car"})


def has_symbol(symbol: str) -> bool:
    """Whether there is a symbol or a silhouette of that name."""
    return symbol in SYMBOLS or symbol in SILHOUETTES


def framed(symbol: str) -> bool:
    """Whether a symbol stands in a frame; silhouettes do not."""
    return symbol in SYMBOLS


def cased(frame: Frame, symbol: str) -> Frame:
    """The frame of a symbol in the room that it has: wheels below it make it lower."""
    x0, y0, x1, y1 = frame
    return (x0, y0, x1, y1 - (y1 - y0) * 0.18) if symbol in _WHEELED else frame


def draw_symbol(stencil: Stencil, frame: Frame, symbol: str, width: float) -> None:
    """A unit-type symbol with its frame, or a silhouette. KeyError if there is none of that name."""
    if symbol in SILHOUETTES:
        draw_silhouette(stencil, frame, symbol)
        return
    SYMBOLS[symbol](stencil, frame, width)
    x0, y0, x1, y1 = frame
    stencil.ring([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], width)


def size_width(size: str, high: float) -> float:
    """How wide the marks of a formation's size are."""
    return _size_step(size, high) * (len(size) - 1) + (high if "X" in size else high * 0.4)


def _size_step(size: str, high: float) -> float:
    return high * (1.25 if "X" in size else 0.85)


def draw_size(stencil: Stencil, frame: Frame, size: str, high: float, width: float) -> None:
    """A formation's size above a frame: ``X`` brigade, ``XX`` division, ``XXX`` corps, ``I`` to ``III`` company to regiment, ``...``
    platoon, ``..`` group."""
    step = _size_step(size, high)
    x = (frame[0] + frame[2]) / 2 - step * (len(size) - 1) / 2
    y = frame[1] - width * 0.5 - high / 2 - 0.6
    half = high / 2
    for mark in size:
        if mark == "X":
            stencil.line([(x - half, y - half), (x + half, y + half)], width)
            stencil.line([(x - half, y + half), (x + half, y - half)], width)
        elif mark == ".":
            stencil.disc((x, y), max(high * 0.3, 1.0))
        else:
            stencil.line([(x, y - half), (x, y + half)], width, caps=False)
        x += step
