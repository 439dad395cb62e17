"""11.2 Combat: who may attack, dice, hits, losses."""

import itertools

import pytest

from services.rules.games.holdfast import hits
from tests.rules.holdfast.positions import attack, move, on, order, position

# On clear ground: 1109 has the neighbours 1108 1208 1209 1110 1009 1008.
FIELD = "4IND@1109"


def dice_of(game):
    data = game.data("battle")
    return data["attack_dice"], data["defence_dice"]


def rolled(game, why):
    return next(e.data for e in game.events("rolled") if e.data["why"] == why)


@pytest.mark.rule("holdfast", "11l", "11.2n", "11.2m")
def test_the_example_of_two_infantry_against_a_two_step_german_armor():
    game = position("21PZ:2@1109 4IND:3@1009 22GDS:3@1008 7ARM@1110", side="allied")
    game.allied(attack("1109", "4IND 22GDS", lose="4IND 22GDS"), dice=[1, 2, 2, 5, 6, 6, 2, 2, 3, 5, 6])
    assert dice_of(game) == (6, 5)
    assert (game.sp("4IND"), game.sp("22GDS")) == (2, 2)
    assert game.at("21PZ") == "box:pool-axis"
    assert game.rp("allied") == 9


@pytest.mark.rule("holdfast", "11n", "11o", "11q")
def test_after_the_kill_only_a_unit_that_has_not_moved_may_go_in_and_one_left_out_may_attack():
    game = position("21PZ:1@1109 SAVENA@1209 4IND@1009 22GDS@1008 7ARM@1110", side="allied", moved="4IND 22GDS")
    game.allied(attack("1109", "4IND 22GDS"), dice=[6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    assert (game.at("4IND"), game.at("22GDS")) == ("1009", "1008")  # nobody advances
    game.allied(move("4IND", "1109"))
    assert game.refusal() == ("moved-already", "11a")
    game.allied(move("7ARM", "1109"), attack("1209", "7ARM"), dice=[1] * 7)
    assert game.at("7ARM") == "1109"
    assert game.data("battle")["attackers"][0]["unit"] == "7ARM"


@pytest.mark.rule("holdfast", "activ.1", "11j", "11k")
def test_attack_and_move_come_in_any_order_and_activations_interleave():
    # Enemy A = 4IND at 1109, enemy B = 22GDS with 1 SP at 1506.
    game = position("PAVIA@0909 TRENTA@0908 21PZ@1406 4IND@1109 22GDS:1@1506")
    game.axis(
        move("PAVIA", "1009"),
        move("TRENTA", "1008"),
        attack("1506", "21PZ"),
        attack("1109", "PAVIA TRENTA"),
        move("21PZ", "1506"),
        dice=[6, 5, 5, 5, 5, 1, 1, 1, *[1] * 6, *[1] * 3],
    )
    assert game.last.status == "done"
    assert game.at("22GDS") == "box:pool-allied"
    assert game.at("21PZ") == "1506"
    assert game.rp() == 12 - 5


@pytest.mark.rule("holdfast", "11b", "11a")
def test_a_unit_attacks_once_in_a_player_turn():
    game = position(f"PAVIA@1009 TRENTA@1110 {FIELD}")
    game.axis(attack("1109", "PAVIA"), dice=[1] * 6)
    game.axis(attack("1109", "PAVIA TRENTA"))
    assert game.refusal() == ("attacked-already", "11b")
    game.axis(attack("1109", "TRENTA"), dice=[1] * 6)  # another unit may attack the same hex
    assert game.rp() == 10


@pytest.mark.rule("holdfast", "11g", "11.2d", "cost.6", "11.2e", "11.2c")
def test_one_rp_pays_for_any_of_the_adjacent_units_against_one_hex():
    game = position(f"PAVIA@1009 TRENTA@1110 BRESCIA@1008 SAVENA@0909 {FIELD}")
    game.axis(attack("1109", "PAVIA TRENTA SAVENA"))
    assert game.refusal() == ("not-adjacent", "11.2e")
    game.axis(attack("1109", "PAVIA TRENTA"), dice=[1] * 9)
    assert game.rp() == 11
    assert [a["unit"] for a in game.data("battle")["attackers"]] == ["PAVIA", "TRENTA"]


@pytest.mark.rule("holdfast", "zoc.7", "14e", "terrain.19", "11h")
def test_armor_may_not_attack_over_an_escarpment_and_infantry_may_and_loses_a_die():
    game = position("21PZ@2407 90INF@2507 4IND@2406")
    game.axis(attack("2406", "21PZ"))
    assert game.refusal() == ("not-in-own-zoc", "zoc.7")
    up = position("90INF@2407 4IND@2406")
    up.axis(attack("2406", "90INF"), dice=[1] * 5)
    assert dice_of(up) == (2, 3)


@pytest.mark.rule("holdfast", "terrain.20", "14g", "zoc.3")
def test_a_pass_is_no_escarpment_to_an_attack():
    game = position("21PZ@1804 90INF@1705 4IND@1704", cities="1803")
    game.axis(attack("1704", "21PZ"), dice=[1] * (5 + 4))
    assert dice_of(game) == (5, 4)  # village: one die for the defender
    game.axis(attack("1704", "90INF"), dice=[1] * (2 + 4))
    assert dice_of(game) == (2, 4)


@pytest.mark.rule("holdfast", "terrain.4", "terrain.2", "terrain.13", "terrain.1")
def test_an_infantry_over_an_escarpment_into_rough_loses_two_dice():
    game = position("90INF@0602 4IND@0702")
    game.axis(attack("0702", "90INF"), dice=[1] * (1 + 3))
    assert dice_of(game) == (1, 3)
    assert rolled(game, "attack")["modifiers"] == [
        {"n": -1, "why": "rough", "clause": "terrain.13"},
        {"n": -1, "why": "escarpment", "clause": "terrain.20"},
    ]
    out_of_rough = position("90INF@0702 4IND@0602")  # the defender's terrain counts, not the attacker's
    out_of_rough.axis(attack("0602", "90INF"), dice=[1] * (2 + 3))
    assert dice_of(out_of_rough) == (2, 3)


@pytest.mark.rule("holdfast", "terrain.3", "12k")
def test_a_unit_without_dice_may_not_attack():
    # Out of supply too: 3 - 1 - 1 - 1 = 0. Allied units on both sides of the road cut it.
    game = position("90INF@0602 TRENTA@0701 4IND@0702 22GDS@0504", rp=(5, 5))
    game.axis(attack("0702", "90INF"))
    assert game.refusal() == ("no-dice", "terrain.3")
    game.axis(attack("0702", "90INF TRENTA"))
    assert game.refusal() == ("no-dice", "terrain.3")
    total = position("90INF@0602 4IND@0702 22GDS@0504", air={"X1": "free"}, attack_dice_reading="total")
    total.axis(attack("0702", "90INF", air="X1"))  # nor does an air unit fly alone
    assert total.refusal() == ("no-dice", "terrain.3")


@pytest.mark.rule("holdfast", "terrain.13", "11.2n")
def test_each_attacker_into_rough_loses_a_die_or_by_option_the_whole_attack_does():
    units = "PAVIA@1112 TRENTA@1012 4IND@1113"
    each = position(units)
    each.axis(attack("1113", "PAVIA TRENTA"), dice=[1] * (4 + 3))
    assert dice_of(each) == (4, 3)
    once = position(units, attack_dice_reading="total")
    once.axis(attack("1113", "PAVIA TRENTA"), dice=[1] * (5 + 3))
    assert dice_of(once) == (5, 3)


@pytest.mark.rule("holdfast", "terrain.15", "terrain.17", "11.2o", "terrain.10")
@pytest.mark.parametrize(
    ("at", "start", "dice"), [("0805", "0806", 5), ("1203", "1304", 5), ("2204", "2205", 7), ("1109", "1009", 4), ("0508", "0608", 4)]
)
def test_villages_and_cities_help_the_defender_and_roads_nobody(at, start, dice):
    game = position(f"PAVIA@{start} 2ARM@{at}")
    game.axis(attack(at, "PAVIA"), dice=[1] * (3 + dice))
    assert dice_of(game)[1] == dice
    given = {4: [], 5: [{"n": 1, "why": "village", "clause": "terrain.15"}], 7: [{"n": 3, "why": "fortified-city", "clause": "terrain.17"}]}
    assert rolled(game, "defence")["modifiers"] == given[dice]


@pytest.mark.rule("holdfast", "units.5", "units.6")
def test_dice_do_not_fall_with_strength():
    game = position("21PZ:1@1009 2ARM:1@1109")
    game.axis(attack("1109", "21PZ"), dice=[5] * 5 + [5] * 4)
    assert dice_of(game) == (5, 4)
    assert (game.sp("21PZ"), game.sp("2ARM")) == (1, 1)  # fives hurt neither


@pytest.mark.rule("holdfast", "11.2q", "11.2w", "11p", "units.2")
def test_both_sides_may_be_destroyed_at_once():
    game = position("PAVIA:1@1009 4IND:1@1109")
    game.axis(attack("1109", "PAVIA"), dice=[5, 1, 1, 4, 1, 1])
    assert (game.at("PAVIA"), game.at("4IND")) == ("box:pool-axis", "box:pool-allied")
    assert [e.data["unit"] for e in game.events("eliminated")] == ["PAVIA", "4IND"]
    assert {e.data["cause"] for e in game.events("eliminated")} == {"combat"}


@pytest.mark.rule("holdfast", "11.2p", "11.2v", "11.2x")
@pytest.mark.parametrize(
    ("defender", "thrown", "lost"), [("4IND", [4, 5, 6], 2), ("2ARM", [5, 5, 6], 1), ("4IND", [4, 4, 4], 0), ("4IND:1", [6, 6, 6], 1)]
)
def test_a_die_at_the_target_number_takes_a_step(defender, thrown, lost):
    game = position(f"PAVIA@1009 {defender}@1109")
    unit = defender.partition(":")[0]
    before = game.sp(unit)
    game.axis(attack("1109", "PAVIA"), dice=[*thrown, *[1] * (4 if unit == "2ARM" else 3)])
    assert before - game.sp(unit) == lost
    assert next(e.data for e in game.events("hits") if e.data["on"] == "defender")["units"][0]["hits"] == lost


@pytest.mark.rule("holdfast", "11.2r", "11.2s", "11.2t", "11.2x")
def test_sixes_go_to_armor_fives_to_italian_armor_then_to_infantry():
    game = position("21PZ@1009 ARIETE@1008 PAVIA@1110 2ARM@1109")
    # Defence 4 dice: 6 may hit 21PZ or Ariete (owner's choice), 5 must hit Ariete, 4 Pavia.
    game.axis(attack("1109", "21PZ ARIETE PAVIA", lose="21PZ"), dice=[1] * 11 + [6, 5, 4, 3])
    assert (game.sp("21PZ"), game.sp("ARIETE"), game.sp("PAVIA")) == (3, 3, 3)
    german = position("21PZ@1009 PAVIA@1110 2ARM@1109")
    german.axis(attack("1109", "21PZ PAVIA"), dice=[1] * 8 + [6, 5, 5, 1])
    assert (german.sp("21PZ"), german.sp("PAVIA")) == (3, 2)  # fives pass the German armor by


@pytest.mark.rule("holdfast", "11.2s")
@pytest.mark.parametrize(("reading", "infantry"), [("next", 3), ("lost", 4)])
def test_a_six_left_over_when_the_armor_is_gone(reading, infantry):
    game = position("21PZ:1@1009 90INF@1110 4IND@1109", six_surplus=reading)
    game.axis(attack("1109", "21PZ 90INF"), dice=[1] * 8 + [6, 6, 1])
    assert game.at("21PZ") == "box:pool-axis"
    assert game.sp("90INF") == infantry


@pytest.mark.rule("holdfast", "11.2u", "11.2l", "fog.2")
def test_the_owner_is_asked_where_the_dice_leave_a_choice_and_his_answer_counts():
    game = position(f"PAVIA:3@1009 TRENTA:2@1110 {FIELD}")
    game.axis(attack("1109", "PAVIA TRENTA"), dice=[1] * 6 + [5, 5, 1])
    (decision,) = game.state.pending
    assert (decision.kind, decision.window, decision.side, decision.label) == ("losses", "LOSSES", "axis", "1109")
    assert {c["id"] for c in game.view("allied")["counters"]} == {"PAVIA", "TRENTA", "4IND"}  # shown since the attack
    assert sorted(tuple(c["units"]) for c in decision.choices) == [("PAVIA", "PAVIA"), ("PAVIA", "TRENTA"), ("TRENTA", "TRENTA")]
    game.axis(order("LOSE", units=["TRENTA"]))
    assert (game.sp("PAVIA"), game.at("TRENTA")) == (3, "box:pool-axis")
    assert game.state.pending == ()


@pytest.mark.rule("holdfast", "11.2u", "11.2v")
def test_without_an_answer_the_strongest_units_take_the_hits_first():
    game = position(f"PAVIA:3@1009 TRENTA:2@1110 {FIELD}", tempo="blitz")
    game.axis(attack("1109", "PAVIA TRENTA"), dice=[1] * 6 + [5, 5, 6])
    assert (game.sp("PAVIA"), game.sp("TRENTA")) == (1, 1)  # 3-2, 2-2 (first in the attack), 1-2


@pytest.mark.rule("holdfast", "11.2u")
def test_standing_orders_spare_a_unit_while_another_can_take_the_hit():
    game = position(f"PAVIA:3@1009 TRENTA:1@1110 {FIELD}")
    spare = on("LOSSES", order("LOSE", units=[], spare=["PAVIA"]))
    game.axis(attack("1109", "PAVIA TRENTA"), dice=[1] * 6 + [5, 5, 1], standing=[spare])
    assert (game.sp("PAVIA"), game.at("TRENTA")) == (2, "box:pool-axis")
    other = on("LOSSES", order("LOSE", units=["BRESCIA"]))  # speaks of no unit of this battle: the default is taken
    asked = position(f"PAVIA:3@1009 TRENTA:1@1110 {FIELD}")
    asked.axis(attack("1109", "PAVIA TRENTA"), dice=[1] * 6 + [5, 5, 1], standing=[other])
    assert (asked.sp("PAVIA"), asked.sp("TRENTA")) == (1, 1)


def test_names_in_lose_take_one_hit_each_in_turn():
    a, b = hits.Target("A", False, 4, 4), hits.Target("B", False, 4, 2)
    assert hits.allotted([5, 5, 5], [a, b], ["B", "A"]) == ("B", "A", "B")
    assert hits.allotted([5, 5, 5], [a, b], ["B"]) == ("B", "B", "A")
    assert hits.allotted([5] * 9, [a, b]) == ("A", "A", "A", "B", "A", "B")
    assert hits.allotted([5, 5, 5], [a, b, hits.Target("C", False, 4, 4)], ["A", "B", "C"]) == ("A", "B", "C")


@pytest.mark.parametrize("six_lost", [False, True])
def test_choices_hold_every_way_the_losses_can_fall_and_each_once(six_lost):
    targets = [hits.Target("G", True, 6, 1), hits.Target("I", True, 5, 1), hits.Target("P", False, 4, 2)]
    for dice in itertools.product(range(3, 7), repeat=4):
        ways = hits.choices(dice, targets, six_lost)
        falls = [tuple(way.count(t.unit) for t in targets) for way in ways]
        assert sorted(set(falls)) == sorted(falls)
        brute = set()
        for wish in itertools.product("GIP", repeat=3):
            taken = hits.allotted(dice, targets, wish, (), six_lost)
            brute.add(tuple(taken.count(t.unit) for t in targets))
        assert brute == set(falls)


@pytest.mark.rule("holdfast", "11.2u")
def test_too_many_ways_to_list_are_left_to_a_rule_and_any_order_of_losses_answers():
    units = "PAVIA@1108 TRENTA@1208 BRESCIA@1209 SAVENA@1110 BOLOGNA@1009 SABRATHA@1008"
    game = position(f"{units} 2ARM@1109")
    names = [unit.partition("@")[0] for unit in units.split()]
    game.axis(attack("1109", " ".join(names)), dice=[1] * 18 + [6, 5, 4, 4])  # four hits over six units: 126 ways
    (decision,) = game.state.pending
    assert (decision.choices, decision.rule) == (None, {"name": "hits", "dice": [6, 5, 4, 4]})
    game.axis(order("LOSE", units=["SAVENA"]))
    assert game.at("SAVENA") == "box:pool-axis"
    assert {game.sp(unit) for unit in names if unit != "SAVENA"} == {4}


@pytest.mark.rule("holdfast", "air.1", "11.2f", "11.2h", "11.2i", "11.2k")
def test_an_air_unit_and_a_leader_add_two_dice_each_for_no_rp_whatever_the_terrain():
    game = position("90INF@0602 4IND@0702", air={"X1": "free"}, leaders="ROMMEL")
    game.axis(attack("0702", "90INF", air="X1", leader=True), dice=[1] * (1 + 2 + 2 + 3))
    assert dice_of(game) == (5, 3)
    assert game.rp() == 11
    assert game.data("battle")["air"] == "X1"
    assert game.data("battle")["leader"] == "ROMMEL"


@pytest.mark.rule("holdfast", "11.2g", "11.2j", "leader.2", "11.1w", "11.1y")
def test_an_air_unit_and_a_leader_serve_in_one_attack_a_turn():
    game = position("PAVIA@1009 TRENTA@1110 4IND@1109", air={"X1": "free"}, leaders="ROMMEL")
    game.axis(attack("1109", "PAVIA", air="X1", leader=True), dice=[1] * 10)
    assert dice_of(game)[0] == 3 + 2 + 2
    game.axis(attack("1109", "TRENTA", air="X1"))
    assert game.refusal() == ("air-used", "11.2j")
    game.axis(attack("1109", "TRENTA", leader=True))
    assert game.refusal() == ("no-leader", "leader.2")
    game.axis(move("TRENTA", "1210", leader=True))  # his help to a move is another use
    assert game.last.status == "done"


@pytest.mark.rule("holdfast", "air.2", "weather.8", "malta.5", "leader.1", "11.1x")
def test_air_units_fly_on_clear_turns_and_not_from_malta():
    poor = position(f"PAVIA@1009 {FIELD}", air={"X1": "free"}, weather="poor", leaders="ROMMEL")
    poor.axis(attack("1109", "PAVIA", air="X1"))
    assert poor.refusal() == ("no-air-in-poor-weather", "air.2")
    poor.axis(attack("1109", "PAVIA", leader=True), dice=[1] * 8)
    assert dice_of(poor)[0] == 5
    malta = position(f"PAVIA@1009 {FIELD}", air={"X1": "malta"})
    malta.axis(attack("1109", "PAVIA", air="X1"))
    assert malta.refusal() == ("air-at-malta", "malta.5")
    malta.axis(attack("1109", "PAVIA", air="L1"))
    assert malta.refusal() == ("no-such-air-unit", "11.2g")


@pytest.mark.rule("holdfast", "12k", "11i")
def test_an_attacker_out_of_supply_rolls_one_die_less_and_a_defender_none():
    game = position("90INF@1712 4IND@1812")
    game.axis(attack("1812", "90INF"), dice=[1] * (2 + 3))
    assert dice_of(game) == (2, 3)
    assert rolled(game, "attack")["modifiers"] == [{"n": -1, "why": "supply", "clause": "12k"}]


@pytest.mark.rule("holdfast", "11m", "11.2l", "fog.2")
def test_units_are_shown_only_when_the_attack_has_been_announced():
    game = position(f"PAVIA@1009 {FIELD}")
    before = game.view("axis")["counters"]
    assert next(c for c in before if c["side"] == "allied")["id"] is None
    game.axis(attack("1109", "PAVIA"), check=True)
    assert game.kinds() == ["rp_spent"]
    game.axis(attack("1109", "PAVIA"), dice=[5, 1, 1, 1, 1, 1])
    shown = next(c for c in game.view("axis")["counters"] if c["side"] == "allied")
    assert (shown["id"], shown["num"], shown["known"], shown["since"]) == ("4IND", {"sp": 3}, "seen", "1941-03")
    shown = next(c for c in game.view("allied")["counters"] if c["side"] == "axis")
    assert (shown["id"], shown["num"], shown["known"]) == ("PAVIA", {"sp": 4}, "seen")


@pytest.mark.rule("holdfast", "11.2a")
def test_nobody_has_to_attack():
    game = position(f"PAVIA@1009 {FIELD}")
    game.axis(order("DONE"))
    assert game.last.status == "done"
    assert game.place == "1 allied build"


@pytest.mark.rule("holdfast", "rp.6", "malta.8", "cost.6", "11.2d")
def test_an_attack_without_rp_is_refused_before_anything_is_shown():
    game = position(f"PAVIA@1009 TRENTA@1110 {FIELD}", rp=(1, 10))
    game.axis(move("TRENTA", "1210"), attack("1109", "PAVIA"))
    assert game.refusal() == ("too-few-rp", "11.2d")
    assert game.rp() == 1


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (attack("1209", "PAVIA"), "no-enemy-there"),
        (attack("9999", "PAVIA"), "cannot-enter"),
        (attack("1109", ""), "malformed"),
        (attack("1109", "PAVIA PAVIA"), "malformed"),
        (attack("1109", "4IND"), "not-yours"),
        (attack("1109", "15PZ"), "not-on-map"),
        (attack("1109", "PAVIA", lose="TRENTA"), "not-attacking"),
        (attack("1109", "PAVIA", leader=True), "no-leader"),
        (order("LOSE", units=["PAVIA"]), "nothing-to-answer"),
    ],
)
def test_bad_attacks_get_their_own_code(bad, code):
    game = position(f"PAVIA@1009 TRENTA@1509 15PZ@off3 {FIELD}")
    before = game.state
    game.axis(bad)
    assert game.codes() == [code]
    assert game.state is before


def test_a_battle_has_its_result_by_label_for_guards():
    game = position("PAVIA@1009 4IND:1@1109")
    game.axis(attack("1109", "PAVIA", label="A1"), dice=[6, 1, 1, 1, 1, 1])
    assert game.state.results == {"A1": "eliminated"}
    held = position(f"PAVIA@1009 {FIELD}")
    held.axis(attack("1109", "PAVIA"), dice=[1] * 6)
    assert held.state.results == {"1109": "held"}


@pytest.mark.rule("holdfast", "11.2p")
def test_a_battle_tells_from_which_number_on_each_sides_dice_may_hit():
    game = position("21PZ@1009 PAVIA@0909 4IND@1109 TRENTA@1110")
    game.axis(attack("1109", "21PZ TRENTA"), dice=[1] * 11)
    assert game.data("battle")["hit_on"] == {"attack": 5, "defence": 4}
