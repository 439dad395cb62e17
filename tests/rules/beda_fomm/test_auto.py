"""AUTO further down in a script: the steps that its lines close on the way have their duties met (G16)."""

from __future__ import annotations

from services.rules.engine.model import Order
from tests.rules.beda_fomm.fight import attack
from tests.rules.beda_fomm.positions import Game, one, order, position

SHELL = order("BARRAGE", guns=["COL-ART"], target="1731")


def done(*, turn: bool = False, auto: bool = False) -> Order:
    return order("DONE", turn=turn, auto=auto)


def late(step: str = "movement") -> Game:
    """CRU-LAA was due on turn 8 and must come in now; COL-ART sees 11H-1, four hexes off."""
    return position("CRU-LAA@off8 COL-ART@1727 T-1@1720 11H-1@1731", step=step, turn=9, tempo="blitz")


def test_a_line_that_closes_movement_has_the_leave_of_an_auto_further_down() -> None:
    game = late()
    game.italian(SHELL, done(turn=True, auto=True), dice=[1] * 6)
    assert game.last.status == "done"
    assert game.at("CRU-LAA") == "0901"
    assert "barrage" in game.kinds()


def test_without_an_auto_the_duty_of_the_step_on_the_way_is_told_at_the_line_that_closes_it() -> None:
    game = late()
    game.italian(SHELL, done(turn=True), dice=[1] * 6)
    assert (game.codes(), game.at("CRU-LAA")) == (["must-enter"], "edge:off")


def test_a_done_auto_after_parking_reaches_the_duties_of_movement() -> None:
    game = late("parking")
    game.italian(one("PARK", "T-1"), done(auto=True), SHELL, done(turn=True), dice=[1] * 6)
    assert game.last.status == "done"
    assert game.at("CRU-LAA") == "0901"


def test_a_done_auto_that_met_a_duty_has_no_say_in_later_steps() -> None:
    units = "CRU-LAA@off8 COL-ART@1727 T-1@1720 FER-INF@2405 2RB-A@2404 2RB-B@2505"
    game = position(units, step="movement", turn=9, tempo="blitz")
    game.italian(done(auto=True), attack("2404", "FER-INF"), done(), dice=[1] * 6)
    assert game.at("CRU-LAA") == "edge:off"  # refused whole: FER-INF stands next to 2505 too
    assert game.codes() == ["must-attack-too"]


def test_the_later_of_two_attacks_on_one_hex_in_a_mail_is_told_to_take_the_place_of_the_other() -> None:
    units = "FER-INF@2404 2RB-A@2405 2RB-B@2403"
    game = position(units, side="british", step="declaration", tempo="blitz")
    game.british(attack("2404", "2RB-A"), attack("2404", "2RB-B"), done(), dice=[1] * 6)
    assert game.data("line_replaced") == {"lines": [1], "line": 2, "subject": "2404"}
    assert game.data("declared")["units"] == ["2RB-B"]


def test_an_attack_that_a_later_mail_replaces_is_no_slip() -> None:
    game = position("FER-INF@2404 2RB-A@2405 2RB-B@2403", side="british", step="declaration", tempo="blitz")
    game.british(attack("2404", "2RB-A"))
    game.british(attack("2404", "2RB-B"))
    assert game.events("line_replaced") == []
