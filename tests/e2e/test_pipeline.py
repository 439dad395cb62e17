"""The whole pipeline with its real parts: Maildir, SQLite, a Redis-compatible server, Celery, the three services over HTTP."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis
from sqlalchemy import insert

from worker.app import create_app, make_parts, redis_url
from worker.canonical import Json
from worker.cli import main
from worker.config import Config
from worker.play.games import new_game
from worker.post.postbox import Postbox, parts, reply
from worker.serve import Running, running, running_config
from worker.store.database import open_database, writing
from worker.store.tables import outbox

SECRET = "c0ffee" + "0" * 58
PLAYERS = {"axis": "axis@player.example", "allied": "allied@player.example"}
DATE = "Fri, 27 Mar 2026 21:14:09 +0100"

OUT_OF_AGHEILA = """
MOVE 21PZ TO 0507 BY ROAD
MOVE ARIETE TO 0508 BY ROAD
IF 0805 HELD BY ALLIED MOVE PAVIA TO 0608 BY ROAD
ELSE MOVE PAVIA TO 0608 BY ROAD
MOVE BRESCIA TO 0509 BY ROAD
MOVE TRENTA TO 0409 BY ROAD
MOVE SAVENA TO 0310 BY ROAD"""
SESSIONS = (
    ("axis", "COMMIT 0"),
    ("axis", "MOVE 21PZ TO 0509 BY ROAD\nMOVE ARIETE TO Tobruk"),
    ("axis", OUT_OF_AGHEILA),
    ("axis", "DONE TURN"),
    ("allied", "STEP 9AUS 1\nMOVE 2ARM TO 0606\nATTACK 0507 WITH 2ARM"),
    ("allied", "DONE TURN"),
)


@dataclass
class Installation:
    """A server that runs, its game G1, and the players' end of the post."""

    config: Config
    box: Postbox
    sent: int = 0

    def write(self, side: str, orders: str) -> tuple[bytes, str]:
        """An orders mail in reply to the last one that the side got, and its Message-ID."""
        self.sent += 1
        self.wait_until_idle()
        self.box.look()
        own = f"<{self.sent}@{side}.example>"
        return reply(self.box.mails_to(PLAYERS[side])[-1], PLAYERS[side], own, f"{orders}\nEND", DATE), own

    def play(self, side: str, orders: str) -> EmailMessage:
        """Send orders and wait for the answer."""
        raw, own = self.write(side, orders)
        self.box.deliver(raw)
        return self.box.wait_for(PLAYERS[side], own)

    def wait_until_idle(self) -> None:
        """Wait until no mail waits to be handled or to leave."""
        worker = make_parts(self.config)
        deadline = time.monotonic() + 20
        while worker.ports.journal.waiting_messages() or worker.outbox.games() or any(worker.inbox.unread()):
            assert time.monotonic() < deadline, "mails still wait"
            time.sleep(0.05)
        worker.ports.journal.engine.dispose()

    def chain(self) -> list[Json]:
        """The hash chain of the game; it holds."""
        journal = make_parts(self.config).ports.journal
        found = [one for _, _, one in journal.chain("G1")]
        assert journal.broken_link("G1") is None
        journal.engine.dispose()
        return found

    def mails(self) -> dict[str, tuple[str, bytes]]:
        """Every mail sent to the game's players: Message-ID, then text and map."""
        self.wait_until_idle()
        self.box.look()
        mails = [mail for address in PLAYERS.values() for mail in self.box.mails_to(address)]
        said = {str(mail["Message-ID"]): (without_dates(parts(mail)[0]), b"".join(one.data for one in parts(mail)[2])) for mail in mails}
        assert len(said) == len(mails)
        return said


def begin(config: Config) -> Installation:
    """Start the game and wait for its first mails."""
    worker = make_parts(config)
    game = new_game(worker.ports, "holdfast/campaign-1", {side: [address] for side, address in PLAYERS.items()}, {}, SECRET)
    worker.ports.journal.engine.dispose()
    create_app(config).send_task("hexpost.post", (game.id,))
    box = Postbox(config.inbox, config.outbox)
    for address in PLAYERS.values():
        box.wait_for(address)
    return Installation(config, box)


