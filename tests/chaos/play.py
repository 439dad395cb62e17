"""Four games at once by script over an installation, disturbed or not, and how they ended: all that is the same in both."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from tests.chaos.disturbances import Fate, Hit, disturbances
from tests.chaos.nursery import nursery
from tests.chaos.scripts import CASTS, Cast, Letter, letters
from tests.chaos.world import Post, World, installation, quick_folder, services
from tests.worker.postgresql import Server, serving
from worker.app import make_parts
from worker.canonical import Json, digest
from worker.local import local_mail, local_rules
from worker.play.games import new_game
from worker.post.postbox import parts, reply
from worker.store.database import open_database, reading
from worker.store.journal import Journal
from worker.store.tables import alerts, games, messages, outbox, packets

SILENCE = 60.0
"""Seconds without a letter, a mail or a disturbance after which games are given up: whatever is tried again is so within a few."""
LOOK = 0.1
"""Seconds that one look at the games counts for at most: it takes a fortieth; where it takes longer, others have the machine."""
MAKING = 20.0
"""Seconds that a mail may take from when a worker takes it in hand until it has left."""
QUOTED = re.compile(r"On [^|\n]*, hexpost wrote:")

Script = dict[str, list[Letter]]
Ending = Json
"""By game its journal and its mails; as JSON, to be kept."""


class Stuck(AssertionError):
    """The games do not go on; the message says how far they are."""


def scripts() -> Script:
    """The letters of every game."""
    rules, mail = local_rules(), local_mail()
    return {cast.key: letters(cast, rules, mail) for cast in CASTS}


@dataclass
class Play:
    """Four games at a world. ``answers``: by game the Message-IDs of the mails that the letters answer; learnt where it is empty."""

    world: World
    script: Script
    answers: dict[str, list[str]]
    post: Post = field(init=False)
    sent: dict[str, int] = field(init=False)
    mailed: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.learns = not self.answers
        self.post = Post(self.world)
        self.sent = dict.fromkeys(self.script, 0)
        self.engine = open_database(self.world.config.database)

    def begin(self) -> None:
        """Start the games. The clock's next sweep finds their first mails."""
        ports = make_parts(self.world.config).ports
        for cast in CASTS:
            sides = local_rules().scenario(cast.scenario)["game"]["sides"]
            made = new_game(ports, cast.scenario, {side: [cast.address(side)] for side in sides}, cast.options, cast.secret)
            assert made.id == cast.key
        ports.journal.engine.dispose()

    def tick(self) -> None:
        """Every player reads his mail, and writes if it is the one that he waits for."""
        self.post.look()
        for cast in CASTS:
            number = self.sent[cast.key]
            if number < len(self.script[cast.key]) and (mail := self._prompt(cast, number)) is not None:
                self._write(cast, number, mail)

    def _prompt(self, cast: Cast, number: int) -> EmailMessage | None:
        """The mail that the letter of that number answers, if it is there."""
        if not self.learns:
            return self.post.arrived.get(self.answers[cast.key][number])
        if self.busy(cast.key):
            return None
        self.post.look()
        mine = [mail for mail in self.post.arrived.values() if mail["To"] == cast.address(self.script[cast.key][number].side)]
        self.answers.setdefault(cast.key, []).append(str(mine[-1]["Message-ID"]).strip())
        return mine[-1]

    def _write(self, cast: Cast, number: int, mail: EmailMessage) -> None:
        letter = self.script[cast.key][number]
        sender = cast.address(letter.side)
        when = format_datetime(parsedate_to_datetime(str(mail["Date"])))
        raw = reply(mail, sender, f"<{number:02d}.{cast.key.lower()}@player.example>", letter.text, when)
        self.mailed.append(raw)
        self.post.box.deliver(raw)
        self.sent[cast.key] += 1

    def busy(self, game: str = "") -> bool:
        """Whether a mail waits, in or out; of one game, or of any."""
        unread = any((self.world.config.inbox / "new").iterdir())  # looked at first: a mail is journaled before it leaves that folder
        waiting = select(messages.c.id).where(messages.c.status == "new", *([messages.c.game == game] if game else []))
        leaving = select(outbox.c.id).where(outbox.c.status.in_(("waiting", "made")), *([outbox.c.game == game] if game else []))
        try:
            with reading(self.engine) as connection:
                inside = connection.execute(waiting).first() or connection.execute(leaving).first()
                known = connection.execute(select(messages.c.id)).all() if game else []
        except DBAPIError:  # the database is down: nobody can say
            return True
        return inside is not None or unread or (bool(game) and len(known) < len(self.mailed))

    @property
    def over(self) -> bool:
        """Whether every letter is written and nothing waits."""
        return self.sent == {key: len(script) for key, script in self.script.items()} and not self.busy()

    def how_far(self) -> str:
        """For whom looks for what is amiss."""
        with reading(self.engine) as connection:
            waiting = connection.execute(
                select(messages.c.game, messages.c.status, messages.c.verdict, messages.c.attempts).where(messages.c.status != "done")
            ).all()
            leaving = connection.execute(select(outbox.c.game, outbox.c.key, outbox.c.status).where(outbox.c.status != "sent")).all()
        missing = {key: self.answers[key][number] for key, number in self.sent.items() if number < len(self.answers.get(key, []))}
        return f"letters {self.sent}; not handled {waiting}; not sent {leaving}; waits for {missing}"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a run has, by its seed: SMTP or a folder, PostgreSQL or SQLite, maps that are drawn or such as nothing is on."""

    smtp: bool = False
    postgresql: bool = False
    drawn: bool = False

    @classmethod
    def of(cls, seed: int | None) -> Kind:
        """The kind of a seed; None: of the undisturbed run."""
        return cls() if seed is None else cls(smtp=seed % 2 == 1, postgresql=seed % 4 >= 2, drawn=seed % 6 == 3)


@dataclass
class Run:
    """How a run ended; what happened meanwhile; its longest silence, seconds; how many mails SMTP brought more than once."""

    ended: Ending
    happened: list[str]
    silence: float
    twice: int


def played(found: World, script: Script, answers: dict[str, list[str]], seed: int | None = None, count: int = 0) -> Run:
    """Play to the end. Raises Stuck."""
    play = Play(found, script, answers)
    letters = sum(map(len, script.values()))
    kinds = {"smtp": found.sink is not None, "database": found.server is not None}
    fate = Fate(
        found,
        [] if seed is None else disturbances(seed, letters, count, **kinds),
        lambda number: play.post.box.deliver(play.mailed[number % len(play.mailed)]),
    )
    play.begin()
    longest, silence, moved, last = 0.0, 0.0, (0, 0, 0), time.monotonic()
    while not (play.over and fate.over):
        play.tick()
        fate.tick(len(play.mailed))
        found.tick()
        now, before = time.monotonic(), moved
        moved = (len(play.mailed), len(play.post.copies), len(fate.happened))
        silence = silence + min(now - last, LOOK) if moved == before else 0.0
        last = now
        longest = max(longest, silence)
        if moved != before:
            sent_twice(play.post, fate.hits)
        if silence > SILENCE:
            raise Stuck(f"{fate.happened}: {play.how_far()}")
        time.sleep(0.02)
    found.settle()
    play.post.look()
    ended = ending(play, disturbed_database=found.server is not None and seed is not None)
    play.engine.dispose()
    twice, surely = sent_twice(play.post, fate.hits), sum(hit.surely for hit in fate.hits)
    assert twice >= surely, f"{surely} mails were taken and not known to be, and only {twice} came again"
    return Run(json.loads(json.dumps(ended)), fate.happened, round(longest, 1), twice)


def sent_twice(post: Post, hits: list[Hit]) -> int:
    """How many mails came more than once; AssertionError if one did so oftener than something hit the worker that may have sent it.

    Into a folder a mail comes once, whatever happens. By SMTP one that was handed over and not noted as such is handed over again, and so
    is one that two workers have in hand, when a lease was lost or has lapsed: no more often than that happened.
    """
    times: dict[str, list[float]] = {}
    for (_, key), at in zip(post.copies, post.times, strict=True):
        times.setdefault(key, []).append(at)
    if post.world.sink is None:
        hits = []
    for key, came in times.items():
        near = sum(came[0] - MAKING <= hit.at <= came[-1] for hit in hits)
        assert len(came) <= 1 + near, f"{key} came {len(came)} times, and {near} times something hit its worker"
    extra = sum(len(came) - 1 for came in times.values())
    assert extra <= sum(hit.workers for hit in hits), f"{extra} copies too many for {hits}"
    return extra


def ending(play: Play, *, disturbed_database: bool = False) -> Ending:
    """The journal of every game, times apart, and the mails that each player got: each once by its Message-ID.

    ``disturbed_database``: it was restarted, so the operator may have been told so.
    """
    journal = Journal(play.engine)
    found: Json = {}
    for key in play.script:
        assert journal.broken_link(key) is None
        found[key] = {"turns": [hashed for _, _, hashed in journal.chain(key)], **_rows(play, key)}
    with reading(play.engine) as connection:
        told = select(alerts.c.kind, alerts.c.game).where(alerts.c.kind != ("storage" if disturbed_database else ""))
        found["alerts"] = [list(row) for row in connection.execute(told)]
    found["mails"] = {key: mail_of(mail) for key, mail in sorted(play.post.arrived.items())}
    return found


def _rows(play: Play, key: str) -> Json:
    row = (games.c.version, games.c.n, games.c.packets, games.c.turn, games.c.over, games.c.head, games.c.branch)
    packet = (packets.c.id, packets.c.side, packets.c.turn, packets.c.status, packets.c.n, packets.c.lines)
    mail = (outbox.c.message_id, outbox.c.side, outbox.c.version, outbox.c.status)
    heard = (messages.c.message_id, messages.c.status, messages.c.verdict, messages.c.side)
    with reading(play.engine) as connection:
        game = connection.execute(select(*row).where(games.c.id == key)).one()
        done = connection.execute(select(*packet).where(packets.c.game == key).order_by(packets.c.id)).all()
        sent = connection.execute(select(*mail).where(outbox.c.game == key).order_by(outbox.c.id)).all()
        read = connection.execute(select(*heard).where(messages.c.game == key).order_by(messages.c.id)).all()
    # A mail that came twice is known the second time, and nothing follows from it.
    once = [one for one in read if one.verdict != "ignore:duplicate"]
    return {
        "game": list(game),
        "packets": [list(one) for one in done],
        "outbox": [list(one) for one in sent],
        "heard": [list(one) for one in once],
    }


def mail_of(mail: EmailMessage) -> Json:
    """What a mail says and brings, its times apart."""
    text, _, pictures = parts(mail)
    said = QUOTED.sub("", "\n".join(text.splitlines()))
    files = [one for one in mail.iter_attachments() if one.get_content_maintype() != "image"]
    return {
        "to": str(mail["To"]),
        "subject": str(mail["Subject"]).strip(),
        "text": digest(said.encode()),
        "files": [[str(one.get_filename()), digest(one.get_payload(decode=True))] for one in files],
        "pictures": [one.name for one in pictures],
    }


@dataclass
class Known:
    """The run that nothing befell: with what, what it answered, and how it ended. ``servers``: PostgreSQL."""

    served: World
    server: Server
    script: Script
    answers: dict[str, list[str]] = field(default_factory=dict)
    ended: Ending = field(default_factory=dict)


@contextmanager
def undisturbed() -> Iterator[Known]:
    """Services and servers for runs over installations of their own, and the run that nothing befell."""
    with quick_folder() as folder, nursery(folder / "nursery.log") as parts, services(folder, parts=parts) as served, serving() as server:
        known = Known(served, server, scripts())
        known.ended = run(known).ended
        yield known


def run(known: Known, seed: int | None = None, count: int = 0, kept: Path | None = None) -> Run:
    """One run. ``seed``: of what befalls it (None: nothing), and how often (``count``). Raises Stuck and AssertionError; ``kept``: where
    logs and journal of a run that went wrong are laid.
    """
    kind = Kind.of(seed)
    server = known.server if kind.postgresql else None
    more = {"database": server.url(name := server.database())} if server else {}
    with quick_folder() as folder:
        try:
            with installation(known.served, folder, smtp=kind.smtp, drawn=kind.drawn, server=server, **more) as found:
                return played(found, known.script, known.answers, seed, count)
        except BaseException:
            if kept is not None:
                shutil.copytree(folder, kept, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.sock", "artifacts"))
            raise
        finally:
            if server is not None:
                server.drop(name)


def differences(found: Ending, wanted: Ending) -> list[str]:
    """Where a run ended otherwise than the undisturbed one."""
    said = [
        f"{key} {part}: {found[key][part]} for {wanted[key][part]}"
        for key in wanted
        if key.startswith("G")
        for part in wanted[key]
        if found[key][part] != wanted[key][part]
    ]
    if found["alerts"] != wanted["alerts"]:
        said.append(f"alerts: {found['alerts']}")
    for key in sorted({*found["mails"], *wanted["mails"]}):
        one, other = (mails["mails"].get(key) for mails in (found, wanted))
        if one != other:
            said.append(f"mail {key}: {one} for {other}")
    return said
