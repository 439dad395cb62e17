"""9.0 to 9.2 Movement. The plain about 2926 is clear and has no road; the road runs down 1720 1721 ... 1731, 1/2 MP a hex."""

import pytest

from tests.rules.beda_fomm.positions import DONE, Game, move, one, position


def italian(units: str, *lines, **more) -> Game:
    game = position(units, **more)
    game.italian(*lines)
    return game


def interdicted(where: str, factors: int, side: str = "british", gun: str = "C-4RHA") -> dict:
    return {"interdicted": {where: {"side": side, "factors": factors, "guns": [gun]}}}


@pytest.mark.rule("beda-fomm", "9.0a", "9.0g")
def test_any_units_move_in_any_order_or_none():
    units = "BAB-6-1@2924 BAB-6-2@2724 BAB-6-3@2824"
    game = italian(units, move("BAB-6-2", "2725"), move("BAB-6-1", "2925"))
    assert [game.at(f"BAB-6-{n}") for n in (1, 2, 3)] == ["2925", "2725", "2824"]
    game = italian(units + " 2RB-D@3310", DONE)
    assert (game.last.status, game.at("BAB-6-1")) == ("done", "2924")


@pytest.mark.rule("beda-fomm", "9.0b")
def test_a_unit_goes_as_far_as_its_allowance_pays_and_may_stop_short():
    assert italian("BAB-6-1@2924", move("BAB-6-1", "2925 2926 2927 2928")).data("moved")["cost"] == {"BAB-6-1": 4}
    game = italian("BAB-6-1@2924", move("BAB-6-1", "2925 2926 2927 2928 2929"))
    assert game.refusal() == ("too-far", "9.0b")
    assert game.last.rejections[0].details == {"unit": "BAB-6-1", "hex": "2929", "cost": 5, "allowance": 4, "goal": None}
    assert italian("BAB-6-1@2924", move("BAB-6-1", "2925")).at("BAB-6-1") == "2925"


@pytest.mark.rule("beda-fomm", "9.0b", "9.0e")
def test_a_unit_pays_for_each_hex_by_its_terrain_and_by_interdiction():
    # 1720 by the road 1/2, 1819 clear 2, the undulating 1919 3: 5 1/2 of 6 MP.
    game = italian("PIA-PARA@1619", move("PIA-PARA", "1720 1819 1919"))
    assert game.data("moved")["cost"] == {"PIA-PARA": "11/2"}
    # 2925 clear 1 and 2 for interdiction, 2926 clear 1.
    game = italian("BAB-6-1@2924 C-4RHA@2931", move("BAB-6-1", "2925 2926"), own=interdicted("2925", 2))
    assert game.data("moved")["cost"] == {"BAB-6-1": 4}


@pytest.mark.rule("beda-fomm", "9.0c")
def test_what_is_left_is_not_kept_for_later():
    game = position("BAB-6-1@2924 2RB-D@3310", side="italian", turn=7)  # dark: there is movement only
    game.italian(move("BAB-6-1", "2925"), DONE)  # 1 of 4 MP
    game.british(DONE)
    game.italian(move("BAB-6-1", "2926 2927 2928 2929 2930"))
    assert game.refusal() == ("too-far", "9.0b")
    game.italian(move("BAB-6-1", "2926 2927 2928 2929"))
    assert game.at("BAB-6-1") == "2929"


@pytest.mark.rule("beda-fomm", "9.0d")
def test_a_unit_of_a_stack_does_not_pay_for_another():
    # Motorcycles have 10 MP and a tank group 4: five hexes of clear ground are too far for the tanks.
    game = italian("BAB-MC@2924 BAB-6-1@2924", move("BAB-MC BAB-6-1", "2925 2926 2927 2928 2929"))
    assert game.refusal() == ("too-far", "9.0b")
    assert game.last.rejections[0].details["unit"] == "BAB-6-1"


@pytest.mark.rule("beda-fomm", "9.0f")
def test_a_path_has_no_gaps():
    for path in ("2926", "2925 2927"):
        game = italian("BAB-6-1@2924", move("BAB-6-1", path))
        assert game.refusal() == ("not-adjacent", "9.0f")


