"""Faults of an orders text: line, columns as typed, what was expected, what was meant, and the form to write."""

from __future__ import annotations

from typing import Any

import pytest

from services.mail.orders.lines import MAX_LINE, MAX_ORDERS, MAX_TEXT
from services.mail.orders.nearest import places
from services.mail.orders.parse import MAX_DIAGNOSTICS, parse
from services.mail.orders.vocabulary import read_vocabulary
from tests.mail.orders.words import SMALL, holdfast_words

MOVE_FORMS = "Write: MOVE unit TO hex [VIA hex,hex] [BY ROAD] [STRATEGIC] [LEADER] | MOVE unit hex hex ... [STRATEGIC] [LEADER]"


def faults(*lines: str, words: dict[str, Any] | None = SMALL, game: str = "holdfast") -> list[tuple[int, int, int, str, list[str]]]:
    found = parse(game, list(lines), words).diagnostics
    return [(d.line, d.column, d.end, d.code, d.nearest) for d in found]


def test_a_diagnostic_travels_as_the_contract_says() -> None:
    found = parse("holdfast", ["DONE", "MOVE 21PX TO 1803"], SMALL).as_json()["diagnostics"]
    assert found == [
        {
            "line": 2,
            "column": 6,
            "end": 10,
            "code": "unknown-unit",
            "text": 'There is no unit "21PX". Did you mean 21PZ?',
            "expected": ["a unit of yours"],
            "nearest": ["21PZ"],
            "clause": None,
        }
    ]


