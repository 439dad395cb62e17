"""12. Engineers blow and mend bridges: 2 and 4 MP in the hex. 1215 is a wadi with a bridge, on the road 1214 1215 1315; 49ENG has 7 MP."""

import pytest

from tests.rules.race_for_tunis.positions import Game, move, one, order, position
from tests.rules.race_for_tunis.walking import cost, refused

TURN = order("DONE", turn=True)
BLOWN = {"blown": ["1215"]}


def work(act: str, at: str = "1215", unit: str = "49ENG", **more):
    return one("BRIDGE", unit, act=act, hex=at, **more)


def spent(game: Game, unit: str = "49ENG") -> object:
    return game.state.counters[unit].num["spent"]


def at_bridge(units: str = "49ENG@1215", **more) -> Game:
    return position(f"{units} 1ES@2125", **more)


@pytest.mark.rule("race-for-tunis", "12.0.A-1", "12.0.A-2", "12.0.A-3")
def test_an_engineer_blows_the_bridge_of_its_hex_for_two_points():
    game = at_bridge()
    game.axis(work("BLOW"))
    assert (spent(game), game.own("blown"), game.view("allied")["own"]["blown"]) == (2, ["1215"], ["1215"])
    assert game.data("bridge") == {"unit": "49ENG", "hex": "1215", "state": "blown"}
    game.axis(move("49ENG", "1315 1415 1516 1517"))  # 1/2, 1/2, the wadi 1516 2, 1517 1, and 2 before: 6 of 7
    assert (game.at("49ENG"), spent(game)) == ("1517", 6)


@pytest.mark.rule("race-for-tunis", "12.0.A-4", "12.0.A-5")
def test_to_mend_it_takes_four():
    game = at_bridge(own=BLOWN)
    assert game.view("allied")["own"]["blown"] == ["1215"]
    game.axis(work("MEND"))
    assert (spent(game), game.own("blown"), game.view("allied")["own"]["blown"]) == (4, [], [])
    assert game.data("bridge")["state"] == "mended"


@pytest.mark.rule("race-for-tunis", "12.0.A-2", "12.0.A-4")
def test_the_points_must_be_there_in_that_turn():
    game = at_bridge("G-ENG@1315", own=BLOWN)  # 4 MP: with the bridge gone 1215 costs the 2 of a wadi
    game.axis(move("G-ENG", "1215", bridge="MEND", bridge_at="1215"))
    assert (game.refusal(), game.last.rejections[0].details["cost"]) == (("too-far", "12.0.A-4"), 6)
    game.axis(move("G-ENG", "1215"))
    game.axis(work("MEND", unit="G-ENG"))
    assert game.refusal() == ("too-far", "12.0.A-4")
    game = at_bridge("G-ENG@1115")
    game.axis(move("G-ENG", "1215", bridge="BLOW", bridge_at="1215"))  # 2 and 2
    assert (spent(game, "G-ENG"), game.own("blown")) == (4, ["1215"])
    game = at_bridge("G-ENG@1414")
    game.axis(move("G-ENG", "1415 1315 1215", bridge="BLOW", bridge_at="1215"))  # 1, 1/2, 1/2, 2
    assert spent(game, "G-ENG") == 4
    game = at_bridge("G-ENG@1413")
    game.axis(move("G-ENG", "1414 1415 1315 1215", bridge="BLOW", bridge_at="1215"))
    assert game.refusal() == ("too-far", "12.0.A-2")


@pytest.mark.rule("race-for-tunis", "12.0.A-1")
def test_what_is_no_work_for_it_is_refused():
    for units, line, code in (
        ("T1@1215", work("BLOW", unit="T1"), "no-engineer"),
        ("49ENG@1315", work("BLOW", "1315"), "no-bridge"),
        ("49ENG@1315", work("BLOW"), "bridge-not-on-the-way"),
        ("49ENG@1315", move("49ENG", "1415", bridge="BLOW", bridge_at="1215"), "bridge-not-on-the-way"),
    ):
        game = at_bridge(units)
        game.axis(line)
        assert (game.refusal(), game.own("blown")) == ((code, "12.0.A-1"), [])


@pytest.mark.rule("race-for-tunis", "12.0.A-3", "12.0.A-1")
def test_a_blown_bridge_is_not_blown_nor_a_whole_one_mended():
    game = at_bridge(own=BLOWN)
    game.axis(work("BLOW"))
    assert (game.codes(), game.own("blown")) == (["bridge-is-so"], ["1215"])
    game = at_bridge()
    game.axis(work("MEND"))
    assert (game.codes(), game.own("blown")) == (["bridge-is-so"], [])


