"""Reinforcements and replacements, the entry cities, and too many units in them."""

import pytest

from tests.rules.holdfast.positions import DONE, attack, move, one, order, position

FAR = "22GDS@3508"


def step(unit, k=1):
    return order("STEP", unit=unit, k=k)


@pytest.mark.rule("holdfast", "reinf.1", "reinf.2", "reinf.4", "reinf.5", "arrivals.1")
def test_a_due_unit_enters_el_agheila_at_full_strength_for_nothing():
    game = position(f"21PZ@0310 15PZ@off3 {FAR}", step="build", turn=3)
    game.axis(one("ENTER", "15PZ"))
    assert (game.at("15PZ"), game.sp("15PZ"), game.rp()) == ("0210", 4, 12)
    assert game.seen("axis", "arrived") == [{"side": "axis", "alias": "G2", "place": "0210", "unit": "15PZ", "sp": 4, "how": "ordered"}]
    assert game.seen("allied", "arrived") == [{"side": "axis", "alias": "G2", "place": "0210"}]


@pytest.mark.rule("holdfast", "reinf.3")
def test_allied_units_enter_at_alexandria():
    game = position("21PZ@0310 7ARM@off4 22GDS@3508", side="allied", step="build", turn=4)
    game.allied(one("ENTER", "7ARM"))
    assert game.at("7ARM") == "3907"


@pytest.mark.rule("holdfast", "reinf.1")
@pytest.mark.parametrize(("turn", "code"), [(2, "not-due"), (3, None), (5, None)])
def test_a_unit_enters_from_its_month_on(turn, code):
    game = position(f"21PZ@0310 15PZ@off3 {FAR}", step="build", turn=turn)
    game.axis(one("ENTER", "15PZ"))
    assert game.codes() == ([code] if code else [])


@pytest.mark.rule("holdfast", "reinf.9")
def test_an_arrival_may_be_held_back_and_only_its_owner_is_told():
    game = position(f"21PZ@0310 15PZ@off3 {FAR}", step="build", turn=3)
    game.axis(one("DELAY", "15PZ"))
    assert game.seen("allied", "delayed") == []
    game.axis(one("DELAY", "15PZ"))
    assert game.codes() == ["delayed-already"]
    game.axis(DONE, DONE)
    assert game.at("15PZ") == "edge:off"
    assert game.view("allied")["own"]["held"] == {"axis": 1, "allied": 0}
    game.allied(DONE, DONE, dice=[1, 1])
    game.axis(one("ENTER", "15PZ"))
    assert game.at("15PZ") == "0210"


@pytest.mark.rule("holdfast", "reinf.9", "reinf.8")
def test_due_units_of_which_nothing_is_said_enter_if_the_rp_to_clear_the_hex_are_left():
    three = "TRIESTE@off9 FASCISTS@off9 SABRATHA@off9"
    game = position(f"21PZ@0310 {three} {FAR}", step="build", turn=9, rp=(2, 10))
    game.axis(DONE)
    assert [e.data["how"] for e in game.events("arrived")] == ["default"] * 3  # two must leave: 2 RP
    poor = position(f"21PZ@0310 {three} {FAR}", step="build", turn=9, rp=(1, 10))
    poor.axis(DONE)
    assert len(poor.events("arrived")) == 2
    none = position(f"21PZ@0210 {three} {FAR}", step="build", turn=9, rp=(0, 10))
    none.axis(DONE)
    assert none.events("arrived") == []


@pytest.mark.rule("holdfast", "reinf.2", "reinf.9")
def test_an_entry_city_with_an_enemy_in_it_takes_nobody_and_nobody_is_lost():
    game = position("21PZ@0310 15PZ@off3 SAVENA@pool 4IND@0210", step="build", turn=3)
    for order_ in (one("ENTER", "15PZ"), one("REBUILD", "SAVENA")):
        game.axis(order_)
        assert game.codes() == ["entry-occupied"]
    assert game.rp() == 12
    game.axis(DONE)
    assert game.at("15PZ") == "edge:off"


@pytest.mark.rule("holdfast", "control.2")
def test_an_empty_entry_city_under_enemy_control_is_taken_by_who_enters():
    game = position(f"21PZ@0310 15PZ@off3 {FAR}", step="build", turn=3, cities="")
    game.axis(one("ENTER", "15PZ"))
    assert game.data("control_changed") == {"hex": "0210", "name": "El Agheila", "side": "axis"}


