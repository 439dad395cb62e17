"""Commands to the campaign: each is carried out by a function of ``table``, entered in the journal like a packet, and answered by mail.

A function gets a ``Desk`` and its command, changes nothing itself, and returns an ``Effect``: what is said, what is written in the
transaction that closes the mail, what others are mailed, and the new state of the game, if it changes that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from worker import secrets
from worker.bots import programs
from worker.canonical import Json, canonical
from worker.commands import store
from worker.commands.store import Lobby
from worker.play.turn import closing_of, mails
from worker.ports import Ports
from worker.post import context
from worker.store.records import STRAY, Closing, CommandRow, Deadline, Game, Intent, Message, NewState, PacketRow, Write
from worker.waiting import halts

_OF_TIME = frozenset(("DEADLINE", "DECIDE", "EXTEND", "PAUSE", "POSTPONE", "RESUME", "TERMS", "VACATION"))
"""Commands that change until when a side is waited for."""
_LASTING = frozenset(("ADDRESS", "COPY", "INVITE", "LINK", "SUBSTITUTE"))
"""Commands that give somebody a right which outlasts the token or account that they come from: no program gives them."""
_SEVERAL = frozenset(("ADDRESS", "COPY", "INVITE", "SAY"))
"""Commands of which one mail may hold several, if they are not the same."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command as the mail service read it. ``fault``, ``hint``: what is wrong with it, and how it is written; empty if nothing is."""

    verb: str
    line: str
    args: Json
    fault: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a command is given with. ``game``, ``side``: None where the mail is about none; ``lobby``: the game, where it waits for players
    still; ``at``: when the mail came, ISO 8601, UTC.

    ``trust``: ``token``, ``address``, ``master`` or ``stranger``; ``proven``: the sender's domain vouches for him. The mail service lets no
    command through whose giver may not give it: what it says of ``side`` can be relied on.
    """

    ports: Ports
    message: Message
    game: Game | None
    side: str | None
    sender: str
    trust: str
    proven: bool
    lobby: Lobby | None = None

    @property
    def at(self) -> str:
        return self.message.received_at

    @property
    def sure(self) -> bool:
        """Whether the sender is surely who he says: an answer goes to nobody else."""
        return self.trust != "stranger" or self.proven

    def code(self, *about: Json) -> str:
        """A code for something that this mail asks for: the same if the mail is handled again, as far as its game is known."""
        home = self.game or self.lobby
        return secrets.code(home.secret if home else secrets.new_secret(), self.message.id, *about)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence by its key in the wording's table ``commands``, and what it speaks of."""

    key: str
    fields: Json = field(default_factory=dict)

    def as_json(self) -> Json:
        return {"key": self.key, "fields": self.fields}


@dataclass(frozen=True, slots=True)
class Change:
    """A new state of the game, and what hangs on it. ``packet``: the orders that led to it, if it was orders."""

    state: NewState
    deadlines: Mapping[str, Deadline | None] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    tokens: Mapping[str, str] = field(default_factory=dict)
    packet: PacketRow | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a command leads to. ``said``: sentences; ``listed``: more of them, as a list; ``text``: lines as they stand.

    ``status``: ``done``, or ``asked`` where somebody else must agree. ``shows``: parts of a report that the answer brings: ``map``,
    ``template``, ``position``. ``intents``: mails to others (``notice``, ``to_outsider``). ``after``: the game or lobby as it stands then,
    where its players, seats or tokens are others; ``side``: that of the sender from now on (empty: none). ``begun``: the game that begins.
    """

    said: tuple[Said, ...]
    listed: tuple[Said, ...] = ()
    text: tuple[str, ...] = ()
    status: str = "done"
    shows: frozenset[str] = frozenset()
    writes: tuple[Write, ...] = ()
    intents: tuple[Intent, ...] = ()
    change: Change | None = None
    deadlines: Mapping[str, Deadline | None] = field(default_factory=dict)
    after: Game | Lobby | None = None
    side: str | None = None
    begun: str | None = None

    @property
    def acts(self) -> bool:
        """Whether it does more than tell the sender something."""
        return bool(self.writes or self.intents or self.change or self.deadlines or self.after or self.begun)


class Refused(Exception):
    """A command cannot be carried out; ``said``: why, in the wording's table ``commands``. Nothing was changed."""

    def __init__(self, key: str, **fields: Json) -> None:
        super().__init__(key)
        self.said = Said(key, fields)


Carry = Callable[[Desk, Command], Effect]


