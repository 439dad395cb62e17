"""What ``IF`` tests in Beda Fomm: everything is open, so a guard sees all."""

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.guards import holds
from services.rules.engine.model import Guard, IllegalOrder
from tests.rules.beda_fomm.fight import advance, attack, battles, declaring, only_if, support
from tests.rules.beda_fomm.positions import DONE, Game, move, on, position


def true(game: Game, test: str, by: str = "british", **args: Any) -> bool:
    return holds(game.table, by, (Guard(test, args),))


def test_held_by_a_side():
    game = position("2RB-A@2404 T-1:parked@2403", side="british")
    assert true(game, "held", hex="2403", side="ITALIAN")
    assert not true(game, "held", hex="2403", side="british")
    assert not true(game, "held", hex="2402", side="italian")
    with pytest.raises(IllegalOrder, match="no-such-side"):
        true(game, "held", hex="2403", side="axis")


def test_free_of_enemy_zoc():
    # A transport has none; 2403 is next to SAB-1 in 2402.
    game = position("2RB-A@2405 T-1@2404 SAB-1@2402", side="british")
    assert true(game, "free", hex="2405")
    assert not true(game, "free", hex="2403")
    assert true(game, "free", "italian", hex="2403")
    assert not true(game, "free", "italian", hex="2406")


@pytest.mark.parametrize(
    ("kind", "where"),
    [
        ("ARMOR", {"tank", "car"}),
        ("armour", {"tank", "car"}),
        ("TANK", {"tank"}),
        ("tanks", {"tank"}),
        ("m13", {"tank"}),
        ("armored-car", {"car"}),
        ("ARTILLERY", {"gun"}),
        ("guns", {"gun"}),
        ("weapons", {"gun"}),
        ("transport", {"truck"}),
        ("personnel", {"foot"}),
        ("infantry", {"foot"}),
    ],
)
def test_what_a_hex_holds_by_class_and_type(kind, where):
    game = position("BAB-6-1@2402 SAB-ART1@2404 T-1@2406 SAB-1@2408 11H-1@2810")
    hexes = {"tank": "2402", "gun": "2404", "truck": "2406", "foot": "2408", "car": "2810"}
    assert {name for name, at in hexes.items() if true(game, "holds", hex=at, kind=kind)} == where


def test_a_type_that_there_is_not_is_refused():
    game = declaring("2RB-A@2404 SAB-1@2403")
    game.british(attack("2403", "2RB-A", guard=only_if("holds", hex="2403", kind="cavalry")))
    assert game.refusal() == ("no-such-kind", "")


def test_engaged_is_next_to_any_enemy():
    game = position("2RB-A@2404 2RB-B@2409 2RB-C@off9 T-1:parked@2403", side="british")
    assert true(game, "engaged", unit="2RB-A")
    assert true(game, "engaged", "italian", unit="T-1")
    assert not true(game, "engaged", unit="2RB-B")
    assert not true(game, "engaged", unit="2RB-C")
    assert true(game, "engaged", unit="T-1")  # whosever it is: nothing is hidden


def test_odds_of_the_attack_that_the_line_orders_with_its_support():
    # 3 and 3 of support against 4: 6 to 4, 1:1; without support 3 to 4.
    units = "2RB-A@2404 SAB-1@2403 C-4RHA@2406"
    for at_least, guns, fought in (("1", "C-4RHA", True), ("1", "", False), ("1/2", "", True), ("2", "C-4RHA", False)):
        game = declaring(units)
        game.british(attack("2403", "2RB-A", guns, guard=only_if("odds", at_least=at_least)), DONE, dice=[6, 1, 1])
        assert bool(battles(game)) is fought
    nothing = declaring("2RB-A@2404 T-1:parked@2403")
    nothing.british(attack("2403", "2RB-A", guard=only_if("odds", at_least="6")), DONE)
    assert nothing.data("parked_taken")["unit"] == "T-1"


def test_odds_of_a_declared_combat_by_label_or_hex():
    entry = {"label": "A1", "hex": "2403", "units": ["2RB-A", "2RB-B"], "support": [], "defence": [], "done": False}
    game = position("2RB-A@2404 2RB-B@2404 SAB-1@2403 SAB-ART1@2401", side="british", step="defensive support", own={"declared": [entry]})
    for label in ("A1", "2403"):
        assert true(game, "odds", "italian", label=label, at_least="3/2")  # 6 to 4
        assert not true(game, "odds", "italian", label=label, at_least="2")
    with pytest.raises(IllegalOrder, match="no-result-yet"):
        true(game, "odds", "italian", label="A2", at_least="2")
    gone = position("2RB-A@dead 2RB-B@dead SAB-1@2403 SAB-ART1@2401", side="british", step="defensive support", own={"declared": [entry]})
    assert not true(gone, "odds", "italian", label="A1", at_least="1/3")
    # A line of support speaks of the combat in its hex; other lines have no odds.
    game.italian(support("SAB-ART1", "2403", guard=only_if("odds", at_least="1")), DONE, dice=[6, 1, 1])
    assert battles(game) == [("2403", 6, 8, "1:2")]


def test_odds_of_a_line_that_is_no_fight_are_refused():
    game = position("2RB-A@2404 SAB-1@2402", side="british")
    game.british(move("2RB-A", "2405", guard=only_if("odds", at_least="1")))
    assert game.refusal() == ("no-such-guard", "")


def test_a_combat_that_did_not_take_place_has_a_result_that_can_be_tested():
    entry = {"support": [], "defence": [], "done": False}
    declared = [
        {"label": "A1", "hex": "2403", "units": ["2RB-A"], **entry},
        {"label": "A2", "hex": "2503", "units": ["2RB-B"], **entry},
    ]
    units = "2RB-A@dead 2RB-B@2504 T-1:parked@2503 SAB-1@2403 SAB-ART1@2401"
    for results, where in ((["VOID"], "2503"), (["DE"], "2504")):
        game = position(units, side="british", step="defensive support", own={"declared": declared}, tempo="blitz")
        game.british(replace(on("ADVANCE", advance("2RB-B", "2503")), guard=(Guard("result", {"label": "A1", "in": results}),)))
        game.italian(DONE)
        assert game.at("2RB-B") == where


def test_a_negated_guard_and_several_together():
    game = position("2RB-A@2404 SAB-1@2403", side="british")
    both = (Guard("holds", {"hex": "2403", "kind": "armor"}, True), Guard("engaged", {"unit": "2RB-A"}))
    assert holds(game.table, "british", both)
    assert not holds(game.table, "british", (*both, Guard("free", {"hex": "2404"})))


def test_who_is_alive_and_where_whosever_it_is():
    game = position("2RB-A@2404 T-1@2406")
    for by in ("british", "italian"):
        assert true(game, "alive", by, unit="T-1")
        assert not true(game, "alive", by, unit="SAB-1")
        assert true(game, "at", by, unit="2RB-A", hex="2404")
        assert not true(game, "at", by, unit="2RB-A", hex="2406")
        assert not true(game, "at", by, unit="SAB-1", hex="2404")
