"""Counters: what shows on a block that one knows, and what does not on one that one does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.render.counters.counters import Look, look_of, sprite
from services.render.counters.pieces import counter_size
from services.render.counters.symbols import has_symbol
from services.render.style import style_sheet
from services.render.views import CounterView, read_view
from tests.render.boards import block, holdfast, own, wire

SHEET = style_sheet("holdfast", "light")
SIZE = counter_size(38)


def counter(raw: dict[str, Any]) -> CounterView:
    return read_view(wire([raw])).counters[0]


def colours(look: Look, size: int = SIZE) -> dict[int, int]:
    found: dict[int, int] = {}
    for index in sprite(look, size, SHEET).indices.tobytes():
        found[index] = found.get(index, 0) + 1
    return found


def test_a_known_block_shows_its_label() -> None:
    look = look_of(counter(own("21PZ", "0210", sp=3)), holdfast(), SHEET)
    assert (look.side, look.name, look.nation, look.symbol, look.formation) == ("axis", "21PZ", "german", "armour", "XX")
    assert (look.strength, look.most, look.tags) == (3, 4, {"reduced"})
    assert dict(look.values) == {"id": "21PZ", "dice": "5", "target": "6", "ma": "8", "strength": "3"}


def test_an_opened_counter_shows_its_strength_as_a_fact_and_one_seen_in_a_fight_as_memory() -> None:
    known = own("21PZ", "0210", sp=3)
    looks = {how: look_of(counter({**known, "known": how}), holdfast(), SHEET) for how in ("own", "open", "seen")}
    assert looks["open"] == looks["own"]
    assert colours(looks["seen"]) != colours(looks["open"])


@pytest.mark.rule("holdfast", "fog.1", "blocks.1", "blocks.2")
def test_an_unknown_block_shows_colour_and_alias_only() -> None:
    look = look_of(counter(block("V4", "0805")), holdfast(), SHEET)
    assert look == Look(side="allied", name="V4")
    seen = colours(look)
    labels = {SHEET.palette.index(nation.label) for nation in SHEET.style.counters.nations.values()}
    assert not labels & set(seen)
    face = SHEET.palette.index(SHEET.style.sides["allied"].face)
    assert seen[face] > SIZE * SIZE * 0.4
    assert SHEET.palette.index(SHEET.style.sides["axis"].face) not in seen


def test_a_nation_has_its_label() -> None:
    for unit, nation in (("21PZ", "german"), ("ARIETE", "italian"), ("9AUS", "british")):
        look = look_of(counter(own(unit, "0210", side=holdfast().cards[unit].side)), holdfast(), SHEET)
        assert colours(look)[SHEET.palette.index(nation)] > SIZE * SIZE * 0.25


def test_every_change_of_what_is_printed_changes_the_picture() -> None:
    plain = look_of(counter(own("PAVIA", "0210")), holdfast(), SHEET)
    others = [replace(plain, values=tuple((key, text if key != name else "9") for key, text in plain.values)) for name, _ in plain.values]
    others += [
        replace(plain, strength=3),
        replace(plain, symbol="armour"),
        replace(plain, badges=("moved",)),
        replace(plain, badges=("attacked",)),
        replace(plain, badges=("moved", "attacked")),
        replace(plain, tags=frozenset({"seen"})),
    ]
    pictures = [sprite(look, SIZE, SHEET).indices.tobytes() for look in (plain, *others)]
    assert len(set(pictures)) == len(pictures)


def test_badges_hide_no_figure() -> None:
    plain = look_of(counter(own("PAVIA", "0210")), holdfast(), SHEET)
    marked = look_of(counter(own("PAVIA", "0210", marks=("moved", "attacked"))), holdfast(), SHEET)
    assert marked.badges == ("moved", "attacked")
    label = (5, 5, SIZE - 9, SIZE - 11)
    assert sprite(plain, SIZE, SHEET).indices.crop(label).tobytes() == sprite(marked, SIZE, SHEET).indices.crop(label).tobytes()
    assert sprite(marked, SIZE, SHEET).indices.height > SIZE


def test_what_was_seen_in_battle_is_marked_as_past_knowledge() -> None:
    raw = {**own("9AUS", "1803", side="allied", sp=2), "known": "seen", "since": "1941-05"}
    look = look_of(counter(raw), holdfast(), SHEET)
    assert (look.seen, look.strength) == (True, 2)


def test_an_eliminated_unit_shows_no_strength() -> None:
    assert look_of(counter(own("PAVIA", "box:pool-axis", sp=0)), holdfast(), SHEET).lost


def test_counters_of_every_size_can_be_drawn() -> None:
    known = look_of(counter(own("LITTORIO", "0210", marks=("moved",))), holdfast(), SHEET)
    for size in (8, 12, 20, 28, 36, 44, 80, 130):
        assert sprite(known, size, SHEET).indices.width == size
        assert sprite(Look("axis", "X12"), size, SHEET).indices.size == (size, size)


def test_every_type_of_the_game_has_its_symbol() -> None:
    kinds = {card.kind for card in holdfast().cards.values()}
    assert all(has_symbol(SHEET.style.counters.symbols[kind]) for kind in kinds)
    assert {card.nation for card in holdfast().cards.values()} <= set(SHEET.style.counters.nations)
