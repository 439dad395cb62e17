"""Weather, resource points, the Malta box."""

import pytest

from tests.rules.holdfast.positions import DONE, campaign, move, on, order, position

COMMIT_0 = order("COMMIT", n=0)
FAR = "21PZ@0210 22GDS@3508"


def commit(n):
    return order("COMMIT", n=n)


def new_month(turn=2, *, month_units=FAR, **more):
    """A position whose month ends: the Allied action step, with nothing left to do."""
    return position(month_units, side="allied", turn=turn - 1, **more)


@pytest.mark.rule("holdfast", "weather.1", "weather.2", "weather.3", "weather.4", "seq.4")
@pytest.mark.parametrize(("die", "weather"), [(1, "clear"), (2, "clear"), (5, "clear"), (6, "poor")])
def test_one_die_gives_the_weather_of_each_month(die, weather):
    game = new_month()
    game.allied(DONE, dice=[die, 1])
    assert game.data("weather") == {"month": "1941-04", "weather": weather}
    assert game.state.own["weather"] == weather
    first = game.events("rolled")[0].data
    assert (first["why"], first["dice"]) == ("weather", [die])


@pytest.mark.rule("holdfast", "setup.5")
def test_the_first_month_is_clear_without_a_die_or_by_option_rolled_for():
    assert campaign().data("weather")["weather"] == "clear"
    assert campaign(dice=[6, 4], first_turn_weather="roll").data("weather")["weather"] == "poor"


@pytest.mark.rule("holdfast", "rp.1", "rp.2", "rp.3", "rp.4", "rp.5")
@pytest.mark.parametrize(("turn", "axis", "allied"), [(2, 12, 10), (8, 12, 10), (9, 12, 12), (15, 12, 12), (16, 12, 14), (22, 12, 14)])
def test_rp_by_date(turn, axis, allied):
    game = new_month(turn)
    game.allied(DONE, dice=[1, 1])
    assert [event.data for event in game.events("rp")] == [{"side": "axis", "rp": axis}, {"side": "allied", "rp": allied}]


@pytest.mark.rule("holdfast", "rp.7")
def test_rp_left_over_are_lost():
    game = new_month(rp=(5, 9))
    game.allied(DONE, dice=[1, 6])
    assert (game.rp("axis"), game.rp("allied")) == (6, 10)


@pytest.mark.rule("holdfast", "malta.6", "rp.8", "rp.9")
def test_a_lone_allied_die_of_four_leaves_the_axis_eight():
    game = new_month()
    game.allied(DONE, dice=[1, 4])
    assert game.data("malta") == {"high": 4, "cut": 0, "loss": 4, "rp": 8}
    assert game.rp() == 8


@pytest.mark.rule("holdfast", "malta.7", "malta.1", "malta.2", "malta.3", "rp.14")
def test_the_example_with_two_axis_and_one_allied_air_unit():
    game = new_month(air={"X1": "free", "X2": "free", "X3": "free", "L1": "free"})
    game.allied(DONE, dice=[1])
    game.axis(commit(2))
    assert game.place == "2 malta allied"
    game.allied(commit(1), dice=[1, 5, 5, 2])
    assert game.data("malta") == {"high": 5, "cut": 3, "loss": 2, "rp": 10}


@pytest.mark.rule("holdfast", "malta.4", "rp.15")
@pytest.mark.parametrize(("dice", "loss"), [([3, 2, 2], 0), ([4, 2, 2], 0), ([6, 1, 1], 4), ([1, 6, 6], 0)])
def test_a_cut_that_reaches_the_high_die_loses_nothing(dice, loss):
    game = new_month(air={"X1": "free", "X2": "free"})
    game.allied(DONE, dice=[1])
    game.axis(commit(2), dice=dice)
    assert game.data("malta")["loss"] == loss
    assert game.rp() == 12 - loss


@pytest.mark.rule("holdfast", "rp.10", "rp.11", "rp.12", "rp.13", "seq.5")
def test_axis_first_then_allied_up_to_three_and_four_and_what_is_in_play():
    wings = {**{f"X{n}": "free" for n in range(1, 6)}, **{f"L{n}": "free" for n in range(1, 5)}}
    game = new_month(air=wings)
    game.allied(DONE, dice=[2])
    (decision,) = game.state.pending
    assert (decision.side, [c["n"] for c in decision.choices]) == ("axis", [0, 1, 2, 3])
    game.axis(commit(4))
    assert game.refusal() == ("too-many-air", "rp.11")
    game.axis(commit(3))
    (decision,) = game.state.pending
    assert (decision.side, [c["n"] for c in decision.choices], decision.context) == ("allied", [0, 1, 2, 3, 4], {"axis": 3})
    few = new_month(air={"X1": "free", "L1": "free", "L2": "free"})
    few.allied(DONE, dice=[2])
    few.axis(commit(2))
    assert few.refusal() == ("too-many-air", "rp.11")
    few.axis(commit(1))
    few.allied(commit(3))
    assert few.refusal() == ("too-many-air", "rp.12")


