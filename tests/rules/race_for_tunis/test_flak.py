"""17.2.6 Flak: German guns keep Allied missions from their own hex. 7-10-I 9; 1ES, 6RWK 2; flak 54-I 3 and 6 in defence."""

import pytest

from tests.rules.race_for_tunis.combats import aircraft, combat, contact, fought, state
from tests.rules.race_for_tunis.positions import DONE, attack, move, position


@pytest.mark.rule("race-for-tunis", "17.2.6.A")
def test_the_allies_fly_no_mission_over_german_flak():
    game = combat("1ES@1312 T1@1313 54-I@1313 T2@1314", "allied", air=True, tempo="blitz")
    line = attack("1313", "1ES")
    for mission in ("SUPPORT", "INTERDICT"):
        game.allied(line, aircraft("BISLEY", mission, "1313"))
        assert game.refusal() == ("flak-there", "17.2.6.A")
    game.allied(line, aircraft("BISLEY", "INTERDICT", "1314"))  # flak protects its own hex alone
    assert game.codes() == []
    assert game.last.status == "done"


def test_flak_does_not_hinder_its_own_side():
    own = {"air": {"JU87": {"state": "ready", "hex": None, "back": None}}}
    game = combat("7-10-I@1313 1ES@1312 54-I@1512", air=True, tempo="blitz", own=own)
    game.axis(attack("1312", "7-10-I"), aircraft("JU87", "INTERDICT", "1512"), DONE, dice=contact("4:1"))
    assert fought(game) == {"1312": (9, 2, "4:1")}
    assert state(game, "JU87") == "interdict"


@pytest.mark.rule("race-for-tunis", "17.2.6.B")
def test_flak_that_comes_later_does_not_drive_an_interdictor_off():
    over = {"BISLEY": {"state": "interdict", "hex": "1413", "back": None}}
    game = position("1ES@1316 54-I@1313 T1@1313", air=True, own={"air": over})
    game.axis(move("54-I", "1413"), move("T1", "1314"))
    assert game.at("54-I") == "1413"
    assert state(game, "BISLEY") == "interdict"
