"""Of charts that are printed in part a mail names the cells that its dice were read on and that are not printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scenarios.loader import load_game
from services.mail.cells import charts_in_part, reconstructed_cells
from services.mail.report import ReportRequest
from services.rules.registry import load_games
from services.rules.schemas.vocabulary import dump_scenario
from tests.mail.reports import flat

GAME = load_games()["fall-of-tobruk"]
WORDS = dump_scenario(GAME, GAME.data.scenarios["gazala"])
KEY = [1, "axis", "bombardment", 0, "artillery.4", "1422", "2L", "bombardment", 0]


def event(kind: str, **data: Any) -> dict[str, Any]:
    return {"kind": kind, "clause": "", "path": [["turn", 1], ["player-turn", "axis"], ["step", "combat"]], "data": data}


def rolled(die: int, *modifiers: int) -> dict[str, Any]:
    told = [{"n": n, "why": "tank", "clause": "artillery.5"} for n in modifiers]
    return event("rolled", why="bombardment", site="1422", dice=[die], sides=6, modifiers=told, key=KEY)


def cells(*events: dict[str, Any]) -> dict[str, list[str]]:
    return reconstructed_cells(events, WORDS, "fall-of-tobruk")


def test_printed_cells_are_not_named_and_others_are_once() -> None:
    """Of the combat results row 2 is printed and row 3 up to 1:2; of the antitank fire row 3 up to 3:1; of the artillery rows 1 to 4."""
    assert cells(event("result", odds="4:1", dice=[1, 1], result="EX")) == {}
    assert cells(event("result", odds="1:2", dice=[1, 2], result="CON")) == {}
    assert cells(event("result", odds="1:1", dice=[2, 1], result="DR2"), event("result", odds="1:1", dice=[1, 2], result="DR2")) == {
        "combat": ["3 at 1:1"]
    }
    assert cells(event("shot", column="3:1", die=3, modifiers=[], hit=True)) == {}
    assert cells(event("first_shot", column="3:1", die=2, modifiers=[{"n": 2}], hit=False)) == {"antitank": ["4 at 3:1"]}


def test_a_bombardment_is_read_on_the_column_that_was_told_before_its_dice() -> None:
    shelled = event("shelled", side="axis", hex="1422", guns=[], factors=13, column=12)
    assert cells(shelled, rolled(4), rolled(2, 2)) == {}
    assert cells(shelled, rolled(5), rolled(3, 2), rolled(6, 2)) == {"artillery": ["5 at 12"]}  # 6 + 2 is on no row of the table


def test_an_attack_that_stalls_and_dice_of_other_things_are_read_on_no_table() -> None:
    assert cells(event("result", odds=None, dice=[], result="STALL"), event("rolled", why="mines", dice=[4], modifiers=[])) == {}
    assert cells(event("mine_roll", die=5, lost=1, tanks=["8PZ-2"])) == {}


def test_a_mail_names_the_cells_and_the_first_one_the_charts() -> None:
    view = {"game": "fall-of-tobruk", "turn": 1, "path": [["turn", 1]], "waiting_for": ["axis"], "pending": [], "own": {}, "over": None}
    told = ReportRequest("fall-of-tobruk", "turn", "G1", side="axis", view=view, vocabulary=WORDS, events=[])
    assert "results of" not in flat(told)
    assert "beyond their printed cells" not in flat(told)
    fought = event("result", label="1422", hexes=["1422"], odds="1:1", dice=[1, 2], result="DR2")
    assert "and the combat results of 3 at 1:1." in flat(replace(told, events=[fought]))
    assert "the tables beyond their printed cells" in flat(replace(told, kind="start"))


def test_a_game_whose_charts_are_whole_names_no_cells() -> None:
    assert charts_in_part(WORDS, "fall-of-tobruk") == {"antitank", "combat", "artillery"}
    assert load_game(None, "holdfast").printed == {}
    assert charts_in_part({}, "holdfast") == frozenset()
    assert reconstructed_cells([event("result", odds="1:1", dice=[6])], {}, "beda-fomm") == {}
