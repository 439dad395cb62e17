"""8.1, 9.1, 10.1: battles one after another, results that move nobody, attacks that defensive guns make hopeless.

Factors: 190PZ 8, BRN-I, BRN-II 4, T1, T2 2, RVT 1; 17-21L 4, 1ES, 6RWK, 5BF 2, 4CA 1; guns 78FA, AGRA-1, AGRA-2 6, 12RHA 4, SUP-ART 4."""

from typing import Any

import pytest

from tests.rules.race_for_tunis.fighting import advance, advanced, fighting, fought, lose, lost, rally, results, retreat, retreated, throw
from tests.rules.race_for_tunis.positions import DONE, Game, attack, move, on, order, position

FAR_OFF = "BRN-II@0916 5BF@0915"
"""Another battle, 2:1 downhill from 0916, far from 1313."""


def declared(label: str, hexes: str, units: str, defenders: str, **more: Any) -> dict[str, Any]:
    """A battle as it stands in the game's own after it has been declared."""
    one: dict[str, Any] = {"label": label, "hexes": hexes.split(), "units": units.split(), "defenders": defenders.split()}
    empty: dict[str, Any] = {
        "support": [],
        "lower": None,
        "only": None,
        "rest": False,
        "defence": [],
        "air": [],
        "done": False,
        "result": None,
    }
    return {**one, **empty, **more}


def labels(game: Game) -> list[str]:
    """What happened in the battles, in order: the label of each event with its kind."""
    kinds = ("battle", "result", "retreated", "eliminated", "advanced", "battle_void")
    return [f"{event.kind} {event.data['label']}" for event in game.last.events if event.kind in kinds]


# -- one after another ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "8.1-2", "8.0.A-1")
def test_battles_are_fought_in_the_order_of_the_package_each_to_its_end():
    lines = [attack("1313", "BRN-I", label="B"), attack("0915", "BRN-II", label="A")]
    game = fought(f"BRN-I@1312 1ES@1313 {FAR_OFF}", *lines, roll=(7, 7))
    assert labels(game) == ["battle B", "result B", "retreated B", "battle A", "result A", "retreated A"]
    game = fought(f"BRN-I@1312 1ES@1313 {FAR_OFF}", *reversed(lines), roll=(7, 4))
    assert results(game) == [("A", "2:1", "DR1"), ("B", "2:1", "Ex")]
    assert labels(game)[:3] == ["battle A", "result A", "retreated A"]


@pytest.mark.rule("race-for-tunis", "9.1.3-1")
def test_contact_changes_nothing():
    game = fought("BRN-I@1312 1ES@1313", attack("1313", "BRN-I"), roll=8)
    assert (results(game)[0][2], game.at("BRN-I"), game.at("1ES")) == ("Con", "1312", "1313")
    assert not {"retreated", "eliminated", "advanced", "decided", "engaged"} & set(game.kinds())
    assert (game.marks("BRN-I"), game.own("battles")) == (set(), [])


@pytest.mark.rule("race-for-tunis", "9.1.3-2")
def test_who_is_left_in_a_zone_by_contact_attacks_or_leaves_in_his_turn():
    game = fought("BRN-I@1312 1ES@1313", attack("1313", "BRN-I"), roll=8)
    game.allied(DONE, DONE)
    assert game.refusal() == ("must-attack", "8.0.B")
    game.allied(move("1ES", "1314"), DONE, DONE)
    assert (game.codes(), game.at("1ES"), game.place) == ([], "1314", "6 axis movement")


@pytest.mark.rule("race-for-tunis", "9.1.4.A-1")
def test_an_engagement_holds_all_that_took_part_and_no_guns_in_support():
    game = fought("BRN-I@1312 SUP-ART@1311 1ES@1313 17-21L@1313 12RHA@1414", attack("1313", "BRN-I", "SUP-ART"), roll=9)
    assert results(game)[0][1:] == ("1:2", "Eng")  # 8 against 6 and 4
    assert game.data("engaged")["attackers"] == ["BRN-I"]
    assert [game.marks(unit) for unit in ("BRN-I", "SUP-ART", "12RHA")] == [{"engaged-attacker"}, set(), set()]
    assert [game.marks(unit) for unit in ("1ES", "17-21L")] == [{"engaged-defender"}] * 2


@pytest.mark.rule("race-for-tunis", "9.1.6-1")
def test_a_result_falls_on_all_units_of_all_hexes_attacked():
    # 8 and 4 against 2 and 2 are 3:1, where 10 is DR3.
    units = "190PZ@1312 BRN-I@1312 1ES@1313 6RWK@1412"
    game = fought(units, attack("1313 1412", "190PZ BRN-I", label="AB"), roll=11)
    assert (results(game), lost(game)) == ([("AB", "3:1", "DE")], {"1ES": "combat", "6RWK": "combat"})
    # Each attacker into either hex.
    lines = [attack("1313 1412", "190PZ BRN-I", label="AB"), advance("190PZ", "1412"), advance("BRN-I", "1313")]
    game = fought(units, *lines, roll=11)
    assert advanced(game) == {"190PZ": "1412", "BRN-I": "1313"}