@pytest.mark.rule("holdfast", "arrivals.4", "arrivals.11")
def test_air_units_and_leaders_come_of_themselves_after_malta():
    july = position("21PZ@0310 22GDS@3508", turn=5)
    july.axis(DONE)
    assert july.events("support_arrived") == []
    august = position("21PZ@0310 22GDS@3508", turn=6)
    august.axis(DONE)
    assert august.data("support_arrived") == {"side": "allied", "air": ["L1"], "leaders": []}
    june = position("21PZ@0310 22GDS@3508 4IND@0510", turn=16, side="axis", step="action")
    june.axis(order("DONE", confirm=True))
    assert june.data("support_arrived") == {"side": "allied", "air": ["L2"], "leaders": ["MONTY"]}
    assert june.state.own["leader"]["allied"] == {"MONTY": {"move": False, "attack": False}}


@pytest.mark.rule("holdfast", "reinf.10", "cost.4", "cost.2", "cost.1", "repl.7")
def test_the_example_of_replacements_leaves_five_rp():
    units = "15PZ@pool PAVIA:2@0310 TRENTA:2@0409 BRESCIA:2@0509 SAVENA:2@0508"
    game = position(f"{units} {FAR}", step="build")
    game.axis(one("REBUILD", "15PZ"))
    assert (game.at("15PZ"), game.sp("15PZ"), game.rp()) == ("0210", 1, 9)
    game.axis(step("15PZ"))
    assert (game.sp("15PZ"), game.rp()) == (2, 7)
    game.axis(step("PAVIA"), step("TRENTA"))
    assert (game.sp("PAVIA"), game.sp("TRENTA"), game.rp()) == (3, 3, 5)


@pytest.mark.rule("holdfast", "repl.1", "repl.2", "cost.3", "cost.4", "repl.3")
@pytest.mark.parametrize(("unit", "price"), [("SAVENA", 2), ("15PZ", 3), ("ARIETE", 3)])
def test_an_eliminated_unit_comes_back_with_one_step_where_arrivals_do(unit, price):
    game = position(f"21PZ@0310 {unit}@pool {FAR}", step="build")
    game.axis(one("REBUILD", unit))
    assert (game.at(unit), game.sp(unit), game.rp()) == ("0210", 1, 12 - price)
    assert game.seen("allied", "rebuilt") == [{"side": "axis", "unit": unit, "alias": "G2", "place": "0210"}]
    assert next(c["num"] for c in game.view("allied")["counters"] if c["alias"] == "G2") == {"sp": 1}  # the pool is open
    few = position(f"21PZ@0310 {unit}@pool {FAR}", step="build", rp=(price - 1, 10))
    few.axis(one("REBUILD", unit))
    assert few.refusal() == ("too-few-rp", "repl.2")


@pytest.mark.rule("holdfast", "repl.6", "repl.9", "repl.5")
def test_steps_cost_by_type_and_stop_at_full_strength():
    game = position(f"21PZ:1@0310 PAVIA:1@0409 {FAR}", step="build")
    game.axis(step("21PZ", 3), step("PAVIA", 3))
    assert (game.sp("21PZ"), game.sp("PAVIA"), game.rp()) == (4, 4, 12 - 6 - 3)
    assert [e.data for e in game.events("stepped")] == [{"unit": "21PZ", "k": 3, "sp": 4}, {"unit": "PAVIA", "k": 3, "sp": 4}]
    game.axis(step("PAVIA"))
    assert game.refusal() == ("above-full-strength", "repl.5")
    over = position(f"PAVIA:3@0409 {FAR}", step="build")
    over.axis(step("PAVIA", 2))
    assert over.codes() == ["above-full-strength"]


