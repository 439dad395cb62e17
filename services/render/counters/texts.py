"""What is written on a counter, for proofs that it can be read: drawing and proof go by the same plan."""

from __future__ import annotations

from dataclasses import dataclass

from services.render.counters.look import Look
from services.render.counters.plan import plan_of
from services.render.draw.lettering import cap_height
from services.render.draw.palette import Rgb
from services.render.style import Sheet


@dataclass(frozen=True, slots=True)
class Written:
    """A text on a counter: the height in pixels of its capitals and figures, its colour, and the colours that it stands on."""

    text: str
    high: int
    colour: Rgb
    grounds: tuple[Rgb, ...]


def texts(look: Look, size: int, sheet: Sheet) -> tuple[Written, ...]:
    """Every text that is drawn on a counter ``size`` pixels wide."""
    named = sheet.palette.named
    return tuple(
        Written(line.text, cap_height(line.face, line.size), named[line.colour], tuple(named[ground] for ground in line.grounds))
        for line in plan_of(look, size, sheet).lines
    )
