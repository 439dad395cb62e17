"""14. Arrivals that nobody names: in what order and where they come in; stacking at the end of the phase; what a packet may mix."""

import pytest

from services.rules.engine.model import Guard
from services.rules.games.race_for_tunis.arrivals import landing_places, waiting
from tests.rules.race_for_tunis.positions import DONE, Game, move, one, order, position

FAR = "1ES@2125"


def axis(units: str, *lines, dice=(), **more) -> Game:
    game = position(f"{units} {FAR}", **more)
    game.axis(*lines, dice=dice)
    return game


def test_who_has_waited_longest_comes_first_then_the_order_of_the_lists():
    # T5 is listed for 8 December, A18 for 28 November, 5-I in no list of arrivals.
    game = position("T5@off A18@off 5-I@off SM@off3 T1@0714")
    assert waiting(game.table, "axis") == ("SM", "A18", "T5", "5-I")


@pytest.mark.rule("race-for-tunis", "14.0.E-1", "14.0.F-1")
def test_the_axis_lands_at_the_first_place_with_room():
    game = position("7-10-I@off 5-I@off")
    assert [str(at) for at in landing_places(game.table, "7-10-I")] == ["0711", "0216"]
    assert [str(at) for at in landing_places(game.table, "5-I")] == ["0610", "0317", "0813", "2305"]
    full = "T1@0711 T2@0711 T3@0711"
    game = axis(f"7-10-I@off 101AT@off 5-I@off {full}", DONE)
    assert [game.at(unit) for unit in ("7-10-I", "101AT", "5-I")] == ["0216", "0711", "0610"]  # a fourth unit may be a support unit
    assert {event.data["how"] for event in game.events("landed")} == {"default"}


def test_with_every_place_full_they_wait():
    full = "T1@0711 T2@0711 T3@0711 SM@0216 A18@0216 A20@0216"
    game = axis(f"7-10-I@off {full}", DONE)
    assert game.at("7-10-I") == "edge:off"
    game = axis(f"7-10-I@off {full}", one("LAND", "7-10-I", hex="0711"), DONE)  # by order it may; then room must be made
    assert game.refusal() == ("stacking", "7.0.A-2")
    game.axis(one("LAND", "7-10-I", hex="0711"), move("T1", to="0712"), DONE)
    assert (game.at("7-10-I"), game.codes()) == ("0711", [])


@pytest.mark.rule("race-for-tunis", "7.0.A-2")
def test_the_umpire_makes_room_if_he_is_asked_to():
    full = "A18@0711 A20@0711 7-10-II@0711"
    game = axis(f"7-10-I@off {full}", one("LAND", "7-10-I", hex="0711"), order("DONE", auto=True))
    assert game.at("A18") != "0711"  # the least of them, the first by name
    assert [game.at(unit) for unit in ("A20", "7-10-I", "7-10-II")] == ["0711"] * 3


def test_arrivals_and_moves_may_be_mixed_but_each_unit_moves_once():
    game = position("5NTH@off 2LF@1320 T1@0216", side="allied")
    game.allied(move("2LF", "1319"), one("ENTER", "5NTH"), move("5NTH", "1224"))
    assert (game.at("2LF"), game.at("5NTH")) == ("1319", "1224")
    game = position("5NTH@off 2LF@1320 T1@0216", side="allied")
    game.allied(one("ENTER", "5NTH"), move("2LF", "1319"), move("5NTH", "1224"))
    assert game.refusal() == ("moved-already", "6.0.B-2")


@pytest.mark.rule("race-for-tunis", "11.2.D-1", "11.2.E-1")
def test_companies_rejoin_as_the_phase_opens_and_as_it_ends():
    game = position(f"1-190PZ@0813 2-190PZ@0813 {FAR}", step="opening")
    game.axis(order("REJOIN", units=["1-190PZ", "2-190PZ"], battalion="190PZ"), move("190PZ", to="0714"))
    assert (game.at("190PZ"), game.at("1-190PZ")) == ("0714", "box:component")
    game = position(f"1-190PZ@0813 2-190PZ@0714 {FAR}")
    game.axis(move("2-190PZ", to="0813"), order("REJOIN", units=["1-190PZ", "2-190PZ"], battalion="190PZ"), DONE)
    assert game.at("190PZ") == "0813"
    game = position(f"1-7-10@0813 2-7-10@0813 5-7-10@0813 {FAR}")  # at the end its own companies alone
    game.axis(order("REJOIN", units=["1-7-10", "2-7-10", "5-7-10"], battalion="7-10-I"))
    assert game.refusal() == ("not-its-companies", "11.2.E-1")
    game = position(f"1-7-10@0813 2-7-10@0813 5-7-10@0813 {FAR}", step="opening")  # at the opening any of the right kind
    game.axis(order("REJOIN", units=["1-7-10", "2-7-10", "5-7-10"], battalion="7-10-I"), DONE)
    assert game.at("7-10-I") == "0813"


