"""12.3 Artillery in regular combat: attacks, offensive and defensive support with their limit, and the defender's default.

Guns have 4 factors: C-4RHA and F-4RHA reach 7 hexes, in full up to 3; SAB-ART1 and BAB-ART 6, in full up to 3. Up column 24 from 2404 the
ground is clear. Infantry: 2RB-A 3, BER-SIR and SAB-1 4."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.games.beda_fomm import declaration
from tests.rules.beda_fomm.fight import attack, battles, checked, declaring, lost, only_if, resolve, support
from tests.rules.beda_fomm.positions import DONE, on, order

TWO = "2RB-A@2404 2RB-B@2404 BER-SIR@2403"
"""Six factors next to a battalion of four."""


def supporting(game):
    """Attackers' and defenders' support of the battle fought: unit -> factor."""
    data = game.data("battle")
    return {one["unit"]: one["factor"] for one in data["support"]}, {one["unit"]: one["factor"] for one in data["defence_support"]}


# -- the attackers' guns ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "12.33a", "12.31a", "12.0o")
def test_a_ready_battery_with_no_enemy_next_to_it_supports_in_full_up_to_half_range():
    game = declaring(f"{TWO} C-4RHA@2406")  # three hexes: 6 and 4 against 4
    game.british(attack("2403", "2RB-A 2RB-B", "C-4RHA"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 10, 4, "2:1")]
    assert supporting(game) == ({"C-4RHA": 4}, {})


@pytest.mark.rule("beda-fomm", "12.33c")
def test_beyond_half_range_support_is_halved():
    game = declaring(f"{TWO} C-4RHA@2407")  # four hexes: 6 and 2 against 4
    game.british(attack("2403", "2RB-A 2RB-B", "C-4RHA"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 8, 4, "2:1")]
    assert supporting(game) == ({"C-4RHA": 2}, {})
    rounded = declaring("BER-SIR@2404 SAB-1@2504 2RB-A@2403 CRU-ART@2408", "italian")  # five at five hexes of eight: 3, rounded up
    rounded.italian(attack("2403", "BER-SIR SAB-1", "CRU-ART"), DONE, dice=[6])
    assert supporting(rounded) == ({"CRU-ART": 3}, {})
    assert battles(rounded) == [("2403", 11, 3, "3:1")]


@pytest.mark.rule("beda-fomm", "12.34a", "2.0s")
def test_support_at_most_doubles_the_factors_of_those_who_attack():
    # BF-R70: 3 attack, two guns of 4: 3 and 3. Guns are halved first: 3, and twice 2 is 4: 3 again; one of 2 stays 2.
    units = "2RB-A@2404 BER-SIR@2403 C-4RHA@2406 F-4RHA@2405"
    game = declaring(units)
    game.british(attack("2403", "2RB-A", "C-4RHA F-4RHA"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 6, 4, "1:1")]
    far = declaring(units.replace("2406", "2407").replace("2405", "2408"))
    far.british(attack("2403", "2RB-A", "C-4RHA F-4RHA"), DONE, dice=[6, 1, 1])
    assert battles(far) == [("2403", 6, 4, "1:1")]
    one = declaring(units.replace("2406", "2407"))
    one.british(attack("2403", "2RB-A", "C-4RHA"), DONE, dice=[6, 1, 1])
    assert battles(one) == [("2403", 5, 4, "1:1")]


@pytest.mark.rule("beda-fomm", "12.34a", "12.32a")
def test_a_battery_that_attacks_is_no_support_and_counts_for_the_limit():
    # 4 of the gun that attacks and 3: 7; support of 4 within it.
    game = declaring("2RB-A@2404 C-4RHA@2404 BER-SIR@2403 F-4RHA@2406")
    game.british(attack("2403", "2RB-A C-4RHA", "F-4RHA"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 11, 4, "2:1")]


@pytest.mark.rule("beda-fomm", "12.33a", "12.23a", "12.31b")
def test_who_may_not_support():
    game = declaring("2RB-A@2404 BER-SIR@2403 C-4RHA:fired@2406 F-4RHA@2411 106RHA@2405")
    game.british(attack("2403", "2RB-A", "C-4RHA"))
    assert game.refusal() == ("fired-already", "12.23a")
    game.british(attack("2403", "2RB-A", "F-4RHA"))
    assert game.refusal() == ("out-of-range", "12.33a")
    assert game.last.rejections[0].details == {"unit": "F-4RHA", "hex": "2403", "distance": 8, "range": 7}
    game.british(attack("2403", "2RB-A", "106RHA"))
    assert game.refusal() == ("no-artillery", "12.33a")
    off = declaring("2RB-A@2404 BER-SIR@2403 C-4RHA@off9")
    off.british(attack("2403", "2RB-A", "C-4RHA"))
    assert off.refusal() == ("not-on-map", "12.33a")


@pytest.mark.rule("beda-fomm", "12.33a")
@pytest.mark.parametrize("enemy", ["SAB-1", "BAB-6-1", "T-1:parked"])
def test_a_battery_next_to_any_enemy_does_not_support(enemy):
    game = declaring(f"{TWO} C-4RHA@2407 {enemy}@2408")  # BF-R67: armor and parked transport too
    game.british(attack("2403", "2RB-A 2RB-B", "C-4RHA"))
    assert game.refusal() == ("next-to-enemy", "12.33a")


@pytest.mark.rule("beda-fomm", "12.33a", "12.33b", "12.0e")
def test_support_may_be_ordered_by_lines_of_its_own_for_an_attack_that_is_ordered():
    # BF-R71, and BF-R68: guns of two hexes.
    game = declaring(f"{TWO} C-4RHA@2406 F-4RHA@2306")
    game.british(support("C-4RHA", "2403"))
    assert game.refusal() == ("no-attack-there", "12.33a")
    game.british(attack("2403", "2RB-A 2RB-B", "F-4RHA"), support("C-4RHA", "2403"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 12, 4, "3:1")]  # 6, and 8 of which 6 count
    marker = game.data("supported")
    assert (marker["hex"], marker["guns"], marker["how"]) == ("2403", ["C-4RHA"], "support")
    assert game.own("declared") == []  # the markers come off with the end of the player-turn


def test_an_attack_written_anew_after_its_support_keeps_its_place_and_the_support():
    # The first attack stays first though its line was written again last: 3 and 3, and at four hexes 2 of 4 in support, against 4.
    game = declaring("2RB-A@2404 2RB-B@2404 2RB-C@2505 C-4RHA@2407 BER-SIR@2403 SAB-1@2504")
    lines = attack("2403", "2RB-A"), support("C-4RHA", "2403"), attack("2504", "2RB-C"), attack("2403", "2RB-A 2RB-B")
    game.british(*lines, DONE, dice=[6, 1, 1, 6, 1, 1])
    assert [event.data["units"] for event in game.events("declared")] == [["2RB-A", "2RB-B"], ["2RB-C"]]
    assert battles(game)[0] == ("2403", 8, 4, "2:1")


@pytest.mark.rule("beda-fomm", "12.33a")
def test_a_battery_supports_one_combat_and_is_named_once():
    # BF-R72.
    game = declaring("2RB-A@2404 2RB-B@2404 BER-SIR@2403 SAB-1@2504 C-4RHA@2406 F-4RHA@2306", tempo="normal")
    both = (attack("2403", "2RB-A", "C-4RHA"), attack("2504", "2RB-B"))
    game.british(*both, support("C-4RHA F-4RHA", "2504"))
    assert game.refusal() == ("supports-elsewhere", "12.33a")
    game.british(both[0], attack("2504", "2RB-B", "C-4RHA"))
    assert game.refusal() == ("supports-elsewhere", "12.33a")
    game.british(attack("2403", "2RB-A", "C-4RHA C-4RHA"))
    assert game.refusal() == ("named-twice", "12.33a")
    game.british(*both, support("F-4RHA F-4RHA", "2504"))
    assert game.refusal() == ("named-twice", "12.33a")
    # The same guns named again are moved to the other combat.
    game.british(*both, support("F-4RHA", "2403"), support("F-4RHA", "2504"), DONE, order("DONE", turn=True), dice=[6, 1, 1, 6, 1, 1])
    assert battles(game) == [("2403", 6, 4, "1:1"), ("2504", 6, 4, "1:1")]


def test_a_battery_named_twice_for_one_combat_counts_once():
    game = declaring(f"{TWO} C-4RHA@2406 F-4RHA@2306")
    game.british(attack("2403", "2RB-A 2RB-B", "C-4RHA"), support("C-4RHA F-4RHA", "2403"), support("C-4RHA", "2403"), DONE, dice=[6, 1, 1])
    assert supporting(game) == ({"C-4RHA": 4, "F-4RHA": 4}, {})


def test_guns_in_support_suffer_nothing():
    # BF-R72: 3 and 3 against 4 and 2 is 1:1; a 1: AM2, the attacker alone checks. At long range 1:2: AE.
    game = declaring("2RB-A@2404 BER-SIR@2403 BIG-MG@2403 C-4RHA@2406")
    game.british(attack("2403", "2RB-A", "C-4RHA"), DONE, dice=[1, 1, 1])
    assert battles(game) == [("2403", 6, 6, "1:1")]
    assert (checked(game), lost(game)) == (["2RB-A"], [])
    poor = declaring("2RB-A@2404 BER-SIR@2403 BIG-MG@2403 C-4RHA@2407")
    poor.british(attack("2403", "2RB-A", "C-4RHA"), DONE, dice=[1])
    assert battles(poor) == [("2403", 5, 6, "1:2")]
    assert lost(poor) == ["2RB-A"]
    assert poor.at("C-4RHA") == "2407"


# -- the defenders' guns ---------------------------------------------------------------------------------------------------------

# The Italian gun three hexes behind the hex attacked; 12 of three companies and a gun against 4.
DEFENDED = "2RB-A@2404 2RB-B@2404 2RB-C@2404 2RB-D@2404 BER-SIR@2403 SAB-ART1@2400"


def asked(units: str, *orders):
    """A game in which the British have declared, and the Italians are asked for support."""
    game = declaring(units, tempo="full")
    game.british(*orders, DONE)
    assert game.place == "9 british defensive support"
    return game


@pytest.mark.rule("beda-fomm", "12.36a", "12.0m", "12.0p", "12.36c")
def test_after_the_declaration_the_defender_supports_a_hex_in_range():
    game = asked("2RB-A@2404 2RB-B@2404 BER-SIR@2403 SAB-ART1@2401", attack("2403", "2RB-A 2RB-B"))
    assert [one["hex"] for one in game.own("declared")] == ["2403"]  # he sees what is attacked
    assert not game.events("battle")
    game.italian(support("SAB-ART1", "2403"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 6, 8, "1:2")]
    assert supporting(game) == ({}, {"SAB-ART1": 4})
    assert game.data("supported")["how"] == "defence"


@pytest.mark.rule("beda-fomm", "12.36b", "12.37a")
def test_defensive_support_is_halved_at_long_range_and_at_most_doubles():
    game = asked("2RB-A@2405 2RB-B@2405 BER-SIR@2404 SAB-ART1@2402 BAB-ART@2302 FER-ART@2502", attack("2404", "2RB-A 2RB-B"))
    game.italian(support("SAB-ART1 BAB-ART FER-ART", "2404"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2404", 6, 8, "1:2")]  # twelve of three guns within reach count as 4
    far = asked("2RB-A@2407 2RB-B@2407 BER-SIR@2406 SAB-ART1@2402", attack("2406", "2RB-A 2RB-B"))
    far.italian(support("SAB-ART1", "2406"), DONE, dice=[6, 1, 1])
    assert battles(far) == [("2406", 6, 6, "1:1")]  # four hexes: 2


@pytest.mark.rule("beda-fomm", "12.35a", "12.36a", "12.23a")
def test_which_guns_may_not_support_the_defence():
    units = "2RB-A@2408 BER-SIR@2407 SAB-ART1@2404 BAB-ART@2205 2RB-D@2206 FER-ART@2401 PIA-ART:fired@2504 T-1@2405"
    game = asked(units, attack("2407", "2RB-A"))
    game.italian(support("BAB-ART", "2407"))
    assert game.refusal() == ("next-to-enemy", "12.35a")
    game.italian(support("PIA-ART", "2407"))
    assert game.refusal() == ("fired-already", "12.23a")
    game.italian(support("FER-ART", "2407"))  # six hexes is its range: 2401 lies in reach
    assert game.last.status == "done"
    game.italian(support("T-1", "2407"))
    assert game.refusal() == ("no-artillery", "12.33a")
    game.italian(support("SAB-ART1", "2408"))
    assert game.refusal() == ("no-attack-there", "12.36a")
    out = asked("2RB-A@2408 BER-SIR@2407 ALL-ART@2401 SAB-ART1@2404", attack("2407", "2RB-A"))
    out.italian(support("ALL-ART", "2407"))  # range 5, six hexes
    assert out.refusal() == ("out-of-range", "12.36a")


@pytest.mark.rule("beda-fomm", "12.36a")
def test_a_defending_battery_supports_one_hex_and_the_same_guns_named_again_go_there():
    units = "2RB-A@2405 2RB-B@2405 BER-SIR@2404 SAB-1@2505 SAB-ART1@2402 BAB-ART@2503"
    game = asked(units, attack("2404", "2RB-A"), attack("2505", "2RB-B"))
    game.italian(support("SAB-ART1", "2404"), support("SAB-ART1 BAB-ART", "2505"))
    assert game.refusal() == ("supports-elsewhere", "12.36a")
    game.italian(support("SAB-ART1 SAB-ART1", "2404"))
    assert game.refusal() == ("named-twice", "12.36a")
    game.italian(support("SAB-ART1", "2404"), support("SAB-ART1", "2505"), DONE)
    game.british(resolve("2404"), dice=[6, 1, 1, 6, 1, 1])
    assert battles(game) == [("2404", 3, 4, "1:2"), ("2505", 3, 8, "1:3")]


@pytest.mark.rule("beda-fomm", "12.35b")
def test_a_battery_next_to_the_enemy_defends_normally_when_attacked():
    game = declaring("2RB-A@2404 SAB-ART1@2403")
    game.british(attack("2403", "2RB-A"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 3, 4, "1:2")]


@pytest.mark.rule("beda-fomm", "12.35c", "12.23b")
def test_one_that_has_fired_defends_with_the_bracketed_factor_of_its_fired_side():
    # BF-R103, BF-R112: 4 in brackets; and it suffers the result: 6 against 4 is 1:1, a 5: DM.
    game = declaring("2RB-A@2404 2RB-B@2404 SAB-ART1:fired@2403")
    game.british(attack("2403", "2RB-A 2RB-B"), DONE, dice=[5, 1, 1])
    assert battles(game) == [("2403", 6, 4, "1:1")]
    assert checked(game) == ["SAB-ART1"]


def test_a_parked_transport_has_nothing_that_support_could_double():
    # BF-R70. A parked transport in company of a battalion counts 0: 4 and 4.
    game = asked("2RB-A@2404 2RB-B@2404 BER-SIR@2403 T-1:parked@2403 SAB-ART1@2401", attack("2403", "2RB-A 2RB-B"))
    game.italian(support("SAB-ART1", "2403"), DONE, dice=[6, 1, 1, 1, 1])
    assert battles(game) == [("2403", 6, 8, "1:2")]
    assert declaration.supported(game.table, ["SAB-ART1"], parse_hex("2403"), 0) == 0


# -- the defender's default (W3) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "12.36a")
def test_of_itself_a_battery_supports_where_it_lowers_the_column_and_no_more_than_needed():
    # 12 against 4 is 3:1; with 4 more 1:1. A second gun would add nothing: the limit is reached.
    units = "2RB-A@2405 2RB-B@2405 2RB-C@2405 2RB-D@2405 BER-SIR@2404 SAB-ART1@2402 BAB-ART@2302"
    game = declaring(units)
    game.british(attack("2404", "2RB-A 2RB-B 2RB-C 2RB-D"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2404", 12, 8, "1:1")]
    assert game.data("supported")["guns"] == ["BAB-ART"]


def test_it_does_not_where_no_column_would_change():
    # 3 against 12 is 1:4, and the lowest column is 1:3.
    game = declaring("106RHA@2405 BER-SIR@2404 SAB-ART1@2402")
    game.british(attack("2404", "106RHA"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2404", 1, 4, "1:3")]
    assert not game.events("supported")


def test_the_strongest_hex_comes_first():
    # BF-R124. One gun in reach of both: 3 against 2 would fall from 1:1 to 1:2, 12 against 6 falls from 2:1 to 1:1.
    game = declaring("11H-1@2205 KDG-B@2205 PAS-INF@2204 2RB-A@2505 2RB-B@2505 2RB-C@2505 2RB-D@2505 10B-16@2504 SAB-ART1@2402")
    weak, strong = attack("2204", "11H-1 KDG-B"), attack("2504", "2RB-A 2RB-B 2RB-C 2RB-D")
    game.british(weak, strong, DONE, dice=[6, 1, 1, 6, 1, 1])
    assert battles(game) == [("2204", 3, 2, "1:1"), ("2504", 12, 10, "1:1")]


def test_where_the_owner_has_said_something_nothing_is_added_and_done_alone_declines():
    units = "2RB-A@2405 2RB-B@2405 2RB-C@2405 2RB-D@2405 BER-SIR@2404 SAB-ART1@2402 BAB-ART@2302"
    fight = attack("2404", "2RB-A 2RB-B 2RB-C 2RB-D")
    game = asked(units, fight)
    game.italian(DONE, dice=[6])
    assert battles(game) == [("2404", 12, 4, "3:1")]
    passed = asked(units, fight)
    passed.italian(order("PASS"), dice=[6, 1, 1])
    assert battles(passed) == [("2404", 12, 8, "1:1")]
    given = declaring(units)
    given.italian(standing=[on("DEFENSIVE-SUPPORT", support("SAB-ART1", "2404"))])
    given.british(fight, DONE, dice=[6, 1, 1])
    assert given.data("supported")["guns"] == ["SAB-ART1"]


@pytest.mark.rule("beda-fomm", "12.36a")
def test_a_standing_order_by_the_odds_or_else_the_default():
    units = "2RB-A@2405 2RB-B@2405 2RB-C@2405 2RB-D@2405 BER-SIR@2404 SAB-ART1@2402 BAB-ART@2302"
    for at_least, gun in (("3", "SAB-ART1"), ("4", "BAB-ART")):  # 12 against 4 is 3:1
        game = declaring(units)
        game.italian(standing=[on("DEFENSIVE-SUPPORT", support("SAB-ART1", "2404", guard=only_if("odds", at_least=at_least)))])
        game.british(attack("2404", "2RB-A 2RB-B 2RB-C 2RB-D"), DONE, dice=[6, 1, 1])
        assert game.data("supported")["guns"] == [gun]


def test_a_standing_done_declines_the_support_that_the_default_would_give():
    # BAB-ART in 2402 would support BER-SIR's 4 against 6: 1:1 where it were 1:1 and better without it (see the default's own tests).
    def supports(**more):
        game = declaring("2RB-A@2405 2RB-B@2405 SAB-1@2404 SAB-ART1@2402", tempo="normal")
        game.italian(**more)
        game.british(attack("2404", "2RB-A 2RB-B"), DONE, dice=[1] * 9)
        return [event.data["guns"] for event in game.events("supported")]

    assert supports(standing=[on("DEFENSIVE-SUPPORT", order("PASS"))]) == [["SAB-ART1"]]
    assert supports(standing=[on("DEFENSIVE-SUPPORT", DONE)]) == []
