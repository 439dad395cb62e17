"""The HTTP edge of the render service."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageChops

from services.render.app import create_app
from services.render.config import Config
from tests.render.boards import block, holdfast, own, wire


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(), {"holdfast": holdfast()}).test_client()


def body(**more: Any) -> dict[str, Any]:
    return {"scenario": "holdfast/campaign-1", "view": wire([own("21PZ", "0310"), block("V4", "1803")]), "scale": 600} | more


def test_a_map_is_a_png(client: FlaskClient) -> None:
    answer = client.post("/v1/maps", json=body())
    assert (answer.status_code, answer.content_type) == (200, "image/png")
    assert Image.open(BytesIO(answer.data)).width == 600
    assert client.post("/v1/maps", json=body()).data == answer.data


def test_a_grid_says_where_the_hexes_lie_on_the_map(client: FlaskClient) -> None:
    found = client.post("/v1/grids", json={"scenario": "holdfast/campaign-1", "scale": 600}).get_json()
    picture = Image.open(BytesIO(client.post("/v1/maps", json=body(panel=False)).data)).convert("RGB")
    assert found["size"] == list(picture.size)
    (x, y), (wide, high) = found["hexes"]["0310"], found["hex"]
    # Columns lie three quarters of a hex apart; an even column lies half a hex lower than an odd one.
    assert found["hexes"]["0410"] == [x + wide * 3 // 4, y + high // 2]
    assert found["hexes"]["0311"] == [x, y + high]
    bare = Image.open(BytesIO(client.post("/v1/maps", json=body(panel=False, view=wire([]))).data)).convert("RGB")
    changed = ImageChops.difference(picture, bare).getbbox()
    assert changed is not None
    moved = Image.open(BytesIO(client.post("/v1/maps", json=body(panel=False, view=wire([own("21PZ", "0310")]))).data)).convert("RGB")
    left, top, right, bottom = ImageChops.difference(moved, bare).getbbox() or (0, 0, 0, 0)
    assert left <= x <= right  # the one counter stands at its hex
    assert top <= y <= bottom
    assert right - left < 3 * wide
    for change, pointer in (({"scale": 399}, "#/scale"), ({"scenario": "Holdfast"}, "#/scenario"), ({"theme": "neon"}, "#/theme")):
        problem = client.post("/v1/grids", json={"scenario": "holdfast/campaign-1"} | change)
        assert (problem.status_code, problem.get_json(force=True)["errors"][0]["pointer"]) == (422, pointer)


def test_a_grid_says_where_each_counter_of_a_fanned_out_stack_lies(client: FlaskClient) -> None:
    """Of two maps that differ in one counter of a stack, all that differs lies in its box, and on the pile if it is the top one."""
    units = ["21PZ", "ARIETE", "TRENTA", "PAVIA"]
    views = {worn: wire([own("SAVENA", "0504"), *(own(one, "0310", sp=1 if one == worn else 4) for one in units)]) for worn in ("", *units)}

    def drawn(worn: str) -> Image.Image:
        return Image.open(BytesIO(client.post("/v1/maps", json=body(panel=False, scale=1600, view=views[worn])).data)).convert("RGB")

    found = client.post("/v1/grids", json={"scenario": "holdfast/campaign-1", "scale": 1600, "view": views[""]}).get_json()
    assert list(found["trays"]) == ["0310"]  # a counter that stands alone has none
    tray = found["trays"]["0310"]
    assert [one["n"] for one in tray["counters"]] == [1, 2, 3, 4]
    for n, unit in enumerate(units[1:], start=1):
        left, top, right, bottom = tray["counters"][n]["area"]
        changed = ImageChops.difference(drawn(unit), drawn("")).getbbox()
        assert changed is not None
        assert left <= changed[0] < changed[2] <= right
        assert top <= changed[1] < changed[3] <= bottom
        assert tray["area"][0] < left < right < tray["area"][2]
    assert "trays" not in client.post("/v1/grids", json={"scenario": "holdfast/campaign-1", "view": None}).get_json()
    other = client.post("/v1/grids", json={"scenario": "holdfast/campaign-2", "view": views[""]})
    assert (other.status_code, other.get_json(force=True)["errors"][0]["pointer"]) == (422, "#/view/scenario")


def test_a_holder_that_is_no_side_is_passed_over(client: FlaskClient) -> None:
    view = wire([])
    view["own"]["control"] = {"1803": ["axis"], "0210": {}, "0504": "french", "3907": "allied"}
    assert client.post("/v1/maps", json=body(view=view)).status_code == 200


def test_the_document_says_so(client: FlaskClient) -> None:
    document = client.get("/openapi.json").get_json()
    call = document["paths"]["/v1/maps"]["post"]
    assert "image/png" in call["responses"]["200"]["content"]


@pytest.mark.parametrize(
    ("change", "pointer", "words"),
    [
        ({"scenario": "Holdfast"}, "#/scenario", "Not a game and a scenario"),
        ({"scenario": "../etc/passwd"}, "#/scenario", "Not a game and a scenario"),
        ({"scale": 399}, "#/scale", "400"),
        ({"scale": 10**9}, "#/scale", "4000"),
        ({"scale": "2400"}, "#/scale", "integer"),
        ({"theme": "neon"}, "#/theme", "there are: light"),
        ({"view": 7}, "#/view", "Expected `object`"),
        ({"view": {**wire([]), "counters": [{"side": "axis"}]}}, "#/view", "place"),
        ({"view": {**wire([]), "turn": -1}}, "#/view", ">= 0"),
        ({"view": {**wire([]), "game": "chess"}}, "#/view/game", "chess"),
        ({"view": {**wire([]), "scenario": "campaign-2"}}, "#/view/scenario", "campaign-2"),
        ({"colour": "red"}, "#/colour", "Unknown field"),
    ],
)
def test_what_is_wrong_is_said_and_where(client: FlaskClient, change: dict[str, Any], pointer: str, words: str) -> None:
    answer = client.post("/v1/maps", json=body(**change))
    assert (answer.status_code, answer.content_type) == (422, "application/problem+json")
    told = {error["pointer"]: error["detail"] for error in answer.get_json()["errors"]}
    assert words in told[pointer]


@pytest.mark.parametrize(("scenario", "code"), [("holdfast/campaign-9", "unknown-scenario"), ("chess/standard", "unknown-game")])
def test_an_unknown_game_or_scenario_is_not_found(client: FlaskClient, scenario: str, code: str) -> None:
    answer = client.post("/v1/maps", json=body(scenario=scenario))
    assert (answer.status_code, answer.get_json()["code"]) == (404, code)


def test_rubbish_is_no_json_and_too_much_is_too_large() -> None:
    client = create_app(Config(max_body=2000), {"holdfast": holdfast()}).test_client()
    assert client.post("/v1/maps", data=b"\xff\x00rubbish", content_type="application/json").status_code == 400
    assert client.post("/v1/maps", data=b"[" * 3000, content_type="application/json").status_code == 413


def test_a_token_is_asked_for() -> None:
    client = create_app(Config(token="secret"), {"holdfast": holdfast()}).test_client()
    assert client.post("/v1/maps", json=body()).status_code == 401
    assert client.post("/v1/maps", json=body(), headers={"Authorization": "Bearer secret"}).status_code == 200


def test_settings_come_from_the_environment() -> None:
    assert Config.from_env({}) == Config(None, 4_000_000)
    assert Config.from_env({"HEXPOST_SERVICE_TOKEN": "t", "HEXPOST_RENDER_MAX_BODY": "5000"}) == Config("t", 5000)
    with pytest.raises(ValueError, match="HEXPOST_RENDER_MAX_BODY"):
        Config.from_env({"HEXPOST_RENDER_MAX_BODY": "lots"})
