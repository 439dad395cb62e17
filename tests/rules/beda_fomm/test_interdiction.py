"""10.4 Interdiction, by what it costs the enemy in his next movement phase. Column 28 is clear; British units pay 1 MP for clear ground."""

import pytest

from tests.rules.beda_fomm.positions import DONE, Game, move, order, position

ITALIAN_GUN = "FER-ART@2821"  # 4 factors, range 6: 4 to three hexes, 2 beyond


def interdict(guns: str, at: str):
    return order("INTERDICT", guns=guns.split(), hex=at)


def british_pays(at: str, **more: object) -> int | str:
    """What 11H-1 (MA 10) pays to go from 2827 to 2826 after an Italian gun in 2821 interdicted that hex, or another."""
    game = position(f"{ITALIAN_GUN} 11H-1@2827", step="interdiction", tempo="blitz", **more)
    game.italian(interdict("FER-ART", at), DONE)
    assert game.place == "9 british movement"
    game.british(move("11H-1", "2826"))
    cost: int | str = game.data("moved")["cost"]["11H-1"]
    return cost


@pytest.mark.rule("beda-fomm", "10.42a", "10.42c")
def test_the_factors_fired_are_added_to_the_terrain_cost_of_the_hex():
    assert british_pays("2826") == 1 + 2  # five hexes: half of 4
    assert british_pays("2825") == 1


@pytest.mark.rule("beda-fomm", "10.42b")
def test_it_binds_the_enemy_in_his_next_movement_phase_only_and_never_its_own_side():
    game = position(f"{ITALIAN_GUN} BAB-MC@2824 11H-1@2829", step="interdiction", tempo="blitz")
    game.italian(interdict("FER-ART", "2826"), DONE)
    assert game.own("interdicted") == {"2826": {"side": "italian", "factors": 2, "guns": ["FER-ART"]}}
    game.british(DONE)  # the marker comes off after his movement
    assert (game.own("interdicted"), len(game.events("marker_off"))) == ({}, 1)
    own = position(f"{ITALIAN_GUN} BAB-MC@2824", own={"interdicted": {"2825": {"side": "italian", "factors": 4, "guns": ["FER-ART"]}}})
    own.italian(move("BAB-MC", "2825"))
    assert own.data("moved")["cost"] == {"BAB-MC": 2}


@pytest.mark.rule("beda-fomm", "10.43a", "10.46a")
def test_the_hex_is_marked_and_the_gun_turned_over_till_the_end_of_the_player_turn():
    game = position(f"{ITALIAN_GUN} COL-ART@2821 11H-1@2829", step="interdiction")
    game.italian(interdict("FER-ART", "2823"))
    assert (game.face("FER-ART"), game.own("interdicted")["2823"]["factors"]) == ("fired", 4)
    game.italian(interdict("FER-ART", "2824"))
    assert game.refusal() == ("fired-already", "10.0b")


@pytest.mark.rule("beda-fomm", "2.0m")
def test_only_guns_of_one_hex_add_their_factors():
    game = position("C-4RHA@2821 F-4RHA@2821 COL-AT@2830", side="british", step="interdiction")
    game.british(interdict("C-4RHA F-4RHA", "2825"))
    assert game.data("interdicted")["factors"] == 4  # half of 4 each
    game = position("C-4RHA@2821 F-4RHA@2921 COL-AT@2830", side="british", step="interdiction")
    game.british(interdict("C-4RHA F-4RHA", "2825"))
    assert game.refusal() == ("not-one-stack", "10.3a")


@pytest.mark.rule("beda-fomm", "10.0d")
def test_a_hex_is_interdicted_once():
    game = position("C-4RHA@2821 F-4RHA@2921 COL-AT@2830", side="british", step="interdiction")
    game.british(interdict("C-4RHA", "2825"), interdict("F-4RHA", "2825"))
    assert game.refusal() == ("interdicted-already", "10.0d")


@pytest.mark.rule("beda-fomm", "10.45a", "10.45b")
def test_any_hex_but_one_with_friends():
    game = position("C-4RHA@2821 F-4RHA@2821 2RB-A@2823 COL-AT@2824", side="british", step="interdiction")
    game.british(interdict("C-4RHA", "2823"))
    assert game.refusal() == ("friends-there", "10.45b")
    game.british(interdict("C-4RHA", "2824"), interdict("F-4RHA", "2825"))
    assert set(game.own("interdicted")) == {"2824", "2825"}


@pytest.mark.rule("beda-fomm", "10.45c")
def test_units_there_are_not_harmed():
    game = position("C-4RHA@2821 F-4RHA@3321 COL-AT@2824", side="british", step="interdiction")
    game.british(interdict("C-4RHA", "2824"))  # no die is thrown
    assert (game.at("COL-AT"), game.kinds()) == ("2824", ["interdicted"])


@pytest.mark.rule("beda-fomm", "10.0e", "10.41a")
def test_only_the_phasing_side_interdicts():
    game = position("C-4RHA@2821 FER-ART@2826 11H-1@2823", step="interdiction", tempo="blitz")
    game.british(interdict("C-4RHA", "2824"))
    assert game.own("interdicted") == {}  # the line waits for a step of his own
    game.italian(DONE, order("DONE", turn=True), dice=[])
    assert [(str(event.path[1][1]), event.data["side"]) for event in game.events("interdicted")] == [("british", "british")]


@pytest.mark.rule("beda-fomm", "10.44a", "9.12c")
def test_an_interdicted_hex_may_always_be_entered_as_the_only_move():
    def go(path: str, start: str = "2825", marks: str = "", **more: object) -> Game:
        shelled = {"2824": {"side": "british", "factors": 8, "guns": ["C-4RHA", "F-4RHA"]}}
        game = position(f"PAS-INF@{start} C-4RHA@3301", own={"interdicted": shelled}, marks={"in-zoc": marks}, **more)
        game.italian(move("PAS-INF", path))
        return game

    assert go("2824").at("PAS-INF") == "2824"  # 2 + 8 MP of 6
    assert go("2825 2824", "2826").refusal() == ("too-far", "9.0b")
    assert go("2824", marks="PAS-INF").at("PAS-INF") == "2824"  # one that began in an enemy ZOC too
    assert go("2824", marks="PAS-INF", one_hex="outside-zoc").refusal() == ("too-far", "9.0b")


@pytest.mark.rule("beda-fomm", "10.44b")
def test_the_one_hex_is_no_step_from_zoc_to_zoc_for_those_that_do_not_infiltrate():
    # 2824 lies next to C-4RHA at 2823 and 2825 next to 2RB-A at 2925: both are in British ZOC, neither by armor.
    shelled = {"2824": {"side": "british", "factors": 8, "guns": ["C-4RHA"]}}

    def go(unit: str) -> Game:
        game = position(f"{unit}@2825 C-4RHA@2823 2RB-A@2925", own={"interdicted": shelled}, marks={"in-zoc": unit})
        game.italian(move(unit, "2824"))
        return game

    assert go("BAB-6-1").refusal() == ("no-infiltration", "5.33a")
    assert go("PAS-INF").codes() == []  # infantry with an underlined MA infiltrates: 2 + 8 MP of 6, as its only move
    assert go("PAS-INF").at("PAS-INF") == "2824"
