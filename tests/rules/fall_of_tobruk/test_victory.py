"""Victory Conditions: Tobruk, the evacuation quotas, and the last day."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scenarios.hexes import parse_hex
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import Packet
from services.rules.engine.sequence import NOBODY, PHASING, PlayerTurn, Sequence, Step, on
from services.rules.games.fall_of_tobruk import setup, victory
from services.rules.games.fall_of_tobruk.orders import Stand
from tests.rules.fall_of_tobruk.positions import DONE, Game, order, position

LAST = 30  # 24 June
AFTER = Step("after", "seq.5", PHASING, accepts=(on(Stand, lambda adj, args, order: None),))


def day(
    units: str, *, turn: int = LAST, exits: tuple[int, int, int] = (0, 0, 0), reserve: dict[str, int] | None = None, **more: Any
) -> Game:
    """The end of a day: the Allied half of it is there to be closed."""
    own = {"exits": dict(zip(("tanks", "infantry", "artillery"), exits, strict=True)), **more.pop("own", {})}
    if reserve is not None:
        own["reserve"] = dict.fromkeys(("grant", "crusader", "stuart", "valentine", "matilda"), 0) | {
            "pz-iiih": 2,
            "pz-iiij": 1,
            "pz-iv": 1,
        }
        own["reserve"] |= reserve
    play = position(units, side="allied", step="after", turn=turn, steps=(AFTER,), own=own, **more)
    turns = tuple(PlayerTurn(side, (AFTER,)) for side in ("axis", "allied"))
    record = Step("turn record", "calendar.1", NOBODY, enter=victory.turn_record)
    play.module = replace(play.module, sequence=Sequence(turn=(*turns, record)))
    return play


def over(play: Game) -> tuple[str | None, str, str]:
    found = play.state.over
    assert found is not None
    return found.winner, found.level, found.why


# -- who holds Tobruk ------------------------------------------------------------------------------------------------------------


def taken(play: Game, side: str, *hexes: str) -> str:
    adj = Adjudication(play.module, play.state, Packet("p", "axis"), ScriptedDice(()))
    victory.taken(adj, side, [parse_hex(at) for at in hexes])
    return str(adj.own["tobruk"])


@pytest.mark.rule("fall-of-tobruk", "victory.1")
def test_tobruk_is_held_by_whose_unit_was_the_last_to_end_there():
    play = position("115@1801 5EY@1505")
    assert play.own("tobruk") == "allied"
    assert taken(play, "axis", "1801") == "allied"
    assert taken(play, "axis", "1801", "1802") == "axis"
    play = position("115@1801 5EY@1505", own={"tobruk": "axis"})
    assert taken(play, "allied", "1802") == "allied"
    assert taken(play, "axis", "1802") == "axis"


# -- quotas ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "victory.4", "victory.5", "victory.6", "victory.7")
def test_what_leaves_over_the_east_edge_counts_by_its_kind():
    play = position("2RGH-1@1505 42RT-1@1505 5EY@1506 2SG@1506 74ART@1507 KDG@1508 232ENG@1509 1SP@1510 115@0505")
    kinds = {unit: victory.exit_class(play.table, unit) for unit in play.state.counters}
    assert (kinds["2RGH-1"], kinds["42RT-1"]) == ("tanks", "tanks")
    assert (kinds["5EY"], kinds["2SG"], kinds["74ART"]) == ("infantry", "infantry", "artillery")
    assert (kinds["KDG"], kinds["232ENG"], kinds["1SP"]) == (None, None, None)  # FT-56
    assert victory.exited(play.table, "5EY") == [("own", ("exits", "infantry"), 1)]
    assert victory.exited(play.table, "KDG") == []


@pytest.mark.rule("fall-of-tobruk", "victory.2", "victory.3", "victory.4", "victory.5", "victory.6")
@pytest.mark.parametrize(
    ("exits", "level"),
    [((18, 9, 5), "marginal"), ((17, 9, 5), "total"), ((18, 8, 5), "total"), ((18, 9, 4), "total"), ((0, 0, 0), "total")],
)
def test_only_all_three_quotas_make_an_axis_win_marginal(exits, level):
    play = day("115@1802 5EY@1505", exits=exits, reserve={}, own={"tobruk": "axis"})
    play.allied(DONE)
    assert over(play) == ("axis", level, "victory.2" if level == "total" else "victory.3")


@pytest.mark.rule("fall-of-tobruk", "victory.8")
@pytest.mark.parametrize(("stock", "level"), [({"grant": 4, "crusader": 6}, "marginal"), ({"grant": 4, "crusader": 5}, "total")])
def test_allied_reserve_tanks_never_committed_count_as_tanks_out(stock, level):
    play = day("115@1802 5EY@1505", exits=(8, 9, 5), reserve=stock, own={"tobruk": "axis"})
    play.allied(DONE)
    assert over(play)[:2] == ("axis", level)
    assert play.data("tobruk_held")["quotas"]["tanks"] == {"done": 8 + sum(stock.values()), "need": 18}


@pytest.mark.rule("fall-of-tobruk", "victory.1")
def test_the_allies_win_by_holding_tobruk_whatever_has_left():
    play = day("115@1801 5EY@1802")
    play.allied(DONE)
    assert over(play) == ("allied", "total", "victory.1")


# -- the calendar ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "calendar.1", "calendar.4")
def test_days_run_without_a_gap_to_the_24th_of_june():
    play = day("115@1801 5EY@1802", turn=LAST - 1)
    play.allied(DONE)
    assert (play.place, setup.date(play.table)) == ("30 axis after", "24 June")
    assert [setup.date(position("115@0505", turn=turn).table) for turn in (1, 6, 7, 8)] == ["26 May", "31 May", "1 June", "2 June"]
    play = day("115@1801 5EY@1802", last_day="26 June")
    play.allied(DONE)
    assert play.place == "31 axis after"  # by option the game goes on to the 26th
    play = day("115@1801 5EY@1802", turn=32, last_day="26 June")
    play.allied(DONE)
    assert over(play)[0] == "allied"


@pytest.mark.rule("fall-of-tobruk", "victory.1")
def test_of_a_tobruk_of_two_hexes_the_axis_needs_both():
    play = position("115@1801 5EY@1505")
    board = replace(play.module.data.board, marks={"held": frozenset({parse_hex("1802"), parse_hex("1803")})})
    play.module = replace(play.module, data=replace(play.module.data, board=board))
    assert taken(play, "axis", "1802") == "allied"
    assert taken(play, "axis", "1802", "1803") == "axis"
    lost = position("115@1803 5EY@1505", own={"tobruk": "axis"})
    lost.module = play.module
    assert taken(lost, "allied", "1802") == "allied"


@pytest.mark.rule("fall-of-tobruk", "victory.1", "repair.16")
def test_a_tank_recovered_in_tobruk_takes_it():
    wreck = {"n": 1, "side": "axis", "hex": "1802", "tanks": [{"unit": "8PZ-2", "turn": 4, "half": "axis"}]}
    game = position("115@1702 8PZ-2@wreck 5EY@0909", step="repair", own={"wrecks": [wreck]})  # nobody is left in Tobruk
    game.axis(order("RECOVER", tank="8PZ-2", mode="AUTO"), DONE)
    assert (game.at("8PZ-2"), game.own("tobruk")) == ("1802", "axis")
