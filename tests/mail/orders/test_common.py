"""What all games share: directives, IF and ELSE, ON and STANDING, DONE and END, CONFIRM, and the words that are reserved."""

from __future__ import annotations

from typing import Any

import pytest

from services.mail.orders.common import COMMON, RESERVED
from services.mail.orders.languages import LANGUAGES, UnknownGame, language_of
from services.mail.orders.parse import Parsed, parse
from tests.mail.orders.words import SMALL

PLAIN = {"orders": [], "standing": [], "fault": "stop", "anyway": False, "check": False, "hold": False, "append": False}


def read(*lines: str) -> Parsed:
    parsed = parse("holdfast", list(lines), SMALL)
    assert [d.text for d in parsed.diagnostics] == []
    return parsed


def only(*lines: str) -> dict[str, Any]:
    (order,) = read(*lines).packet["orders"]
    found: dict[str, Any] = order
    return found


def guards(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = only(f"IF {text} PASS")["guard"]
    return found


def test_an_empty_text_is_an_empty_packet() -> None:
    assert read("", "# nothing").packet == PLAIN
    assert read().printed == []


def test_directives_speak_of_the_whole_packet_wherever_they_stand() -> None:
    parsed = read("PASS", "anyway", "CHECK", "on  fault skip", "Hold", "append")
    assert {k: v for k, v in parsed.packet.items() if k not in ("orders", "standing")} == {
        "fault": "skip",
        "anyway": True,
        "check": True,
        "hold": True,
        "append": True,
    }
    assert parsed.printed == ["CHECK", "HOLD", "APPEND", "ANYWAY", "ON FAULT SKIP", "PASS"]
    assert read("ON FAULT SKIP", "ON FAULT STOP").packet["fault"] == "stop"


def test_nothing_is_read_after_end() -> None:
    parsed = read("DONE", "END.", "MOVE nonsense", "x" * 600)
    assert (parsed.ended, len(parsed.packet["orders"]), parsed.printed) == (2, 1, ["DONE", "END"])


@pytest.mark.parametrize(
    ("line", "verb", "args"),
    [
        ("DONE", "DONE", {"turn": False, "auto": False}),
        ("done turn", "DONE", {"turn": True, "auto": False}),
        ("DONE AUTO", "DONE", {"turn": False, "auto": True}),
        ("DONE TURN AUTO", "DONE", {"turn": True, "auto": True}),
        ("PASS", "PASS", {}),
        ("NEXT", "NEXT", {}),
        ("PHASE Reaction-Barrage", "PHASE", {"name": "reaction barrage"}),
        ("PHASE Reaction- Barrage", "PHASE", {"name": "reaction barrage"}),
        ("CANCEL 3", "CANCEL", {"n": 3}),
        ("CANCEL all", "CANCEL", {"n": "ALL"}),
        ("cancel attack 1307", "CANCEL", {"verb": "ATTACK", "of": "1307"}),
        ("CANCEL ATTACK Tobruk", "CANCEL", {"verb": "ATTACK", "of": "1803"}),
        ("CANCEL COMMIT all", "CANCEL", {"verb": "COMMIT", "of": "ALL"}),
        ("DUTY AUTO", "DUTY", {"auto": True}),
    ],
)
def test_common_verbs(line: str, verb: str, args: dict[str, Any]) -> None:
    order = only(line)
    assert (order["verb"], order["args"], order["confirm"]) == (verb, args, False)


def test_confirm_is_the_last_word_of_its_order() -> None:
    assert only("CONCEDE CONFIRM") | {"line": 0} == {
        "line": 0,
        "verb": "CONCEDE",
        "args": {},
        "label": None,
        "guard": [],
        "else": None,
        "confirm": True,
    }
    assert only("MOVE 21PZ TO Tobruk CONFIRM")["confirm"] is True


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("1307 VACANT", {"test": "vacant", "hex": "1307"}),
        ("Tobruk empty", {"test": "vacant", "hex": "1803"}),
        ("1307 HELD BY Allied", {"test": "held", "hex": "1307", "side": "allied"}),
        ("1307 HOLDS armor", {"test": "holds", "hex": "1307", "kind": "armor"}),
        ("1307 FREE", {"test": "free", "hex": "1307"}),
        ("1307 DISRUPTED", {"test": "disrupted", "hex": "1307"}),
        ("21st Panzer DISRUPTED", {"test": "disrupted", "unit": "21PZ"}),
        ("7ARM ALIVE", {"test": "alive", "unit": "7ARM"}),
        ("21PZ AT Tobruk", {"test": "at", "unit": "21PZ", "hex": "1803"}),
        ("21PZ SP>=3", {"test": "sp", "unit": "21PZ", "at_least": 3}),
        ("21PZ sp => 3", {"test": "sp", "unit": "21PZ", "at_least": 3}),
        ("21PZ SUPPLIED", {"test": "supplied", "unit": "21PZ"}),
        ("21PZ ENGAGED", {"test": "engaged", "unit": "21PZ"}),
        ("RP\u22654", {"test": "rp", "at_least": 4}),
        ("WEATHER Clear", {"test": "weather", "is": "clear"}),
        ("RESULT A1 IN (DR2, A elim)", {"test": "result", "label": "A1", "in": ["DR2", "AELIM"]}),
        ("RESULT Tobruk IN (DE)", {"test": "result", "label": "1803", "in": ["DE"]}),
        ("ODDS A1>=3:1", {"test": "odds", "label": "A1", "at_least": 3}),
        ("ODDS>=1:2", {"test": "odds", "label": None, "at_least": "1/2"}),
        ("ODDS >= 3-2", {"test": "odds", "label": None, "at_least": "3/2"}),
        ("LANDED 21PZ", {"test": "landed", "unit": "21PZ"}),
        ("FRENCH FREE", {"test": "french"}),
        ("VACATED", {"test": "vacated"}),
    ],
)
def test_guards(text: str, guard: dict[str, Any]) -> None:
    assert guards(text) == [{"not": False, **guard}]
    assert guards(f"NOT {text}") == [{"not": True, **guard}]


