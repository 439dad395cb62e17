"""EDIT: the game master sets the position right by hand, by the rules service. All edits of a mail are one: all are made, or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from worker.canonical import Json, canonical, digest
from worker.commands.frame import Carry, Change, Command, Desk, Effect, Refused, Said
from worker.commands.masters import everybody, running
from worker.commands.people import SHOWN
from worker.play import news
from worker.play.turn import provenance
from worker.ports import ServiceRefused
from worker.store.records import Game, NewState
from worker.waiting import halts, waits
from worker.waiting.deadlines import adjutants, calls, next_due, without


def edit(desk: Desk, command: Command) -> Effect:
    """EDIT game MOVE, REMOVE, RESTORE or SET. ``args`` has ``all`` where the mail holds several: those of each."""
    if command.args.get("bad"):
        raise Refused("edit-others-bad")
    given = command.args.get("all") or [command.args]
    if len({one["game"] for one in given}) > 1:
        raise Refused("edit-one-game")
    game = running(desk, command)
    wanted = [_wire(one) for one in given]
    state, known = desk.ports.journal.state(game.id, game.version)
    try:
        outcome = desk.ports.rules.edit({"state": state, "digest": known, "edits": wanted})
    except ServiceRefused as refusal:
        raise Refused("edit-unusable", why=str(refusal)[:300]) from None
    if outcome["status"] != "done":
        faults = [{key: one[key] for key in ("line", "code", "details")} for one in outcome["rejections"][:10]]
        raise Refused("edit-refused", faults=faults, several=len(wanted) > 1)
    change, after = _changed(desk, game, wanted, outcome)
    due = next_due(desk.ports.journal.deadlines(game.id), change.deadlines)
    said = Said("edited", {"because": _reasons(given), "watching": False})
    told = everybody(desk, after, "edited", said, news=True, shows=sorted(SHOWN), deadline=due)
    return Effect((Said("edit-done", {"n": len(wanted)}),), intents=tuple(told), change=change, after=after)


def _reasons(given: list[Json]) -> str:
    """The reasons that were given, each once."""
    return "; ".join(dict.fromkeys(str(one.get("reason")) for one in given if one.get("reason")))[:400]


def _wire(args: Json) -> Json:
    """An edit as the rules service takes it."""
    named = {key: str(args[key]) for key in ("place", "name", "value") if args.get(key)}
    return {"verb": args["what"], "unit": str(args["unit"])} | named


def _changed(desk: Desk, game: Game, edits: list[Json], outcome: Json) -> tuple[Change, Game]:
    """The position that was set right as a new version: no orders led to it, so it takes no number."""
    ports = desk.ports
    after = replace(game, version=game.version + 1)
    before = ports.journal.state(game.id, game.version)[0]
    was, views = ({one: ports.rules.view(state, one) for one in game.sides} for state in (before, outcome["state"]))
    record = {
        "game": game.id,
        "version": after.version,
        "branch": game.branch,
        "n": None,
        "seed": None,
        "packet": None,
        "edit": edits,
        "state": outcome["digest"],
        "events": digest(canonical(outcome["events"])),
    }
    new = NewState(
        version=after.version,
        state=outcome["state"],
        digest=outcome["digest"],
        record=record | provenance(outcome["state"]),
        events=outcome["events"],
        turn=news.game_turn(views, game.turn),
        over=False,
    )
    absent = adjutants(ports.journal.addresses(game.id))
    halt = halts.current(ports.journal.engine, game.id)
    at = halt.since if halt is not None else desk.at
    due = waits.following(ports, game, was, without(views, absent), at)
    return Change(new, due, calls(game.id, after.version, views, absent)), after


TABLE: Mapping[str, Carry] = {"EDIT": edit}
