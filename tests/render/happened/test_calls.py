"""The calls for parts of the map, plans, before and after, animations and sheets of samples."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient
from PIL import Image

from services.render.app import create_app
from services.render.config import Config
from tests.render.boards import holdfast, moved, own, wire


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(), {"holdfast": holdfast()}).test_client()


def body(**more: Any) -> dict[str, Any]:
    seen = wire([own("21PZ", "1604", alias="G1")], [moved("axis", "G1", "1404", "1504", "1604")])
    return {"scenario": "holdfast/campaign-1", "view": seen} | more


def before(**more: Any) -> dict[str, Any]:
    return body(before=wire([own("21PZ", "1404", alias="G1")]), scale=400) | more


def told(answer: Any) -> dict[str, str]:
    assert (answer.status_code, answer.content_type) == (422, "application/problem+json")
    return {error["pointer"]: error["detail"] for error in answer.get_json()["errors"]}


def test_a_part_of_the_map_has_its_own_usual_size(client: FlaskClient) -> None:
    answer = client.post("/v1/maps", json=body(crop="front"))
    assert (answer.status_code, answer.content_type) == (200, "image/png")
    assert Image.open(BytesIO(answer.data)).size == (1200, 900)


def test_a_plan_is_drawn_from_events_and_orders(client: FlaskClient) -> None:
    order = {"line": 1, "verb": "MOVE", "args": {"units": ["21PZ"], "path": ["1704"]}}
    asked = [{"plan": True}, {"plan": True, "orders": [order]}, {}]
    pictures = [client.post("/v1/maps", json=body(crop="1201-2007", scale=400, **more)) for more in asked]
    assert [one.status_code for one in pictures] == [200, 200, 200]
    assert len({one.data for one in pictures}) == 3
    assert told(client.post("/v1/maps", json=body(orders=[order]))) == {
        "#/orders": "Orders are drawn where plan is true; events where it is not."
    }


@pytest.mark.parametrize(("form", "kind"), [("webp", "WEBP"), ("gif", "GIF")])
def test_an_animation_is_of_the_format_asked_for(client: FlaskClient, form: str, kind: str) -> None:
    answer = client.post("/v1/animations", json=before(format=form))
    assert (answer.status_code, answer.content_type) == (200, f"image/{form}")
    assert Image.open(BytesIO(answer.data)).format == kind


def test_before_and_after_is_a_png(client: FlaskClient) -> None:
    answer = client.post("/v1/compares", json=before())
    assert (answer.status_code, answer.content_type) == (200, "image/png")
    assert Image.open(BytesIO(answer.data)).format == "PNG"


@pytest.mark.parametrize(
    ("path", "change", "pointer", "words"),
    [
        ("maps", {"crop": "middle"}, "#/crop", "Neither front nor two hexes"),
        ("maps", {"crop": "1211-0407"}, "#/crop", "not the upper left"),
        ("maps", {"crop": "0407-9911"}, "#/crop", "The map has no hex 9911; it ends at 4014"),
        ("maps", {"crop": "0000-0407"}, "#/crop", "0000"),
        ("maps", {"crop": 5}, "#/crop", "Neither front"),
        ("maps", {"crop": "0101-4014", "scale": 4001}, "#/scale", "4000"),
        ("maps", {"plan": "yes"}, "#/plan", "boolean"),
        ("maps", {"orders": [3], "plan": True}, "#/orders/0", "mapping"),
        ("compares", {}, "#/before", "required"),
        ("compares", {"before": {**wire([]), "side": "allied"}}, "#/before/side", "another side's"),
        ("compares", {"before": {**wire([]), "game": "chess"}}, "#/before/game", "chess"),
        ("animations", {"before": wire([]), "format": "mp4"}, "#/format", "webp, gif"),
        ("animations", {"before": wire([]), "limit": 0}, "#/limit", "1"),
        ("animations", {"before": wire([]), "frames": 61}, "#/frames", "60"),
        ("animations", {"before": wire([]), "theme": "neon"}, "#/theme", "there are: light"),
    ],
)
def test_what_is_wrong_is_said_and_where(client: FlaskClient, path: str, change: dict[str, Any], pointer: str, words: str) -> None:
    assert words in told(client.post(f"/v1/{path}", json=body(**change)))[pointer]


@pytest.mark.parametrize("part", ["terrain", "counters", "tracks"])
def test_a_sheet_of_samples_is_a_png(client: FlaskClient, part: str) -> None:
    answer = client.post("/v1/specimens", json={"game": "beda-fomm", "part": part, "theme": "dark", "scale": 800})
    assert (answer.status_code, answer.content_type) == (200, "image/png")
    assert Image.open(BytesIO(answer.data)).width == 800


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"game": "chess", "part": "terrain"}, 404, "unknown-game"),
        ({"game": "holdfast", "part": "dice"}, 404, "unknown-part"),
        ({"game": "holdfast", "part": "counters", "theme": "neon"}, 422, "invalid-body"),
    ],
)
def test_samples_that_are_not_there_are_refused(client: FlaskClient, asked: dict[str, Any], status: int, code: str) -> None:
    answer = client.post("/v1/specimens", json=asked)
    assert (answer.status_code, answer.get_json()["code"]) == (status, code)


def test_the_document_tells_of_every_call(client: FlaskClient) -> None:
    paths = client.get("/openapi.json").get_json()["paths"]
    assert {"/v1/maps", "/v1/compares", "/v1/animations", "/v1/specimens"} <= set(paths)
