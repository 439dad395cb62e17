"""15. Arrivals: where they come in and what they pay, delay by a turn, convoys, and what is done where the way is blocked.

Turns 7 and 8 are dark and have movement alone, which makes one turn after another short. ``T-1@off7`` waits and is due on turn 7."""

from dataclasses import replace

import pytest

from tests.rules.beda_fomm.positions import DONE, Game, move, one, order, position

FAR = "2RB-D@3310"
CONVOYS = {str(n): {"transports": [f"T-{2 * n - 1}", f"T-{2 * n}"], "personnel": unit} for n, unit in ((1, "BER-SIR"), (2, "BER-MAR"))}
WAITING = "BER-SIR@off T-1@off T-2@off BER-MAR@off T-3@off T-4@off"
TRAILS = ["0501", "1401", "2001", "2601"]


def italian(units: str, *lines, **more) -> Game:
    game = position(f"{units} {FAR}", **{"turn": 7, **more})
    game.italian(*lines)
    return game


def british(units: str, *lines, **more) -> Game:
    game = position(units, side="british", **more)
    game.british(*lines)
    return game


def next_turn(game: Game) -> Game:
    """Both sides are done with their movement (in the dark)."""
    game.italian(DONE)
    game.british(DONE)
    if game.place.endswith("parking"):
        game.italian(DONE)
    return game


def convoys(*lines, called: int = 5, **more) -> Game:
    """A game of turn 7 in which two of the convoys (1 and 2) wait, and as many have appeared as 7 less ``called``."""
    return italian(WAITING, *lines, own={"convoys": CONVOYS, "called": called}, **more)


# -- where, and for what -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "15.0b", "15.21a")
def test_italians_come_in_by_the_road_and_pay_for_the_first_hex():
    game = italian("T-1@off7", one("ENTER", "T-1"))
    assert (game.at("T-1"), game.data("arrived")["cost"]) == ("0901", "1/2")
    # 8 MP are 16 road hexes: 0901 and the 15 next, the last of which is 1213.
    way = "0901 0902 0903 1003 1004 1005 1006 1007 1108 1109 1110 1111 1211 1212 1213"
    game = italian("T-1@off7", move("T-1", way))
    assert (game.at("T-1"), game.state.counters["T-1"].num["spent"]) == ("1213", 7.5)
    game = italian("T-1@off7", move("T-1", f"{way} 1214 1315"))
    assert game.refusal() == ("too-far", "9.0b")
    assert italian("T-1@off7", one("ENTER", "T-1", hex="1401")).refusal() == ("not-an-entry", "15.21a")


@pytest.mark.rule("beda-fomm", "15.1a", "15.0b")
@pytest.mark.parametrize("where", ["3301", "3313", "3328", "3340"])
def test_the_british_come_in_anywhere_on_the_east_edge(where):
    game = british("2RT-1@off9", one("ENTER", "2RT-1", hex=where))
    assert (game.at("2RT-1"), game.data("arrived")["cost"]) == (where, 1)


@pytest.mark.rule("beda-fomm", "15.0c", "15.1a")
def test_they_come_in_over_no_other_hex():
    for where in ("3213", "2001", "3240"):
        assert british("2RT-1@off9", one("ENTER", "2RT-1", hex=where)).refusal() == ("not-an-entry", "15.1a")
    assert british("2RT-1@off9", one("ENTER", "2RT-1", hex="3341")).refusal() == ("cannot-enter", "9.12b")  # a half hex (BF-R114)
    assert british("2RT-1@off9", move("2RT-1", "3213 3113")).refusal() == ("not-an-entry", "15.1a")


@pytest.mark.rule("beda-fomm", "15.0b")
def test_an_arrival_goes_on_with_what_is_left_and_by_the_cheapest_way_in():
    game = british("2RT-1@off9", move("2RT-1", "3313 3213 3114 3014 2914 2814 2714"))  # 7 MP, seven hexes of clear ground
    assert (game.at("2RT-1"), game.state.counters["2RT-1"].num["spent"]) == ("2714", 7)
    game = british("2RT-1@off9", move("2RT-1", to="2924"))  # five hexes from the east edge
    assert (game.at("2RT-1"), game.state.counters["2RT-1"].num["spent"]) == ("2924", 5)
    assert game.data("arrived")["hex"][:2] == "33"
    assert british("2RT-1@off9", move("2RT-1", to="2524")).refusal()[0] == "too-far"


