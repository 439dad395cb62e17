"""Who must attack what, and what may be declared (combat.2 to combat.6, zoc.3 to zoc.6, boxes.5 to boxes.7; FT-07, FT-18, FT-19).

Round 0808, clockwise: 0807 0908 0909 0809 0709 0708; round 0807: 0806 0907 0908 0808 0708 0707."""

import pytest

from services.rules.games.fall_of_tobruk import compulsory, duty
from tests.rules.fall_of_tobruk.fighting import fighting, fought, results, strengths
from tests.rules.fall_of_tobruk.positions import AUTO, DONE, Game, attack, move, on, one, order, position, stand


def refused(game: Game) -> tuple[str, str]:
    """What forbids the attacks to close."""
    return game.refusal()


def details(game: Game):
    (rejection,) = game.last.rejections
    return {name: rejection.details.get(name) for name in ("units", "hexes")}


# -- the duty --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "combat.3")
def test_every_unit_beside_an_enemy_must_attack():
    game = fighting("115-I@0807 104-I@0708 5EY@0808")
    game.axis(attack("0808", "115-I"), DONE)
    assert (refused(game), details(game)) == (("must-take-part", "combat.3"), {"units": ["104-I"], "hexes": ["0808"]})
    game.axis(attack("0808", "115-I 104-I"), DONE, dice=[2, 6])
    assert (results(game), strengths(game)) == ([("0808", "2:1", "CON")], (10, 5, "2:1"))


@pytest.mark.rule("fall-of-tobruk", "combat.2")
def test_every_enemy_beside_them_must_be_attacked():
    game = fighting("115-I@0807 104-I@0807 5EY@0808 6GH@0806")
    game.axis(attack("0808", "115-I 104-I"), DONE)
    assert (refused(game), details(game)) == (("must-attack", "combat.2"), {"units": ["104-I", "115-I"], "hexes": ["0806"]})


def test_who_does_not_take_part_in_the_pass_may_wait_and_owes_nothing_in_it():
    game = fighting("115-I@0807 104-I@0708 5EY@0808", idle="104-I")
    game.axis(attack("0808", "115-I 104-I"))
    assert refused(game) == ("not-active", "combat.1")
    game.axis(attack("0808", "115-I"), DONE, dice=[1, 6])
    assert (results(game), game.place) == ([("0808", "1:1", "CON")], "5 axis movement 2")


@pytest.mark.rule("fall-of-tobruk", "combat.1", "seq.7", "seq.8")
def test_who_has_attacked_is_finished():
    game = fighting("115-I@0807 104-I@0708 5EY@0808", idle="104-I")
    game.axis(attack("0808", "115-I"), DONE, dice=[1, 6])
    assert ("done" in game.marks("115-I"), game.marks("104-I")) == (True, set())
    game.axis(stand("115-I"))
    assert refused(game) == ("finished", "seq.8")
    game = fighting("115-I@0807 5EY@0808", marks={"done": "115-I"})
    assert game.state.path[-2] == ("step", "declaration")
    game.axis(attack("0808", "115-I"))
    assert refused(game) == ("finished", "seq.8")


@pytest.mark.rule("fall-of-tobruk", "seq.8")
def test_who_has_shot_is_finished_as_the_pass_ends():
    game = fighting("88-1@0807 104-I@0708 5EY@0808", idle="104-I 88-1", marks={"fired": "88-1"})
    game.axis(DONE)
    assert game.marks("88-1") == {"done"}


@pytest.mark.rule("fall-of-tobruk", "zoc.3", "zoc.6")
def test_who_has_moved_beside_an_enemy_must_attack_in_that_pass():
    game = position("115-I@0805 5EY@0808", tempo="blitz")
    game.axis(move("115-I", "0806 0807"), order("DONE"), order("DONE"))
    assert refused(game) == ("must-attack", "combat.2")
    game = position("115-I@0807 5EY@0808 6GH@1008", tempo="blitz")  # from a zone into two: 0908 is next to both
    game.axis(move("115-I", "0908"), DONE, attack("0808", "115-I"), DONE)
    assert (refused(game), details(game)["hexes"]) == (("must-attack", "combat.2"), ["1008"])


def test_a_line_of_a_later_pass_finds_who_stood_by():
    game = position("115-I@0807 104-I@0708 5EY@0808", tempo="blitz")
    game.axis(stand("115-I"), attack("0808", "115-I"), stand("104-I"), attack("0808", "104-I"), order("DONE", turn=True), dice=[1, 6, 1, 6])
    assert (game.codes(), [odds for _, odds, _ in results(game)]) == ([], ["1:1", "1:1"])