def test_guards_are_joined_by_and_and_may_stand_behind_the_order() -> None:
    wanted = [{"not": False, "test": "rp", "at_least": 2}, {"not": True, "test": "vacant", "hex": "1307"}]
    for line in (
        "IF RP>=2 AND NOT 1307 VACANT STEP PAVIA",
        "if rp >= 2 and not 1307 vacant: step pavia",
        "STEP PAVIA IF RP>=2 AND NOT 1307 VACANT",
    ):
        order = only(line)
        assert (order["verb"], order["guard"]) == ("STEP", wanted)
    assert read("STEP PAVIA IF RP>=2").printed == ["IF RP>=2 STEP PAVIA 1"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("A elim", "AE"),
        ("d ELIM", "DE"),
        ("Exch", "EX"),
        ("exchange", "EX"),
        ("Contact", "CON"),
        ("Eng", "ENG"),
        ("DR 2", "DR2"),
    ],
)
def test_results_of_race_for_tunis_are_known_by_several_names(said: str, meant: str) -> None:
    (line,) = parse("race-for-tunis", [f"ON A1 RESULT IN (AR1, {said}) IF RESULT A1 IN ({said}) LOSE 5-I"]).packet["orders"]
    assert line["args"]["results"] == ["AR1", meant]
    assert line["guard"] == [{"not": False, "test": "result", "label": "A1", "in": [meant]}]
    (line,) = parse("race-for-tunis", [f"ON A1 {said} LOSE 5-I"]).packet["orders"]
    assert line["args"]["results"] == [meant]


