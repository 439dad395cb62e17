"""The least pictures: every scale that is allowed is drawn, and what is asked beyond the limits is told them."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from scenarios.loader import load_games
from services.render.app import create_app
from services.render.config import Config
from services.render.draw.ink import Stencil
from services.render.specimens import PARTS
from services.render.style import styled
from services.render.turn_map import SMALLEST, Framing, render_map
from services.render.views import View
from tests.render.boards import wire


@pytest.mark.parametrize("game", styled())
def test_sheets_of_samples_are_drawn_at_the_least_scale(game: str) -> None:
    for part, draw in PARTS.items():
        assert Image.open(BytesIO(draw(game, "light", SMALLEST))).width == SMALLEST, part


@pytest.mark.parametrize("scale", [400, 433, 470])
def test_maps_are_drawn_at_the_least_scales(scale: int) -> None:
    """Beda Fomm's 33 columns and 40 rows beside its panel leave hexes of a radius of five pixels."""
    data = load_games()["beda-fomm"]
    seen = View("beda-fomm", "historical", None, [], {"morale": {"italian": {"BER": 3, "COL": 5}}})
    for crop in (None, "front"):
        picture = Image.open(BytesIO(render_map(data, seen, scale=scale, framing=Framing("front" if crop else None))))
        assert max(picture.size) == scale


def test_a_rim_that_leaves_no_room_draws_nothing() -> None:
    stencil = Stencil((0, 0, 9, 9))
    stencil.rounded((4, 4, 3, 3), 1)
    stencil.oval((4, 4, 3, 3), 1)
    assert stencil.mask().getbbox() is None


def test_beyond_the_limits_they_are_told() -> None:
    client = create_app(Config(), {"holdfast": load_games()["holdfast"]}).test_client()
    body = {"scenario": "holdfast/campaign-1", "view": wire([])}
    for call, scale, limit in (("maps", 399, "400"), ("maps", 4001, "4000"), ("animations", 2001, "2000")):
        more = {"before": wire([])} if call == "animations" else {}
        answer = client.post(f"/v1/{call}", json={**body, **more, "scale": scale})
        assert answer.status_code == 422
        assert f"than or equal to {limit}" in answer.get_data(as_text=True)
