"""The sides can be told apart by whoever is colour-blind, and on a grey print."""

from __future__ import annotations

from itertools import combinations

import pytest

from services.render.style import style_sheet, themes
from tests.render.proofs.colours import EYES, apart

SIDES_APART = 15.0
"""CIEDE2000 that two sides' colours keep to every kind of sight. 2 is just seen where two patches touch and 5 on two patches side by
side; map colours that lie far from each other, and are only some 50 pixels wide, need several times that."""


@pytest.mark.bug("R03")
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", themes("holdfast"))
def test_the_sides_colours_stay_apart(theme: str, eyes: str) -> None:
    sheet, seen = style_sheet("holdfast", theme), EYES[eyes]
    for one, other in combinations(sheet.style.sides.values(), 2):
        faces = [seen(sheet.palette.named[side.face]) for side in (one, other)]
        assert apart(*faces) >= SIDES_APART
