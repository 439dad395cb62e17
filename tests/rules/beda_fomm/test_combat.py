"""12.0: combats fought one by one, in any order, and what their results do. Morale: BER 6, SAB 7, BAB 8, 10B 9, COM 11, 4ARM 12.

Round 2404 the ground is clear: its neighbours are 2403 2405 2304 2305 2504 2505."""

import pytest

from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice
from services.rules.engine.model import Packet
from tests.rules.beda_fomm.fight import attack, battles, checked, checks, declaring, lost, resolve
from tests.rules.beda_fomm.positions import DONE, numbered, on, order, position

FOUR = "2RB-A@2405 2RB-B@2405 2RB-C@2405 2RB-D@2405"
ALL_FOUR = "2RB-A 2RB-B 2RB-C 2RB-D"


# -- strengths -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "12.0o", "12.0p", "12.0q")
def test_all_that_attack_a_hex_fight_all_that_stand_in_it():
    # Attack 3 and 3 from two hexes and 4 of a gun; defence 4 and 1. A bracketed factor counts too (BF-R103).
    game = declaring("2RB-A@2404 2RB-B@2504 C-4RHA@2406 SAB-1@2403 10B-AT@2403")
    game.british(attack("2403", "2RB-A 2RB-B", "C-4RHA"), DONE, dice=[6, 1, 1, 1, 1])
    data = game.data("battle")
    assert (data["attack"], data["defence"], data["odds"]) == (10, 5, "2:1")
    assert data["attackers"] == [{"unit": "2RB-A", "from": "2404", "cf": 3}, {"unit": "2RB-B", "from": "2504", "cf": 3}]
    assert data["defenders"] == [{"unit": "10B-AT", "cf": 1}, {"unit": "SAB-1", "cf": 4}]
    transport = declaring("2RB-A@2404 2RB-B@2404 T-1@2403 COL-AT@2403")
    transport.british(attack("2403", "2RB-A 2RB-B"), DONE, dice=[4, 1, 1, 1, 1])
    assert battles(transport) == [("2403", 6, 2, "3:1")]


@pytest.mark.rule("beda-fomm", "12.0s", "12.0r")
def test_one_die_is_rolled_on_the_column_under_a_key_of_the_hex():
    game = declaring("2RB-A@2404 2RB-B@2404 2RB-C@2404 BER-SIR@2403")
    game.british(attack("2403", "2RB-A 2RB-B 2RB-C"), DONE, dice=[3, 1, 1])  # nine to four: 2:1
    (die, check) = (event.data for event in game.events("rolled"))
    assert (die["why"], die["site"], die["dice"]) == ("combat", "2403", [3])
    assert (check["why"], check["dice"]) == ("morale", [1, 1])
    assert game.data("result") == {"label": "2403", "hex": "2403", "odds": "2:1", "die": 3, "result": "DM"}


# -- results ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "12.0t", "12.0u", "12.0v")
def test_each_unit_of_the_defenders_checks_for_itself_with_what_the_result_adds():
    # 12 against 6: 2:1; a 6: DM2. BER-SIR at 6: 2 and 2 and 2, passed. PAS-INF at 6: 3 and 3 and 2 fails by two and retreats.
    game = declaring(f"{FOUR} BER-SIR@2404 PAS-INF@2404")
    game.british(attack("2404", ALL_FOUR), DONE, dice=[6, 2, 2, 3, 3])
    assert [(e.data["unit"], e.data["total"], e.data["passed"]) for e in game.events("morale_check")] == [
        ("BER-SIR", 6, True),
        ("PAS-INF", 8, False),
    ]
    assert (game.morale("PAS"), game.morale("BER")) == (5, 6)
    assert game.at("BER-SIR") == "2404"
    assert game.data("retreated")["unit"] == "PAS-INF"
    assert {game.at(unit) for unit in ALL_FOUR.split()} == {"2405"}  # and no one may advance: a defender is left (BF-R84)


