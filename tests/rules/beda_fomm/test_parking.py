"""9.4 Parking: on the road 1720 1721 ..., before anything else of the Italian movement phase."""

import pytest

from services.rules.games.beda_fomm.state import combat_factor
from tests.rules.beda_fomm.positions import DONE, Game, move, one, order, position

FAR = "2RB-D@3310"


def parking(units: str, *lines, **more) -> Game:
    game = position(f"{units} {FAR}", step="parking", **more)
    game.italian(*lines)
    return game


@pytest.mark.rule("beda-fomm", "9.4a", "9.4b", "9.42a")
def test_transports_park_as_many_as_wish_and_do_not_move():
    game = parking("T-1@1720 T-2@1721 T-3@1722", one("PARK", "T-1"), one("PARK", "T-2"))
    assert [game.face(unit) for unit in ("T-1", "T-2", "T-3")] == ["parked", "parked", ""]
    game.italian(move("T-1", "1721"))
    assert game.refusal() == ("parked", "9.42a")
    game.italian(move("T-3", "1723"))  # past them nothing is barred
    assert game.at("T-3") == "1723"


@pytest.mark.rule("beda-fomm", "9.42a")
def test_a_parked_transport_does_not_move_on_later_turns_nor_leave_the_map():
    assert parking("T-1:parked@1720", move("T-1", "1721")).refusal() == ("parked", "9.42a")
    assert parking("T-1:parked@1740", one("EXIT", "T-1")).refusal() == ("parked", "9.42a")


@pytest.mark.rule("beda-fomm", "9.4a")
def test_only_transports_that_are_on_the_map_park():
    assert parking("COL-ART@1720 T-1@1721", one("PARK", "COL-ART")).refusal() == ("not-transport", "9.4a")
    assert parking("T-2@off T-1@1721", one("PARK", "T-2")).refusal() == ("not-on-map", "9.0a")
    assert parking("T-1:parked@1720", one("PARK", "T-1")).refusal() == ("parked-already", "9.4a")
    assert parking("T-1@1720", one("UNPARK", "T-1")).refusal() == ("not-parked", "9.44a")


@pytest.mark.rule("beda-fomm", "9.4c", "9.43a")
def test_one_is_parked_in_a_hex_and_one_ready_may_stand_there_too():
    game = parking("T-1:parked@1720 T-2@1720", one("PARK", "T-2"))
    assert game.refusal() == ("one-parked", "9.4c")
    game = parking("T-1:parked@1721 T-2@1720", move("T-2", "1721"))
    assert game.at("T-2") == "1721"


@pytest.mark.rule("beda-fomm", "9.43b")
def test_a_parked_transport_is_not_made_ready_beside_another_that_is():
    assert parking("T-1:parked@1720 T-2@1720", one("UNPARK", "T-1")).refusal() == ("no-room", "9.43b")
    # Nor do they change places (BF-R28).
    game = parking("T-1:parked@1720 T-2@1720", one("PARK", "T-2"), one("UNPARK", "T-1"))
    assert game.codes() == ["one-parked", "no-room"]
    # 3 and two smaller units are too many, 3 and one are not.
    assert parking("T-1:parked@1720 COL-AT@1720 COL-LAA@1720", one("UNPARK", "T-1")).refusal() == ("no-room", "9.43b")
    assert parking("T-1:parked@1720 COL-AT@1720", one("UNPARK", "T-1")).face("T-1") == ""


@pytest.mark.rule("beda-fomm", "9.44a", "9.44b")
def test_to_be_made_ready_takes_the_whole_allowance():
    game = parking("T-1:parked@1740", one("UNPARK", "T-1"))
    assert (game.face("T-1"), game.marks("T-1")) == ("", {"done"})
    game.italian(move("T-1", "1739"))
    assert game.refusal() == ("moved-already", "9.0h")
    game.italian(one("EXIT", "T-1"))  # BF-R29
    assert game.refusal() == ("moved-already", "9.0h")
    game.italian(DONE)
    assert "moved" not in game.marks("T-1")


@pytest.mark.rule("beda-fomm", "9.44b")
def test_a_transport_is_turned_once_a_phase():
    game = parking("T-1:parked@1720", one("UNPARK", "T-1"), one("PARK", "T-1"))
    assert game.refusal() == ("moved-already", "9.44b")
    game = parking("T-1@1720", one("PARK", "T-1"), one("UNPARK", "T-1"))
    assert game.refusal() == ("parked-this-turn", "9.4a")


@pytest.mark.rule("beda-fomm", "9.44b")
def test_a_turn_later_a_transport_that_was_made_ready_moves():
    game = position(f"T-1:parked@1720 {FAR}", step="parking", turn=7)
    game.italian(one("UNPARK", "T-1"), order("DONE", turn=True))
    game.british(DONE)
    game.italian(move("T-1", "1721"))
    assert (game.place, game.at("T-1")) == ("8 italian movement", "1721")


@pytest.mark.rule("beda-fomm", "9.41a", "9.44a", "8.2a")
def test_parking_is_over_with_the_first_move_or_arrival():
    for first in (move("COL-AT", "1725"), one("ENTER", "COL-LAA")):
        units = "T-1@1720 T-2:parked@1722 COL-AT@1724 COL-LAA@off9"
        for late in (one("PARK", "T-1"), one("UNPARK", "T-2")):
            game = parking(units, first, late)
            assert game.codes() == ["not-in-this-step"]
            assert parking(units, late, first).last.status == "done"


@pytest.mark.rule("beda-fomm", "8.2a", "8.2k")
def test_the_british_player_turn_has_no_parking():
    game = position(f"T-1@1720 {FAR}", turn=7)
    game.italian(DONE)
    assert game.place == "7 british movement"
    game.british(DONE)
    assert game.place == "8 italian parking"


@pytest.mark.rule("beda-fomm", "9.42b")
def test_a_parked_transport_has_a_combat_factor_of_0():
    game = position("T-1@1720 T-2:parked@1722")
    assert [combat_factor(game.table, unit) for unit in ("T-1", "T-2")] == [1, 0]


@pytest.mark.rule("beda-fomm", "9.4d", "9.43a")
def test_a_hex_full_of_others_takes_a_parked_transport_all_the_same():
    game = parking("T-1@1720 COL-AT@1720", one("PARK", "T-1"), move("COL-AT", "1721"))
    assert game.face("T-1") == "parked"
    game = parking("T-1:parked@1720 COL-ART@1719 COL-AT@1720", DONE)
    assert game.last.status == "done"
