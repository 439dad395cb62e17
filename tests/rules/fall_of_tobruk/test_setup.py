"""Setting Up the Game: where the charts put units, and what each side places by orders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scenarios.hexes import parse_hex
from services.rules.engine.adjudication import begin
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import IllegalOrder
from services.rules.engine.sequence import PHASING, PlayerTurn, Sequence, Step, on
from services.rules.games.fall_of_tobruk import placement, stacking
from services.rules.games.fall_of_tobruk.orders import Stand
from services.rules.games.fall_of_tobruk.regiments import parts_of
from services.rules.games.fall_of_tobruk.state import kind_of, value
from tests.rules.fall_of_tobruk.positions import HIDDEN, Game, module, order

AFTER = Step("after", "seq.5", PHASING, accepts=(on(Stand, lambda adj, args, order: None),))
DONE, CONFIRM, AUTO = order("DONE"), order("DONE", confirm=True), order("DONE", auto=True)
ALLIED = ("7MTR", "67MTR", "68MTR", "RPS", "DM", "KDG", "12L", "1SP")
AXIS = ("88-1", "88-2", "88-3", "288", "605", "7B", "XI-1", "XI-2", "XI-3", "132ENG")


def start(**options: Any) -> Game:
    """The game as it begins, with the placing of units and nothing else."""
    whole = module(printed=True)
    turns = tuple(PlayerTurn(side, (AFTER,)) for side in ("axis", "allied"))
    game = replace(whole, sequence=Sequence(setup=placement.STEPS, turn=turns))
    chosen = {key: spec.default for key, spec in game.data.options.items()} | options
    laid_out = game.new_game(game.data, game.data.scenarios["gazala"], chosen, HIDDEN)
    return Game(begin(game, laid_out, ScriptedDice(())).state, game)


def place(unit: str, at: str) -> Any:
    return order("PLACE", unit=unit, hex=at)


def at_axis() -> Game:
    """The Axis's turn to place, after the Allies have placed nobody but the Lancers."""
    play = start()
    play.allied(place("12L", "1217"), CONFIRM)
    return play


# -- the charts ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "setup.1", "setup.2", "setup.4", "setup.14")
def test_charted_units_stand_in_their_hexes_and_every_other_counter_lies_in_its_box():
    play = start()
    tables = play.module.data.scenarios["gazala"].tables
    for row in tables["setup"]:
        assert {play.at(unit) for unit in row["units"]} == {row["hex"]}
    assert (play.at("5EY"), play.at("4EY"), play.at("4GH")) == ("0909", "1114", "1113")  # one battalion of 150 Brigade is detached
    assert {play.at(unit) for unit in tables["available"]["axis"]} == {"box:component"}
    assert (play.at("2HLI"), play.state.counters["2HLI"].num["due"]) == ("edge:off", 7)  # 1 June
    assert set(play.state.counters) == set(play.module.data.cards)


@pytest.mark.rule("fall-of-tobruk", "setup.3", "breakdown.7")
def test_no_regiment_stands_beside_its_own_battalions():
    play = start()
    for regiment in ("115", "104", "155", "361", "8B", "9B"):
        assert play.at(regiment).isdigit()
        assert {play.at(unit) for unit in parts_of(play.table, regiment)} == {"box:component"}


@pytest.mark.rule("fall-of-tobruk", "setup.4", "setup.12", "setup.13")
def test_units_tagged_for_free_placement_wait_in_their_box():
    play = start()
    assert {unit for unit in play.state.counters if play.at(unit) == "box:setup"} == {*ALLIED, *AXIS}
    play.allied(place("5EY", "1910"))
    assert play.refusal() == ("not-placed-by-orders", "setup.4")


@pytest.mark.rule("fall-of-tobruk", "reserve.1", "reserve.10", "reserve.11", "reserve.12")
def test_the_stocks_of_reserve_tanks_as_the_game_begins():
    assert start().own("reserve") == {
        "grant": 4,
        "crusader": 6,
        "stuart": 4,
        "valentine": 0,
        "matilda": 0,
        "pz-iiih": 2,
        "pz-iiij": 1,
        "pz-iv": 1,
    }


# -- free placement --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "setup.5", "setup.6")
def test_the_allies_place_first_and_the_axis_sees_where():
    play = start()
    assert play.place == "allied placement"
    play.allied(place("12L", "1217"), place("KDG", "1311"))
    assert play.at("12L") == "box:setup"  # gathered, and in nobody's sight
    assert play.view("axis")["sets"] == {}
    play.allied(CONFIRM)
    assert play.place == "axis placement"
    assert (play.at("12L"), play.at("KDG")) == ("1217", "1311")
    play.axis(place("605", "0819"), place("288", "0819"), CONFIRM)
    assert (play.at("605"), play.at("288"), play.place) == ("0819", "0819", "1 axis after")


