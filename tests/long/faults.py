"""What no play may lead to, game by game: faults of a position, and of what happened."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from scenarios.hexes import Box, Edge, Hex
from services.rules.engine.model import Event, GameState
from services.rules.engine.module import GameModule
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import stacking, victory
from services.rules.games.beda_fomm import state as bf
from services.rules.games.fall_of_tobruk import engaged as tobruk_engaged
from services.rules.games.fall_of_tobruk import ground as tobruk_ground
from services.rules.games.fall_of_tobruk import regiments
from services.rules.games.fall_of_tobruk import stacking as tobruk_stacking
from services.rules.games.fall_of_tobruk import state as ft
from services.rules.games.fall_of_tobruk import victory as tobruk_victory
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.state import OFF
from services.rules.games.race_for_tunis import ground as tunis_ground
from services.rules.games.race_for_tunis import stacking as tunis_stacking
from services.rules.games.race_for_tunis import state as rt
from services.rules.games.race_for_tunis import victory as tunis_victory

ROADBOUND = ("weapons", "transport")
BY_DAY = ("barrage", "interdicted", "shot", "battle", "parked_taken")
"""What never happens in the dark (13.0)."""


class Game(NamedTuple):
    """``position``: what is wrong in a state, given the first.  ``events``: what is wrong in what happened."""

    position: Callable[[GameModule, GameState, GameState], Iterable[str]]
    events: Callable[[GameModule, Iterable[Event]], Iterable[str]]


# -- Holdfast --------------------------------------------------------------------------------------------------------------------


def holdfast_events(_: GameModule, events: Iterable[Event]) -> Iterator[str]:
    """Units die for want of supply in the supply step and nowhere else."""
    for event in events:
        if event.kind == "supply_lost" and event.path[-1] != ("step", "supply"):
            yield f"{event.data['unit']} dies of supply in {event.path}"


def holdfast(module: GameModule, start: GameState, state: GameState) -> Iterator[str]:
    """Units lost or made, strength, stacking, RP."""
    if set(state.counters) != set(start.counters):
        yield f"units lost or made: {sorted(set(state.counters) ^ set(start.counters))}"
    entry = ground(Table(module, state)).entry
    held: dict[Hex, list[str]] = {}
    for unit in state.counters.values():
        pooled = isinstance(unit.place, Box)
        if not pooled and unit.place != OFF and not isinstance(unit.place, Hex):
            yield f"{unit.id} at {unit.place}"
        if not state.pending and not ((unit.num["sp"] == 0) if pooled else (1 <= unit.num["sp"] <= 4)):
            yield f"{unit.id} has {unit.num['sp']} SP at {unit.place}"
        if isinstance(unit.place, Hex):
            held.setdefault(unit.place, []).append(unit.id)
    for at, units in held.items():
        side = state.counters[units[0]].side
        own_turn = state.path[1:2] == (("player-turn", side),) or state.path[0] == ("turn", 1)  # set up there, or arriving
        arriving = at == entry[side] and own_turn and {state.counters[unit].side for unit in units} == {side}
        if len(units) > 1 and not arriving:
            yield f"{sorted(units)} stand in {at} at {state.path}"
    for side, left in state.own["rp"].items():
        if left < 0:
            yield f"{side} has {left} RP"


# -- Beda Fomm -------------------------------------------------------------------------------------------------------------------


def beda_fomm_events(module: GameModule, events: Iterable[Event]) -> Iterator[str]:
    """Nobody fires or fights in the dark."""
    for event in events:
        turn = event.path[0][1] if event.path and event.path[0][0] == "turn" else 0
        if event.kind in BY_DAY and turn and module.data.charts["track"][int(turn) - 1]["light"] == "dark":
            yield f"{event.kind} in the dark of {event.path}"


def beda_fomm(module: GameModule, start: GameState, state: GameState) -> Iterator[str]:
    """Units lost or made, places, faces and marks, stacking and parking, wheels off the road, morale, victory points."""
    if set(state.counters) != set(start.counters):
        yield f"units lost or made: {sorted(set(state.counters) ^ set(start.counters))}"
    table = Table(module, state)
    ways = {at for kind in ("road", "trail") for side in module.data.board.roads[kind] for at in side}
    for unit in state.counters:
        yield from _unit(table, unit, ways)
    for at in {c.place for c in state.counters.values() if isinstance(c.place, Hex)}:
        yield from _stack(table, at)
    printed = {row["parent"]: int(row["level"]) for row in module.data.charts["morale"]}
    yield from (f"{parent} has morale {n}" for parent, n in state.own["morale"].items() if not 0 <= n <= printed[parent])
    gone = [unit for unit, counter in state.counters.items() if counter.place == bf.EXITED]
    if state.own["vp"] != sum(victory.worth(table, unit) for unit in gone):
        yield f"{state.own['vp']} VP for {gone}"


def _unit(table: Table, unit: str, ways: Container[Hex]) -> Iterator[str]:
    counter, at = table.counters[unit], table.counters[unit].place
    faces = {"transport": ("", "parked"), "weapons": ("", "fired") if bf.is_artillery(table, unit) else ("",)}
    if counter.face not in faces.get(bf.class_of(table, unit), ("",)):
        yield f"{unit} lies on its side {counter.face}"
    if not counter.marks <= bf.LAST_MARKS or (counter.marks and not isinstance(at, Hex)):
        yield f"{unit} at {at} bears {sorted(counter.marks)}"
    if isinstance(at, (Box, Edge)):
        if at not in (bf.OFF, bf.SET_UP, bf.EXITED, bf.ELIMINATED) or (at == bf.EXITED and counter.side != bf.ITALIAN):
            yield f"{unit} at {at}"
    elif counter.side == bf.ITALIAN and bf.class_of(table, unit) in ROADBOUND and at not in ways:
        yield f"{unit} is off the road, in {at}"


def _stack(table: Table, at: Hex) -> Iterator[str]:
    units = units_at(table, at)
    if len({table.counters[unit].side for unit in units}) > 1:
        yield f"both sides in {at}: {units}"
    if stacking.load(table, units) > stacking.LIMIT or sum(bf.is_parked(table, unit) for unit in units) > 1:
        yield f"too many in {at}: {units}"


# -- Race for Tunis --------------------------------------------------------------------------------------------------------------

AT_REST = ("opening", "movement")
"""Steps as which open no stack of the other side is too high (7.0)."""


def race_for_tunis_events(module: GameModule, events: Iterable[Event]) -> Iterator[str]:
    """Nobody flies in heavy rain or moves out of turn, and battles end by the table."""
    weather = ""
    for event in events:
        if event.kind == "weather":
            weather = str(event.data["weather"])
        if event.kind == "air_mission" and weather == "heavy-rain":
            yield f"{event.data['unit']} flies in heavy rain at {event.path}"
        if event.kind == "moved" and event.path[-1][1] not in ("movement", "landed"):
            yield f"{event.data['units']} move in {event.path}"
        if event.kind == "result" and event.data["result"] not in set(_results(module)):
            yield f"{event.data} is no result of the table"


def _results(module: GameModule) -> Iterator[str]:
    for row in module.data.charts["combat"]:
        yield from (str(cell) for name, cell in row.items() if name != "roll")


def race_for_tunis(module: GameModule, start: GameState, state: GameState) -> Iterator[str]:
    """Units lost or made, places, marks, both sides in a hex, stacks, companies beside their battalion, aircraft, holders, points."""
    if set(state.counters) != set(start.counters):
        yield f"units lost or made: {sorted(set(state.counters) ^ set(start.counters))}"
    table = Table(module, state)
    for unit in state.counters:
        yield from _tunis_unit(table, unit)
    for at in sorted({c.place for c in state.counters.values() if isinstance(c.place, Hex)}):
        yield from _tunis_hex(table, at)
    for row in module.data.charts["companies"]:
        parts = [unit for unit in row["companies"] if hex_of(table, unit)]
        if parts and hex_of(table, row["battalion"]):
            yield f"{row['battalion']} is on the map and so are {parts}"
    if state.own["rp"] < 0:
        yield f"{state.own['rp']} RP"
    for name in ("engaged-attacker", "engaged-defender"):
        named = {unit for one in state.own["engaged"] if not one.get("broken") for unit in one[name.removeprefix("engaged-") + "s"]}
        held = {unit for unit in named if hex_of(table, unit)}  # who is lost is struck off when the battles are over
        marked = {unit for unit, counter in state.counters.items() if name in counter.marks}
        if held != marked:
            yield f"{sorted(held ^ marked)} bear {name} or should"
    if state.over is not None and state.over.winner is not None:
        least = {row["level"] + row["winner"]: int(row["least"]) for row in module.data.charts["victory"]}
        if tunis_victory.points(table) < least[state.over.level + state.over.winner]:
            yield f"{state.over} with {tunis_victory.points(table)} VP"


def _tunis_unit(table: Table, unit: str) -> Iterator[str]:
    counter, at = table.counters[unit], table.counters[unit].place
    if not counter.marks <= rt.MARKS or (counter.marks and not isinstance(at, Hex)):
        yield f"{unit} at {at} bears {sorted(counter.marks)}"
    if not isinstance(at, Hex):
        if at not in (rt.OFF, rt.ELIMINATED, rt.COMPONENT, rt.AIR_BOX) or (at == rt.AIR_BOX) != (unit in table.own["air"]):
            yield f"{unit} at {at}"
        if at == rt.OFF and "due" not in counter.num:
            yield f"{unit} waits for no turn"
        return
    row = tunis_ground.ground(table).terrain.get(at)
    if row is None or (rt.is_heavy(table, unit) and not row.heavy):
        yield f"{unit} cannot stand in {at}"
    resting = table.phasing != counter.side and table.path and table.slot.step.name in AT_REST
    if resting and counter.marks & {"moved", "done", "in-zoc", "attacked"}:
        yield f"{unit} bears {sorted(counter.marks)} at {table.path}"


def _tunis_hex(table: Table, at: Hex) -> Iterator[str]:
    units = units_at(table, at)
    sides = {table.counters[unit].side for unit in units}
    if len(sides) > 1:
        yield f"both sides in {at}: {units}"
    if at in tunis_ground.ground(table).held and rt.holder(table, at) not in sides:
        yield f"{units} stand in {at}, which {rt.holder(table, at)} holds"
    resting = table.before.over is None and not table.pending and table.slot.step.name in AT_REST and table.phasing not in sides
    if resting and not tunis_stacking.fits(table, units):
        yield f"too many in {at}: {units}"


# -- The Fall of Tobruk ----------------------------------------------------------------------------------------------------------

ONCE = ("moved", "shelled", "done", "active", "fired", "placed", "spent", "pass")
"""Marks and numbers of a player-turn: no unit of the side whose turn it is not bears one."""


def fall_of_tobruk_events(module: GameModule, events: Iterable[Event]) -> Iterator[str]:
    """Guns fire with enough factors, tanks alone are shot at, nobody moves twice, results are those of the table."""
    codes = {str(row["code"]) for row in module.data.charts["results"]}
    spelt = {code.upper().replace("AB", "AR").replace("DB", "DR") for code in codes} | {"VOID", "STALL"}
    tanks = {row["type"] for row in module.data.charts["types"] if row["class"] == "tank"}
    for event in events:
        if event.kind == "shelled" and Fraction(event.data["factors"]) < int(module.data.charts["costs"]["artillery"]["least"]):
            yield f"{event.data} fires with too little"
        if event.kind in ("shot", "first_shot"):
            yield from (f"{one['unit']} is shot at" for one in event.data["targets"] if module.data.cards[one["unit"]].kind not in tanks)
        if event.kind == "result" and event.data["result"] not in spelt:
            yield f"{event.data} is no result of the table"
        if event.kind == "exited" and module.data.cards[event.data["unit"]].side != ft.ALLIED:
            yield f"{event.data['unit']} has left the map"


def fall_of_tobruk(module: GameModule, start: GameState, state: GameState) -> Iterator[str]:
    """Units lost or made, places, marks, both sides in a hex, stacks, regiments beside their battalions, wrecks, gaps, engagements, reserve
    tanks, who has left, who has won."""
    if set(state.counters) != set(start.counters):
        yield f"units lost or made: {sorted(set(state.counters) ^ set(start.counters))}"
    table = Table(module, state)
    for unit in state.counters:
        yield from _tobruk_unit(table, unit)
    for at in sorted({c.place for c in state.counters.values() if isinstance(c.place, Hex)}):
        yield from _tobruk_hex(table, at)
    yield from _tobruk_regiments(table)
    yield from _tobruk_wrecks(table)
    yield from _tobruk_records(table)
    left = dict.fromkeys(state.own["exits"], 0)
    for unit, counter in state.counters.items():
        if counter.place == ft.EXITED and (name := tobruk_victory.exit_class(table, unit)):
            left[name] += 1
    if left != dict(state.own["exits"]):
        yield f"{dict(state.own['exits'])} are counted, but {left} have left"
    if state.over is not None and state.over.winner != tobruk_victory.holder(table):
        yield f"{state.over}, though {tobruk_victory.holder(table)} holds Tobruk"


def _tobruk_unit(table: Table, unit: str) -> Iterator[str]:
    counter, at = table.counters[unit], table.counters[unit].place
    if not counter.marks <= ft.MARKS or (counter.marks and not isinstance(at, Hex)):
        yield f"{unit} at {at} bears {sorted(counter.marks)}"
    if not isinstance(at, Hex):
        if at not in (ft.OFF, ft.SET_UP, ft.COMPONENT, ft.REFIT, ft.DESTROYED, ft.WRECK, ft.EXITED):
            yield f"{unit} at {at}"
        if at == ft.SET_UP and table.turn:
            yield f"{unit} was not set up"
        return
    if at not in tobruk_ground.ground(table).cost:
        yield f"{unit} cannot stand in {at}"
    bears = [name for name in ONCE if name in counter.marks or name in counter.num]
    if bears and table.phasing != counter.side and bears != ["fired"]:
        yield f"{unit} bears {bears} at {table.path}"
    if counter.side == ft.ALLIED and "unsupplied" in counter.marks:
        yield f"{unit} is out of supply"


def _tobruk_hex(table: Table, at: Hex) -> Iterator[str]:
    units = units_at(table, at)
    sides = {table.counters[unit].side for unit in units}
    if len(sides) > 1:
        yield f"both sides in {at}: {units}"
    held = table.before.own["tobruk"]
    if at in tobruk_victory.tobruk(table) and table.turn and held not in sides:
        yield f"{units} stand in {at}, which {held} holds"
    moved = table.path and table.slot.step.name in ("antitank", "declaration") and table.phasing in sides
    orderly = [unit for unit in units if "disrupted" not in table.counters[unit].marks]
    if moved and orderly and not tobruk_stacking.fits(table, units):  # who crowds a hex as the movement segment closes is disrupted
        yield f"too many in {at}: {units}"


def _tobruk_regiments(table: Table) -> Iterator[str]:
    for unit in table.counters:
        parts = [one for one in regiments.parts_of(table, unit) if table.counters[one].place != ft.COMPONENT]
        if parts and table.counters[unit].place != ft.COMPONENT:
            yield f"{unit} is in play and so are {parts}"


def _tobruk_wrecks(table: Table) -> Iterator[str]:
    lying = [tank["unit"] for one in ft.wrecks(table) for tank in one["tanks"]]
    wrecked = sorted(unit for unit, counter in table.counters.items() if counter.place == ft.WRECK)
    if sorted(lying) != wrecked:
        yield f"wrecks of {sorted(lying)}, but {wrecked} are in their boxes"
    numbers = [(one["side"], one["n"]) for one in ft.wrecks(table)]
    places = [(one["side"], one["hex"]) for one in ft.wrecks(table)]
    if len(set(numbers)) < len(numbers) or len(set(places)) < len(places):
        yield f"two markers of one side with a number or in a hex: {numbers} {places}"
    for row in table.data.charts["reserve"]:
        if table.own["reserve"][row["model"]] < 0:
            yield f"{table.own['reserve'][row['model']]} of {row['model']} in reserve"


def _tobruk_records(table: Table) -> Iterator[str]:
    for one in ft.gaps(table):
        if str(hex_of(table, one["engineer"])) not in one["hexes"]:
            yield f"the gap {one['hexes']} is open, but {one['engineer']} is in {hex_of(table, one['engineer'])}"
    for name, mark in tobruk_engaged.MARKS.items():
        held = {unit for one in ft.engagements(table) for unit in one[name] if hex_of(table, unit)}
        marked = {unit for unit, counter in table.counters.items() if mark in counter.marks}
        if held != marked:
            yield f"{sorted(held ^ marked)} bear {mark} or should"


GAMES: Mapping[str, Game] = {
    "fall-of-tobruk": Game(fall_of_tobruk, fall_of_tobruk_events),
    "holdfast": Game(holdfast, holdfast_events),
    "beda-fomm": Game(beda_fomm, beda_fomm_events),
    "race-for-tunis": Game(race_for_tunis, race_for_tunis_events),
}
