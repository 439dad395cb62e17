"""The state on the wire: nothing is lost, equal states are equal bytes, and what is no state is refused where it fails."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marshmallow import ValidationError

from scenarios.hexes import Box, Edge, Hex
from services.rules.engine.canonical import canonical
from services.rules.engine.model import Counter, GameState, Guard, Order
from services.rules.schemas import state as schemas
from services.rules.schemas.state import digest_of, dump_state, load_state, state_bytes
from tests.rules.schemas.positions import big_state, states


@settings(max_examples=25)
@given(states)
def test_a_state_comes_back_from_its_json_as_it_was(state: GameState) -> None:
    assert load_state(json.loads(state_bytes(state))) == state


@settings(max_examples=25)
@given(states)
def test_the_bytes_are_those_of_canonical_json(state: GameState) -> None:
    assert state_bytes(state) == canonical(dump_state(state))


@settings(max_examples=10)
@given(states, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_change_the_digest(state: GameState, random: Any) -> None:
    counters = list(state.counters.items())
    random.shuffle(counters)
    assert digest_of(replace(state, counters=dict(counters))) == digest_of(state)


def test_numbers_places_and_marks_lie_on_the_wire_as_the_contract_says() -> None:
    counter = Counter("21PZ", "axis", "21PZ", Hex(9, 7), marks=frozenset({"moved", "attacked"}), num={"sp": 4, "mp": Fraction(7, 2)})
    other = replace(counter, id="A", place=Box("pool-axis"), marks=frozenset(), num={"mp": Fraction(4, 2)})
    state = replace(big_state(0), counters={"21PZ": counter, "A": other, "B": replace(other, id="B", place=Edge("north"))})
    dumped = dump_state(state)["counters"]
    assert dumped["21PZ"] == {
        "side": "axis",
        "card": "21PZ",
        "place": "0907",
        "face": "",
        "parts": [],
        "marks": ["attacked", "moved"],
        "num": {"sp": 4, "mp": "7/2"},
    }
    assert (dumped["A"]["place"], dumped["A"]["num"], dumped["B"]["place"]) == ("box:pool-axis", {"mp": 2}, "edge:north")


def test_a_float_never_gets_into_a_state() -> None:
    with pytest.raises(TypeError, match="float"):
        dump_state(replace(big_state(1), own={"rp": 0.5}))


def _faults(raw: Any) -> Any:
    with pytest.raises(ValidationError) as caught:
        load_state(raw)
    return caught.value.messages


def _with(*way: Any, value: Any) -> Any:
    raw = json.loads(state_bytes(big_state(3)))
    at = raw
    for step in way[:-1]:
        at = at[step]
    at[way[-1]] = value
    return raw


@pytest.mark.parametrize(
    ("way", "value"),
    [
        (("counters", "U1", "place"), "99"),
        (("counters", "U1", "place"), 907),
        (("counters", "U1", "num"), {"sp": 1.5}),
        (("counters", "U1", "num"), {"sp": "1/0"}),
        (("counters", "U1", "num"), {"sp": 10**30}),
        (("counters", "U1", "num"), {"sp": True}),
        (("counters", "U1", "colour"), "red"),
        (("counters", "U1", "side"), "AXIS\n"),
        (("counters", "not a unit"), {}),
        (("seq",), {"axis": -1}),
        (("seq",), {"axis": 10**30}),
        (("seq",), [1]),
        (("path",), [["turn", 1.0]]),
        (("path",), [["turn"]]),
        (("hidden",), "xyz"),
        (("own",), {"rp": 2.5}),
        (("own",), {"rp": [10**30]}),
        (("own",), {"text": "x" * 501}),
        (("own",), {"x" * 501: "text"}),
        (("own",), {"list": [0] * 5001}),
        (("options",), None),
        (("agenda",), [["Attack", {"n": 0.1}]]),
        (("agenda",), [["Attack"]]),
        (("over",), {"winner": "axis"}),
        (("surplus",), 1),
        (("drawn",), {"k": "1"}),
        (("closing",), {"axis": "perhaps"}),
    ],
)
def test_what_is_wrong_is_refused_under_the_name_of_its_field(way: tuple[str, ...], value: Any) -> None:
    messages = _faults(_with(*way, value=value))
    if way == ("surplus",):
        assert "surplus" in json.dumps(messages)
    else:
        assert way[0] in messages


def test_the_faults_of_all_counters_are_told_by_unit() -> None:
    raw = _with("counters", "U1", "place", value=7)
    raw["counters"]["U2"]["colour"] = "red"
    assert set(_faults(raw)["counters"]) == {"U1", "U2"}


@pytest.mark.parametrize(
    "raw", [None, 7, "state", [], {}, {"format": True}, {"format": 0}, {"format": 2}, {"format": 10**40}, {"format": 1}]
)
def test_what_is_no_state_at_all_is_refused(raw: Any) -> None:
    assert _faults(raw)


def test_deep_nesting_in_free_json_is_refused() -> None:
    deep: Any = 1
    for _ in range(17):
        deep = [deep]
    assert "deep" in json.dumps(_faults(_with("own", value={"a": deep})))


def _tail(**more: Any) -> dict[str, Any]:
    line = {"line": 1, "verb": "PASS", "args": {}, "label": None, "guard": [], "confirm": False, "else": None}
    return {"axis": {"orders": [{**line, **more}], "fault": "stop", "anyway": False, "last": []}}


def test_a_guard_is_a_test_with_its_arguments_beside_it() -> None:
    guard = {"test": "sp", "not": True, "unit": "21PZ", "at_least": 2}
    (order,) = load_state(_with("tails", value=_tail(guard=[guard]))).tails["axis"].orders
    assert order.guard == (Guard("sp", {"unit": "21PZ", "at_least": 2}, True),)


@pytest.mark.parametrize(
    ("guard", "fault"),
    [
        ({}, "has a test"),
        ({"test": 7}, "has a test"),
        ({"test": ""}, "has a test"),
        ({"test": "x" * 41}, "has a test"),
        ({"test": "vacant", "not": "no"}, "has a test"),
        ({"test": "vacant", **{f"n{n}": n for n in range(6)}}, "at most 5 arguments"),
        ({"test": "vacant", "hex": 0.5}, "whole"),
    ],
)
def test_a_stored_guard_that_is_none_is_refused_in_its_place(guard: dict[str, Any], fault: str) -> None:
    messages = _faults(_with("tails", value=_tail(guard=[{"test": "vacated"}, guard])))
    assert fault in json.dumps(messages["tails"]["axis"]["orders"]["0"]["guard"]["1"])


@pytest.mark.parametrize("name", ["else", "then"])
@pytest.mark.parametrize("depth", [2, 500, 20_000])
def test_an_order_under_an_order_has_none_under_it(name: str, depth: int) -> None:
    line = _tail()["axis"]["orders"][0]
    under = {**line, name: line}
    (order,) = load_state(_with("tails", value=_tail(**under))).tails["axis"].orders
    assert (order.otherwise if name == "else" else order.then) == Order(1, "PASS", {})
    for _ in range(depth - 1):
        under = {**line, name: under}
    assert name in _faults(_with("tails", value=_tail(**under)))["tails"]["..."]["orders"]["0"][name]


def test_a_missing_field_is_named() -> None:
    raw = json.loads(state_bytes(big_state(1)))
    for name in raw:
        less = {key: value for key, value in raw.items() if key != name}
        assert name in json.dumps(_faults(less))


def test_an_older_format_is_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    old = json.loads(state_bytes(big_state(1)))
    old["format"] = -1
    old["sides"] = old.pop("seq")
    monkeypatch.setattr(
        schemas,
        "UPGRADES",
        {
            -1: lambda raw: {**{k: v for k, v in raw.items() if k != "sides"}, "seq": raw["sides"], "format": 0},
            0: lambda raw: {**raw, "format": 1},
        },
    )
    assert load_state(old) == big_state(1)


_PRIMITIVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
_RUBBISH = st.recursive(_PRIMITIVES, lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=5), x, max_size=3), max_leaves=5)


@settings(max_examples=40)
@given(st.data())
def test_any_part_of_a_state_may_be_rubbish_and_it_loads_or_is_refused(data: st.DataObject) -> None:
    raw: Any = json.loads(state_bytes(data.draw(states)))
    at = raw
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.booleans()):
            break
        at = at[key]
    at[key] = copy.deepcopy(data.draw(_RUBBISH))
    try:
        loaded = load_state(raw)
    except ValidationError:
        return
    assert load_state(json.loads(state_bytes(loaded))) == loaded
