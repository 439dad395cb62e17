"""Who does not write: a call to play for a side whose deadline has passed, or which is the adjutant's.

A call is a row among the messages, entered by the sweep or with the commit that makes it due; it waits in its game's queue like a mail, is
carried out under the same lease, and plays one packet. What must follow is a call again.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from worker.canonical import Json, digest
from worker.hosting.alerts import Alert, entering
from worker.play import news
from worker.play.orders import Written, read_orders
from worker.play.turn import Result, carry_out, entered, mails, turn_report, watch_report
from worker.ports import Ports, ServiceRefused
from worker.post import holds
from worker.store.records import Closing, Deadline, Game, Message, PacketRow
from worker.waiting import deadlines, reliability, telling, terms, waits
from worker.waiting.deadlines import OURS

log = logging.getLogger("hexpost.absent")
END_OF_TURN = "DONE TURN AUTO"
DEADLINES = ("deadline", "decided-adjutant", "decided-nothing")
"""Why a side is played for whose time is over."""
_ENDS = re.compile(r"(?:END|HOLD|CHECK|DONE\s+TURN\b.*)\Z")
_DONE = re.compile(r"DONE\b.*\Z")
_PLAIN: Json = {"standing": [], "fault": "stop", "anyway": False, "check": False, "hold": False, "append": False}


@dataclass(frozen=True, slots=True)
class Call:
    """A call: ``why`` is ``deadline``, ``on`` (the rest of a player-turn), ``adjutant``, or by the game master's word ``decided-adjutant``
    or ``decided-nothing``; ``key``: its due time or version.
    """

    why: str
    game: str
    side: str
    key: str

    @classmethod
    def of(cls, message: Message) -> Call:
        """The call that a message is."""
        return cls(*message.place.removeprefix(OURS).split("/", 3))

    @property
    def decided(self) -> str | None:
        """What is to be done whatever the terms of the game say."""
        return "adjutant" if self.why == "adjutant" else self.why.removeprefix("decided-") if self.why.startswith("decided-") else None


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to play for a side: what it is called, its orders, and the player's packet that they come from."""

    how: str
    written: Written
    lines: list[str]
    draft: PacketRow | None = None


def is_call(message: Message) -> bool:
    """Whether a message is no mail but a call."""
    return message.place.startswith(OURS)


def call_overdue(ports: Ports, looked: str | None = None) -> list[tuple[str, int]]:
    """Enter a call for every deadline that has passed; game and id of those that were not known already.

    ``looked``: when every source of mails had been looked into; a deadline after that may have been kept by a mail that is there still.
    """
    now = ports.now()
    found = []
    overdue = ports.journal.overdue(min(now, looked or now))
    silent = waits.silent_sides(ports.journal.engine) if overdue else {}
    counting = {game for game in {game for game, *_ in overdue} if waits.are_acted_on(ports, game, silent)}
    for game, side, due in overdue:
        if game not in counting:
            continue
        key = ports.journal.add_message(deadlines.place("deadline", game, side, due), b"", now, game)
        found += [] if key is None else [(game, key)]
    return found


def handle(ports: Ports, message: Message) -> str | None:
    """Carry out a call: one packet for its side, or nothing where it is not due any more. Raises like ``received.handle``."""
    call = Call.of(message)
    game = ports.journal.game(call.game)
    assert game is not None
    closing = Closing(message=message.id, game=game.id, verdict="absent:in-time", side=call.side, digest=digest(message.place.encode()))
    if game.over or not _is_due(ports, game, call):
        ports.journal.close(closing)
    else:
        ports.journal.close(_played(ports, message, closing, game, call))
    return None


def _is_due(ports: Ports, game: Game, call: Call) -> bool:
    """Whether nothing has happened that makes a call void: for a deadline, that its side wrote in time; else, any other packet."""
    if call.why == "deadline":
        deadline = ports.journal.deadlines(game.id).get(call.side)
        return deadline is not None and deadline.due == call.key
    return str(game.version) == call.key


