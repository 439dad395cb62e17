"""17.2.2, 17.2.3 Ground support and interdiction; 17.4 what the weather lets fly.

Air units (intercept-support): JU87 0-2, FW190 2-1, ME109 and MC202 1-1; SPIT 1-0, BISLEY 0-1, BOSTON 0-2, P38 and P40 1-1.
7-10-I 9, 190PZ 8, 5-I 4, T1 2; 1ES, 6RWK 2; guns II-90 5, 78FA 6, 32FA 4 (range 3)."""

import pytest

from tests.rules.race_for_tunis.combats import aircraft, combat, contact, flight, fought, helped, intercept, state, support
from tests.rules.race_for_tunis.positions import DONE, attack, module, move, order, position

PAIR = "5-I@1313 1ES@1312"
ONE = attack("1312", "5-I")


def flying(units=PAIR, side="axis", **more):
    return combat(units, side, **{"tempo": "blitz", "air": True, **more})


# -- ground support --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "17.2.A-2", "17.2.B-1", "17.2.2.D", "17.2.2.D-EX")
def test_a_ju_87_raises_an_attack_from_two_to_one_to_four_to_one():
    game = flying(own={"air": {"JU87": {"state": "ready", "hex": None, "back": None}}})
    game.axis(ONE, aircraft("JU87", "SUPPORT", "1312"), DONE, dice=contact("4:1"))
    assert fought(game) == {"1312": (4, 2, "4:1")}
    assert flight(game, "JU87") == {"state": "support", "hex": "1312", "back": None}


@pytest.mark.rule("race-for-tunis", "17.2.2.A-1", "17.2.2.A-2")
def test_support_is_placed_with_the_attack_on_a_hex_under_attack():
    game = flying("5-I@1313 1ES@1312 6RWK@1411")
    game.axis(aircraft("JU87", "SUPPORT", "1312"))
    assert game.refusal() == ("not-under-attack", "17.2.2.A-2")
    game.axis(ONE, aircraft("JU87", "SUPPORT", "1411"))
    assert game.refusal() == ("not-under-attack", "17.2.2.A-2")
    game.axis(ONE, aircraft("JU87", "SUPPORT", "1312", "A9"))
    assert game.refusal() == ("not-under-attack", "17.2.2.A-2")
    late = flying("5-I@1313 1ES@1312 78FA@1410", tempo="normal")
    late.axis(ONE, DONE)
    late.axis(aircraft("JU87", "SUPPORT", "1312"))
    assert late.codes() == ["not-in-this-step"]


def test_of_attacks_on_one_stack_the_aircraft_supports_the_one_named_else_the_first():
    units = "7-10-I@1313 190PZ@1313 1ES@1312 6RWK@1312"
    split = (attack("1312", "7-10-I", only="1ES"), attack("1312", "190PZ", only="6RWK"))
    game = flying(units, own={"air": {"JU87": {"state": "ready", "hex": None, "back": None}}})
    game.axis(*split, aircraft("JU87", "SUPPORT", "1312", "1312-6RWK"), DONE, dice=contact("4:1", "6:1"))
    assert {label: column for label, (_, _, column) in fought(game).items()} == {"1312-1ES": "4:1", "1312-6RWK": "6:1"}
    game = flying(units, own={"air": {"JU87": {"state": "ready", "hex": None, "back": None}}})
    game.axis(*split, aircraft("JU87", "SUPPORT", "1312"), DONE, dice=contact("6:1", "4:1"))
    assert {label: column for label, (_, _, column) in fought(game).items()} == {"1312-1ES": "6:1", "1312-6RWK": "4:1"}