@pytest.mark.parametrize(
    ("line", "column", "end", "code", "nearest"),
    [
        ("MOVE 21PX TO 1803", 6, 10, "unknown-unit", ["21PZ"]),
        ("MOVE 21st Panser TO 1803", 6, 17, "unknown-unit", ["21PZ"]),
        ("MOVE 7th Armoured TO 1803", 6, 18, "not-yours", []),
        ("ATTACK 1307 WITH PAVIA, 7ARM", 25, 29, "not-yours", []),
        ("ENTER Desert Foxes", 7, 19, "ambiguous-unit", ["15PZ", "51PARA"]),
        ("MOVE 21PZ TO 1830", 14, 18, "unknown-hex", ["1803"]),
        ("MOVE 21PZ TO O409", 14, 18, "unknown-hex", ["0409"]),
        ("MOVE 21PZ TO 409", 14, 17, "unknown-hex", ["0409"]),
        ("MOVE 21PZ TO 18033", 14, 19, "unknown-hex", ["1803"]),
        ("MOVE 21PZ TO El Agela BY ROAD", 14, 22, "unknown-hex", ["EL AGHEILA"]),
        ("MOVE 21PZ 0310 O410 0409", 16, 20, "unknown-hex", ["0410"]),
        ("MOVE 21PZ 0310 STRATEJIC", 16, 25, "unknown-hex", ["STRATEGIC"]),
        ("MOEV 21PZ TO 1803", 1, 5, "unknown-verb", ["MOVE"]),
        ("IF 1307 VACANT MOEV 21PZ TO 1803", 16, 20, "unknown-verb", ["MOVE"]),
        ("IF 1307 VACNT PASS", 9, 14, "unexpected", ["VACANT"]),
        ("MOVE 21PZ TO 1803 STRATEJIC", 19, 28, "unexpected", ["STRATEGIC"]),
        ("MOVE 21PZ,15PZ TO 1803", 10, 11, "unexpected", []),
        ("MOVE 21PZ 0310 BY ROAD", 16, 18, "unexpected", []),
        ("ATTACK 1307 WTIH PAVIA", 13, 17, "unexpected", ["WITH"]),
        ("ATTACK 1307 WITH PAVIA AIR", 27, 28, "incomplete", []),
        ("MOVE 21PZ TO", 13, 14, "incomplete", []),
        ("MOVE", 5, 6, "incomplete", []),
        ("STEP PAVIA 0", 12, 13, "unexpected", []),
        ("STEP PAVIA two", 12, 15, "unexpected", []),
        ("COMMIT 21", 8, 10, "unexpected", []),
        ("COMMIT TABLE 0:0 0:1", 18, 19, "unexpected", []),
        ("COMMIT TABLE 0:0 1", 19, 20, "incomplete", []),
        ("CANCEL 0", 8, 9, "unexpected", []),
        ("DONE thanks", 6, 12, "unexpected", []),
        ("IF ODDS>=1:0 PASS", 10, 11, "unexpected", []),
        ("ON FAULT GO", 10, 12, "unexpected", []),
        ("ON FAULT", 4, 9, "unexpected", []),
        ("STANDING LOSE PAVIA", 10, 14, "unexpected", []),
        ("ON LOSSES MOVE 21PZ TO 1803", 11, 15, "no-answer", []),
        ("ON A1 IN (DR2 LOSE PAVIA", 15, 19, "unexpected", []),
        ("ON A1 IN () LOSE PAVIA", 11, 12, "unexpected", []),
        ("CHECK please", 7, 13, "unexpected", []),
        ("END of orders", 5, 7, "unexpected", []),
        ("HOLD please", 6, 12, "unknown-unit", []),
        ("PHASE", 6, 7, "incomplete", []),
        ("ON A1 IN (DR2, ?) LOSE PAVIA", 17, 18, "unexpected", []),
        ("ATTACK 1307 WITH PAVIA AIR SQUADRON-1", 28, 38, "unexpected", []),
        ("IF 1307 HELD BY 7ARM PASS", 17, 21, "unexpected", []),
        ("PASS | PASS", 8, 12, "unexpected", []),
        ("PASS |", 7, 8, "incomplete", []),
        ("ON A1 IN DR2 LOSE PAVIA", 10, 13, "unexpected", []),
        ("IF RESULT A1 IN (" + ",".join(["X"] * 21) + ") PASS", 58, 59, "unexpected", []),
        ("MOVE 21PZ TO 1803 VIA WITH", 23, 27, "unknown-hex", []),
        ("MOVE 21PZ TO 1803 VIA BY ROAD", 23, 25, "unexpected", []),
        ("CONFIRM", 1, 8, "confirm-alone", []),
        ("CONCEDE", 1, 8, "needs-confirm", []),
        ("JOIN G17 axis", 1, 5, "campaign-command", []),
        ("ELSE PASS", 1, 5, "else-without-if", []),
        ("IF 1307 VACANT PASS ELSE IF RP>=1 PASS", 26, 28, "no-nesting", []),
        ("IF RP>=1 IF RP>=2 PASS", 10, 12, "no-nesting", []),
        ("IF RP>=1 ON LOSSES LOSE PAVIA", 10, 12, "no-nesting", []),
        ("ON LOSSES ON LOSSES LOSE PAVIA", 11, 13, "no-nesting", []),
        ("ON A1 DR2 ON LOSSES LOSE PAVIA", 11, 13, "no-nesting", []),
        ("ON LOSSES IF RP>=1 ON LOSSES LOSE PAVIA", 20, 22, "no-nesting", []),
        ("ON LOSSES STANDING ON LOSSES LOSE PAVIA", 11, 19, "no-nesting", []),
        ("ON LOSSES ELSE LOSE PAVIA", 11, 15, "no-nesting", []),
        ("ON ON LOSSES LOSE PAVIA", 4, 6, "unexpected", []),
        ("IF RP>=1 END", 10, 13, "unknown-verb", []),
        ("FOO 21PZ", 1, 4, "unknown-verb", []),
        ("ON LOSES LOSE PAVIA", 4, 9, "unknown-window", ["LOSSES"]),
        ("ON los-es ASK", 4, 10, "unknown-window", ["LOSSES"]),
        ("STANDING ON LOSES LOSE PAVIA", 13, 18, "unknown-window", ["LOSSES"]),
        ("STANDING ON A1 LOSE PAVIA", 13, 15, "unknown-window", []),
        ("STANDING ON Tobruck LOSE PAVIA", 13, 20, "unknown-window", ["TOBRUK"]),
        ("STANDING ON 1830 LOSE PAVIA", 13, 17, "unknown-window", ["1803"]),
        ("STANDING ON MALTA LOSE PAVIA", 19, 23, "no-answer", []),
        ("ON LOSSES COMMIT 1", 11, 17, "no-answer", []),
        ("ON SURPLUS IF RP>=1 SPARE PAVIA", 21, 26, "no-answer", []),
        ("ON LOSSES LOSE PAVIA ELSE COMMIT 1", 27, 33, "no-answer", []),
        ("IF WEATHER SUNNY PASS", 12, 17, "unknown-weather", []),
        ("IF WEATHER CLAER PASS", 12, 17, "unknown-weather", ["CLEAR"]),
        ("STEP PAVIA IF RP>=1 AND NOT WEATHER POR", 37, 40, "unknown-weather", ["POOR"]),
        ("IF WEATHER", 11, 12, "incomplete", []),
    ],
)
def test_a_fault_and_its_place(line: str, column: int, end: int, code: str, nearest: list[str]) -> None:
    assert faults(line) == [(1, column, end, code, nearest)]
    assert faults("PASS", line, "PASS") == [(2, column, end, code, nearest)]