@pytest.mark.rule("beda-fomm", "9.0h")
def test_a_unit_goes_on_in_another_order_until_another_unit_sets_out():
    units = "BAB-6-1@2924 BAB-6-2@2724"
    game = italian(units, move("BAB-6-1", "2925"), move("BAB-6-1", "2926 2927"))
    assert (game.at("BAB-6-1"), game.state.counters["BAB-6-1"].num["spent"]) == ("2927", 3)
    game = italian(units, move("BAB-6-1", "2925"), move("BAB-6-2", "2725"), move("BAB-6-1", "2926"))
    assert game.refusal() == ("moved-already", "9.0h")
    game = italian(units, move("BAB-6-1", "2925"), move("BAB-6-1", "2926 2927 2928 2929"))  # 5 of 4 MP in all
    assert game.refusal() == ("too-far", "9.0b")


@pytest.mark.rule("beda-fomm", "9.11b", "9.11c")
def test_italian_units_pay_by_type_and_some_ground_is_closed_to_some():
    for unit, cost in (("BAB-6-1", 1), ("PIA-PARA", 2)):
        assert italian(f"{unit}@2924", move(unit, "2925")).data("moved")["cost"] == {unit: cost}
    for unit in ("COL-AT", "COL-ART", "COL-LAA", "CRU-HAA", "T-1"):  # weapons and transport share a column
        assert italian(f"{unit}@1724", move(unit, "1824")).refusal() == ("prohibited", "9.11a")
        assert italian(f"{unit}@1724", move(unit, "1725")).data("moved")["cost"] == {unit: "1/2"}


@pytest.mark.rule("beda-fomm", "9.12a", "9.12d")
def test_a_unit_outside_zones_always_goes_one_hex():
    # 3 MP and 9 more for interdiction on undulating ground, for a group that has 3 in all; a second hex is out of the question.
    units, fire = "BAB-61-1@1822 C-4RHA@3310", interdicted("1823", 9)
    game = italian(units, move("BAB-61-1", "1823"), own=fire)
    assert (game.at("BAB-61-1"), game.data("moved")["cost"]) == ("1823", {"BAB-61-1": 11})
    game = italian(units, move("BAB-61-1", "1823"), move("BAB-61-1", "1824"), own=fire)
    assert game.refusal() == ("too-far", "9.0b")
    game = italian(units, move("BAB-61-1", "1823 1824"), own=fire)
    assert game.refusal() == ("too-far", "9.0b")
    game = italian("BAB-61-1@1821 C-4RHA@3310", move("BAB-61-1", "1822"), move("BAB-61-1", "1823"), own=fire)  # not its only move
    assert game.refusal() == ("too-far", "9.0b")
    assert italian(units, move("BAB-61-1", to="1823"), own=fire).at("BAB-61-1") == "1823"


@pytest.mark.rule("beda-fomm", "9.12d")
def test_a_unit_that_drops_off_after_its_one_hex_has_it_too():
    units, fire = "BAB-61-1@2924 BAB-MC@2924 C-4RHA@3310", interdicted("2925", 5)
    game = italian(units, move("BAB-61-1 BAB-MC", "2925 2926", drop="BAB-61-1", drop_at="2925"), own=fire)
    assert (game.at("BAB-61-1"), game.at("BAB-MC")) == ("2925", "2926")  # 6 of 3 MP; 7 + 2 of 10
    game = italian(units, move("BAB-61-1 BAB-MC", "2925 2926"), own=fire)
    assert game.refusal() == ("too-far", "9.0b")


@pytest.mark.rule("beda-fomm", "10.44a", "9.12a")
def test_a_unit_in_a_zone_enters_an_interdicted_hex_as_its_only_move():
    # From 2925 in the zone of 2926 into 2924, 1 MP and 9 for interdiction, with 4 MP (BF-R08).
    units, fire = "BAB-6-1@2925 2RB-A@2926 C-4RHA@3310", interdicted("2924", 9)
    marked = {"in-zoc": "BAB-6-1"}
    assert italian(units, move("BAB-6-1", "2924"), own=fire, marks=marked).at("BAB-6-1") == "2924"
    game = italian(units, move("BAB-6-1", "2924"), own=fire, marks=marked, one_hex="outside-zoc")
    assert game.refusal() == ("too-far", "9.0b")