def settings(folder: Path) -> Path:
    """A hexpost.toml: quick to notice what was lost, and small pictures."""
    file = folder / "hexpost.toml"
    quick = 'poll = 0.02\nsweep = 0.5\nlease = 2.0\nscale = 600\naddress = "orders@desk.example"\nserver = "mx.desk.example"\n'
    file.write_text(f'home = "."\n{quick}', encoding="utf-8")
    return file


@dataclass
class Served:
    """``hexpost serve`` as a process, with the game's sessions played while nothing went wrong."""

    file: Path
    process: int
    calm: Installation


def park_a_mail(config: Config) -> None:
    """A mail that could not be made at an earlier time lies in the journal."""
    engine = open_database(config.database)
    data = {
        "kind": "explain",
        "to": "late@elsewhere.example",
        "facts": {"verdict": "refuse:unknown-game"},
        "date": "2026-03-27T20:14:09+00:00",
    }
    data |= {"subject": "", "in_reply_to": None, "references": []}
    row = {"game": "-", "key": "m0/explain", "intent": data, "version": 0, "status": "parked", "attempts": 3}
    with writing(engine) as connection:
        connection.execute(insert(outbox).values(row))
    engine.dispose()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server of this module; it must end cleanly when it is told to."""
    file = settings(tmp_path_factory.mktemp("calm"))
    config = Config.load(file, {})
    park_a_mail(config)
    with subprocess.Popen([sys.executable, "-m", "worker.cli", "serve", "--config", str(file)]) as process:
        try:
            deadline = time.monotonic() + 50
            while (found := running_config(config)) is None:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.1)
            calm = begin(found)
            for side, orders in SESSIONS:
                calm.play(side, orders)
            yield Served(file, process.pid, calm)
        finally:
            family = children(process.pid)
            called = [one for one in family if "worker.caller" in Path(f"/proc/{one}/cmdline").read_text()]
            process.terminate()
            assert process.wait(90) == 0  # a worker that is at a mail finishes it
        assert len(called) == 1  # who calls others is none of those that the mails wait for
        assert [one for one in family if Path(f"/proc/{one}").exists()] == []
        assert running_config(config) is None


@contextmanager
def frozen(process: int) -> Iterator[None]:
    """A process and its children stand still for a while: whoever asks them waits in the middle of his work."""
    family = [*children(process), process]
    for one in family:
        os.kill(one, signal.SIGSTOP)
    try:
        yield
    finally:
        for one in family:
            os.kill(one, signal.SIGCONT)


def without_dates(text: str) -> str:
    """A mail's text without the line of the player's quotation that says when the quoted mail was written."""
    return "\n".join(line for line in text.splitlines() if "hexpost wrote:" not in line)


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def wait_for_lease(shaken: Installation) -> None:
    """Wait until a worker is in the middle of the game's work."""
    redis = Redis.from_url(redis_url(shaken.config.broker))
    deadline = time.monotonic() + 10
    while not redis.exists("hexpost:lease:G1"):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    time.sleep(0.1)


@dataclass
class Shaken(Installation):
    """An installation to which things happen. ``found``: its processes; ``rules``: the process of the rules service."""

    found: Running | None = None
    rules: int = 0

    @property
    def running(self) -> Running:
        assert self.found is not None
        return self.found


def quietly(shaken: Shaken, raw: bytes) -> None:
    """The mail arrives."""
    shaken.box.deliver(raw)


def doubled(shaken: Shaken, raw: bytes) -> None:
    """The mail arrives twice."""
    shaken.box.deliver(raw)
    shaken.box.deliver(raw)


def killed(shaken: Shaken, raw: bytes) -> None:
    """``kill -9`` of the worker in the middle of the task."""
    with frozen(shaken.rules):
        shaken.box.deliver(raw)
        wait_for_lease(shaken)
        shaken.running.processes["worker"].kill()
        shaken.running.processes["worker"].wait()
    shaken.running.restart_worker()


def flushed(shaken: Shaken, raw: bytes) -> None:
    """All that Redis knows is lost in the middle of the task: queues, leases, Celery's own messages."""
    with frozen(shaken.rules):
        shaken.box.deliver(raw)
        wait_for_lease(shaken)
        Redis.from_url(redis_url(shaken.config.broker)).flushall()


