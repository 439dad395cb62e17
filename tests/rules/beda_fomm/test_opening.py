"""16. The Italian opening moves. The road runs down 1518 1519 1619 1720 1721 ... 1740, half an MP a hex: six MP are twelve hexes.
A British unit in 1826 has 1726 and 1727 of the road in its ZOC; one in 2731 is out of the way."""

import pytest

from services.rules.games.beda_fomm.state import opening
from tests.rules.beda_fomm.positions import DONE, Game, historical, move, one, order, position

AWAY = "2RB-A@2731"
ROAD = ["1518", "1519", "1619", *(f"17{row}" for row in range(20, 41))]
AUTO = order("DONE", auto=True)


def down(start: str, hexes: int) -> str:
    """The next hexes of the road below one of it."""
    first = ROAD.index(start) + 1
    return " ".join(ROAD[first : first + hexes])


def italian(units: str, *lines, **more) -> Game:
    game = position(units, contact=False, **{"turn": 5, **more})
    game.italian(*lines)
    return game


def start(*lines) -> Game:
    """The game as it begins: Combeforce set up by the umpire in 2731 and 2730, convoys formed by him."""
    game = historical()
    game.british(AUTO)
    game.italian(AUTO)
    game.italian(*lines)
    return game


# -- who comes, and where ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "16.11a", "16.11c", "16.12b", "16.13a")
def test_the_italians_begin_with_colpani_and_a_convoy_on_the_road():
    game = start()
    assert game.place == "1 italian movement"
    game.italian(DONE)
    assert game.refusal() == ("convoy-must-enter", "16.12b")
    game.italian(order("ENTER", convoy=1, hex="1401"))
    assert game.refusal() == ("not-an-entry", "16.11c")
    # Eleven hexes after 0901 are six MP; the others come up behind and are stopped by stacking.
    game.italian(
        move("COL-AT COL-LAA", f"0901 {HEAD}"),
        move("COL-ART", f"0901 {HEAD[:-5]}"),
        order("ENTER", convoy=1),
        move("BER-SIR", HEAD[:-10]),
    )
    assert [game.at(unit) for unit in ("COL-AT", "COL-ART", "BER-SIR")] == ["1111", "1110", "1109"]
    game.italian(DONE)
    assert game.refusal() == ("must-enter", "16.12b")
    assert set(game.last.rejections[0].details["units"]) == {"T-1", "T-2"}


HEAD = "0902 0903 1003 1004 1005 1006 1007 1108 1109 1110 1111"
"""The eleven hexes of the road after 0901."""


@pytest.mark.rule("beda-fomm", "16.12b")
def test_before_contact_nobody_is_kept_back():
    units = f"COL-AT@off5 {AWAY}"
    assert italian(units, one("DELAY", "COL-AT")).refusal() == ("no-delay-in-the-opening", "16.12b")
    # Nor in the player-turn of contact (BF-R116): T-1 makes it in 1726, next to 1826.
    game = italian("COL-AT@off5 T-1@1724 2RB-A@1826", move("T-1", "1725 1726"), one("DELAY", "COL-AT"))
    assert game.refusal() == ("no-delay-in-the-opening", "16.12b")


@pytest.mark.rule("beda-fomm", "16.13d", "16.13a", "16.11c")
def test_before_contact_everybody_comes_by_the_road_bignami_too():
    units = f"BIG-MG@off5 {AWAY}"
    assert italian(units, one("ENTER", "BIG-MG", hex="2001")).refusal() == ("not-an-entry", "16.11c")
    assert italian(units, move("BIG-MG", f"0901 {HEAD}")).at("BIG-MG") == "1111"


# -- down the road -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "2.0b", "16.13a", "16.13b")
def test_units_move_down_the_road_and_nowhere_else():
    for path in ("1820", "1619", f"{down('1720', 2)} 1822"):
        game = italian(f"BAB-MC@1720 {AWAY}", move("BAB-MC", path))
        assert game.refusal() == ("down-the-road", "16.13a")
    game = italian(f"BAB-MC@1720 {AWAY}", move("BAB-MC", to="1734"))
    assert game.data("moved")["path"][1:] == down("1720", 14).split()


