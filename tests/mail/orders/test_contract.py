"""What the order language makes is what the rules take: every Holdfast example passes the rules' schema of packets."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.mail.orders.languages import language_of
from services.mail.orders.parse import parse
from services.rules.schemas import holdfast as rules
from services.rules.schemas.packet import PacketSchema, with_args
from services.rules.schemas.verbs import COMMON as RULES_COMMON
from tests.mail.orders.examples import COMMON, HOLDFAST
from tests.mail.orders.jumbles import JUMBLES
from tests.mail.orders.words import holdfast_words

VERBS = {**RULES_COMMON, **rules.VERBS}


def loaded(packet: dict[str, Any]) -> Any:
    return with_args(PacketSchema().load({"id": "G1-000001", "side": "axis", "seq": None, **packet}), VERBS)


def test_every_example_packet_is_one_for_the_rules() -> None:
    parsed = parse("holdfast", COMMON + HOLDFAST, holdfast_words())
    assert parsed.diagnostics == []
    packet = loaded(parsed.packet)
    assert len(packet.orders) == len(parsed.packet["orders"]) > 30
    for order, sent in zip(packet.orders, parsed.packet["orders"], strict=True):
        assert (order.verb, dict(order.args) | sent["args"]) == (sent["verb"], dict(order.args))


def test_both_have_the_same_verbs() -> None:
    mine = {verb.name for verb in language_of("holdfast").verbs} | {"DONE", "PASS", "NEXT", "PHASE", "CONCEDE", "CANCEL", "DUTY", "ON"}
    assert mine | {"DRAW"} == set(VERBS)  # a draw is both sides' will: what the desk sends, and nobody writes
    assert "DRAW" not in mine


def test_the_bounds_of_numbers_and_lists_are_those_of_the_rules() -> None:
    lines = ["COMMIT 20", "STEP PAVIA 20", "CANCEL 100000", "COMMIT TABLE " + " ".join(f"{n}:20" for n in range(20))]
    lines += ["IF RP>=1" + " AND RP>=1" * 9 + " PASS", "MOVE 21PZ " + " ".join(["1204"] * 97), "ON ABCDEFGHIJKLMNOP ASK"]
    parsed = parse("holdfast", lines, holdfast_words())
    assert parsed.diagnostics == []
    assert len(loaded(parsed.packet).orders) == len(lines)


@given(JUMBLES, st.sampled_from(["axis", "allied"]))
def test_whatever_is_read_without_fault_has_the_shape_that_the_rules_take(text: str, side: str) -> None:
    loaded(parse("holdfast", text, holdfast_words(side)).packet)
