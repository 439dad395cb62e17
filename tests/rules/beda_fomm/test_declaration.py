"""12.0 to 12.2: who may attack what, the declaration of all attacks, and the duty to attack what an attacker stands next to.

Round 2404 the ground is clear: 2403 2405 2304 2305 2504 2505 are next to it. Combat factors: 2RB-A to 2RB-D 3, 106RHA 1, 2RT-1 2."""

import pytest

from services.rules.games.beda_fomm import declaration
from tests.rules.beda_fomm.fight import attack, battles, declaring, only_if, resolve, support
from tests.rules.beda_fomm.positions import DONE, on, order, position

AUTO = order("DONE", turn=False, auto=True)


def declared(game):
    """Hex -> who attacks it, of the declaration that was closed."""
    return {event.data["hex"]: event.data["units"] for event in game.events("declared")}


# -- what may be attacked --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "12.0a", "12.0f")
def test_the_phasing_side_may_attack_enemies_next_to_it_and_need_not():
    game = declaring("2RB-A@2404 BER-SIR@2403 2RB-B@2402")
    game.british(DONE)
    assert game.last.status == "done"
    assert not game.events("declared")
    game = declaring("2RB-A@2404 BER-SIR@2403 2RB-B@2405")
    game.british(attack("2405", "2RB-A"))
    assert game.refusal() == ("no-enemy-there", "12.0a")
    game.british(attack("2304", "2RB-A"))
    assert game.refusal() == ("no-enemy-there", "12.0a")
    game.british(attack("2403", "2RB-A"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 3, 4, "1:2")]


@pytest.mark.rule("beda-fomm", "12.0b", "12.0c", "12.11a", "12.12a")
def test_armor_and_who_stands_with_it_cannot_be_attacked():
    game = declaring("2RB-A@2404 BAB-6-1@2403 BAB-6-2@2304 BER-SIR@2304 BER-MAR@2504")
    game.british(attack("2403", "2RB-A"), attack("2304", "2RB-A"), attack("2504", "2RB-A"))
    assert [(r.code, r.clause, r.details["hex"]) for r in game.last.rejections] == [("shielded", "12.0c", at) for at in ("2403", "2304")]
    assert list(map(str, declaration.targets(game.table, "british"))) == ["2504"]
    parked = declaring("2RB-A@2404 BAB-6-1@2403 T-1:parked@2403 BER-MAR@2504")  # BF-R34
    parked.british(attack("2403", "2RB-A"))
    assert parked.refusal() == ("shielded", "12.0c")


@pytest.mark.rule("beda-fomm", "12.11b", "12.0c")
def test_nobody_need_put_armor_on_top_of_a_stack_for_its_shield():
    # Whatever comes first in a list of those in the hex: ids before and after those of the others.
    for stack in ("BAB-6-1@2403 SAB-MG@2403", "PAS-INF@2403 BAB-6-1@2403", "ALL-AT@2403 BAB-6-1@2403 COL-AT@2403"):
        for units in (stack.split(), stack.split()[::-1]):
            game = declaring(f"2RB-A@2404 BER-MAR@2504 {' '.join(units)}")
            game.british(attack("2403", "2RB-A"))
            assert game.refusal() == ("shielded", "12.0c")


@pytest.mark.rule("beda-fomm", "12.11a", "12.13a")
def test_when_the_last_armor_of_a_hex_has_been_shot_the_others_there_may_and_must_be_attacked():
    # BF-R58. 106RHA has antitank factor 4 against 2: 2:1, a 1 destroys the tank.
    game = position("106RHA@2404 2RB-A@2404 BAB-6-1@2403 BER-SIR@2403 BER-MAR@2504", side="british", step="antitank", tempo="blitz")
    game.british(order("FIRE", units=["106RHA"], target="BAB-6-1", mass=None), attack("2504", "2RB-A"), DONE, dice=[1])
    assert game.last.rejections[0].code == "must-attack-too"
    assert game.last.rejections[0].details["hexes"] == ["2403"]
    game.british(attack("2403", "106RHA"), DONE, dice=[6, 1, 1, 6, 1, 1])
    assert battles(game) == [("2504", 3, 4, "1:2"), ("2403", 1, 4, "1:3")]


