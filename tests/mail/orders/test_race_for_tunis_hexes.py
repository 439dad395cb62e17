"""Race for Tunis: a hex number that reads like a unit's id without its hyphens."""

from __future__ import annotations

from services.mail.orders.parse import parse

WORDS = {
    "units": {"1-7-10": {"side": "axis", "aliases": ["7-10-1"]}, "5-I": {"side": "axis", "aliases": []}},
    "places": {},
    "hexes": ["1610", "1710"],
    "side": "axis",
}


def test_a_hex_of_the_board_is_no_company_of_panzers() -> None:
    read = parse("race-for-tunis", ["MOVE 5-I 1710 1610"], WORDS)
    assert read.diagnostics == []
    assert [order["args"]["path"] for order in read.packet["orders"]] == [["1710", "1610"]]


def test_the_company_itself_is_still_called_by_its_id_or_an_alias() -> None:
    read = parse("race-for-tunis", ["MOVE 1-7-10 1710", "MOVE 7-10-1 1610"], WORDS)
    assert read.diagnostics == []
    assert [(order["args"]["units"], order["args"]["path"]) for order in read.packet["orders"]] == [
        (["1-7-10"], ["1710"]),
        (["1-7-10"], ["1610"]),
    ]
