"""17.6 Air drops and landings from the sea: paratroops and commandos on the turn in which they come.

2-PARA is dropped, 1CDO lands. 1313 and all around it is clear; 0711 is Tunis, 0420 lies on the coast."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.legal import legal
from tests.rules.race_for_tunis.positions import DONE, Game, move, one, order, position

FAR = "T1@0216"


def landing(units: str, *lines, dice=(), landings: bool = True, **more) -> Game:
    game = position(f"{units} {FAR}", side="allied", landings=landings, **more)
    game.allied(*lines, dice=dice)
    return game


def refused(units: str, line, **more) -> tuple[str, str]:
    return landing(units, line, **more).refusal()


# -- drops -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "17.6-1", "17.6.1.A", "17.6.3.A-1", "17.6.3.A-2")
def test_a_parachute_unit_is_dropped_at_the_end_of_the_movement_phase():
    game = landing("2-PARA@off 1ES@1320", move("1ES", "1319"), one("DROP", "2-PARA", hex="1313"), DONE, dice=[3])
    assert (game.at("2-PARA"), game.data("landing")) == ("1313", {"unit": "2-PARA", "hex": "1313", "die": 3, "mp": 0})
    game = landing("2-PARA@off 1ES@1320", one("DROP", "2-PARA", hex="1313"), move("1ES", "1319"), dice=[5])
    assert (game.at("1ES"), game.codes()) == ("1320", ["not-landed-to-move"])  # no other moves after it


@pytest.mark.rule("race-for-tunis", "17.6.1.B-1", "17.6.1.B-2", "17.6.1.B-3")
def test_where_no_drop_can_be_made():
    swamp, crest = (next(str(at) for at, kind in ground(landing("2-PARA@off").table).kinds.items() if kind == name) for name in SHUT)
    assert refused("2-PARA@off", one("DROP", "2-PARA", hex="0711")) == ("no-drop-there", "17.6.1.B-1")
    assert refused("2-PARA@off", one("DROP", "2-PARA", hex=swamp)) == ("no-drop-there", "17.6.1.B-3")
    assert refused("2-PARA@off", one("DROP", "2-PARA", hex=crest)) == ("no-drop-there", "17.6.1.B-3")
    assert refused("2-PARA@off T2@1312", one("DROP", "2-PARA", hex="1313")) == ("in-a-zone", "17.6.1.B-2")
    assert refused("2-PARA@off T2@1313", one("DROP", "2-PARA", hex="1313")) == ("enemy-there", "17.6.1.B-2")
    full = "1ES@1313 5NTH@1313 2LF@1313"
    assert refused(f"2-PARA@off {full}", one("DROP", "2-PARA", hex="1313")) == ("stacking", "7.0.A-2")
    assert refused("2-PARA@off", one("DROP", "2-PARA", hex="0101")) == ("cannot-enter", "6.0.C-1")


SHUT = ("swamp", "rugged-crest")


@pytest.mark.rule("race-for-tunis", "17.6-1", "17.6-2")
def test_who_may():
    assert refused("5NTH@off 2-PARA@off", one("DROP", "5NTH", hex="1313")) == ("not-of-the-kind", "17.6-1")
    assert refused("1CDO@off", one("DROP", "1CDO", hex="1313")) == ("not-of-the-kind", "17.6-1")
    assert refused("2-PARA@off", one("AMPH", "2-PARA", hex="0420")) == ("not-of-the-kind", "17.6-2")
    game = landing("2-PARA@off", one("DROP", "2-PARA", hex="1313"), landings=False)  # only if the option is played
    assert game.at("2-PARA") == "edge:off"
    assert game.last.status == "refused"


@pytest.mark.rule("race-for-tunis", "17.6-3", "17.6-4")
def test_only_on_the_turn_in_which_it_comes_as_a_reinforcement():
    assert refused("2-PARA@1320 3-PARA@off", one("DROP", "2-PARA", hex="1313")) == ("not-waiting", "14.0.C")
    assert refused("2-PARA@off6 3-PARA@off", one("DROP", "2-PARA", hex="1313")) == ("not-due", "14.0.C")
    held = (one("DELAY", "2-PARA"), one("DROP", "2-PARA", hex="1313"))
    assert landing("2-PARA@off 3-PARA@off", *held).refusal() == ("held-back", "14.0.D-2")
    game = position(f"2-PARA@dead 3-PARA@off {FAR}", side="allied", step="opening", landings=True, own={"rp": 5})
    game.allied(one("REBUILD", "2-PARA"), one("DROP", "2-PARA", hex="1313"))
    assert game.refusal() == ("came-back", "17.6-4")
    game = position(f"2-PARA@dead {FAR}", side="allied", step="opening", landings=True, own={"rp": 5})
    game.allied(one("REBUILD", "2-PARA"), order("DONE", turn=True))
    assert game.at("2-PARA") == "1225"


@pytest.mark.rule("race-for-tunis", "17.6-3")
def test_who_is_not_dropped_comes_in_over_the_edge_at_the_end():
    game = landing("2-PARA@off 3-PARA@off", one("DROP", "2-PARA", hex="1313"), DONE, dice=[1])
    assert (game.at("2-PARA"), game.at("3-PARA")) == ("1313", "1225")
    game = landing("2-PARA@off", order("DONE", turn=True))
    assert game.at("2-PARA") == "1225"
    assert landing("2-PARA@off", one("ENTER", "2-PARA")).at("2-PARA") == "1225"


@pytest.mark.rule("race-for-tunis", "17.6-1")
def test_several_may_be_dropped():
    lines = (one("DROP", "2-PARA", hex="1313"), one("DROP", "3-PARA", hex="1804"))
    game = landing("2-PARA@off 3-PARA@off", *lines, DONE, dice=[1, 4])
    assert (game.at("2-PARA"), game.at("3-PARA"), game.own("dropped")) == ("1313", "1804", ["2-PARA", "3-PARA"])
    assert game.own("landers") == {"2-PARA": 0, "3-PARA": 3}


# -- from the sea ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "17.6-2", "17.6.2-1")
def test_a_commando_lands_on_any_coast():
    assert landing("1CDO@off", one("AMPH", "1CDO", hex="0420"), DONE, dice=[1]).at("1CDO") == "0420"
    for at in ground(landing("1CDO@off").table).coastal:
        assert at in ground(landing("1CDO@off").table).terrain
    assert refused("1CDO@off", one("AMPH", "1CDO", hex="1313")) == ("no-coast", "17.6.2-1")


@pytest.mark.rule("race-for-tunis", "17.6.2-2", "17.6.2-3", "17.6.3.B")
def test_enemies_in_the_hex_bar_it_their_zone_does_not_but_it_then_stays_there():
    assert refused("1CDO@off T2@0420", one("AMPH", "1CDO", hex="0420")) == ("enemy-there", "17.6.2-2")
    game = landing("1CDO@off T2@0419", one("AMPH", "1CDO", hex="0420"), DONE, dice=[6])
    assert (game.at("1CDO"), game.own("landers"), game.events("landing")[0].clause) == ("0420", {}, "17.6.3.B")
    game = landing("1CDO@off T2@0419", one("AMPH", "1CDO", hex="0420"), move("1CDO", "0520"), dice=[6])
    assert game.at("1CDO") == "0420"


# -- what is left to move ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "17.6.3.A-3", "17.6.3.A-4")
@pytest.mark.parametrize(("die", "mp"), [(1, 0), (2, 0), (3, 0), (4, 3), (5, 3), (6, 3)])
def test_a_die_says_whether_it_moves_on(die, mp):
    # Clear hexes cost 1: three of them, and no fourth.
    game = landing("2-PARA@off", one("DROP", "2-PARA", hex="1313"), DONE, dice=[die])
    assert (game.at("2-PARA"), game.data("landing")["mp"]) == ("1313", mp)
    if not mp:
        assert game.own("landers") == {}
        return
    assert (game.place, game.own("landers")) == ("5 allied landed", {"2-PARA": 3})
    game.allied(move("2-PARA", "1314 1413 1412 1312"))
    assert game.refusal() == ("too-far", "6.0.C-2")
    game.allied(move("2-PARA", "1314 1413 1412"))
    assert game.at("2-PARA") == "1412"


@pytest.mark.rule("race-for-tunis", "17.6.3.A-4", "17.6.3.A-5")
def test_it_may_go_into_a_zone_for_two_points_more_and_nobody_else_moves():
    # 2-PARA has 6 MP printed, a commando 4: three are left to both.
    game = landing("2-PARA@off T2@1311 1ES@1320", one("DROP", "2-PARA", hex="1313"), DONE, dice=[4])
    game.allied(move("1ES", "1319"))
    assert game.refusal() == ("not-landed-to-move", "17.6.3.A-4")
    game.allied(move("2-PARA", "1312"))  # 1 and 2
    assert (game.at("2-PARA"), game.data("moved")["cost"]) == ("1312", {"2-PARA": 3})
    game = landing("1CDO@off", one("AMPH", "1CDO", hex="0420"), DONE, dice=[5])
    assert game.own("landers") == {"1CDO": 3}


def test_in_one_packet_with_the_move_on():
    lines = (one("DROP", "2-PARA", hex="1313"), move("2-PARA", "1314"))
    assert landing("2-PARA@off", *lines, dice=[5]).at("2-PARA") == "1314"
    assert str(parse_hex("1314")) == "1314"


@pytest.mark.rule("race-for-tunis", "6.4.A", "17.6.3.A-4")
def test_the_hex_that_may_always_be_entered_is_not_for_who_has_landed():
    # RT-11: the landing has used half its movement. High ground in the zone of T2 costs 4 MP, and it has 3.
    game = landing("2-PARA@off T2@1515", one("DROP", "2-PARA", hex="1413"), DONE, dice=[4])
    assert game.own("landers") == {"2-PARA": 3}
    game.allied(move("2-PARA", "1514"))  # 2 and 2 for the zone
    assert game.refusal() == ("too-far", "6.0.C-2")
    assert game.last.rejections[0].details["cost"] == 4
    offered = [one.args for one in legal(game.table, "allied") if one.verb == "MOVE"]
    assert {"1412", "1613"} <= {args["to"] for args in offered}
    assert all("1514" not in (args["to"], *args["path"]) for args in offered)
    walked = position("2-PARA@1413 T2@1515", side="allied")
    walked.allied(move("2-PARA", "1514"))
    assert walked.data("moved")["cost"] == {"2-PARA": 4}  # of 6, when it has walked there
