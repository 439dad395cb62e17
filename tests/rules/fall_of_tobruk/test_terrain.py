"""The Terrain Effects Chart: what a hex costs, on and off roads and tracks."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.games.fall_of_tobruk.ground import step_cost
from tests.rules.fall_of_tobruk.positions import move, position
from tests.rules.fall_of_tobruk.walking import cost, refused


@pytest.mark.rule("fall-of-tobruk", "tec.1", "tec.5", "move.2")
def test_clear_ground_costs_one_point_and_high_ground_two():
    assert cost("8PZ-2", "0505 0605 0606") == 2
    assert cost("8PZ-2", "0505 0605 0606", high="0605") == 3
    assert cost("8PZ-2", "0505 0605 0606", high="0505 0605 0606") == 4  # the hex left counts for nothing


@pytest.mark.rule("fall-of-tobruk", "tec.2", "tec.3")
def test_a_track_costs_half_a_point_and_a_road_a_quarter_whatever_the_hex():
    assert cost("8PZ-2", "0505 0605 0606", track="0505-0605-0606") == 1
    assert cost("8PZ-2", "0505 0605 0606", road="0505-0605-0606") == "1/2"
    assert cost("8PZ-2", "0505 0605 0606", road="0505-0605-0606", high="0605 0606") == "1/2"
    assert cost("8PZ-2", "0505 0605 0606", track="0505-0605-0606", road="0505-0605") == "3/4"  # a road where both run


@pytest.mark.rule("fall-of-tobruk", "tec.2", "tec.3")
def test_a_road_counts_along_it_only():
    assert cost("8PZ-2", "0505 0605 0606", road="0505-0605 0506-0606") == "5/4"
    assert cost("8PZ-2", "0505 0605", track="0605-0606") == 1  # onto a track from beside it


@pytest.mark.rule("fall-of-tobruk", "tec.4")
def test_a_village_costs_what_its_ground_does():
    assert cost("8PZ-2", "0505 0605", village="0605") == 1
    assert cost("8PZ-2", "0505 0605", village="0605", high="0605") == 2


@pytest.mark.rule("fall-of-tobruk", "tec.7", "tec.8")
def test_the_sea_cannot_be_entered_and_a_hex_at_the_coast_costs_what_its_land_does():
    assert refused("8PZ-2", "0505 0605", sea="0605")[0] == "cannot-enter"  # no hex for a unit at all
    assert step_cost(position("8PZ-2@0505", sea="0605").table, parse_hex("0505"), parse_hex("0605")) is None
    game = position("2SG@2805", map=True, side="allied")
    board = game.module.data.board
    shores = [at for at in sorted(board.marks["partial-sea"]) if board.terrain[at] == "clear"]
    beside, coast = next(
        (to, at) for at in shores for to in board.adjacent[at] if board.terrain[to] == "clear" and not board.joined(to, at)
    )
    assert cost("2SG", f"{beside} {coast}", map=True) == 1


@pytest.mark.rule("fall-of-tobruk", "tec.8")
def test_no_way_leads_over_the_sea():
    game = position("8PZ-2@0505", sea="0604 0605")
    game.axis(move("8PZ-2", to="0704"))
    assert (game.data("moved")["path"], game.data("moved")["cost"]) == (["0505", "0504", "0603", "0704"], {"8PZ-2": 3})


@pytest.mark.parametrize(("rule", "mp"), [("free", 1), ("+1", 2), ("+2", 3)])
def test_an_escarpment_costs_nothing_unless_the_game_is_played_so(rule, mp):
    assert cost("8PZ-2", "0505 0605", cliffs="0605/0505", escarpment_move=rule) == mp
    assert cost("8PZ-2", "0605 0505", cliffs="0605/0505", escarpment_move=rule) == mp  # downward too
    assert cost("8PZ-2", "0505 0605", cliffs="0605/0505", road="0505-0605", escarpment_move=rule) == "1/4"


@pytest.mark.rule("fall-of-tobruk", "move.2")
def test_an_escarpment_may_be_forbidden_off_road():
    assert refused("8PZ-2", "0505 0605", cliffs="0605/0505", escarpment_move="forbidden") == ("prohibited", "move.2")
    assert cost("8PZ-2", "0505 0605", cliffs="0605/0505", track="0505-0605", escarpment_move="forbidden") == "1/2"
