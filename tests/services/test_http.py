"""The services' shared HTTP edge: every answer and every error as callers meet it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from marshmallow import Schema, fields, validate

from services.http import Endpoints, create_service


class _Line(Schema):
    verb = fields.String(required=True, validate=validate.Length(max=8))
    n = fields.Integer(strict=True)


class _Body(Schema):
    lines = fields.List(fields.Nested(_Line), required=True)


class _Answer(Schema):
    count = fields.Integer(required=True)
    any = fields.Raw()


def _service(*, faults: list[str] | None = None, token: str | None = None, public: tuple[str, ...] = ()) -> Flask:
    calls = Endpoints("calls", __name__, url_prefix="/v1", description="for the test")

    @calls.call("POST", "/lines", takes=_Body, gives=_Answer)
    def lines(body: dict[str, Any]) -> dict[str, Any]:
        return {"count": len(body["lines"]), "any": {"z": 1, "a": [True, None]}}

    @calls.call("POST", "/crash", takes=_Body, gives=_Answer)
    def crash(body: dict[str, Any]) -> dict[str, Any]:
        raise KeyError("a secret of the inside")

    return create_service("Test", "1", [calls], ready=lambda: faults or [], max_body=2000, token=token, public=public)


@pytest.fixture
def client() -> FlaskClient:
    return _service().test_client()


def _problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status
    assert response.content_type == "application/problem+json"
    body: dict[str, Any] = json.loads(response.data)
    assert body["type"] == "about:blank"
    assert (body["status"], body["code"]) == (status, code)
    assert "Traceback" not in response.text
    return body


def test_an_answer_is_json_with_sorted_keys_and_no_blanks(client: FlaskClient) -> None:
    response = client.post("/v1/lines", json={"lines": [{"verb": "MOVE"}]})
    assert response.status_code == 200
    assert response.content_type == "application/json"
    assert response.data == b'{"any":{"a":[true,null],"z":1},"count":1}'


def test_every_fault_of_a_body_is_listed_with_its_pointer(client: FlaskClient) -> None:
    lines = [{"verb": "MOVE"}, {"verb": "FAR-TOO-LONG"}, {"n": "x"}, {"verb": "A", "a/b": 1}, 7]
    body = _problem(client.post("/v1/lines", json={"lines": lines}), 422, "invalid-body")
    assert sorted(error["pointer"] for error in body["errors"]) == [
        "#/lines/1/verb",
        "#/lines/2/n",
        "#/lines/2/verb",
        "#/lines/3/a~1b",
        "#/lines/4",
    ]


def test_of_many_faults_fifty_are_listed_and_the_rest_counted(client: FlaskClient) -> None:
    body = _problem(client.post("/v1/lines", json={"lines": [7] * 60}), 422, "invalid-body")
    assert len(body["errors"]) == 50
    assert body["more_errors"] == 10


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe\x00\x81", b"[1] [2]", b"NaN", b'"\\ud800"', b"1e999"])
def test_a_body_that_is_not_json_is_400(client: FlaskClient, data: bytes) -> None:
    _problem(client.post("/v1/lines", data=data, content_type="application/json"), 400, "not-json")


def test_deep_nesting_is_400(client: FlaskClient) -> None:
    _problem(client.post("/v1/lines", data=b"[" * 1900, content_type="application/json"), 400, "nested-too-deep")


def test_a_json_body_that_is_no_object_is_422(client: FlaskClient) -> None:
    body = _problem(client.post("/v1/lines", json=[1]), 422, "invalid-body")
    assert [error["pointer"] for error in body["errors"]] == ["#"]


def test_another_content_type_is_415(client: FlaskClient) -> None:
    _problem(client.post("/v1/lines", data=b"lines", content_type="text/plain"), 415, "not-json")


def test_a_large_body_is_413_and_says_the_limit(client: FlaskClient) -> None:
    body = _problem(client.post("/v1/lines", data=b" " * 2001, content_type="application/json"), 413, "too-large")
    assert "2000" in body["detail"]


def test_an_unknown_path_is_404_and_a_wrong_method_405_with_allow(client: FlaskClient) -> None:
    assert "/v1/none" in _problem(client.get("/v1/none"), 404, "not-found")["detail"]
    response = client.get("/v1/lines")
    _problem(response, 405, "method-not-allowed")
    assert set(response.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}


def test_our_own_bug_is_500_with_an_id_and_nothing_of_the_inside(client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    first = _problem(client.post("/v1/crash", json={"lines": []}), 500, "internal")
    again = _problem(client.post("/v1/crash", json={"lines": []}), 500, "internal")
    other = _problem(client.post("/v1/crash", json={"lines": [{"verb": "X"}]}), 500, "internal")
    assert len(first["incident"]) == 16
    assert first["incident"] == again["incident"] != other["incident"]
    assert "secret" not in json.dumps(first)
    assert first["incident"] in caplog.text


def test_health_and_readiness() -> None:
    fine, broken = _service().test_client(), _service(faults=["no board", "no cards"]).test_client()
    assert fine.get("/healthz").json == {"status": "ok"}
    assert fine.get("/readyz").json == {"status": "ready"}
    assert broken.get("/healthz").json == {"status": "ok"}
    assert _problem(broken.get("/readyz"), 503, "not-ready")["detail"] == "no board; no cards"


@pytest.mark.parametrize("header", [None, "Bearer wrong", "Bearer ", "s3cret", "Bearer s3cret2", "Bearer \xfc"])
def test_without_the_token_a_call_is_401(header: str | None) -> None:
    client = _service(token="s3cret").test_client()
    response = client.post("/v1/lines", json={"lines": []}, headers={"Authorization": header} if header is not None else {})
    _problem(response, 401, "no-token")
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_the_token_opens_all_and_health_and_public_paths_need_none() -> None:
    client = _service(token="s3cret", public=("/v1/crash",)).test_client()
    assert client.post("/v1/lines", json={"lines": []}, headers={"Authorization": "Bearer s3cret"}).status_code == 200
    assert client.get("/healthz").status_code == 200
    assert client.post("/v1/crash", json={"lines": []}).status_code == 500
    assert client.get("/openapi.json").status_code == 401


@pytest.mark.parametrize("caller", ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1", ""])
def test_without_a_token_this_machine_is_answered(caller: str) -> None:
    client = _service().test_client()
    assert client.post("/v1/lines", json={"lines": []}, environ_overrides={"REMOTE_ADDR": caller}).status_code == 200


@pytest.mark.parametrize("caller", ["10.0.0.7", "192.168.1.2", "93.184.215.14", "2606:2800:21f::1", "::ffff:10.0.0.7", "somebody"])
def test_without_a_token_no_other_machine_is_answered_but_about_health(caller: str) -> None:
    client = _service(public=("/v1/crash",)).test_client()
    other = {"environ_overrides": {"REMOTE_ADDR": caller}}
    _problem(client.post("/v1/lines", json={"lines": []}, **other), 403, "no-token-set")
    assert client.get("/openapi.json", **other).status_code == 403
    assert client.get("/healthz", **other).status_code == 200
    assert client.post("/v1/crash", json={"lines": []}, **other).status_code == 500
    # a header that says otherwise is the caller's own word
    headers = {"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1"}
    assert client.post("/v1/lines", json={"lines": []}, headers=headers, **other).status_code == 403


def test_the_openapi_document_tells_of_problem_json() -> None:
    document: Any = _service(token="t").test_client().get("/openapi.json", headers={"Authorization": "Bearer t"}).json
    assert document["openapi"] == "3.1.0"
    assert document["security"] == [{"service": []}]
    responses = document["paths"]["/v1/lines"]["post"]["responses"]
    assert set(responses) == {"200", "400", "413", "415", "422", "default"}
    content = document["components"]["responses"]["UNPROCESSABLE_ENTITY"]
    assert list(content["content"]) == ["application/problem+json"]
    assert list(responses["200"]["content"]) == ["application/json"]
