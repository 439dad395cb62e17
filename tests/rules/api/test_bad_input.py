"""Bad input: a clear problem each, never a 500, and the game as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from services.rules.app import create_app
from services.rules.config import Config
from services.rules.registry import load_games
from tests.rules.api.service import SECRET, SEED, clash, client, march, opening, order, packet, pointers, post, problem


def _refused(*orders: Any, side: str = "axis", **more: Any) -> Any:
    """The rejections of a packet that is refused whole; the state comes back as it went."""
    before = march()
    outcome = post("adjudications", {"state": before, "packet": packet(side, *orders, **more), "seed": SEED})
    assert outcome["status"] in ("refused", "stale")
    assert outcome["state"] == before
    assert (outcome["events"], outcome["ran"]) == ([], False)
    return outcome["rejections"]


def test_an_unknown_unit_is_refused_by_name() -> None:
    rejections = _refused(order("MOVE", 3, units=["999PZ"], to="0310"))
    assert [(r["line"], r["code"], r["details"]["unit"]) for r in rejections] == [(3, "unknown-unit", "999PZ")]


def test_a_unit_of_the_other_side_is_refused() -> None:
    assert [r["code"] for r in _refused(order("MOVE", units=["9AUS"], to="0310"))] == ["not-yours"]


@pytest.mark.parametrize("path", [["1803"], ["0310", "0312"], ["0210"], ["9999"], ["0000"], ["0209"]])
def test_an_impossible_path_is_refused_under_a_clause(path: list[str]) -> None:
    (rejection,) = _refused(order("MOVE", units=["21PZ"], path=path))
    assert rejection["line"] == 1
    assert rejection["clause"]


def test_the_side_whose_turn_it_is_not_is_refused() -> None:
    (rejection,) = _refused(order("DONE"), side="allied")
    assert (rejection["line"], rejection["code"]) == (1, "nothing-open")


def test_a_side_that_the_game_has_not_is_refused() -> None:
    assert [(r["line"], r["code"]) for r in _refused(side="british")] == [(0, "no-such-side")]


def test_an_answer_to_a_turn_gone_by_is_stale() -> None:
    state = march()
    state["opened"] = {"axis": 5, "allied": 5}
    outcome = post("adjudications", {"state": state, "packet": packet("axis", order("DONE"), seq=4), "seed": SEED})
    assert (outcome["status"], [r["code"] for r in outcome["rejections"]]) == ("stale", ["stale"])
    assert outcome["state"] == state


def test_too_few_rp_are_said_with_what_is_needed_and_what_is_left() -> None:
    state = march()
    state["own"]["rp"]["axis"] = 1
    moves = [order("MOVE", 1, units=["21PZ"], to="0310"), order("MOVE", 2, units=["ARIETE"], to="0310")]
    outcome = post("adjudications", {"state": state, "packet": packet("axis", *moves), "seed": SEED})
    assert (outcome["status"], outcome["state"]) == ("refused", state)
    (rejection,) = outcome["rejections"]
    assert (rejection["line"], rejection["code"], rejection["clause"]) == (2, "too-few-rp", "11.1b")
    assert rejection["details"] == {"needed": 1, "rp": 0}


def test_all_faults_of_a_packet_are_told() -> None:
    rejections = _refused(order("MOVE", 1, units=["9AUS"], to="0310"), order("DELAY", 2, unit="NOBODY"), order("STEP", 3, unit="4IND"))
    assert [r["line"] for r in rejections] == [1, 2, 3]


def test_a_wrong_digest_is_409() -> None:
    body = {"state": march(), "packet": packet("axis", order("DONE")), "seed": SEED, "digest": "00" * 32}
    problem("adjudications", body, 409, "wrong-digest")
    assert pointers(problem("adjudications", {**body, "digest": "zz"}, 422)) == ["#/digest"]


def test_a_megabyte_of_orders_is_refused_by_their_number() -> None:
    orders = [order("MOVE", n, units=["21PZ"], path=["0310"] * 9) for n in range(1, 8000)]
    body = {"state": march(), "packet": packet("axis", *orders), "seed": SEED}
    assert len(json.dumps(body)) > 1_000_000
    assert pointers(problem("adjudications", body, 422)) == ["#/packet/orders"]


def test_more_than_the_service_takes_is_413() -> None:
    response = client().post("/v1/adjudications", data=b" " * 4_000_001, content_type="application/json")
    assert (response.status_code, response.content_type) == (413, "application/problem+json")


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n\x00\xff" * 50, b"{" * 5000, b"[" * 100_000, b"null", b"7", b'"state"'])
@pytest.mark.parametrize("call", ["states", "adjudications", "views", "legal-orders", "adjutant"])
def test_binary_rubbish_is_a_problem(call: str, data: bytes) -> None:
    response = client().post(f"/v1/{call}", data=data, content_type="application/json")
    assert response.status_code in (400, 422)
    assert response.content_type == "application/problem+json"


@pytest.mark.parametrize(
    ("way", "value"),
    [
        ("counters/21PZ/place", "9999"),
        ("counters/21PZ/place", "nowhere"),
        ("counters/21PZ/num", {"sp": 0.5}),
        ("counters/21PZ/num", {}),
        ("counters/21PZ/num", {"sp": 5}),
        ("counters/21PZ/num", {"sp": -1}),
        ("counters/21PZ/num", {"sp": 0}),
        ("counters/21PZ/place", "0101"),
        ("counters/21PZ/place", "0805"),
        ("counters/21PZ/side", "allied"),
        ("counters/21PZ/side", "british"),
        ("counters/21PZ/card", "ZZZ"),
        ("counters/21PZ/card", "15PZ"),
        ("path", []),
        ("path", [["turn", 1], ["step", "tea"]]),
        ("path", [["turn", 23], ["player-turn", "axis"], ["step", "build"]]),
        ("path", [["turn", "one"], ["player-turn", "axis"], ["step", "build"]]),
        ("seq", {"british": 1}),
        ("seq", {"axis": 1.5}),
        ("options", {"tempo": "presto"}),
        ("options", {"cheating": True}),
        ("agenda", [["Tea", {}]]),
        ("agenda", [["@leave", {"x": 1}]]),
        ("pending", [{}]),
        ("own", {}),
        ("own/rp", {"axis": 1}),
        ("own/rp", {"axis": 1, "allied": -1}),
        ("own/control", {"0101": "axis"}),
        ("own/weather", "fog"),
        ("own/blocks", {}),
        ("own/extra", 1),
        ("answers", {"axis-9": {"args": {}, "source": "asked"}}),
        ("tails", {"axis": {"orders": [{"line": 1}], "fault": "stop", "anyway": False, "last": []}}),
        ("hidden", "secret"),
        ("format", 2),
        ("over", "yes"),
    ],
)
def test_a_malformed_state_is_refused_where_it_fails(way: str, value: Any) -> None:
    state = march()
    at = state
    *above, last = way.split("/")
    for step in above:
        at = at[step]
    at[last] = value
    body = {"state": state, "packet": packet("axis", order("DONE")), "seed": SEED}
    found = pointers(problem("adjudications", body, 422))
    assert all(pointer.startswith(f"#/state/{way.split('/')[0]}") for pointer in found) or found == ["#/state"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"agenda": [["CloseAttack", {"hex": "0805", "label": "0805", "units": ["NOBODY"]}]]}, "#/state/agenda"),
        ({"agenda": [["CloseAttack", {"hex": "0805", "label": "0805"}]]}, "#/state/agenda/0"),
        ({"context": {}}, "#/state/pending/0/context"),
        ({"context": {"dice": [7], "units": ["21PZ"]}}, "#/state/pending/0/context/dice/0"),
        ({"context": {"dice": [6], "units": ["NOBODY"]}}, "#/state/pending"),
        ({"kind": "tea"}, "#/state/pending/0/kind"),
        ({"side": "british"}, "#/state/pending/0/side"),
        ({"verb": "KEEP"}, "#/state/pending/0/verb"),
        ({"default": {"n": 1}}, "#/state/pending/0/default/n"),
        ({"choices": [{"units": ["21PZ"]}, {"units": "21PZ"}]}, "#/state/pending/0/choices/1/units"),
    ],
)
def test_an_open_decision_and_the_work_under_it_must_make_sense(change: dict[str, Any], where: str) -> None:
    state = clash()["state"]
    if "agenda" in change:
        state |= change
    else:
        state["pending"][0] |= change
    assert pointers(problem("legal-orders", {"state": state, "side": "axis"}, 422)) == [where]


LINE = {"line": 1, "args": {}, "label": None, "guard": [], "else": None, "confirm": False}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"own": {"seen": {"V99": {"unit": "2ARM", "sp": 1, "month": "1941-03"}}}}, "#/state/own/seen"),
        ({"answers": {"axis-2": {"args": {}}}}, "#/state/answers/axis-2"),
        ({"answers": {"axis-2": {"args": {"n": 1}, "source": "asked"}}}, "#/state/answers/axis-2/args/n"),
        (
            {"tails": {"axis": {"orders": [{**LINE, "verb": "MARCH"}], "fault": "stop", "anyway": False, "last": []}}},
            "#/state/tails/axis/0/verb",
        ),
        ({"on": {"axis": [{**LINE, "verb": "ON", "args": {"label": "ANY"}, "then": None}]}}, "#/state/on/axis/then"),
    ],
)
def test_what_a_state_keeps_must_be_what_play_could_have_left(change: dict[str, Any], where: str) -> None:
    state = clash()["state"]
    assert [decision["id"] for decision in state["pending"]] == ["axis-2"]
    for name, value in change.items():
        state[name] = {**state[name], **value}
    assert pointers(problem("legal-orders", {"state": state, "side": "axis"}, 422)) == [where]


def test_arguments_that_a_verb_does_not_take_are_422() -> None:
    bad = order("MOVE", units=["21PZ"], path=["0310"], speed=1)
    body = {"state": march(), "packet": packet("axis", order("DONE"), bad), "seed": SEED}
    assert pointers(problem("adjudications", body, 422)) == ["#/packet/orders/1/args/speed"]


def test_a_state_of_a_game_or_scenario_that_is_not_here_is_404() -> None:
    state = march()
    problem("views", {"state": {**state, "game": "chess"}, "side": None}, 404, "unknown-game")
    problem("views", {"state": {**state, "scenario": "campaign-9"}, "side": None}, 404, "unknown-scenario")
    problem("states", {"scenario": "chess/opening", "secret": SECRET}, 404, "unknown-game")
    problem("states", {"scenario": "holdfast/campaign-9", "secret": SECRET}, 404, "unknown-scenario")
    assert client().get("/v1/scenarios/holdfast/campaign-9").status_code == 404


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"secret": "short"}, "#/secret"),
        ({"secret": "AB" * 32}, "#/secret"),
        ({"secret": None}, "#/secret"),
        ({"scenario": "../../etc/passwd"}, "#/scenario"),
        ({"scenario": "holdfast"}, "#/scenario"),
        ({"options": {"tempo": 1}}, "#/options/tempo"),
        ({"options": {"luck": "good"}}, "#/options/luck"),
        ({"options": [1]}, "#/options"),
        ({"seed": SEED}, "#/seed"),
    ],
)
def test_a_new_game_asked_for_wrongly_is_422(change: dict[str, Any], where: str) -> None:
    assert pointers(problem("states", {"scenario": "holdfast/campaign-1", "secret": SECRET, **change}, 422)) == [where]


@pytest.mark.parametrize(
    "chance", [{}, {"seed": SEED, "dice": [1]}, {"seed": "1"}, {"dice": [0]}, {"dice": ["1"]}, {"dice": [1.0]}, {"dice": [1] * 1001}]
)
def test_a_packet_needs_a_seed_or_dice_and_not_both(chance: dict[str, Any]) -> None:
    problem("adjudications", {"state": march(), "packet": packet("axis", order("DONE")), **chance}, 422)


@pytest.mark.parametrize("dice", [[], [7]])
def test_scripted_dice_that_run_out_or_do_not_fit_are_422(dice: list[int]) -> None:
    body = {"state": opening()["state"], "packet": packet("axis", order("COMMIT", n=0)), "dice": dice}
    assert pointers(problem("adjudications", body, 422, "unfit-dice")) == ["#/dice"]


def test_views_and_legal_orders_are_for_sides_of_the_game() -> None:
    for call in ("views", "legal-orders", "adjutant"):
        assert pointers(problem(call, {"state": march(), "side": "british"}, 422)) == ["#/side"]
    assert pointers(problem("legal-orders", {"state": march(), "side": None}, 422)) == ["#/side"]
    assert pointers(problem("views", {"state": march(), "side": None, "events": [{"n": 1}]}, 422)) == ["#/events/0"]


def test_a_game_without_an_adjutant_says_so() -> None:
    app = create_app(Config(), {"holdfast": replace(load_games()["holdfast"], adjutant=None)})
    answer = app.test_client().post("/v1/adjutant", json={"state": march(), "side": "axis"})
    assert (answer.status_code, json.loads(answer.data)["code"]) == (404, "no-adjutant")