@pytest.mark.rule("holdfast", "malta.5", "11.2j")
def test_air_at_malta_is_out_of_the_month_and_comes_back():
    game = new_month(air={"X1": "used", "X2": "malta"})
    game.allied(DONE, dice=[1])
    assert game.state.own["air"]["axis"] == {"X1": "free", "X2": "free"}
    game.axis(commit(1), dice=[1, 1])
    assert game.state.own["air"]["axis"] == {"X1": "malta", "X2": "free"}


@pytest.mark.rule("holdfast", "weather.9", "weather.10")
def test_in_poor_weather_one_allied_die_and_no_air():
    game = new_month(air={"X1": "free", "L1": "free"})
    game.allied(DONE, dice=[6, 5])
    assert game.data("malta") == {"high": 5, "cut": 0, "loss": 5, "rp": 7}
    assert game.place == "2 axis build"


def test_a_standing_table_answers_for_the_allies_and_a_gap_in_it_leaves_the_default():
    table = on("MALTA", order("COMMIT", table=[[0, 0], [1, 1]]))
    for n, allied in ((1, 1), (2, 0)):
        game = new_month(air={"X1": "free", "X2": "free", "L1": "free"})
        game.allied(DONE, dice=[1], standing=[table])
        game.axis(commit(n), dice=[3, 2, 2])  # two and one dice, or one and two
        assert game.state.own["malta"] == {"axis": n, "allied": allied}
        assert game.state.pending == ()
        assert [d["kind"] for d in game.seen("axis", "decided")] == ["malta-axis"]


@pytest.mark.rule("holdfast", "rp.10")
def test_the_axis_takes_no_table_and_a_table_needs_a_row():
    game = new_month(air={"X1": "free", "L1": "free"})
    game.allied(DONE, dice=[1])
    game.axis(order("COMMIT", table=[[0, 1]]))
    assert game.codes() == ["table-not-here"]
    game.axis(standing=[on("MALTA", order("COMMIT", table=[[0, 1]]))])  # refused when it is given, not in silence month by month
    assert game.codes() == ["table-not-here"]
    game.axis(commit(1))
    game.allied(order("COMMIT", table=[[0, 1]]))
    assert game.codes() == ["table-gap"]
    game.allied(order("COMMIT"))
    assert game.codes() == ["malformed"]


@pytest.mark.rule("holdfast", "malta.10", "rp.6")
def test_a_turn_is_over_when_the_rp_are_gone():
    game = position(FAR, rp=(1, 1))
    game.axis(move("21PZ", "0310"))
    assert game.place == "1 allied build"
    game.allied(move("22GDS", "3408"), dice=[1, 1])
    assert game.place == "2 axis build"


@pytest.mark.rule("holdfast", "seq.1", "seq.6", "seq.7", "seq.9", "seq.10")
def test_the_order_of_a_game_turn():
    game = new_month(air={"X1": "free", "L1": "free"})
    game.allied(DONE, dice=[1])
    assert game.data("turn_record") == {"turn": 2, "month": "1941-04"}
    assert game.place == "2 malta axis"
    game.axis(commit(0))
    assert game.place == "2 malta allied"
    game.allied(commit(0), dice=[1])
    assert game.place == "2 axis build"
    game.axis(DONE)
    assert game.place == "2 axis action"
    game.axis(DONE)
    assert game.place == "2 allied build"
    game.allied(DONE)
    assert game.place == "2 allied action"


@pytest.mark.rule("holdfast", "malta.9")
def test_the_rp_spent_in_building_are_told_as_one_sum():
    game = position("21PZ:1@0310 PAVIA:2@0409 22GDS@3508", step="build")
    game.axis(order("STEP", unit="21PZ", k=2), order("STEP", unit="PAVIA", k=1), DONE)
    assert [e.data for e in game.events("rp_spent")] == [{"side": "axis", "k": 5, "why": "build"}]
    assert game.seen("allied", "stepped") == []
    assert game.state.own["spent"] == {"axis": 0, "allied": 0}
