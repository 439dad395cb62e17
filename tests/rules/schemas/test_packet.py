"""Packets on the wire: what a packet may hold, and where each fault lies."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marshmallow import ValidationError

from services.rules.engine.model import Guard, Order, Packet
from services.rules.schemas.game import schemas_of
from services.rules.schemas.packet import PacketSchema, with_args
from services.rules.schemas.state import dump_order
from services.rules.schemas.verbs import COMMON

HOLDFAST = schemas_of("holdfast").verbs


def _packet(*orders: Any, **more: Any) -> dict[str, Any]:
    return {"id": "G1-000012", "side": "axis", "orders": list(orders), **more}


def _order(verb: str, line: Any = 1, **more: Any) -> dict[str, Any]:
    args = more.pop("args", {})
    return {"line": line, "verb": verb, "args": args, **more}


def _load(raw: Any) -> Packet:
    loaded: Packet = PacketSchema().load(raw)
    return with_args(loaded, HOLDFAST)


def _faults(raw: Any) -> Any:
    with pytest.raises(ValidationError) as caught:
        _load(raw)
    return caught.value.messages


def test_a_packet_of_the_contract_is_read_and_what_is_left_out_is_filled_in() -> None:
    move = _order("MOVE", 3, args={"units": ["21PZ"], "path": ["0410", "0409"]})
    packet = _load(_packet(move, seq=7, fault="skip"))
    args = {"units": ["21PZ"], "path": ["0410", "0409"], "to": None, "via": [], "road": False, "strategic": False, "leader": False}
    assert packet == Packet("G1-000012", "axis", (Order(3, "MOVE", args),), seq=7, fault="skip")


def test_a_contingent_order_and_an_on_line_are_read_whole() -> None:
    guard = [{"test": "vacant", "hex": "1307"}, {"not": True, "test": "sp", "unit": "21PZ", "at_least": 3}]
    otherwise = _order("DONE", 2)
    contingent = _order("ENTER", args={"unit": "15PZ"}, guard=guard, **{"else": otherwise})
    on = _order("ON", 3, args={"window": "LOSSES"}, then=_order("LOSE", 3, args={"units": ["PAVIA"], "spare": ["21PZ"]}))
    packet = _load(_packet(contingent, standing=[on]))
    first, last = packet.orders[0], packet.standing[0]
    assert first.guard == (Guard("vacant", {"hex": "1307"}), Guard("sp", {"unit": "21PZ", "at_least": 3}, True))
    assert first.otherwise == Order(2, "DONE", {"turn": False, "auto": False})
    assert last.args == {"window": "LOSSES", "label": None, "results": [], "ask": False}
    assert last.then == Order(3, "LOSE", {"units": ["PAVIA"], "spare": ["21PZ"]})


def test_an_order_dumped_is_an_order_that_a_packet_may_bring() -> None:
    on = _order("ON", 3, args={"label": "ANY"}, then=_order("KEEP", 3, args={"unit": "ARIETE"}), **{"else": _order("PASS", 4)})
    packet = _load(_packet(on, _order("COMMIT", 5, args={"table": [[0, 0], [1, 2]]})))
    assert _load(_packet(*(dump_order(order) for order in packet.orders))) == packet


def test_five_hundred_orders_are_taken_and_one_more_is_not() -> None:
    lines = [_order("PASS", n) for n in range(1, 502)]
    assert len(_load(_packet(*lines[:500])).orders) == 500
    assert _faults(_packet(*lines)) == {"orders": ["Must have 0 to 500 items, not 501."]}


@pytest.mark.parametrize(
    ("order", "where"),
    [
        (_order("MARCH"), "verb"),
        (_order("move"), "verb"),
        (_order("MOVE\n"), "verb"),
        (_order("MOVE", line=-1), "line"),
        (_order("MOVE", line="3"), "line"),
        (_order("MOVE", line=1.0), "line"),
        (_order("MOVE", line=True), "line"),
        (_order("MOVE", args={"units": ["21PZ"], "path": ["0410"], "speed": 1}), "args"),
        (_order("MOVE", args={"units": ["21PZ"], "path": ["0410"], "to": "0411"}), "args"),
        (_order("MOVE", args={"units": ["21PZ"], "path": []}), "args"),
        (_order("MOVE", args={"units": ["21PZ", "15PZ"], "path": ["0410"]}), "args"),
        (_order("MOVE", args={"units": ["21PZ"], "path": ["410"]}), "args"),
        (_order("MOVE", args={"units": ["21PZ"], "path": ["0410"] * 101}), "args"),
        (_order("MOVE", args={"units": ["21PZ"], "path": ["0410"], "road": True}), "args"),
        (_order("MOVE", args={"units": ["twenty-one"], "path": ["0410"]}), "args"),
        (_order("MOVE", args={"units": ["21PZ"], "path": ["0410"], "leader": 1}), "args"),
        (_order("MOVE", args=["21PZ"]), "args"),
        (_order("PASS", args={f"n{n}": n for n in range(51)}), "args"),
        (_order("STEP", args={"unit": "ARIETE", "k": 0}), "args"),
        (_order("STEP", args={"unit": "ARIETE", "k": 1.5}), "args"),
        (_order("STEP", args={"unit": "ARIETE", "k": 10**30}), "args"),
        (_order("COMMIT", args={}), "args"),
        (_order("COMMIT", args={"n": 1, "table": [[0, 1]]}), "args"),
        (_order("COMMIT", args={"table": [[0, 1, 2]]}), "args"),
        (_order("CANCEL", args={"n": "SOME"}), "args"),
        (_order("CANCEL", args={"n": True}), "args"),
        (_order("CANCEL", args={}), "args"),
        (_order("CANCEL", args={"verb": "ATTACK"}), "args"),
        (_order("CANCEL", args={"n": 1, "verb": "ATTACK", "of": "1307"}), "args"),
        (_order("CANCEL", args={"verb": "ATTACK", "of": ["1307"]}), "args"),
        (_order("PASS", args={"n": 1}), "args"),
        (_order("PASS", guard=[{"test": "full-moon"}]), "guard"),
        (_order("PASS", guard=[{"test": "vacant"}]), "guard"),
        (_order("PASS", guard=[{"test": "vacant", "hex": "1307", "not": "no"}]), "guard"),
        (_order("PASS", guard=[{"test": "sp", "unit": "21PZ", "at_least": 2.5}]), "guard"),
        (_order("PASS", guard=[{"test": "disrupted"}]), "guard"),
        (_order("PASS", guard=[{"test": "vacated"}] * 11), "guard"),
        (_order("PASS", guard={"test": "vacated"}), "guard"),
        (_order("PASS", guard=["vacated"]), "guard"),
        (_order("PASS", guard=[{"test": "odds", "at_least": 1.5, "label": None}]), "guard"),
        (_order("PASS", guard=[{"test": "odds", "at_least": "3/0", "label": None}]), "guard"),
        (_order("PASS", then=_order("PASS")), "then"),
        (_order("PASS", **{"else": _order("PASS", **{"else": _order("PASS")})}), "else"),
        (_order("PASS", **{"else": _order("PASS", guard=[{"test": "vacated"}])}), "else"),
        (_order("PASS", **{"else": _order("MARCH")}), "else"),
        (_order("ON", args={"window": "LOSSES"}), "then"),
        (_order("ON", args={"window": "LOSSES", "ask": True}, then=_order("PASS")), "then"),
        (_order("ON", args={"window": "LOSSES"}, then=_order("ON")), "then"),
        (_order("PASS", label="no label"), "label"),
        (_order("PASS", confirm="yes"), "confirm"),
        (_order("PASS", colour="red"), "colour"),
    ],
)
def test_a_faulty_order_is_refused_and_the_fault_is_placed(order: dict[str, Any], where: str) -> None:
    faults = _faults(_packet(_order("PASS"), order))["orders"]
    assert [str(index) for index in faults] == ["1"]
    assert where in next(iter(faults.values()))


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"id": "no id"}, "id"),
        ({"id": "x" * 65}, "id"),
        ({"side": "Axis"}, "side"),
        ({"side": None}, "side"),
        ({"seq": -1}, "seq"),
        ({"seq": 2**53}, "seq"),
        ({"fault": "panic"}, "fault"),
        ({"anyway": 1}, "anyway"),
        ({"orders": None}, "orders"),
        ({"orders": "MOVE"}, "orders"),
        ({"orders": [None]}, "orders"),
        ({"standing": {}}, "standing"),
        ({"standing": [{"line": 1, "verb": "PASS"}]}, "standing"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_faulty_packet_is_refused_and_the_fault_is_placed(more: dict[str, Any], where: str) -> None:
    assert where in _faults({**_packet(), **more})


def test_all_faults_are_told_at_once() -> None:
    faults = _faults(
        _packet(
            _order("MARCH"), _order("PASS"), _order("STEP", args={"unit": "x", "k": 0, "z": 1}), standing=[_order("DUTY", args={"x": 1})]
        )
    )
    assert set(faults) == {"orders", "standing"}
    assert set(faults["orders"]) == {"0", "2"}
    assert set(faults["orders"]["2"]["args"]) == {"unit", "k", "z"}


_anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(["0410", "21PZ", "axis"]),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(["units", "path", "n", "hex", "test"]), below, max_size=3),
    max_leaves=5,
)
_names = st.sampled_from(["line", "verb", "args", "label", "guard", "else", "then", "confirm"])
_lines = st.fixed_dictionaries(
    {"line": st.integers(0, 9) | _anything, "verb": st.sampled_from([*HOLDFAST]) | _anything}, optional={"args": _anything}
) | st.dictionaries(_names, _anything, max_size=6)


@settings(max_examples=150)
@given(st.lists(_lines, max_size=3), st.dictionaries(st.sampled_from(["seq", "standing", "fault", "check", "id"]), _anything, max_size=2))
def test_no_packet_is_too_strange_to_be_read_or_refused(orders: list[Any], more: dict[str, Any]) -> None:
    try:
        packet = _load({**_packet(*orders), **more})
    except ValidationError:
        return
    assert _load({**_packet(*(dump_order(order) for order in packet.orders)), **more}) == packet


def test_every_game_has_the_common_verbs() -> None:
    assert {"DONE", "PASS", "NEXT", "PHASE", "CONCEDE", "DRAW", "CANCEL", "DUTY", "ON"} == set(COMMON)
    assert set(COMMON) < set(HOLDFAST)