def test_a_fault_says_what_was_expected_and_how_to_write_it() -> None:
    (found,) = parse("holdfast", ["MOVE 21PZ TO 1803 STRATEJIC"], SMALL).diagnostics
    assert found.expected == ["VIA", "BY", "STRATEGIC", "LEADER", "the end of the line"]
    assert found.text == (
        '"STRATEJIC" does not fit here; expected VIA, BY, STRATEGIC, LEADER or the end of the line. Did you mean STRATEGIC? ' + MOVE_FORMS
    )
    (found,) = parse("holdfast", ["MOEV 21PZ"], SMALL).diagnostics
    assert found.text == '"MOEV" is not an order. Did you mean MOVE? ' + MOVE_FORMS
    (found,) = parse("holdfast", ["MOVE 21PZ"], SMALL).diagnostics
    assert found.expected == ["TO", "a hex"]


def test_one_line_shows_all_its_unknown_names_and_one_text_all_its_faults() -> None:
    assert faults("MOVE 21PX TO El Agela", "STEP PAVIA", "ATTACK 9999 WITH PAVYA,TRENTS") == [
        (1, 6, 10, "unknown-unit", ["21PZ"]),
        (1, 14, 22, "unknown-hex", ["EL AGHEILA"]),
        (3, 8, 12, "unknown-hex", []),
        (3, 18, 23, "unknown-unit", ["PAVIA"]),
        (3, 24, 30, "unknown-unit", ["TRENTA"]),
    ]


def test_good_lines_beside_a_bad_one_are_still_read() -> None:
    parsed = parse("holdfast", ["STEP PAVIA", "MOEV 21PZ", "DONE"], SMALL)
    assert [o["verb"] for o in parsed.packet["orders"]] == ["STEP", "DONE"]
    assert parsed.printed == ["STEP PAVIA 1", "DONE"]


def test_an_else_below_a_bad_if_is_not_blamed_twice() -> None:
    assert faults("IF 1307 VACNT PASS", "ELSE PASS", "ELSE PASS") == [
        (1, 9, 14, "unexpected", ["VACANT"]),
        (3, 1, 5, "else-without-if", []),
    ]
    assert faults("IF 1307 VACANT PASS", "ELSE PASS", "ELSE PASS") == [(3, 1, 5, "else-without-if", [])]
    assert faults("PASS", "ELSE PASS") == [(2, 1, 5, "else-without-if", [])]
    assert faults("IF 1307 VACANT PASS", "ELSE STEP PAVIA IF RP>=2") == [(2, 1, 5, "no-nesting", [])]


def test_an_else_below_an_ask_is_told_why_it_cannot_be() -> None:
    for lines in (["ON LOSSES ASK", "ELSE LOSE PAVIA"], ["STANDING ON LOSSES ASK", "ELSE LOSE PAVIA"]):
        (found,) = parse("holdfast", lines, SMALL).diagnostics
        assert (found.line, found.column, found.end, found.code) == (2, 1, 5, "else-below-ask")
        assert found.text == (
            "ON LOSSES ASK keeps the question for a mail from you, so ELSE has nothing to stand in for. "
            "Leave ELSE out, or give an answer after ON LOSSES in place of ASK."
        )
    assert faults("ON LOSSES ASK ELSE LOSE PAVIA") == [(1, 15, 19, "else-below-ask", [])]
    (found,) = parse("holdfast", ["ON LOSSES LOSE PAVIA", "ELSE ASK"], SMALL).diagnostics
    assert found.text == '"ASK" is not an order. Write: ON window ASK'


