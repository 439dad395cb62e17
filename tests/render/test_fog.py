"""The fog of war from the state to the picture: what a side may not know leaves no trace on its map."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from services.render.turn_map import render_map
from services.render.views import read_view
from services.rules.app import create_app
from services.rules.config import Config
from tests.render.boards import holdfast


@pytest.fixture(scope="module")
def rules() -> FlaskClient:
    return create_app(Config()).test_client()


def seen(rules: FlaskClient, secret: str, side: str | None, scenario: str = "campaign-1") -> dict[str, Any]:
    """A side's view of a fresh game with this secret."""
    made = rules.post("/v1/states", json={"scenario": f"holdfast/{scenario}", "options": {}, "secret": secret * 64})
    answer = rules.post("/v1/views", json={"state": made.get_json()["state"], "side": side})
    assert answer.status_code == 200, answer.data
    found: dict[str, Any] = answer.get_json()
    return found


def png(view: dict[str, Any]) -> bytes:
    return render_map(holdfast(), read_view(view), scale=1000)


@pytest.mark.rule("holdfast", "fog.1")
def test_blocks_dealt_otherwise_look_the_same_to_the_enemy_and_differ_for_their_owner(rules: FlaskClient) -> None:
    """The secret deals the seven blocks of El Agheila their aliases; the Allies see seven gray blocks either way."""
    one, other = seen(rules, "1", "axis"), seen(rules, "2", "axis")
    dealt = [{c["alias"]: c["id"] for c in view["counters"] if c["place"] == "0210"} for view in (one, other)]
    assert len(dealt[0]) == 7
    assert dealt[0] != dealt[1]
    assert png(one) != png(other)
    assert png(seen(rules, "1", "allied")) == png(seen(rules, "2", "allied"))
    assert png(seen(rules, "1", None)) == png(seen(rules, "2", None))


@pytest.mark.parametrize("side", ["axis", "allied", None])
def test_every_viewer_of_every_campaign_has_a_map(rules: FlaskClient, side: str | None) -> None:
    pictures = {png(seen(rules, "3", side, scenario)) for scenario in holdfast().scenarios}
    assert len(pictures) == len(holdfast().scenarios)
