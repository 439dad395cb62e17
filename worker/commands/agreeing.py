"""What changes the game outside its rules: UNDO and DRAW. What concerns the other side needs its consent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from worker.canonical import Json, canonical, digest
from worker.commands import store
from worker.commands.frame import Carry, Change, Command, Desk, Effect, Refused, Said, notice
from worker.commands.offering import MOST_A_DAY, Accept, day_before
from worker.commands.store import Offer
from worker.play import news
from worker.play.orders import Written
from worker.play.turn import carry_out, entered, provenance, turn_report, watch_report
from worker.ports import Ports
from worker.post.context import side_tokens
from worker.store.records import SPECTATOR, Closing, Game, NewState
from worker.waiting import terms, waits
from worker.waiting.deadlines import ADJUTANT, adjutants, calls, later, without

REVEALING = frozenset({"rolled", "script_stopped", "line_skipped", "unused"})
"""Events by which a player has seen a die, or has learnt from the rules what he did not know."""


# Taking orders back


@dataclass(frozen=True, slots=True)
class Last:
    """The last orders of a game: the version that they led to, their packet, and what of them forbids to take them back alone."""

    version: int
    packet: str
    against: tuple[str, ...]


def undo(desk: Desk, command: Command) -> Effect:
    """UNDO: at once, or by consent of the other side."""
    game, side = _playing(desk)
    last = last_orders(desk.ports, game, side)
    if not last.against:
        change, after = taken_back(desk.ports, game, last, side, desk.at, agreed=False)
        writes = (store.taking_back(last.packet),)
        return Effect((Said("undone"),), shows=frozenset({"map", "position", "template"}), change=change, writes=writes, after=after)
    return ask_other_side(desk, game, "undo", {"version": last.version}, Said("undo-asked", {"side": side, "against": list(last.against)}))


def _playing(desk: Desk) -> tuple[Game, str]:
    if desk.game is None or desk.side is None:
        raise Refused("not-begun")
    if desk.game.over:
        raise Refused("game-over")
    return desk.game, desk.side


def last_orders(ports: Ports, game: Game, side: str) -> Last:
    """The orders that ``side`` could take back. Refused if the last ones that count are not its own."""
    done = [one for one in store.last_records(ports.journal.engine, game.id) if "undo" not in one[2]]
    if not done or not done[0][1]:
        raise Refused("undo-nothing")
    version, packet, record = done[0]
    if record["packet"]["side"] != side or record.get("absent"):
        raise Refused("undo-not-yours")
    return Last(version, packet, tuple(_against(ports, game, side, version)))


def _against(ports: Ports, game: Game, side: str, version: int) -> list[str]:
    """Why a side may not take the orders of ``version`` back by itself: ``die``, ``revealed``, ``told``."""
    events = ports.journal.events(game.id, version - 1, version)
    before, after = (ports.journal.state(game.id, one)[0] for one in (version - 1, version))
    seen = [ports.rules.view(state, side) for state in (before, after)]
    found = []
    if any(event["kind"] == "rolled" for event in events) or before.get("drawn") != after.get("drawn"):
        found.append("die")
    kinds = {event["kind"] for event in events if event.get("owner") in (None, side)}
    if kinds & (REVEALING - {"rolled"}) or _strange(seen[0], side) != _strange(seen[1], side):
        found.append("revealed")
    others = [one for one in (*game.sides, SPECTATOR) if one != side]
    if any(ports.journal.told(game.id, one) >= version for one in others):
        found.append("told")
    return found


def _strange(view: Json, side: str) -> bytes:
    """What a view shows of the other side."""
    return canonical([one for one in view.get("counters", []) if one.get("side") != side])


def taken_back(ports: Ports, game: Game, last: Last, side: str, at: str, *, agreed: bool) -> tuple[Change, Game]:
    """The game as it was before some orders, as a new state: nothing that was is forgotten. Where dice may have been thrown (``agreed``)
    it begins a new branch, so that none is thrown again.
    """
    state, known = ports.journal.state(game.id, last.version - 1)
    views = {one: ports.rules.view(state, one) for one in game.sides}
    was = {one: ports.rules.view(ports.journal.state(game.id, game.version)[0], one) for one in game.sides}
    branch = game.branch + 1 if agreed else game.branch
    after = replace(game, version=game.version + 1, turn=news.game_turn(views, game.turn), branch=branch)
    record = {
        "game": game.id,
        "version": after.version,
        "branch": branch,
        "n": None,
        "seed": None,
        "packet": None,
        "undo": {"version": last.version, "side": side, "agreed": agreed},
        "state": known,
        "events": digest(canonical([])),
    }
    new = NewState(after.version, state, known, record | provenance(state), [], after.turn, False, branch=branch, undone=(last.version,))
    absent = adjutants(ports.journal.addresses(game.id))
    due = waits.following(ports, game, was, without(views, absent), at)
    fresh = side_tokens(after) if (after.branch, after.turn) != (game.branch, game.turn) else {}
    return Change(new, due, calls(game.id, after.version, views, absent), fresh), after


def accept_undo(desk: Desk, command: Command, offer: Offer) -> Effect:
    """The other side lets the last orders be taken back."""
    game, _ = _playing(desk)
    asker = str(offer.data["side"])
    try:
        last = last_orders(desk.ports, game, asker)
    except Refused:
        last = None
    if last is None or last.version != offer.data["version"]:
        raise Refused("undo-too-late")
    change, after = taken_back(desk.ports, game, last, asker, desk.at, agreed=True)
    shows = ["map", "position", "template"]
    told = notice(desk, asker, "undone", Said("undone-agreed", {"side": asker}), game=after, shows=shows)
    return Effect(
        (Said("undone-agreed", {"side": asker}),),
        shows=frozenset(shows),
        writes=(offer.settled("taken"), store.taking_back(last.packet)),
        intents=tuple(told),
        change=change,
        after=after,
    )


# A draw


def draw(desk: Desk, command: Command) -> Effect:
    """DRAW: proposes it, or agrees where the other side has proposed it. DRAW OFF takes the proposal back."""
    game, side = _playing(desk)
    engine = desk.ports.journal.engine
    mine = [one for one in store.offers_in(engine, desk.at, game.id, "draw") if one.data["side"] == side]
    if command.args.get("withdraw"):
        if not mine:
            raise Refused("no-draw-proposed")
        return Effect((Said("draw-withdrawn"),), writes=tuple(one.settled("void") for one in mine))
    theirs = [one for one in store.offers_to(engine, desk.at, game.id, side) if one.kind == "draw"]
    if theirs:
        return accept_draw(desk, command, theirs[0])
    return ask_other_side(desk, game, "draw", {}, Said("draw-asked", {"side": side}))


def accept_draw(desk: Desk, command: Command, offer: Offer) -> Effect:
    """Both sides want a draw: the game ends."""
    game, side = _playing(desk)
    order = {"line": 1, "verb": "DRAW", "args": {}, "label": None, "guard": [], "else": None, "confirm": True}
    written = Written({"orders": [order], "standing": [], "check": False, "hold": False, "anyway": False, "fault": "stop"}, ["DRAW"], [])
    result = carry_out(desk.ports, game, side, written, ["DRAW"])
    if result.state is None:
        raise Refused("cannot-draw")
    made, after, due = entered(desk.ports, Closing(desk.message.id, game.id, "accept"), game, result, desk.at)
    assert made.state is not None
    change = Change(made.state, made.deadlines, made.calls, made.tokens, made.packet)
    told = [one for other in game.sides for one in turn_report(desk.ports, after, other, desk.at, {"news": True} | due)]
    told += watch_report(desk.ports, after, desk.at, due)
    return Effect((Said("draw-agreed"),), writes=(offer.settled("taken"),), intents=tuple(told), change=change, after=after)


def ask_other_side(desk: Desk, game: Game, kind: str, data: Json, said: Said) -> Effect:
    """Ask the players of the other side; they may think about it as long as the terms of the game say."""
    side, other = desk.side, next(one for one in game.sides if one != desk.side)
    if desk.ports.journal.addresses(game.id).get(other) == [ADJUTANT]:
        raise Refused("adjutant-agrees-to-nothing", kind=kind, against=said.fields.get("against", []))
    engine = desk.ports.journal.engine
    found = [one for one in store.offers_in(engine, desk.at, game.id, kind) if one.data == data | {"side": side}]
    if found:
        raise Refused("proposed-already", kind=kind)
    if store.offers_lately(engine, day_before(desk.at), game=game.id, kind=kind, side=other) >= MOST_A_DAY:
        raise Refused("proposed-often", most=MOST_A_DAY)
    made = Offer(desk.code(kind), kind, game.id, other, None, desk.sender, data | {"side": side}, desk.at)
    hours = terms.of(engine, desk.ports.config, game.id).consent
    until = later(desk.at, hours)
    lines = (f"ACCEPT {made.code}", f"REFUSE {made.code}")
    told = notice(desk, other, kind, said, Said("offer-to-side", {"until": until}), text=lines)
    return Effect((Said(f"{kind}-proposed", said.fields),), writes=(made.written(hours / 24),), intents=tuple(told), status="asked")


TABLE: Mapping[str, Carry] = {"UNDO": undo, "DRAW": draw}
ACCEPTED: Mapping[str, Accept] = {"undo": accept_undo, "draw": accept_draw}