def _played(ports: Ports, message: Message, closing: Closing, game: Game, call: Call) -> Closing:
    now = message.received_at
    for way in _ways(ports, game, call):
        if way.how == "nothing" and (put_off := _put_off(ports, game, call, way, now)) is not None:
            return _extended(ports, closing, game, call, put_off, now)
        result = carry_out(ports, game, call.side, way.written, way.lines, way.draft)
        if result.state is not None:
            return _done(ports, closing, game, call, way, result, now)
    absence = terms.of(ports.journal.engine, ports.config, game.id).absence
    if call.decided or absence not in ("wait", "master"):
        log.error("%s: nothing that was tried could be played for %s", game.id, call.side)
        return replace(closing, verdict="absent:stuck")
    return _for_the_master(ports, closing, game, call, now) if absence == "master" else replace(closing, verdict="absent:wait")


# What is played


def _ways(ports: Ports, game: Game, call: Call) -> Iterator[_Way]:
    """What may be played for the side of a call, best first."""
    if call.why == "deadline":
        draft = ports.journal.draft(game.id, call.side, game.turn)
        refused = ports.journal.last_refused(game.id, call.side, game.turn)
        if draft:
            yield _written(ports, game, call.side, "draft", _finished(draft.lines), draft)
        if refused:
            yield _written(ports, game, call.side, "refused", _finished(refused.lines))
    absence = call.decided or terms.of(ports.journal.engine, ports.config, game.id).absence
    if absence == "adjutant":
        yield from _adjutant(ports, game, call.side)
        yield _written(ports, game, call.side, "adjutant", [END_OF_TURN])
    if absence == "nothing" or (
        absence in ("wait", "master") and call.why == "on"
    ):  # a draft that stopped at a die ends the player-turn too
        yield _written(ports, game, call.side, "nothing", [END_OF_TURN])


def _finished(lines: list[str]) -> list[str]:
    """Orders as far as they are legal, to the end of the player-turn."""
    kept = [line for line in lines if not _ENDS.match(_words(line))]
    while kept and (not _words(kept[-1]) or _DONE.match(_words(kept[-1]))):
        kept.pop()
    return ["ANYWAY", *(line for line in kept if _words(line) != "ANYWAY"), END_OF_TURN]


def _words(line: str) -> str:
    return " ".join(line.split("#")[0].split(";")[0].upper().split())


def _written(ports: Ports, game: Game, side: str, how: str, lines: list[str], draft: PacketRow | None = None) -> _Way:
    vocabulary = ports.rules.scenario(game.scenario)
    return _Way(how, read_orders(ports.mail, game.rules, lines, vocabulary, side), lines, draft)


def _adjutant(ports: Ports, game: Game, side: str) -> list[_Way]:
    state, _ = ports.journal.state(game.id, game.version)
    try:
        answer = ports.rules.adjutant(state, side)
    except ServiceRefused:  # a game without an adjutant: its turn ends
        return []
    lines = ports.mail.print_orders(game.rules, [*answer["standing"], *answer["orders"]])
    return [_Way("adjutant", Written(_PLAIN | answer, lines, []), lines)]


# A game in which the game master decides


def _for_the_master(ports: Ports, closing: Closing, game: Game, call: Call, now: str) -> Closing:
    """Nothing is played: the game master is mailed what he may do, and both sides are told so."""
    facts = {"side": call.side, "due": call.key}
    may = [f"DECIDE {game.id} {call.side} {how}" for how in ("ADJUTANT", "NOTHING")] + [f"EXTEND {game.id} {call.side} 24 HOURS"]
    alert = Alert("missed-deadline", f"{game.id} {call.side} {call.key}", now, game.id, facts | {"lines": may})
    intents = []
    for side, players in ports.journal.addresses(game.id).items():
        key = "missed-yours" if side == call.side else "missed-theirs"
        told = {"answers": [telling.part(telling.said(key, **facts))]} | ({"shows": ["template"]} if side == call.side else {})
        intents += telling.to_side(ports, game, side, f"m{closing.message}/{key}/{side}", now, told, to=players)
    return replace(closing, verdict="absent:master", intents=tuple(intents), also=(*closing.also, entering(ports.config, alert)))


