"""Battles read from the events of games with odds as from Holdfast's, and what their tags say."""

from __future__ import annotations

from typing import Any

from scenarios.hexes import Hex
from services.render.draw.room import Area, around, overlap
from services.render.happened.fights import Check, battles
from services.render.happened.fire import Fire, fires, hits
from services.render.happened.losses import losses, notes
from services.render.happened.tags import _clear, _place, tag_lines
from services.render.panel.record import rolls
from tests.render.boards import own, view


def battle(label: str, at: str, **more: object) -> dict[str, object]:
    return {"kind": "battle", "data": {"label": label, "hex": at, "attackers": [], "defender": {"unit": "D"}, **more}}


def test_odds_and_result_come_with_the_battle_or_after_it() -> None:
    events = [
        battle("A1", "0101", odds="3-1"),
        battle("A2", "0201"),
        {"kind": "odds", "data": {"label": "A2", "attack": 12, "defence": 8, "column": "1-1"}},
        {"kind": "result", "data": {"label": "A1", "result": "DR2"}},
        {"kind": "result", "data": {"label": "A2", "result": "Exch"}},
    ]
    first, second = battles(view([], events).events)
    assert (first.score, second.score) == ("3-1 DR2", "1-1 Exch")


def test_hits_are_told_as_dealt_and_taken() -> None:
    hits = {"kind": "hits", "data": {"label": "A1", "on": "defender", "units": [{"unit": "D", "hits": 2}, {"unit": "E", "hits": 1}]}}
    (one,) = battles(view([], [battle("A1", "0101"), hits]).events)
    assert one.score == "3 hits : 0"
    (untold,) = battles(view([], [battle("A1", "0101")]).events)
    assert untold.score == ""


def test_a_tag_tells_the_battles_of_its_hex_then_what_was_lost_in_it() -> None:
    gone = [{"kind": "eliminated", "data": {"hex": "0101", "unit": name}} for name in ("ONE", "TWO")]
    seen = view([], [battle("A1", "0101", odds="2-1", result="DE"), *gone, battle("A2", "0201")])
    lines = tag_lines(battles(seen.events), losses(seen.events))
    assert lines[Hex(1, 1)] == [("battle", "A1 2-1 DE"), ("lost", "ONE"), ("lost", "TWO")]
    assert lines[Hex(2, 1)] == [("battle", "A2")]


def test_a_long_tag_counts_what_it_leaves_out() -> None:
    lines = tag_lines([], [(Hex(1, 1), f"U{k}") for k in range(9)])[Hex(1, 1)]
    assert lines == [("lost", "U0"), ("lost", "U1"), ("lost", "U2"), ("lost", "U3"), ("lost", "and 5 more")]


def test_a_tag_stands_where_the_line_to_its_hex_crosses_no_name() -> None:
    """Counters to the left, right and below, a name above: the tag goes to a corner, not beyond the name."""
    counters = [around((100 + dx, 200 + dy), 60, 60) for dx, dy in ((0, 0), (-60, 0), (60, 0), (0, 60))]
    name: Area = (60, 140, 140, 160)
    tag = _place((100, 200), (50, 20), 40, [*counters, name], (400, 400))
    assert not any(overlap(tag, other) for other in [*counters, name])
    assert _clear((100, 200), tag, 40, [*counters, name])
    assert not _clear((100, 200), (75, 100, 125, 120), 40, [*counters, name])


def rolled(why: str, at: str, *dice: int) -> dict[str, object]:
    return {"kind": "rolled", "data": {"why": why, "site": at, "dice": list(dice)}}


def check(unit: str, passed: bool, cause: str = "combat") -> dict[str, object]:
    return {"kind": "morale_check", "data": {"unit": unit, "passed": passed, "cause": cause}}


def test_the_morale_checks_that_a_combat_brings_are_told_with_it_and_others_are_not() -> None:
    """Beda Fomm: a barrage on 1519, then the combat there, with a check of each defender."""
    events = [
        *(rolled("barrage", "1519", 5), {"kind": "barrage_result", "data": {"unit": "T-14", "result": "M"}}),
        *(rolled("morale", "1519", 1, 1), check("T-14", True, "barrage")),
        battle("1519", "1519", odds="1:1"),
        *(rolled("combat", "1519", 5), {"kind": "result", "data": {"label": "1519", "hex": "1519", "result": "DM"}}),
        *(rolled("morale", "1519", 6, 1), check("T-14", False)),
        *(rolled("morale", "1519", 2, 2), check("T-2", True)),
    ]
    found = view([], events).events
    (one,) = battles(found)
    assert (one.score, one.attack_dice, one.defence_dice) == ("1:1 DM", (5,), ())
    assert one.checks == (Check("T-14", (6, 1), False), Check("T-2", (2, 2), True))
    assert [(roll.why, roll.dice, roll.result) for roll in rolls(found, {})] == [
        ("Barrage, T-14 (1519)", (5,), "M"),
        ("Morale, T-14 (1519)", (1, 1), "holds"),
    ]