@pytest.mark.rule("beda-fomm", "12.0t", "12.0v")
def test_a_result_for_the_attackers_strikes_those_of_this_combat_alone():
    # 2403: 3 against 4, 1:2; a 1: AE. 2504: 6 against 4, 1:1; a 4: AM: both check, in their order, one fails by two (11).
    game = declaring("2RB-A@2404 2RB-B@2404 2RB-C@2505 BER-SIR@2403 SAB-1@2504")
    game.british(attack("2403", "2RB-A"), attack("2504", "2RB-C 2RB-B"), DONE, dice=[1, 4, 1, 1, 6, 6])
    assert lost(game) == ["2RB-A"]
    assert checked(game) == ["2RB-B", "2RB-C"]
    assert game.morale("COM") == 11 - 1 - 1  # one lost, one failed; the check was at 10
    (retreat,) = game.events("retreated")
    assert retreat.data["unit"] == "2RB-C"
    assert (game.at("BER-SIR"), game.at("SAB-1")) == ("2403", "2504")


@pytest.mark.rule("beda-fomm", "12.0u")
def test_an_elimination_takes_every_unit_struck():
    # BF-R78. 12 against 4 and 0: 3:1; a 6: DE. The parked transport dies too; a level each.
    game = declaring(f"{FOUR} SAB-1@2404 T-1:parked@2404")
    game.british(attack("2404", ALL_FOUR), DONE, dice=[6])
    assert lost(game) == ["SAB-1", "T-1"]
    assert (game.morale("SAB"), game.morale("BER")) == (6, 5)


@pytest.mark.rule("beda-fomm", "12.0u")
def test_by_option_it_takes_one_unit_of_the_owners_choice():
    # The other reading of BF-R78. 12 against 4: PAS-INF 2, BIG-MG 2. Of itself the one of the lowest factor and id.
    units = f"{FOUR} BIG-MG@2404 PAS-INF@2404"
    game = declaring(units, elimination="one")
    game.british(attack("2404", ALL_FOUR), DONE, dice=[6])
    assert (lost(game), game.at("PAS-INF")) == (["BIG-MG"], "2404")
    asked = declaring(units, elimination="one", tempo="full")
    asked.british(attack("2404", ALL_FOUR), DONE, dice=[6])
    (decision,) = asked.state.pending
    assert (decision.kind, decision.window, decision.side, decision.verb) == ("casualty", "CASUALTY", "italian", "CHECKS")
    asked.italian(checks("BIG-MG PAS-INF"))
    assert asked.refusal() == ("not-a-choice", "12.0u")
    asked.italian(checks("PAS-INF"))
    assert lost(asked) == ["PAS-INF"]
    assert not asked.state.pending  # a defender is left: nobody advances (BF-R84)
    standing = declaring(units, elimination="one")
    standing.italian(standing=[on("CASUALTY", checks("PAS-INF"))])
    standing.british(attack("2404", ALL_FOUR), DONE, dice=[6])
    assert lost(standing) == ["PAS-INF"]


def test_by_option_one_attacker_is_lost_and_a_single_unit_needs_no_choice():
    # 4 against 9: 1:3; a 1: AE. Attackers PAS-INF 2 and BIG-MG 2; then one alone.
    game = declaring("PAS-INF@2404 BIG-MG@2504 2RB-A@2403 2RB-B@2403 2RB-C@2403", "italian", elimination="one")
    game.italian(attack("2403", "PAS-INF BIG-MG"), DONE, dice=[1])
    assert (lost(game), game.at("PAS-INF")) == (["BIG-MG"], "2404")
    alone = declaring("PAS-INF@2404 2RB-A@2403 2RB-B@2403", "italian", elimination="one", tempo="full")
    alone.italian(attack("2403", "PAS-INF"), DONE, dice=[1])
    assert lost(alone) == ["PAS-INF"]
    assert not alone.events("decided")


def test_by_option_a_parked_transport_goes_with_the_one_that_is_lost():
    # Both options: one unit is lost, and parked ones share the fate of others in the hex.
    game = declaring(f"{FOUR} SAB-1@2404 T-1:parked@2404", elimination="one", parked_in_company="fate")
    game.british(attack("2404", ALL_FOUR), DONE, dice=[6])
    assert lost(game) == ["SAB-1", "T-1"]


# -- the order of combats --------------------------------------------------------------------------------------------------------

PAIR = "2RB-A@2404 2RB-B@2404 BER-SIR@2403 SAB-1@2504"
BOTH = (attack("2403", "2RB-A", label="A1"), attack("2504", "2RB-B"))


