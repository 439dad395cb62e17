"""14.0.E, 14.0.F Axis arrivals: ports for panzergrenadiers and heavy equipment, airfields for the others, by sea under a die.

7-10-I (panzers), 69-10-I (panzergrenadiers) and 10B-16 (Bersaglieri) come by port; 5-I (paratroops), A18 and T5 (infantry) fly.
Tunis is 0711, Bizerta 0216; the Axis holds the fields 0610, 0317, 0813 and Kairouan 2305, the Allies hold Souk el Arba 1923."""

import pytest

from tests.rules.race_for_tunis.positions import DONE, Game, move, one, order, position

FAR = "1ES@2125"
BOTH_LOST = {"allied": "0711 0216"}


def axis(units: str, *lines, dice=(), **more) -> Game:
    game = position(f"{units} {FAR}", **more)
    game.axis(*lines, dice=dice)
    return game


def opened(units: str, *, held=None, dice=(), own=None, **more) -> Game:
    """The Axis opening of game-turn 5, entered from the Allied player-turn before it, with dice for its ports."""
    game = position(f"{units} {FAR}", side="allied", turn=4, held=held, own=own, **more)
    game.allied(order("DONE", turn=True), dice=dice)
    return game


# -- where -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "14.0.E-1")
@pytest.mark.parametrize("unit", ["7-10-I", "69-10-I", "10B-16", "II-90", "101AT", "54-II", "557AG"])
def test_panzergrenadiers_and_heavy_equipment_land_at_tunis_or_bizerta(unit):
    for port in ("0711", "0216"):
        game = axis(f"{unit}@off", one("LAND", unit, hex=port))
        assert (game.at(unit), game.data("landed")["hex"]) == (port, port)
    assert axis(f"{unit}@off", one("LAND", unit, hex="0813")).refusal() == ("by-port-only", "14.0.E-1")
    assert axis(f"{unit}@off", one("LAND", unit, hex="0712")).refusal() == ("no-landing-place", "14.0.E-1")


@pytest.mark.rule("race-for-tunis", "14.0.F-1")
@pytest.mark.parametrize("unit", ["5-I", "A18", "11P-ENG", "10KS", "SM", "91-I", "756-I"])
def test_all_others_fly_to_any_friendly_airfield(unit):
    for field in ("0610", "0317", "0813", "2305"):
        assert axis(f"{unit}@off", one("LAND", unit, hex=field)).at(unit) == field
    assert axis(f"{unit}@off", one("LAND", unit, hex="1923")).refusal() == ("not-held", "14.0.F-1")
    assert axis(f"{unit}@off", one("LAND", unit, hex="0711")).refusal() == ("sea-not-declared", "14.0.F-2")
    assert axis(f"{unit}@off", one("LAND", unit, hex="0714")).refusal() == ("no-landing-place", "14.0.F-1")


@pytest.mark.rule("race-for-tunis", "14.0.F-1")
def test_an_airfield_is_friendly_while_the_axis_was_there_last():
    assert axis("5-I@off", one("LAND", "5-I", hex="0813"), held={"allied": "0813"}).refusal() == ("not-held", "14.0.F-1")
    assert axis("5-I@off", one("LAND", "5-I", hex="1923"), held={"axis": "1923"}).at("5-I") == "1923"
    game = axis("5-I@off 1DY@0814", one("LAND", "5-I", hex="0813"))  # in an enemy zone (RT-48)
    assert (game.at("5-I"), "moved" in game.marks("5-I")) == ("0813", False)


@pytest.mark.rule("race-for-tunis", "14.0.E-1", "14.0.F-1")
def test_landing_costs_nothing_and_they_may_move():
    # 7-10-I has 8 MP: 0711 to 0712 and back over and over would do; one step shows what it has spent.
    game = axis("7-10-I@off 5-I@off", one("LAND", "7-10-I", hex="0711"), move("7-10-I", to="0712"), one("LAND", "5-I", hex="0813"))
    assert game.at("7-10-I") == "0712"
    assert game.state.counters["7-10-I"].num["spent"] <= 1
    game = position(f"7-10-I@off {FAR}", step="opening")  # it closes the opening
    game.axis(one("LAND", "7-10-I", hex="0711"), move("7-10-I", to="0712"))
    assert game.at("7-10-I") == "0712"


def test_who_is_not_due_does_not_land():
    assert axis("5-I@off6", one("LAND", "5-I", hex="0813")).refusal() == ("not-due", "14.0.C")
    assert axis("5-I@0714", one("LAND", "5-I", hex="0813")).refusal() == ("not-waiting", "14.0.C")
    game = position("1ES@off T1@0714", side="allied")
    game.allied(one("LAND", "1ES", hex="0813"))
    assert game.refusal() == ("allies-enter", "14.0.D-1")


