"""The use case of an orders mail: have it adjudicated, and put together all that follows from it, to be committed at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.metadata import version

from worker import secrets
from worker.board.handing import is_handed_in
from worker.canonical import Json, canonical, digest
from worker.commands import store
from worker.hosting.alerts import Alert, entering
from worker.play import news
from worker.play.dice import wrong_throw
from worker.play.orders import Written, adjudicate, read_orders
from worker.play.throws import rolled_in
from worker.ports import Ports, ServiceFailed
from worker.post import context, holds, unanswered
from worker.post.bounces import paused_of
from worker.post.context import side_tokens
from worker.post.links import REPORTS
from worker.post.writers import writers_of
from worker.store.records import SPECTATOR, STRAY, Closing, Game, Intent, Message, NewState, PacketRow
from worker.waiting import halts, reliability, terms, waits
from worker.waiting.deadlines import ADJUTANT, adjutants, calls, next_due, without

UNREPEATED = frozenset(("draft_lapsed", "held_unused"))
"""Notes that no later mail brings: what a side wrote has come to nothing."""


def build_and_read(ports: Ports, message: Message) -> Json:
    """The mail service's verdict on a mail. A game that only the commands in it name is looked up for a second reading."""
    patient: Json = {"patient": unanswered.may_wait(ports.journal.engine, message.id)} if ports.config.check_dkim else {}
    known = context.build_context(ports.journal, ports.config, message.raw, message.received_at, message.game) | patient
    # The code proves a player. What the game master may do wants more than what whoever has the link can ask for.
    patient |= {"vouched": True, "masters": []} if is_handed_in(message) else {}
    seen_as = ports.mail.read(message.raw, known | patient)
    named = seen_as.get("named")
    if named and all(one["id"] != named for one in known["games"]) and ports.journal.game(named) is not None:
        known = context.build_context(ports.journal, ports.config, message.raw, message.received_at, named) | patient
        return ports.mail.read(message.raw, known)
    return seen_as


def park(ports: Ports, message: Message, why: str, *, read: bool = True) -> None:
    """Put a mail aside that failed again and again; a player whose orders these are is told, and so is the game master.

    ``why``: a few words that give nothing of the mail away; ``read``: false where it cannot even be read safely.
    """
    try:
        seen_as = build_and_read(ports, message) if read else {"verdict": "parked"}
    except Exception:  # it is the reading that fails: nobody is known who could be told
        seen_as = {"verdict": "parked"}
    game = ports.journal.game(seen_as.get("game") or message.game)
    closing = closing_of(message, seen_as, game)
    closing = replace(closing, verdict="parked", status="parked")
    told = message.verdict == "parked"  # it was tried again since, and he knows already
    if seen_as["verdict"] == "accept" and game is not None and not told:
        facts = {"verdict": "refuse:parked"}
        closing = replace(
            closing, intents=tuple(_answers(ports, message, game, seen_as["side"], "explain", facts, f"m{message.id}/parked"))
        )
    if not told:
        whose = f" of {game.id}" if game else ""
        said = (
            f"Mail {message.id}{whose} cannot be handled and is put aside ({why}). When the cause is mended, hexpost retry tries it again."
        )
        alert = Alert("operator", f"parked {message.id}", ports.now(), game.id if game else None, {"part": "handling", "said": said})
        closing = replace(closing, also=(*closing.also, entering(ports.config, alert)))
    ports.journal.close(closing)


# A mail that is no orders


def closing_of(message: Message, seen_as: Json, game: Game | None) -> Closing:
    """What is entered of any mail. Its side only where the sender is surely of it, or in doubt and to be asked: whose name is borrowed
    must not find his own mail known already.
    """
    own, _, _ = context.thread_of(message.raw)
    return Closing(
        message=message.id,
        game=game.id if game else STRAY,
        verdict=str(seen_as["verdict"])[:80],
        side=seen_as.get("side") if seen_as.get("authentic", True) or str(seen_as["verdict"]).startswith("hold:") else None,
        message_id=str(seen_as.get("message_id") or own or "")[:998],
        digest=seen_as.get("digest") or digest(message.raw),
    )


def unaccepted(ports: Ports, message: Message, seen_as: Json, game: Game | None) -> Closing:
    """What follows from a mail that is not used: a word to him who may have one."""
    closing = closing_of(message, seen_as, game)
    reply = seen_as.get("reply", "none")
    if reply == "none":
        return closing
    kind = "confirm" if reply == "confirm-to-registered-address" else "explain"
    facts = {key: seen_as[key] for key in ("verdict", "cut", "sources") if key in seen_as} | {
        "sender": str(seen_as.get("sender", ""))[:300]
    }
    key = f"m{message.id}/{kind}"
    side = seen_as.get("side")
    if game is not None and side is not None and kind == "confirm":
        return _asked(ports, message, closing, game, side, facts)
    if game is not None and side is not None and _is_players(ports, message, game, side):
        return replace(closing, intents=tuple(_answers(ports, message, game, side, kind, facts, key)))
    return replace(closing, intents=tuple(_stranger(message, facts, key) if kind == "explain" else ()))


