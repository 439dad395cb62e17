"""Whatever is sent, the rules service answers: an outcome or a problem, never a 500, and the same body always the same bytes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rules.api.service import SEED, clash, client, contact, march, opening, packet, post

ANSWERS = {200, 400, 404, 409, 422}
few = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    words: dict[str, Any] = json.loads(client().get("/v1/scenarios/holdfast/campaign-1").data)
    return words


@lru_cache(maxsize=1)
def _units() -> st.SearchStrategy[str]:
    return st.sampled_from([*sorted(_words()["units"]), "NOBODY"])


@lru_cache(maxsize=1)
def _hexes() -> st.SearchStrategy[str]:
    near = ["0210", "0310", "0410", "0510", "0609", "0708", "0805", "1203", "1803", "2205"]
    return st.sampled_from(near) | st.sampled_from([*_words()["hexes"], "9999"])


def _flags(*names: str) -> st.SearchStrategy[dict[str, bool]]:
    return st.dictionaries(st.sampled_from(names), st.booleans(), max_size=2)


@lru_cache(maxsize=1)
def _args() -> dict[str, st.SearchStrategy[dict[str, Any]]]:
    one = st.fixed_dictionaries({"unit": _units()})
    some = st.lists(_units(), min_size=1, max_size=3)
    to = st.builds(lambda u, h, f: {"units": [u], "to": h, **f}, _units(), _hexes(), _flags("road", "strategic", "leader"))
    path = st.builds(lambda u, p, f: {"units": [u], "path": p, **f}, _units(), st.lists(_hexes(), min_size=1, max_size=4), _flags("leader"))
    attack = st.builds(
        lambda h, u, a, x: {"hex": h, "units": u, "air": a, **x},
        _hexes(),
        some,
        st.sampled_from([None, "X1", "L1", "Z9"]),
        _flags("leader"),
    )
    pairs = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=1, max_size=4)
    return {
        "COMMIT": st.builds(lambda n: {"n": n}, st.integers(0, 5)) | st.builds(lambda t: {"table": t}, pairs),
        **dict.fromkeys(("ENTER", "DELAY", "REBUILD", "KEEP"), one),
        "STEP": st.builds(lambda u, k: {"unit": u, "k": k}, _units(), st.integers(1, 4)),
        "MOVE": to | path,
        "ATTACK": attack,
        "LOSE": st.builds(lambda u, s: {"units": u, "spare": s}, some, some),
        "DONE": _flags("turn", "auto"),
        "PASS": st.just({}),
        "NEXT": st.just({}),
        "PHASE": st.builds(lambda n: {"name": n}, st.sampled_from(["build", "action", "malta axis", "tea"])),
        "CANCEL": st.builds(lambda n: {"n": n}, st.integers(1, 3) | st.just("ALL")),
        "DUTY": st.just({"auto": True}),
    }


@lru_cache(maxsize=1)
def _guards() -> st.SearchStrategy[dict[str, Any]]:
    negated = st.fixed_dictionaries({"not": st.booleans()})
    unit, at = st.fixed_dictionaries({"unit": _units()}), st.fixed_dictionaries({"hex": _hexes()})
    side = st.sampled_from(["axis", "allied", "british"])
    tests: list[tuple[str, st.SearchStrategy[dict[str, Any]]]] = [
        *((test, at) for test in ("vacant", "free", "disrupted")),
        *((test, unit) for test in ("alive", "supplied", "engaged", "landed", "disrupted")),
        ("held", st.builds(lambda h, s: {"hex": h, "side": s}, _hexes(), side)),
        ("at", st.builds(lambda u, h: {"unit": u, "hex": h}, _units(), _hexes())),
        ("sp", st.builds(lambda u, k: {"unit": u, "at_least": k}, _units(), st.integers(0, 5))),
        ("rp", st.builds(lambda k: {"at_least": k}, st.integers(0, 15))),
        ("weather", st.builds(lambda w: {"is": w}, st.sampled_from(["clear", "poor", "hail"]))),
        ("result", st.builds(lambda label: {"label": label, "in": ["D1"]}, st.sampled_from(["A1", "1803"]))),
        ("odds", st.builds(lambda label, k: {"label": label, "at_least": k}, st.sampled_from([None, "A1"]), st.sampled_from([2, "1/2"]))),
        ("holds", st.builds(lambda h: {"hex": h, "kind": "armor"}, _hexes())),
        ("vacated", st.just({})),
        ("french", st.just({})),
    ]
    return st.one_of([st.builds(lambda a, n, t=test: {"test": t, **a, **n}, args, negated) for test, args in tests])


@lru_cache(maxsize=1)
def _verbs() -> st.SearchStrategy[str]:
    return st.sampled_from(["MOVE", "MOVE", "MOVE", "ATTACK", *sorted(_args())])


@lru_cache(maxsize=1)
def _some_guards() -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(_guards(), min_size=1, max_size=2)


@st.composite
def orders(draw: st.DrawFn, line: int = 1) -> dict[str, Any]:
    """A well-formed order, legal or not; sometimes contingent, sometimes an ``ON`` line."""
    args = _args()

    def simple() -> dict[str, Any]:
        verb = draw(_verbs())
        return {"line": line, "verb": verb, "args": draw(args[verb])}

    if draw(st.integers(0, 5)) == 0:
        on: dict[str, Any] = {"window": draw(st.sampled_from(["MALTA", "LOSSES", "SURPLUS"])), "label": None, "results": [], "ask": False}
        return {"line": line, "verb": "ON", "args": on, "then": simple(), "else": simple() if draw(st.booleans()) else None}
    order = simple() | {"confirm": draw(st.booleans())}
    if draw(st.integers(0, 4)) == 0:
        order |= {"guard": draw(_some_guards()), "else": simple() if draw(st.booleans()) else None}
    if order["verb"] == "ATTACK" and draw(st.booleans()):
        order["label"] = "A1"
    return order


@st.composite
def packets(draw: st.DrawFn) -> dict[str, Any]:
    """A well-formed packet of either side."""
    lines = [draw(orders(n)) for n in range(1, draw(st.integers(1, 6)) + 1)]
    flags = draw(st.dictionaries(st.sampled_from(["anyway", "check", "hold", "append"]), st.booleans(), max_size=2))
    standing = [on for on in (draw(orders(90)) for _ in range(draw(st.integers(0, 2)))) if on["verb"] in ("ON", "DUTY")]
    return packet(
        draw(st.sampled_from(["axis", "axis", "axis", "allied"])),
        *lines,
        standing=standing,
        fault=draw(st.sampled_from(["stop", "skip"])),
        **flags,
    )


def _clashed() -> Any:
    return clash()["state"]


@few
@given(st.sampled_from([march, contact, _clashed]), st.lists(packets(), min_size=1, max_size=4))
def test_any_orders_have_an_outcome_and_the_same_one_twice(begin: Callable[[], Any], sent: list[dict[str, Any]]) -> None:
    state = begin()
    for n, one in enumerate(sent):
        post("legal-orders", {"state": state, "side": one["side"], "packet": one})
        body = {"state": state, "packet": one, "seed": f"{n:064x}"}
        first, second = (client().post("/v1/adjudications", json=body) for _ in range(2))
        assert first.status_code == 200, first.text
        assert first.data == second.data
        outcome = json.loads(first.data)
        if outcome["status"] != "done":
            assert outcome["state"] == state
        state = outcome["state"]
        post("views", {"state": state, "side": (None, "axis", "allied")[n % 3], "events": outcome["events"]})
        post("legal-orders", {"state": state, "side": ("axis", "allied")[n % 2]})


_rubbish: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    lambda below: st.lists(below, max_size=2) | st.dictionaries(st.text("abc/~", max_size=3), below, max_size=2),
    max_leaves=4,
)


def _spoiled(draw: st.DrawFn, whole: Any) -> Any:
    """``whole`` with one part of it replaced by something else, taken away, or put in twice under a new name."""
    spoiled = copy.deepcopy(whole)
    at = spoiled
    while True:
        keys = sorted(at) if isinstance(at, dict) else list(range(len(at)))
        key = draw(st.sampled_from(keys))
        if isinstance(at[key], dict | list) and at[key] and draw(st.integers(0, 3)):
            at = at[key]
            continue
        break
    how = draw(st.integers(0, 3))
    if how == 0:
        del at[key]
    elif how == 1 and isinstance(at, dict):
        at[draw(st.text("abcXYZ019", max_size=6))] = copy.deepcopy(at[key])
    else:
        at[key] = draw(_rubbish)
    return spoiled


@st.composite
def _spoiled_bodies(draw: st.DrawFn) -> tuple[str, Any]:
    state = draw(st.sampled_from([march, lambda: opening()["state"], _clashed]))()
    orders_ = [{"line": 1, "verb": "MOVE", "args": {"units": ["21PZ"], "to": "0410"}}, {"line": 2, "verb": "DONE", "args": {}}]
    call, body = draw(
        st.sampled_from(
            [
                ("adjudications", {"state": state, "packet": packet("axis", *orders_), "seed": SEED}),
                ("views", {"state": state, "side": "axis", "events": clash()["events"]}),
                ("legal-orders", {"state": state, "side": "axis", "packet": packet("axis", *orders_)}),
                ("states", {"scenario": "holdfast/campaign-1", "secret": SEED, "options": {"tempo": "full"}}),
            ]
        )
    )
    return call, _spoiled(draw, body)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(_spoiled_bodies())
def test_a_spoiled_body_is_answered_or_refused_and_never_a_500(sent: tuple[str, Any]) -> None:
    call, body = sent
    response = client().post(f"/v1/{call}", json=body)
    assert response.status_code in ANSWERS, (response.text, json.dumps(body)[:3000])
    if response.status_code != 200:
        assert response.content_type == "application/problem+json"
        assert json.loads(response.data)["detail"]
