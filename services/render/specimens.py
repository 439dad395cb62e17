"""The sheets of samples that the parts of the service offer, by what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.render.board import specimen as terrain
from services.render.counters import specimen as counters
from services.render.panel import specimen as tracks

Specimen = Callable[[str, str, int], bytes]
"""Game, theme and pixels on the longer side -> PNG."""

PARTS: Mapping[str, Specimen] = {"terrain": terrain.specimen, "counters": counters.specimen, "tracks": tracks.specimen}