def carry_out(ports: Ports, message: Message, seen_as: Json, game: Game | None, lobby: Lobby | None = None) -> Closing:
    """What a mail of commands leads to: each is carried out, or refused, by itself; at most one of them changes the state of the game."""
    from worker.commands.table import TABLE  # the families build on this file

    sender = str(seen_as.get("sender") or context.sender_of(message.raw) or "")
    side = seen_as.get("side") if game or lobby else None
    desk = Desk(ports, message, game, side, sender, str(seen_as.get("trust", "stranger")), bool(seen_as.get("proven")), lobby)
    closing = replace(closing_of(message, seen_as, game), at=message.received_at, game=stray(game or lobby))
    done: list[tuple[Command, Effect]] = []
    subjects: set[tuple[str, ...]] = set()
    for command in _gathered([Command(**one) for one in seen_as["commands"]]):
        effect = _effect(TABLE, desk, command)
        if any(one.begun or one.change or one.after for _, one in done) and (effect.begun or effect.change or effect.after):
            effect = Effect((Said("one-change"),), status="refused")
        if effect.acts and _subject(command) in subjects:
            effect = Effect((Said("once-a-mail", {"verb": command.verb}),), status="refused")
        if effect.acts:
            subjects.add(_subject(command))
        closing = _with(closing, effect)
        done.append((command, effect))
    rows = tuple(
        CommandRow(command.verb, command.line, command.args, sender, side, effect.status, [one.as_json() for one in effect.said])
        for command, effect in done
    )
    home, side = _home(desk, closing, [effect for _, effect in done])
    answer = answers(desk, home, side, done, seen_as.get("cut", []))
    return replace(closing, commands=rows, intents=numbered(ports, home, (*answer, *closing.intents)))


def _gathered(commands: list[Command]) -> list[Command]:
    """The commands of a mail; its edits are one, for they are made together or not at all."""
    edits = [one for one in commands if one.verb == "EDIT"]
    if len(edits) < 2:
        return commands
    if any(one.fault for one in edits):
        return [replace(one, args={"bad": True}) if one.verb == "EDIT" and not one.fault else one for one in commands]
    whole = replace(edits[0], line=" | ".join(one.line for one in edits)[:480], args=edits[0].args | {"all": [one.args for one in edits]})
    return [whole if one is edits[0] else one for one in commands if one is edits[0] or one.verb != "EDIT"]


def _subject(command: Command) -> tuple[str, ...]:
    """What a command is about: none knows what another of its mail does, so that two about one thing would undo or double each other."""
    if command.verb in _OF_TIME:
        return ("time",)
    if command.verb in ("ACCEPT", "REFUSE"):
        return ("offer", str(command.args.get("code") or ""))
    if command.verb in _SEVERAL:
        return (command.verb, canonical(command.args).decode())
    return (command.verb,)


def _effect(table: Mapping[str, Carry], desk: Desk, command: Command) -> Effect:
    """What one command leads to, or why it is refused."""
    if command.verb in _LASTING and not command.args.get("off") and programs.wrote(desk.message):
        return Effect((Said("by-mail-alone", {"verb": command.verb}),), status="refused")
    if command.fault:
        return Effect((Said("unread", {"fault": command.fault}),), status="refused")
    try:
        effect = table[command.verb](desk, command)
    except Refused as refusal:
        return Effect((refusal.said,), status="refused")
    if (
        effect.change is not None
        and desk.trust != "master"
        and desk.game is not None
        and halts.current(desk.ports.journal.engine, desk.game.id)
    ):
        return Effect((Said("game-paused"),), status="refused")
    return effect


def _with(closing: Closing, effect: Effect) -> Closing:
    changed = effect.change
    if changed is not None:
        closing = replace(closing, state=changed.state, calls=changed.calls, tokens=changed.tokens, packet=changed.packet)
        closing = replace(closing, deadlines={**closing.deadlines, **changed.deadlines})
    return replace(
        closing,
        game=effect.begun or (effect.after.id if effect.after else closing.game),
        deadlines={**closing.deadlines, **effect.deadlines},
        also=(*closing.also, *effect.writes),
        intents=(*closing.intents, *_apart(effect.intents, {one.key for one in closing.intents})),
    )


def _apart(intents: tuple[Intent, ...], taken: set[str]) -> Iterator[Intent]:
    """Mails under keys that no other of the same commit has: two letters of one mail are two."""
    for one in intents:
        key, count = one.key, 1
        while key in taken:
            count += 1
            key = f"{one.key}+{count}"
        taken.add(key)
        yield replace(one, key=key)


def _home(desk: Desk, closing: Closing, effects: list[Effect]) -> tuple[Game | Lobby | None, str | None]:
    """The game or lobby as it stands after the mail, and the sender's side in it; none where a game has begun, which mails him itself."""
    if any(one.begun for one in effects):
        return None, None
    home = next((one.after for one in effects if one.after is not None), desk.game or desk.lobby)
    side = next((one.side for one in effects if one.side is not None), desk.side) or None
    return (later(home, closing) if isinstance(home, Game) else home), side


def later(game: Game, closing: Closing) -> Game:
    """The game as it stands after ``closing``."""
    new = closing.state
    if new is None:
        return game
    branch = game.branch if new.branch is None else new.branch
    return replace(game, version=new.version, turn=new.turn, over=new.over, branch=branch)