# -- by sea by choice --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "14.0.F-2", "14.0.F-3")
def test_a_unit_sent_by_sea_lands_under_the_die_of_its_port():
    lines = (one("SEA", "5-I", port="0711"), one("SEA", "A18", port="0711"), one("SEA", "T5", port="0216"))
    game = position(f"5-I@off A18@off T5@off {FAR}", step="opening")
    game.axis(*lines, DONE, dice=[2, 1])
    assert [event.data["limit"] for event in game.events("sea_limit")] == [2, 1]  # a die a port
    assert [game.at(unit) for unit in ("5-I", "A18", "T5")] == ["0711", "0711", "0216"]
    assert game.place == "5 axis movement"


@pytest.mark.rule("race-for-tunis", "14.0.F-3")
def test_over_the_limit_the_owner_lands_whom_he_names_and_the_others_wait():
    sail = [one("SEA", unit, port="0711") for unit in ("5-I", "A18", "T5")]
    game = position(f"5-I@off A18@off T5@off {FAR}", step="opening")
    game.axis(*sail, one("LAND", "T5", hex="0711"), dice=[1])
    assert (game.at("T5"), game.at("5-I"), game.at("A18")) == ("0711", "edge:off", "edge:off")
    game.axis(one("LAND", "5-I", hex="0711"))
    assert game.refusal() == ("port-limit", "14.0.F-3")
    game.axis(one("LAND", "5-I", hex="0813"))
    assert game.refusal() == ("diverted", "14.0.F-2")
    game.axis(DONE)
    assert (game.at("5-I"), game.at("A18")) == ("edge:off", "edge:off")
    assert (game.own("diverted"), game.own("limits")) == ({}, {})  # next turn they may choose the air


@pytest.mark.rule("race-for-tunis", "14.0.F-3")
def test_without_a_word_the_first_of_those_at_sea_land():
    sail = [one("SEA", unit, port="0711") for unit in ("T5", "A18", "5-I")]
    game = position(f"5-I@off A18@off T5@off {FAR}", step="opening")
    game.axis(*sail, order("DONE", turn=True), dice=[2])
    landed = [event.data["unit"] for event in game.events("landed")]
    assert len(landed) == 2
    assert {event.data["how"] for event in game.events("landed")} == {"default"}


@pytest.mark.rule("race-for-tunis", "14.0.F-2")
def test_what_cannot_be_sent_by_sea():
    def sea(units: str, unit: str, port: str, *more, **kwargs) -> Game:
        game = position(f"{units} {FAR}", step="opening", **kwargs)
        game.axis(*more, one("SEA", unit, port=port))
        return game

    assert sea("7-10-I@off 5-I@off", "7-10-I", "0711").refusal() == ("goes-by-port-anyway", "14.0.E-1")
    assert sea("5-I@off", "5-I", "0813").refusal() == ("no-port", "14.0.F-2")
    assert sea("5-I@off", "5-I", "0711", held={"allied": "0711"}).refusal() == ("not-held", "14.0.E-2")
    assert sea("5-I@off6 A18@off", "5-I", "0711").refusal() == ("not-due", "14.0.C")
    game = position(f"5-I@off A18@off {FAR}", step="opening")
    game.axis(one("LAND", "A18", hex="0813"), one("SEA", "5-I", port="0711"))  # the opening is over
    assert game.refusal() == ("not-in-this-step", "4.1-1")


@pytest.mark.rule("race-for-tunis", "14.0.F-3")
def test_heavy_units_do_not_count_against_those_sent_by_sea():
    game = position(f"5-I@off 7-10-I@off 7-10-II@off {FAR}", step="opening")
    game.axis(one("SEA", "5-I", port="0711"), *[one("LAND", unit, hex="0711") for unit in ("7-10-I", "7-10-II")], dice=[1])
    assert [game.at(unit) for unit in ("5-I", "7-10-I", "7-10-II")] == ["0711"] * 3


# -- ports lost --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "14.0.E-2")
def test_with_both_ports_lost_they_wait():
    game = opened("7-10-I@off 5-I@off", held=BOTH_LOST)
    assert all(port == {"lost": True, "limit": 0} for port in game.own("ports").values())
    for port in ("0711", "0216"):
        game.axis(one("LAND", "7-10-I", hex=port))
        assert game.refusal() == ("not-held", "14.0.E-2")
    game.axis(order("DONE", turn=True))
    assert (game.at("7-10-I"), game.at("5-I")) == ("edge:off", "0610")


@pytest.mark.rule("race-for-tunis", "14.0.E-1")
def test_with_one_port_lost_the_other_serves_without_a_die():
    game = opened("7-10-I@off 7-10-II@off 69-10-I@off4", held={"allied": "0711"})
    for unit in ("7-10-I", "7-10-II", "69-10-I"):
        game.axis(one("LAND", unit, hex="0711"))
        assert game.refusal() == ("not-held", "14.0.E-2")
        game.axis(one("LAND", unit, hex="0216"))
        assert game.at(unit) == "0216"