@pytest.mark.rule("fall-of-tobruk", "setup.7", "setup.13")
def test_no_more_units_in_a_hex_than_may_stack():
    play = at_axis()
    play.axis(place("7B", "0620"), place("605", "0620"), place("288", "0620"))  # three battalions, a gun company, one battalion more
    assert play.refusal() == ("stacking", "setup.7")
    play.axis(place("7B", "0615"))
    assert play.last.status == "done"
    play.axis(place("288", "0615"))
    play.axis(CONFIRM)  # what was gathered by several mails is looked at again
    assert play.refusal() == ("stacking", "setup.7")
    play.axis(AUTO)
    assert play.at("7B") == "0615"
    assert play.at("288") not in ("0615", "box:setup")  # where there was no room for it, it is placed elsewhere


@pytest.mark.rule("fall-of-tobruk", "setup.8")
def test_nobody_is_placed_next_to_an_enemy_or_on_one():
    play = start()
    play.allied(place("KDG", "1222"))  # next to the panzers in 1223
    assert play.refusal() == ("next-to-the-enemy", "setup.8")
    play.allied(place("KDG", "1223"))
    assert play.refusal() == ("enemy-there", "setup.8")
    play.allied(place("KDG", "0920"), CONFIRM)  # next to Ariete
    assert play.refusal() == ("next-to-the-enemy", "setup.8")
    play = start()
    play.allied(place("12L", "1117"), CONFIRM)
    play.axis(place("605", "1017"))
    assert play.refusal() == ("next-to-the-enemy", "setup.8")  # as the Allies have placed it


@pytest.mark.rule("fall-of-tobruk", "setup.9")
@pytest.mark.parametrize(("at", "code"), [("0912", "beyond-the-line"), ("1012", None), ("1017", "beyond-the-line"), ("1117", None)])
def test_the_allies_stay_east_of_the_line_which_is_theirs(at, code):
    play = start()
    play.allied(place("12L", at), check=True)
    assert play.codes() == ([code] if code else [])
    assert code is None or play.last.rejections[0].clause == "setup.9"


@pytest.mark.rule("fall-of-tobruk", "setup.10")
@pytest.mark.parametrize("at", ["1117", "1515", "2225"])
def test_the_axis_stays_west_of_the_line(at):
    play = start()
    play.allied(place("12L", "2715"), CONFIRM)
    play.axis(place("605", at))
    assert play.refusal() == ("beyond-the-line", "setup.10")


@pytest.mark.rule("fall-of-tobruk", "setup.11")
def test_the_axis_keeps_off_the_mines():
    play = at_axis()
    play.axis(place("605", "0912"))  # the belt runs along its eastern side
    assert play.refusal() == ("next-to-mines", "setup.11")
    play.axis(place("605", "0812"), CONFIRM)
    assert play.at("605") == "0812"


# -- who is not placed -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "setup.5")
def test_who_is_left_in_the_box_is_asked_for_and_stays_there_if_confirmed():
    play = start()
    play.allied(place("12L", "1217"), DONE)
    assert play.refusal() == ("units-not-placed", "setup.5")
    assert play.last.rejections[0].details["units"] == [unit for unit in ALLIED if unit != "12L"]
    play.allied(place("12L", "1217"), CONFIRM)
    assert (play.at("12L"), play.at("KDG"), play.place) == ("1217", "box:setup", "axis placement")


@pytest.mark.rule("fall-of-tobruk", "setup.5", "setup.6", "setup.7", "setup.8")
def test_auto_places_all_that_are_left_by_the_rules():
    play = start()
    play.allied(place("12L", "1217"), AUTO)
    assert play.at("12L") == "1217"
    play.axis(AUTO)
    for side, units in (("allied", ALLIED), ("axis", AXIS)):
        for unit in units:
            assert placement._legal(play.table, side, unit, parse_hex(play.at(unit))), unit
        assert not stacking.overfull(play.table, side)
    assert play.place == "1 axis after"
    assert play.events("unplaced") == []


@pytest.mark.rule("fall-of-tobruk", "setup.5", "setup.8")
def test_auto_says_whom_it_has_not_placed(monkeypatch):
    lawful = placement.check_hex

    def only_the_lancers(table: Any, side: str, unit: str, at: Any) -> None:
        if unit not in ("12L", "KDG"):
            raise IllegalOrder("setup.8", "enemy-there", hex=str(at))
        lawful(table, side, unit, at)

    monkeypatch.setattr(placement, "check_hex", only_the_lancers)
    play = start()
    play.allied(AUTO)
    assert play.data("unplaced") == {"side": "allied", "units": [unit for unit in ALLIED if unit not in ("12L", "KDG")]}
    assert ("box" in play.at("12L"), "box" in play.at("KDG"), play.at("DM")) == (False, False, "box:setup")