# -- hopeless ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "8.2.E-N1", "8.2.E-N2", "10.1.F")
def test_an_attack_that_guns_push_below_one_to_five_kills_the_attackers_without_dice():
    # 1 and 4 of guns against 4 are 1:1; with 22 of guns 5 against 26.
    units = "RVT@1312 SUP-ART@1311 17-21L@1313 78FA@1414 AGRA-1@1414 AGRA-2@1414 12RHA@1414"
    line = on("ADVANCE", advance("17-21L", "1312"))
    game = fought(units, attack("1313", "RVT", "SUP-ART"), standing=[line])
    assert [one["odds"] for one in game.data("package")["battles"]] == ["1:1"]
    assert (game.data("battle")["attack"], game.data("battle")["defence"], game.data("battle")["odds"]) == (5, 26, None)
    assert game.data("outgunned") == {"label": "1313", "hexes": ["1313"]}
    assert (lost(game), game.at("SUP-ART"), game.at("17-21L")) == ({"RVT": "below-1-5"}, "1311", "1313")
    assert game.events("eliminated")[0].clause == "8.2.E-N2"


@pytest.mark.rule("race-for-tunis", "8.2.E-N1")
def test_lowering_or_raising_the_column_saves_no_such_attack():
    units = "RVT@1312 17-21L@1313 78FA@1414"
    game = fought(units, attack("1313", "RVT"))  # 1 against 4, then against 10
    assert (lost(game), game.data("battle")["odds"]) == ({"RVT": "below-1-5"}, None)


# -- chains --------------------------------------------------------------------------------------------------------------------------


def test_who_retreats_into_a_hex_still_to_be_attacked_adds_nothing_and_shares_what_befalls_it():
    # From 1117 the way out is 1016 alone: tanks in 1015 exert no zone on that crest, and attack it at a quarter, 190PZ with 2.
    # BRN-I in 1118 attacks uphill: 2 against 2.
    units = "BRN-I@1118 1ES@1117 190PZ@1015 6RWK@1016"
    lines = [attack("1117", "BRN-I", label="FIRST"), attack("1016", "190PZ", label="SECOND")]
    game = fought(units, *lines, roll=(9, 12))
    assert results(game) == [("FIRST", "1:1", "DR1"), ("SECOND", "1:1", "DE")]
    assert retreated(game) == {"1ES": "1117 1016"}
    assert game.events("battle")[1].data["defence"] == 2
    assert (game.data("shares")["units"], lost(game)) == (["1ES"], {"6RWK": "combat", "1ES": "combat"})
    # Nor does it count: 1:1, 4 is Ex, for 6RWK alone, which CNT-I (2, armor too) makes up for.
    second = attack("1016", "190PZ CNT-I", label="SECOND")
    game = fought(f"{units} CNT-I@1015", lines[0], second, roll=(9, 4))
    assert (results(game)[1], lost(game)) == (("SECOND", "1:1", "Ex"), {"6RWK": "combat", "1ES": "combat", "CNT-I": "losses"})
    # And an engagement is not its.
    game = fought(units, *lines, roll=(9, 8))
    assert (results(game)[1][2], game.data("engaged")["defenders"]) == ("Eng", ["6RWK"])


def test_an_attacker_that_is_gone_and_a_hex_left_by_its_defenders_drop_out():
    # Declared from elsewhere: 1ES has left 1313; T2 stands far from 1413, and T1 attacks it alone, 2 against 2.
    own = {"battles": [declared("LEFT", "1313", "BRN-I", "1ES"), declared("PART", "1413", "T1 T2", "6RWK")]}
    game = position("BRN-I@1312 1ES@1111 T1@1412 T2@1011 6RWK@1413", step="allotment", own=own, tempo="blitz")
    game.allied(DONE, dice=(3, 4))
    assert game.data("battle_void") == {"label": "LEFT", "hexes": ["1313"], "why": "no-defenders"}
    assert (results(game), game.data("battle")["attackers"]) == ([("PART", "1:1", "Con")], [{"unit": "T1", "from": "1412", "cf": 2}])
    own = {"battles": [declared("ALONE", "1413", "T1", "6RWK")]}
    game = position("T1@1011 6RWK@1413", step="allotment", own=own, tempo="blitz")
    game.allied(DONE)
    assert game.data("battle_void")["why"] == "no-attackers"


