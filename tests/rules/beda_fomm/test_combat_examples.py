"""The printed example of the duty to attack: A is next to 1, 2 and 3, B to 3 and 4, C to 1 alone (BF-R04)."""

import pytest

from scenarios.hexes import distance, parse_hex
from tests.rules.beda_fomm.fight import attack, battles, declaring
from tests.rules.beda_fomm.positions import DONE

A, B, C = "2404", "2604", "2204"
ONE, TWO, THREE, FOUR = "2304", "2403", "2504", "2603"
UNITS = f"2RB-A@{A} 2RB-B@{B} 2RB-D@{B} 2RB-C@{C} BER-SIR@{ONE} BER-MAR@{TWO} SAB-1@{THREE} SAB-2@{FOUR}"


def test_the_hexes_lie_as_in_the_example():
    near = {at: {to for to in (ONE, TWO, THREE, FOUR) if distance(parse_hex(at), parse_hex(to)) == 1} for at in (A, B, C)}
    assert near == {A: {ONE, TWO, THREE}, B: {THREE, FOUR}, C: {ONE}}


@pytest.mark.rule("beda-fomm", "12.0j", "12.0g", "12.13a")
def test_if_a_attacks_2_then_1_and_3_must_be_attacked_too():
    game = declaring(UNITS)
    game.british(attack(TWO, "2RB-A"), DONE)
    (rejection,) = game.last.rejections
    assert (rejection.code, rejection.clause) == ("must-attack-too", "12.0g")
    assert (rejection.details["hexes"], rejection.details["units"]) == ([ONE, THREE], ["2RB-A"])
    assert game.last.status == "refused"
    assert not game.own("declared")


@pytest.mark.rule("beda-fomm", "12.0k")
def test_if_c_attacks_1_and_b_attacks_3_then_4_must_be_attacked_as_well():
    game = declaring(UNITS)
    game.british(attack(TWO, "2RB-A"), attack(ONE, "2RB-C"), attack(THREE, "2RB-B"), DONE)
    (rejection,) = game.last.rejections
    assert (rejection.code, rejection.details["hexes"], rejection.details["units"]) == ("must-attack-too", [FOUR], ["2RB-B"])
    game.british(  # 3 against 4 is 1:2; a 6 and two ones: a check that is passed
        *(attack(TWO, "2RB-A"), attack(ONE, "2RB-C"), attack(THREE, "2RB-B"), attack(FOUR, "2RB-D"), DONE),
        dice=[6, 1, 1] * 4,
    )
    assert battles(game) == [(at, 3, 4, "1:2") for at in (TWO, ONE, THREE, FOUR)]


@pytest.mark.rule("beda-fomm", "12.0l", "12.0h", "12.13b", "2.0z")
def test_what_bears_an_attack_barrage_need_not_be_attacked():
    game = declaring(UNITS, own={"barraged": {ONE: "british", THREE: "british"}})
    game.british(attack(TWO, "2RB-A"), DONE, dice=[6, 1, 1])
    assert [at for at, *_ in battles(game)] == [TWO]
    shelled = declaring(UNITS, own={"barraged": {FOUR: "british"}})
    shelled.british(attack(TWO, "2RB-A"), attack(ONE, "2RB-C"), attack(THREE, "2RB-B"), DONE, dice=[6, 1, 1] * 3)
    assert [at for at, *_ in battles(shelled)] == [TWO, ONE, THREE]
