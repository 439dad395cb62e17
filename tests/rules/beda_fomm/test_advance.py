"""12.5: who advances into a hex that a combat has emptied. 12 against 4 is 3:1, and a 6 there eliminates the defenders."""

from dataclasses import replace

import pytest

from tests.rules.beda_fomm.fight import advance, attack, checks, declaring, lost, only_if
from tests.rules.beda_fomm.positions import DONE, on, order

NONE = order("ADVANCE", units=[], hex=None, none=True)
FOUR = "2RB-A@2405 2RB-B@2405 2RB-C@2405 2RB-D@2405"
ALL_FOUR = "2RB-A 2RB-B 2RB-C 2RB-D"


def won(units: str = f"{FOUR} BER-SIR@2404", who: str = ALL_FOUR, at: str = "2404", dice=(6,), **more):
    """The British have emptied a hex and are asked who advances."""
    game = declaring(units, tempo="normal", **more)
    game.british(attack(at, who), DONE, dice=dice)
    (decision,) = game.state.pending
    assert (decision.kind, decision.window, decision.side, decision.verb) == ("advance", "ADVANCE", "british", "ADVANCE")
    return game


@pytest.mark.rule("beda-fomm", "12.51a", "2.0t")
def test_any_of_those_that_attacked_advance_at_once_and_nobody_else():
    game = won(f"{FOUR} 106RHA@2504 BER-SIR@2404")
    game.british(advance("2RB-A 106RHA", "2404"))
    assert game.refusal() == ("took-no-part", "2.0t")
    game.british(advance("2RB-A", "2403"))
    assert game.refusal() == ("not-the-vacated-hex", "12.51a")
    game.british(advance("2RB-A 2RB-C", "2404"))
    assert [game.at(unit) for unit in ALL_FOUR.split()] == ["2404", "2405", "2404", "2405"]
    assert game.data("advanced")["moves"] == [{"unit": "2RB-A", "from": "2405"}, {"unit": "2RB-C", "from": "2405"}]
    assert not game.marks("2RB-A")  # it is no movement (BF-R25)


def test_nobody_need_and_of_itself_nobody_does():
    game = won()
    game.british(NONE)
    assert not game.events("advanced")
    blitz = declaring(f"{FOUR} BER-SIR@2404")
    blitz.british(attack("2404", ALL_FOUR), DONE, dice=[6])
    assert blitz.at("2RB-A") == "2405"
    game = won()
    game.british(order("ADVANCE", units=["2RB-A", "2RB-A"], hex="2404", none=False))
    assert game.refusal() == ("named-twice", "12.51a")


@pytest.mark.rule("beda-fomm", "12.51b")
def test_it_is_the_same_whether_they_died_or_retreated():
    # A 4 at 3:1: DM1. 3 and 3 and 1 is 7 against 6: BER-SIR retreats.
    game = declaring(f"{FOUR} BER-SIR@2404")
    game.british(on("ADVANCE", order("ADVANCE"), ask=True), attack("2404", ALL_FOUR), DONE, dice=[4, 3, 3])
    assert not lost(game)
    game.british(advance("2RB-A", "2404"))
    assert game.at("2RB-A") == "2404"
    died = won(dice=(4, 6, 6))
    assert lost(died) == ["BER-SIR"]
    died.british(advance("2RB-A", "2404"))
    assert died.at("2RB-A") == "2404"


@pytest.mark.rule("beda-fomm", "12.51a", "12.51b")
def test_while_a_defender_is_left_nobody_advances():
    # BF-R84. DM1 at 3:1: PAS-INF fails, SAB-MG stays.
    game = declaring(f"{FOUR} SAB-MG@2404 PAS-INF@2404", tempo="normal")
    game.italian(standing=[on("CHECKS", checks("PAS-INF"))])
    game.british(attack("2404", ALL_FOUR), DONE, dice=[4, 6, 6, 1, 1])
    assert lost(game) == ["PAS-INF"]
    assert not [d for d in game.state.pending if d.kind == "advance"]
    assert game.place == "10 italian movement"