@pytest.mark.rule("holdfast", "repl.8", "repl.7")
def test_next_to_an_enemy_one_step_a_turn_even_over_an_escarpment():
    game = position("PAVIA:1@1009 4IND@1109 22GDS@3508", step="build")
    game.axis(step("PAVIA", 2))
    assert game.refusal() == ("next-to-enemy", "repl.8")
    game.axis(step("PAVIA"))
    game.axis(step("PAVIA"))
    assert game.refusal() == ("next-to-enemy", "repl.8")
    scarp = position("90INF:1@1804 7ARM@1803 22GDS@3508", step="build")
    scarp.axis(step("90INF", 2))
    assert scarp.codes() == ["next-to-enemy"]
    rebuilt = position("PAVIA@0310 SAVENA@pool 4IND@0211", step="build")
    rebuilt.axis(one("REBUILD", "SAVENA"), step("SAVENA"))
    assert rebuilt.sp("SAVENA") == 2
    rebuilt.axis(step("SAVENA"))
    assert rebuilt.codes() == ["next-to-enemy"]


@pytest.mark.rule("holdfast", "repl.4")
def test_steps_are_for_units_in_supply_on_the_map():
    game = position(f"PAVIA:1@1712 SAVENA@pool {FAR}", step="build")
    game.axis(step("PAVIA"))
    assert game.refusal() == ("out-of-supply", "repl.4")
    game.axis(step("SAVENA"))
    assert game.refusal() == ("not-on-map", "repl.4")


@pytest.mark.rule("holdfast", "repl.10", "malta.8", "rp.6")
def test_nobody_buys_beyond_his_rp():
    game = position(f"21PZ:1@0310 {FAR}", step="build", rp=(3, 10))
    game.axis(step("21PZ", 2))
    assert game.refusal() == ("too-few-rp", "repl.6")
    game.axis(step("21PZ", 1))
    assert (game.rp(), game.sp("21PZ")) == (1, 2)


@pytest.mark.rule("holdfast", "seq.6", "seq.7")
def test_the_first_move_or_attack_closes_the_build_step():
    game = position(f"21PZ:1@0310 PAVIA:2@0409 {FAR}", step="build")
    game.axis(step("21PZ"), move("PAVIA", "0509"))
    assert game.place == "1 axis action"
    game.axis(step("21PZ"))
    assert game.codes() == ["not-in-this-step"]


@pytest.mark.rule("holdfast", "reinf.6", "reinf.7", "reinf.8")
def test_the_entry_hex_may_be_overfull_and_the_turn_does_not_end_while_units_can_leave_it():
    game = position(f"21PZ@0210 PAVIA@0210 TRENTA@0210 {FAR}", rp=(2, 10))
    game.axis(DONE)
    assert game.refusal() == ("entry-overfull", "reinf.7")
    assert game.last.rejections[0].details["units"] == ["21PZ", "PAVIA", "TRENTA"]
    game.axis(move("PAVIA", "0310"), move("TRENTA", "0310 0409"))
    assert game.place == "1 allied build"  # each left for 1 RP, and 0 are left
    assert game.at("21PZ") == "0210"


@pytest.mark.rule("holdfast", "reinf.7", "reinf.8")
@pytest.mark.parametrize("turn", [False, True])
def test_done_auto_moves_the_surplus_out_for_rp_and_only_what_is_left_goes_back_off_board(turn):
    game = position(f"21PZ@0210 PAVIA@0210 TRENTA@0210 SAVENA@0210 {FAR}", rp=(2, 10), tempo="blitz")
    game.axis(order("DONE", turn=turn, auto=True))
    # The last come leave first, each for the cheapest hex: by road for half an MP, then a whole one.
    assert [(e.data["units"], e.data["path"]) for e in game.events("moved")] == [
        (["SAVENA"], ["0210", "0310"]),
        (["TRENTA"], ["0210", "0110"]),
    ]
    assert (game.at("21PZ"), game.at("PAVIA"), game.rp()) == ("0210", "edge:off", 0)
    rich = position(f"21PZ@0210 PAVIA@0210 BRESCIA@0409 {FAR}", rp=(9, 10))
    rich.axis(DONE, standing=[order("DUTY", auto=True)])
    assert (rich.at("21PZ"), rich.at("PAVIA"), rich.rp(), rich.place) == ("0210", "0310", 8, "1 allied build")