@pytest.mark.rule("race-for-tunis", "17.2.2.C", "17.2.3.B-1", "17.2.3.B-2")
def test_a_side_has_one_aircraft_over_a_hex():
    for first, second, clause in (
        ("SUPPORT", "SUPPORT", "17.2.2.C"),
        ("INTERDICT", "INTERDICT", "17.2.3.B-1"),
        ("INTERDICT", "SUPPORT", "17.2.3.B-2"),
        ("SUPPORT", "INTERDICT", "17.2.3.B-2"),
    ):
        game = flying()
        game.axis(ONE, aircraft("JU87", first, "1312"), aircraft("ME109", second, "1312"))
        assert game.refusal() == ("one-aircraft-a-hex", clause)
    game = flying("7-10-I@1313 1ES@1312 6RWK@1413", own={"air": dict.fromkeys(("JU87", "ME109"), READY)})
    lines = (aircraft("JU87", "SUPPORT", "1312"), aircraft("ME109", "SUPPORT", "1413"))
    game.axis(attack("1312 1413", "7-10-I"), *lines, DONE, dice=contact("5:1"))  # 9 to 4, 2:1; each hex of the battle adds
    assert fought(game) == {"1312": (9, 4, "5:1")}


READY = {"state": "ready", "hex": None, "back": None}


@pytest.mark.rule("race-for-tunis", "17.2.2.B", "17.2.4.A-2")
def test_who_supported_or_interdicted_does_not_intercept_in_the_next_player_turn_and_is_ready_after_it():
    air = dict.fromkeys(("ME109", "MC202", "FW190", "P40"), READY)
    game = flying("5-I@1313 1ES@1312 II-90@1310", tempo="normal", own={"air": air})
    lines = (aircraft("ME109", "SUPPORT", "1312"), aircraft("MC202", "INTERDICT", "1512"))
    game.axis(ONE, *lines, DONE)
    assert game.place == "5 axis allotment"  # the Allies have an interceptor
    game.allied(DONE, dice=contact("3:1"))
    assert [state(game, unit) for unit in ("ME109", "MC202", "FW190")] == ["support", "interdict", "ready"]
    game.allied(attack("1313", "1ES"), aircraft("P40", "SUPPORT", "1313"), DONE)
    assert game.place == "5 allied allotment"
    for unit, clause in (("ME109", "17.2.2.B"), ("MC202", "17.2.4.A-2")):
        game.axis(intercept(unit, "P40"))
        assert game.refusal() == ("aircraft-not-ready", clause)
    game.axis(intercept("FW190", "P40"), DONE, dice=(1, 2, *contact("1:1")))  # 2 to 4, 1:2, a column up
    assert {state(game, unit) for unit in ("ME109", "MC202", "FW190")} == {"ready"}
    assert state(game, "P40") == "support"


def test_aircraft_that_are_not_there_or_cannot_support_are_refused():
    game = flying(side="allied")
    game.allied(attack("1313", "1ES"), aircraft("SPIT", "SUPPORT", "1313"))
    assert game.refusal() == ("no-support-value", "17.2.B-1")
    game.allied(aircraft("1ES", "INTERDICT", "1313"))
    assert game.refusal() == ("no-aircraft", "17.2.A-1")
    game.allied(aircraft("JU87", "INTERDICT", "1313"))
    assert game.codes() == ["not-yours"]
    off = combat(PAIR)
    off.axis(aircraft("JU87", "INTERDICT", "1313"))
    assert off.refusal() == ("no-air-units", "17.2.A-1")


# -- interdiction ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "17.2.3.A-1", "17.2.3.A-2", "17.2.3.C-1", "17.2.3.C-2")
def test_an_interdictor_stands_over_any_hex_through_the_enemys_player_turn_and_makes_leaving_dearer():
    game = flying("5-I@1310 1ES@1315 6RWK@1316 T1@off9", own={"air": {"JU87": READY}})
    game.axis(aircraft("JU87", "INTERDICT", "1315"), DONE)
    assert game.place == "5 allied movement"
    game.allied(move("6RWK", "1315"), move("1ES", "1415"))
    assert game.state.counters["6RWK"].num["spent"] == 1  # in for the road or the clear ground as ever
    assert game.state.counters["1ES"].num["spent"] == 3  # 1 for clear ground, 2 to leave
    assert state(game, "JU87") == "interdict"
    game.allied(DONE)
    assert game.place.startswith("6 axis")
    assert state(game, "JU87") == "ready"