# -- who may attack --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "12.21a")
def test_armor_may_attack_too_and_suffers_what_the_table_brings():
    # BF-R66. 2RT-1 2 and 2RB-A 3 against 4: 1:1; a 4: AM. Both check at 12 and 11.
    game = declaring("2RT-1@2404 2RB-A@2404 BER-SIR@2403")
    game.british(attack("2403", "2RT-1 2RB-A"), DONE, dice=[4, 1, 1, 1, 1])
    assert battles(game) == [("2403", 5, 4, "1:1")]
    assert [event.data["unit"] for event in game.events("morale_check")] == ["2RT-1", "2RB-A"]


@pytest.mark.rule("beda-fomm", "12.22a", "12.23a", "12.31b")
def test_who_has_a_bracketed_factor_may_not_attack():
    game = declaring("T-1@2404 SAB-ART1:fired@2504 SAB-1@2305 2RB-A@2403 C-4RHA@2405 2RB-B@2604", "italian")
    game.italian(attack("2403", "T-1"))
    assert game.refusal() == ("defends-only", "12.22a")
    game.italian(attack("2403", "SAB-ART1"))
    assert game.refusal() == ("fired-already", "12.23a")
    parked = declaring("T-1:parked@2404 SAB-1@2305 2RB-A@2403 2RB-B@2405", "italian")
    parked.italian(attack("2403", "T-1"))
    assert parked.refusal() == ("defends-only", "12.22a")


@pytest.mark.rule("beda-fomm", "12.31a", "12.32a")
def test_a_ready_battery_attacks_what_is_next_to_it_as_any_unit():
    # 4 against 4, its range and half range play no part: 1:1; a 5: DM, passed.
    game = declaring("C-4RHA@2404 BER-SIR@2403")
    game.british(attack("2403", "C-4RHA"), DONE, dice=[5, 1, 1])
    assert battles(game) == [("2403", 4, 4, "1:1")]
    assert game.data("battle")["attackers"] == [{"unit": "C-4RHA", "from": "2404", "cf": 4}]


@pytest.mark.rule("beda-fomm", "9.33b")
def test_who_has_infiltrated_may_not_attack_and_brings_no_duty():
    game = declaring("2RB-A@2404 2RB-B@2404 BER-SIR@2403", marks={"infiltrated": "2RB-A"})
    game.british(attack("2403", "2RB-A 2RB-B"))
    assert game.refusal() == ("infiltrated", "9.33b")
    game.british(attack("2403", "2RB-B"), DONE, dice=[6, 1, 1])
    assert declared(game) == {"2403": ["2RB-B"]}


@pytest.mark.rule("beda-fomm", "12.0g")
def test_only_units_on_the_map_and_next_to_the_hex_attack_it():
    game = declaring("2RB-A@2404 2RB-B@2405 2RB-C@off BER-SIR@2403")
    game.british(attack("2403", "2RB-A 2RB-B"))
    assert game.refusal() == ("not-adjacent", "12.0g")
    game.british(attack("2403", "2RB-A 2RB-C"))
    assert game.refusal() == ("not-on-map", "12.0g")


def test_an_attack_names_each_unit_once_and_at_least_one():
    game = declaring("2RB-A@2404 BER-SIR@2403")
    game.british(attack("2403", "2RB-A 2RB-A"))
    assert game.refusal() == ("named-twice", "12.0e")
    game.british(attack("2403", ""))
    assert game.refusal() == ("malformed", "12.0e")


# -- the declaration -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "12.0d", "12.0e")
def test_all_attacks_are_declared_with_units_and_support_before_any_is_fought():
    game = declaring("2RB-A@2404 2RB-B@2504 C-4RHA@2407 BER-SIR@2403 SAB-1@2603")
    game.british(attack("2403", "2RB-A", "C-4RHA", label="A1"), attack("2603", "2RB-B"))
    assert game.place == "9 british declaration"
    assert not game.kinds()  # gathered in private until it closes
    game.british(DONE, dice=[6, 6, 1, 1])
    kinds = [kind for kind in game.kinds() if kind in ("declared", "battle")]
    assert kinds == ["declared", "declared", "battle", "battle"]
    first = game.events("declared")[0].data
    assert (first["label"], first["hex"], first["units"], first["support"]) == ("A1", "2403", ["2RB-A"], ["C-4RHA"])


@pytest.mark.rule("beda-fomm", "12.0d")
def test_a_unit_joins_one_attack_and_units_of_a_stack_may_attack_several_hexes():
    # BF-R61.
    game = declaring("2RB-A@2404 2RB-B@2404 BER-SIR@2403 SAB-1@2504")
    game.british(attack("2403", "2RB-A 2RB-B"), attack("2504", "2RB-B"))
    assert game.refusal() == ("attacks-elsewhere", "12.0d")
    game.british(attack("2403", "2RB-A"), attack("2504", "2RB-B"), DONE, dice=[6, 1, 1, 6, 1, 1])
    assert battles(game) == [("2403", 3, 4, "1:2"), ("2504", 3, 4, "1:2")]