@pytest.mark.rule("holdfast", "reinf.7", "terrain.19")
def test_a_turn_ends_with_one_unit_in_the_entry_hex_or_with_units_that_no_way_leads_out_of():
    alone = position(f"21PZ@0210 PAVIA@0310 {FAR}", rp=(9, 10))
    alone.axis(DONE)
    assert alone.place == "1 allied build"
    # Enemies stand on every side that is no escarpment.
    shut = position("21PZ@0210 ARIETE@0210 4IND@0310 9AUS@0311 7AUS@0110", rp=(9, 10))
    shut.axis(DONE)
    assert (shut.last.status, shut.place) == ("done", "1 axis surplus")
    infantry = position("21PZ@0210 PAVIA@0210 4IND@0310 9AUS@0311 7AUS@0110", rp=(9, 10))
    infantry.axis(DONE)
    assert infantry.refusal() == ("entry-overfull", "reinf.7")
    assert infantry.last.rejections[0].details["units"] == ["PAVIA"]


@pytest.mark.rule("holdfast", "reinf.7", "reinf.9")
def test_units_that_cannot_leave_the_entry_hex_go_back_off_board_with_their_strength():
    game = position(f"BRESCIA@0310 21PZ@0210 PAVIA:2@0210 TRENTA@0210 {FAR}", rp=(1, 10))
    game.axis(move("BRESCIA", "0409"))
    (decision,) = game.state.pending
    assert (decision.verb, decision.default) == ("KEEP", {"unit": "21PZ"})
    game.axis(one("KEEP", "TRENTA"))
    assert (game.at("TRENTA"), game.at("PAVIA"), game.at("21PZ")) == ("0210", "edge:off", "edge:off")
    assert game.sp("PAVIA") == 2
    assert game.view("allied")["own"]["held"]["axis"] == 2
    assert game.seen("allied", "returned_off") == [{"side": "axis", "place": "0210", "alias": a} for a in ("G2", "G3")]
    assert next(c for c in game.view("allied")["counters"] if c["place"] == "0210")["alias"] == "G4"
    game.allied(DONE, DONE, dice=[1, 1])
    game.axis(one("ENTER", "PAVIA"))
    assert (game.at("PAVIA"), game.sp("PAVIA")) == ("0210", 2)
    assert game.seen("allied", "arrived")[0]["alias"] == "G5"


@pytest.mark.rule("holdfast", "reinf.7")
def test_by_option_the_surplus_is_eliminated():
    game = position(f"BRESCIA@0310 21PZ@0210 PAVIA:2@0210 {FAR}", rp=(1, 10), surplus="eliminate", tempo="blitz")
    game.axis(move("BRESCIA", "0409"))
    assert (game.at("PAVIA"), game.sp("PAVIA")) == ("box:pool-axis", 0)


@pytest.mark.rule("holdfast", "11g")
def test_all_units_of_an_overfull_entry_hex_may_attack():
    game = position("21PZ@0210 PAVIA@0210 4IND@0310")
    game.axis(attack("0310", "21PZ PAVIA"), dice=[1] * 11)
    assert game.data("battle")["attack_dice"] == 8


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (one("ENTER", "21PZ"), "not-waiting"),
        (one("ENTER", "164INF"), "not-waiting"),
        (one("REBUILD", "21PZ"), "not-eliminated"),
        (one("REBUILD", "164INF"), "not-eliminated"),
        (step("21PZ", 0), "malformed"),
        (step("21PZ", "1"), "malformed"),
        (one("DELAY", "4IND"), "not-yours"),
    ],
)
def test_bad_build_orders_get_their_own_code(bad, code):
    game = position(f"21PZ:1@0310 {FAR}", step="build")
    before = game.state
    game.axis(bad)
    assert game.codes() == [code]
    assert game.state is before


@pytest.mark.rule("holdfast", "reinf.8")
@pytest.mark.parametrize(("rp", "warned"), [(2, True), (3, False)])
def test_the_owner_alone_is_warned_when_rp_no_longer_clear_the_entry_hex(rp, warned):
    game = position(f"21PZ@0210 ARIETE@0210 PAVIA:2@0210 {FAR}", step="build", rp=(rp, 10))
    game.axis(step("PAVIA"))  # two more than may stay; one RP of two is left, or two of three
    told = [{"hex": "0210", "surplus": 2, "rp": 1}] if warned else []
    assert game.seen("axis", "entry_warning") == told
    assert game.seen("allied", "entry_warning") == []
