"""The orders template: own units only, with place and values, and examples that can be sent as they stand."""

from __future__ import annotations

from typing import Any

from services.mail.orders.parse import parse
from services.mail.orders.template import hints, template
from tests.mail.orders.words import SMALL


def counter(unit: str | None, place: str, sp: int | None, known: str = "own", marks: tuple[str, ...] = ()) -> dict[str, Any]:
    num = {} if sp is None else {"sp": sp}
    return {"id": unit, "alias": "G1", "side": "axis", "card": unit, "place": place, "marks": list(marks), "num": num, "known": known}


VIEW: dict[str, Any] = {
    "game": "holdfast",
    "side": "axis",
    "turn": 3,
    "step": {"name": "action", "mine": True, "accepts": ["MOVE", "ATTACK"]},
    "counters": [
        counter("PAVIA", "1803", 2, marks=("moved",)),
        counter("21PZ", "0210", 4),
        counter(None, "1307", None, known="no"),
        counter("7ARM", "1308", 3, known="seen"),
    ],
    "pending": [
        {"window": "MALTA", "side": "axis", "verb": "COMMIT", "default": {"n": 0}},
        {"window": "MALTA", "side": "allied", "verb": "COMMIT", "default": {"n": 4}},
    ],
}
LEGAL: list[dict[str, Any]] = [
    {"verb": "ENTER", "args": {"unit": "15PZ"}},
    {"verb": "MOVE", "args": {"units": ["21PZ"], "path": ["0310"]}},
    {"verb": "MOVE", "args": {"units": ["21PZ"], "path": ["0310", "0410"]}},
    {"verb": "ATTACK", "args": {"hex": "1307", "units": ["21PZ"]}, "label": None},
    {"verb": "DONE", "args": {"turn": False, "auto": False}},
]
WORDS = SMALL | {"units": SMALL["units"] | {"21PZ": SMALL["units"]["21PZ"] | {"values": {"ma": 8, "note": "", "armor": True}}}}


def test_the_template_of_a_small_view_line_by_line() -> None:
    assert template("holdfast", VIEW, LEGAL, WORDS) == [
        "# AXIS, turn 3, step ACTION.",
        "# Take the # off a line to have it read.",
        "# MALTA: this counts if you do not answer:",
        "# COMMIT 0",
        "# 21PZ at El Agheila (0210): SP 4, MA 8",
        "#     MOVE 21PZ 0310",
        "#     ATTACK 1307 WITH 21PZ",
        "# Your other units: PAVIA",
        "# ENTER 15PZ",
        "# MOVE unit TO hex [VIA hex,hex] [BY ROAD] [STRATEGIC] [LEADER]",
        "# ATTACK hex WITH unit,unit [AIR id] [LEADER] [LOSE unit,unit] [AS label]",
        "# DONE",
        "END",
    ]


def test_a_template_sent_back_as_it_is_orders_nothing() -> None:
    parsed = parse("holdfast", template("holdfast", VIEW, LEGAL, WORDS), SMALL)
    assert (parsed.packet["orders"], parsed.diagnostics, parsed.ended) == ([], [], 13)


def test_every_example_can_be_sent_once_its_mark_is_taken_off() -> None:
    lines = template("holdfast", VIEW, LEGAL, WORDS)
    sent = [line.lstrip("# ") for line in (lines[3], lines[5], lines[6], lines[8], lines[-2])]
    parsed = parse("holdfast", sent, SMALL)
    assert parsed.diagnostics == []
    assert [order["verb"] for order in parsed.packet["orders"]] == ["COMMIT", "MOVE", "ATTACK", "ENTER", "DONE"]


def test_a_view_without_vocabulary_or_orders_still_has_a_template() -> None:
    assert template("holdfast", VIEW | {"step": {}, "pending": [], "counters": [counter("21PZ", "0210", 4)]}, []) == [
        "# AXIS, turn 3.",
        "# Take the # off a line to have it read.",
        "# Your units: 21PZ",
        "# DONE",
        "END",
    ]


def test_a_template_of_many_units_stays_short_and_fits_a_telephone() -> None:
    units = [f"U{n:02}" for n in range(40)]
    legal = [{"verb": "MOVE", "args": {"units": [unit], "path": ["0310"]}} for unit in units[:20]]
    view = VIEW | {"counters": [counter(unit, "0210", 4) for unit in units], "pending": []}
    lines = template("holdfast", view, legal, WORDS)
    assert sum(line.startswith("#     MOVE") for line in lines) == 4
    assert sum("El Agheila" in line for line in lines) == 20
    assert [line for line in lines if "U20" in line or "U39" in line] == [
        "# Your other units: U20, U21, U22, U23, U24,",
        "#   U33, U34, U35, U36, U37, U38, U39",
    ]
    assert len(lines) < 40