# -- the printed lists -----------------------------------------------------------------------------------------------------------


def printed(play: Game, unit: str) -> tuple[int, ...]:
    """Antitank, combat and movement; of artillery its factor and range too."""
    found = tuple(value(play.table, unit, name) for name in ("antitank", "combat", "ma", "factor", "range"))
    return found if found[4] else found[:3]


@pytest.mark.rule("fall-of-tobruk", "oob.1", "oob.2", "oob.3", "oob.4", "oob.5")
def test_allied_brigades_as_their_order_of_battle_has_them():
    play = start()
    assert {(play.at(unit), printed(play, unit)) for unit in ("5EY", "6GH", "7GH")} == {("0909", (1, 5, 5))}
    assert (play.at("74ART"), printed(play, "74ART")[:3]) == ("0909", (6, 1, 6))
    assert (play.at("4EY"), printed(play, "4EY")) == ("1114", (1, 5, 5))
    guards = {unit: printed(play, unit)[:3] for unit in ("2SG", "3CG", "9RB", "201ART")}
    assert guards == {"2SG": (2, 6, 6), "3CG": (2, 6, 6), "9RB": (2, 5, 6), "201ART": (6, 1, 6)}
    assert {play.at(unit) for unit in guards} == {"1912"}
    assert (play.at("1RB"), printed(play, "1RB")) == ("2112", (2, 5, 6))
    doubtful = [unit for unit, card in play.module.data.cards.items() if card.values["confidence"] == "doubtful"]
    assert {"1TS", "4SA"} <= set(doubtful)  # labels that are small print


@pytest.mark.rule("fall-of-tobruk", "oob.6", "oob.7", "oob.8")
def test_german_units_as_their_order_of_battle_has_them():
    play = start()
    models = {f"8PZ-{n}": kind_of(play.table, f"8PZ-{n}") for n in range(1, 9)}
    assert list(models.values()) == ["pz-ii", *["pz-iiih"] * 5, "pz-iiij", "pz-iv"]
    assert [printed(play, unit) for unit in ("8PZ-1", "8PZ-2", "8PZ-7", "8PZ-8")] == [(1, 3, 7), (3, 4, 7), (5, 4, 7), (4, 5, 7)]
    assert {play.at(unit) for unit in models} == {"1223"}
    assert (play.at("115"), printed(play, "115")) == ("1123", (6, 15, 7))
    german = [unit for unit, card in play.module.data.cards.items() if card.nation == "german"]
    of_three = {figures: sorted(u for u in german if printed(play, u) == figures) for figures in ((1, 5, 7), (2, 4, 10), (12, 2, 7))}
    assert [len(units) for units in of_three.values()] == [3, 3, 3]


@pytest.mark.rule("fall-of-tobruk", "oob.9", "oob.10", "oob.11")
def test_italian_units_as_their_order_of_battle_has_them():
    play = start()
    assert [(play.at(unit), printed(play, unit)) for unit in ("19", "20", "86")] == [
        ("0511", (0, 9, 3)),
        ("0610", (0, 9, 3)),
        ("0405", (0, 6, 3)),
    ]
    assert {(play.at(unit), printed(play, unit)) for unit in ("55ART-1", "55ART-2")} == {("0611", (2, 1, 5, 6, 4))}
    assert {play.module.data.cards[unit].values["parent"] for unit in ("85", "86")} == {"Sabrata"}  # both numbers are kept


@pytest.mark.rule("fall-of-tobruk", "reinf.1", "reinf.3", "calendar.2", "calendar.3", "new.8")
def test_reinforcements_wait_for_their_days():
    play = start()
    due = {unit: int(c.num["due"]) for unit, c in play.state.counters.items() if str(c.place) == "edge:off"}
    by_day = {day: {unit for unit, turn in due.items() if turn == day} for day in sorted(set(due.values()))}
    assert by_day[7] == {"2HLI", "2-4GR", "4-10BAL", "28ART"}  # 1 June
    assert [printed(play, unit)[:3] for unit in ("2HLI", "2-4GR", "4-10BAL", "28ART")] == [(1, 5, 5), (1, 5, 5), (1, 4, 5), (6, 1, 6)]
    assert by_day[26] == {"133-1", "133-2", "133-3", "12B", "12ART"}  # 20 June
    assert [printed(play, unit) for unit in ("133-1", "12B", "12ART")] == [(1, 3, 6), (3, 12, 6), (2, 1, 5, 6, 4)]
    sides = {
        side: [day for day in by_day if {play.state.counters[unit].side for unit in by_day[day]} == {side}] for side in ("allied", "axis")
    }
    assert sides == {"allied": [7, 9, 12, 14], "axis": [26]}  # 1, 3, 6, 8 June; 20 June
