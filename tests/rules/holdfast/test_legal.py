"""Legal orders at the ends of play, guards that name nobody, and stored lines that no packet could bring."""

from dataclasses import replace

import pytest

from services.rules.engine.model import Guard, Tail
from services.rules.games.holdfast.legal import legal
from tests.rules.holdfast.positions import DONE, attack, move, numbered, order, position


def test_without_rp_nothing_is_legal_but_to_be_done():
    assert [o.verb for o in legal(position("21PZ@1803 22GDS@1904", rp=(0, 10)).table, "axis")] == ["DONE"]
    found = [o.verb for o in legal(position("21PZ@1803 22GDS@1904", rp=(1, 10)).table, "axis")]
    assert {"MOVE", "ATTACK", "DONE"} == set(found)


def test_after_the_end_of_the_game_nothing_is_legal():
    game = position("21PZ@3907 22GDS@0511", cities="0210 0504 1803 2204 3907")
    game.axis(DONE)
    assert (game.state.over.level, game.place) == ("automatic", "1 axis cities")
    assert [legal(game.table, side) for side in ("axis", "allied")] == [(), ()]


def test_a_guard_on_a_side_that_the_game_lacks_is_refused():
    game = position("21PZ@1803 22GDS@3508")
    guard = Guard("held", {"hex": "1803", "side": "BRITISH"})
    (rejection,) = game.axis(order("MOVE", units=["21PZ"], path=["1904"], guard=(guard,))).rejections
    assert (rejection.code, rejection.details) == ("no-such-side", {"side": "british"})


def test_a_step_that_the_game_has_not_is_refused_with_each_of_its_steps_named_once():
    game = position("21PZ@1803 22GDS@3508")
    (rejection,) = game.axis(order("PHASE", name="tea")).rejections
    assert (rejection.code, rejection.details) == ("no-such-step", {"name": "tea", "steps": ["build", "action"]})


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (move("21PZ", to="9999"), "no-way"),
        (move("21PZ", to="1804", via=["9999"]), "no-way"),
        (move("21PZ", "9999"), "not-adjacent"),
        (move("21PZ", "1904 9999"), "not-adjacent"),
        (move("21PZ"), "malformed"),
        (attack("9999", "21PZ"), "no-enemy-there"),
    ],
)
def test_a_waiting_line_that_no_packet_could_bring_stops_its_script(line, code):
    game = position("21PZ@1803 22GDS@3508")
    game.state = replace(game.state, tails={"axis": Tail(numbered([line]))})
    game.allied(order("DUTY", auto=True))
    assert [(e.data["line"], e.data["code"]) for e in game.events("script_stopped")] == [(1, code)]
    assert game.at("21PZ") == "1803"
