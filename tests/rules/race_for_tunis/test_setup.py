"""14. Set-up: what lies where as each scenario begins, and what its options leave out."""

import pytest

from services.rules.games.race_for_tunis.setup import date, last_turn
from tests.rules.race_for_tunis.positions import module, move, position, scenario

KEYS = ["standard", "early-start", "extended", "eilbote"]


@pytest.mark.rule("race-for-tunis", "14.0.B", "14.0.C")
@pytest.mark.parametrize("key", KEYS)
def test_every_unit_lies_in_its_hex_or_waits_for_its_turn(key):
    data = module().data
    rows = data.scenarios[key].tables
    counters = module().new_game(data, data.scenarios[key], {name: spec.default for name, spec in data.options.items()}, "ab" * 32).counters
    for row in rows["setup"]:
        assert {str(counters[unit].place) for unit in row["units"]} == {row["hex"]}
    first = data.turns.index({"standard": "25 Nov", "extended": "25 Nov", "early-start": "17 Nov", "eilbote": "18 Jan"}[key])
    for row in rows["arrivals"]:
        dues = {(str(counters[unit].place), counters[unit].num["due"]) for unit in row["units"]}
        assert dues == {("edge:off", data.turns.index(row["turn"]) - first + 1)}


@pytest.mark.rule("race-for-tunis", "14.0.A-6", "2.2.7.C-1")
def test_units_of_other_scenarios_are_not_in_the_game():
    game = scenario()
    assert {"I-LODI", "334ART", "6LNC"} & set(game.state.counters) == set()
    assert "LBH" in game.state.counters  # 10 December
    assert "334ART" in scenario("eilbote").state.counters
    assert "I-LODI" not in scenario("eilbote").state.counters


@pytest.mark.rule("race-for-tunis", "14.0.A-4", "18.1.B-2")
def test_a_unit_may_start_on_the_map_in_one_scenario_and_arrive_in_another():
    assert (scenario().at("10B-16"), scenario("early-start").at("10B-16")) == ("0216", "edge:off")
    assert scenario("early-start").state.counters["10B-16"].num["due"] == 4  # 20 November
    assert scenario("eilbote").at("II-90") == "0913"
    assert scenario().state.counters["II-90"].num["due"] == 7  # 1 December


@pytest.mark.rule("race-for-tunis", "11.2.A-3")
def test_the_counters_of_broken_down_battalions_lie_ready():
    game = scenario()
    assert (game.at("190PZ"), game.at("1-190PZ")) == ("box:component", "0813")
    assert [game.at(unit) for unit in ("1-7-10", "2-7-10", "3-7-10")] == ["box:component"] * 3
    assert game.state.counters["7-10-I"].num["due"] == 5  # 29 November


@pytest.mark.rule("race-for-tunis", "17.0.A", "17.2.A-1", "18.1.B-1")
@pytest.mark.parametrize("key", ["standard", "early-start"])
def test_air_units_are_there_from_the_start_if_they_are_played_with(key):
    planes = {"FW190", "ME109", "JU87", "MC202", "SPIT", "BISLEY", "P38", "BOSTON", "P40"}
    game = scenario(key, air=True)
    assert {unit for unit in game.state.counters if game.at(unit) == "box:air"} == planes
    assert set(game.own("air")) == planes
    assert planes & set(scenario(key).state.counters) == set()
    assert scenario(key).own("air") == {}


@pytest.mark.rule("race-for-tunis", "18.0-1", "18.1.A-1")
@pytest.mark.parametrize(
    ("key", "first", "last", "turns"),
    [
        ("standard", "25 Nov", "11 Dec", 17),
        ("early-start", "17 Nov", "11 Dec", 25),
        ("extended", "25 Nov", "24 Dec", 30),
        ("eilbote", "18 Jan", "24 Jan", 7),
    ],
)
def test_two_variants_and_two_scenarios_with_their_dates(key, first, last, turns):
    game = scenario(key)
    assert (date(game.table), last_turn(game.table)) == (first, turns)
    view = game.view(None)["own"]
    assert (view["date"], view["last_turn"]) == (first, turns)
    assert module().data.turns[module().data.scenarios[key].last_turn - 1] == last


def test_both_sides_see_the_whole_table_and_no_more():
    game = scenario(air=True)
    axis, allied = game.view("axis"), game.view("allied")
    assert axis["counters"] == allied["counters"]
    assert len(axis["counters"]) == len(game.state.counters)
    assert {key: value for key, value in axis["own"].items() if key != "ezoc"} == {
        key: value for key, value in allied["own"].items() if key != "ezoc"
    }
    assert axis["own"]["ezoc"] != allied["own"]["ezoc"]
    axis["own"]["places"].clear()  # a view is a copy
    assert game.own("places")["0711"] == "axis"


@pytest.mark.rule("race-for-tunis", "2.1.1.B-2")
def test_hexes_cut_by_the_edge_are_not_on_the_board():
    game = scenario()
    game.allied(move("1ES", "1226"))
    assert game.refusal() == ("cannot-enter", "6.0.C-1")


def test_a_view_tells_who_is_due_and_who_is_to_come():
    """Turn 1 is 25 November: three Allied units are due then, 1-501, BRN-III, SM and 4CA a day later; AGRA-1 on the last day."""
    own = scenario().view("axis")["own"]
    assert own["due"] == {"axis": [], "allied": ["56REC", "64AT", "701TD"]}
    assert sorted(own["coming"]["2"]) == ["1-501", "4CA", "BRN-III", "SM"]
    assert "AGRA-1" in own["coming"]["17"]
    assert max(map(int, own["coming"])) == 17


def test_a_view_tells_where_aircraft_interdict():
    flight = {"BOSTON": {"state": "interdict", "hex": "1313", "back": None}, "JU87": {"state": "ready", "hex": None, "back": None}}
    game = position("T1@0714 1ES@1320", air=True, own={"air": flight})
    assert game.view("axis")["own"]["interdicted"] == {"1313": {"side": "allied", "unit": "BOSTON", "factors": 2}}
    assert game.view(None)["own"]["ezoc"] == []


@pytest.mark.rule("race-for-tunis", "17.0.A", "17.0.B")
def test_each_advanced_rule_is_adopted_alone_and_brings_its_own_steps_only():
    def steps(**options) -> set[str]:
        table = position("T1@0714 1ES@1320", side="allied", **options).table
        return {slot.step.name for slot in module().sequence.turn_slots if slot.phasing in (None, "allied") and slot.step.when(table)}

    plain = steps()
    rules = ("wadi_towns", "air", "counterbattery", "weather", "more_replacements", "landings")
    assert all(spec.default is False for key, spec in module().data.options.items() if key in rules)
    brought = {rule: sorted(steps(**{rule: True}) - plain) for rule in rules}
    assert brought == {
        "wadi_towns": [],
        "air": ["air combat"],
        "counterbattery": [],  # its step is there for who orders it
        "weather": ["weather"],
        "more_replacements": [],
        "landings": ["landings"],
    }
