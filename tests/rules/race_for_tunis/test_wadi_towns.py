"""17.1: by option a town in a wadi hex lies on one bank. Medjez el Bab is 1215: the wadi runs between it and 1214 and 1315, not between it
and 1116 and 1216 (RT-62: the example's 1217 is not next to it). 1115 and 1316 are wadi too."""

import pytest

from tests.rules.race_for_tunis.packaging import odds, packing
from tests.rules.race_for_tunis.positions import DONE, attack


def attack_of(here, there, option=True, unit="5-I"):
    """What a unit counts that attacks out of one hex into another, against 2."""
    game = packing(f"{unit}@{here} 1ES@{there}", wadi_towns=option)
    game.axis(attack(there, unit), DONE)
    ((strength, defence, _),) = odds(game).values()
    assert defence == 2
    return strength


@pytest.mark.rule("race-for-tunis", "17.1-0", "17.1.A", "17.1.B-EX1", "17.1.B-EX2")
@pytest.mark.parametrize(
    ("here", "with_option", "without"),
    [("1214", 2, 4), ("1315", 2, 4), ("1116", 4, 4), ("1216", 4, 4)],
)
def test_medjez_el_bab_attacked_across_the_wadi_and_on_its_own_bank(here, with_option, without):
    assert attack_of(here, "1215") == with_option
    assert attack_of(here, "1215", option=False) == without


@pytest.mark.rule("race-for-tunis", "17.1.B", "17.1.B-EX3", "17.1.B-EX4")
@pytest.mark.parametrize(
    ("there", "with_option", "without"),
    [("1214", 2, 2), ("1315", 2, 2), ("1116", 2, 1), ("1216", 4, 2)],
)
def test_attacks_out_of_medjez_el_bab(there, with_option, without):
    # 1116 is high ground: the half for going up remains.
    assert attack_of("1215", there) == with_option
    assert attack_of("1215", there, option=False) == without


@pytest.mark.rule("race-for-tunis", "17.1.C")
def test_from_wadi_to_wadi_nothing_is_halved():
    for here, there in (("1115", "1215"), ("1316", "1215"), ("1215", "1115"), ("1215", "1316")):
        assert attack_of(here, there) == 4


def test_only_clear_ground_across_the_wadi_is_halved_on_the_way_in():
    # The wadi runs between Djedeida (0813) and the hill of 0913: down from it in full, up to it twice halved.
    assert attack_of("0913", "0813") == 4
    assert attack_of("0813", "0913") == 1
    assert attack_of("0812", "0813") == 2  # clear ground across the wadi
    assert attack_of("0814", "0813") == 4  # Tebourba, on this bank


def test_a_wadi_without_a_town_halves_as_ever():
    assert attack_of("1115", "1114") == 1  # and up the hill
    assert attack_of("1316", "1216") == 2
    assert attack_of("1216", "1316") == 4
