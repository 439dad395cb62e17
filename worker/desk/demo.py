"""``hexpost demo``: both sides' orders mails through the whole pipeline on this machine, and a tidy folder of what came back."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

from worker.app import create_app, make_parts
from worker.config import Config
from worker.desk.demo_script import ADDRESSES, SCENARIO, SECRET, SESSIONS, Session
from worker.play.games import UnusableInput, new_game
from worker.post.postbox import PATIENCE, NoReply, Postbox, files, parts, reply
from worker.serve import Running, running
from worker.store.journal import Journal
from worker.store.outbox import Outbox

MARK = ".hexpost-demo"
FOLDERS = ("mails", "maps", "reports", "vassal")
VASSAL = (".vmod", ".vsav", ".vlog")
Say = Callable[[str], None]


class WentWrong(Exception):
    """The demo did not go as it should; the message says where."""


def play_demo(out: Path, say: Say = print) -> None:
    """Play the demo into ``out``, which must be new, empty, or an earlier demo's. Raises UnusableInput, CannotServe, NoReply, WentWrong."""
    started = time.monotonic()
    config = prepare_folder(out)
    say("hexpost demo: three game-turns of Holdfast: North Africa 1941-42, Campaign 1, played by mail.")
    say("Starting broker, rules, mail, render and worker on this machine ...")
    with running(config) as found:
        say(f"  all running after {time.monotonic() - started:.1f} s; orders go to {config.address}")
        chain = _play(found, out, say)
    say(f"\nThe journal's hash chain holds over {chain} records. Done in {time.monotonic() - started:.1f} s.")
    for folder, what in (
        ("mails", "every mail, orders and replies (.eml)"),
        ("maps", "their pictures: maps, fronts, before and after, planned moves"),
        ("reports", "the reports"),
        ("vassal", "the game, its positions and its turns for VASSAL"),
    ):
        say(f"  {out / folder}/  {what}: {sum(1 for _ in (out / folder).iterdir())} files")
    say("One number, one mail: the .eml opens in a mail program, the .html with its pictures in a browser.")
    say("docs/players/vassal.md tells how to open the files for VASSAL.")


def prepare_folder(out: Path) -> Config:
    """An empty folder for the demo, and its settings. UnusableInput if ``out`` holds something else."""
    if out.exists() and any(out.iterdir()) and not (out / MARK).is_file():
        raise UnusableInput(f"{out} is not empty and was not made by a demo; name another folder.")
    for name in (*FOLDERS, "server"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    (out / MARK).touch()
    settings = 'home = "."\naddress = "orders@hexpost.example"\nserver = "mx.hexpost.example"\npoll = 0.05\n'
    (out / "server" / "hexpost.toml").write_text(settings, encoding="utf-8")
    return Config.load(out / "server" / "hexpost.toml", env={})


def _play(found: Running, out: Path, say: Say) -> int:
    config = found.config
    worker = make_parts(config)
    box = Postbox(config.inbox, config.outbox)
    game = new_game(worker.ports, SCENARIO, {side: [address] for side, address in ADDRESSES.items()}, {}, SECRET)
    create_app(config).send_task("hexpost.post", (game.id,))
    desk = Desk(box, out)
    for side, address in ADDRESSES.items():
        mail = box.wait_for(address)
        say(f"  {side} got: {mail['Subject']}")
    desk.file_new()
    for number, session in enumerate(SESSIONS, start=1):
        _session(desk, number, session, say)
        _settle(worker.outbox)
        desk.file_new()
    return _check(worker.ports.journal, game.id)


class Desk:
    """Files what goes and comes, numbered as it happens; what is for VASSAL under its own names."""

    def __init__(self, box: Postbox, out: Path) -> None:
        self.box = box
        self.out = out
        self._filed: set[str] = set()
        self._number = 0

    def file_orders(self, side: str, raw: bytes) -> None:
        """Keep an orders mail."""
        self._number += 1
        (self.out / "mails" / f"{self._number:02d}-{side}-orders.eml").write_bytes(raw)

    def file_new(self) -> None:
        """Keep the mails that came since, their maps and their reports."""
        self.box.look()
        sides = {address: side for side, address in ADDRESSES.items()}
        for mail in self.box.mails():
            key = str(mail["Message-ID"])
            if key not in self._filed:
                self._filed.add(key)
                self._file(sides[str(mail["To"])], mail)

    def _file(self, side: str, mail: EmailMessage) -> None:
        self._number += 1
        name = f"{self._number:02d}-{side}"
        text, html, pictures = parts(mail)
        (self.out / "mails" / f"{name}-reply.eml").write_bytes(mail.as_bytes())
        (self.out / "reports" / f"{name}.txt").write_text(text, encoding="utf-8")
        for one in files(mail, VASSAL):
            (self.out / "vassal" / one.name).write_bytes(one.data)
        for picture in pictures:
            file = f"{name}-{_kind(picture.name)}"
            (self.out / "maps" / file).write_bytes(picture.data)
            if picture.cid:  # a file has no parts to refer to
                html = html.replace(f'"cid:{picture.cid}"', f'"../maps/{file}"')
        (self.out / "reports" / f"{name}.html").write_text(html, encoding="utf-8")


def _kind(name: str) -> str:
    """What a picture's file shows, with its ending: ``front.png`` of ``G1-t01-axis-front.png``."""
    return name.split("-", 3)[-1]


def _session(desk: Desk, number: int, session: Session, say: Say) -> None:
    sender = ADDRESSES[session.side]
    last = desk.box.mails_to(sender)[-1]
    message_id = f"<demo-{number:02d}@{sender.rpartition('@')[2]}>"
    when = format_datetime(parsedate_to_datetime(str(last["Date"])))
    raw = reply(last, sender, message_id, session.orders, when)
    desk.file_orders(session.side, raw)
    say(f"\n{number:2d}. {session.side}: {session.what}")
    sent = time.monotonic()
    desk.box.deliver(raw)
    answer = desk.box.wait_for(sender, message_id)
    say(f"    -> {answer['Subject']} ({time.monotonic() - sent:.2f} s)")
    for line in _highlights(parts(answer)[0], session.show):
        say(f"       {line}")
    if not str(answer["Subject"]).partition("] ")[2].startswith(session.answer):
        raise WentWrong(f"Mail {number} of the demo was to be answered with {session.answer!r}, not {str(answer['Subject'])!r}.")


def _settle(outbox: Outbox) -> None:
    """Wait until the other side's report has left too: it bears the token of a new turn."""
    deadline = time.monotonic() + PATIENCE
    while outbox.games():
        if time.monotonic() > deadline:
            raise NoReply(f"Mails still wait in the outbox after {PATIENCE:g} s.")
        time.sleep(0.01)


def _highlights(text: str, words: tuple[str, ...]) -> list[str]:
    """Lines of a report that hold one of ``words``: a few, to show what it says."""
    lines = [line.strip() for line in re.sub(r"\r?\n    (?=[^\s|])", " ", text).splitlines()]  # folded sentences are whole again
    own = [line for line in lines if not line.startswith("|")]  # what was quoted in the player's mail is no news
    return [line for line in own if any(word in line for word in words)][:6]


def _check(journal: Journal, game: str) -> int:
    broken = journal.broken_link(game)
    if broken is not None:
        raise WentWrong(f"The hash chain of {game} is broken at record {broken}.")
    return len(journal.chain(game))
