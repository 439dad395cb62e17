"""What each kind of change does to the board, and that it does nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scenarios.hexes import Box, Hex
from services.rules.engine import changes as ch
from services.rules.engine.model import Change, Counter

A = Counter("A", "axis", "A", Hex(1, 1), marks=frozenset({"moved"}), num={"sp": 3, "mp": 1})
B = Counter("B", "allied", "B", Hex(2, 2))


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (ch.place("A", Box("pool")), replace(A, place=Box("pool"))),
        (ch.mark("A", "fired"), replace(A, marks=frozenset({"moved", "fired"}))),
        (ch.mark("A", "moved", False), replace(A, marks=frozenset())),
        (ch.number("A", "sp", 2), replace(A, num={"sp": 2, "mp": 1})),
        (ch.number("A", "mp", None), replace(A, num={"sp": 3})),
        (ch.face("A", "reduced"), replace(A, face="reduced")),
        (ch.parts("A", ("A1", "A2")), replace(A, parts=("A1", "A2"))),
    ],
)
def test_a_change_touches_one_counter_and_one_thing_of_it(change: Change, after: Counter) -> None:
    counters, own = {"A": A, "B": B}, {"rp": {"axis": 1}}
    assert ch.apply([change], counters, own) == {"rp": {"axis": 1}}
    assert counters == {"A": after, "B": B}


def test_counters_come_and_go() -> None:
    counters = {"A": A}
    ch.apply([ch.add(B), ch.remove("A")], counters, {})
    assert counters == {"B": B}


def test_a_value_of_the_games_own_is_set_and_removed_in_a_copy() -> None:
    own = {"rp": {"axis": 1, "allied": 2}, "month": "1"}
    after = ch.apply([ch.own("rp", "axis", 5), ch.own("month", None), ch.own("air", "X1", "used")], {}, own)
    assert after == {"rp": {"axis": 5, "allied": 2}, "air": {"X1": "used"}}
    assert own == {"rp": {"axis": 1, "allied": 2}, "month": "1"}


def test_a_change_of_no_kind_or_of_no_counter_is_our_bug() -> None:
    with pytest.raises(ValueError, match="no such change: spin"):
        ch.apply([("spin", "A")], {"A": A}, {})
    with pytest.raises(KeyError):
        ch.apply([ch.face("Z", "reduced")], {"A": A}, {})