@pytest.mark.rule("beda-fomm", "15.0b")
def test_units_enter_as_a_stack_within_the_limit():
    # BF-R93: battalion and company, each pays by itself.
    game = italian("COL-ART@off7 COL-AT@off7", move("COL-ART COL-AT", "0901 0902"))
    assert [game.at(unit) for unit in ("COL-ART", "COL-AT")] == ["0902", "0902"]
    assert game.data("moved")["cost"] == {"COL-ART": 1, "COL-AT": 1}
    game = italian("COL-ART@off7 FER-ART@off7", move("COL-ART FER-ART", "0901 0902"))
    assert game.refusal() == ("no-room", "6.13b")
    game = italian("COL-ART@off7 COL-AT@0901", move("COL-ART COL-AT", "0901 0902"))
    assert game.refusal() == ("not-in-one-hex", "9.23a")


@pytest.mark.rule("beda-fomm", "15.0b")
def test_interdiction_of_the_entry_hex_burdens_arrivals():
    shelled = {"0901": {"side": "british", "factors": 2, "guns": ["C-4RHA"]}}
    game = italian("COL-AT@off7 C-4RHA@3320", one("ENTER", "COL-AT"), own={"interdicted": shelled})  # 1/2 and 2 (BF-R42)
    assert game.data("arrived")["cost"] == "5/2"
    shelled["0901"]["factors"] = 9  # its one hex all the same
    game = italian("COL-AT@off7 C-4RHA@3320", move("COL-AT", "0901 0902"), own={"interdicted": shelled})
    assert game.refusal() == ("too-far", "9.0b")
    game = italian("COL-AT@off7 C-4RHA@3320", one("ENTER", "COL-AT"), own={"interdicted": shelled})
    assert game.at("COL-AT") == "0901"


@pytest.mark.rule("beda-fomm", "15.0b")
def test_arrivals_find_the_entry_closed_by_enemies_their_zone_or_stacking():
    enter = one("ENTER", "COL-AT")
    assert italian("COL-AT@off9 2RB-A@0901", enter, turn=9).refusal() == ("enemy-there", "9.21a")
    assert italian("COL-AT@off9 2RB-A@0902", enter, turn=9).refusal() == ("never-into-zoc", "5.43a")
    assert italian("BAB-6-1@off9 2RB-A@0902", one("ENTER", "BAB-6-1"), turn=9).at("BAB-6-1") == "0901"  # armor enters a zone
    assert italian("BAB-6-1@off7 2RB-A@0902", one("ENTER", "BAB-6-1")).refusal() == ("no-zoc-in-the-dark", "13.0b")
    game = italian("BAB-6-1@off9 2RB-A@0902", move("BAB-6-1", "0901 1001"), turn=9)
    assert game.refusal() == ("must-stop", "5.32a")
    assert italian("FER-ART@off7 T-1@0901", one("ENTER", "FER-ART")).refusal() == ("no-room", "6.13b")
    assert italian("FER-ART@off7 T-1:parked@0901", one("ENTER", "FER-ART")).at("FER-ART") == "0901"


# -- delay -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "15.21b", "15.21c")
def test_a_unit_put_off_by_a_turn_comes_by_a_trail_of_the_north_edge():
    for where in TRAILS:
        game = next_turn(italian("COL-AT@off7", one("DELAY", "COL-AT")))
        game.italian(one("ENTER", "COL-AT", hex=where))
        assert (game.place, game.at("COL-AT"), game.data("arrived")["cost"]) == ("8 italian movement", where, 1)
    game = next_turn(italian("COL-AT@off7", one("DELAY", "COL-AT")))
    game.italian(one("ENTER", "COL-AT", hex="0901"))  # not by the road (BF-R89)
    assert game.refusal() == ("not-an-entry", "15.21c")


