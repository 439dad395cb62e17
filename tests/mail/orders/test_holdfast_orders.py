"""Holdfast's orders as JSON, worked out by hand; units, places and hexes are looked up."""

from __future__ import annotations

from typing import Any

import pytest

from services.mail.orders.parse import parse
from services.mail.orders.printing import print_orders
from tests.mail.orders.words import SMALL, bare, holdfast_words

BY_PATH = {"units": ["21PZ"], "path": ["0310", "0410"], "to": None, "strategic": False, "leader": False}
TO_HEX = {"units": ["21PZ"], "path": [], "to": "1803", "via": [], "road": False, "strategic": False, "leader": False}
ATTACK = {"hex": "1307", "units": ["PAVIA", "TRENTA"], "air": None, "leader": False, "lose": []}


def one(line: str, words: dict[str, Any] | None = SMALL) -> dict[str, Any]:
    """The only order of a line without faults."""
    parsed = parse("holdfast", [line], words)
    assert parsed.diagnostics == []
    (order,) = parsed.packet["orders"] or parsed.packet["standing"]
    found: dict[str, Any] = order
    return found


@pytest.mark.parametrize(
    ("line", "args"),
    [
        ("MOVE 21PZ 0310 0410", BY_PATH),
        ("move 21-Pz 0310,0410", BY_PATH),
        ("MOVE 21st Panzer 0310-0410", BY_PATH),
        ("MOVE 21 pz 0310 -> 0410", BY_PATH),
        ("MOVE 21st-panzer 0310 > 0410 LEADER", BY_PATH | {"leader": True}),
        ("MOVE 21PZ El Agheila Mersa Matruh", BY_PATH | {"path": ["0210", "2804"]}),
        ("MOVE 21PZ TO Tobruk", TO_HEX),
        ("MOVE 21PZ TO 1803 BY ROAD", TO_HEX | {"road": True}),
        ("MOVE 21PZ TO 1803 STRATEGIC LEADER BY ROAD", TO_HEX | {"road": True, "strategic": True, "leader": True}),
        ("MOVE 21PZ TO TOBRUK VIA el-agheila, 1307 0410", TO_HEX | {"via": ["0210", "1307", "0410"]}),
        ("ATTACK 1307 WITH PAVIA,TRENTA", ATTACK),
        ("ATTACK 1307 WITH Pavia + Trento", ATTACK),
        ("ATTACK 1307 WITH Pavia and Trenta LEADER", ATTACK | {"leader": True}),
        ("ATTACK 1307 WITH PAVIA TRENTA AIR X1 LOSE TRENTA , PAVIA", ATTACK | {"air": "X1", "lose": ["TRENTA", "PAVIA"]}),
        ("ATTACK Tobruk WITH 21PZ LOSS 21PZ", ATTACK | {"hex": "1803", "units": ["21PZ"], "lose": ["21PZ"]}),
        ("COMMIT 2", {"n": 2}),
        ("COMMIT TABLE 0:0 1:0 2:1 3:1", {"table": [[0, 0], [1, 0], [2, 1], [3, 1]]}),
        ("COMMIT TABLE 0:0, 1:2", {"table": [[0, 0], [1, 2]]}),
        ("ENTER 15PZ", {"unit": "15PZ"}),
        ("HOLD 15PZ", {"unit": "15PZ"}),
        ("STEP Pavia", {"unit": "PAVIA", "k": 1}),
        ("STEP Pavia 2", {"unit": "PAVIA", "k": 2}),
        ("LOSE PAVIA,TRENTA", {"units": ["PAVIA", "TRENTA"], "spare": []}),
        ("SPARE 21PZ LOSE PAVIA", {"units": ["PAVIA"], "spare": ["21PZ"]}),
        ("KEEP 51st Para", {"unit": "51PARA"}),
    ],
)
def test_arguments_of_an_order(line: str, args: dict[str, Any]) -> None:
    assert one(line)["args"] == args


def test_hold_with_a_unit_is_the_old_word_for_delay() -> None:
    assert one("HOLD 15PZ")["verb"] == "DELAY"


def test_a_label_is_the_orders_own_and_not_an_argument() -> None:
    order = one("ATTACK 1307 WITH PAVIA,TRENTA AS a1")
    assert (order["label"], order["args"]) == ("A1", ATTACK)


def test_an_id_that_belongs_to_the_other_side_still_serves_as_an_own_name() -> None:
    words = SMALL | {"units": SMALL["units"] | {"PARA": {"name": "Para", "side": "allied"}, "7GDS": {"name": "Para", "side": "axis"}}}
    assert one("ENTER para", words)["args"] == {"unit": "7GDS"}


def test_without_a_vocabulary_only_the_shape_counts() -> None:
    assert one("MOVE 99X TO Nowhere At All BY ROAD", None)["args"] | {"to": ""} == TO_HEX | {"units": ["99X"], "to": "", "road": True}
    assert parse("holdfast", ["MOVE ninety-ninth-x TO 1204"]).diagnostics[0].code == "unexpected"


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_every_unit_of_the_counter_mix_is_known_by_each_of_its_names(side: str) -> None:
    words = holdfast_words(side)
    for unit, entry in words["units"].items():
        if entry["side"] == side:
            for name in (unit, entry["name"], *entry["aliases"]):
                assert one(f"DELAY {name.lower()}", words)["args"] == {"unit": unit}, name


def test_every_place_of_the_map_is_known_by_its_name() -> None:
    words = holdfast_words()
    for name, at in words["places"].items():
        assert one(f"MOVE 21PZ TO {name.title()} BY ROAD", words)["args"]["to"] == at, name


def test_orders_are_printed_in_one_spelling() -> None:
    text = ["MOVE 21st panzer to tobruk leader via 1307,1308", "spare 21pz lose pavia,trenta", "attack 1307 with pavia and trenta as x"]
    parsed = parse("holdfast", text, SMALL)
    printed = [
        "MOVE 21PZ TO 1803 VIA 1307,1308 LEADER",
        "LOSE PAVIA,TRENTA SPARE 21PZ",
        "ATTACK 1307 WITH PAVIA,TRENTA AS X",
    ]
    assert parsed.printed == printed
    assert print_orders("holdfast", parsed.packet["orders"]) == printed
    assert bare(parse("holdfast", printed, SMALL).packet) == bare(parsed.packet)


@pytest.mark.parametrize(
    "order",
    [
        {"verb": "FLY", "args": {}},
        {"verb": "MOVE", "args": {"units": ["21PZ"]}},
        {"verb": "MOVE", "args": {"units": ["21PZ"], "to": "1803", "wings": 2}},
        {"verb": "PASS", "args": {}, "guard": [{"test": "windy"}]},
    ],
)
def test_what_has_no_form_in_the_language_is_not_printed(order: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        print_orders("holdfast", [order])


def test_what_a_legal_order_leaves_out_is_left_out_of_the_line() -> None:
    assert print_orders("holdfast", [{"verb": "MOVE", "args": {"units": ["21PZ"], "path": ["0310"]}}]) == ["MOVE 21PZ 0310"]
