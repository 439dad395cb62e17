"""15.0 The order of appearance: on which turn each unit comes, row by row; and the nine convoys."""

from dataclasses import replace
from functools import cache

import pytest

from services.rules.games.beda_fomm import arrivals
from tests.rules.beda_fomm.positions import Game, historical, module, one, order

CONTACT = {"turn": 1, "side": "italian", "unit": "COL-AT", "hex": "1728"}
ROWS = [
    (1, "italian", "COL-ART COL-AT COL-LAA"),
    (3, "italian", "PIA-PARA PIA-ART PIA-AT"),
    (4, "italian", "CRU-ART CRU-HAA CRU-LAA"),
    (5, "italian", "FER-INF FER-ART FER-AT"),
    (5, "british", "7H-1 7H-2 7H-3"),
    (6, "italian", "MOE-ART1 MOE-ART2 MOE-LAA"),
    (6, "british", "4ARM-HQ 2RT-1 2RT-2 2RT-3 2RT-L F-4RHA"),
    (7, "italian", "10B-AT"),
    (8, "italian", "BAB-21-1 BAB-21-2 BAB-21-3 BAB-21-4 BAB-MC PAS-ART PAS-HAA PAS-INF"),
    (9, "italian", "BAB-6-1 BAB-6-2 BAB-6-3 BAB-6-4 BAB-6-5 BAB-6-6"),
    (9, "british", "3H-1 3H-2 3H-3 J-3RHA"),
    (10, "italian", "ALL-MG ALL-ART ALL-AT"),
    (11, "italian", "BAB-5-1 BAB-5-2 BAB-ART BAB-AT"),
    (15, "british", "1RT-1 1RT-2 1RT-L"),
    (18, "italian", "SAB-3 SAB-4 SAB-5 SAB-MG SAB-ART1 SAB-ART2"),  # SAB-1 and SAB-2 ride in convoys here
    (19, "italian", "BAB-3-1 BAB-3-2"),
    (20, "italian", "BIG-1 BIG-2 BIG-MG BIG-ART BIG-AT"),
    (21, "italian", "BAB-61-1 BAB-61-2"),
]
CONVOYS = [1, 2, 3, 4, 5, 6, 7, 9, 10]
FORCE = {"2RB-A", "2RB-B", "2RB-C", "2RB-D", "C-4RHA", "106RHA", "11H-1", "11H-2", "KDG-B"}


@cache
def start():
    game = historical()
    game.british(order("DONE", auto=True))
    game.italian(order("DONE", auto=True))
    return game.state


def at(turn: int, side: str, called: int = 9) -> Game:
    """The units of the start as they wait, in a movement phase after the opening."""
    path = (("turn", turn), ("player-turn", side), ("step", "movement"))
    return Game(replace(start(), path=path, own={**start().own, "contact": CONTACT, "called": called}))


@pytest.mark.rule("beda-fomm", "15.0a", "16.11b", "14.32a")
@pytest.mark.parametrize(("turn", "side", "units"), ROWS)
def test_each_unit_comes_on_its_turn_and_not_before(turn, side, units):
    for unit in units.split():
        where = {"hex": "3310"} if side == "british" else {}
        if turn > 1:
            game = at(turn - 1, side)
            game.send(side, one("ENTER", unit, **where))
            assert game.refusal() == ("not-due", "15.0a")
            assert game.last.rejections[0].details["turn"] == turn
        game = at(turn, side)
        game.send(side, one("ENTER", unit, **where))
        assert game.data("arrived")["hex"] == ("3310" if side == "british" else "2001" if unit.startswith("BIG") else "0901")


@pytest.mark.rule("beda-fomm", "15.0a", "15.23a")
def test_convoys_appear_one_at_a_time_on_nine_turns():
    found = [turn for turn in range(1, 29) for _ in range(arrivals.callable_convoys(at(turn, "italian", CONVOYS_BEFORE[turn]).table))]
    assert found == CONVOYS


CONVOYS_BEFORE = {turn: sum(n < turn for n in CONVOYS) for turn in range(1, 29)}


@pytest.mark.rule("beda-fomm", "15.0a")
def test_every_unit_of_the_counter_mix_comes_in_once_or_is_set_up():
    convoys = {unit for one in start().own["convoys"].values() for unit in (*one["transports"], one["personnel"])}
    rows = [unit for _, _, units in ROWS for unit in units.split()]
    assert len(rows) == len(set(rows))
    assert set(rows) | convoys | FORCE == set(module().data.cards)
    assert len(rows) + len(convoys) + len(FORCE) == len(module().data.cards)
    assert len(convoys) == 27
