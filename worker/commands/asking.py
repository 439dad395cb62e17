"""Questions: HELP STATUS STANDING WHO MAP TEMPLATE LEGAL RESEND. They change nothing, and are answered to where they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from worker.canonical import Json
from worker.commands import given, store
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, answer_key
from worker.play.turn import mails
from worker.ports import Ports
from worker.post.context import side_tokens
from worker.store.records import Game
from worker.waiting import halts, reliability, terms, vacations
from worker.waiting.deadlines import ADJUTANT

MOST_LEGAL = 300
"""Legal orders that one mail lists."""
POSITION = frozenset({"map", "position"})


def help_with(desk: Desk, command: Command) -> Effect:
    """HELP, HELP verb: the commands, or how an order or a command is written."""
    topic = command.args.get("topic")
    game = desk.game.rules if desk.game else ""
    return Effect((Said("help-topic" if topic else "help", {"topic": topic, "game": game}),))


def show_map(desk: Desk, command: Command) -> Effect:
    """MAP: the position as the side sees it now."""
    _game(desk)
    return Effect((Said("map"),), shows=POSITION)


def template(desk: Desk, command: Command) -> Effect:
    """TEMPLATE: the orders template of what is open."""
    game, side = _game(desk)
    seen = _view(desk, game, side)
    awaited = side in seen.get("waiting_for", []) and not game.over
    return Effect(
        (Said("template" if awaited else "not-awaited", {"waiting_for": seen.get("waiting_for", [])}),), shows=frozenset({"template"})
    )


def legal(desk: Desk, command: Command) -> Effect:
    """LEGAL: the legal orders, one a line."""
    game, side = _game(desk)
    state, _ = desk.ports.journal.state(game.id, game.version)
    answer = desk.ports.rules.legal(state, side)
    lines = desk.ports.mail.print_orders(game.rules, answer["orders"]) if answer["orders"] else []
    if not lines:
        return Effect((Said("not-awaited", {"waiting_for": _view(desk, game, side).get("waiting_for", [])}),))
    shown = tuple(lines[:MOST_LEGAL])
    return Effect((Said("legal", {"n": len(lines), "shown": len(shown), "more": bool(answer.get("more"))}),), text=shown)


def status(desk: Desk, command: Command) -> Effect:
    """STATUS: how the game stands, and what of the side is stored."""
    if desk.lobby is not None:
        return Effect((Said("waits-for-players", {"game": desk.lobby.id, "free": desk.lobby.free}),))
    game, side = _game(desk)
    journal = desk.ports.journal
    seen = _view(desk, game, side)
    due = journal.deadlines(game.id).get(side)
    halt = halts.current(journal.engine, game.id)
    mine = due.due if due and halt is None else None
    fields = {"turn": game.turn, "waiting_for": seen.get("waiting_for", []), "mine": mine, "over": game.over}
    listed = []
    draft = journal.draft(game.id, side, game.turn)
    if draft is not None:
        listed.append(Said("status-draft", {"lines": len(draft.lines), "id": draft.id}))
    if seen.get("tail"):
        listed.append(Said("status-kept", {"lines": len(_orders(seen["tail"]))}))
    if seen.get("standing"):
        listed.append(Said("status-standing", {"n": len(seen["standing"])}))
    for one in store.offers_to(journal.engine, desk.at, game.id, side):
        listed.append(Said("status-asked", {"kind": one.kind, "code": one.code}))
    if halt is not None:
        listed.append(Said("status-paused", {"until": halt.until, "because": halt.reason}))
    away = vacations.current(journal.engine, game.id, side, desk.at)
    if away is not None:
        listed.append(Said("status-away", {"since": away.since, "until": away.until}))
    agreed = terms.of(journal.engine, desk.ports.config, game.id)
    if agreed.timed and not game.over:
        listed.append(Said("terms-now", agreed.as_json()))
    return Effect((Said("status", fields),), listed=tuple(listed), text=tuple(draft.lines if draft else ()))


def standing(desk: Desk, command: Command) -> Effect:
    """STANDING: the side's standing orders in force, each with the number by which it is taken back."""
    if desk.lobby is not None:
        return Effect((Said("waits-for-players", {"game": desk.lobby.id, "free": desk.lobby.free}),))
    game, side = _game(desk)
    found = standing_lines(desk.ports, game, _view(desk, game, side))
    return Effect((Said("standing", {"n": len(found)}),), text=tuple(f"{n:>3}  {line}" for n, lines in found for line in lines))


