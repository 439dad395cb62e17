"""ROLLBACK: the game goes on from an earlier position, on a new branch. The old one stays in the journal, and none of its dice falls again.

It is carried out in two mails: the answer to the first tells what would be lost, and brings the line, with a code, that does it. The code
is of the position that the game master was told of: when the game has gone on since, he is told anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, or_, update

from worker import secrets
from worker.canonical import Json, canonical, digest
from worker.commands import store
from worker.commands.frame import Carry, Change, Command, Desk, Effect, Refused, Said
from worker.commands.masters import everybody, reason_of, running
from worker.commands.people import SHOWN
from worker.play import news
from worker.play.turn import provenance
from worker.ports import Ports
from worker.post import holds
from worker.post.context import side_tokens
from worker.store.records import Deadline, Game, NewState, Write
from worker.store.tables import packets
from worker.waiting import halts, vacations, waits
from worker.waiting.deadlines import adjutants, calls, following, next_due, without

MOST_LOST = 30
"""Things that would be lost that one answer lists."""
MOST_POINTS = 12
"""Earlier positions that the answer to ROLLBACK without more lists."""
MOST_LOOKED = 500
"""Versions that are gone through for a place in the sequence of play."""


@dataclass(frozen=True, slots=True)
class Step:
    """A version of a game that counts still, what led to it, and its packet, if it was orders."""

    version: int
    packet: str
    record: Json


def rollback(desk: Desk, command: Command) -> Effect:
    """ROLLBACK game TO TURN n [OF side] [PHASE name] or TO VERSION n: what would be lost; with CODE it is done."""
    game = running(desk, command)
    steps = [Step(*one) for one in store.last_records(desk.ports.journal.engine, game.id, MOST_LOOKED)]
    if "turn" not in command.args and "version" not in command.args:
        return _points(desk, game, steps)
    to = _target(desk, game, steps, command.args)
    lost = [one for one in reversed(steps) if one.version > to]
    if not lost:
        raise Refused("rollback-nothing")
    code = secrets.code(game.secret, "rollback", game.version, to)
    if command.args.get("code") != code:
        return _shown(desk, game, to, lost, code, command)
    return _done(desk, game, to, lost, reason_of(command))


def _points(desk: Desk, game: Game, steps: list[Step]) -> Effect:
    """The last positions that the game can go back to, by version."""
    points = [_point(desk, game, one) for one in steps[1 : MOST_POINTS + 1]]
    text = tuple(f"ROLLBACK {game.id} TO VERSION {one.version}" for one in steps[1 : MOST_POINTS + 1])
    if not text:
        raise Refused("rollback-nothing")
    return Effect((Said("rollback-points", {"game": game.id}),), listed=tuple(points), text=text)


def _point(desk: Desk, game: Game, step: Step) -> Said:
    return Said("rollback-point", {"version": step.version, "did": _did(desk.ports, step)} | _where(desk.ports, game, step.version))


def _did(ports: Ports, step: Step) -> Json:
    """What led to a version: whose orders and how many lines, or what else."""
    row = ports.journal.packet(step.packet) if step.packet else None
    kind = next((one for one in ("undo", "rollback", "edit") if one in step.record), "start")
    if row is None:
        return {"kind": kind}
    return {"kind": "orders", "side": row.side, "lines": _orders(row.lines), "turn": row.turn, "absent": step.record.get("absent")}


def _orders(lines: Sequence[str]) -> int:
    """How many of them a receipt counts: those that say what is done with the others are none."""
    return sum(not line.strip().upper().startswith(("END", "ANYWAY", "APPEND", "ON FAULT", "#", ";")) for line in lines)


def _path(ports: Ports, game: Game, version: int) -> Json:
    return ports.rules.view(ports.journal.state(game.id, version)[0], None).get("path", [])


def _where(ports: Ports, game: Game, version: int) -> Json:
    """Where in the sequence of play a version stands, as the wording takes it."""
    parts = {str(name): value for name, value in _path(ports, game, version)}
    return {"turn": parts.get("turn"), "half": parts.get("player-turn"), "step": parts.get("step", parts.get("setup"))}


def _target(desk: Desk, game: Game, steps: list[Step], args: Json) -> int:
    """The version that is meant. Refused if there is none, or it counts no more."""
    if args.get("version") is not None:
        if all(one.version != args["version"] for one in steps):
            raise Refused("no-such-version", version=args["version"], newest=game.version)
        return int(args["version"])
    side = args.get("side")
    if side is not None and side not in game.sides:
        raise Refused("no-such-side", side=side, sides=list(game.sides))
    found = None
    for one in steps:  # the newest first: the earliest of those that fit is meant
        path = _path(desk.ports, game, one.version)
        turn = next((number for name, number in path if name == "turn"), 0)
        if _fits(path, turn, args):
            found = one.version
        elif found is not None and turn < args["turn"]:
            break
    if found is None:
        raise Refused("no-such-point", turn=args["turn"], side=side, phase=args.get("phase"))
    return found


def _fits(path: Json, turn: int, args: Json) -> bool:
    parts = {str(name): str(value) for name, value in path}
    step = parts.get("step", parts.get("setup", "")).replace("-", " ")
    return (
        turn == args["turn"]
        and args.get("side") in (None, parts.get("player-turn"))
        and (not args.get("phase") or str(args["phase"]).replace("-", " ") in step)
    )


def _shown(desk: Desk, game: Game, to: int, lost: list[Step], code: str, command: Command) -> Effect:
    """What would be lost, and the line that does it."""
    listed = [Said("rollback-lost", {"version": one.version, "did": _did(desk.ports, one)}) for one in lost[:MOST_LOST]]
    fields = {"version": to, "n": len(lost), "shown": len(listed), "stale": bool(command.args.get("code"))} | _where(desk.ports, game, to)
    reason = f" BECAUSE {reason_of(command)}" if reason_of(command) else ""
    line = f"ROLLBACK {game.id} TO VERSION {to} CODE {code}{reason}"
    return Effect((Said("rollback-shown", fields),), listed=tuple(listed), text=(line,), status="asked")


def _done(desk: Desk, game: Game, to: int, lost: list[Step], reason: str) -> Effect:
    change, after = branched(desk, game, to, [one.version for one in lost])
    where = _where(desk.ports, game, to)
    said = Said("rolled-back", where | {"because": reason, "n": len(lost)})
    due = next_due(desk.ports.journal.deadlines(game.id), change.deadlines)
    told = everybody(desk, after, "rolled-back", said, Said("rolled-back-tokens"), news=True, shows=sorted(SHOWN), deadline=due)
    writes: list[Write] = [store.taking_back(one.packet) for one in lost if one.packet]
    writes += [_voiding_after(game.id, max((one.packet for one in _kept(desk, game, to)), default=""))]
    writes += [holds.voiding(game.id, side) for side in game.sides]
    engine = desk.ports.journal.engine
    writes += [one.settled("void") for kind in ("undo", "draw") for one in store.offers_in(engine, desk.at, game.id, kind)]
    done = Said("rollback-done", where | {"n": len(lost)})
    return Effect((done,), writes=tuple(writes), intents=tuple(told), change=change, after=after)


def _kept(desk: Desk, game: Game, to: int) -> list[Step]:
    return [one for one in (Step(*row) for row in store.last_records(desk.ports.journal.engine, game.id, MOST_LOOKED)) if one.version <= to]


def branched(desk: Desk, game: Game, to: int, lost: list[int]) -> tuple[Change, Game]:
    """The position of a version as a new one, on a branch of its own: packet numbers count on, and every die falls anew."""
    ports = desk.ports
    state, known = ports.journal.state(game.id, to)
    views = {one: ports.rules.view(state, one) for one in game.sides}
    after = replace(game, version=game.version + 1, turn=news.game_turn(views, game.turn), branch=game.branch + 1)
    record = {
        "game": game.id,
        "version": after.version,
        "branch": after.branch,
        "n": None,
        "seed": None,
        "packet": None,
        "rollback": {"version": to},
        "state": known,
        "events": digest(canonical([])),
    }
    new = NewState(
        after.version, state, known, record | provenance(state), [], after.turn, False, branch=after.branch, undone=tuple(sorted(lost))
    )
    absent = adjutants(ports.journal.addresses(game.id))
    return Change(new, fresh_deadlines(desk, game, views, absent), calls(game.id, after.version, views, absent), side_tokens(after)), after


def fresh_deadlines(desk: Desk, game: Game, views: news.Views, absent: set[str]) -> Mapping[str, Deadline | None]:
    """Whoever is awaited now has his whole time; in a game that stands still, from when it goes on."""
    ports = desk.ports
    halt = halts.current(ports.journal.engine, game.id)
    at = halt.since if halt is not None else desk.at
    due = following({}, {}, without(views, absent), at, waits.hours(ports, game.id))
    gone: dict[str, Deadline | None] = dict.fromkeys(ports.journal.deadlines(game.id))
    return gone | vacations.excused(ports.journal.engine, game.id, due, at)


def _voiding_after(game: str, packet: str) -> Write:
    """What was stored or refused after a packet counts no more (``packet`` empty: all of it): the game has gone back before that."""

    def write(connection: Connection) -> None:
        later = (packets.c.game == game, packets.c.id > packet, or_(packets.c.status == "held", packets.c.status == "refused"))
        connection.execute(update(packets).where(*later).values(status="void"))

    return write


TABLE: Mapping[str, Carry] = {"ROLLBACK": rollback}
