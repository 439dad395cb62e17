"""Set Up, 15 and 16, as a game of them begins."""

import pytest

from tests.rules.holdfast.positions import campaign, one, order, position


def laid_out(game, side):
    """Hex -> units of a side, with their strength."""
    found: dict[str, dict[str, int]] = {}
    for counter in game.state.counters.values():
        if counter.side == side and str(counter.place)[0].isdigit():
            found.setdefault(str(counter.place), {})[counter.id] = counter.num["sp"]
    return found


@pytest.mark.rule("holdfast", "setup.1", "15f", "15m", "15n", "setup.2")
def test_campaign_one_stands_where_its_chart_says():
    game = campaign()
    seven = ("21PZ", "ARIETE", "TRENTA", "BRESCIA", "PAVIA", "BOLOGNA", "SAVENA")
    assert laid_out(game, "axis") == {"0210": dict.fromkeys(seven, 4)}
    assert laid_out(game, "allied") == {
        "3508": {"4IND": 4},
        "2906": {"7AUS": 2},
        "2205": {"22GDS": 2},
        "1803": {"9AUS": 3},
        "1203": {"FF": 1},
        "0805": {"2ARM": 4},
        "0504": {"2SA": 1},
    }


@pytest.mark.rule("holdfast", "control.1")
def test_the_allies_begin_with_all_cities_but_el_agheila():
    game = campaign()
    assert game.state.own["control"] == {"0210": "axis", "0504": "allied", "1803": "allied", "2204": "allied", "3907": "allied"}


@pytest.mark.rule("holdfast", "16g", "16p", "16e", "16n")
def test_campaign_two_has_units_in_its_pools_that_can_be_rebuilt():
    game = campaign("campaign-2")
    assert game.view("allied")["own"]["pool"] == {"axis": ["SAVENA"], "allied": ["22GDS", "50INF", "51INF", "7AUS"]}
    assert len(laid_out(game, "axis")["0210"]) == 10
    assert sorted(laid_out(game, "allied")["3907"]) == ["1SA", "2NZ", "9AUS"]
    game.axis(order("COMMIT", n=0))
    game.allied(order("COMMIT", n=0), dice=[1])
    game.axis(one("REBUILD", "SAVENA"))
    assert game.at("SAVENA") == "0210"


@pytest.mark.rule("holdfast", "15d", "16c")
@pytest.mark.parametrize(
    ("scenario", "due"),
    [
        ("campaign-1", {"15PZ": 3, "7ARM": 4, "51INF": 6, "TRIESTE": 9, "90INF": 11, "10IND": 15, "CENTOR": 16}),
        ("campaign-2", {"10IND": 5, "164INF": 6, "51PARA": 6, "PISTOLIO": 6, "CENTOR": 6}),
    ],
)
def test_later_units_are_due_in_the_game_turn_of_their_month(scenario, due):
    game = campaign(scenario)
    waiting = {c.id: c.num["due"] for c in game.state.counters.values() if str(c.place) == "edge:off"}
    assert waiting == due if scenario == "campaign-2" else due.items() <= waiting.items()
    assert "LITTORIO" not in waiting


@pytest.mark.rule("holdfast", "15d")
def test_by_option_littorio_arrives_in_june_1942():
    assert campaign(littorio=True).state.counters["LITTORIO"].num["due"] == 16
    assert campaign("campaign-2", littorio=True).state.counters["LITTORIO"].num["due"] == 6


@pytest.mark.rule("holdfast", "15d", "16c", "rp.12")
@pytest.mark.parametrize(
    ("scenario", "turn", "wings"),
    [("campaign-1", 8, []), ("campaign-1", 9, ["L3"]), ("campaign-1", 15, ["L4"]), ("campaign-2", 1, ["L3"]), ("campaign-2", 5, ["L4"])],
)
def test_by_option_two_more_allied_air_units_arrive(scenario, turn, wings):
    for given in (True, False):
        game = position("21PZ@0310 22GDS@3508", scenario=scenario, turn=turn, extra_allied_air=given)
        game.axis(order("DONE"))
        assert [air for e in game.events("support_arrived") for air in e.data["air"]] == (wings if given else [])
