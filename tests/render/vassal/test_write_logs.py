"""Logs: from the save before, step by step, to the save after; what is told when, and what never is.

V09 (a log made on top of an older one) does not apply to the files themselves: each begins with the whole position before it, so that none
depends on another; what players send are orders, never logs.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from scenarios.loader import load_games
from services.render.vassal import log, save
from services.render.vassal.said import line
from services.render.views import EventView, View, read_view
from tests.render.boards import block, holdfast, own, view
from tests.render.vassal.test_write_saves import SECRET, Board, board_of, commands, holds, ident, steps, text_of

MOVED = {
    "kind": "moved",
    "clause": "11.1d",
    "data": {"side": "axis", "alias": "G1", "units": ["21PZ"], "path": ["0310", "0409", "0509", "0608"], "cost": 3},
}
ROLLED = {
    "kind": "rolled",
    "clause": "11.2m",
    "data": {"why": "attack", "site": "0708", "dice": [6, 2], "sides": 6, "modifiers": [{"n": -1, "why": "rough", "clause": "terrain.13"}]},
}
BATTLE = {
    "kind": "battle",
    "clause": "11.2d",
    "data": {
        "label": "0708", "hex": "0708", "side": "axis", "attackers": [{"unit": "21PZ", "alias": "G1", "from": "0608", "sp": 4}],
        "defender": {"unit": "4IND", "alias": "V4", "sp": 2}, "air": None, "leader": None, "attack_dice": 2, "defence_dice": 2,
        "hit_on": {"attack": 5, "defence": 5}, "modifiers": {"attack": [], "defence": []},
    },
}  # fmt: skip
LOST = {
    "kind": "eliminated",
    "clause": "11.2w",
    "data": {"unit": "4IND", "alias": "V4", "hex": "0708", "cause": "combat", "to": "box:pool-allied"},
}
BEFORE = view([own("21PZ", "0310", alias="G1"), own("15PZ", "0310"), block("V4", "0708"), block("V5", "1803")])


def after(*events: dict[str, Any], **more: Any) -> View:
    pool = {**own("4IND", "box:pool-allied", side="allied"), "known": "seen", "num": {}}
    return view([own("21PZ", "0608", alias="G1", marks=("moved",)), own("15PZ", "0310"), block("V5", "1803"), pool], list(events), **more)


def logged(*events: dict[str, Any]) -> bytes:
    return log(holdfast(), BEFORE, after(*events), secret=SECRET)


def test_a_log_starts_at_the_save_before_and_ends_at_the_save_after() -> None:
    made = logged(MOVED, BATTLE, ROLLED, LOST)
    assert board_of(made).shown() == board_of(holds(BEFORE)).shown()
    assert board_of(made, run=True).shown() == board_of(holds(after())).shown()
    assert made == logged(MOVED, BATTLE, ROLLED, LOST)


def test_a_movement_goes_hex_by_hex_and_is_told_with_its_clause() -> None:
    made = steps(logged(MOVED))
    ways = [re.findall(rf"^M/{ident('21PZ')}/Map/(\d+)/(\d+)/", "\n".join(step), re.MULTILINE) for step in made]
    x, y = 108 + 2 * 84, 100 + 9 * 96
    assert [way for way in ways if way] == [[(str(x + 84), str(y - 48))], [(str(x + 168), str(y - 96))], [(str(x + 252), str(y - 144))]]
    assert made[0][0] == "CHAT- Axis 21PZ moves: 0310 Mersa Brega to 0608 Agedabia (3 hexes), 3 MP [11.1d]"


def test_a_roll_is_told_with_its_dice_modifiers_and_clauses() -> None:
    assert ["CHAT- Dice for attack at 0708: 6, 2; -1 rough [terrain.13] [11.2m]"] in steps(logged(ROLLED))


@pytest.mark.parametrize(
    ("game", "kind", "said", "told"),
    [
        ("holdfast", "moved", {"side": "axis", "units": ["ARIETE"], "path": ["0310"], "cost": "9/2"},
         "Axis ARIETE moves: 0310 Mersa Brega, 4½ MP"),
        ("holdfast", "hits", {"units": [{"unit": "21PZ", "hits": 0, "sp": 4}, {"unit": "15PZ", "hits": 1, "sp": 2}]},
         "Hits: 21PZ (0 hits, 4 SP), 15PZ (1 hit, 2 SP)"),
        ("holdfast", "decided", {"side": "axis", "kind": "losses", "choice": {"units": ["21PZ", "15PZ"]}},
         "The Axis decide which attackers take the hits: 21PZ, 15PZ"),
        ("holdfast", "decided", {"side": "allied", "kind": "losses"}, "The Allies decide which attackers take the hits"),
        ("holdfast", "decided", {"side": "axis", "kind": "malta-axis", "choice": {"n": 1}}, ""),
        ("holdfast", "rp_spent", {"side": "allied", "k": 3, "why": "build"}, "The Allies spend 3 RP on the build-up"),
        ("holdfast", "rp_spent", {"side": "axis", "k": 1, "why": "move"}, "The Axis spend 1 RP on a move"),
        ("holdfast", "stepped", {"unit": "FF", "k": 1, "sp": 2}, "FF gains 1 SP, and has 2 SP"),
        ("holdfast", "step_opened", {"side": "allied", "step": "build"}, "Allied: build-up"),
        ("beda-fomm", "moved", {"side": "italian", "units": ["T-6"], "path": ["1213", "1214"], "cost": {"T-6": "1/2"}},
         "Italian T-6 moves: 1213 to 1214, ½ MP"),
        ("beda-fomm", "kept_out", {"side": "italian", "units": ["PAS-ART"], "hex": "0901", "code": "no-room"},
         "No way in yet for PAS-ART: 0901 El Magrun is full"),
        ("beda-fomm", "kept_out", {"side": "italian", "units": ["T-1"], "hex": "0901", "code": "of-another-sort"},
         "No way in yet for T-1: the way in at 0901 El Magrun is barred"),
        ("beda-fomm", "decided", {"side": "british", "kind": "advance", "choice": {"none": True}}, "The British decide the advance: none"),
        ("beda-fomm", "result", {"hex": "1519", "result": "AM1", "odds": "1:2", "die": 4}, "Result at 1519: AM1 (1:2, die 4)"),
    ],
)  # fmt: skip
def test_the_chat_tells_what_happened_in_the_words_of_the_mails(game: str, kind: str, said: dict[str, Any], told: str) -> None:
    event = EventView(n=1, kind=kind, clause="", path=[], data=said)
    assert line(event, load_games()[game]) == (f"- {told}" if told else "")


def test_a_block_is_unknown_until_the_event_that_tells_who_it_is() -> None:
    made = logged(MOVED, BATTLE, LOST)
    told = next(k for k, step in enumerate(steps(made)) if any("0708" in one and "attack" in one for one in step))
    whole = commands(made)
    first = "\n".join(one for one in whole[: len(whole) - len(steps(made)) + told])
    assert "4IND" not in first
    assert f"-/{ident(None, 'V4')}" in steps(made)[told]
    assert any(one.startswith(f"+/{ident('4IND')}/") for one in steps(made)[told])
    board = Board()
    for command in [*(one for one in whole if one[:2] == "+/"), *(one for step in steps(made)[: told + 1] for one in step)]:
        board.do(command)
    # Half strength of four: the third face; it stands where the block stood.
    assert board.pieces[ident("4IND")][1].split("\t")[6].strip("\\") == "3"
    assert board.at[ident("4IND")] == board_of(holds(BEFORE)).at[ident(None, "V4")]


def test_what_the_views_do_not_tell_is_not_in_a_log() -> None:
    made = logged(MOVED, BATTLE, LOST)
    for card in holdfast().cards.values():
        if card.side == "allied" and card.id != "4IND":
            assert not re.search(rf"\b{card.id}\b", text_of(made)), card.id
    assert "PLAYER" not in text_of(made)
    assert SECRET not in text_of(made)


def test_events_of_any_shape_are_told_and_harm_nothing() -> None:
    odd = [
        {"kind": "moved", "data": {"units": ["NOBODY"], "path": ["0310", "9999", "x"]}},
        {"kind": "moved", "data": {"units": ["21PZ"], "path": "0310"}},
        {"kind": "arrived", "data": {"unit": 7, "place": {}}},
        {"kind": "eliminated", "data": {}},
        {"kind": "unheard-of", "data": {"hex": "1803", "deep": {"a": [1, {"b": None}]}, "text": "a\\"}},
    ]
    made = logged(*odd)
    assert board_of(made, run=True).shown() == board_of(holds(after())).shown()
    assert any("Unheard of: hex 1803 Tobruk" in one for step in steps(made) for one in step)


def test_views_that_do_not_belong_together_are_refused() -> None:
    for wrong, words in (
        (after(side="allied"), "another side's: axis, not allied"),
        (after(scenario="campaign-2"), "another scenario: campaign-1, not campaign-2"),
        (after(turn=0), "a later game-turn: 1"),
    ):
        with pytest.raises(ValueError, match=words):
            log(holdfast(), BEFORE, wrong, secret=SECRET)


def test_sides_of_printed_counters_turn_in_a_log() -> None:
    data = load_games()["beda-fomm"]

    def seen(marks: list[str], events: list[dict[str, Any]]) -> View:
        one = {"id": "T-1", "side": "italian", "card": "T-1", "place": "1519", "marks": marks, "num": {}, "known": "own"}
        raw = {
            "game": "beda-fomm",
            "scenario": "historical",
            "side": "british",
            "counters": [one],
            "own": {"vp": 3, "morale": {"BER": 6}},
            "turn": 2,
        }
        return read_view({**raw, "events": events})

    parked = {"kind": "parked", "clause": "9.41a", "data": {"unit": "T-1", "hex": "1519"}}
    made = log(data, seen([], []), seen(["parked"], [parked]), secret=SECRET)
    turned = [one for one in steps(made)[0] if one.startswith(f"D/{ident('T-1')}/")]
    assert len(turned) == 1
    assert steps(made)[0][0] == "CHAT- T-1 parks: 1519 [9.41a]"
    assert board_of(made, run=True).shown() == board_of(save(data, seen(["parked"], []), secret=SECRET)).shown()
