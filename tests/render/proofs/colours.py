"""How colours look: contrast as WCAG counts it, distances as eyes feel them (CIEDE2000), and colours as colour-blind eyes see them."""

from __future__ import annotations

import math
from collections.abc import Callable

Rgb = tuple[int, int, int]
Linear = tuple[float, float, float]

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (IEEE TVCG 15, 2009), the
# matrices of severity 1.0, for linear RGB: a whole kind of cone is missing. Who has it weak sees something between this and all colours.
_PROTAN = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
_DEUTAN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
_TRITAN = ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))


def linear(colour: Rgb) -> Linear:
    """sRGB to linear light, each part from 0 to 1."""
    r, g, b = (part / 255 for part in colour)
    return _opened(r), _opened(g), _opened(b)


def _opened(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _encoded(part: float) -> int:
    part = min(max(part, 0.0), 1.0)
    return round(255 * (part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))


def luminance(colour: Rgb) -> float:
    """Relative luminance (WCAG 2.2), from 0 to 1."""
    r, g, b = linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast ratio (WCAG 2.2), from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _seen_with(matrix: tuple[Linear, Linear, Linear]) -> Callable[[Rgb], Rgb]:
    def seen(colour: Rgb) -> Rgb:
        parts = linear(colour)
        r, g, b = (_encoded(sum(k * part for k, part in zip(row, parts, strict=True))) for row in matrix)
        return r, g, b

    return seen


def grey(colour: Rgb) -> Rgb:
    """As a black and white printer has it: luminance alone."""
    level = _encoded(luminance(colour))
    return level, level, level


EYES: dict[str, Callable[[Rgb], Rgb]] = {
    "all colours": lambda colour: colour,
    "protan": _seen_with(_PROTAN),
    "deutan": _seen_with(_DEUTAN),
    "tritan": _seen_with(_TRITAN),
    "grey": grey,
}
"""Kinds of sight -> how a colour looks to them."""


def lab(colour: Rgb) -> Linear:
    """CIE L*a*b* (D65)."""
    r, g, b = linear(colour)
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: Rgb, other: Rgb) -> float:
    """CIEDE2000 between two colours: 2 is just seen side by side, 10 at a glance; black and white are 100 apart."""
    return ciede2000(lab(one), lab(other))


def ciede2000(one: Linear, other: Linear) -> float:
    """The colour difference of two L*a*b* colours (Sharma, Wu and Dalal, Color Research and Application 30, 2005)."""
    mean_chroma = (math.hypot(*one[1:]) + math.hypot(*other[1:])) / 2
    grow = 1.5 - 0.5 * math.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7))
    (l1, c1, h1), (l2, c2, h2) = ((part[0], math.hypot(part[1] * grow, part[2]), _hue(part[1] * grow, part[2])) for part in (one, other))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    t = 1 - 0.17 * _cos(hue - 30) + 0.24 * _cos(2 * hue) + 0.32 * _cos(3 * hue + 6) - 0.20 * _cos(4 * hue - 63)
    by_l = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2))
    by_c = (c2 - c1) / (1 + 0.045 * chroma)
    by_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    twist = -math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))) * 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    return math.sqrt(by_l**2 + by_c**2 + by_h**2 + twist * by_c * by_h)


def _hue(a: float, b: float) -> float:
    return math.degrees(math.atan2(b, a)) % 360


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))