def game_of(ports: Ports, seen_as: Json) -> str | None:
    """The game, or lobby, in whose queue a mail of commands belongs that the headers put in another, or in none: the one that its commands
    name, or, where all of them answer offers, the one of these.
    """
    engine = ports.journal.engine
    given = seen_as["commands"]
    codes = [str(one["args"].get("code")) for one in given if one["verb"] in ("ACCEPT", "REFUSE") and one["args"].get("code")]
    homes = {store.home_of(engine, code) for code in codes} if len(codes) == len(given) else set()
    found = [homes.pop() if len(homes) == 1 else None, seen_as.get("named")]
    return next((one for one in found if one and (ports.journal.game(one) or store.lobby(engine, one))), None)


# Mails


def answers(desk: Desk, home: Game | Lobby | None, side: str | None, done: list[tuple[Command, Effect]], cut: list[Json]) -> list[Intent]:
    """The answer to a mail of commands, to its sender alone; what was cut from it is told too. Where nothing is said, there is none, nor
    for a stranger who only knocks and is refused.
    """
    told = [
        {
            "line": command.line,
            "status": effect.status,
            "said": [one.as_json() for one in effect.said],
            "listed": [one.as_json() for one in effect.listed],
            "text": list(effect.text),
            "hint": command.hint,
        }
        for command, effect in done
        if effect.said and (desk.sure or effect.status != "refused")
    ]
    shows = sorted({one for _, effect in done for one in effect.shows})
    return letter(desk, home, side, [desk.sender], "answer", {"answers": told, "shows": shows, "cut": cut}, "answer") if told else []


def notice(
    desk: Desk,
    side: str,
    key: str,
    *said: Said,
    game: Game | None = None,
    to: list[str] | None = None,
    text: tuple[str, ...] = (),
    **facts: Json,
) -> list[Intent]:
    """A mail of its own to the players of a side (``to``: to these of them): what somebody else's command means for them.

    ``key``: unique in this mail; ``game``: as it stands after the command, where that changes it.
    """
    home = game or desk.game
    assert home is not None
    players = to or desk.ports.journal.addresses(home.id)[side]
    return letter(desk, home, side, players, "notice", {"answers": [_told(said, text)]} | facts, key)


def to_outsider(desk: Desk, address: str, key: str, *said: Said, text: tuple[str, ...] = ()) -> Intent:
    """A mail to somebody who is no player here; it bears no token."""
    return letter(desk, None, None, [address], "notice", {"answers": [_told(said, text)]}, key)[0]


def _told(said: tuple[Said, ...], text: tuple[str, ...]) -> Json:
    return {"line": "", "status": "done", "said": [one.as_json() for one in said], "listed": [], "text": list(text), "hint": ""}


def answer_key(desk: Desk, key: str) -> str:
    """The key of a mail that a command makes."""
    return f"m{desk.message.id}/{key}"


def letter(desk: Desk, home: Game | Lobby | None, side: str | None, addresses: list[str], kind: str, facts: Json, key: str) -> list[Intent]:
    """Mails of ``kind``: to players with the token of their side, to others without. An ``answer`` is in the thread of the mail."""
    own, references, subject = context.thread_of(desk.message.raw)
    data: Json = {"kind": kind, "date": desk.at, "facts": facts, "subject": subject if kind == "answer" else ""}
    thread = {"in_reply_to": own, "references": [*references, *([own] if own else [])]}
    name = answer_key(desk, key)
    if home is None or not side:
        data |= thread if kind == "answer" else {"in_reply_to": None, "references": []}
        return [Intent(f"{name}/{number}", data | {"to": one}, -1) for number, one in enumerate(addresses, start=1) if one]
    if kind != "answer":
        earlier = [one for one, _ in desk.ports.journal.mails_to(home.id, side)]
        thread = {"in_reply_to": earlier[-1] if earlier else None, "references": [*earlier[:1], *earlier[1:][-10:]]}
    if isinstance(home, Game):
        told = desk.ports.journal.told(home.id, side)
        # A new state that a command made is told to whoever hears of it; what others did meanwhile is not swallowed by any other answer.
        version = home.version if desk.game is not None and home.version != desk.game.version else told
        return mails(desk.ports, home, side, addresses, data | thread | {"after": told}, name, version)
    token = next(one.token for one in home.seats if one.side == side)
    data |= thread | {"turn": 0, "at": -1, "token": token}
    return [Intent(f"{name}/{number}", data | {"to": one}, -1, side, "-") for number, one in enumerate(addresses, start=1)]


def numbered(ports: Ports, home: Game | Lobby | None, intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    """The mails of one commit with Message-IDs that count on from what each side has got."""
    if home is None:
        return intents
    domain = ports.config.address.rpartition("@")[2]
    counted: dict[str, int] = {}
    found = []
    for one in intents:
        if one.side is None or one.message_id is None:
            found.append(one)
            continue
        counted[one.side] = counted.get(one.side, len(ports.journal.mails_to(home.id, one.side))) + 1
        found.append(replace(one, message_id=secrets.message_id(home.secret, home.id, f"{one.side}/{counted[one.side]}", domain)))
    return tuple(found)


def stray(home: Game | Lobby | None) -> str:
    """Under which name what belongs to a game is filed."""
    return home.id if home is not None else STRAY