@pytest.mark.rule("beda-fomm", "12.0n")
def test_combats_are_fought_in_the_order_declared_unless_resolve_says_otherwise():
    game = declaring(PAIR)
    game.british(*BOTH, DONE, dice=[6, 1, 1, 6, 1, 1])
    assert [at for at, *_ in battles(game)] == ["2403", "2504"]
    for lines in ((resolve("2504"),), (resolve("2504"), resolve("A1")), (resolve("2504"), resolve("2403"))):
        game = declaring(PAIR)
        game.british(*BOTH, DONE, *lines, dice=[6, 1, 1, 6, 1, 1])
        assert [at for at, *_ in battles(game)] == ["2504", "2403"]
        assert not game.last.rejections


@pytest.mark.rule("beda-fomm", "12.0n")
def test_one_after_another_with_all_that_comes_of_it():
    # 2403: a 6, DM: BER-SIR fails by one at 6 (7), and retreats before the next die is thrown.
    game = declaring(PAIR)
    game.british(*BOTH, DONE, dice=[6, 3, 4, 6, 1, 1])
    kinds = [kind for kind in game.kinds() if kind in ("battle", "morale_check", "retreated", "advanced")]
    assert kinds == ["battle", "morale_check", "retreated", "battle", "morale_check"]


def test_in_tempo_full_the_attacker_is_asked_which_is_next_and_in_normal_he_is_not():
    game = declaring(PAIR, tempo="full")
    game.british(*BOTH, DONE)
    (decision,) = game.state.pending
    assert (decision.kind, decision.window, decision.side) == ("combat", "COMBAT", "british")
    game.british(resolve("2304"))
    assert game.refusal() == ("no-such-combat", "12.0n")
    assert game.last.rejections[0].details["open"] == ["A1", "2504"]
    game.british(resolve("2504"), dice=[6, 1, 1, 6, 1, 1])  # the last one is not asked for
    assert [at for at, *_ in battles(game)] == ["2504", "2403"]
    normal = declaring(PAIR, tempo="normal")
    normal.british(*BOTH, DONE, dice=[6, 1, 1, 6, 1, 1])
    assert [at for at, *_ in battles(normal)] == ["2403", "2504"]
    assert not normal.events("decided")


def test_the_attacker_may_see_a_result_before_he_chooses_the_next_in_full_alone():
    # Three combats: after each he is asked again while two are left.
    game = declaring(PAIR + " 2RB-C@2804 SAB-2@2803", tempo="full")
    game.british(*BOTH, attack("2803", "2RB-C"), DONE)
    game.british(resolve("2803"), dice=[6, 1, 1])
    assert [d.kind for d in game.state.pending] == ["combat"]
    game.british(resolve("2504"), dice=[6, 1, 1, 6, 1, 1])
    assert [at for at, *_ in battles(game)] == ["2504", "2403"]


def test_an_order_of_combats_may_be_given_beforehand():
    game = declaring(PAIR)
    game.british(on("COMBAT", resolve("2504")), *BOTH, DONE, dice=[6, 1, 1, 6, 1, 1])
    assert [at for at, *_ in battles(game)] == ["2504", "2403"]
    game = declaring(PAIR, tempo="normal")
    game.british(*BOTH, on("COMBAT", resolve("2304"), ask=True), DONE)  # ASK keeps the window open
    assert [d.kind for d in game.state.pending] == ["combat"]
    whenever = declaring(PAIR)
    whenever.british(on("", resolve("2504"), label="ANY"), *BOTH, DONE, dice=[6, 1, 1, 6, 1, 1])
    assert [at for at, *_ in battles(whenever)] == ["2504", "2403"]


def test_a_wrong_name_among_the_lines_falls_back_on_the_order_declared():
    game = declaring(PAIR)
    game.british(*BOTH, DONE, resolve("A9"), dice=[6, 1, 1, 6, 1, 1], fault="skip")
    assert game.codes() == ["no-such-combat"]
    assert [at for at, *_ in battles(game)] == ["2403", "2504"]
    last = declaring("2RB-A@2404 BER-SIR@2403", tempo="normal")  # of a single combat nobody is asked, and a line for another is told
    last.british(attack("2403", "2RB-A"), DONE, resolve("2504"), dice=[6, 1, 1])
    assert [at for at, *_ in battles(last)] == ["2403"]
    assert last.codes() == ["nothing-to-answer"]