@pytest.mark.rule("beda-fomm", "9.12b")
def test_the_one_hex_does_not_open_closed_ground():
    assert italian("T-1@1724", move("T-1", "1824")).refusal() == ("prohibited", "9.11a")
    assert italian("BAB-6-1@1201", move("BAB-6-1", "0000")).refusal() == ("cannot-enter", "9.12b")


@pytest.mark.rule("beda-fomm", "9.12c")
def test_the_one_hex_does_not_open_zones():
    assert italian("T-1@1725 2RB-A@1727", move("T-1", "1726")).refusal() == ("never-into-zoc", "5.43b")
    assert italian("BAB-6-1@2925 2RB-A@2926", move("BAB-6-1", "2825")).refusal() == ("no-infiltration", "5.33a")


@pytest.mark.rule("beda-fomm", "9.21a")
def test_nobody_enters_an_enemy_hex_nor_is_led_through_one():
    game = italian("BAB-6-1@2924 2RB-A@2926", move("BAB-6-1", "2925 2926"))
    assert game.last.status == "refused"
    game = italian("BAB-MC@2723 2RB-A@2725", move("BAB-MC", to="2726"))  # round the zone of 2725, 2 MP a hex
    assert game.refusal()[0] == "too-far"


@pytest.mark.rule("beda-fomm", "9.23a")
def test_a_stack_that_moves_began_in_one_hex_and_takes_up_nobody():
    units = "BAB-6-1@2924 BAB-6-2@2925"
    game = italian(units, move("BAB-6-1 BAB-6-2", "2926"))
    assert game.refusal() == ("not-in-one-hex", "9.23a")
    game = italian(units, move("BAB-6-1", "2925"), move("BAB-6-1 BAB-6-2", "2926"))
    assert game.refusal() == ("not-begun-together", "9.23a")
    game = italian("BAB-6-1@2924 BAB-6-2@2924", move("BAB-6-1 BAB-6-2", "2925 2926"), move("BAB-6-1 BAB-6-2", "2927"))
    assert (game.at("BAB-6-1"), game.at("BAB-6-2")) == ("2927", "2927")


@pytest.mark.rule("beda-fomm", "9.23b")
def test_a_unit_that_drops_off_is_done():
    units = "BAB-6-1@2924 BAB-6-2@2924"
    dropping = move("BAB-6-1 BAB-6-2", "2925 2926 2927", drop="BAB-6-2", drop_at="2925")
    game = italian(units, dropping)
    assert (game.at("BAB-6-1"), game.at("BAB-6-2")) == ("2927", "2925")
    assert game.data("moved")["cost"] == {"BAB-6-1": 3, "BAB-6-2": 1}
    assert italian(units, dropping, move("BAB-6-2", "2924")).refusal() == ("moved-already", "9.0h")
    assert italian(units, dropping, move("BAB-6-1", "2928")).at("BAB-6-1") == "2928"
    game = italian(units, move("BAB-6-1 BAB-6-2", "2925"), move("BAB-6-1", "2926"), move("BAB-6-2", "2924"))
    assert game.refusal() == ("moved-already", "9.0h")


@pytest.mark.rule("beda-fomm", "9.23b")
@pytest.mark.parametrize(
    ("units", "drop", "at", "code"),
    [
        ("BAB-6-1 BAB-6-2", "BAB-6-3", "2925", "not-in-the-stack"),
        ("BAB-6-1 BAB-6-2", "BAB-6-2", "2927", "not-on-the-way"),  # its end
        ("BAB-6-1 BAB-6-2", "BAB-6-2", "2924", "not-on-the-way"),  # its start
        ("BAB-6-1 BAB-6-2", "BAB-6-2", "2825", "not-on-the-way"),
        ("BAB-6-1", "BAB-6-1", "2925", "nobody-goes-on"),
    ],
)
def test_a_drop_that_makes_no_sense_is_refused(units, drop, at, code):
    game = italian("BAB-6-1@2924 BAB-6-2@2924 BAB-6-3@2924", move(units, "2925 2926 2927", drop=drop, drop_at=at))
    assert game.refusal() == (code, "9.23b")