def test_the_else_of_an_on_line_answers_its_window_too() -> None:
    assert faults("ON LOSSES IF RP>=1 LOSE PAVIA", "ELSE COMMIT 1") == [(2, 6, 12, "no-answer", [])]
    assert faults("ON LOSSES IF RP>=1 LOSE PAVIA", "ELSE MOVE 21PZ TO 1803") == [(2, 6, 10, "no-answer", [])]
    assert faults("ON LOSSES LOSE PAVIA", "ELSE LOSE TRENTA", "ON A1 KEEP PAVIA", "ELSE PASS") == []
    assert faults("ON LOSSES LOSE PAVIA", "IF RP>=1 PASS ELSE STEP PAVIA") == []


def test_a_fault_of_a_window_names_the_windows_or_the_verbs_that_answer_it() -> None:
    (found,) = parse("holdfast", ["STANDING ON LOSES LOSE PAVIA"], SMALL).diagnostics
    assert found.text == (
        '"LOSES" names no decision that ON could answer; '
        "expected MALTA, LOSSES, SURPLUS, ANY, a hex or a label that AS gives in the same mail. Did you mean LOSSES?"
    )
    (found,) = parse("holdfast", ["ON MALTA LOSE PAVIA"], SMALL).diagnostics
    assert found.text == "LOSE answers no such decision; write COMMIT or PASS."
    (found,) = parse("race-for-tunis", ["ON ALLOTMENT LOSE 5-I"]).diagnostics
    assert found.expected == ["SUPPORT", "INTERCEPT", "JOINBATTLE", "DONE", "PASS"]
    (found,) = parse("beda-fomm", ["ON REACTION BARAGE BARRAGE HOLD-FIRE"]).diagnostics
    assert found.nearest == ["REACTION-BARRAGE", "REACTION-ANTITANK"]


def test_a_label_that_an_order_of_the_same_text_has_is_no_window_misspelt() -> None:
    attack = "ATTACK 1307 WITH 21PZ AS"
    for line in ("STANDING ON A1 LOSE PAVIA", "ON LOSES LOSE PAVIA"):
        label = line.split("ON ")[1].split()[0]
        assert faults(line, f"{attack} {label}") == []
        assert faults(f"IF 1307 VACANT PASS ELSE {attack} {label}", line) == []
        assert faults(line, f"{attack} B1")[0][3] == "unknown-window"
    assert faults("ON A1 LOSE PAVIA", "STANDING ON Tobruk LOSE PAVIA", "STANDING ON 1307 LOSE PAVIA") == []


def test_an_on_line_is_not_blamed_for_the_fault_of_the_order_that_has_its_label() -> None:
    parsed = parse("holdfast", ["STANDING ON A1 LOSE PAVIA", "ELSE PASS", "ATTACK 9999 WITH 21PZ AS A1", "DONE"], SMALL)
    assert [(d.line, d.code) for d in parsed.diagnostics] == [(3, "unknown-hex")]
    assert (parsed.packet["standing"], parsed.printed) == ([], ["DONE"])


def test_faults_are_told_in_the_order_of_the_lines() -> None:
    assert [f[0] for f in faults("MOEV 21PZ", "STANDING ON A1 LOSE PAVIA", "MOEV 21PZ")] == [1, 2, 3]
    assert len(faults(*["STANDING ON A1 LOSE PAVIA"] * 300)) == MAX_DIAGNOSTICS


def test_weather_is_what_the_game_has() -> None:
    (found,) = parse("holdfast", ["IF WEATHER SUNNY PASS"], SMALL).diagnostics
    assert found.text == 'There is no weather "SUNNY"; expected CLEAR or POOR.'
    for said in ("HEAVY RAIN", "heavy-rain"):
        parsed = parse("race-for-tunis", [f"IF WEATHER {said} AND FRENCH FREE PASS"])
        assert (parsed.diagnostics, parsed.printed) == ([], ["IF WEATHER HEAVY RAIN AND FRENCH FREE PASS"])
        assert parsed.packet["orders"][0]["guard"][0] == {"not": False, "test": "weather", "is": "heavy rain"}
    assert faults("IF WEATHER CLEAR PASS", words=None, game="beda-fomm") == [(1, 12, 17, "no-weather", [])]