@pytest.mark.rule("beda-fomm", "12.51c")
def test_an_advance_keeps_the_stacking_limit():
    game = won(f"{FOUR} 106RHA@2504 BER-SIR@2404", f"{ALL_FOUR} 106RHA")
    game.british(advance(f"{ALL_FOUR} 106RHA", "2404"))
    assert game.refusal() == ("no-room", "12.51c")
    game.british(advance("2RB-A 2RB-B 2RB-C 106RHA", "2404"))
    assert game.at("106RHA") == "2404"


@pytest.mark.rule("beda-fomm", "12.51d")
def test_nor_does_it_enter_prohibited_terrain():
    # Italian weapons leave the road for no clear hex: 1726 is on the road, 1825 is not. Five against one: 5:1, a 6: DE.
    game = declaring("10B-AT@1726 SAB-1@1726 106RHA@1825", "italian", tempo="normal")
    game.italian(attack("1825", "SAB-1 10B-AT"), DONE, dice=[6])
    assert game.state.pending[0].context["units"] == ["SAB-1"]
    game.italian(advance("SAB-1 10B-AT", "1825"))
    assert game.refusal() == ("prohibited", "12.51d")
    game.italian(advance("SAB-1", "1825"))
    assert game.at("SAB-1") == "1825"
    road = declaring("10B-AT@1725 SAB-1@1725 106RHA@1726", "italian", tempo="normal")
    road.italian(attack("1726", "SAB-1 10B-AT"), DONE, advance("SAB-1 10B-AT", "1726"), dice=[6])
    assert road.at("10B-AT") == "1726"  # along the road; weapons that are no artillery may (BF-R83)


@pytest.mark.rule("beda-fomm", "12.51e")
def test_weapons_do_not_advance_into_an_enemy_zoc_and_personnel_do():
    game = declaring("10B-AT@1725 SAB-1@1725 106RHA@1726 2RB-A@1727", "italian", tempo="normal")
    game.italian(attack("1726", "SAB-1 10B-AT"), DONE, dice=[6])
    game.italian(advance("SAB-1 10B-AT", "1726"))
    assert game.refusal() == ("never-into-zoc", "12.51e")
    game.italian(advance("SAB-1", "1726"))
    assert game.at("SAB-1") == "1726"


@pytest.mark.rule("beda-fomm", "12.51e")
def test_into_the_zoc_of_armor_personnel_go_with_armor_that_advances():
    # BF-R83. 2RT-1 in 1727 commands 1726. Armor that took part but stays back does not help.
    units = "BAB-6-1@1725 SAB-1@1725 106RHA@1726 2RT-1@1727"
    game = declaring(units, "italian", tempo="normal")
    game.italian(attack("1726", "SAB-1 BAB-6-1"), DONE, dice=[6])
    game.italian(advance("SAB-1", "1726"))
    assert game.refusal() == ("armored-zoc", "12.51e")
    game.italian(advance("SAB-1 BAB-6-1", "1726"))
    assert (game.at("SAB-1"), game.at("BAB-6-1")) == ("1726", "1726")
    alone = declaring(units, "italian", tempo="normal")
    alone.italian(attack("1726", "SAB-1"), DONE, dice=[6])  # nobody can: nobody is asked
    assert not alone.state.pending
    assert alone.at("106RHA") == "box:eliminated"


@pytest.mark.rule("beda-fomm", "12.52a")
def test_artillery_never_advances():
    game = won(f"{FOUR.replace('2RB-D', 'C-4RHA')} BER-SIR@2404", "2RB-A 2RB-B 2RB-C C-4RHA")  # 13 against 4
    game.british(advance("2RB-A C-4RHA", "2404"))
    assert game.refusal() == ("artillery-stays", "12.52a")
    guns = declaring("C-4RHA@2405 T-1@2404", tempo="normal")
    guns.british(attack("2404", "C-4RHA"), DONE, dice=[6])
    assert lost(guns) == ["T-1"]
    assert not guns.state.pending