@pytest.mark.rule("beda-fomm", "16.13b")
def test_each_unit_spends_six_mp_or_more():
    units = f"T-1@1720 {AWAY}"
    game = italian(units, move("T-1", down("1720", 11)), DONE)  # 5 1/2
    assert game.refusal() == ("six-mp", "16.13b")
    assert game.last.rejections[0].details["units"] == ["T-1"]
    assert italian(units, DONE).refusal() == ("six-mp", "16.13b")
    for hexes in (12, 16):  # 6, and all of 8
        assert italian(units, move("T-1", down("1720", hexes)), DONE).last.status == "done"
    assert italian(units, move("T-1", down("1720", 5)), move("T-1", down("1725", 7)), DONE).last.status == "done"  # in two orders


@pytest.mark.rule("beda-fomm", "16.13b")
def test_a_unit_is_not_left_short_when_another_sets_out():
    units = f"T-1@1720 T-2@1619 {AWAY}"
    game = italian(units, move("T-1", down("1720", 4)), move("T-2", down("1619", 1)))
    assert game.refusal() == ("six-mp", "16.13b")
    assert game.last.rejections[0].details == {"units": ["T-1"], "hex": "1732"}
    game = italian(f"{units} COL-AT@off5", move("T-1", down("1720", 4)), one("ENTER", "COL-AT"))
    assert game.refusal() == ("six-mp", "16.13b")
    pair = f"COL-AT@1720 COL-LAA@1720 {AWAY}"
    game = italian(pair, move("COL-AT COL-LAA", down("1720", 12), drop="COL-LAA", drop_at="1722"))
    assert game.refusal() == ("six-mp", "16.13b")


@pytest.mark.rule("beda-fomm", "16.13b")
def test_with_less_than_six_mp_it_is_the_whole_allowance():
    units = f"BAB-6-1@1720 {AWAY}"  # 4 MP: eight hexes (BF-R94)
    assert italian(units, move("BAB-6-1", down("1720", 7)), DONE).refusal() == ("six-mp", "16.13b")
    assert italian(units, move("BAB-6-1", down("1720", 8)), DONE).last.status == "done"


@pytest.mark.rule("beda-fomm", "16.13b")
def test_arrivals_count_what_they_paid_to_enter():
    # 1/2 for 0901 and twelve hexes more would be 6 1/2; eleven are six.
    units = f"COL-AT@off5 {AWAY}"
    assert italian(units, move("COL-AT", f"0901 {HEAD}"), DONE).last.status == "done"
    assert italian(units, move("COL-AT", f"0901 {HEAD[:-5]}"), DONE).refusal() == ("six-mp", "16.13b")


@pytest.mark.rule("beda-fomm", "16.13c")
def test_a_full_hex_ahead_excuses():
    units = f"T-1@1720 T-2@1725 {AWAY}"
    # T-2 goes on first, so that nothing stands in the way of T-1; or T-1 goes up to it and then may not be left behind.
    assert italian(units, move("T-2", down("1725", 12)), move("T-1", down("1720", 4)), DONE).refusal() == ("six-mp", "16.13b")
    game = italian(units, move("T-1", down("1720", 4)), move("T-2", down("1725", 12)), DONE)
    assert (game.last.status, game.at("T-1")) == ("done", "1724")


@pytest.mark.rule("beda-fomm", "16.13b")
def test_a_stack_too_large_for_the_next_hex_breaks_up():
    # 1721 holds a battalion: there is room for one of the two companies, and then none for the other.
    units = f"COL-AT@1720 COL-LAA@1720 T-1@1721 11H-1@1722 {AWAY}"
    game = italian(units, move("COL-AT", "1721"), DONE)
    assert (game.last.status, game.at("COL-AT"), game.at("COL-LAA")) == ("done", "1721", "1720")


@pytest.mark.rule("beda-fomm", "16.13b")
def test_who_cannot_pay_for_the_next_hex_is_excused_and_may_enter_it_as_his_only_one():
    shelled = {"1721": {"side": "british", "factors": 9, "guns": ["C-4RHA"]}}
    units = "T-1@1720 C-4RHA@2731"
    assert italian(units, DONE, own={"interdicted": shelled}).last.status == "done"
    assert italian(units, move("T-1", "1721"), DONE, own={"interdicted": shelled}).at("T-1") == "1721"