# -- a part of a stack ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "11.1.A-2", "11.1.A-3")
def test_a_result_touches_only_the_part_attacked_and_the_hex_is_taken_when_all_have_left():
    units = "BRN-I@1312 BRN-II@1312 1ES@1313 6RWK@1313"
    lines = [
        attack("1313", "BRN-I", only="1ES", label="ONE"),
        advance("BRN-I", "1313"),
        attack("1313", "BRN-II", rest=True, label="TWO"),
    ]
    game = fought(units, lines[0], lines[2], roll=(12, 8))
    assert results(game) == [("ONE", "2:1", "DE"), ("TWO", "2:1", "Con")]
    assert (lost(game), game.at("6RWK")) == ({"1ES": "combat"}, "1313")
    # 12 twice: nobody may advance after the first, and the second finds the hex empty.
    game = fought(
        units, lines[0], lines[2], on("ADVANCE", advance("BRN-I", "1313")), on("ADVANCE", advance("BRN-II", "1313")), roll=(12, 12)
    )
    assert (lost(game), advanced(game)) == ({"1ES": "combat", "6RWK": "combat"}, {"BRN-II": "1313"})


# -- orders given beforehand ---------------------------------------------------------------------------------------------------------


def test_losses_retreats_and_advances_stand_below_the_attacks_of_one_mail():
    game = fought(
        f"BRN-I@1312 T1@1312 T2@1312 1ES@1313 {FAR_OFF}",
        attack("1313", "BRN-I T1 T2", lower=2),
        attack("0915", "BRN-II"),
        DONE,
        lose("T2"),
        rally("ALL", "1311"),
        roll=(2, 8),
        tempo="normal",
    )
    assert (lost(game), set(retreated(game).values())) == ({"T2": "losses"}, {"1312 1311"})
    assert results(game)[1][2] == "Con"


def test_a_line_for_a_battle_that_gave_nothing_falls_through_and_the_next_is_read():
    # The first ends in contact, so that its line answers nothing; 12 on 2:1 is DE.
    game = fighting(f"BRN-I@1312 1ES@1313 {FAR_OFF}", tempo="normal")
    lines = [attack("1313", "BRN-I"), attack("0915", "BRN-II"), DONE, advance("BRN-I", "1313"), advance("BRN-II", "0915")]
    game.axis(*lines, dice=(2, 6, 6, 6))
    assert [result for _, _, result in results(game)] == ["Con", "DE"]
    assert (game.codes(), game.at("BRN-II"), game.state.pending) == (["nothing-to-answer"], "0915", ())


def test_a_line_of_the_defenders_may_wait_for_its_battle_by_label():
    lines = [on(None, retreat("5BF", "0814"), label="LAST"), on(None, retreat("1ES", "1314"), label="FIRST", results=["DR1"])]
    game = fought(
        f"BRN-I@1312 1ES@1313 {FAR_OFF}",
        attack("1313", "BRN-I", label="FIRST"),
        attack("0915", "BRN-II", label="LAST"),
        roll=(7, 7),
        standing=lines,
    )
    assert (game.at("1ES"), game.at("5BF")) == ("1314", "0814")


@pytest.mark.parametrize("line", [lose("BRN-X"), rally("1ES", "1311"), retreat("1ES", "1311"), advance("BRN-I 1ES", "1313")])
def test_a_line_that_names_a_unit_that_is_not_ones_own_is_refused_as_it_is_given(line):
    game = fighting("BRN-I@1312 1ES@1313")
    game.axis(standing=[on("ANY", line)])
    assert game.codes() == ["unknown-unit" if line.verb == "LOSE" else "not-yours"]


@pytest.mark.rule("race-for-tunis", "8.2.E-2", "9.1.4.A-4")
def test_an_attack_that_came_to_nothing_ends_the_engagement_of_who_died_in_it():
    # T1 is engaged with the tanks in 1412 and must attack them again: 2 against 12. BRN-I fights on at 1312: 4 to 2 is 2:1, 7 is DR1.
    units = "T1@1313 BRN-I@1311 17-21L@1412 16-5L@1412 LBH@1412 1ES@1312"
    record = {"attackers": ["T1"], "defenders": ["17-21L"], "hexes": ["1412"], "beside": {}, "broken": []}
    marks = {"engaged-attacker": "T1", "engaged-defender": "17-21L"}
    game = fighting(units, own={"engaged": [record]}, marks=marks)
    game.axis(attack("1412", "T1"), attack("1312", "BRN-I"), order("DONE", confirm=True), dice=throw(7))
    assert (game.codes(), lost(game), results(game)) == ([], {"T1": "below-1-5"}, [("1312", "2:1", "DR1")])
    assert (game.own("engaged"), game.marks("17-21L")) == ([], set())