@pytest.mark.rule("beda-fomm", "12.53a")
def test_defenders_never_advance_whatever_they_have_ordered():
    # 3 against 4: 1:2, a 1: AE. 2405 is empty, and the Italians stay.
    game = declaring("2RB-A@2405 BER-SIR@2404")
    game.italian(standing=[on("ADVANCE", advance("BER-SIR", "2405"))])
    game.british(attack("2404", "2RB-A"), DONE, dice=[1])
    assert lost(game) == ["2RB-A"]
    assert game.at("BER-SIR") == "2404"
    assert not game.events("decided")


@pytest.mark.rule("beda-fomm", "12.51a")
def test_orders_given_beforehand_by_label_window_and_result():
    game = declaring(f"{FOUR} BER-SIR@2404")
    line = on("", advance("2RB-A", "2404"), label="2404")
    game.british(_if_vacated(line), attack("2404", ALL_FOUR), DONE, dice=[6])
    assert game.at("2RB-A") == "2404"
    for results, where in ((["DE"], "2404"), (["DM", "DM1"], "2405")):
        game = declaring(f"{FOUR} BER-SIR@2404")
        game.british(on("ADVANCE", advance("2RB-B", "2404"), results=results), attack("2404", ALL_FOUR), DONE, dice=[6])
        assert game.at("2RB-B") == where
    inline = declaring(f"{FOUR} BER-SIR@2404", tempo="normal")
    inline.british(attack("2404", ALL_FOUR), DONE, advance("2RB-C", "2404"), dice=[6])
    assert inline.at("2RB-C") == "2404"


def test_an_advance_written_for_a_hex_that_was_not_emptied_is_told_and_stops_nothing():
    # A 1 at 3:1: AM, passed by all.
    game = declaring(f"{FOUR} BER-SIR@2404", tempo="normal")
    game.british(attack("2404", ALL_FOUR), DONE, advance("2RB-C", "2404"), dice=[1, *[1, 1] * 4])
    assert game.codes() == ["nothing-to-answer"]
    assert game.place == "10 italian movement"


def test_lines_for_several_combats_are_read_each_for_its_own():
    # Two transports alone. 2403 holds out (3:1, a 1: AM, passed), 2803 falls: the line for 2403 falls through, the other is read.
    units = "2RB-A@2404 T-1@2403 2RB-B@2804 T-2@2803"
    lines = (attack("2403", "2RB-A"), attack("2803", "2RB-B"), DONE, advance("2RB-A", "2403"), advance("2RB-B", "2803"))
    game = declaring(units, tempo="normal")
    game.british(*lines, dice=[1, 1, 1, 6])
    assert (game.at("2RB-A"), game.at("2RB-B")) == ("2404", "2803")
    assert game.codes() == ["nothing-to-answer"]
    both = declaring(units, tempo="normal")
    both.british(*lines, dice=[6, 6])
    assert (both.at("2RB-A"), both.at("2RB-B")) == ("2403", "2803")


def test_an_advance_bars_the_retreats_of_the_next_combat():
    # SAB-1 is to fall back from 2702 to 2503, which is next to 2403 and not to 2404. 10 against 4: a 6: DM2; 8 against 7.
    units = "2RB-A@2404 T-1@2403 2RB-B@2802 2RB-C@2802 2RB-D@2802 106RHA@2802 SAB-1@2702"
    lines = (attack("2403", "2RB-A"), attack("2702", "2RB-B 2RB-C 2RB-D 106RHA"), DONE)
    for line, free in ((NONE, True), (advance("2RB-A", "2403"), False)):
        game = declaring(units)
        game.italian(standing=[on("RETREAT", order("RETREAT", unit="SAB-1", path=["2602", "2503"]))])
        game.british(*lines, line, dice=[6, 6, 3, 3])
        assert lost(game) == ["T-1"]
        assert (game.at("SAB-1") == "2503") is free


def _if_vacated(line):
    return replace(line, guard=only_if("vacated"))