def test_an_answer_that_counts_anyway_is_not_offered_again() -> None:
    choices = [{"verb": "COMMIT", "args": {"n": n}} for n in (0, 1)]
    lines = template("holdfast", VIEW | {"step": {"name": "malta axis", "mine": False}, "counters": []}, choices, WORDS)
    assert lines[2:4] == ["# MALTA: this counts if you do not answer:", "# COMMIT 0"]
    assert "# COMMIT 1" not in lines


def test_before_the_action_the_template_shows_how_to_move_and_attack_and_elsewhere_not() -> None:
    ahead = [
        "# Orders of later steps may follow at once:",
        "# MOVE unit TO hex [VIA hex,hex] [BY ROAD] [STRATEGIC] [LEADER]",
        "# ATTACK hex WITH unit,unit [AIR id] [LEADER] [LOSE unit,unit] [AS label]",
    ]
    for name, mine in (("malta axis", False), ("build", True)):
        lines = template("holdfast", VIEW | {"step": {"name": name, "mine": mine, "accepts": []}, "counters": []}, [])
        assert lines[-5:] == [*ahead, "# DONE", "END"]
    quiet = VIEW | {"pending": []}
    for step in ({"name": "build", "mine": False}, {"name": "surplus", "mine": True}):
        assert ahead[0] not in template("holdfast", quiet | {"step": step}, [])


def test_units_are_sent_each_to_a_hex_of_its_own_and_towards_the_enemy() -> None:
    view = VIEW | {
        "counters": [counter("PAVIA", "0210", 4), counter("21PZ", "0210", 4), {**counter(None, "1308", 3, "no"), "side": "allied"}]
    }
    legal = [
        {"verb": "MOVE", "args": {"units": [unit], "path": [], "to": to}} for to in ("0111", "0310", "0309") for unit in ("21PZ", "PAVIA")
    ]
    assert [line for line in template("holdfast", view, legal, WORDS) if "TO 0" in line] == [
        "#     MOVE 21PZ TO 0310",  # ten columns from 1308, as is 0309; it is named first
        "#     MOVE PAVIA TO 0309",
    ]


def test_hints_show_how_verbs_are_written() -> None:
    assert hints("holdfast", ["STEP", "FLY", "DONE"]) == ["STEP unit [number]", "DONE [TURN] [AUTO]"]
    assert hints("beda-fomm", ["SUPPORT"]) == ["SUPPORT unit,unit AT hex"]


def placed(unit: str, place: str, side: str = "british", **num: int) -> dict[str, Any]:
    return {"id": unit, "alias": None, "side": side, "card": unit, "place": place, "marks": [], "num": num, "known": "own"}


def test_a_set_up_is_prefilled_one_line_a_unit_and_not_all_in_one_hex() -> None:
    legal = [{"verb": "PLACE", "args": {"unit": unit, "hex": at}} for unit in ("2RB-A", "2RB-B", "11H-1") for at in ("2731", "2730")]
    view = {
        "game": "beda-fomm",
        "side": "british",
        "turn": 0,
        "path": [["setup", "british set-up"]],
        "pending": [],
        "step": {"name": "british set-up", "mine": True, "accepts": ["PLACE"]},
        "counters": [placed("2RB-A", "box:set-up")],
    }
    assert template("beda-fomm", view, legal)[2:] == [
        "# PLACE 2RB-A 2731",
        "# PLACE 2RB-B 2730",
        "# PLACE 11H-1 2731",
        "# PLACE unit [AT] hex",
        "# DONE",
        "END",
    ]
    convoys = [{"verb": "CONVOY", "args": {"n": 1, "transports": ["T-1", "T-2"], "personnel": men}} for men in ("BER-SIR", "BER-MAR")]
    lines = template("beda-fomm", {**view, "side": "italian"}, [*convoys, {"verb": "DONE", "args": {"turn": False, "auto": False}}])
    assert [line for line in lines if "CONVOY" in line] == ["# CONVOY 1 T-1,T-2 BER-SIR"]