@pytest.mark.rule("beda-fomm", "9.11a")
def test_the_cheapest_way_is_found_by_road_and_past_what_stands_in_it():
    game = italian("PIA-PARA@1721", move("PIA-PARA", to="1826"))  # five road hexes 2 1/2, then clear 2
    assert game.data("moved")["path"] == ["1721", "1722", "1723", "1724", "1725", "1726", "1826"]
    assert game.data("moved")["cost"] == {"PIA-PARA": "9/2"}
    game = italian("T-1@1720 T-2@1723", move("T-1", to="1725"))
    assert game.refusal() == ("no-way", "6.13b")  # a battalion cannot pass another, and lorries leave the road nowhere
    assert game.last.rejections[0].details["because"] == {"code": "no-room", "details": {"units": ["T-1"], "hex": "1723"}}
    # By road to 1723 1 1/2, the undulating 1823 3, clear 1724 2 (across country, though a road lies in it).
    game = italian("BAB-MC@1720", move("BAB-MC", to="1724", via=["1823"]))
    assert game.data("moved")["path"] == ["1720", "1721", "1722", "1723", "1823", "1724"]
    assert game.data("moved")["cost"] == {"BAB-MC": "13/2"}


@pytest.mark.rule("beda-fomm", "9.11a")
def test_by_road_keeps_to_road_and_trail():
    # 2021 to 1720 by the trail 1922 1822 1722 (3 MP), then up the road 1721 1720 (1 MP); across country it is 1 MP a hex.
    game = italian("BAB-6-1@2021", move("BAB-6-1", to="1720", road=True))
    assert game.data("moved")["path"] == ["2021", "1922", "1822", "1722", "1721", "1720"]
    assert game.data("moved")["cost"] == {"BAB-6-1": 4}
    game = italian("BAB-6-1@2924", move("BAB-6-1", to="2926", road=True))
    assert game.refusal() == ("no-way", "9.0f")


def test_what_is_not_on_the_map_or_names_a_unit_twice_is_refused():
    assert italian("BAB-6-1@dead BAB-6-2@2924", move("BAB-6-1", "2925")).refusal() == ("not-on-map", "9.0a")
    assert italian("BAB-6-1@2924", move("BAB-6-1 BAB-6-1", "2925")).refusal() == ("named-twice", "9.23a")
    assert italian("BAB-6-1@2924", move("BAB-6-1", "2924")).refusal() == ("no-move", "9.0a")
    assert italian("BAB-6-1@2924", move("BAB-6-1", to="2924")).refusal() == ("no-move", "9.0a")
    assert italian("BAB-6-1@2924 2RB-A@3310", move("2RB-A", "3309")).refusal() == ("not-yours", "")
    assert italian("BAB-6-1@2924", one("EXIT", "BAB-6-1")).refusal() == ("not-at-the-exit", "4.0c")


@pytest.mark.rule("beda-fomm", "8.2c", "2.0j", "2.0k")
def test_who_entered_a_hex_is_marked_moved_and_nobody_else():
    game = italian("BAB-6-1@2924 BAB-6-2@2926 COL-AT@1724", move("BAB-6-1", "2925 2924"), move("COL-AT", "1725"))
    assert (game.marks("BAB-6-1"), game.marks("BAB-6-2"), game.marks("COL-AT")) == ({"moved", "done"}, set(), {"moved"})
    game = position("C-4RHA@2924 106RHA@2926", side="british")
    game.british(move("C-4RHA", "2925"))
    assert (game.marks("C-4RHA"), game.marks("106RHA")) == ({"moved"}, set())


@pytest.mark.rule("beda-fomm", "8.2d", "8.2k")
def test_interdiction_burdens_the_enemys_movement_and_comes_off_after_it():
    both = {
        "interdicted": {
            "2925": {"side": "british", "factors": 4, "guns": ["C-4RHA"]},
            "2825": {"side": "italian", "factors": 4, "guns": ["COL-ART"]},
        }
    }
    game = italian("BAB-6-1@2924 C-4RHA@3310 COL-ART@1301", move("BAB-6-1", "2824"), DONE, own=both)
    assert set(game.own("interdicted")) == {"2825"}  # the British one is off, the Italians' own lies
    assert game.data("marker_off") == {"hexes": ["2925"]}
    game = position("BAB-6-1@2924 C-4RHA@3310 COL-ART@1301", side="british", own=both)
    game.british(move("C-4RHA", "3309"), DONE)
    assert set(game.own("interdicted")) == {"2925"}
