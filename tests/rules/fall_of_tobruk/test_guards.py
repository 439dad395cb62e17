"""What IF may test in The Fall of Tobruk, and what each side may see. Round 0505, clockwise from the top: 0504 0604 0605 0506 0405 0404."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.guards import holds
from services.rules.engine.model import Guard, IllegalOrder, Order
from tests.rules.fall_of_tobruk.fighting import fighting
from tests.rules.fall_of_tobruk.positions import DONE, Game, attack, position


def told(game: Game, who: str, test: str, negated: bool = False, **args: Any) -> bool:
    return holds(game.table, who, (Guard(test, args, negated),))


def test_places_units_and_zones() -> None:
    game = position("115@0505 88-1@0505 5EY@0506 2RGH-1@1505 74ART@1505", marks={"disrupted": "2RGH-1"})
    assert told(game, "axis", "held", hex="0505", side="AXIS")
    assert told(game, "axis", "held", hex="1802", side="ALLIED")  # Tobruk
    assert not told(game, "axis", "held", hex="1803", side="ALLIED")
    assert not told(game, "axis", "free", hex="0605")
    assert told(game, "axis", "free", hex="0504")
    assert told(game, "allied", "engaged", unit="115")
    assert not told(game, "allied", "engaged", unit="2RGH-1")
    assert told(game, "allied", "at", unit="115", hex="0505")
    assert not told(game, "allied", "alive", unit="104")
    assert told(game, "allied", "alive", unit="115")
    assert [told(game, "axis", "holds", hex="1505", kind=kind) for kind in ("TANKS", "GRANT", "ARTILLERY", "INFANTRY")] == [
        True,
        True,
        True,
        False,
    ]
    assert told(game, "allied", "holds", hex="0505", kind="FLAK")
    assert told(game, "axis", "disrupted", unit="2RGH-1")
    assert told(game, "axis", "disrupted", hex="1505")
    assert not told(game, "axis", "disrupted", hex="0506")
    for args, code in (({"hex": "0505", "kind": "PONIES"}, "no-such-kind"), ({"hex": "0505", "side": "SPAIN"}, "no-such-side")):
        with pytest.raises(IllegalOrder) as caught:
            told(game, "axis", "holds" if "kind" in args else "held", **args)
        assert caught.value.code == code


def test_supply_as_it_stands() -> None:
    cut = position("115@0505 104@0203 5EY@0504 6GH@0604 7GH@0605 2SG@0506 3CG@0405 9RB@0404")
    assert [told(cut, "axis", "supplied", unit=unit) for unit in ("115", "104", "5EY", "8PZ-2")] == [False, True, True, False]


def test_odds_of_the_line_itself_and_of_an_attack_by_its_name() -> None:
    def sent(ratio: int) -> Game:
        line = attack("0506", "115 104")
        game = fighting("115@0505 104@0605 2SG@0506 5EY@1505")
        guarded = Order(
            0, line.verb, line.args, None, (Guard("odds", {"at_least": ratio, "label": None}),), attack("0506", "115 104", label="A9")
        )
        game.axis(guarded)
        return game

    def label(game: Game) -> str | None:
        (gathered,) = game.state.sets["axis/declaration"]
        return gathered.label

    assert label(sent(5)) is None  # 30 against 6
    game = sent(6)
    assert label(game) == "A9"
    game = fighting("115@0505 KDG@0506 5EY@1505", tempo="full")
    game.axis(attack("0506", "115", label="A1"), DONE)
    assert game.place == "5 axis slip 1"
    assert told(game, "allied", "odds", label="A1", at_least=5)  # 15 against 3
    assert not told(game, "allied", "odds", label="0506", at_least=6)
    with pytest.raises(IllegalOrder) as caught:
        told(game, "allied", "odds", label="A7", at_least=5)
    assert caught.value.code == "no-result-yet"
    with pytest.raises(IllegalOrder) as caught:
        told(game, "allied", "odds", at_least=5)
    assert caught.value.code == "no-such-guard"


def test_both_sides_see_the_whole_table_and_no_more() -> None:
    game = position("115@0505 5EY@0506 6GH@1505", own={"exits": {"tanks": 3, "infantry": 1, "artillery": 0}}, marks={"unsupplied": "115"})
    axis, allied, nobody = (game.view(side) for side in ("axis", "allied", None))
    assert axis["counters"] == allied["counters"] == nobody["counters"]
    assert len(axis["counters"]) == len(game.state.counters)
    differing = {key for key in axis["own"] if axis["own"][key] != allied["own"][key]}
    assert differing == {"ezoc"}
    assert nobody["own"]["ezoc"] == []
    assert "0605" in axis["own"]["ezoc"]
    assert axis["own"]["quotas"]["tanks"] == {"done": 17, "need": 18}  # 14 reserve tanks at hand
    assert (axis["own"]["date"], axis["own"]["last_turn"], axis["own"]["tobruk"]) == ("30 May", 30, "allied")
    assert axis["own"]["supply"] == {"traced": [], "out": ["0505"]}
    axis["own"]["exits"].clear()  # a view is a copy
    assert game.own("exits")["tanks"] == 3