def test_a_later_attack_on_a_hex_takes_the_place_of_the_one_before():
    game = declaring("2RB-A@2404 2RB-B@2404 BER-SIR@2403")
    game.british(attack("2403", "2RB-A"), attack("2403", "2RB-A 2RB-B"), DONE, dice=[5, 1, 1])
    assert battles(game) == [("2403", 6, 4, "1:1")]


def test_two_attacks_do_not_share_a_label_nor_the_hex_that_stands_for_one():
    game = declaring("2RB-A@2404 2RB-B@2404 BER-SIR@2403 SAB-1@2504")
    game.british(attack("2403", "2RB-A", label="A1"), attack("2504", "2RB-B", label="A1"))
    assert game.refusal() == ("label-taken", "12.0d")
    game.british(attack("2403", "2RB-A"), attack("2504", "2RB-B", label="2403"))
    assert game.refusal() == ("label-taken", "12.0d")
    game.british(attack("2403", "2RB-A", label="2504"), attack("2504", "2RB-B"))
    assert game.refusal() == ("label-taken", "12.0d")
    game.british(attack("2403", "2RB-A", label="A1"), attack("2504", "2RB-B", label="A2"), DONE, dice=[6, 1, 1, 6, 1, 1])
    assert [one["label"] for one in (e.data for e in game.events("battle"))] == ["A1", "A2"]


@pytest.mark.rule("beda-fomm", "12.0i")
def test_units_next_to_the_target_may_stay_out_and_then_owe_nothing():
    # 2RB-B is next to 2504 as well, and does not attack.
    game = declaring("2RB-A@2304 2RB-B@2404 BER-SIR@2403 SAB-1@2504")
    game.british(attack("2403", "2RB-A"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 3, 4, "1:2")]


# -- the duty --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "12.0g", "12.13a")
def test_the_duty_may_be_met_by_others_who_bring_their_own():
    # BF-R62: A owes 2504, which D attacks; D is next to 2603 too, which is then owed.
    game = declaring("2RB-A@2404 2RB-D@2604 BER-SIR@2403 SAB-1@2504 SAB-2@2603")
    game.british(attack("2403", "2RB-A"), attack("2504", "2RB-D"), DONE)
    (rejection,) = game.last.rejections
    assert (rejection.code, rejection.details["hexes"], rejection.details["units"]) == ("must-attack-too", ["2603"], ["2RB-D"])


@pytest.mark.rule("beda-fomm", "2.0w", "12.13a")
def test_a_hex_with_armor_is_not_owed():
    game = declaring("2RB-A@2404 BER-SIR@2403 SAB-1@2504 BAB-6-1@2504")
    game.british(attack("2403", "2RB-A"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 3, 4, "1:2")]


@pytest.mark.rule("beda-fomm", "12.0h", "12.13b")
def test_only_an_attack_barrage_of_ones_own_excuses():
    # BF-R63: neither interdiction nor the enemy's barrage; a hex of parked transport alone is owed like any other.
    units = "2RB-A@2404 BER-SIR@2403 T-1:parked@2504"
    game = declaring(units, own={"barraged": {"2504": "italian"}, "interdicted": {"2504": {"side": "british", "factors": 4, "guns": []}}})
    game.british(attack("2403", "2RB-A"), DONE)
    assert game.last.rejections[0].details["hexes"] == ["2504"]
    game = declaring(units, own={"barraged": {"2504": "british"}})
    game.british(attack("2403", "2RB-A"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 3, 4, "1:2")]


@pytest.mark.rule("beda-fomm", "12.0h", "2.0z", "12.13b")
def test_a_barrage_at_the_hex_next_to_the_attacker_excuses_it():
    # 4 factors at 2504, the gun next to it; a 1 does nothing. Then 2RB-A attacks 2403 alone, though 2504 is next to it.
    game = position("C-4RHA@2505 2RB-A@2404 BER-SIR@2403 SAB-1@2504", side="british", step="barrage", tempo="blitz")
    barrage = order("BARRAGE", guns=["C-4RHA"], target="2504", within=None, else_target=None, hold_fire=False)
    game.british(barrage, attack("2403", "2RB-A"), DONE, dice=[1, 6, 1, 1])
    assert [event.data["hex"] for event in game.events("barrage")] == ["2504"]
    assert battles(game) == [("2403", 3, 4, "1:2")]


