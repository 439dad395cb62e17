"""What is The Fall of Tobruk's own in its order language."""

from __future__ import annotations

import pytest

from services.mail.orders.parse import parse


@pytest.mark.parametrize(
    ("line", "avoid"),
    [
        ("RETREAT POLICY AVOID ZOC,MINES", ["ZOC", "MINE"]),
        ("RETREAT POLICY OVERSTACK", ["OVERSTACK"]),
        ("RETREAT POLICY AVOID STACKING,ZONE", ["OVERSTACK", "ZOC"]),
    ],
)
def test_a_policy_of_retreats_names_what_it_avoids_in_any_order(line: str, avoid: list[str]) -> None:
    parsed = parse("fall-of-tobruk", [line])
    assert parsed.diagnostics == []
    assert parsed.packet["orders"][0]["args"]["avoid"] == avoid


def test_a_policy_of_retreats_that_avoids_something_else_is_told_what_there_is() -> None:
    (found,) = parse("fall-of-tobruk", ["RETREAT POLICY AVOID ZOC,HEAT"]).diagnostics
    assert (found.line, found.expected) == (1, ["ZOC", "MINE", "OVERSTACK"])


@pytest.mark.parametrize(
    ("said", "meant"), [("D back 2", "DR2"), ("DB3", "DR3"), ("A bk 1", "AR1"), ("Exch", "EX"), ("D elim", "DE"), ("Cont", "CON")]
)
def test_results_may_be_written_as_they_are_printed(said: str, meant: str) -> None:
    parsed = parse("fall-of-tobruk", ["ATTACK 1422 WITH 115 AS A1", f"ON A1 IN ({said}) ADVANCE 115 TO 1422"])
    assert parsed.diagnostics == []
    assert parsed.packet["orders"][1]["args"]["results"] == [meant]