def _asked(ports: Ports, message: Message, closing: Closing, game: Game, side: str, facts: Json) -> Closing:
    """The registered address is asked about a mail, unless it was asked about more than it can have sent; then the game master hears."""
    engine = ports.journal.engine
    if holds.is_full(engine, game.id, side):
        alert = Alert("held-flood", f"{game.id} {side} {message.received_at[:10]}", message.received_at, game.id, {"side": side})
        return replace(closing, also=(*closing.also, entering(ports.config, alert)))
    facts = facts | {"question": holds.question(game, message)}
    intents = _answers(ports, message, game, side, "confirm", facts, holds.question_key(message.id))
    return replace(closing, intents=tuple(intents), also=(*closing.also, holds.asking(game, side, message)))


def _is_players(ports: Ports, message: Message, game: Game, side: str) -> bool:
    sender = context.sender_of(message.raw)
    return sender in ports.journal.addresses(game.id).get(side, []) or sender in writers_of(ports.journal.engine, game.id).get(side, {})


def _stranger(message: Message, facts: Json, key: str) -> list[Intent]:
    """An answer to somebody who is not known as a player: it bears no token and tells nothing of any game."""
    sender = context.sender_of(message.raw)
    if sender is None:
        return []
    own, references, subject = context.thread_of(message.raw)
    data = {"kind": "explain", "to": sender, "facts": facts, "date": message.received_at, "subject": subject}
    data |= {"in_reply_to": own, "references": [*references, *([own] if own else [])]}
    return [Intent(key=key, data=data, version=0)]


# Orders


@dataclass(frozen=True, slots=True)
class Result:
    """What a packet led to: the outcome, the views of each side before and after, and what it is entered as."""

    outcome: Json
    before: news.Views
    after: news.Views
    row: PacketRow
    state: NewState | None
    draft: PacketRow | None


def accepted(ports: Ports, message: Message, seen_as: Json, game: Game) -> Closing:
    """What follows from orders."""
    side = str(seen_as["side"])
    result = _play(ports, game, side, [str(line) for line in seen_as["lines"]])
    known = ports.journal.deadlines(game.id).get(side)
    closing, later, due = entered(ports, closing_of(message, seen_as, game), game, result, message.received_at)
    if result.draft is not None and result.state is not None:
        closing = replace(closing, played=result.draft.id)
    others = news.sides_to_tell(side, result.before, result.after) if result.state is not None else []
    lapsed = lapsed_drafts(ports, later, [side, *others], without=side if closing.played else None)
    unused = holds.lapsed(ports.journal.engine, later) & {side, *others}
    facts = {"packet": result.row.id, "cut": seen_as.get("cut", []), "news": result.state is not None}
    facts["status"] = result.row.status  # the row's own changes when a draft is carried out
    facts |= due | _noted(*_of_writer(ports, message, game, side), *seen_as.get("notes", []), *_gone(side, lapsed, unused))
    intents = _answers(ports, message, later, side, "receipt", facts, f"{result.row.id}/receipt")
    for other in others:
        told = {"news": True} | due | _noted(*_gone(other, lapsed, unused))
        intents += turn_report(ports, later, other, message.received_at, told, result.after[other])
    intents += watch_report(ports, later, message.received_at, due) if others else []
    also = (*closing.also, holds.lapsing(later, unused)) if unused else closing.also
    if known is not None and result.state is not None:
        waiting = terms.of(ports.journal.engine, ports.config, game.id).absence in ("wait", "master")
        also = (*also, *reliability.answered(known, closing, context.sender_of(message.raw) or "", side, waits=waiting))
    return replace(closing, intents=tuple(intents), lapsed=lapsed, also=also)


def entered(ports: Ports, closing: Closing, game: Game, result: Result, at: str) -> tuple[Closing, Game, Json]:
    """``closing`` with all that a packet commits ``at`` a time, the game as it stands then, and what mails say of the deadline."""
    stored = ports.journal.deadlines(game.id)
    closing = replace(closing, packet=result.row, state=result.state, at=at)
    if result.state is None:
        return closing, game, {"deadline": next_due(stored, {})}
    later = replace(game, version=result.state.version, turn=result.state.turn, over=result.state.over)
    absent = adjutants(ports.journal.addresses(game.id))
    changed = waits.following(ports, game, result.before, without(result.after, absent), at)
    places = calls(game.id, later.version, result.after, absent)
    tokens = side_tokens(later) if later.turn != game.turn else {}
    return replace(closing, deadlines=changed, calls=places, tokens=tokens), later, {"deadline": next_due(stored, changed)}