LOST = {"ports": {"tunis": {"lost": True, "limit": 0}, "bizerta": {"lost": True, "limit": 0}}}


@pytest.mark.rule("race-for-tunis", "14.0.E-3", "14.0.E-4", "14.0.E-5")
def test_a_port_retaken_takes_as_many_as_its_die_says_new_ones_and_those_that_waited():
    units = "7-10-I@off3 7-10-II@off4 69-10-I@off5"
    game = opened(units, held={"allied": "0216"}, own=LOST, dice=[2])
    assert game.data("port_limit") == {"port": "tunis", "hex": "0711", "limit": 2, "units": ["7-10-I", "7-10-II", "69-10-I"]}
    game.axis(one("LAND", "69-10-I", hex="0711"), one("LAND", "7-10-I", hex="0711"))  # the owner picks
    game.axis(one("LAND", "7-10-II", hex="0711"))
    assert game.refusal() == ("port-limit", "14.0.E-5")
    game.axis(one("LAND", "7-10-II", hex="0216"))
    assert game.refusal() == ("not-held", "14.0.E-2")


@pytest.mark.rule("race-for-tunis", "14.0.E-4")
def test_both_ports_retaken_have_a_die_each():
    game = opened("7-10-I@off3 7-10-II@off4 69-10-I@off", own=LOST, dice=[1, 6])
    assert {name: port["limit"] for name, port in game.own("ports").items()} == {"bizerta": 1, "tunis": 6}


@pytest.mark.rule("race-for-tunis", "14.0.E-6", "14.0.E-7")
def test_the_dice_go_on_until_all_that_waited_are_ashore():
    game = opened("7-10-I@off3 101AT@off4 136AT@off6 54-II@off6", held={"allied": "0216"}, own=LOST, dice=[1])
    game.axis(order("DONE", turn=True))
    assert (game.at("7-10-I"), game.at("101AT")) == ("0711", "edge:off")  # who has waited longest
    game.allied(order("DONE", turn=True), dice=[1])  # the next opening: 101AT still waits
    assert game.own("ports")["tunis"] == {"lost": True, "limit": 1}
    game.axis(order("DONE", turn=True))
    assert [game.at(unit) for unit in ("101AT", "136AT", "54-II")] == ["0711", "edge:off", "edge:off"]
    game.allied(order("DONE", turn=True), dice=[6])
    game.axis(order("DONE", turn=True))
    assert [game.at(unit) for unit in ("136AT", "54-II")] == ["0711", "0711"]
    game.allied(order("DONE", turn=True))  # nobody waits any more: no die
    assert all(port == {"lost": False, "limit": None} for port in game.own("ports").values())


@pytest.mark.rule("race-for-tunis", "14.0.E-2", "14.0.E-3")
def test_ports_lost_again_keep_what_waits_and_a_port_retaken_in_a_movement_phase_opens_with_the_next():
    game = opened("7-10-I@off3", held=BOTH_LOST, own=LOST)
    assert (game.at("7-10-I"), game.own("ports")["tunis"]["lost"]) == ("edge:off", True)
    game = position(f"7-10-I@off3 T1@0712 {FAR}", held=BOTH_LOST, own=LOST)
    game.axis(move("T1", "0711"), one("LAND", "7-10-I", hex="0711"))
    assert game.refusal() == ("port-limit", "14.0.E-5")
    game.axis(move("T1", "0711"), order("DONE", turn=True))
    game.allied(order("DONE", turn=True), dice=[3])
    assert game.own("ports")["tunis"] == {"lost": True, "limit": 3}


@pytest.mark.rule("race-for-tunis", "14.0.E-7")
def test_ports_retaken_before_anybody_waited_have_no_die():
    game = opened("7-10-I@off5", own=LOST)
    assert all(port == {"lost": False, "limit": None} for port in game.own("ports").values())


@pytest.mark.rule("race-for-tunis", "14.0.F-3", "14.0.E-4")
def test_who_lands_closes_the_opening_with_its_dice():
    # RT-49: landing belongs to the movement phase. 5-I has been sent to Tunis, and the die for it falls before T5 lands at an airfield.
    game = position("5-I@off T5@off 1-190PZ@0714 2-190PZ@0714 1ES@2125", step="opening")
    game.axis(one("SEA", "5-I", port="0711"), one("LAND", "T5", hex="0813"), dice=[3])
    assert (game.codes(), game.place, game.at("5-I"), game.at("T5")) == ([], "5 axis movement", "0711", "0813")
    assert game.kinds().index("sea_limit") < game.kinds().index("landed")
    game.axis(order("REJOIN", units=["1-190PZ", "2-190PZ"], battalion="190PZ"))  # only as the phase opens, or closes
    assert game.at("190PZ") == "box:component"
