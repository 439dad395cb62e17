"""The mail service over HTTP."""

from __future__ import annotations

import base64
import json
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from services.mail.app import create_app
from services.mail.config import Config

MESSAGES = Path(__file__).parent / "messages"


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config()).test_client()


def post(client: FlaskClient, path: str, body: Any) -> tuple[int, Any]:
    answer = client.post(f"/v1{path}", json=body)
    return answer.status_code, answer.get_json(force=True)


def letter(**more: Any) -> dict[str, Any]:
    return {
        "to": "ann.carter@mail.example.org",
        "address": "orders@pbem.example.com",
        "subject": "Receipt",
        "text": "done\n",
        "html": "<p>done</p>",
        "message_id": "<g17.t04.allied.k3v9.r1@pbem.example.com>",
        "date": "2026-03-27T21:14:09+01:00",
        **more,
    }


def test_a_mail_is_read(client: FlaskClient) -> None:
    raw = base64.b64encode((MESSAGES / "a01-qp-soft-break.eml").read_bytes()).decode()
    status, got = post(client, "/messages/read", {"raw": raw, "context": json.loads((MESSAGES / "context.json").read_text())})
    assert status == 200
    assert (got["verdict"], got["lines"]) == ("accept", ["MOVE 10B-I TO 0907", "BARRAGE RHA-C AT 1823", "END"])


def test_a_context_with_a_fault_is_named(client: FlaskClient) -> None:
    status, got = post(
        client, "/messages/read", {"raw": "", "context": {"server": "mx", "address": "a@b.example", "games": [{"id": "G1"}]}}
    )
    assert (status, got["code"]) == (422, "invalid-context")
    assert "games[0].turn" in got["detail"]


def test_raw_must_be_base64(client: FlaskClient) -> None:
    status, got = post(client, "/messages/read", {"raw": "%%%", "context": {}})
    assert (status, got["errors"]) == (422, [{"pointer": "#/raw", "detail": "Not base64."}])


def test_orders_are_parsed_and_printed_back(client: FlaskClient) -> None:
    status, got = post(client, "/orders/parse", {"game": "holdfast", "lines": ["move 21pz to 1204 by road", "END"]})
    assert (status, got["diagnostics"]) == (200, [])
    assert got["printed"] == ["MOVE 21PZ TO 1204 BY ROAD", "END"]
    status, printed = post(client, "/orders/print", {"game": "holdfast", "orders": got["packet"]["orders"]})
    assert (status, printed["lines"]) == (200, ["MOVE 21PZ TO 1204 BY ROAD"])


@pytest.mark.parametrize("path", ["/orders/parse", "/orders/print"])
def test_an_unknown_game_is_not_found(client: FlaskClient, path: str) -> None:
    body = {"game": "chess", "lines": []} if path == "/orders/parse" else {"game": "chess", "orders": []}
    status, got = post(client, path, body)
    assert (status, got["code"]) == (404, "unknown-game")


def test_an_order_that_has_no_form_is_a_problem(client: FlaskClient) -> None:
    status, got = post(client, "/orders/print", {"game": "holdfast", "orders": [{"verb": "FLY", "args": {}}]})
    assert (status, got["code"]) == (422, "invalid-orders")


def test_a_report_is_made(client: FlaskClient) -> None:
    status, got = post(
        client, "/reports", {"game": "holdfast", "kind": "receipt", "status": "refused", "lines": ["MOVE A", "END"], "side": "axis"}
    )
    assert status == 200
    assert "nothing has changed" in got["text"]
    assert "nothing has changed" in got["html"]


@pytest.mark.parametrize("fault", [{"column": 10**9}, {"column": -1}, {"end": 1.5}, {"line": {}}, {"code": ["late"]}])
def test_a_fault_of_a_line_has_a_line_a_code_and_columns_or_is_refused(client: FlaskClient, fault: dict[str, Any]) -> None:
    known = {"line": 1, "code": "late", "text": "Too late.", "column": 1, "end": 5}
    asked = {"game": "holdfast", "kind": "receipt", "lines": ["MOVE A"]}
    for end in (5, 65_537):  # a line of 64 kB is all of the orders that are read
        assert post(client, "/reports", {**asked, "diagnostics": [known | {"end": end}]})[0] == 200
    status, got = post(client, "/reports", {**asked, "diagnostics": [known | fault]})
    assert (status, got["errors"][0]["pointer"]) == (422, f"#/diagnostics/0/{next(iter(fault))}")