@pytest.mark.rule("beda-fomm", "12.13b")
def test_the_excuse_belongs_to_the_hex_and_not_to_who_was_in_it():
    # BF-R64: SAB-1 was shelled in 2503 and is in 2504 now; 2503 holds another, who is excused.
    game = declaring("2RB-A@2404 2RB-B@2603 BER-SIR@2403 SAB-1@2504 SAB-2@2503", own={"barraged": {"2503": "british"}})
    game.british(attack("2504", "2RB-B"), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2504", 3, 4, "1:2")]  # 2RB-B is next to 2503 too
    game = declaring("2RB-A@2404 2RB-B@2603 BER-SIR@2403 SAB-1@2504", own={"barraged": {"2503": "british"}})
    game.british(attack("2403", "2RB-A"), DONE)
    assert game.last.rejections[0].details["hexes"] == ["2504"]


# -- groups (G17) ----------------------------------------------------------------------------------------------------------------

# Two groups: 2RB-A attacks 2403 and owes 2504, which 2RB-B would attack; far off 2RB-C attacks 2803.
GROUPS = "2RB-A@2404 2RB-B@2505 BER-SIR@2403 SAB-1@2504 2RB-C@2804 SAB-2@2803 C-4RHA@2407"


@pytest.mark.rule("beda-fomm", "12.0f", "12.0g")
def test_done_auto_drops_what_is_not_closed_whole_and_leaves_the_rest():
    game = declaring(GROUPS)
    game.british(attack("2403", "2RB-A"), support("C-4RHA", "2403"), attack("2803", "2RB-C"), AUTO, dice=[6, 1, 1])
    assert declared(game) == {"2803": ["2RB-C"]}
    assert game.data("attacks_dropped") == {"hexes": ["2403"]}
    assert game.events("attacks_dropped")[0].owner == "british"
    assert not game.events("supported")


def test_a_deadline_is_as_done_auto():
    game = declaring(GROUPS, tempo="normal")
    game.british(attack("2403", "2RB-A"), attack("2803", "2RB-C"))
    game.british(order("DONE", turn=True, auto=True), dice=[6, 1, 1])
    assert declared(game) == {"2803": ["2RB-C"]}


def test_a_line_whose_guard_fails_takes_with_it_what_is_then_not_closed():
    # Written before the barrage: 2504 is attacked only if armor is not there, and armor is; so it is not owed. Nothing is dropped.
    guarded = attack("2504", "2RB-B", guard=only_if("holds", True, hex="2504", kind="armor"))
    game = declaring(GROUPS.replace("SAB-1@2504", "SAB-1@2504 BAB-6-1@2504"))
    game.british(attack("2403", "2RB-A"), guarded, attack("2803", "2RB-C"), DONE, dice=[6, 1, 1, 6, 1, 1])
    assert declared(game) == {"2403": ["2RB-A"], "2803": ["2RB-C"]}
    # The guard fails and the hex is owed all the same: the group of 2403 falls, the other stands, and DONE is not refused.
    guarded = attack("2504", "2RB-B", guard=only_if("holds", hex="2504", kind="transport"))
    game = declaring(GROUPS)
    game.british(attack("2403", "2RB-A"), guarded, attack("2803", "2RB-C"), DONE, dice=[6, 1, 1])
    assert not game.last.rejections
    assert declared(game) == {"2803": ["2RB-C"]}
    assert game.data("attacks_dropped") == {"hexes": ["2403"]}


def test_a_guard_that_failed_in_an_earlier_mail_excuses_nothing_in_the_next():
    guarded = attack("2504", "2RB-B", guard=only_if("holds", hex="2504", kind="transport"))
    game = declaring(GROUPS, tempo="normal")
    game.british(attack("2403", "2RB-A"), guarded)
    game.british(DONE)
    assert game.codes() == ["must-attack-too"]


def test_a_line_that_has_become_illegal_takes_its_group_with_it_where_faults_are_skipped():
    # 2RB-B is shelled before: 2 factors; a 6 on the morale check.
    game = position(GROUPS + " SAB-ART1@2502", side="british", step="interdiction", tempo="blitz", morale={"COM": 2})
    shell = order("BARRAGE", guns=["SAB-ART1"], target="2505", within=None, else_target=None, hold_fire=False)
    game.italian(standing=[on("REACTION-BARRAGE", shell)])
    lines = (attack("2403", "2RB-A"), attack("2504", "2RB-B"), attack("2803", "2RB-C"), DONE)
    game.british(*lines, fault="skip", dice=[6, 6, 6, 6, 1, 1])
    assert game.at("2RB-B") == "box:eliminated"
    assert declared(game) == {"2803": ["2RB-C"]}


def test_attacks_are_tied_where_an_attacker_of_one_is_next_to_the_target_of_the_other():
    game = declaring(GROUPS)
    first, second, third = attack("2403", "2RB-A"), attack("2504", "2RB-B"), attack("2803", "2RB-C")
    gun = support("C-4RHA", "2403")
    assert sorted(declaration.by_duty(game.table, (first, third, second, gun)), key=len) == [(third,), (first, second, gun)]
    # The other way round too: 2RB-B in 2505 is next to no hex but 2504, and 2RB-A is next to that.
    assert sorted(declaration.by_duty(game.table, (second, first, third)), key=len) == [(third,), (second, first)]


# -- when it takes place ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "13.0c", "2.0d")
def test_in_the_dark_nobody_attacks():
    game = position("2RB-A@2404 BER-SIR@2403", side="british", turn=7, tempo="blitz")
    game.british(attack("2403", "2RB-A"))
    assert game.refusal() == ("in-the-dark", "13.0c")
    game.british(DONE)
    assert game.place == "8 italian movement"


@pytest.mark.rule("beda-fomm", "16.2a", "16.32a")
def test_the_italians_do_not_attack_in_their_player_turn_of_contact_and_the_british_do():
    units = "2RB-A@1728 10B-16@1727"
    made = {"turn": 3, "side": "italian", "unit": "10B-16", "hex": "1727"}
    for fire in ("none", "no-attack"):
        game = position(units, side="italian", step="antitank", turn=3, own={"contact": made}, tempo="blitz", opening_fire=fire)
        game.italian(DONE)
        assert game.place == "3 british movement"
        game.british(attack("1727", "2RB-A"), DONE, dice=[6, 1, 1])
        assert battles(game) == [("1727", 3, 6, "1:2")]
    game = position(units, side="italian", step="movement", turn=3, own={"contact": made}, tempo="blitz")
    game.italian(attack("1728", "10B-16"))
    assert game.refusal() == ("opening-silence", "16.2a")
    game = position(units, side="italian", step="antitank", turn=4, own={"contact": made}, tempo="blitz")
    game.italian(attack("1728", "10B-16"), DONE, dice=[1, 1, 1])
    assert battles(game) == [("1728", 6, 3, "2:1")]


def test_the_steps_of_the_phase_are_passed_over_where_nobody_can_attack():
    game = position("2RB-A@2404 BER-SIR@2402 BAB-6-1@2405", side="british", step="antitank", tempo="normal")
    game.british(DONE)
    assert game.place == "10 italian movement"
    assert not {event.data["step"] for event in game.events("step_opened")} & {"declaration", "defensive support", "combat"}


def test_an_attack_written_before_its_time_waits_for_its_step():
    game = position("2RB-A@2404 BER-SIR@2403", side="british", step="barrage", tempo="blitz")
    game.british(attack("2403", "2RB-A"), DONE, resolve("2403"), dice=[6, 1, 1])
    assert not game.last.rejections
    assert declared(game) == {"2403": ["2RB-A"]}


@pytest.mark.rule("beda-fomm", "12.0f")
def test_an_attack_ordered_before_may_be_withdrawn():
    game = declaring("2RB-A@2405 2RB-B@2403 BER-SIR@2404", tempo="normal")
    game.british(order("ATTACK", hex="2404", units=[], support=[], none=True))
    assert game.refusal() == ("no-attack-there", "12.0f")
    game.british(attack("2404", "2RB-A"))
    game.british(order("ATTACK", hex="2404", units=[], support=[], none=True), DONE)
    assert game.last.status == "done"
    assert game.events("declared") == []
    assert game.place.startswith("10 italian")


def test_a_withdrawn_attack_pays_no_debt_of_another():
    # 2RB-A in 2404 stands next to 2405 and 2403: who attacks the one owes an attack on the other.
    game = declaring("2RB-A@2404 2RB-B@2402 BER-SIR@2405 SAB-1@2403", tempo="normal")
    game.british(attack("2405", "2RB-A"), attack("2403", "2RB-B"))
    game.british(order("ATTACK", hex="2403", units=[], support=[], none=True), DONE)
    assert game.codes() == ["must-attack-too"]