# The end of a player-turn that would cost units


def _put_off(ports: Ports, game: Game, call: Call, way: _Way, now: str) -> Deadline | None:
    """The new deadline where ending the player-turn would cost the side units for want of supply, and it was not put off before."""
    known = ports.journal.deadlines(game.id).get(call.side)
    if known is None or known.extended:
        return None
    result = carry_out(ports, game, call.side, way.written, way.lines)
    units = ports.rules.scenario(game.scenario).get("units", {})
    lost = [
        event
        for event in result.outcome["events"]
        if event["kind"] == "supply_lost" and units.get(event["data"].get("unit"), {}).get("side") == call.side
    ]
    return replace(known, due=deadlines.later(now, waits.hours_again(ports, game.id, known)), extended=True) if lost else None


def _extended(ports: Ports, closing: Closing, game: Game, call: Call, put_off: Deadline, now: str) -> Closing:
    facts = {"deadline": put_off.due, "notes": ["deadline_extended"]}
    earlier = [key for key, _ in ports.journal.mails_to(game.id, call.side)]
    told = ports.journal.told(game.id, call.side)
    data = {"kind": "turn", "date": now, "facts": facts, "subject": "", "after": told}
    data |= {"in_reply_to": earlier[-1] if earlier else None, "references": [*earlier[:1], *earlier[1:][-10:]]}
    players = ports.journal.addresses(game.id)[call.side]
    intents = mails(ports, game, call.side, players, data, f"m{closing.message}/extended", told)
    return replace(closing, verdict="absent:extended", deadlines={call.side: put_off}, intents=tuple(intents))


# What follows


def _done(ports: Ports, closing: Closing, game: Game, call: Call, way: _Way, result: Result, now: str) -> Closing:
    side = call.side
    assert result.state is not None
    result = replace(result, state=replace(result.state, record=result.state.record | {"absent": way.how}))
    closing = replace(closing, verdict=f"absent:{way.how}", played=way.draft.id if way.draft else None)
    closing, later, due = entered(ports, closing, game, result, now)
    told = call.why != "adjutant"
    known = ports.journal.deadlines(game.id).get(side)
    if known is not None and call.why in DEADLINES:
        kind = known.kind
        played = reliability.played_for(ports.journal.addresses(game.id)[side], game.id, side, kind, draft=way.draft is not None, at=now)
        closing = replace(closing, also=(*closing.also, *played))
    goes_on = (
        told and deadlines.awaited(result.after[side]) and news.player_turn(result.before[side]) == news.player_turn(result.after[side])
    )
    if goes_on:
        why = call.why if call.why.startswith("decided-") else "on"
        closing = replace(closing, calls=(*closing.calls, deadlines.place(why, game.id, side, str(later.version))))
        if known is not None and call.why in DEADLINES:  # should he write in between after all, he has his time again
            again = replace(known, due=deadlines.later(now, waits.hours_again(ports, game.id, known)), extended=True)
            closing = replace(closing, deadlines={**closing.deadlines, side: again})
            due = {"deadline": deadlines.next_due(ports.journal.deadlines(game.id), closing.deadlines)}
    intents = []
    others = news.sides_to_tell(side, result.before, result.after)
    unused = holds.lapsed(ports.journal.engine, later) & {*others, *([side] if told and not goes_on else [])}
    for other in others:
        notes = [*(["other_absent"] if told else []), *(["held_unused"] if other in unused else [])]
        facts = {"news": True} | due | ({"notes": notes} if notes else {})
        intents += turn_report(ports, later, other, now, facts, result.after[other])
    intents += watch_report(ports, later, now, due) if others else []
    if told and not goes_on:
        notes = [f"absent_{way.how}", *(["held_unused"] if side in unused else [])]
        intents += turn_report(ports, later, side, now, {"news": True, "notes": notes} | due)
    return replace(closing, intents=tuple(intents), also=(*closing.also, holds.lapsing(later, unused)) if unused else closing.also)