@pytest.mark.rule("beda-fomm", "15.21b")
def test_who_is_put_off_does_not_come_on_that_turn_and_who_is_not_named_does():
    game = italian("COL-AT@off7 COL-LAA@off7", one("DELAY", "COL-AT"), DONE)
    assert (game.at("COL-AT"), game.at("COL-LAA")) == ("edge:off", "0901")
    assert [(e.data["unit"], e.data["how"]) for e in game.events("arrived")] == [("COL-LAA", "default")]
    game = italian("COL-AT@off7", one("DELAY", "COL-AT"), one("ENTER", "COL-AT"))
    assert game.refusal() == ("held-back", "15.21b")
    assert british("2RT-1@off9", one("DELAY", "2RT-1")).refusal() == ("only-italians-delay", "15.21b")
    assert italian("COL-AT@off9", one("DELAY", "COL-AT")).refusal() == ("not-due", "15.0a")
    assert italian("COL-AT@1720", one("DELAY", "COL-AT")).refusal() == ("not-waiting", "15.0a")


@pytest.mark.rule("beda-fomm", "15.21d")
def test_entry_is_put_off_once_and_then_made():
    game = next_turn(italian("COL-AT@off7", one("DELAY", "COL-AT")))
    game.italian(one("DELAY", "COL-AT"))
    assert game.refusal() == ("delayed-already", "15.21d")
    game.italian(DONE)
    assert game.refusal() == ("must-enter", "15.21d")
    game.italian(order("DONE", auto=True))
    assert game.at("COL-AT") == "0501"


@pytest.mark.rule("beda-fomm", "15.22a", "15.22b", "15.22c")
def test_bignami_comes_by_2001_and_put_off_by_any_road_or_trail_of_the_north_edge():
    units = "BIG-AT@off7 BIG-MG@off7"
    assert italian(units, one("ENTER", "BIG-AT")).at("BIG-AT") == "2001"
    assert italian(units, one("ENTER", "BIG-AT", hex="0901")).refusal() == ("not-an-entry", "15.22a")
    for where in ("0901", *TRAILS):
        game = next_turn(italian(units, one("DELAY", "BIG-AT"), one("ENTER", "BIG-MG")))  # a part of the group
        assert (game.at("BIG-MG"), game.at("BIG-AT")) == ("2001", "edge:off")
        game.italian(move("BIG-MG", "2002"), one("ENTER", "BIG-AT", hex=where))
        assert game.at("BIG-AT") == where


# -- convoys -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "15.23a")
def test_a_convoy_of_the_players_choice_comes_with_its_three_units():
    # Six convoys appeared on the turns before, a seventh appears now.
    game = convoys(order("ENTER", convoy=2), move("BER-MAR", "0902 0903"), move("T-3", "0901 0902"), one("ENTER", "T-4"), called=6)
    assert [game.at(unit) for unit in ("BER-MAR", "T-3", "T-4")] == ["0903", "0902", "0901"]
    assert game.data("convoy_called") == {"convoy": 2, "units": ["BER-MAR", "T-3", "T-4"]}
    game.italian(order("ENTER", convoy=1))
    assert game.refusal() == ("no-convoy-due", "15.23a")
    game.italian(order("ENTER", convoy=2))
    assert game.refusal() == ("nobody-waits", "15.23a")
    assert convoys(order("ENTER", convoy=5)).refusal() == ("no-such-convoy", "14.31a")


@pytest.mark.rule("beda-fomm", "15.23a")
def test_who_names_a_unit_of_a_convoy_calls_it():
    game = convoys(move("T-4", "0901 0902"), called=6)
    assert (game.at("T-4"), game.data("convoy_called")["convoy"]) == ("0902", 2)
    game.italian(one("ENTER", "T-1"))
    assert game.refusal() == ("not-due", "15.0a")


@pytest.mark.rule("beda-fomm", "15.23a")
def test_a_convoy_not_named_comes_by_itself_the_lowest_number_first():
    game = convoys(DONE, called=6)
    assert game.data("convoy_called")["convoy"] == 1
    assert game.at("BER-SIR") == "0901"
    assert (game.at("T-1"), game.at("BER-MAR")) == ("edge:off", "edge:off")