def lapsed_drafts(ports: Ports, game: Game, told: list[str], without: str | None) -> tuple[str, ...]:
    """Those of the sides that are told something now who have a draft that died with its game-turn; not ``without``, whose was played."""
    return tuple(one for one in told if one != without and ports.journal.has_lapsed_draft(game.id, one, game.turn))


def _noted(*notes: str) -> Json:
    return {"notes": list(notes)} if notes else {}


def _gone(side: str, lapsed: Collection[str], unused: Collection[str]) -> list[str]:
    """What a side must hear of its mails that have died with their game-turn."""
    return [*(["draft_lapsed"] if side in lapsed else []), *(["held_unused"] if side in unused else [])]


def _of_writer(ports: Ports, message: Message, game: Game, side: str) -> list[str]:
    """Whether orders came from a deputy."""
    role = writers_of(ports.journal.engine, game.id).get(side, {}).get(context.sender_of(message.raw) or "")
    return ["by_deputy"] if role == "deputy" else []


def _play(ports: Ports, game: Game, side: str, lines: list[str]) -> Result:
    vocabulary = ports.rules.scenario(game.scenario)
    written = read_orders(ports.mail, game.rules, lines, vocabulary, side)
    draft = ports.journal.draft(game.id, side, game.turn) if written.only_done else None
    if draft is not None:
        lines = [*(line for line in draft.lines if not _is_word(line, "HOLD", "END")), *lines]
        written = read_orders(ports.mail, game.rules, lines, vocabulary, side)
    return carry_out(ports, game, side, written, lines, draft)


def carry_out(ports: Ports, game: Game, side: str, written: Written, lines: list[str], draft: PacketRow | None = None) -> Result:
    """What orders that were read lead to; nothing is committed. ``lines``: as they came; ``draft``: the one that they carry out."""
    state, known = ports.journal.state(game.id, game.version)
    key = f"{game.id}-{game.packets + 1:06d}"
    who = {"id": key, "side": side, "seq": None}
    seed = secrets.seed(game.secret, game.words, game.id, game.branch, game.n + 1)
    outcome = adjudicate(ports.rules, state, written, who, {"seed": seed, "digest": known})
    if any(wrong_throw(seed, one) for one in rolled_in(outcome["events"])):
        raise ServiceFailed("The rules service threw dice that its seed does not give.")  # never entered, and tried again
    row = PacketRow(
        id=key,
        side=side,
        turn=game.turn,
        status=outcome["status"],
        lines=lines,
        printed=written.printed,
        packet=written.packet,
        diagnostics=written.diagnostics,
        rejections=outcome["rejections"],
        events=outcome["events"] if outcome["status"] in ("checked", "held") else [],  # what would happen, up to the first die
    )
    if outcome["status"] != "done" or outcome["digest"] == known:
        return Result(outcome, {}, {}, row, None, draft)
    before = {one: ports.rules.view(state, one) for one in game.sides}
    after = {one: ports.rules.view(outcome["state"], one) for one in game.sides}
    return _committed(game, Result(outcome, before, after, row, None, draft), written, seed)


def _committed(game: Game, result: Result, written: Written, seed: str) -> Result:
    outcome, row = result.outcome, result.row
    numbered = bool(outcome["ran"])  # G9: what runs no agenda takes no number, and its seed was not used
    n = game.n + 1 if numbered else None
    record = {
        "game": game.id,
        "version": game.version + 1,
        "branch": game.branch,
        "n": n,
        "seed": seed if numbered else None,
        "packet": written.packet | {"id": row.id, "side": row.side, "seq": None},
        "state": outcome["digest"],
        "events": digest(canonical(outcome["events"])),
    }
    state = NewState(
        version=game.version + 1,
        state=outcome["state"],
        digest=outcome["digest"],
        record=record | provenance(outcome["state"]),
        events=outcome["events"],
        turn=news.game_turn(result.after, game.turn),
        over=news.is_over(result.after),
        n=n,
    )
    return replace(result, row=replace(row, n=n), state=state)


def provenance(state: Json) -> Json:
    """By what a state was made: rules version, data digest, options."""
    return {"rules": version("hexpost"), "data": state.get("data_digest"), "options": state.get("options", {})}


def _is_word(line: str, *words: str) -> bool:
    return line.split("#")[0].split(";")[0].strip().upper() in words


# Mails that follow


