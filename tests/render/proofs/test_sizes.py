"""A full-size map of the fullest turns of a campaign fits a mail: 500 kB."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from services.render.style import has_style, themes
from services.render.turn_map import render_map
from tests.render.boards import holdfast
from tests.render.positions import position
from tests.render.proofs.looks import GAMES, THEMES


def test_each_game_has_the_three_themes() -> None:
    for game in GAMES:
        assert has_style(game)
        assert set(themes(game)) == set(THEMES)


@pytest.mark.parametrize("theme", THEMES)
def test_the_largest_maps_of_a_campaign_fit_a_mail(theme: str) -> None:
    for name in ("turn-20-axis", "turn-16-umpire"):
        picture = render_map(holdfast(), position(name), scale=2400, theme=theme)
        assert max(Image.open(BytesIO(picture)).size) == 2400
        assert len(picture) <= 500_000, name