def flushed_at_once(shaken: Shaken, raw: bytes) -> None:
    """The mail arrives, and whatever was made of it in Redis by then is lost."""
    shaken.box.deliver(raw)
    Redis.from_url(redis_url(shaken.config.broker)).flushall()


TROUBLES = (quietly, doubled, killed, flushed, flushed_at_once, doubled)


def test_a_killed_worker_a_doubled_mail_and_a_flushed_queue_change_nothing(tmp_path: Path, served: Served) -> None:
    chain, mails = served.calm.chain(), served.calm.mails()
    assert len(chain) == 6  # the start and five packets; one was refused
    lent = served.calm.config
    (rules,) = (one for one in children(served.process) if "rules_app" in Path(f"/proc/{one}/cmdline").read_text())
    own = replace(Config.load(settings(tmp_path), {}), rules=lent.rules, mail=lent.mail, render=lent.render, token=lent.token)
    with running(own) as found:
        begun = begin(found.config)
        shaken = Shaken(begun.config, begun.box, found=found, rules=rules)
        for (side, orders), trouble in zip(SESSIONS, TROUBLES, strict=True):
            raw, key = shaken.write(side, orders)
            trouble(shaken, raw)
            shaken.box.wait_for(PLAYERS[side], key)
        assert (shaken.chain(), shaken.mails()) == (chain, mails)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own of 12 MB. Who may mount none gets one that only the queue cannot write in any more, once it is full."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)], capture_output=True).returncode == 0
    yield folder
    if mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """No byte is left on the disk for the time of the block."""
    (disk / "broker" / "dump.rdb").unlink(missing_ok=True)
    (disk / "broker" / "dump.rdb").mkdir()
    if os.path.ismount(disk):
        with suppress(OSError), open(disk / "filler", "wb", buffering=0) as file:
            while file.write(b"x" * 4096):
                pass
    yield
    (disk / "filler").unlink(missing_ok=True)
    (disk / "broker" / "dump.rdb").rmdir()


@pytest.mark.timeout(180)  # whoever is first starts the server of this module, too
def test_a_full_disk_keeps_mails_waiting_and_nothing_that_runs_ends(tmp_path: Path, served: Served, small_disk: Path) -> None:
    lent = served.calm.config
    post = replace(Config.load(settings(tmp_path), {}), inbox=tmp_path / "in", outbox=tmp_path / "out")
    post = replace(post, home=small_disk, database=f"sqlite:///{small_disk / 'hexpost.db'}", artifacts=str(small_disk / "artifacts"))
    own = replace(post, rules=lent.rules, mail=lent.mail, render=lent.render, token=lent.token)
    with running(own) as found:
        game = begin(found.config)
        raw, key = game.write(*SESSIONS[0])
        with full(small_disk):
            client = Redis.from_url(redis_url(found.config.broker))
            client.bgsave()
            game.box.deliver(raw)
            time.sleep(3)  # it is tried again and again meanwhile
            assert client.info("persistence")["rdb_last_bgsave_status"] == "err"
            assert {name: process.poll() for name, process in found.processes.items()} == dict.fromkeys(("broker", "worker", "caller"))
            game.box.look()
            answered = [mail for mail in game.box.mails() if mail["In-Reply-To"] == key]
            assert len(answered) == (0 if os.path.ismount(small_disk) else 1)
        game.box.wait_for(PLAYERS["axis"], key)
        assert len(game.chain()) == 2


def test_a_mail_that_was_parked_leaves_when_the_server_starts_again(served: Served) -> None:
    served.calm.box.wait_for("late@elsewhere.example")


def test_the_reply_tells_and_shows_what_was_done(served: Served) -> None:
    mails = served.calm.mails().values()
    assert any("21st Panzer" in text for text, _ in mails)
    assert sum(1 for _, picture in mails if picture.startswith(b"\x89PNG")) >= 6


