"""What colours a page of HTML has where it has words: as it stands, on a dark screen, and as mail programs turn colours round."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable, Iterator
from typing import Any

Colour = tuple[float, float, float]
Pair = tuple[str, Colour, Colour]
"""The words, their colour, that of the ground below them."""
_RULE = re.compile(r"\.(x-[a-z]+)\{([^}]*)\}")


def rgb(text: str) -> Colour:
    assert re.fullmatch(r"#[0-9a-f]{6}", text), text
    red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def declared(style: str) -> dict[str, str]:
    parts = (one.partition(":") for one in style.split(";") if one.strip())
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in parts}


def dark_rules(page: Any) -> dict[str, dict[str, str]]:
    """Class -> what the style block says of it for dark screens."""
    (block,) = page.xpath("//style/text()")
    _, _, dark = block.partition("@media (prefers-color-scheme:dark){")
    return {name: declared(css) for name, css in _RULE.findall(dark.partition("}}")[0] + "}")}


def pairs(page: Any, dark: bool = False) -> Iterator[Pair]:
    """Every run of words with its two colours; the alt text of pictures is words too."""
    rules = dark_rules(page) if dark else {}
    yield from _pairs(page.body, rules, None, None)


def _pairs(element: Any, rules: dict[str, dict[str, str]], ink: Any, ground: Any) -> Iterator[Pair]:
    style = declared(element.get("style") or "")
    if style.get("display") == "none":
        return
    for name in (element.get("class") or "").split():
        style |= rules.get(name, {})
    ink = rgb(style["color"]) if "color" in style else ink
    ground = rgb(style["background-color"]) if "background-color" in style else ground
    words = [element.text or "", element.get("alt") or ""]
    for word in words:
        if word.strip():
            yield word.strip(), ink, ground
    for child in element:
        if isinstance(child.tag, str):
            yield from _pairs(child, rules, ink, ground)
        if (child.tail or "").strip():
            yield str(child.tail).strip(), ink, ground


def luminance(colour: Colour) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """WCAG 2's contrast: 1 (none) to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _lightness(colour: Colour) -> float:
    return colorsys.rgb_to_hls(*colour)[1]


def _turned(colour: Colour) -> Colour:
    hue, light, full = colorsys.rgb_to_hls(*colour)
    return colorsys.hls_to_rgb(hue, 1 - light, full)


def all_turned(ink: Colour, ground: Colour) -> tuple[Colour, Colour]:
    """Every colour is turned from light to dark, hues kept."""
    return _turned(ink), _turned(ground)


def partly_turned(ink: Colour, ground: Colour) -> tuple[Colour, Colour]:
    """Only light grounds and dark words are turned; what is dark already, and what is light on it, stays."""
    return (_turned(ink) if _lightness(ink) < 0.5 else ink), (_turned(ground) if _lightness(ground) > 0.5 else ground)


def negative(ink: Colour, ground: Colour) -> tuple[Colour, Colour]:
    """Each channel is inverted."""
    return (1 - ink[0], 1 - ink[1], 1 - ink[2]), (1 - ground[0], 1 - ground[1], 1 - ground[2])


TURNED: tuple[Callable[[Colour, Colour], tuple[Colour, Colour]], ...] = (all_turned, partly_turned, negative)