# -- contact -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "16.14a", "16.14b", "16.15a")
@pytest.mark.parametrize("unit", ["T-1", "COL-AT", "COL-ART", "BER-SIR", "BAB-6-1"])
@pytest.mark.parametrize("enemy", ["2RB-A", "11H-1"])
def test_every_type_enters_the_zone_of_anybody_and_stops_there(unit, enemy):
    game = italian(f"{unit}@1724 {enemy}@1826", move(unit, "1725 1726"))
    assert game.at(unit) == "1726"
    assert game.data("contact") == {"unit": unit, "hex": "1726"}
    assert game.own("contact") == {"turn": 5, "side": "italian", "unit": unit, "hex": "1726"}
    game = italian(f"{unit}@1724 {enemy}@1826", move(unit, "1725 1726 1727"))
    assert game.refusal() == ("must-stop", "5.32a")
    game = italian(f"{unit}@1724 {enemy}@1826", move(unit, "1725 1726"), DONE)
    assert game.last.status == "done"


@pytest.mark.rule("beda-fomm", "16.31a", "16.31b", "16.31c", "16.15a")
def test_contact_by_one_does_not_free_the_others_of_that_turn():
    units = "T-1@1724 T-2@1619 COL-AT@1720 2RB-A@1826"
    met = move("T-1", "1725 1726")
    assert italian(units, met, DONE).refusal() == ("six-mp", "16.13b")
    assert italian(f"BAB-MC@1720 {units}", met, move("BAB-MC", "1820")).refusal() == ("down-the-road", "16.13a")
    # COL-AT too meets the British, beside T-1; T-2 is held up behind that full hex.
    game = italian(units, met, move("COL-AT", down("1720", 6)), move("T-2", down("1619", 6)), DONE)
    assert game.last.status == "done"
    assert [game.at(unit) for unit in ("T-1", "COL-AT", "T-2")] == ["1726", "1726", "1725"]


@pytest.mark.rule("beda-fomm", "16.32a", "2.0c", "16.16a")
def test_the_restrictions_end_with_the_player_turn_of_contact():
    game = italian("T-1@1724 T-2@1619 2RB-A@1826", move("T-1", "1725 1726"), move("T-2", down("1619", 6)), turn=6)
    assert opening(game.table)
    game.italian(DONE, order("DONE", turn=True))
    assert (game.place, opening(game.table)) == ("6 british movement", False)
    game.british(DONE, order("DONE", turn=True))
    assert game.place == "7 italian parking"  # they park, stand still, go back, and leave the road as far as they can
    game.italian(one("PARK", "T-2"), move("T-1", "1725"), DONE)
    assert (game.last.status, game.at("T-1"), game.face("T-2")) == ("done", "1725", "parked")


@pytest.mark.rule("beda-fomm", "2.0c", "16.32a")
def test_contact_by_a_british_move_frees_the_next_italian_turn():
    # In the dark too, beside a transport, which has no ZOC (BF-R07, BF-R97).
    game = position("T-1@1720 2RB-A@2020", contact=False, side="british", turn=7)
    game.british(move("2RB-A", to="1820"))
    assert game.own("contact") == {"turn": 7, "side": "british", "unit": "2RB-A", "hex": "1820"}
    game.british(DONE)
    assert game.place == "8 italian parking"
    game.italian(move("T-1", "1619"), DONE)
    assert (game.last.status, game.at("T-1")) == ("done", "1619")


@pytest.mark.rule("beda-fomm", "2.0c", "16.12a")
def test_a_british_retreat_next_to_a_transport_makes_contact():
    # Guns in 1720 shell the cars in 1920: a 6, and 12 against a morale of 11; the way over 1921 ends beside the lorries in 1722.
    game = position("COL-ART@1720 T-1@1722 11H-1@1920", contact=False, side="british", turn=5, step="reaction barrage", tempo="full")
    game.italian(order("BARRAGE", guns=["COL-ART"], target="1920"), dice=[6, 6, 6])
    assert game.own("contact") is None
    game.british(order("RETREAT", unit="11H-1", path=["1921", "1821"]))
    assert game.own("contact") == {"turn": 5, "side": "british", "unit": "11H-1", "hex": "1821"}