# -- on the position left by those before ----------------------------------------------------------------------------------------


CHAIN = "2RB-A@2404 2RB-B@2405 BER-SIR@2403 T-1@2505"
"""2RB-A, beaten at 2403, falls back through 2RB-B in 2405, which is next to a transport alone: that has no ZOC."""
BACK = on("RETREAT", order("RETREAT", unit="2RB-A", path=["2405", "2406"]))


@pytest.mark.rule("beda-fomm", "12.0w")
def test_each_combat_is_fought_on_the_position_left_by_those_before_it():
    # With 12.45. 3 against 4: 1:2, a 5: AM; 7 against 6: fails by one. 2RB-B checks at 5: twelve, and is gone before its own combat.
    chain = {"retreat_checks": True, "morale": {"COM": 6}}
    game = declaring(CHAIN, **chain)
    game.british(BACK, attack("2403", "2RB-A"), attack("2505", "2RB-B"), DONE, dice=[5, 3, 4, 6, 6])
    assert lost(game) == ["2RB-B"]
    assert battles(game) == [("2403", 3, 4, "1:2")]
    assert game.data("combat_void") == {"label": "2505", "hex": "2505", "why": "no-attackers"}
    assert game.at("T-1") == "2505"
    # With 2RB-C beside it the rest goes on: 3 against 1, and a 6: DE.
    game = declaring(CHAIN + " 2RB-C@2605", **chain)
    game.british(BACK, attack("2403", "2RB-A"), attack("2505", "2RB-B 2RB-C"), DONE, dice=[5, 3, 4, 6, 6, 6])
    assert battles(game)[1:] == [("2505", 3, 1, "3:1")]
    # And in the other order both fight, before 2RB-A is beaten.
    game = declaring(CHAIN, **chain)
    lines = (attack("2403", "2RB-A"), attack("2505", "2RB-B"), DONE, resolve("2505"))
    game.british(BACK, *lines, dice=[6, 5, 3, 4, 6, 6])
    assert battles(game) == [("2505", 3, 1, "3:1"), ("2403", 3, 4, "1:2")]


def test_without_attackers_left_there_is_no_combat_nor_for_a_hex_found_empty():
    # BF-R75, BF-R76: as the defender closes his window, one attacker is gone and one hex empty.
    entry = {"support": [], "defence": [], "done": False}
    declared = [
        {"label": "A1", "hex": "2403", "units": ["2RB-A"], **entry},
        {"label": "A2", "hex": "2503", "units": ["2RB-B"], **entry},
    ]
    units = "2RB-A@dead 2RB-B@2504 BER-SIR@2403 SAB-ART1@2401"
    game = position(units, side="british", step="defensive support", own={"declared": declared}, tempo="normal")
    game.italian(DONE)
    assert [(e.data["label"], e.data["why"]) for e in game.events("combat_void")] == [("A1", "no-attackers"), ("A2", "no-defenders")]
    assert not battles(game)
    assert not game.state.pending
    assert game.place == "10 italian movement"


@pytest.mark.rule("beda-fomm", "12.0w")
def test_support_of_a_gun_that_is_gone_is_gone():
    entry = {"label": "A1", "hex": "2403", "units": ["2RB-A"], "support": ["C-4RHA"], "defence": ["SAB-ART1"], "done": False}
    units = "2RB-A@2404 C-4RHA@dead BER-SIR@2403 SAB-ART1@dead BAB-ART@2401"
    game = position(units, side="british", step="defensive support", own={"declared": [entry]}, tempo="blitz")
    game.italian(DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 3, 4, "1:2")]
    assert (game.data("battle")["support"], game.data("battle")["defence_support"]) == ([], [])


def test_combats_are_the_same_again_from_the_same_seed():
    game = declaring(PAIR)
    packet = Packet("p", "british", numbered((*BOTH, DONE)))
    first, again = (adjudicate(game.module, game.state, packet, SeededDice("ab" * 32)) for _ in range(2))
    assert first.events == again.events
    assert any(event.kind == "result" for event in first.events)