def test_else_belongs_to_the_line_above_or_stands_on_the_same_line() -> None:
    for lines in (
        ["IF 1307 VACANT PASS", "", "# well", "ELSE STEP PAVIA"],
        ["IF 1307 VACANT PASS | ELSE STEP PAVIA"],
        ["IF 1307 VACANT PASS ELSE STEP PAVIA"],
    ):
        order = only(*lines)
        assert (order["verb"], order["else"]["verb"], order["else"]["line"]) == ("PASS", "STEP", len(lines))
        assert (order["else"]["guard"], order["else"]["else"]) == ([], None)


def test_on_lines_answer_decisions_to_come() -> None:
    order = only("ON LOSSES IF 21PZ SP>=2 LOSE PAVIA", "ELSE LOSE TRENTA")
    assert order["args"] == {"window": "LOSSES", "label": None, "results": [], "ask": False}
    assert order["guard"] == [{"not": False, "test": "sp", "unit": "21PZ", "at_least": 2}]
    assert (order["then"]["verb"], order["then"]["args"], order["then"]["guard"]) == ("LOSE", {"units": ["PAVIA"], "spare": []}, [])
    assert order["else"]["args"] == {"units": ["TRENTA"], "spare": []}


@pytest.mark.parametrize(
    ("subject", "args"),
    [
        ("SURPLUS", {"window": "SURPLUS", "label": None, "results": []}),
        ("ANY", {"window": None, "label": "ANY", "results": []}),
        ("A1", {"window": None, "label": "A1", "results": []}),
        ("Tobruk", {"window": None, "label": "1803", "results": []}),
        ("A1 DR2", {"window": None, "label": "A1", "results": ["DR2"]}),
        ("A1 A elim", {"window": None, "label": "A1", "results": ["AELIM"]}),
        ("A1 IN (DR2)", {"window": None, "label": "A1", "results": ["DR2"]}),
        ("A1 RESULT IN (DR 1, DR2)", {"window": None, "label": "A1", "results": ["DR1", "DR2"]}),
    ],
)
def test_what_an_on_line_may_be_about(subject: str, args: dict[str, Any]) -> None:
    assert only(f"ON {subject} KEEP PAVIA")["args"] == args | {"ask": False}
    asks = only(f"ON {subject} ASK")
    assert (asks["args"], asks["then"]) == (args | {"ask": True}, None)


def test_standing_orders_are_kept_apart() -> None:
    packet = read(
        "STANDING ON LOSSES SPARE 21PZ LOSE PAVIA,TRENTA", "STANDING DUTY AUTO", "STANDING ON MALTA IF WEATHER CLEAR COMMIT 1", "ELSE PASS"
    ).packet
    assert packet["orders"] == []
    assert [order["verb"] for order in packet["standing"]] == ["ON", "DUTY", "ON"]
    assert packet["standing"][0]["then"]["args"] == {"units": ["PAVIA", "TRENTA"], "spare": ["21PZ"]}
    assert packet["standing"][2]["else"]["verb"] == "PASS"


def test_no_game_has_a_verb_of_a_reserved_name() -> None:
    for language in LANGUAGES.values():
        assert RESERVED.isdisjoint(language.by_name)
        assert RESERVED.intersection(language.heads) <= {"HOLD"}  # HOLD with a unit: the old word for DELAY
        assert {key: verb.name for key, verb in language.by_name.items()} == {key: key for key in language.by_name}
    assert set(COMMON.heads) <= RESERVED


def test_a_game_without_an_order_language_is_named() -> None:
    with pytest.raises(UnknownGame, match="unknown game 'chess'"):
        language_of("chess")


@pytest.mark.parametrize(
    "words",
    [
        {"units": []},
        {"units": {"21PZ": 3}},
        {"places": {"TOBRUK": 1803}},
        {"places": {"TOBRUK": "18"}},
        {"hexes": "0101"},
        {"hexes": 7},
        {"units": {"21PZ": {"aliases": "PZ"}}},
    ],
)
def test_a_vocabulary_of_another_form_is_refused(words: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="vocabulary"):
        parse("holdfast", ["DONE"], words)