def test_each_picture_stands_in_its_mail_under_a_name_that_tells_what_it_is(served: Served) -> None:
    calm = served.calm
    calm.wait_until_idle()
    answer = calm.play("axis", "CHECK\nMOVE SAVENA TO 0311")
    calm.box.look()
    report = calm.box.mails_to(PLAYERS["allied"])[-2]
    for mail, kinds in ((answer, ["plan"]), (report, ["before-after", "front", "map"])):
        _, html, pictures = parts(mail)
        assert [one.name.split("-", 3)[-1] for one in sorted(pictures, key=lambda one: one.name)] == [f"{kind}.png" for kind in kinds]
        assert sorted(re.findall(r'src="cid:([^"]+)"', html)) == sorted(one.cid for one in pictures)
        attached = [part for part in mail.walk() if part.get_content_maintype() == "image"]
        assert {part.get_content_disposition() for part in attached} == {"inline"}
        for one in pictures:
            assert one.data.startswith(b"\x89PNG")


def test_mails_that_are_no_orders_of_this_turn_are_told_apart_and_change_nothing(served: Served) -> None:
    calm = served.calm
    before = calm.chain()
    calm.box.look()
    first, last = calm.box.mails_to(PLAYERS["axis"])[0], calm.box.mails_to(PLAYERS["axis"])[-1]
    assert str(first["Reply-To"]) != str(last["Reply-To"])
    stale = reply(first, PLAYERS["axis"], "<stale@axis.example>", "COMMIT 1\nEND", DATE)
    theirs = reply(last, PLAYERS["allied"], "<theirs@allied.example>", "COMMIT 1\nEND", DATE)
    stranger = reply(last, "eve@elsewhere.example", "<1@eve.example>", "COMMIT 1\nEND", DATE)
    robot = b"Auto-Submitted: auto-replied\r\n" + reply(last, PLAYERS["axis"], "<robot@axis.example>", "COMMIT 1\nEND", DATE)
    huge = reply(last, PLAYERS["axis"], "<huge@axis.example>", "MOVE 21PZ 0310\n" * 70_000, DATE)
    rubbish = b"\x00\xff\xfe" * 2000
    for raw in (stranger, robot, rubbish, stale, stale, theirs, huge):
        calm.box.deliver(raw)
    answer = calm.box.wait_for(PLAYERS["axis"], "<stale@axis.example>")
    assert "earlier turn" in parts(answer)[0]
    assert str(answer["Reply-To"]) == str(last["Reply-To"])
    assert "other side" in parts(calm.box.wait_for(PLAYERS["allied"], "<theirs@allied.example>"))[0]
    calm.box.wait_for(PLAYERS["axis"], "<huge@axis.example>")
    calm.wait_until_idle()
    calm.box.look()
    answered = [str(mail["In-Reply-To"]) for mail in calm.box.mails()]
    assert answered.count("<stale@axis.example>") == 1
    assert "<robot@axis.example>" not in answered
    assert calm.box.mails_to("eve@elsewhere.example") == []
    assert calm.chain() == before


def test_a_game_is_started_by_the_command_beside_a_server_that_runs(served: Served) -> None:
    new = ["new", "holdfast/campaign-2", "--side", "axis=carla@player.example", "--side", "allied=dan@player.example"]
    result = CliRunner().invoke(main, [*new, "--theme", "dark", "--theme", "allied=contrast", "--config", str(served.file)])
    assert (result.exit_code, result.stdout) == (0, "G2: holdfast/campaign-2 is started; the players are mailed.\n")
    assert "[G2 T" in str(served.calm.box.wait_for("carla@player.example")["Subject"])
    assert "[G2 T" in str(served.calm.box.wait_for("dan@player.example")["Subject"])
    wrong = CliRunner().invoke(main, [*new[:4], "--config", str(served.file)])
    assert wrong.exit_code == 2
    assert "allied=ADDRESS" in wrong.stderr
    journal = make_parts(served.calm.config).ports.journal
    assert [journal.theme("G2", side) for side in PLAYERS] == ["dark", "contrast"]
    journal.engine.dispose()
    for theme, said in (("pink", "light, dark, contrast"), ("axis=", "light, dark, contrast"), ("=dark", "SIDE=THEME")):
        refused = CliRunner().invoke(main, [*new, "--theme", theme, "--config", str(served.file)])
        assert (refused.exit_code, said in refused.stderr) == (2, True), refused.stderr


def test_a_home_is_served_by_one_process_only(served: Served) -> None:
    second = [sys.executable, "-m", "worker.cli", "serve", "--config", str(served.file)]
    done = subprocess.run(second, capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert "served by another process" in done.stderr.splitlines()[-1]
