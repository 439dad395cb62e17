"""What a viewer may not know is not in his files: not in clear, not decoded, and nothing in them hangs on it."""

from __future__ import annotations

import json
import re
from random import Random  # noqa: TID251  # the type that the positions of the rules' own tests are made with
from typing import Any

import pytest

from services.render.vassal import log, save
from services.render.views import View, read_view
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice
from services.rules.engine.model import GameState, Packet, Side
from services.rules.engine.view import view as rules_view
from tests.render.positions import position
from tests.render.vassal.compare import counters_of
from tests.render.vassal.modules import archive
from tests.render.vassal.positions import SECRET, module_of, package, played, seen, start, viewers
from tests.render.vassal.saves import Table, read_save
from tests.rules.holdfast.positions import module as law
from tests.rules.holdfast.positions import numbered
from tests.rules.holdfast.test_fog_properties import jumble, otherwise, some_order

SPARE = r"(?<![A-Za-z0-9]){}(?![A-Za-z0-9])"


def secrets(view: View) -> set[str]:
    """The units that a viewer neither sees by name nor is told of: their ids."""
    shown = {one.card for one in view.counters if one.card} | told(view)
    cards = package(view.game).cards
    return {card for card in cards if cards[card].side != view.side} - shown


def told(view: View) -> set[str]:
    """The units that the events name."""
    text = json.dumps([event.data for event in view.events])
    return {card for card in package(view.game).cards if re.search(SPARE.format(re.escape(card)), text)}


def in_clear(raw: bytes, table: Table) -> str:
    """All that a cheat could read: each entry as it is, the text behind the key, and the names of the entries."""
    return table.text + "\n" + "\n".join(f"{name} {data.decode('latin-1')}" for name, data in archive(raw).items())


def assert_silent(raw: bytes, table: Table, view: View, hidden: set[str]) -> None:
    """Neither id, nor name, nor picture, nor slot of a hidden unit."""
    text = in_clear(raw, table)
    slots = {one.markers.get("Card"): gpid for gpid, one in table.module.slots.items()}
    cards = package(view.game).cards
    for unit in hidden:
        for word in {unit, str(cards[unit].values.get("name") or unit)}:
            assert not re.search(SPARE.format(re.escape(word)), text), (word, view.side)
        assert slots[unit] not in {one.gpid for one in counters_of(table)}


@pytest.mark.bug("V03")
def test_a_hidden_unit_is_named_nowhere_in_the_other_sides_files() -> None:
    """All moments of the played games: ids, names, pictures and slots of hidden units; saves and logs; both sides and spectators."""
    count = 0
    for step in played():
        if step.game != "holdfast":
            continue
        data = package(step.game)
        for side in viewers(step.game):
            before, after = step.views(side)
            hidden = secrets(after) - {one.card for one in before.counters if one.card}
            count += len(hidden)
            for raw in (save(data, after, secret=SECRET), log(data, before, after, secret=SECRET)):
                assert_silent(raw, read_save(raw, module_of(step.game)), after, hidden)
    assert count > 200


@pytest.mark.bug("V03")
def test_unknown_blocks_are_alike_in_all_but_place_alias_and_id() -> None:
    view = position("turn-20-axis")
    unknown = [one for one in view.counters if one.card is None]
    table = read_save(save(package("holdfast"), view, secret=SECRET), module_of("holdfast"))
    blocks = [one for one in counters_of(table) if one.markers["Kind"] == "unknown"]
    assert len(blocks) == len(unknown) >= 1
    assert len({one.type for one in blocks}) == 1
    bare = {re.sub(rf"\b({one.markers['Alias']}|{one.id})\b", "*", one.state.replace(one.basic.state, "")) for one in blocks}
    marks = {tuple(name for name, layer in one.layers.items() if layer.shown) for one in blocks}
    assert len(bare) <= len(marks)  # what they differ in are the marks that the view gives them
    assert {one.markers["Alias"] for one in blocks} == {one.alias for one in unknown}


def test_ids_of_the_two_sides_files_tell_nothing_of_a_block() -> None:
    """The id of a unit in its owner's file is none of the enemy's, while he does not know it."""
    for step in [one for one in played() if one.game == "holdfast"][::4]:
        data = package(step.game)
        tables = {side: read_save(save(data, seen(step.after, side), secret=SECRET), module_of(step.game)) for side in data.sides}
        own = {one.id for one in counters_of(tables["axis"]) if one.markers["Kind"] == "counter" and one.markers["Side"] == "axis"}
        blocks = {one.id for one in counters_of(tables["allied"]) if one.markers["Kind"] == "unknown"}
        assert not own & blocks


def as_view(state: GameState, side: Side, events: Any = None) -> View:
    return read_view(json.loads(json.dumps(rules_view(law(), state, side, events))))


def test_nothing_hidden_changes_a_byte_of_a_save_or_a_log() -> None:
    """Positions whose enemy blocks are other units, of other strength, with other standing orders: the same save; and after the same
    orders, where they showed nothing, the same log.
    """
    data, logs = package("holdfast"), 0
    for seed in range(12):
        rng = Random(seed)
        game = jumble(rng)
        side = game.table.phasing
        assert side is not None
        orders = [some_order(rng, game, side) for _ in range(3)]
        states = [game.state, otherwise(rng, game, side), otherwise(rng, game, side)]
        assert states[1] != states[0]
        assert len({save(data, as_view(one, side), secret=SECRET) for one in states}) == 1
        found = []
        for one in states:
            outcome = adjudicate(law(), one, Packet("p", side, numbered(orders), anyway=True), SeededDice("5e" * 32))
            if any(event.kind == "battle" for event in outcome.events):
                break
            turns = {entry[1] for event in outcome.events for entry in event.path if entry[0] == "player-turn"}
            if turns - {side}:
                break
            found.append(log(data, as_view(one, side), as_view(outcome.state, side, outcome.events), secret=SECRET))
        if len(found) == 3:
            logs += 1
            assert len(set(found)) == 1, seed
    assert logs >= 4


def test_a_spectator_gets_what_all_may_see_and_no_more() -> None:
    for scenario in ("holdfast/campaign-1", "holdfast/campaign-2"):
        view = seen(start(scenario), None)
        raw = save(package("holdfast"), view, secret=SECRET)
        hidden = set(package("holdfast").cards) - {one.card for one in view.counters if one.card}
        assert_silent(raw, read_save(raw, module_of("holdfast")), view, hidden)