def test_units_of_the_other_side_and_such_as_cannot_come_are_left_out() -> None:
    counters = [
        *(placed("2RB-A", "2731"), placed("T-1", "2726", "italian"), placed("11H-1", "box:eliminated")),
        *(placed("7H-1", "edge:off", due=5), placed("7H-2", "edge:off", due=2), placed("KDG-B", "edge:off")),
    ]
    view = {"game": "beda-fomm", "side": "british", "turn": 3, "step": {}, "counters": counters, "pending": []}
    assert template("beda-fomm", view, [])[2:] == ["# Your units: 2RB-A, 7H-2", "# DONE", "END"]


def test_the_many_units_of_a_large_game_are_listed_by_their_places() -> None:
    units = [f"U{n:02}" for n in range(30)]
    counters = [placed(unit, f"27{31 + n // 10}") for n, unit in enumerate(units)]
    view = {"game": "beda-fomm", "side": "british", "turn": 3, "step": {}, "counters": counters, "pending": []}
    legal = [{"verb": "MOVE", "args": {"units": [unit], "path": ["2730"]}} for unit in units[:29]]
    assert template("beda-fomm", view, legal)[2:] == [
        *(line for unit in units[:4] for line in (f"# {unit} at 2731", f"#     MOVE {unit} 2730")),
        "# At 2731: U04, U05, U06, U07, U08, U09",
        "# At 2732: U10, U11, U12, U13, U14, U15,",
        "#   U16, U17, U18, U19",
        "# At 2733: U20, U21, U22, U23, U24, U25,",
        "#   U26, U27, U28",
        "# Your other units: U29",
        "# DONE",
        "END",
    ]


def test_what_counts_anyway_is_not_offered_under_its_units_again_and_many_idle_units_are_counted() -> None:
    units = [f"U{n:02}" for n in range(30)]
    default = {"units": ["U00", "U01"]}
    view = {
        "game": "beda-fomm",
        "side": "british",
        "turn": 3,
        "step": {"mine": False},
        "counters": [placed(unit, "2731") for unit in units],
        "pending": [{"window": "CHECKS", "side": "british", "verb": "CHECKS", "default": default}],
    }
    assert template("beda-fomm", view, [{"verb": "CHECKS", "args": default}])[2:] == [
        "# CHECKS: this counts if you do not answer:",
        "# CHECKS U00,U01",
        "# Your units: U00, U01, U02, U03, U04, U05,",
        "#   U06, U07, U08, U09, U10, U11, and 18",
        "#   more",
        "# DONE",
        "END",
    ]


def test_an_order_of_several_units_is_shown_once_and_counts_once() -> None:
    targets = {"2730": ["A1", "A2"], "2630": ["B1", "B2"]}
    legal = [{"verb": "ATTACK", "args": {"hex": at, "units": units}, "label": None} for at, units in targets.items()]
    counters = [placed(unit, "2731") for units in targets.values() for unit in units]
    view = {"game": "beda-fomm", "side": "british", "turn": 3, "step": {}, "pending": [], "counters": counters}
    assert template("beda-fomm", view, legal)[2:-2] == [
        "# A1 at 2731",
        "#     ATTACK 2730 WITH A1,A2",
        "# A2 at 2731",
        "# B1 at 2731",
        "#     ATTACK 2630 WITH B1,B2",
        "# B2 at 2731",
    ]


def test_what_would_be_refused_to_a_side_or_in_the_dark_is_not_offered_and_where_a_road_goes_is_no_place() -> None:
    accepts = ["ENTER", "DELAY", "MOVE", "EXIT"]
    step = {"name": "movement", "mine": True, "accepts": accepts}
    unit = {**counter("T-1", "2001", None), "side": "italian"}
    moves = [{"verb": "MOVE", "args": {"units": ["T-1"], "path": ["2002"]}}]

    def verbs(side: str, **own: bool) -> list[str]:
        view = {"game": "beda-fomm", "side": side, "turn": 3, "step": step, "counters": [unit], "pending": [], "own": own}
        lines = template("beda-fomm", view, moves if side == "italian" else [], {"names": {"2001": "to Soluch"}})
        assert not any("Soluch" in line for line in lines)
        forms = [line.split()[1] for line in lines if line[:3] != "#  " and line.split()[1:2] and line.split()[1].isupper()]
        return [word for word in dict.fromkeys(forms) if word in {*accepts, "INTERDICT", "BARRAGE", "FIRE", "ATTACK"}]

    fire = ["INTERDICT", "BARRAGE", "FIRE", "ATTACK"]
    assert verbs("italian") == [*accepts, *fire]
    assert verbs("british") == ["ENTER", "MOVE", *fire]
    assert verbs("italian", opening=True, hushed=True) == ["ENTER", "MOVE", "EXIT"]
    assert verbs("british", dark=True) == ["ENTER", "MOVE"]