@pytest.mark.parametrize(
    ("units", "more"),
    [
        ("5EY@0808", {"marks": {"disrupted": "5EY"}}),
        ("5EY@0808", {"cliffs": "0807/0808"}),
        ("5EY@0808", {"cliffs": "0808/0807"}),
        ("5EY@0808", {"turn": 1}),
        ("5EY@0808", {"mines": "0807/0808"}),
    ],
)
def test_adjacency_alone_makes_the_duty(units, more):  # FT-18
    game = fighting(f"115-I@0807 {units}", **more)
    game.axis(DONE)
    assert refused(game) == ("must-attack", "combat.2")


@pytest.mark.rule("fall-of-tobruk", "boxes.5")
def test_occupants_of_a_box_need_not_attack_outside_and_may():
    game = fighting("115-I@0807 5EY@0808", boxes="0807")
    game.axis(DONE)
    assert (game.codes(), game.events("declared")) == ([], [])
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=3, boxes="0807")
    assert strengths(game) == ("5/2", 5, "1:2")


@pytest.mark.rule("fall-of-tobruk", "boxes.6")
def test_occupants_of_a_box_must_attack_enemies_in_the_same_box():
    game = fighting("115-I@0807 5EY@0808 6GH@0806", boxes="0807+0808")
    game.axis(DONE)
    assert (refused(game), details(game)) == (("must-attack", "combat.2"), {"units": ["115-I"], "hexes": ["0808"]})


@pytest.mark.rule("fall-of-tobruk", "boxes.7")
def test_who_stands_outside_must_attack_occupants_of_a_box():
    game = fighting("115-I@0807 5EY@0808", boxes="0808")
    game.axis(DONE)
    assert (refused(game), details(game)["hexes"]) == (("must-attack", "combat.2"), ["0808"])


# -- what may be declared --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "artillery.13")
def test_artillery_neither_attacks_nor_must():
    game = fighting("33ART-1@0807 5EY@0808")
    game.axis(attack("0808", "33ART-1"))
    assert refused(game) == ("artillery-attacks", "artillery.13")
    game.axis(DONE)
    assert game.codes() == []
    game = fought("88-1@0807 605@0708 KDG@0808", attack("0808", "88-1 605"), roll=7)  # 2 and 2 to 3: these have no range
    assert strengths(game) == (4, 3, "1:1")


@pytest.mark.rule("fall-of-tobruk", "combat.5")
def test_a_unit_attacks_with_all_it_has_and_once():
    game = fighting("115-I@0807 104-I@0807 5EY@0808 6GH@0806")
    game.axis(attack("0808", "115-I"), attack("0806", "104-I 115-I"))
    assert refused(game) == ("attacks-elsewhere", "combat.5")


@pytest.mark.rule("fall-of-tobruk", "combat.6")
def test_units_of_a_hex_may_attack_different_enemies():
    game = fighting("115-I@0807 104-I@0807 5EY@0808 6GH@0806")
    game.axis(attack("0808", "115-I"), attack("0806", "104-I"), DONE, dice=[1, 6, 1, 6])
    assert results(game) == [("0808", "1:1", "CON"), ("0806", "1:1", "CON")]


@pytest.mark.rule("fall-of-tobruk", "combat.4")
def test_a_hex_is_attacked_once():
    game = fighting("115-I@0807 104-I@0708 5EY@0808 6GH@0707")
    game.axis(attack("0808", "115-I"), attack("0707 0808", "104-I"))
    assert refused(game) == ("attacked-already", "combat.4")


def test_a_later_line_for_a_hex_takes_the_place_of_the_older():
    game = fighting("115-I@0807 104-I@0708 5EY@0808")
    game.axis(attack("0808", "115-I"), attack("0808", "115-I 104-I"), DONE, dice=[2, 6])
    assert strengths(game) == (10, 5, "2:1")


def test_several_hexes_are_attacked_at_once_by_units_of_which_one_is_next_to_all():  # FT-19
    units = "115-I@0807 104-I@0708 5EY@0808 6GH@0908"
    game = fighting(units)
    game.axis(attack("0808 0908", "104-I"))
    assert refused(game) == ("nobody-next-to-all", "combat.5")
    game.axis(attack("0808 0908", "115-I 104-I"), DONE, dice=[1, 6])
    assert (results(game), strengths(game)) == ([("0808", "1:1", "CON")], (10, 10, "1:1"))