@pytest.mark.rule("race-for-tunis", "17.2.3.E-1", "17.2.3.E-2")
def test_guns_under_an_interdictor_do_not_support_and_count_one_where_they_are_attacked():
    game = flying("7-10-I@1313 1ES@1312 78FA@1312 32FA@1411", own={"air": {"JU87": READY}})
    game.axis(attack("1312", "7-10-I"), aircraft("JU87", "INTERDICT", "1411"), DONE, dice=contact("1:1"))
    assert fought(game) == {"1312": (9, 8, "1:1")}  # 32FA was silent
    over = flying("7-10-I@1313 1ES@1312 78FA@1312", own={"air": {"JU87": READY}})
    over.axis(attack("1312", "7-10-I"), aircraft("JU87", "INTERDICT", "1312"), DONE, dice=contact("3:1"))
    assert fought(over) == {"1312": (9, 3, "3:1")}
    assert over.place == "5 allied movement"  # and through the Allied player-turn:
    own = flying("7-10-I@1313 1ES@1312 78FA@1411", "allied", own={"air": {"JU87": {"state": "interdict", "hex": "1411", "back": None}}})
    own.allied(attack("1313", "1ES", "78FA"))
    assert own.refusal() == ("interdicted", "17.2.3.E-1")


@pytest.mark.rule("race-for-tunis", "17.2.3.D-1", "17.2.3.D-3")
def test_roads_do_not_help_into_or_out_of_an_interdicted_hex():
    roads = module().data.board.roads["road"]
    side = next(s for s in sorted(roads, key=str) if {kind(s.a), kind(s.b)} == {"high-ground", "clear"})
    high, clear = (side.a, side.b) if kind(side.a) == "high-ground" else (side.b, side.a)
    costs = []
    for flown in (None, str(clear), str(high)):
        air = {"JU87": {"state": "interdict" if flown else "ready", "hex": flown, "back": None}}
        game = position(f"1ES@{clear}", side="allied", own={"air": air}, air=True)
        game.allied(move("1ES", str(high)))
        costs.append(game.state.counters["1ES"].num["spent"])
    terrain = module().data.charts["terrain"]["high-ground"]["mp"]
    assert costs[0] * 2 == 1
    assert costs[1:] == [terrain + 2, terrain]


def kind(at):
    return module().data.board.terrain[at]


@pytest.mark.rule("race-for-tunis", "17.2.3.F", "17.2.3.G-1", "17.2.3.G-2", "17.2.3.G-3")
@pytest.mark.parametrize(("die", "guns", "column"), [(3, [], "4:1"), (4, ["78FA"], "1:1"), (6, ["78FA"], "1:1")])
def test_guns_under_an_interdictor_are_allotted_on_trial_and_fire_if_it_is_driven_off(die, guns, column):
    game = flying("7-10-I@1313 1ES@1312 78FA@1411", tempo="normal", own={"air": {"JU87": READY, "SPIT": READY}})
    game.axis(attack("1312", "7-10-I"), aircraft("JU87", "INTERDICT", "1411"), DONE)
    game.allied(support("78FA", "1312"), intercept("SPIT", "JU87"), DONE, dice=(die, *contact(column)))
    assert game.data("allotted")["provisional"] == ["78FA"]
    assert game.kinds().index("allotted") < game.kinds().index("air_fight")
    assert helped(game) == {"1312": guns}
    assert game.data("provisional_gun")["fires"] == bool(guns)
    assert fought(game)["1312"][2] == column


def test_the_rule_allots_guns_on_trial_only_where_an_interceptor_may_free_them():
    line = (attack("1312", "7-10-I"), aircraft("JU87", "INTERDICT", "1411"), DONE)
    alone = flying("7-10-I@1313 1ES@1312 78FA@1411", own={"air": {"JU87": READY}})
    alone.axis(*line, dice=contact("4:1"))
    assert alone.events("allotted") == []
    game = flying("7-10-I@1313 1ES@1312 78FA@1411", own={"air": {"JU87": READY, "SPIT": READY}})
    game.axis(*line, dice=(5, *contact("1:1")))
    assert game.data("allotted")["provisional"] == ["78FA"]
    assert fought(game) == {"1312": (9, 8, "1:1")}


# -- weather ---------------------------------------------------------------------------------------------------------------------