def test_a_board_is_put_into_words_for_its_reader(client: FlaskClient) -> None:
    counters = [
        {"side": "allied", "alias": "G5", "id": None, "card": None, "place": "0310", "num": {}, "marks": []},
        {
            "side": "axis",
            "alias": "G1",
            "id": "21PZ",
            "card": "21PZ",
            "place": "0210",
            "num": {"sp": 3, "due": 2},
            "marks": ["out-of-supply"],
        },
        {"side": "axis", "alias": "G2", "id": "15PZ", "place": "edge:west", "num": {}, "marks": []},
    ]
    view = {"turn": 2, "waiting_for": ["axis"], "counters": counters, "own": {}, "path": [["turn", 2]]}
    units = {"21PZ": {"name": "21st Panzer", "side": "axis"}, "15PZ": {"name": "15th Panzer", "side": "axis"}}
    vocabulary = {"units": units, "names": {"0210": "El Agheila"}, "game": {"title": "Holdfast", "sides": ["axis", "allied"]}}
    body = {"game": "holdfast", "game_id": "G1", "side": "axis", "view": view, "vocabulary": vocabulary}
    status, got = post(client, "/boards", body)
    assert (status, got["title"], got["under"], got["awaited"]) == (200, "Holdfast", "G1 · Turn 2 · Axis", "Axis")
    assert [(one["hex"], one["name"]) for one in got["places"]] == [
        ("0210", "El Agheila (0210)"),
        ("0310", "Hex 0310"),
        ("", "Axis, west"),
    ]
    assert [counter for one in got["places"] for counter in one["counters"]] == [
        {"unit": "21PZ", "side": "axis", "text": "21PZ (21st Panzer): SP 3, out of supply"},
        {"unit": "", "side": "allied", "text": "olive block G5"},
        {"unit": "15PZ", "side": "axis", "text": "15PZ (15th Panzer)"},
    ]
    assert "as the Axis see it" in got["map"]
    assert (got["say"]["awaited"], got["say"]["until"], got["until"], got["over"]) == ("Awaited", "Until", "no deadline is set", "")
    status, watched = post(client, "/boards", body | {"side": None})
    assert {counter["unit"] for one in watched["places"] for counter in one["counters"]} == {""}  # nobody's to order
    assert post(client, "/boards", body | {"language": "tlh"})[1]["code"] == "unknown-language"


def test_what_waits_off_the_map_is_parted_by_side_and_by_when_it_comes(client: FlaskClient) -> None:
    counters = [
        {"side": side, "alias": unit, "id": unit, "card": unit, "place": place, "num": {"due": due}, "marks": []}
        for unit, side, place, due in (("A", "allied", "edge:off", 2), ("B", "axis", "edge:off", 4), ("C", "allied", "edge:off", 3))
    ] + [{"side": "axis", "alias": "D", "id": "D", "card": "D", "place": "edge:off", "num": {"due": 1}, "marks": []}]
    view = {"turn": 2, "waiting_for": ["axis"], "counters": counters, "own": {}, "path": [["turn", 2]]}
    body = {"game": "race-for-tunis", "side": "axis", "view": view}
    places = {one["name"]: [counter["text"] for counter in one["counters"]] for one in post(client, "/boards", body)[1]["places"]}
    assert list(places.items()) == [
        ("Axis, waiting to arrive: now", ["D"]),
        ("Axis, waiting to arrive: Turn 4", ["B"]),
        ("Allied, waiting to arrive: now", ["A"]),
        ("Allied, waiting to arrive: Turn 3", ["C"]),
    ]


def test_a_strength_that_was_seen_once_has_a_question_mark_on_the_board_as_on_the_map(client: FlaskClient) -> None:
    block = {"side": "allied", "alias": "V1", "id": "FF", "card": "FF", "place": "0805", "num": {"sp": 1}, "marks": [], "known": "seen"}
    view = {"turn": 2, "waiting_for": ["axis"], "counters": [block], "own": {}, "path": []}
    got = post(client, "/boards", {"game": "holdfast", "side": "axis", "view": view})[1]
    assert [one["text"] for place in got["places"] for one in place["counters"]] == ["FF: SP 1?"]


def test_a_board_tells_how_the_game_ended_and_that_a_halted_one_has_no_deadline(client: FlaskClient) -> None:
    view = {"turn": 2, "waiting_for": [], "counters": [], "own": {}, "path": [], "over": {"winner": "axis", "level": "", "why": "v.1"}}
    got = post(client, "/boards", {"game": "holdfast", "side": "allied", "view": view})[1]
    assert (got["over"], got["awaited"]) == ("The game is over: The Axis win.", "")
    waits = {"turn": 2, "waiting_for": ["axis"], "counters": [], "own": {}, "path": []}
    got = post(client, "/boards", {"game": "holdfast", "side": "axis", "view": waits, "notes": ["paused"]})[1]
    assert got["until"].startswith("the game goes on; it is paused")


