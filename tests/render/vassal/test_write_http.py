"""The HTTP edge of the VASSAL files."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient

from services.render.app import create_app
from services.render.config import Config
from services.render.vassal import log, module_version
from tests.render.boards import holdfast, own, view, wire
from tests.render.vassal.test_write_saves import SECRET, holds


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(), {"holdfast": holdfast()}).test_client()


def body(**more: Any) -> dict[str, Any]:
    return {"scenario": "holdfast/campaign-1", "view": wire([own("21PZ", "0310")]), "secret": SECRET, **more}


def test_the_calls_give_the_same_bytes_and_the_version(client: FlaskClient) -> None:
    made = client.post("/v1/saves", json=body())
    assert (made.status_code, made.content_type, made.headers["X-Module-Version"]) == (200, "application/zip", module_version(holdfast()))
    assert made.data == holds(view([own("21PZ", "0310")]))
    told = client.post("/v1/logs", json=body(before=wire([own("21PZ", "0210")])))
    assert told.data == log(holdfast(), view([own("21PZ", "0210")]), view([own("21PZ", "0310")]), secret=SECRET)
    module = client.post("/v1/modules", json={"scenario": "holdfast/campaign-2"})
    assert "buildFile.xml" in zipfile.ZipFile(BytesIO(module.data)).namelist()


@pytest.mark.parametrize(
    ("call", "change", "status", "pointer"),
    [
        ("modules", {"scenario": "chess/a"}, 404, None),
        ("modules", {"theme": "neon"}, 422, "#/theme"),
        ("saves", {"secret": "5a"}, 422, "#/secret"),
        ("saves", {"view": {**wire([]), "side": "french"}}, 422, "#/view"),
        ("saves", {"view": {**wire([]), "game": "chess"}}, 422, "#/view/game"),
        ("saves", {"view": {"format": 1, "hidden": "00"}}, 422, "#/view"),
        ("logs", {}, 422, "#/before"),
        ("logs", {"before": {**wire([]), "side": "allied"}}, 422, "#/before/side"),
    ],
)
def test_what_cannot_be_made_is_a_problem(client: FlaskClient, call: str, change: dict[str, Any], status: int, pointer: str | None) -> None:
    sent = {"scenario": "holdfast/campaign-1", **change} if call == "modules" else body(**change)
    answer = client.post(f"/v1/{call}", json=sent)
    assert answer.status_code == status
    if pointer is not None:
        assert [one["pointer"] for one in answer.get_json()["errors"]] == [pointer]