def grounded(weather, side, held=None):
    """The air units of a side that may not fly."""
    game = flying("5-I@1313 1ES@1312", side, own={"weather": weather}, held=held)
    found = []
    for unit, counter in game.state.counters.items():
        if counter.side == side and unit in game.own("air"):
            game.send(side, aircraft(unit, "INTERDICT", "1512"), check=True)
            found += [unit] if game.codes() == ["grounded"] else []
    return found


@pytest.mark.rule("race-for-tunis", "17.4.1-1", "17.4.1-2", "17.2.B-2")
def test_in_rain_only_aircraft_of_all_weather_fields_fly():
    assert grounded("clear", "axis") == grounded("clear", "allied") == []
    assert grounded("rain", "axis") == ["MC202"]  # Kairouan
    assert grounded("rain", "allied") == ["P38", "BOSTON", "P40"]  # Tebessa and Thelepte; those of Bone fly
    assert grounded("rain", "axis", {"allied": "0813"}) == ["MC202"]  # Djedeida is lost, its aircraft fly from another field
    assert grounded("rain", "axis", {"allied": "0813 0610 0317"}) == ["FW190", "ME109", "JU87", "MC202"]


@pytest.mark.rule("race-for-tunis", "17.4.2.A")
def test_in_heavy_rain_nobody_flies():
    assert grounded("heavy-rain", "axis") == ["FW190", "ME109", "JU87", "MC202"]
    assert grounded("heavy-rain", "allied") == ["SPIT", "BISLEY", "P38", "BOSTON", "P40"]


def test_an_interdictor_goes_home_when_the_weather_turns():
    def after(die, **more):
        flown = {unit: {"state": "interdict", "hex": at, "back": None} for unit, at in (("BISLEY", "1313"), ("P38", "1412"))}
        game = combat("1ES@1315 T1@1317", "allied", weather=True, air=True, turn=7, own={"air": flown}, **more)
        game.allied(DONE, dice=(die,))
        return game, state(game, "BISLEY"), state(game, "P38")

    assert after(1)[1:] == ("interdict", "interdict")
    rain, *states = after(5)
    assert rain.own("weather") == "rain"
    assert states == ["interdict", "ready"]  # Bone has an all-weather field, Tebessa has none
    assert rain.data("aircraft_grounded")["units"] == ["P38"]
    assert after(6)[1:] == ("ready", "ready")


def test_the_package_is_passed_over_where_nobody_can_fly_and_no_enemy_is_near():
    def place(weather):
        game = position("T1@1313 1ES@1308", air=True, own={"weather": weather})
        game.axis(DONE)
        return game.place

    assert place("clear") == "5 axis package"
    assert place("heavy-rain") == "5 allied movement"


def test_an_interdictor_names_no_battle():
    game = flying()
    game.axis(ONE, aircraft("JU87", "INTERDICT", "1312", "1312"))
    assert game.refusal() == ("malformed", "17.2.3.A-1")


def test_an_aircraft_whose_attack_the_umpire_drops_stays_at_home():
    # T1 above the cliff need not attack, and 2 against 12 is below 1:5: AUTO drops it, and the aircraft has nothing to support.
    game = flying("T1@1308 17-21L@1309 16-5L@1309 LBH@1309", own={"air": {"JU87": READY}})
    game.axis(attack("1309", "T1"), aircraft("JU87", "SUPPORT", "1309"))
    game.axis(order("DONE", auto=True))
    assert (fought(game), state(game, "JU87"), game.at("T1")) == ({}, "ready", "1308")


@pytest.mark.rule("race-for-tunis", "17.2.2.A-1")
def test_an_aircraft_may_be_ordered_before_the_attack_that_it_supports_by_a_second_thought():
    game = flying(own={"air": {"JU87": READY}})
    game.axis(aircraft("JU87", "INTERDICT", "1512"), ONE)
    game.axis(aircraft("JU87", "SUPPORT", "1312"), DONE, dice=contact("4:1"))  # in the place of the interdiction, before the attack
    assert fought(game) == {"1312": (4, 2, "4:1")}
    assert flight(game, "JU87")["state"] == "support"