@pytest.mark.rule("beda-fomm", "15.23b", "15.21c")
def test_a_convoy_is_put_off_whole_or_in_part():
    game = next_turn(convoys(order("DELAY", convoy=1), called=6))
    assert [e.data["unit"] for e in game.events("delayed")] == []
    game.italian(one("ENTER", "T-1", hex="1401"), one("ENTER", "T-2", hex="0501"), one("ENTER", "BER-SIR", hex="2601"))
    assert [game.at(unit) for unit in ("T-1", "T-2", "BER-SIR")] == ["1401", "0501", "2601"]
    game = convoys(one("DELAY", "T-1"), order("ENTER", convoy=1), DONE, called=6)  # BF-R90
    assert (game.at("BER-SIR"), game.at("T-1")) == ("0901", "edge:off")
    game = convoys(order("ENTER", convoy=1), order("DELAY", convoy=1), order("DELAY", convoy=1), called=6)
    assert game.refusal() == ("nobody-waits", "15.23a")


# -- blocked -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "15.21d")
def test_who_finds_the_way_blocked_waits_and_may_come_by_the_road_or_by_a_trail():
    game = next_turn(italian("FER-ART@off7 T-1@0901"))
    assert game.at("FER-ART") == "edge:off"  # BF-R88
    game.italian(DONE)
    assert game.refusal() == ("must-enter", "15.21d")
    for where in ("1401", "2601"):
        again = next_turn(italian("FER-ART@off7 T-1@0901"))
        again.italian(one("ENTER", "FER-ART", hex=where))
        assert again.at("FER-ART") == where
    game.italian(move("T-1", "0902"), one("ENTER", "FER-ART", hex="0901"))
    assert game.at("FER-ART") == "0901"


@pytest.mark.rule("beda-fomm", "15.21d")
def test_by_option_who_cannot_come_in_on_his_last_turn_is_lost():
    crowd = "T-1@0901 T-2@0501 T-3@1401 T-4@2001 T-5@2601"
    for option, place in (("waits", "edge:off"), ("lost", "box:eliminated")):
        game = next_turn(italian(f"FER-ART@off7 {crowd}", blocked_entry=option))
        assert game.at("FER-ART") == "edge:off"
        game.italian(DONE)
        assert (game.last.status, game.at("FER-ART")) == ("done", place)


@pytest.mark.rule("beda-fomm", "15.1a")
def test_a_british_unit_that_does_not_come_on_its_turn_comes_later():
    game = british("2RT-1@off7 T-1@1720", DONE, turn=7)  # BF-R92
    assert game.at("2RT-1") == "edge:off"
    game.italian(DONE, DONE)
    game.british(one("ENTER", "2RT-1", hex="3340"))
    assert game.at("2RT-1") == "3340"
    game = british("2RT-1@off7 T-1@1720", DONE, turn=7, british_hold_back=False)
    assert game.at("2RT-1") == "3301"


def test_a_way_in_that_there_is_not_is_refused_with_the_reason():
    game = italian("COL-AT@off9 2RB-A@0901", move("COL-AT", to="1001"), turn=9)  # the only hex of entry is the enemy's
    assert game.refusal() == ("enemy-there", "9.21a")
    game = british("2RT-1@off9", move("2RT-1", to="2924", road=True))
    assert (game.codes(), game.at("2RT-1")) == (["no-way"], "edge:off")


def test_a_hex_that_is_closed_to_a_class_is_no_way_in_for_it():
    # On the board that comes with the game no class finds an entry closed; on another it might.
    game = position(f"COL-AT@off9 {FAR}", turn=9)
    here = game.module.data.charts["@ground"]
    charts = {**game.module.data.charts, "@ground": replace(here, enters={column: {} for column in here.enters})}
    game.module = replace(game.module, data=replace(game.module.data, charts=charts))
    game.italian(one("ENTER", "COL-AT"))
    assert game.refusal() == ("prohibited", "9.11a")
