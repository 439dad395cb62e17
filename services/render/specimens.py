"""The sheets of samples that the parts of the service offer, by what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Specimen = Callable[[str, str, int], bytes]
"""Game, theme and pixels on the longer side -> PNG."""

PARTS: Mapping[str, Specimen] = {}
