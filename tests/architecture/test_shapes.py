"""The page of shapes (docs/decisions/0002) shows the JSON that the rules really give: states, views, decisions, kinds of events."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest

from tests.architecture.sources import ROOT, inside, tree
from worker import local

PAGE = (ROOT / "docs/decisions/0002-shapes.md").read_text(encoding="utf-8")


def shown(heading: str) -> Any:
    """The first JSON under a heading."""
    block = re.search(rf"^## {heading}.*?^```json\n(.*?)^```", PAGE, re.M | re.S)
    assert block is not None, heading
    return json.loads(block[1])


@pytest.fixture(scope="module")
def state() -> Any:
    return local.local_rules().new_state("holdfast/campaign-1", {}, "00" * 32)["state"]


def test_the_state_has_the_members_that_are_shown(state: Any) -> None:
    assert set(shown("State")) == set(state)
    assert set(shown("State")["counters"]["21PZ"]) == set(state["counters"]["21PZ"])


def test_a_view_has_the_members_that_are_shown(state: Any) -> None:
    page, seen = shown("View"), local.local_rules().view(state, "axis")
    assert set(page) == set(seen)
    assert set(page["own"]) == set(seen["own"])
    assert set(page["step"]) == set(seen["step"])
    assert {frozenset(one) - {"since"} for one in page["counters"]} == {frozenset(one) - {"since"} for one in seen["counters"]}


def test_a_decision_has_the_members_that_are_shown(state: Any) -> None:
    page, (found,), (seen,) = shown("Decision"), state["pending"], local.local_rules().view(state, "axis")["pending"]
    assert set(page) == set(found) == set(seen) | {"public"}
    assert (page["kind"], page["window"], page["verb"], page["public"]) == ("malta-axis", "MALTA", "COMMIT", found["public"])


def test_every_kind_of_event_is_named() -> None:
    kinds = {
        value.value
        for path in inside("services")
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "record" and call.args
        for value in ast.walk(call.args[0])
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    }
    assert {"moved", "battle"} <= kinds
    assert sorted(kind for kind in kinds if not re.search(rf"`{kind}[` ]", PAGE)) == []