def test_a_company_is_named_for_one_battalion():
    units = " ".join(f"{n}-7-10@0813" for n in (1, 2, 3, 5, 6))
    game = position(f"{units} {FAR}", step="opening")
    first = order("REJOIN", units=["1-7-10", "2-7-10", "3-7-10"], battalion="7-10-I")
    game.axis(first, order("REJOIN", units=["3-7-10", "5-7-10", "6-7-10"], battalion="7-10-II"))
    assert game.refusal() == ("named-twice", "11.2.D-1")


# -- too many in a hex at the end of a player-turn ---------------------------------------------------------------------------------

STACK = "T2@0714 T3@0714 T4@0714 7-10-I@0714"


def crowded(*lines, **more) -> Game:
    """Axis units stand too close as the Allied player-turn ends, as after retreats."""
    game = position(f"{STACK} 2LF@2125", side="allied", **more)
    game.allied(order("DONE", turn=True))
    if lines:
        game.axis(*lines)
    return game


@pytest.mark.rule("race-for-tunis", "7.0.A-2")
def test_excess_at_the_end_of_a_player_turn_is_removed_by_its_owners_choice():
    game = crowded(tempo="full")
    (decision,) = game.view("axis")["pending"]
    assert (decision["kind"], decision["default"]) == ("excess", {"units": ["T2"]})
    game.axis(order("LOSE", units=["T4"]))
    assert (game.at("T4"), game.data("eliminated")["cause"]) == ("box:eliminated", "stacking")
    assert crowded(tempo="blitz").at("T2") == "box:eliminated"  # the least, the first by name


@pytest.mark.rule("race-for-tunis", "7.0.A-2")
@pytest.mark.parametrize(
    ("units", "code"), [(["SM"], "not-there"), ([], "stacking"), (["T2", "T3"], "loses-too-many"), (["T2", "T2"], "not-there")]
)
def test_no_more_and_no_fewer(units, code):
    assert crowded(order("LOSE", units=units), tempo="full").refusal() == (code, "7.0.A-2")


@pytest.mark.parametrize(("die", "moved"), [(1, "T1"), (2, "A18")])
def test_lines_that_hang_on_the_die_of_a_port(die, moved):
    # Two sail: with a 1 the owner has yet to say who lands, with a 2 both are ashore.
    landed = (Guard("landed", {"unit": "A18"}),)
    line = order("MOVE", units=["A18"], path=[], to="0712", guard=landed, otherwise=move("T1", to="0814"))
    sail = [one("SEA", unit, port="0711") for unit in ("A18", "5-I")]
    game = position(f"A18@off 5-I@off T1@0813 {FAR}", step="opening")
    game.axis(*sail, line, dice=[die])
    assert [unit for unit in ("A18", "T1") if "moved" in game.marks(unit)] == [moved]


def test_the_umpire_moves_nobody_twice_to_make_room():
    # T2 came into 0714 as the fourth and has moved: of equals T3 goes, and SM, the first by name, is no longer one of them.
    game = axis("SM@0714 T3@0714 T4@0714 T2@0713", move("T2", "0714"), order("DONE", auto=True))
    assert [unit for unit in ("SM", "T2", "T3", "T4") if game.at(unit) != "0714"] == ["SM"]
    game = axis("SM@0713 T3@0714 T4@0714 T2@0714", move("SM", "0714"), order("DONE", auto=True))
    assert [unit for unit in ("SM", "T2", "T3", "T4") if game.at(unit) != "0714"] == ["T2"]