def _answers(ports: Ports, message: Message, game: Game, side: str, kind: str, facts: Json, key: str) -> list[Intent]:
    """The answer to a mail, to every player of its side and to the deputy or the other address that wrote it: in the mail's thread."""
    own, references, subject = context.thread_of(message.raw)
    told = ports.journal.told(game.id, side)
    data = {"kind": kind, "date": message.received_at, "facts": facts, "subject": subject, "after": told}
    data |= {"in_reply_to": own, "references": [*references, *([own] if own else [])]}
    # Only a receipt of orders that were done tells the news: what others did meanwhile is not swallowed by a refusal.
    version = game.version if facts.get("news") else told
    players, sender = ports.journal.addresses(game.id)[side], context.sender_of(message.raw)
    if kind != "confirm" and sender not in players and sender in writers_of(ports.journal.engine, game.id).get(side, {}):
        players = [*players, str(sender)]
    return mails(ports, game, side, players, data, key, version)


def turn_report(ports: Ports, game: Game, side: str, date: str, facts: Json, seen: Json = None) -> list[Intent]:
    """The report to a side that did not write: in the thread of its mails. ``seen``: its view; where nothing is wanted of it, none of its
    players gets one who wants only reports that want something, unless it brings what no later one will. He is told the rest with the next.
    """
    players = ports.journal.addresses(game.id)[side]
    chosen = store.preferences_in(ports.journal.engine, game.id, "notify")
    waits = seen is None or side in seen.get("waiting_for", []) or bool(seen.get("over"))
    owed = not UNREPEATED.isdisjoint(facts.get("notes", ()))
    if not (waits or owed):
        players = [one for one in players if chosen.get(one) != "awaited"]
    if not players:
        return []
    earlier = [key for key, _ in ports.journal.mails_to(game.id, side)]
    data = {"kind": "turn", "date": date, "facts": facts, "subject": "", "after": ports.journal.told(game.id, side)}
    data |= {"in_reply_to": earlier[-1] if earlier else None, "references": [*earlier[:1], *earlier[1:][-10:]]}
    return mails(ports, game, side, players, data, f"v{game.version}/turn/{side}", game.version)


def watch_report(ports: Ports, game: Game, date: str, facts: Json) -> list[Intent]:
    """The report to those who watch, when a side is told something; the first of them is told what is new to one side at least."""
    watchers = store.spectators_of(ports.journal.engine, game.id)
    if not watchers:
        return []
    told = ports.journal.told(game.id, SPECTATOR) or min(ports.journal.told(game.id, side) for side in game.sides)
    earlier = [key for key, _ in ports.journal.mails_to(game.id, SPECTATOR)]
    data = {"kind": "turn", "date": date, "facts": facts | {"news": True}, "subject": "", "after": told}
    data |= {"in_reply_to": None, "references": earlier[-10:]}
    return mails(ports, game, SPECTATOR, watchers, data, f"v{game.version}/turn/{SPECTATOR}", game.version)


def mails(ports: Ports, game: Game, side: str, addresses: list[str], data: Json, key: str, version: int) -> list[Intent]:
    """One mail to each player of a side, the same but for addressee and Message-ID; and copies, which bear no token, of what is told. None
    goes to an address that is paused.
    """
    facts = {"deadline": next_due(ports.journal.deadlines(game.id), {})} | data["facts"]
    if not facts.get("resumed") and halts.current(ports.journal.engine, game.id) is not None:
        facts |= {"deadline": None, "notes": [*facts.get("notes", []), "paused"]}
    common = data | {"facts": facts, "turn": game.turn, "at": game.version}
    token = data["facts"].get("question") or side_tokens(game).get(side, "")
    since = _told_last(ports, game, side, data) if "news" in data["facts"] and data["kind"] != "start" else {}
    # What is between a player and the desk is not copied.
    copied = store.copies_of(ports.journal.engine, game.id, side) if data["kind"] in REPORTS else []
    dead = paused_of(ports.journal.engine, [*addresses, *copied]) | {ADJUTANT}
    to = [(one, borne) for one, borne in (*((one, token) for one in addresses), *((one, "") for one in copied)) if one not in dead]
    domain = ports.config.address.rpartition("@")[2]
    # An id counts what the side itself has got: of anything else, as of the game's packets, it would tell once the secret is published.
    got = len(ports.journal.mails_to(game.id, side))
    return [
        Intent(
            f"{key}/{number}",
            common | {"to": address, "token": borne} | ({"after": since[address]} if address in since else {}),
            version,
            side,
            secrets.message_id(game.secret, game.id, f"{side}/{got + number}", domain),
        )
        for number, (address, borne) in enumerate(to, start=1)
    ]


def _told_last(ports: Ports, game: Game, side: str, data: Json) -> dict[str, int]:
    """Up to which version those of the side's addresses were told who were left out of later reports, as they wished."""
    if (
        not data["facts"]["news"]
        or not store.preferences_in(ports.journal.engine, game.id, "notify")
        or "resent" in data["facts"].get("notes", ())
    ):
        return {}
    found = ports.journal.told_to(game.id, side)
    return {address: version for address, version in found.items() if version < data["after"]}
