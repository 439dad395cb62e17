"""The calls of the rules service on good input: what comes back, and that nothing depends on anything but the body."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from services.rules.engine.canonical import canonical
from services.rules.schemas.calls import ViewAnswer
from tests.rules.api.service import SECRET, SEED, clash, client, contact, march, opening, order, packet, pointers, post, problem

BODY = {"scenario": "holdfast/campaign-1", "secret": SECRET}


def test_a_new_game_waits_for_the_axis_air_units() -> None:
    answer = opening()
    state = answer["state"]
    assert state["path"] == [["turn", 1], ["step", "malta axis"]]
    assert [decision["side"] for decision in state["pending"]] == ["axis"]
    assert state["counters"]["21PZ"]["place"] == "0210"
    assert answer["digest"] == sha256(canonical(state)).hexdigest()
    assert [event["n"] for event in answer["events"]] == list(range(1, len(answer["events"]) + 1))
    assert {"weather", "rp"} <= {event["kind"] for event in answer["events"]}


def test_options_left_out_are_the_defaults_and_those_given_are_kept() -> None:
    assert opening()["state"]["options"]["tempo"] == "normal"
    assert post("states", {**BODY, "options": {"tempo": "full"}})["state"]["options"]["tempo"] == "full"


def test_equal_bodies_give_equal_bytes_and_another_secret_other_aliases() -> None:
    first, second = (client().post("/v1/states", json=BODY).data for _ in range(2))
    assert first == second
    blocks = {json.dumps(post("states", {**BODY, "secret": f"{n:064x}"})["state"]["own"]["blocks"]) for n in range(5)}
    assert len(blocks) > 1


def test_a_move_is_carried_out_and_told_to_each_side_as_it_may_know_it() -> None:
    before = march()
    outcome = post("adjudications", {"state": before, "packet": packet("axis", order("MOVE", units=["21PZ"], to="0310")), "seed": SEED})
    assert (outcome["status"], outcome["rejections"]) == ("done", [])
    assert outcome["state"]["counters"]["21PZ"]["place"] == "0310"
    seen = {}
    for side in ("axis", "allied"):
        seen[side] = post("views", {"state": outcome["state"], "side": side, "events": outcome["events"]})
        assert [event["n"] for event in seen[side]["events"]] == list(range(1, len(seen[side]["events"]) + 1))
        assert "public" not in seen[side]["events"][0]
    moved = {side: next(e for e in seen[side]["events"] if e["kind"] == "moved") for side in seen}
    assert moved["axis"]["data"]["units"] == ["21PZ"]
    assert "units" not in moved["allied"]["data"]
    assert "21PZ" not in json.dumps(seen["allied"])


def test_a_dry_run_says_what_would_happen_and_needs_no_dice() -> None:
    before = march()
    outcome = post("adjudications", {"state": before, "packet": packet("axis", order("MOVE", units=["21PZ"], to="0310")), "dry_run": True})
    assert (outcome["status"], outcome["ran"]) == ("checked", False)
    assert outcome["state"] == before
    assert "moved" in {event["kind"] for event in outcome["events"]}


def test_scripted_dice_fall_as_written() -> None:
    body = {"state": opening()["state"], "packet": packet("axis", order("COMMIT", n=0)), "dice": [5]}
    rolled = [event["data"]["dice"] for event in post("adjudications", body)["events"] if event["kind"] == "rolled"]
    assert rolled == [[5]]


def test_the_right_digest_is_taken() -> None:
    answer = opening()
    body = {"state": answer["state"], "packet": packet("axis", order("COMMIT", n=0)), "seed": SEED, "digest": answer["digest"]}
    assert post("adjudications", body)["status"] == "done"


def test_legal_orders_are_orders_that_a_packet_may_bring() -> None:
    state = march()
    answer = post("legal-orders", {"state": state, "side": "axis"})
    assert 0 < len(answer["orders"]) <= 100
    for found in answer["orders"][:5]:
        outcome = post("adjudications", {"state": state, "packet": packet("axis", {**found, "line": 1}), "seed": SEED})
        assert outcome["status"] == "done"


def test_the_adjutant_orders_for_the_side_that_is_waited_for() -> None:
    state = march()
    answer = post("adjutant", {"state": state, "side": "axis"})
    assert answer["standing"] == []
    assert [one["line"] for one in answer["orders"]] == list(range(1, len(answer["orders"]) + 1))
    outcome = post("adjudications", {"state": state, "packet": packet("axis", *answer["orders"]), "seed": SEED})
    assert (outcome["status"], outcome["rejections"]) == ("done", [])
    assert post("adjutant", {"state": state, "side": "allied"}) == {"orders": [], "standing": []}


def test_an_open_decision_is_told_to_its_side_alone_and_answered_by_one_of_its_choices() -> None:
    outcome = clash()
    (decision,) = outcome["pending"]
    assert (decision["kind"], decision["side"], decision["verb"]) == ("losses", "axis", "LOSE")
    state = outcome["state"]
    assert state["agenda"][-1][0] == "CloseAttack"
    assert [d["id"] for d in post("views", {"state": state, "side": "axis"})["pending"]] == [decision["id"]]
    assert post("views", {"state": state, "side": "allied"})["pending"] == []
    after = post("adjudications", {"state": state, "packet": packet("axis", order("LOSE", **decision["choices"][1])), "dice": []})
    assert (after["status"], after["pending"], after["state"]["agenda"]) == ("done", [], [])
    lost = {
        unit: state["counters"][unit]["num"]["sp"] - after["state"]["counters"][unit]["num"]["sp"] for unit in ("21PZ", "ARIETE", "TRENTA")
    }
    assert lost == {"21PZ": 0, "ARIETE": 1, "TRENTA": 2}


def test_a_state_in_which_a_dead_defender_waits_for_the_attackers_losses_is_taken_back() -> None:
    """Hits fall together: the defender lies at 0 SP while the attacker says who takes his; then it is taken away."""
    attack = order("ATTACK", hex="0805", units=["21PZ", "ARIETE", "TRENTA"])
    outcome = post("adjudications", {"state": contact(), "packet": packet("axis", attack), "dice": [6] * 40})
    state = outcome["state"]
    assert (state["counters"]["2ARM"]["num"]["sp"], state["counters"]["2ARM"]["place"]) == (0, "0805")
    assert state["agenda"][-1][0] == "CloseAttack"
    (decision,) = post("views", {"state": state, "side": "axis"})["pending"]
    answer = packet("axis", order("LOSE", **decision["choices"][0]))
    after = post("adjudications", {"state": state, "packet": answer, "dice": []})
    assert (after["status"], after["state"]["counters"]["2ARM"]["place"]) == ("done", "box:pool-allied")


def test_of_many_legal_orders_the_last_is_among_the_hundred_that_are_given() -> None:
    state = march()
    spread = {"SAVENA": "0310", "TRENTA": "0409", "PAVIA": "0410", "BRESCIA": "0311", "BOLOGNA": "0110", "ARIETE": "0509"}
    for unit, at in spread.items():
        state["counters"][unit]["place"] = at
    state = post("adjudications", {"state": state, "packet": packet("axis", order("DONE")), "seed": SEED})["state"]
    answer = post("legal-orders", {"state": state, "side": "axis"})
    assert (len(answer["orders"]), answer["more"]) == (100, True)
    assert [one["verb"] for one in answer["orders"]] == ["MOVE"] * 99 + ["DONE"]
    few = post("legal-orders", {"state": state, "side": "axis", "most": 3})
    assert (few["orders"], few["more"]) == ([*answer["orders"][:2], answer["orders"][-1]], True)
    every = post("legal-orders", {"state": state, "side": "axis", "most": 2001})
    assert (every["more"], every["orders"][:99]) == (False, answer["orders"][:99])
    assert len(every["orders"]) > 100
    for wrong in (1, 2002, "all"):
        assert pointers(problem("legal-orders", {"state": state, "side": "axis", "most": wrong}, 422)) == ["#/most"]


def test_every_member_of_a_view_is_documented() -> None:
    outcome = clash()
    seen = post("views", {"state": outcome["state"], "side": "axis", "events": outcome["events"]})
    assert set(seen) <= set(ViewAnswer().fields)


def test_every_state_that_the_service_gives_it_takes_back() -> None:
    """Months by DONE TURN, with a step bought, a battle, a rebuilt unit and arrivals; each state is asked for legal orders."""
    state = contact()
    state["counters"]["SAVENA"]["num"]["sp"] = 2
    state["counters"]["TRENTA"]["num"]["sp"] = 1  # dies of its first hit, and comes back
    lines = [
        order("STEP", 1, unit="SAVENA", k=1),
        order("ATTACK", 2, hex="0805", units=["21PZ", "ARIETE", "TRENTA"], lose=["TRENTA"]),
        order("MOVE", 3, units=["SAVENA"], to="0410"),
        order("DONE", 4, turn=True, auto=True),
    ]
    kinds: set[str] = set()
    for n in range(12):
        side = "allied" if n % 2 else "axis"
        own = lines if n == 0 else [order("REBUILD", 2, unit=unit) for unit in _pool(state, side)[:1]]
        malta, done = ([], []) if n == 0 else ([order("COMMIT", 1, n=0)], [order("DONE", 3, turn=True, auto=True)])
        sent = packet(side, *malta, *own, *done, anyway=True, fault="skip")
        outcome = post("adjudications", {"state": state, "packet": sent, "seed": f"{n:064x}"})
        assert outcome["status"] == "done", outcome["rejections"]
        state = outcome["state"]
        kinds |= {event["kind"] for event in outcome["events"]}
        for viewer in ("axis", "allied"):
            post("legal-orders", {"state": state, "side": viewer})
        if state["over"]:
            break
    assert {"stepped", "battle", "eliminated", "rebuilt", "moved", "arrived", "turn_record"} <= kinds


def _pool(state: Any, side: str) -> list[str]:
    return [unit for unit, counter in state["counters"].items() if counter["place"] == f"box:pool-{side}"]


def test_the_games_and_the_vocabulary_of_a_scenario() -> None:
    games = json.loads(client().get("/v1/games").data)["games"]
    assert {game["key"]: [scenario["id"] for scenario in game["scenarios"]] for game in games} == {
        "beda-fomm": ["beda-fomm/historical"],
        "fall-of-tobruk": ["fall-of-tobruk/gazala"],
        "holdfast": ["holdfast/campaign-1", "holdfast/campaign-2"],
        "race-for-tunis": [f"race-for-tunis/{key}" for key in ("standard", "early-start", "extended", "eilbote")],
    }
    words = json.loads(client().get("/v1/scenarios/holdfast/campaign-1").data)
    assert (words["names"]["0210"], words["names"]["2906"]) == ("El Agheila", "Mersa Matruh")
    assert words["units"]["21PZ"]["side"] == "axis"
    assert words["places"]["TOBRUK"] == "1803"
    assert "1803" in words["hexes"]
    assert words["verbs"]["build"] == ["DELAY", "ENTER", "REBUILD", "STEP"]
    assert words["verbs"]["malta axis"] == ["COMMIT"]
    assert (len(words["turns"]), words["first_turn"], words["last_turn"]) == (22, 1, 22)
    later = json.loads(client().get("/v1/scenarios/holdfast/campaign-2").data)
    assert (later["turns"][0], later["turns"][-1], len(later["turns"])) == ("1942-01", "1942-12", 12)  # game-turn 1 is its first


def test_the_openapi_document_names_every_call() -> None:
    document = json.loads(client().get("/openapi.json").data)
    assert set(document["paths"]) == {
        *(
            "/healthz",
            "/readyz",
            "/v1/states",
            "/v1/adjudications",
            "/v1/views",
            "/v1/edits",
            "/v1/legal-orders",
            "/v1/adjutant",
            "/v1/games",
        ),
        "/v1/scenarios/{game}/{scenario}",
    }
    parts = document["components"]
    text = json.dumps(document)
    for reference in {part.split('"')[0] for part in text.split('"#/components/')[1:]}:
        kind, name = reference.split("/")
        assert name in parts[kind]


def test_legal_orders_after_lines_are_those_of_the_position_to_which_they_lead() -> None:
    state, move = march(), order("MOVE", units=["21PZ"], to="0310")
    after = post("adjudications", {"state": state, "packet": packet("axis", move), "seed": SEED})["state"]
    thought = post("legal-orders", {"state": state, "side": "axis", "packet": packet("axis", move)})
    assert thought["foreseen"] == {"line": 0, "why": ""}
    assert thought["orders"] == post("legal-orders", {"state": after, "side": "axis"})["orders"]
    assert thought["orders"] != post("legal-orders", {"state": state, "side": "axis"})["orders"]
    assert "foreseen" not in post("legal-orders", {"state": state, "side": "axis", "packet": None})


def test_lines_are_thought_on_up_to_the_first_that_is_illegal_or_comes_to_a_die() -> None:
    state = march()
    first, second = order("MOVE", units=["21PZ"], to="0310"), {**order("MOVE", units=["7AUS"], to="0310"), "line": 2}
    alone = post("legal-orders", {"state": state, "side": "axis", "packet": packet("axis", first)})["orders"]
    for more, why in ((second, "fault"), ({**order("DONE", turn=True, auto=True), "line": 2}, "chance")):
        found = post("legal-orders", {"state": state, "side": "axis", "packet": packet("axis", first, more)})
        assert found == {"orders": alone, "more": found["more"], "foreseen": {"line": 2, "why": why}}
    fight = packet("axis", order("ATTACK", hex="0805", units=["21PZ", "ARIETE", "TRENTA"]))
    found = post("legal-orders", {"state": contact(), "side": "axis", "packet": fight})
    assert found["foreseen"] == {"line": 1, "why": "chance"}
    assert found["orders"] == post("legal-orders", {"state": contact(), "side": "axis"})["orders"]
    assert pointers(problem("legal-orders", {"state": state, "side": "allied", "packet": fight}, 422)) == ["#/packet/side"]
    malformed = packet("axis", order("MOVE", units="21PZ", to="0310"))
    assert pointers(problem("legal-orders", {"state": state, "side": "axis", "packet": malformed}, 422)) == ["#/packet/orders/0/args/units"]


def test_lines_that_wait_for_the_other_side_or_come_after_the_end_lead_nowhere() -> None:
    state, move = march(), packet("allied", order("MOVE", units=["9AUS"], to="1804"))
    found = post("legal-orders", {"state": state, "side": "allied", "packet": move})
    assert found == {"orders": [], "more": False, "foreseen": {"line": 1, "why": "later"}}  # it is the Axis player-turn
    over = post("adjudications", {"state": state, "packet": packet("allied", {**order("CONCEDE"), "confirm": True}), "seed": SEED})["state"]
    assert over["over"] is not None
    found = post("legal-orders", {"state": over, "side": "allied", "packet": move})
    assert found == {"orders": [], "more": False, "foreseen": {"line": 1, "why": "fault"}}


def test_legal_orders_of_one_unit_are_all_that_name_it_however_many_others_there_are() -> None:
    state = march()
    every = post("legal-orders", {"state": state, "side": "axis", "most": 2001})["orders"]
    for unit in ("21PZ", "SAVENA"):
        assert post("legal-orders", {"state": state, "side": "axis", "most": 2001, "unit": unit})["orders"] == [
            one for one in every if unit in one["args"].get("units", [])
        ]
    others = post("legal-orders", {"state": state, "side": "axis", "unit": ""})["orders"]
    assert [one["verb"] for one in others] == ["DONE"]
    assert post("legal-orders", {"state": state, "side": "axis", "unit": "7AUS"})["orders"] == []  # the other side's
    assert pointers(problem("legal-orders", {"state": state, "side": "axis", "unit": "21 PZ"}, 422)) == ["#/unit"]
    moved = packet("axis", order("MOVE", units=["21PZ"], to="0310"))
    gone = post("legal-orders", {"state": state, "side": "axis", "packet": moved, "unit": "21PZ"})
    assert gone == {"orders": [], "more": False, "foreseen": {"line": 0, "why": ""}}
    # The Fall of Tobruk begins with more than two thousand places for its counters: each has all of its own.
    begun = post("states", {"scenario": "fall-of-tobruk/gazala", "secret": SECRET})["state"]
    first = post("legal-orders", {"state": begun, "side": "allied", "most": 2001})["orders"]
    mine = post("legal-orders", {"state": begun, "side": "allied", "most": 2001, "unit": "1SP"})["orders"]
    assert len(mine) > sum(one["args"].get("unit") == "1SP" for one in first) > 0
    assert {(one["verb"], one["args"]["unit"]) for one in mine} == {("PLACE", "1SP")}
