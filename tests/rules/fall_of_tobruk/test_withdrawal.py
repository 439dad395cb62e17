"""Allied Withdrawal: out over the east edge, column 20, for good."""

import pytest

from tests.rules.fall_of_tobruk.positions import DONE, TURN, move, one, position


@pytest.mark.rule("fall-of-tobruk", "withdrawal.1", "withdrawal.2", "withdrawal.5", "victory.7")
def test_a_unit_that_has_come_to_the_east_edge_leaves_and_counts():
    game = position("5EY@1907 2RGH-1@1907 74ART@2007 8PZ-2@0505", side="allied")
    game.allied(move("5EY 2RGH-1", "2007"), one("EXIT", "5EY"), one("EXIT", "2RGH-1"), one("EXIT", "74ART"))
    assert [game.at(unit) for unit in ("5EY", "2RGH-1", "74ART")] == ["box:exited"] * 3
    assert game.own("exits") == {"tanks": 1, "infantry": 1, "artillery": 1}
    assert game.events("exited")[0].data == {"unit": "5EY", "hex": "2007", "class": "infantry"}
    assert game.marks("5EY") == set()


@pytest.mark.rule("fall-of-tobruk", "withdrawal.1")
def test_it_leaves_only_where_it_stands_at_that_edge():
    game = position("5EY@1907 8PZ-2@0505", side="allied")
    game.allied(one("EXIT", "5EY"))
    assert game.refusal() == ("not-at-the-east-edge", "withdrawal.1")


@pytest.mark.rule("fall-of-tobruk", "withdrawal.1", "crt.eng.2", "artillery.10", "seq.8", "paralysis.4")
def test_who_may_not_move_may_not_leave():
    for mark, clause in (("engaged-defender", "crt.eng.2"), ("shelled", "artillery.10"), ("done", "seq.8")):
        game = position("74ART@2007 8PZ-2@0505", side="allied", marks={mark: "74ART"})
        game.allied(one("EXIT", "74ART"))
        assert game.refusal()[1] == clause
    game = position("5EY@2007 8PZ-2@0505", side="allied", marks={"moved": "5EY", "done": "5EY"})
    game.allied(one("EXIT", "5EY"))
    assert game.refusal() == ("finished", "seq.8")
    game = position("5EY@2007 8PZ-2@0505", side="allied", turn=1)
    game.allied(one("EXIT", "5EY"))
    assert game.refusal() == ("paralysed", "paralysis.4")


@pytest.mark.rule("fall-of-tobruk", "withdrawal.1", "zoc.2")
def test_a_unit_that_an_enemy_zone_has_stopped_there_stays_and_one_that_began_there_goes():
    game = position("5EY@1907 6GH@2007 8PZ-2@2008", side="allied")
    game.allied(move("5EY", "2007"), one("EXIT", "5EY"))
    assert game.refusal() == ("must-stop", "zoc.2")
    game.allied(one("EXIT", "6GH"))
    assert game.at("6GH") == "box:exited"


@pytest.mark.rule("fall-of-tobruk", "withdrawal.3", "withdrawal.2")
def test_who_has_left_does_not_come_back():
    game = position("5EY@gone 4EY@1505 8PZ-2@0505", side="allied")
    game.allied(move("5EY", "2007"))
    assert game.codes() == ["not-on-map"]
    game.allied(TURN)
    assert game.at("5EY") == "box:exited"


@pytest.mark.rule("fall-of-tobruk", "withdrawal.4")
def test_no_axis_unit_follows():
    game = position("8PZ-2@2007 5EY@0505")
    game.axis(one("EXIT", "8PZ-2"), DONE)
    assert ("not-at-the-east-edge", "withdrawal.4") in [(r.code, r.clause) for r in game.last.rejections]