def test_a_draft_that_was_checked_is_told_line_by_line(client: FlaskClient) -> None:
    view = {"turn": 1, "waiting_for": ["allied"], "counters": [], "own": {}, "path": [["turn", 1]]}
    lost = {"line": 2, "code": "not-yours", "clause": "", "details": {"unit": "10B-16"}, "fate": "refused"}
    tried = {"status": "refused", "lines": ["MOVE 6CDO TO 0822", "MOVE 10B-16 TO 0217"], "rejections": [lost]}
    body = {"game": "race-for-tunis", "side": "allied", "view": view, "tried": tried}
    got = post(client, "/boards", body)[1]["tried"]
    assert (got["good"], [line["tone"] for line in got["lines"]], got["would"]) == (False, ["wait", "bad"], [])
    assert got["lines"][1]["notes"] == ["10B-16 is not your unit."]
    moved = {"kind": "step_closed", "clause": "", "data": {"step": "movement"}, "path": [["turn", 1], ["step", "movement"]], "n": 1}
    got = post(client, "/boards", body | {"tried": {"status": "checked", "lines": ["DONE"], "events": [moved]}})[1]["tried"]
    assert (got["good"], [(line["text"], line["tone"]) for line in got["lines"]]) == (True, [("DONE", "good")])
    assert post(client, "/boards", body | {"tried": None})[1]["tried"] is None


def test_a_report_leads_to_its_readers_board(client: FlaskClient) -> None:
    url = "https://club.example/board/" + "0a" * 20
    body = {"game": "holdfast", "kind": "turn", "board": url, "board_until": "2026-04-26T20:14:09+00:00"}
    _, got = post(client, "/reports", body)
    for form in ("text", "html"):
        assert url in got[form]
        assert "The link works until Sun 26 Apr 2026 20:14 UTC" in " ".join(got[form].split())
    assert "board" not in post(client, "/reports", {"game": "holdfast", "kind": "turn"})[1]["text"]
    assert post(client, "/reports", body | {"board": "javascript:alert(1)"})[0] == 422


def test_an_unknown_field_and_an_unknown_language_are_refused(client: FlaskClient) -> None:
    assert post(client, "/reports", {"game": "holdfast", "kind": "receipt", "colour": "red"})[0] == 422
    assert post(client, "/reports", {"game": "holdfast", "kind": "receipt", "notes": ["no_map"]})[0] == 200
    assert post(client, "/reports", {"game": "holdfast", "kind": "receipt", "notes": ["secret"]})[0] == 422
    status, got = post(client, "/reports", {"game": "holdfast", "kind": "receipt", "language": "../etc"})
    assert (status, got["code"]) == (404, "unknown-language")


def test_a_mail_is_composed(client: FlaskClient) -> None:
    status, got = post(client, "/messages/compose", letter(game="G17", turn=4, token="k3v9"))
    mail = message_from_bytes(base64.b64decode(got["raw"]))
    assert status == 200
    assert mail["Subject"] == "[G17 T04 #k3v9] Receipt"
    assert mail["Reply-To"] == "hexpost <orders+g17-t04-k3v9@pbem.example.com>"


def test_a_letter_with_a_fault_names_the_field(client: FlaskClient) -> None:
    status, got = post(client, "/messages/compose", letter(subject="a\r\nBcc: x@y.example"))
    assert (status, got["code"]) == (422, "invalid-letter")
    assert got["errors"][0]["pointer"] == "#/subject"


def test_the_service_says_that_it_is_well_and_describes_itself(client: FlaskClient) -> None:
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200
    described = client.get("/openapi.json").get_json()
    assert described["openapi"].startswith("3.1")
    assert {"/v1/messages/read", "/v1/orders/parse", "/v1/reports", "/v1/messages/compose"} <= set(described["paths"])


def test_settings_come_from_the_environment() -> None:
    assert Config.from_env({"HEXPOST_SERVICE_TOKEN": "s3cret", "HEXPOST_MAIL_MAX_BODY": "5000"}) == Config("s3cret", 5000)
    with pytest.raises(ValueError, match="HEXPOST_MAIL_MAX_BODY"):
        Config.from_env({"HEXPOST_MAIL_MAX_BODY": "-1"})


def test_the_token_is_asked_for() -> None:
    guarded = create_app(Config(token="s3cret")).test_client()
    assert guarded.post("/v1/orders/print", json={"game": "holdfast", "orders": []}).status_code == 401
    answer = guarded.post("/v1/orders/print", json={"game": "holdfast", "orders": []}, headers={"Authorization": "Bearer s3cret"})
    assert answer.status_code == 200


def test_single_sentences_are_told_by_their_keys(client: FlaskClient) -> None:
    asked = [{"key": "side", "fields": {"side": "axis"}}, {"key": "linked", "fields": {"game": "G7"}}, {"key": "no-words"}]
    status, got = post(client, "/sentences", {"game": "holdfast", "table": "chat", "sentences": asked})
    assert (status, got["sentences"][0], got["sentences"][2]) == (200, "Axis", "no words")
    assert got["sentences"][1].startswith("Your account is linked with G7.")
    assert post(client, "/sentences", {"table": "codes", "sentences": []})[0] == 422
    assert post(client, "/sentences", {"table": "chat", "sentences": [], "language": "tlh"})[1]["code"] == "unknown-language"
