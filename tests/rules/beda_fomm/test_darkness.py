"""13. Darkness, as far as movement goes: turns 7, 8, 21 and 22 have parking, arrivals, movement and the taking off of markers."""

import pytest

from tests.rules.beda_fomm.positions import DONE, Game, move, one, position

DARK = [7, 8, 21, 22]


def moved(units: str, line, side: str = "italian", turn: int = 7) -> Game:
    game = position(units, side=side, turn=turn)
    game.send(side, line)
    return game


@pytest.mark.rule("beda-fomm", "13.0a", "13.0b")
@pytest.mark.parametrize("turn", range(2, 29))
def test_on_four_turns_nobody_enters_an_enemy_zone(turn):
    game = moved("BAB-6-1@2924 2RB-A@2926", move("BAB-6-1", "2925"), turn=turn)
    if turn in DARK:
        assert game.refusal() == ("no-zoc-in-the-dark", "13.0b")
    else:
        assert game.at("BAB-6-1") == "2925"


@pytest.mark.rule("beda-fomm", "13.0b", "9.12c")
def test_no_type_of_either_side_enters_or_infiltrates_in_the_dark():
    for unit in ("2RB-A", "11H-1"):
        assert moved(f"{unit}@2924 BER-SIR@2926", move(unit, "2925"), "british").refusal() == ("no-zoc-in-the-dark", "13.0b")
        assert moved(f"{unit}@2925 BER-SIR@2926", move(unit, "2825"), "british").refusal() == ("no-zoc-in-the-dark", "13.0b")


@pytest.mark.rule("beda-fomm", "13.0b", "5.44a")
def test_who_is_in_a_zone_leaves_or_stays_and_next_to_units_without_a_zone_all_go():
    assert moved("BAB-6-1@2925 2RB-A@2926", move("BAB-6-1", "2924 2923")).at("BAB-6-1") == "2923"  # BF-R99
    assert moved("BAB-6-1@2925 2RB-A@2926", DONE).last.status == "done"
    assert moved("2RB-A@2924 T-1@2926", move("2RB-A", "2925"), "british").at("2RB-A") == "2925"  # BF-R100


@pytest.mark.rule("beda-fomm", "13.0d", "13.0c", "2.0d")
def test_a_dark_player_turn_is_movement_alone():
    # Guns in range, armor beside armor, infantry beside infantry: by day all of it would shoot.
    units = "T-1@1720 BER-SIR@2925 BAB-6-1@2824 COL-ART@2823 2RB-A@2926 11H-1@2825 C-4RHA@2929 106RHA@2926"
    game = position(units, turn=7, step="parking", tempo="full")
    game.italian(DONE, DONE)
    assert game.place == "7 british movement"
    assert [e.data["step"] for e in game.events("step_opened")] == ["movement", "movement"]
    game.british(DONE)
    assert game.place == "8 italian parking"


@pytest.mark.rule("beda-fomm", "13.0d", "8.2d")
def test_interdiction_of_the_turn_before_still_burdens_and_comes_off():
    fire = {"2925": {"side": "british", "factors": 3, "guns": ["C-4RHA"]}}
    game = position("BAB-6-1@2924 C-4RHA@3310", turn=7, own={"interdicted": fire})
    game.italian(move("BAB-6-1", "2925 2926"))  # 1 + 3 + 1 of 4 MP
    assert game.refusal() == ("too-far", "9.0b")
    game.italian(move("BAB-6-1", "2925"), DONE)
    assert game.own("interdicted") == {}


@pytest.mark.rule("beda-fomm", "13.0d")
def test_units_arrive_and_park_in_the_dark():
    game = position("T-1@1720 COL-AT@off7 2RB-D@3310", turn=7, step="parking")
    game.italian(one("PARK", "T-1"), one("ENTER", "COL-AT"), DONE)
    assert (game.last.status, game.face("T-1"), game.at("COL-AT")) == ("done", "parked", "0901")
