"""Unit-type symbols of land forces: the frame and what is drawn in it, and the marks of a formation's size above it."""

from __future__ import annotations

import math
from collections.abc import Callable

from services.render.draw.ink import Stencil

Frame = tuple[float, float, float, float]
"""Left, top, right and bottom of the symbol's frame, in pixels."""


def _infantry(s: Stencil, f: Frame, w: float) -> None:
    s.line([(f[0], f[1]), (f[2], f[3])], w, caps=False)
    s.line([(f[0], f[3]), (f[2], f[1])], w, caps=False)


def _armour(s: Stencil, f: Frame, w: float) -> None:
    wide, high = f[2] - f[0], f[3] - f[1]
    s.oval((f[0] + wide * 0.16, f[1] + high * 0.22, f[2] - wide * 0.16, f[3] - high * 0.22), w)


def _mechanised(s: Stencil, f: Frame, w: float) -> None:
    _infantry(s, f, w)
    _armour(s, f, w)


def _recon(s: Stencil, f: Frame, w: float) -> None:
    s.line([(f[0], f[3]), (f[2], f[1])], w, caps=False)


def _artillery(s: Stencil, f: Frame, w: float) -> None:
    s.disc(((f[0] + f[2]) / 2, (f[1] + f[3]) / 2), (f[3] - f[1]) * 0.2)


def _antitank(s: Stencil, f: Frame, w: float) -> None:
    s.line([(f[0], f[3]), ((f[0] + f[2]) / 2, f[1]), (f[2], f[3])], w, caps=False)


def _flak(s: Stencil, f: Frame, w: float) -> None:
    middle, reach, high = (f[0] + f[2]) / 2, (f[2] - f[0]) / 2, (f[3] - f[1]) * 0.75
    s.line([(middle - reach * math.cos(math.pi * k / 12), f[3] - high * math.sin(math.pi * k / 12)) for k in range(13)], w, caps=False)


def _engineer(s: Stencil, f: Frame, w: float) -> None:
    x0, x1 = f[0] + (f[2] - f[0]) * 0.25, f[2] - (f[2] - f[0]) * 0.25
    top, foot = f[1] + (f[3] - f[1]) * 0.35, f[1] + (f[3] - f[1]) * 0.7
    s.line([(x0, foot), (x0, top), (x1, top), (x1, foot)], w, caps=False)
    s.line([((x0 + x1) / 2, top), ((x0 + x1) / 2, foot)], w, caps=False)


def _parachute(s: Stencil, f: Frame, w: float) -> None:
    _infantry(s, f, w)
    middle, reach, foot = (f[0] + f[2]) / 2, (f[2] - f[0]) * 0.14, f[3] - w
    for way in (-1, 1):
        x = middle + way * reach
        s.line([(x + reach * math.cos(math.pi * k / 8), foot - reach * math.sin(math.pi * k / 8)) for k in range(9)], w * 0.8, caps=False)


def _mountain(s: Stencil, f: Frame, w: float) -> None:
    _infantry(s, f, w)
    middle, reach = (f[0] + f[2]) / 2, (f[2] - f[0]) * 0.16
    s.polygon([(middle - reach, f[3]), (middle, f[3] - (f[3] - f[1]) * 0.42), (middle + reach, f[3])])


SYMBOLS: dict[str, Callable[[Stencil, Frame, float], None]] = {
    "infantry": _infantry,
    "armour": _armour,
    "mechanised": _mechanised,
    "recon": _recon,
    "artillery": _artillery,
    "antitank": _antitank,
    "flak": _flak,
    "engineer": _engineer,
    "parachute": _parachute,
    "mountain": _mountain,
}
"""Names of symbols (as a style sheet gives them) to what is drawn in the frame."""


def draw_symbol(stencil: Stencil, frame: Frame, symbol: str, width: float) -> None:
    """A unit-type symbol with its frame. KeyError if there is none of that name."""
    SYMBOLS[symbol](stencil, frame, width)
    x0, y0, x1, y1 = frame
    stencil.ring([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], width)


def draw_size(stencil: Stencil, frame: Frame, size: str, high: float, width: float) -> None:
    """A formation's size above a frame: ``X`` brigade, ``XX`` division, ``XXX`` corps, ``I`` to ``III`` company to regiment."""
    step = high * (1.25 if "X" in size else 0.8)
    x = (frame[0] + frame[2]) / 2 - step * (len(size) - 1) / 2
    y = frame[1] - width * 0.5 - high / 2 - 0.6
    half = high / 2
    for mark in size:
        if mark == "X":
            stencil.line([(x - half, y - half), (x + half, y + half)], width)
            stencil.line([(x - half, y + half), (x + half, y - half)], width)
        else:
            stencil.line([(x, y - half), (x, y + half)], width)
        x += step
