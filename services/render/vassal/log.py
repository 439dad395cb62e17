"""A turn as a log: from the position before it, one thing after the other as one viewer's events tell it, to the position after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from scenarios.data import GameData
from scenarios.hexes import Hex
from services.render.happened.kinds import KINDS, Flag, Loss, Swap, Way
from services.render.happened.reading import called, dropped, items, names_of, objects, units_of
from services.render.happened.steps import COMES
from services.render.vassal.codec import ESC, TAB, seq
from services.render.vassal.kit import Kit
from services.render.vassal.module import built
from services.render.vassal.places import Places, check_view, counter_id, counter_of_turns, read_secret, stand, stands, tokens
from services.render.vassal.position import position
from services.render.vassal.replay import Table
from services.render.vassal.said import line
from services.render.vassal.save import described
from services.render.views import CounterView, EventView, View, hex_or_none, hexes

_GOES = frozenset({"returned_off"})
_QUIET = frozenset(
    {
        *("step_opened", "step_closed", "decided", "marks_off", "moved_off", "movement_begins", "movement_ends", "rp_spent", "turn_record"),
        *("engagements", "aircraft_home"),
    }
)
"""Kinds of events that are told with the next one, at one click."""
_END = "- The position at the end"


def log(data: GameData, before: View, after: View, *, secret: str, theme: str = "light") -> bytes:
    """A ``.vlog`` from the view ``before`` to the view ``after``, by the events of the second. Equal arguments give equal bytes, and these
    hold nothing that the two views do not.

    Its end is the very position of ``save(data, after, ...)``.  Errors as ``save``; ValueError too if the views are of two sides, two
    scenarios, or the wrong way round.
    """
    module = built(data, theme)
    kit = module.kit
    if before.side != after.side:
        raise ValueError(f"the view before is another side's: {before.side}, not {after.side}")
    if before.scenario != after.scenario:
        raise ValueError(f"the view before is of another scenario: {before.scenario}, not {after.scenario}")
    if before.turn > after.turn:
        raise ValueError(f"the view before is of a later game-turn: {before.turn}, not {after.turn} or earlier")
    check_view(kit, before)
    check_view(kit, after)
    key = read_secret(secret)
    steps = _Run(kit, before, after, key).steps()
    commands = [*position(kit, before, key), *map(_step, steps)]
    return module.stamp.saved(commands, described(data, after))


def _step(commands: list[str]) -> str:
    """One step of a log: all of these commands at one click."""
    return seq(ESC, *(f"LOG{TAB}{command}" for command in commands))


class _Run:
    """The run of a log: the counters as the viewer knows them, and the pieces on the table."""

    def __init__(self, kit: Kit, before: View, after: View, secret: bytes) -> None:
        self.kit = kit
        self.before = before
        self.after = after
        self.secret = secret
        self.known = {counter_id(one, secret): one for one in before.counters}
        self.table = Table(kit, stands(kit, before, secret), secret)
        self.now = msgspec.structs.replace(before, events=[], own=dict(before.own))
        self.shown = counter_of_turns(kit, before)

    def steps(self) -> Iterator[list[str]]:
        """The steps, each a list of commands."""
        lines: list[str] = []
        for event in self.after.events:
            told = line(event, self.kit.data)
            lines += [f"CHAT{told}"] if told else []
            lines += [*self._clock(event), *self._revealed(event.data)]
            done = [commands for commands in self._told(event) if commands]
            marked = self._marked(event)
            if done and marked:
                done[-1] += marked
            for commands in done:
                yield [*lines, *commands]
                lines = []
            lines += [] if done else marked
            if lines and event.kind not in _QUIET:
                yield lines
                lines = []
        if lines:
            yield lines
        last = self.table.become(stands(self.kit, self.after, self.secret))
        clock = counter_of_turns(self.kit, self.after)
        if clock != self.shown:
            last.append(clock)
        if last:
            yield [f"CHAT{_END}", *last]

    def _clock(self, event: EventView) -> list[str]:
        """The turn counter and the pawn of the turn track, if the event is of a later part of the sequence."""
        path = dict(event.path)
        turn, step = path.get("turn"), path.get("step", path.get("phase"))
        phasing = path.get("player-turn", self.now.phasing)
        self.now = msgspec.structs.replace(
            self.now,
            turn=turn if isinstance(turn, int) else self.now.turn,
            step={"name": step},
            phasing=phasing if isinstance(phasing, str) else None,
        )
        clock = counter_of_turns(self.kit, self.now)
        if clock == self.shown:
            return []
        self.shown = clock
        return [clock, *self._tokens()]

    def _tokens(self) -> list[str]:
        """The tokens that the view tells of stand where they should; others stay."""
        out: list[str] = []
        for one in tokens(self.kit, self.now, self.secret):
            out += self.table.put(one)
        return out

    def _named(self, names: Iterable[str], side: Any = None) -> list[tuple[str, CounterView]]:
        """The counters of these ids or aliases with the ids of their pieces."""
        wanted = {name for name in names if name}
        return [(key, one) for key, one in self.known.items() if (one.id in wanted or one.alias in wanted) and side in (None, one.side)]

    def _told(self, event: EventView) -> Iterator[list[str]]:
        """What an event does, step by step."""
        kind, data = KINDS.get(event.kind), event.data
        if isinstance(kind, Way):
            yield from self._walk(event, gone=kind.off or data.get("exit") is True)
        elif isinstance(kind, Loss):
            yield self._lost(event)
        elif isinstance(kind, Flag):
            held = self.now.own.get("control")
            self.now.own["control"] = {**(held if isinstance(held, dict) else {}), str(data.get("hex")): data.get("side")}
            yield self._tokens()
        elif isinstance(kind, Swap):
            yield self._swap(data, kind)
        elif event.kind in COMES:
            yield self._comes(event)
        elif event.kind in _GOES:
            yield [command for key, one in self._named(_names(data), data.get("side")) for command in self._off(key, one)]

    def _walk(self, event: EventView, gone: bool) -> Iterator[list[str]]:
        """Counters go along the path hex by hex, or each straight to the hex; one that drops off stays there."""
        data = event.data
        path = hexes(data.get("path"))
        straight = hex_or_none(data.get("hex"))
        names = [called(one) for one in objects(data.get("moves"))] or list(units_of(event))
        walkers = self._named(names, data.get("side"))
        unit, at = dropped(data)
        steps = path if objects(data.get("moves")) else path[1:]
        for step in steps or filter(None, [straight]):
            commands = [command for key, one in walkers if self.known.get(key) for command in self._to(key, str(step))]
            if commands:
                yield commands
            if at == step:
                walkers = [(key, one) for key, one in walkers if unit not in (one.id, one.alias)]
        if gone:
            yield [command for key, one in walkers for command in self._off(key, one)]

    def _to(self, key: str, place: str) -> list[str]:
        """A counter stands at a place now."""
        one = self.known[key] = msgspec.structs.replace(self.known[key], place=place)
        if one.hex is not None and not self._on_board(one.hex):
            return []
        return self.table.move(key, self._spot(key, one))

    def _spot(self, key: str, one: CounterView) -> tuple[int, int]:
        places = Places(self.kit, self.now)
        if one.hex is None:
            for other, held in self.known.items():
                if other != key and held.place == one.place:
                    places.of(held)
        return places.of(one)

    def _on_board(self, at: Hex) -> bool:
        board = self.kit.data.board
        return 1 <= at.col <= board.columns and 1 <= at.row <= board.rows

    def _off(self, key: str, one: CounterView) -> list[str]:
        """A counter leaves the map: for the place where the viewer sees it afterwards, or altogether."""
        found = next((other for other in self.after.counters if counter_id(other, self.secret) == key and other.hex is None), None)
        if found is not None:
            return self._to(key, found.place)
        del self.known[key]
        return self.table.remove(key)

    def _lost(self, event: EventView) -> list[str]:
        data = event.data
        at = hex_or_none(data.get("hex"))
        return [command for key, one in self._named(_names(data)) if at in (None, one.hex) for command in self._off(key, one)]

    def _swap(self, data: Mapping[str, Any], kind: Swap) -> list[str]:
        """Counters stand where others stood, which leave the map."""
        at = hex_or_none(data.get("hex"))
        come, gone = (self._named(names_of(data.get(key))) for key in (kind.come, kind.gone))
        if at is None:
            return []
        commands = [command for key, _ in come for command in self._to(key, str(at))]
        return [*commands, *(command for key, one in gone for command in self._off(key, one))]

    def _comes(self, event: EventView) -> list[str]:
        """A counter comes to where it arrives, one that the viewer did not know of included."""
        data = event.data
        names = _names(data)
        place = data.get("place") or data.get("hex")
        at = hex_or_none(place)
        if at is None or not self._on_board(at):
            return []
        known = self._named(names, data.get("side"))
        if known:
            return [command for key, one in known if one.hex is None for command in self._to(key, str(place))]
        came = next(
            (one for one in self.after.counters if (one.id in names or one.alias in names) and one.side == data.get("side", one.side)), None
        )
        if came is None:
            return []
        key = counter_id(came, self.secret)
        self.known[key] = one = msgspec.structs.replace(came, place=str(place), marks=[])
        return self.table.put(stand(self.kit, one, self._spot(key, one), self.secret))

    def _revealed(self, data: Mapping[str, Any]) -> list[str]:
        """Counters of which the event tells who they are or how strong: their pieces turn, or become that unit's."""
        out: list[str] = []
        strength = self.kit.sheet.style.counters.counter.strength
        for told in _counters(data):
            unit, alias, sp = told.get("unit"), told.get("alias"), told.get("sp")
            found = self._named([str(unit or ""), str(alias or "")])
            if not found:
                continue
            key, one = found[0]
            card = self.kit.data.cards.get(str(unit))
            if one.card is None and card is not None and card.side == one.side:
                out += self._unmasked(key, one, card.id)
                key = counter_id(self.known[next(reversed(self.known))], self.secret)
                one = self.known[key]
            if one.card is not None and strength and isinstance(sp, int) and sp > 0 and one.num.get(strength) != sp:
                self.known[key] = one = msgspec.structs.replace(one, num={**one.num, strength: sp})
                out += self._turned(key)
        return out

    def _unmasked(self, key: str, one: CounterView, card: str) -> list[str]:
        """An unknown block is a unit now: its piece makes place for that unit's, on the same stack."""
        at = self.table.on[key].at
        out = self.table.remove(key)
        del self.known[key]
        seen = msgspec.structs.replace(one, id=card, card=card, known="seen")
        fresh = counter_id(seen, self.secret)
        made = stand(self.kit, seen, at, self.secret)
        self.known.pop(fresh, None)
        self.known[fresh] = seen
        return [*out, *self.table.put(made)]

    def _turned(self, key: str) -> list[str]:
        """The piece of a counter shows what is known of it now."""
        shown = stand(self.kit, self.known[key], self.table.on[key].at, self.secret)
        return self.table.turn(key, shown.states)

    def _marked(self, event: EventView) -> list[str]:
        """Counters get the mark that the event is named after, or lose it: ``parked``, ``unparked``."""
        badges = self.kit.sheet.style.counters.badges
        mark, on = (event.kind, True) if event.kind in badges else (event.kind.removeprefix("un"), False)
        if mark not in badges or event.kind not in (mark, f"un{mark}"):
            return []
        out: list[str] = []
        names = [called(one) for one in objects(event.data.get("moves"))] or list(units_of(event))
        for key, one in self._named(names, event.data.get("side")):
            marks = [*one.marks, mark] if on and mark not in one.marks else [had for had in one.marks if on or had != mark]
            self.known[key] = msgspec.structs.replace(one, marks=marks)
            out += self._turned(key)
        return out


def _names(data: Mapping[str, Any]) -> list[str]:
    """All ids and aliases by which an event names its counters."""
    return [one for one in (*items(data.get("units")), data.get("unit"), data.get("alias")) if isinstance(one, str)]


def _counters(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The event itself and the objects in it that name a counter."""
    for one in (data, *(inner for value in data.values() for inner in ([value] if isinstance(value, dict) else items(value)))):
        if isinstance(one, dict) and (isinstance(one.get("unit"), str) or isinstance(one.get("alias"), str)):
            yield one
