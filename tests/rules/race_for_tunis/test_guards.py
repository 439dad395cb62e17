"""What IF may test in Race for Tunis. 7-10-I 9, 5-I 4, T1 2; 1ES 2; 1313 and 1312 are clear, 0711 is Tunis."""

import pytest

from services.rules.engine.guards import holds
from services.rules.engine.model import Guard, IllegalOrder, Order
from tests.rules.race_for_tunis.combats import combat
from tests.rules.race_for_tunis.positions import DONE, attack, position


def told(game, who, test, negated=False, **args):
    return holds(game.table, who, (Guard(test, args, negated),))


def test_places_units_and_zones():
    game = position("T1@1313 1ES@1312 17-21L@1408 1-190PZ@1315 II-90@1315", held={"allied": "0711"})
    assert told(game, "axis", "held", hex="1313", side="AXIS")
    assert told(game, "axis", "held", hex="0711", side="ALLIED")
    assert not told(game, "axis", "held", hex="0711", side="AXIS")
    assert not told(game, "axis", "free", hex="1412")
    assert told(game, "allied", "free", hex="1411")
    assert told(game, "allied", "engaged", unit="T1")
    assert not told(game, "allied", "engaged", unit="17-21L")
    assert told(game, "allied", "at", unit="T1", hex="1313")
    assert told(game, "allied", "alive", unit="T1")
    assert not told(game, "allied", "alive", unit="T2")
    assert told(game, "allied", "holds", hex="1315", kind="TANKS")
    assert told(game, "allied", "holds", hex="1315", kind="ARTILLERY")
    assert told(game, "allied", "holds", hex="1315", kind="SUPPORT")
    assert not told(game, "allied", "holds", hex="1313", kind="ARMOR")
    for args, code in (({"hex": "1313", "kind": "PONIES"}, "no-such-kind"), ({"hex": "1313", "side": "SPAIN"}, "no-such-side")):
        with pytest.raises(IllegalOrder) as caught:
            told(game, "axis", "holds" if "kind" in args else "held", **args)
        assert caught.value.code == code


def test_the_french_the_weather_points_and_landings():
    own = {"french": {"free": False, "attacked": False}, "weather": "heavy-rain", "rp": 3}
    game = position("2-PARA@1313 1CDO@dead 1-PARA@off", scenario="early-start", own=own)
    assert not told(game, "allied", "french")
    assert told(game, "allied", "french", negated=True)
    assert told(game, "allied", "weather", **{"is": "HEAVY RAIN"})
    assert not told(game, "allied", "weather", **{"is": "rain"})
    assert told(game, "allied", "rp", at_least=3)
    assert not told(game, "allied", "rp", at_least=4)
    assert [told(game, "allied", "landed", unit=unit) for unit in ("2-PARA", "1CDO", "1-PARA")] == [True, False, False]


def test_odds_of_the_line_itself_and_of_a_battle_by_its_name():
    def lower(ratio):
        line = attack("1312", "7-10-I")
        guard = (Guard("odds", {"at_least": ratio}),)
        game = combat("7-10-I@1313 1ES@1312 78FA@1411")
        game.axis(Order(0, line.verb, line.args, None, guard, attack("1312", "7-10-I", lower=1)), DONE)
        return game, game.battle("1312")["lower"]

    game, below = lower("9/2")  # 9 to 2
    assert below is None
    assert lower("5")[1] == 1
    assert told(game, "allied", "odds", label="1312", at_least="9/2")
    assert not told(game, "allied", "odds", label="1312", at_least="5")
    with pytest.raises(IllegalOrder) as caught:
        told(game, "allied", "odds", label="A9", at_least="5")
    assert caught.value.code == "no-result-yet"


def test_odds_of_a_support_line_are_those_of_a_battle_that_is_declared():
    line = {"verb": "SUPPORT", "args": {"guns": ["78FA"], "battle": "1312"}}
    game = combat("7-10-I@1313 1ES@1312 78FA@1411")
    with pytest.raises(IllegalOrder) as caught:
        told(game, "allied", "odds", at_least="4", line=line)
    assert caught.value.code == "no-result-yet"
    with pytest.raises(IllegalOrder) as caught:
        told(game, "allied", "odds", at_least="4", line={"verb": "MOVE", "args": {}})
    assert caught.value.code == "no-such-guard"
    game.axis(attack("1312", "7-10-I"), DONE)
    assert told(game, "allied", "odds", at_least="4", line=line)
    assert not told(game, "allied", "odds", at_least="5", line=line)