@pytest.mark.rule("fall-of-tobruk", "combat.2")
@pytest.mark.parametrize(
    ("line", "code", "clause"),
    [
        (attack("0809", "115-I"), "no-enemy-there", "combat.2"),
        (attack("0808", "104-I"), "not-adjacent", "combat.2"),
        (attack("0808", "115-II"), "not-on-map", "combat.1"),
        (attack("0808", ""), "malformed", "combat.2"),
        (attack("", "115-I"), "malformed", "combat.2"),
        (attack("0808 0808", "115-I"), "malformed", "combat.2"),
        (attack("0808", "115-I 115-I"), "malformed", "combat.2"),
    ],
)
def test_faulty_attacks_are_refused(line, code, clause):
    game = fighting("115-I@0807 104-I@0404 115-II@refit 5EY@0808")
    game.axis(line)
    assert game.refusal() == (code, clause)


@pytest.mark.rule("fall-of-tobruk", "combat.5")
def test_labels_are_not_used_twice():
    game = fighting("115-I@0807 104-I@0807 5EY@0808 6GH@0806")
    game.axis(attack("0808", "115-I", label="A"), attack("0806", "104-I", label="A"))
    assert refused(game) == ("label-taken", "combat.5")
    game.axis(attack("0808", "115-I", label="0806"), attack("0806", "104-I"))
    assert refused(game) == ("label-taken", "combat.5")


# -- hexes emptied by antitank fire ----------------------------------------------------------------------------------------------


def shot_empty(*lines, **more):
    """A pass in which 88-1 shoots the only unit in 0808: 12 to 4 on 3:1, hit on a 1."""
    game = position("88-1@0807 115-I@0708 2RGH-1@0808", tempo="blitz", **more)
    shot = order("FIRE", units=["88-1"], targets=["2RGH-1"], hex="0808")
    nothing = order("FIRE", units=[], targets=[], policy="NO")
    game.allied(standing=[on("FIRST-FIRE", nothing), on("ANTITANK", nothing)])
    game.axis(stand("88-1 115-I"), DONE, shot, DONE, *lines, order("DONE", turn=True), dice=[1])
    return game


@pytest.mark.rule("fall-of-tobruk", "advance.6")
def test_a_hex_emptied_by_antitank_fire_may_be_occupied():  # FT-14
    game = shot_empty(order("OCCUPY", hex="0808", units=["115-I"]))
    assert game.codes() == []
    assert (game.at("115-I"), game.at("2RGH-1"), game.data("finished")["units"]) == ("0808", "box:wreck", ["88-1"])
    assert (game.data("occupied")["units"], [e.kind for e in game.events("battle")]) == (["115-I"], [])


@pytest.mark.rule("fall-of-tobruk", "seq.8", "artillery.13", "boxes.5")
def test_who_would_have_attacked_an_emptied_hex_is_finished_though_it_stays():  # FT-14
    game = shot_empty()
    assert (game.data("finished")["units"], game.at("115-I")) == (["115-I", "88-1"], "0708")
    nothing = order("FIRE", units=[], targets=[], policy="NO")
    shot = order("FIRE", units=["88-1"], targets=["2RGH-1"], hex="0808")
    field = "88-1@0807 104-I@0708 33ART-1@0709 361-I@0908 132ENG@0114 2RGH-1@0808"
    game = position(field, tempo="blitz", boxes="0708")
    game.allied(standing=[on("FIRST-FIRE", nothing), on("ANTITANK", nothing)])
    game.axis(stand("88-1 104-I 33ART-1 361-I"), DONE, shot, DONE, DONE, dice=[1])
    # the gun never attacks, and out of its Box 104-I need not have
    assert (game.data("finished")["units"], game.place) == (["361-I", "88-1"], "5 axis movement 2")
    game.axis(move("361-I", "1008"))
    assert game.refusal() == ("finished", "seq.8")


@pytest.mark.rule("fall-of-tobruk", "advance.6", "combat.5")
def test_who_occupies_a_hex_is_finished_and_attacks_nobody():
    game = position("88-1@0807 115-I@0708 2RGH-1@0808 5EY@0607", tempo="blitz")
    nothing = order("FIRE", units=[], targets=[], policy="NO")
    game.allied(standing=[on("FIRST-FIRE", nothing), on("ANTITANK", nothing)])
    shot = order("FIRE", units=["88-1"], targets=["2RGH-1"], hex="0808")
    game.axis(stand("88-1 115-I"), DONE, shot, DONE, dice=[1])
    assert game.place == "5 axis declaration 1"
    into = order("OCCUPY", hex="0808", units=["115-I"])
    game.axis(attack("0607", "115-I"), into)
    assert game.refusal() == ("attacks-elsewhere", "combat.5")
    game.axis(into, attack("0607", "115-I"))
    assert game.refusal() == ("occupies", "combat.5")
    game.axis(order("OCCUPY", hex="0709", units=["115-I"]))
    assert game.refusal() == ("not-emptied", "advance.6")
    game.axis(order("OCCUPY", hex="0808", units=["115-II"]))
    assert game.refusal() == ("not-on-map", "advance.6")
    game.axis(order("OCCUPY", hex="0808", units=["115-I", "115-I"]))
    assert game.refusal() == ("malformed", "advance.6")