def standing_lines(ports: Ports, game: Game, seen: Json) -> list[tuple[int, list[str]]]:
    """The standing orders of a view: number, and the lines that would give it anew."""
    found = []
    for one in seen.get("standing", []):
        first, *others = ports.mail.print_orders(game.rules, [one["order"]])
        found.append((int(one["n"]), [f"STANDING {first}", *others]))
    return found


def _orders(tail: Json) -> list[Json]:
    """The orders of what waits, whichever way the view holds them."""
    return list(tail.get("orders", [])) if isinstance(tail, dict) else list(tail)


def who(desk: Desk, command: Command) -> Effect:
    """WHO: who plays, who is awaited, who is late, and how reliable each side and the sender are. Addresses only of one's own side."""
    if desk.lobby is not None:
        taken = [Said("who-seat", {"side": one.side, "mine": one.address == desk.sender}) for one in desk.lobby.seats]
        return Effect((Said("waits-for-players", {"game": desk.lobby.id, "free": desk.lobby.free}),), listed=tuple(taken))
    game, side = _game(desk)
    journal = desk.ports.journal
    seen, due = _view(desk, game, side), journal.deadlines(game.id)
    missed, halt = given.times_absent(journal.engine, game.id), halts.current(journal.engine, game.id)
    listed = [] if halt is None else [Said("status-paused", {"until": halt.until, "because": halt.reason})]
    for one, addresses in sorted(journal.addresses(game.id).items(), key=lambda found: game.sides.index(found[0])):
        until = due[one].due if one in due and halt is None else None
        fields = {"side": one, "adjutant": addresses == [ADJUTANT], "players": len(addresses), "until": until}
        fields |= {"mine": addresses if one == side and addresses != [ADJUTANT] else [], "awaited": one in seen.get("waiting_for", [])}
        away = vacations.current(journal.engine, game.id, one, desk.at)
        fields |= {"late": until is not None and until <= desk.at, "missed": missed.get(one, 0), "away": away.until if away else None}
        fields |= {"record": reliability.of_side(journal.engine, addresses).as_json()}
        listed.append(Said("who-side", fields))
    if own := reliability.records(journal.engine, [desk.sender]).get(desk.sender):
        listed.append(Said("who-record", {"record": own.as_json(), "address": desk.sender}))
    watchers = len(store.spectators_of(journal.engine, game.id))
    return Effect((Said("who", {"turn": game.turn, "watchers": watchers}),), listed=tuple(listed))


def resend(desk: Desk, command: Command) -> Effect:
    """RESEND: the side's last report once more, to the sender; with MODULE the module for VASSAL is not held to be known to him."""
    game, side = _game(desk)
    journal = desk.ports.journal
    last = store.last_news(journal.engine, game.id, side)
    if last is None:
        raise Refused("nothing-to-resend")
    notes = [note for note in last["facts"].get("notes", []) if note != "resent"]
    facts = last["facts"] | {"notes": [*notes, "resent"]}
    data = last | {"facts": facts, "date": desk.at, "to": desk.sender}
    made = mails(desk.ports, game, side, [desk.sender], data, answer_key(desk, "resent"), journal.told(game.id, side))
    # As of the moment of which it told: what the other side has done since is not told by this.
    again = tuple(replace(one, data=one.data | {"at": last["at"], "token": side_tokens(game)[side]}) for one in made[:1])
    forgotten = (store.forgetting_modules(game.id, desk.sender),) if command.args.get("module") else ()
    return Effect((Said("resent", {"module": bool(forgotten)}),), intents=again, writes=forgotten)


def _game(desk: Desk) -> tuple[Game, str]:
    if desk.lobby is not None:
        raise Refused("not-begun")
    if desk.game is None or desk.side is None:
        raise Refused("which-game")
    return desk.game, desk.side


def _view(desk: Desk, game: Game, side: str) -> Json:
    return desk.ports.rules.view(desk.ports.journal.state(game.id, game.version)[0], side)


TABLE: Mapping[str, Carry] = {
    "HELP": help_with,
    "MAP": show_map,
    "TEMPLATE": template,
    "LEGAL": legal,
    "STATUS": status,
    "STANDING": standing,
    "WHO": who,
    "RESEND": resend,
}