@pytest.mark.rule("beda-fomm", "16.16a")
def test_before_contact_no_transport_parks():
    game = italian(f"T-1@1720 {AWAY}", one("PARK", "T-1"))
    assert game.refusal() == ("no-parking-yet", "16.16a")
    game = position(f"T-1@1732 {AWAY}", contact=False, turn=7, side="british")
    game.british(DONE)
    assert game.place == "8 italian movement"


@pytest.mark.rule("beda-fomm", "16.31a")
def test_the_first_to_come_next_to_the_enemy_makes_contact_even_in_passing_another():
    pair = "COL-AT@1724 COL-LAA@1724 2RB-A@1826"
    game = italian(pair, move("COL-AT COL-LAA", "1725 1726", drop="COL-AT", drop_at="1725"))
    assert game.refusal() == ("six-mp", "16.13b")  # there is room for it in 1726
    game = italian(f"{pair} T-1@1726 11H-2@1728", move("COL-AT COL-LAA", "1725 1726", drop="COL-AT", drop_at="1725"))
    assert game.data("contact") == {"unit": "COL-LAA", "hex": "1726"}


# -- darkness, and the umpire ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "13.0b", "16.14a")
def test_in_the_dark_units_stop_before_the_zone_and_are_excused():
    units = "T-1@1724 2RB-A@1826"  # BF-R98
    assert italian(units, move("T-1", "1725 1726"), turn=7).refusal() == ("no-zoc-in-the-dark", "13.0b")
    assert italian(units, DONE, turn=7).refusal() == ("six-mp", "16.13b")
    game = italian(units, move("T-1", "1725"), DONE, turn=7)
    assert (game.last.status, game.own("contact")) == ("done", None)


@pytest.mark.rule("beda-fomm", "16.13b")
def test_the_umpire_walks_everybody_down_the_road_the_foremost_first():
    game = italian(f"T-1@1720 T-2@1721 COL-AT@1721 BAB-6-1@1619 {AWAY}", AUTO)
    # T-2 to 1733, T-1 to 1732, COL-AT beside T-2; the tanks eight hexes on.
    assert [game.at(unit) for unit in ("T-1", "T-2", "COL-AT", "BAB-6-1")] == ["1732", "1733", "1733", "1727"]


@pytest.mark.rule("beda-fomm", "16.13b", "16.12b")
def test_the_umpire_plays_the_first_turn_alone():
    game = start(AUTO)
    assert game.place == "1 british movement"
    held = {game.at(unit) for unit in ("COL-ART", "COL-AT", "COL-LAA", "BER-SIR", "T-1", "T-2")}
    assert held <= {"0901", *HEAD.split()}
    assert all("spent" not in c.num and not c.marks & {"done", "moved"} for c in game.state.counters.values())


@pytest.mark.rule("beda-fomm", "16.13a", "2.0b")
def test_who_leaves_the_map_in_the_opening_leaves_by_the_road():
    assert italian(f"T-1@1740 {AWAY}", one("EXIT", "T-1")).at("T-1") == "box:exited"
    assert italian(f"BAB-MC@1840 {AWAY}", one("EXIT", "BAB-MC")).refusal() == ("down-the-road", "16.13a")


@pytest.mark.rule("beda-fomm", "16.12b")
def test_a_convoy_that_finds_the_road_full_has_appeared_and_waits():
    own = {"convoys": {"1": {"transports": ["T-1", "T-2"], "personnel": "BER-SIR"}}, "called": 4}
    jam = "T-3@0901 T-4@0902 11H-1@0903"
    game = italian(f"BER-SIR@off T-1@off T-2@off {jam}", order("ENTER", convoy=1), DONE, own=own)
    assert (game.last.status, game.at("BER-SIR"), game.own("called")) == ("done", "edge:off", 5)