@pytest.mark.rule("race-for-tunis", "12.0.B-1", "12.0.B-2")
def test_units_that_move_afterwards_feel_it_in_the_same_phase():
    # By road 1214 1215 1315 costs 1. With the bridge blown 1215 costs the 2 of a wadi; out of it the road counts again.
    game = at_bridge("49ENG@1215 T1@1214 T2@1214")
    game.axis(move("T1", "1215 1315"), work("BLOW"), move("T2", "1215 1315"))
    assert (spent(game, "T1"), str(spent(game, "T2"))) == (1, "5/2")
    game = at_bridge("49ENG@1215 T1@1214 T2@1214", own=BLOWN)
    game.axis(move("T1", "1215 1315"), work("MEND"), move("T2", "1215 1315"))
    assert (str(spent(game, "T1")), spent(game, "T2")) == ("5/2", 1)


@pytest.mark.rule("race-for-tunis", "12.0.B-2")
def test_a_bridge_stays_as_it_is_for_the_turns_that_follow():
    game = at_bridge("49ENG@1215 T1@0714")
    game.axis(work("BLOW"), TURN)
    game.allied(TURN)
    assert game.own("blown") == ["1215"]
    assert cost("1ES", "1214 1215 1315", side="allied", own=BLOWN) == "5/2"
    assert cost("756-I", "1214 1215", own=BLOWN) == 1  # mountaineers do not mind


@pytest.mark.rule("race-for-tunis", "12.0.C")
def test_a_bridge_is_worked_on_once_in_a_movement_phase():
    game = at_bridge("49ENG@1215 11P-ENG@1215")
    game.axis(work("BLOW"))
    game.axis(work("MEND", unit="11P-ENG"))  # whoever does it
    assert (game.refusal(), game.own("blown")) == (("worked-already", "12.0.C"), ["1215"])
    game.axis(TURN)
    game.allied(TURN)
    game.axis(work("MEND", unit="11P-ENG"))
    assert (game.codes(), game.own("blown")) == ([], [])


@pytest.mark.rule("race-for-tunis", "12.0.A-1", "6.1.B", "6.1.C-1")
def test_an_engineer_in_an_enemy_zone_works_and_leaves_but_not_if_it_has_entered_it():
    units = "49ENG@1215 5NTH@1216"  # which commands 1215
    game = position(units)
    game.axis(work("BLOW"))
    game.axis(move("49ENG", "1214"))
    assert (game.at("49ENG"), str(spent(game))) == ("1214", "5/2")
    game = position(units)
    game.axis(move("49ENG", "1214", bridge="BLOW", bridge_at="1215"))  # in one order
    assert (game.at("49ENG"), game.own("blown")) == ("1214", ["1215"])
    game = position("49ENG@1214 5NTH@1216")
    game.axis(move("49ENG", "1215"))
    game.axis(work("BLOW"))  # it stops there, and what it has left it may spend
    assert (game.codes(), str(spent(game)), game.own("blown")) == ([], "7/2", ["1215"])
    game.axis(move("49ENG", "1214"))
    assert game.refusal() == ("must-stop", "6.1.B")


@pytest.mark.rule("race-for-tunis", "12.0.A-2")
def test_the_one_hex_that_a_unit_may_always_enter_does_not_pay_for_work():
    assert cost("G-ENG", "1714 1813", "5NTH@1913") == 5
    game = at_bridge("G-ENG@1215")
    game.axis(work("BLOW", unit="G-ENG"))
    game.axis(move("G-ENG", "1115 1116"))  # the wadi 2, high ground 2: 6 of 4
    assert game.refusal() == ("too-far", "6.0.C-2")
    assert refused("G-ENG", "1115 1215 1115 1116") == ("too-far", "6.0.C-2")


@pytest.mark.rule("race-for-tunis", "12.0.A-1", "12.0.B-1")
def test_what_happens_on_the_way_is_told_in_its_order():
    # Into 1215 by the road 1/2, the work 2, out by the road 1/2: at the bridge, then the work, then what is left of the way.
    game = at_bridge("49ENG@1214")
    game.axis(move("49ENG", "1215 1315", bridge="BLOW", bridge_at="1215"))
    told = [(event.kind, event.data.get("path"), event.data.get("cost")) for event in game.last.events if event.kind in ("moved", "bridge")]
    assert told == [
        ("moved", ["1214", "1215"], {"49ENG": "1/2"}),
        ("bridge", None, None),
        ("moved", ["1215", "1315"], {"49ENG": 3}),
    ]
    # What comes after the work is refused with it, and then nothing has been done.
    game = at_bridge("49ENG@1214 5NTH@1216")
    game.axis(move("49ENG", "1215 1315", bridge="BLOW", bridge_at="1215"))
    assert (game.refusal(), game.at("49ENG"), game.own("blown")) == (("must-stop", "6.1.B"), "1214", [])