def test_a_hex_emptied_in_an_earlier_pass_is_not_occupied_any_more():
    game = shot_empty()
    assert game.codes() == []
    game = position("88-1@0807 115-I@0708 104-I@0709 2RGH-1@0808 5EY@0710", tempo="blitz")
    nothing = order("FIRE", units=[], targets=[], policy="NO")
    game.allied(standing=[on("FIRST-FIRE", nothing), on("ANTITANK", nothing)])
    shot = order("FIRE", units=["88-1"], targets=["2RGH-1"], hex="0808")
    game.axis(stand("88-1"), DONE, shot, DONE, DONE, stand("104-I"), DONE, order("OCCUPY", hex="0808", units=["104-I"]), dice=[1])
    assert game.codes() == ["not-emptied"]


# -- the umpire's attacks --------------------------------------------------------------------------------------------------------


def test_the_umpire_looks_for_a_sharing_of_the_hexes_only_so_long(monkeypatch):
    game = fighting("115@0807 5EY@0808 6GH@0806")
    for tries, found in ((3, 1), (2, 0)):  # one hex, the other, and that none is left
        monkeypatch.setattr(compulsory, "TRIES", tries)
        assert len(compulsory.missing(game.table, "axis")) == found


def test_the_umpire_attacks_where_somebody_must():
    game = fighting("115-I@0807 104-I@0708 8PZ-2@0807 5EY@0808 6GH@0806")
    game.axis(order("DONE", auto=True), dice=[1, 6, 1, 6])
    made = {tuple(e.data["hexes"]): sorted(e.data["units"]) for e in game.events("declared")}
    # 104-I is next to 0808 alone; 115-I takes 0806, and 8PZ-2 joins what is weaker: both stand at 1:1
    assert made == {("0806",): ["115-I", "8PZ-2"], ("0808",): ["104-I"]}


def test_the_umpire_attacks_several_hexes_with_one_unit_and_keeps_what_was_ordered():
    game = fighting("115@0807 5EY@0808 6GH@0806")
    game.axis(order("DONE", auto=True), dice=[1, 6])
    assert [sorted(e.data["hexes"]) for e in game.events("declared")] == [["0806", "0808"]]
    assert strengths(game) == (15, 10, "1:1")
    game = fighting("115-I@0807 104-I@0807 8PZ-2@0807 5EY@0808 6GH@0806")
    game.axis(attack("0808", "104-I 8PZ-2"), order("DONE", auto=True), dice=[1, 6, 1, 6])
    made = {tuple(e.data["hexes"]): sorted(e.data["units"]) for e in game.events("declared")}
    assert made == {("0808",): ["104-I", "8PZ-2"], ("0806",): ["115-I"]}


def test_the_umpire_drops_an_order_that_leaves_nobody_for_a_hex():
    game = fighting("115@0807 5EY@0808 6GH@0806")
    game.axis(attack("0808", "115"), order("DONE", auto=True), dice=[1, 6])
    assert [sorted(e.data["hexes"]) for e in game.events("declared")] == [["0806", "0808"]]


def test_done_turn_auto_has_who_owes_an_attack_attack():  # FT-07
    game = position("115-I@0807 5EY@0808", tempo="blitz")
    game.axis(AUTO, dice=[1, 6])
    assert (results(game), game.place) == ([("0808", "1:1", "CON")], "5 allied movement 1")


def test_attacks_that_have_a_hex_in_common_fall_together():
    game = fighting("115-I@0807 104-I@0807 5EY@0808 6GH@0806")
    table = game.table
    lines = (
        attack("0808", "115-I"),
        attack("0806", "104-I"),
        attack("0808 0806", "115-I"),
        one("OCCUPY", "x", hex="0505", units=["8PZ-2"]),
    )
    assert duty.groups(table, lines) == ((lines[0], lines[1], lines[2]), (lines[3],))
