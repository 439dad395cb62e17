"""States for the schemas' tests: hypothesis strategies of whole states, and one of 250 counters to measure with."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from scenarios.hexes import Box, Edge, Hex
from services.rules.engine.model import Counter, Decision, GameState, Guard, Order, Over, Standing, Tail

SIDES = ("axis", "allied")
_words = st.text("abcdefghij-", min_size=1, max_size=12)
_units = st.text("ABCXYZ019-", min_size=1, max_size=8)
_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_hexes = st.builds(Hex, st.integers(0, 99), st.integers(0, 99))
_places = st.one_of(_hexes, st.builds(Box, _words), st.builds(Edge, _words))
_exact = st.one_of(st.integers(-100, 10**9), st.fractions(-50, 50, max_denominator=8).map(lambda f: int(f) if f.denominator == 1 else f))
_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | _texts,
    lambda below: st.lists(below, max_size=2) | st.dictionaries(_words, below, max_size=2),
    max_leaves=4,
)
_objects = st.dictionaries(_texts, _json, max_size=2)
_labels = st.none() | st.text("AB019+-", min_size=1, max_size=8)
_verbs = st.text("ABCXYZ", min_size=1, max_size=10)
_guards = st.builds(Guard, _words, st.dictionaries(_words.filter(lambda w: w not in ("test", "not")), _json, max_size=3), st.booleans())
_plain_orders = st.builds(Order, st.integers(1, 500), _verbs, _objects, _labels, st.just(()), confirm=st.booleans())
_orders = st.builds(
    Order,
    st.integers(0, 500),
    _verbs,
    _objects,
    _labels,
    st.lists(_guards, max_size=2).map(tuple),
    st.none() | _plain_orders,
    st.none() | _plain_orders,
    st.booleans(),
)
_order_lists = st.lists(_orders, max_size=2).map(tuple)
_parts_of_path = st.tuples(_words, _words | st.integers(0, 99))
_paths = st.lists(_parts_of_path, max_size=4).map(tuple)
_decisions = st.builds(
    Decision,
    id=_words,
    kind=_words,
    window=_words,
    side=st.sampled_from(SIDES),
    clause=_words,
    verb=_verbs,
    default=_objects,
    choices=st.none() | st.lists(_objects, max_size=3).map(tuple),
    rule=st.none() | _objects,
    group=st.none() | _words,
    sealed=st.booleans(),
    label=_labels,
    context=_objects,
    deadline=_words,
    public=st.booleans(),
)


def _by_side(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(SIDES), values, max_size=2)


@st.composite
def _counters(draw: st.DrawFn) -> dict[str, Counter]:
    ids = draw(st.lists(_units, max_size=5, unique=True))
    return {
        key: Counter(
            key,
            draw(st.sampled_from(SIDES)),
            draw(_words),
            draw(_places),
            draw(st.sampled_from(["", "back"])),
            tuple(draw(st.lists(_units, max_size=2))),
            frozenset(draw(st.lists(_words, max_size=3))),
            draw(st.dictionaries(_words, _exact, max_size=3)),
        )
        for key in ids
    }


states: st.SearchStrategy[GameState] = st.builds(
    GameState,
    game=_words,
    scenario=_words,
    data_digest=st.just("ab" * 32),
    options=_objects,
    path=_paths,
    counters=_counters(),
    own=_objects,
    hidden=st.just("cd" * 32),
    seq=_by_side(st.integers(0, 10**6)),
    branch=st.integers(0, 9),
    agenda=st.lists(st.tuples(_words, _objects), max_size=3).map(tuple),
    pending=st.lists(_decisions, max_size=2).map(tuple),
    answers=st.dictionaries(_words, _objects, max_size=2),
    sets=st.dictionaries(_words, _order_lists, max_size=2),
    standing=_by_side(st.lists(st.builds(Standing, st.integers(1, 99), _orders), max_size=2).map(tuple)),
    on=_by_side(_order_lists),
    tails=_by_side(st.builds(Tail, _order_lists, st.sampled_from(["stop", "skip"]), st.booleans(), _paths)),
    drawn=st.dictionaries(_texts, st.integers(0, 99), max_size=3),
    asked=_by_side(_words),
    closing=_by_side(st.sampled_from(["own", "own-auto", "other", "other-auto"])),
    results=st.dictionaries(_words, _json, max_size=2),
    opened=_by_side(st.integers(0, 99)),
    ids=_by_side(st.integers(0, 99)),
    over=st.none() | st.builds(Over, st.none() | st.sampled_from(SIDES), _words, _words),
)


def big_state(counters: int = 250) -> GameState:
    """A state of ``counters`` counters, about 60 kB on the wire."""
    made = {
        f"U{n}": Counter(
            id=f"U{n}",
            side=SIDES[n % 2],
            card=f"U{n}",
            place=Hex(1 + n % 36, 1 + n // 36),
            face="front",
            parts=(f"P{n}-1", f"P{n}-2"),
            marks=frozenset({"moved", "attacked", "supplied"}),
            num={"sp": 3, "mp": Fraction(7, 2), "cf": Fraction(1, 4), "seen-sp": 2, "at": 5, "range": 12},
        )
        for n in range(counters)
    }
    return GameState(
        game="holdfast",
        scenario="campaign-1",
        data_digest="ab" * 32,
        options={"tempo": "normal"},
        path=(("turn", 3), ("player-turn", "axis"), ("step", "action")),
        counters=made,
        own={"blocks": {f"X{n}": f"U{n}" for n in range(counters)}, "control": {f"{n:04d}": "axis" for n in range(100)}},
        hidden="cd" * 32,
        seq={"axis": 5, "allied": 4},
        drawn={f'[3,"axis","action",0,"11.2","{n:04d}","","attack"]': 1 for n in range(30)},
    )
