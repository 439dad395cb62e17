"""A full-size map of the fullest turns of a campaign fits a mail: 500 kB; so does one with every counter of a game."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from scenarios.loader import load_games
from services.render.style import has_style, themes
from services.render.turn_map import render_map
from services.render.views import CounterView, View
from tests.render.boards import holdfast
from tests.render.positions import position
from tests.render.proofs.counters import board_of
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


@pytest.mark.parametrize("game", sorted(set(load_games()) - {"holdfast"}))
def test_a_map_with_every_counter_of_a_game_fits_a_mail(game: str) -> None:
    """In pairs, all over the board: fuller than any position of the game."""
    data = board_of(game)
    hexes = sorted(data.board.terrain)
    cards = enumerate(data.cards.values())
    counters = [CounterView(card.side, str(hexes[k // 2 * 17 % len(hexes)]), card.id, card.id, card.id, known="own") for k, card in cards]
    assert len({counter.place for counter in counters}) == -(-len(counters) // 2)
    assert len(render_map(data, View(game, sorted(data.scenarios)[0], None, counters, {}), scale=2400)) <= 500_000
