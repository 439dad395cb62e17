"""What the journal hands out and takes in: frozen values, a row or a transaction each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection

from worker.canonical import Json

STRAY = "-"
"""The queue of mails whose headers name no game."""


SPECTATOR = "spectator"
"""In place of a side: those who watch. They are mailed what both sides may know."""


def viewer(side: str | None) -> str | None:
    """Whose view is shown to a side: its own, or for those who watch what both know."""
    return None if side == SPECTATOR else side


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands. ``version``: of its state; ``n``: last numbered packet; ``head``: end of the hash chain.

    ``epochs``: how often the players of a side were replaced, where they were.
    """

    id: str
    scenario: str
    options: Json
    sides: tuple[str, ...]
    secret: str
    words: list[list[str]]
    branch: int
    version: int
    n: int
    packets: int
    turn: int
    over: bool
    head: str
    epochs: Mapping[str, int] = field(default_factory=dict)

    @property
    def rules(self) -> str:
        """The name of its game module: ``holdfast`` of ``holdfast/campaign-1``."""
        return self.scenario.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Message:
    """A received mail that waits. ``received_at``: ISO 8601, UTC; ``verdict``: what was made of it before, None at the first time.

    ``place``: where it lay in the inbox, or that it is no mail but a call to play for a side (worker/waiting/absent.py).
    """

    id: int
    game: str
    raw: bytes
    received_at: str
    verdict: str | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """A mail that must leave. ``key``: unique in its game; ``data``: all that it is made from; ``version``: the state that it tells of."""

    key: str
    data: Json
    version: int
    side: str | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An intent in the outbox. ``raw``: artifact of the composed mail, once it is made."""

    id: int
    game: str
    key: str
    data: Json
    version: int
    side: str | None
    message_id: str | None
    raw: str | None
    attempts: int


@dataclass(frozen=True, slots=True)
class PacketRow:
    """One packet of orders and what became of it."""

    id: str
    side: str
    turn: int
    status: str
    lines: list[str]
    printed: list[str] = field(default_factory=list)
    packet: Json = None
    n: int | None = None
    diagnostics: list[Json] = field(default_factory=list)
    rejections: list[Json] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class NewState:
    """A state to be committed after ``version - 1``. ``record``: the entry of the hash chain; ``turn``, ``over``: as the state says.

    ``branch``: the new one that it begins, if it does; ``undone``: the versions whose events it takes back.
    """

    version: int
    state: Json
    digest: str
    record: Json
    events: list[Json]
    turn: int
    over: bool
    n: int | None = None
    branch: int | None = None
    undone: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command to the campaign and what became of it. ``status``: done, refused, or asked (somebody else must agree)."""

    verb: str
    line: str
    args: Json
    sender: str
    side: str | None
    status: str
    said: list[Json]


Write = Callable[[Connection], None]
"""Something that is written in a transaction."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when a side is waited for: ``due``, ISO 8601, UTC. ``extended``: that was put off once already. ``since``: from when it has
    been waited for; ``kind``: of ``deadlines.CLASSES``, what for.
    """

    due: str
    extended: bool = False
    since: str = ""
    kind: str = "turn"


@dataclass(frozen=True, slots=True)
class Start:
    """What a game starts with: its players' addresses by side, the token of each side, the first mails, and when (ISO 8601, UTC).

    ``deadlines``, ``calls``: as in ``Closing``; ``themes``: the look of the pictures by side, where it is not that of the settings;
    ``also``: what is written besides.
    """

    addresses: Mapping[str, list[str]]
    tokens: Mapping[str, str]
    mails: tuple[Intent, ...]
    at: str
    deadlines: Mapping[str, Deadline | None] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    themes: Mapping[str, str] = field(default_factory=dict)
    also: tuple[Write, ...] = ()


@dataclass(frozen=True, slots=True)
class Closing:
    """All that one received mail leads to, committed as a whole. ``played``: id of the draft that it carried out;
    ``lapsed``: the sides that are told by it that a draft of theirs has died with its game-turn. ``deadlines``: those that are new, or
    None where a side is waited for no more; ``calls``: the places of calls to play for a side, ``at`` the time that they are entered with.
    ``commands``: those that the mail held; ``also``: what they write besides.
    """

    message: int
    game: str
    verdict: str
    side: str | None = None
    message_id: str | None = None
    digest: str | None = None
    status: str = "done"
    packet: PacketRow | None = None
    state: NewState | None = None
    played: str | None = None
    lapsed: tuple[str, ...] = ()
    tokens: Mapping[str, str] = field(default_factory=dict)
    intents: tuple[Intent, ...] = ()
    deadlines: Mapping[str, Deadline | None] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    at: str = ""
    commands: tuple[CommandRow, ...] = ()
    also: tuple[Write, ...] = ()


UNSENT = "unsent"
"""The status of a mail that did not leave, as its address takes none."""


class LostRace(Exception):
    """Another task has already done this, or the state has moved on: nothing was written; read again."""