def test_a_word_that_is_like_nothing_is_given_no_meaning() -> None:
    assert faults("DELAY FOO", words=holdfast_words("axis")) == [(1, 7, 10, "unknown-unit", [])]


def test_a_verb_of_another_game_is_none_of_this_one() -> None:
    assert [f[:4] for f in faults("PARK T-5")] == [(1, 1, 5, "unknown-verb")]
    assert faults("PARK T-5", words=None, game="beda-fomm") == []


def test_an_id_one_letter_off_in_the_whole_mix_means_that_unit_first() -> None:
    words = holdfast_words("axis")
    wrong = {"21PX": "21PZ", "ARIETTE": "ARIETE", "BOLOGNIA": "BOLOGNA", "TRIESTA": "TRIESTE", "90IFN": "90INF", "PISTOIO": "PISTOLIO"}
    for said, meant in wrong.items():
        assert faults(f"DELAY {said}", words=words)[0][4][0] == meant


def test_sizes_are_bounded_with_one_clear_fault_each() -> None:
    assert faults("PASS" + " " * MAX_LINE, "DONE") == [(1, 1, MAX_LINE + 5, "line-too-long", [])]
    assert faults(*["PASS"] * MAX_ORDERS) == []
    assert faults(*["PASS"] * (MAX_ORDERS + 2)) == [(MAX_ORDERS + 1, 1, 2, "too-many-orders", [])]
    for text in ("PASS\n" * 20000, "\u00e4" * (MAX_TEXT // 2 + 1), "x" * 1_000_000, "\x00\xff" * 500_000):
        parsed = parse("holdfast", text, SMALL)
        assert [(d.line, d.code) for d in parsed.diagnostics] == [(0, "text-too-long")]
        assert (parsed.packet["orders"], parsed.printed) == ([], [])
    assert parse("holdfast", "#" * 400 + "\n" + "PASS\n" * 3, SMALL).diagnostics == []
    found = faults(*["MOEV"] * 300)
    assert len(found) == MAX_DIAGNOSTICS + 1
    assert found[-1] == (MAX_DIAGNOSTICS + 1, 1, 2, "too-many-faults", [])


def test_lists_are_bounded() -> None:
    many = {"units": {f"U{n}": {"side": "axis"} for n in range(60)}, "side": "axis"}
    forty = ",".join(f"U{n}" for n in range(40))
    assert faults(f"LOSE {forty}", words=many) == []
    assert [f[3] for f in faults(f"LOSE {forty},U41", words=many)] == ["unexpected"]
    assert [f[3] for f in faults("IF RP>=1" + " AND RP>=1" * 10 + " PASS")] == ["unexpected"]
    assert faults("IF RP>=1" + " AND RP>=1" * 9 + " PASS") == []


def test_of_one_line_only_the_first_ten_unknown_names_are_shown() -> None:
    found = faults("LOSE " + ",".join(f"QQ{n:02d}" for n in range(12)))
    assert [f[1] for f in found] == [6 + 5 * n for n in range(10)]


def test_a_long_list_of_what_was_expected_is_cut_in_the_sentence_only() -> None:
    (found,) = parse("beda-fomm", ["ON"]).diagnostics
    assert found.expected == [
        *(
            "REACTION-BARRAGE",
            "REACTION-ANTITANK",
            "DEFENSIVE-SUPPORT",
            "COMBAT",
            "CHECKS",
            "CASUALTY",
            "RETREAT",
            "ADVANCE",
            "ANY",
            "a label",
        ),
    ]
    assert "expected REACTION-BARRAGE, REACTION-ANTITANK, DEFENSIVE-SUPPORT, COMBAT, CHECKS, CASUALTY, RETREAT, ADVANCE, ..." in found.text
    (found,) = parse("beda-fomm", ["RETREAT BER DIRS S EXIT MAYBE"]).diagnostics
    assert (found.column, found.expected) == (25, ["YES", "NO"])


def test_of_two_names_of_one_place_only_the_nearest_is_suggested() -> None:
    words = read_vocabulary({"units": {}, "places": {"BENGHAZI": "0504", "BENGASI": "0504", "TOBRUK": "1803"}})
    assert places("Bengazi", words) == ["BENGHAZI"]
