"""The rules service with Holdfast, called as any caller would, and the position in which its tests begin."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from flask.testing import FlaskClient

from services.rules.app import create_app
from services.rules.config import Config

SECRET = "5e" * 32
SEED = "ab" * 32


@lru_cache(maxsize=1)
def client() -> FlaskClient:
    return create_app(Config()).test_client()


def post(call: str, body: Any) -> Any:
    """The answer to a good call, as JSON."""
    response = client().post(f"/v1/{call}", json=body)
    assert response.status_code == 200, response.text
    return json.loads(response.data)


def problem(call: str, body: Any, status: int, code: str = "invalid-body") -> Any:
    """The problem that a bad call is answered with."""
    response = client().post(f"/v1/{call}", json=body)
    assert (response.status_code, response.content_type) == (status, "application/problem+json"), response.text
    found: Any = json.loads(response.data)
    assert found["code"] == code
    return found


def pointers(found: Any) -> list[str]:
    return [error["pointer"] for error in found["errors"]]


def order(verb: str, line: int = 1, **args: Any) -> dict[str, Any]:
    return {"line": line, "verb": verb, "args": args}


def packet(side: str, *orders: Any, **more: Any) -> dict[str, Any]:
    return {"id": "G1-000001", "side": side, "orders": list(orders), **more}


@lru_cache(maxsize=1)
def _opening() -> str:
    return json.dumps(post("states", {"scenario": "holdfast/campaign-1", "secret": SECRET}))


def opening() -> Any:
    """A new game: ``state``, ``digest``, ``events``. March 1941, clear; the Axis is asked for its air units."""
    return json.loads(_opening())


@lru_cache(maxsize=1)
def _march() -> str:
    body = {"state": opening()["state"], "packet": packet("axis", order("COMMIT", n=0)), "seed": SEED}
    return json.dumps(post("adjudications", body)["state"])


def march() -> Any:
    """The state in which the Axis's first half opens: nothing sent to Malta (the Allies have nothing to send), build step."""
    return json.loads(_march())


def contact() -> Any:
    """March, but with three Axis units around Msus, where 2ARM stands."""
    state = march()
    for unit, at in (("21PZ", "0804"), ("ARIETE", "0905"), ("TRENTA", "0906")):
        state["counters"][unit]["place"] = at
    return state


@lru_cache(maxsize=1)
def _clash() -> str:
    attack = order("ATTACK", hex="0805", units=["21PZ", "ARIETE", "TRENTA"])
    return json.dumps(post("adjudications", {"state": contact(), "packet": packet("axis", attack), "seed": "04" * 32}))


def clash() -> Any:
    """The outcome of an attack on 2ARM that stopped where the Axis must say who takes its hits."""
    return json.loads(_clash())
