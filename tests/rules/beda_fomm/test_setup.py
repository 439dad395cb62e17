"""14.1, 14.2 Set-up: markers, and the blocking force in 2731 and its six neighbours."""

import pytest

from services.rules.games.beda_fomm.state import OFF
from tests.rules.beda_fomm.positions import DONE, Game, historical, module, order

FORCE = ["2RB-A", "2RB-B", "2RB-C", "2RB-D", "C-4RHA", "106RHA", "11H-1", "11H-2", "KDG-B"]
HEXES = ["2731", "2730", "2830", "2831", "2732", "2631", "2630"]
AUTO = order("DONE", auto=True)


def place(unit: str, where: str):
    return order("PLACE", unit=unit, hex=where)


def spread(**elsewhere: str):
    """Three units in each of 2731, 2730 and 2830, or elsewhere."""
    return [place(unit, elsewhere.get(unit.replace("-", "_"), HEXES[n // 3])) for n, unit in enumerate(FORCE)]


def played(*lines) -> Game:
    game = historical()
    game.british(*lines)
    return game


@pytest.mark.rule("beda-fomm", "14.2a", "14.0a")
def test_the_nine_units_of_the_blocking_force_are_placed_and_all_others_wait():
    game = played(*spread(), DONE)
    assert {unit: game.at(unit) for unit in FORCE} == {unit: HEXES[n // 3] for n, unit in enumerate(FORCE)}
    assert {c.place for c in game.state.counters.values() if c.id not in FORCE} == {OFF}
    game = played(*spread()[:8], DONE)
    assert game.refusal() == ("units-not-placed", "14.2a")
    assert game.last.rejections[0].details["units"] == ["KDG-B"]
    assert played(*spread(), place("2RT-1", "2731")).refusal() == ("not-placed-by-orders", "14.2a")


@pytest.mark.rule("beda-fomm", "14.2b")
def test_they_stand_in_2731_or_next_to_it():
    for where in HEXES:
        assert played(place("KDG-B", where)).last.status == "done"
    for where in ("2729", "1732", "1631", "2532"):
        assert played(place("KDG-B", where)).refusal() == ("not-a-set-up-hex", "14.2b")
    assert played(place("KDG-B", "0001")).refusal() == ("cannot-enter", "9.12b")


@pytest.mark.rule("beda-fomm", "6.13a")
def test_the_stacking_limit_holds_in_set_up():
    crowd = spread(C_4RHA="2731", **{"106RHA": "2731"})  # five in 2731
    assert played(*crowd, DONE).refusal() == ("stacking", "6.13a")
    assert played(*crowd, AUTO).refusal() == ("stacking", "6.13a")  # a slip of one mail is told, not mended
    game = played(*(line for line in crowd if line.args["unit"] != "106RHA"))
    game.british(place("106RHA", "2731"), AUTO)
    held = [game.at(unit) for unit in FORCE]
    assert max(held.count(where) for where in HEXES) == 4
    assert (held.count("2731"), game.at("C-4RHA")) == (4, "2731")  # who came too late went on to the next hex: 106RHA
    assert game.at("106RHA") == "2730"


def test_a_later_line_takes_the_place_of_an_older_for_the_same_unit_and_the_umpire_places_the_rest():
    game = played(place("KDG-B", "2831"), place("KDG-B", "2630"), AUTO)
    assert game.at("KDG-B") == "2630"
    assert [game.at(unit) for unit in FORCE[:8]] == ["2731"] * 4 + ["2730"] * 4


@pytest.mark.rule("beda-fomm", "2.0a", "14.11a", "14.12a", "14.13a")
def test_markers_begin_where_they_are_printed():
    game = played(AUTO)
    game.italian(AUTO)
    assert game.place == "1 italian movement"  # no transport may park before contact, so the first phase opens with movement
    assert (game.own("vp"), game.own("contact"), game.own("interdicted")) == (0, None, {})
    assert game.own("morale") == {row["parent"]: row["level"] for row in module().data.charts["morale"]}
    assert (game.morale("4ARM"), game.morale("10B"), game.morale("MOE")) == (12, 9, 6)


@pytest.mark.rule("beda-fomm", "14.14a")
def test_no_marker_lies_on_the_map_at_the_start():
    game = played(AUTO)
    game.italian(AUTO)
    assert all(not c.marks and not c.face for c in game.state.counters.values())
    assert (game.own("barraged"), game.own("declared"), game.own("delayed")) == ({}, [], {})


@pytest.mark.rule("beda-fomm", "14.2b")
def test_the_blocking_force_is_set_up_before_the_convoys_and_before_the_first_entry():
    assert historical().place == "british set-up"
    assert played(AUTO).place == "convoys"