def test_shots_with_an_effect_and_first_contact_stand_on_tags() -> None:
    shot = {"units": ["BAB-6-4"], "column": "2:1", "hex": "0101", "target": "3H-1"}
    events = [
        {"kind": "contact", "data": {"unit": "11H-1", "hex": "0101"}},
        {"kind": "shot", "data": {**shot, "result": "DE"}},
        {"kind": "shot", "data": {**shot, "hex": "0201", "result": "-"}},
        {"kind": "eliminated", "data": {"hex": "0101", "unit": "3H-1"}},
    ]
    seen = view([], events)
    lines = tag_lines(battles(seen.events), losses(seen.events), notes(seen.events), hits(seen))
    assert lines == {Hex(1, 1): [("note", "First contact"), ("shot", "2:1 DE"), ("lost", "3H-1")]}


def test_fire_comes_from_each_hex_where_its_units_stood_then() -> None:
    """BAB-6-4 and BAB-6-5 fire from 1726 and 1625 at 1727; then one goes on, the other is lost. CRU-ART shells 1727 from 1721."""
    there = [{**own("BAB-6-4", "1926"), "card": None}]
    events = [
        {"kind": "barrage", "data": {"hex": "1727", "from": "1721", "guns": ["CRU-ART"], "factors": 5}},
        {"kind": "shot", "data": {"units": ["BAB-6-4", "BAB-6-5"], "hex": "1727", "target": "3H-1", "result": "DE"}},
        {"kind": "retreated", "data": {"unit": "BAB-6-4", "path": ["1726", "1826", "1926"]}},
        {"kind": "eliminated", "data": {"hex": "1625", "unit": "BAB-6-5"}},
    ]
    target = Hex(17, 27)
    assert fires(view(there, events)) == [
        Fire(Hex(17, 21), target, bursts=False),
        Fire(Hex(17, 26), target),
        Fire(Hex(16, 25), target),
    ]


def declared(label: str, *hexes: str, **where: str) -> dict[str, object]:
    return {"kind": "declared", "data": {"label": label, "hexes": list(hexes), "from": where, "units": [*where], "support": ["G1"]}}


def test_attacks_stand_as_declared_until_they_are_fought_or_come_to_nothing() -> None:
    odds = {"label": "A1", "odds": "3:1", "defenders": ["D1", "D2"]}
    said: list[dict[str, Any]] = [declared("A1", "0102", U1="0101", U2="0103"), {"kind": "package", "data": {"battles": [odds]}}]
    (one,) = battles(view([], said).events)
    assert (one.declared, one.hex, one.score, one.attackers, one.defender) == (True, Hex(1, 2), "3:1", "U1, U2", "D1, D2")
    (fought,) = battles(view([], [*said, battle("A1", "0102", odds="2:1", result="DR1")]).events)
    assert (fought.declared, fought.score) == (False, "2:1 DR1")
    for kind in ("attack_void", "battle_void"):
        assert battles(view([], [*said, {"kind": kind, "data": {"label": "A1"}}]).events) == []
    assert battles(view([], [{"kind": "declared", "data": {"label": "A1", "hex": "0102", "units": ["U1"]}}]).events) == []
    assert fires(view([own("G1", "0105"), own("U1", "0101")], said)) == [Fire(Hex(1, 5), Hex(1, 2))]


def test_a_battle_for_several_hexes_has_an_arrow_from_each_hex_to_those_beside_it() -> None:
    """0202 lies beside 0201, 0203 and 0102; 0201 and 0203 do not lie beside each other."""
    attackers = [{"unit": "A", "from": "0202"}, {"unit": "B", "from": "0204"}]
    (one,) = battles(view([], [{"kind": "battle", "data": {"label": "A1", "hexes": ["0201", "0203"], "attackers": attackers}}]).events)
    assert one.hex == Hex(2, 1)
    assert one.pairs == [(Hex(2, 2), Hex(2, 1)), (Hex(2, 2), Hex(2, 3)), (Hex(2, 4), Hex(2, 3))]


def test_aircraft_are_named_with_the_attackers_and_long_lists_are_cut() -> None:
    many = [{"unit": f"U{n}", "from": "0101"} for n in range(8)]
    seen = view([], [battle("A1", "0102", attackers=many[:2], air=["JU87"]), battle("A2", "0103", attackers=many)])
    assert [one.attackers for one in battles(seen.events)] == ["U0, U1, air JU87", "U0, U1, U2, U3, U4, 3 more"]


def test_an_attack_that_guns_make_hopeless_ends_below_the_table() -> None:
    seen = view([], [battle("A1", "0102", odds=None), {"kind": "outgunned", "data": {"label": "A1"}}])
    assert [one.score for one in battles(seen.events)] == ["below 1:5 AE"]


def test_what_came_of_an_air_fight_is_noted_but_no_miss() -> None:
    told = [
        {"kind": "air_fight", "data": {"hex": "0101", "unit": "SPIT", "target": "JU87", "result": result}} for result in ("miss", "abort")
    ]
    assert notes(view([], told).events) == [(Hex(1, 1), "SPIT – JU87: abort")]
