"""What a refusal or a receipt tells beside that something is not so: the reason, the goal, who was left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.model import Guard
from tests.rules.beda_fomm.fight import advance, attack, checks
from tests.rules.beda_fomm.positions import DONE, Game, historical, move, on, one, order, position
from tests.rules.beda_fomm.test_setup import FORCE

AUTO = order("DONE", turn=False, auto=True)


def reason(game: Game) -> dict[str, Any]:
    """The reason within the one refusal."""
    (rejection,) = game.last.rejections
    assert rejection.code == "no-way"
    return {"clause": rejection.clause, **rejection.details["because"]}


@pytest.mark.parametrize(
    ("units", "unit", "to", "clause", "code", "hex_"),
    [
        ("T-1@1720 T-2@1723", "T-1", "1725", "6.13b", "no-room", "1723"),
        ("106RHA@2823 COL-AT@2825", "106RHA", "2824", "5.43a", "never-into-zoc", "2824"),
        ("2RB-A@2822 COL-AT@2825", "2RB-A", "2825", "9.21a", "enemy-there", "2825"),
    ],
)
def test_no_way_tells_what_bars_the_straightest(units: str, unit: str, to: str, clause: str, code: str, hex_: str) -> None:
    side = "italian" if unit.startswith("T-") else "british"
    game = position(units, side=side)
    game.send(side, move(unit, to=to))
    found = reason(game)
    assert (found["clause"], found["code"], found["details"]["hex"]) == (clause, code, hex_)


def test_no_way_over_ground_that_is_closed_has_the_ground_for_its_reason() -> None:
    game = position("BAB-6-1@2924")
    game.italian(move("BAB-6-1", to="2926", road=True))
    (rejection,) = game.last.rejections
    assert (rejection.code, rejection.details["because"]) == ("no-way", None)


def test_too_far_names_the_hex_that_was_ordered_beside_the_one_out_of_reach() -> None:
    # BAB-6-1 has 4 MP; 2929 is five clear hexes away, and 2930 six.
    game = position("BAB-6-1@2924")
    game.italian(move("BAB-6-1", to="2930"))
    assert game.last.rejections[0].details == {"unit": "BAB-6-1", "hex": "2929", "goal": "2930", "cost": 5, "allowance": 4}


def test_who_could_not_come_in_is_named_with_the_reason() -> None:
    # 0901 holds BER-SIR (3 points) and CRU-LAA (1): full.
    game = position("BER-SIR@0901 CRU-LAA@0901 CRU-ART@off9 CRU-HAA@off9")
    game.italian(DONE)
    assert game.data("kept_out") == {"side": "italian", "units": ["CRU-ART", "CRU-HAA"], "hex": "0901", "code": "no-room"}


def test_british_arrivals_that_wait_of_their_own_will_are_not_told_as_kept_out() -> None:
    game = position("2RT-1@off9 11H-1@2731", side="british", tempo="blitz")
    game.british(DONE)
    assert (game.at("2RT-1"), game.events("kept_out")) == ("edge:off", [])


@pytest.mark.rule("beda-fomm", "15.1a")
def test_a_british_arrival_is_asked_for_its_hex() -> None:
    game = position("2RT-1@off9", side="british")
    game.british(one("ENTER", "2RT-1"))
    assert game.refusal() == ("name-a-hex", "15.1a")
    assert game.last.rejections[0].details["hexes"] == ["3301 to 3340"]
    game.british(one("ENTER", "2RT-1", hex="3221"))
    assert game.last.rejections[0].details["hexes"] == ["3301 to 3340"]


def test_what_is_gone_is_told_to_be_gone() -> None:
    game = position("11H-1@dead 2RT-1@off9", side="british")
    game.british(move("11H-1", to="2731"))
    assert (game.refusal(), game.last.rejections[0].details["place"]) == (("not-on-map", "9.0a"), "box:eliminated")


def test_a_unit_twice_in_a_list_is_named() -> None:
    game = position("2RB-A@2731 2RB-B@2731", side="british")
    game.british(move("2RB-A 2RB-B 2RB-A", "2730"))
    assert game.last.rejections[0].details == {"units": ["2RB-A"]}


def test_antitank_fire_at_what_is_no_armor_is_refused_as_soon_as_it_is_given() -> None:
    game = position("2RB-A@2731 COL-AT@2730", side="british")
    game.british(order("FIRE", units=["2RB-A"], target="COL-AT", mass=None))
    assert (game.refusal(), game.place) == (("not-armored", "11.0a"), "9 british movement")


@pytest.mark.rule("beda-fomm", "14.31b")
def test_convoys_of_one_mail_that_share_a_lorry_are_refused_at_the_later_line() -> None:
    game = historical()
    game.british(*(one("PLACE", unit, hex=at) for unit, at in zip(FORCE, ["2731"] * 4 + ["2730"] * 4 + ["2830"], strict=True)), DONE)
    lines = [order("CONVOY", n=n, transports=["T-1", f"T-{n + 1}"], personnel=man) for n, man in ((1, "BER-SIR"), (2, "BER-MAR"))]
    game.italian(*lines, AUTO)
    (rejection,) = game.last.rejections
    assert (rejection.line, rejection.code, rejection.details["units"], rejection.details["convoy"]) == (2, "in-two-convoys", ["T-1"], 1)
    game.italian(*lines, check=True)
    assert game.codes() == ["in-two-convoys"]
    game.italian(lines[0])
    game.italian(lines[1], order("CONVOY", n=1, transports=["T-4", "T-5"], personnel="BER-SIR"), AUTO)  # mended in the same mail
    assert game.own("convoys")["2"]["transports"] == ["T-1", "T-3"]


ALIKE = "2RB-A@2731 2RB-B@2731 FER-ART@2728"


@pytest.mark.rule("beda-fomm", "12.43a")
def test_of_companies_all_alike_nobody_is_asked_for_the_order_of_checks() -> None:
    # 2 factors at 3 hexes: column 2, where a six is a check; 2 and 2 pass at level 11.
    game = position(ALIKE, step="barrage")
    game.italian(order("BARRAGE", guns=["FER-ART"], target="2731"), dice=[6, 6, 2, 2, 2, 2])
    assert [event.data["unit"] for event in game.events("morale_check")] == ["2RB-A", "2RB-B"]


def test_but_in_tempo_full_and_where_something_is_said_beforehand() -> None:
    game = position(ALIKE, step="barrage", tempo="full")
    game.italian(order("BARRAGE", guns=["FER-ART"], target="2731"), dice=[6, 6])
    assert [decision.kind for decision in game.state.pending] == ["checks"]
    game = position(ALIKE, step="barrage")
    game.british(standing=[on("CHECKS", checks("2RB-B 2RB-A"))])
    game.italian(order("BARRAGE", guns=["FER-ART"], target="2731"), dice=[6, 6, 2, 2, 2, 2])
    assert [event.data["unit"] for event in game.events("morale_check")] == ["2RB-B", "2RB-A"]


def test_an_advance_given_beforehand_that_is_no_longer_legal_is_told_with_the_reason() -> None:
    # 12 against 4 is 3:1, a four DM1: 6 and 6 and 1 is 13 against 6, so BER-SIR is eliminated; 106RHA took no part.
    game = position(
        "2RB-A@2405 2RB-B@2405 2RB-C@2305 2RB-D@2305 106RHA@2405 BER-SIR@2404", side="british", step="declaration", tempo="blitz"
    )
    line = on("ADVANCE", advance("106RHA", "2404"))
    game.british(line, attack("2404", "2RB-A 2RB-B 2RB-C 2RB-D"), DONE, dice=[4, 6, 6])
    assert game.events("advanced") == []
    told = game.data("unused")
    assert (told["line"], told["code"], told["details"]["unit"]) == (1, "took-no-part", "106RHA")


def test_who_is_due_and_who_is_to_come_can_be_seen() -> None:
    game = position("CRU-LAA@off9 CRU-ART@off8 2RT-1@off12", turn=9)
    own = game.view("italian")["own"]
    assert own["due"] == {"italian": ["CRU-ART", "CRU-LAA"], "british": []}
    assert all(int(turn) > 9 for turn in own["coming"])
    assert historical().view("italian")["own"]["coming"]["1"][:1] != []


def test_the_fault_of_an_else_stands_at_its_own_line() -> None:
    game = position("2RB-A@2731 11H-1@2730 COL-AT@2728", side="british")
    alive = (Guard("alive", {"unit": "11H-1"}, False),)
    line = replace(move("2RB-A", "2732"), guard=alive, otherwise=replace(move("NOBODY", "2732"), line=2))
    game.british(line)
    (rejection,) = game.last.rejections
    assert (rejection.line, rejection.code) == (2, "unknown-unit")
    game.british(line, anyway=True)
    assert (game.last.rejections[0].fate, game.at("2RB-A")) == ("dropped", "2731")
