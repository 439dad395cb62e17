"""Killed between any two steps, flushed, doubled: the game and the mails end as if nothing had happened."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from redis import Redis

from tests.worker.conftest import Desk, make_desk
from tests.worker.fakes import ANN, BRUNO, headers, orders_mail
from tests.worker.post import DESK, MASTER, stamped
from worker import secrets
from worker.ports import Mail
from worker.post.context import side_tokens
from worker.post.outgoing import MaildirSender

STEPS = ("journal", "artifacts", "rules", "mail", "render", "sender", "outbox", "queues", "inbox")


class Killed(BaseException):
    """The worker dies here: nothing catches it."""


class Guillotine:
    """Counts the calls of every part of a worker, and kills it after one of them."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.count = 0

    def step(self) -> None:
        self.count += 1
        if self.count == self.at:
            raise Killed

    def over(self, part: Any) -> Any:
        """``part`` whose methods are steps."""
        guillotine = self

        class Watched:
            def __getattr__(self, name: str) -> Any:
                found = getattr(part, name)
                return guillotine.around(found) if callable(found) else found

        return Watched()

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def stepped(*args: Any, **kwargs: Any) -> Any:
            found = call(*args, **kwargs)
            self.step()
            return found

        return stepped


def desk_of(folder: Path, redis: Redis, guillotine: Guillotine | None = None, mail: Mail | None = None, database: str = "") -> Desk:
    """A worker that sends into a real Maildir; under the guillotine if one is given. ``mail``: another mail service than the toy;
    ``database``: not SQLite's in ``folder``.
    """
    desk = make_desk(folder, redis, game_master=MASTER, database=database)
    ports = replace(desk.ports, sender=MaildirSender(folder / "out"), mail=mail or desk.ports.mail)
    desk.ports = ports
    if guillotine is None:
        return desk
    parts = {name: guillotine.over(getattr(ports, name)) for name in STEPS if hasattr(ports, name)}
    desk.ports = replace(ports, **parts)
    for name in ("outbox", "queues", "inbox"):
        setattr(desk, name, guillotine.over(getattr(desk, name)))
    return desk


def fill(desk: Desk, *, whole: bool) -> None:
    """A game with mails in the inbox. ``whole``: a session of both sides, with a refusal, a draft, a doubled mail, a stranger's."""
    desk.start()
    live = side_tokens(desk.ports.journal.game("G1"))
    axis, allied = (f"orders+g1-t1-{live[side]}@toy.example" for side in ("axis", "allied"))
    first = orders_mail(axis, ANN, "<1@ann>", "MOVE A", "ROLL")
    mails = [first]
    if whole:
        later = f"orders+g1-t2-{secrets.token('5a' * 32, 'G1', 0, 2, 'axis')}@toy.example"
        mails += [orders_mail(axis, ANN, "<2@ann>", "ILLEGAL"), orders_mail(axis, ANN, "<3@ann>", "HOLD", "MOVE B"), first]
        mails += [orders_mail(axis, ANN, "<4@ann>", "DONE")]
        mails += [orders_mail("orders@toy.example", "eve@example.com", "<1@eve>", "MOVE X")]
        mails += [orders_mail(allied, BRUNO, "<1@bruno>", "SECRET S"), orders_mail(allied, BRUNO, "<2@bruno>", "ROLL", "DONE")]
        mails += [orders_mail(later, ANN, "<5@ann>", "ROLL")]
    for mail in mails:
        desk.drop(mail)


Ending = tuple[list[str], dict[str, bytes]]


def ending(desk: Desk) -> Ending:
    """The hash chain, and every mail that left by its Message-ID."""
    sent = [path.read_bytes() for path in (desk.folder / "out" / "new").iterdir()]
    by_id = {str(headers(raw)["Message-ID"]): raw for raw in sent}
    assert len(by_id) == len(sent)
    return [found for _, _, found in desk.ports.journal.chain("G1")], by_id


def prepare(folder: Path, redis: Redis, *, whole: bool) -> Path:
    """A folder in which a game is started and its mails lie in the inbox."""
    folder.mkdir()
    redis.flushall()
    desk = desk_of(folder, redis)
    fill(desk, whole=whole)
    desk.ports.journal.engine.dispose()
    return folder


def undisturbed(prepared: Path, redis: Redis, mail: Mail | None = None) -> Ending:
    found, killed = killed_at(prepared, redis, 0, mail)
    assert not killed
    return found


def killed_at(prepared: Path, redis: Redis, at: int, mail: Mail | None = None) -> tuple[Ending, bool]:
    """Play the session, the worker killed at step ``at`` and started again; how it ended, and whether it was killed at all."""
    folder = prepared.with_name(f"{prepared.name}-{at}")
    shutil.copytree(prepared, folder)
    redis.flushall()
    desk = desk_of(folder, redis, Guillotine(at), mail)
    try:
        desk.run()
        killed = False
    except Killed:
        killed = True
    redis.flushall()  # the dead worker's leases end some time; and the queues may be lost as well
    desk.ports.journal.engine.dispose()
    after = desk_of(folder, redis, mail=mail)
    after.sweep()
    found = ending(after)
    after.ports.journal.engine.dispose()
    shutil.rmtree(folder)
    return found, killed


def test_killed_at_any_step_the_game_and_its_mails_end_the_same(tmp_path: Path, redis: Redis) -> None:
    prepared = prepare(tmp_path / "short", redis, whole=False)
    wanted = undisturbed(prepared, redis)
    assert (len(wanted[0]), len(wanted[1])) == (2, 3)
    at, killed = 1, True
    while killed:
        found, killed = killed_at(prepared, redis, at)
        assert found == wanted, f"killed at step {at}"
        at += 1
    assert at > 40


def test_a_session_with_refusals_drafts_and_doubles_survives_deaths_all_along(tmp_path: Path, redis: Redis) -> None:
    prepared = prepare(tmp_path / "long", redis, whole=True)
    wanted = undisturbed(prepared, redis)
    assert len(wanted[0]) == 6  # the start and five packets that changed something
    assert len(wanted[1]) == 2 + 7 + 2  # start mails, receipts of seven packets, reports of two player-turns' ends
    at, killed = 5, True
    while killed:
        found, killed = killed_at(prepared, redis, at)
        assert found == wanted, f"killed at step {at}"
        at += 41


def commanded(folder: Path, redis: Redis, mail: Mail) -> Path:
    """A folder in which mails with commands lie in the inbox: the game master's, and a player's orders that are kept meanwhile."""
    folder.mkdir()
    redis.flushall()
    desk = desk_of(folder, redis, mail=mail)
    desk.start()
    live = side_tokens(desk.ports.journal.game("G1"))
    axis = f"orders+g1-t01-{live['axis']}@toy.example"
    for n, lines in enumerate((["PAUSE G1 BECAUSE x"], None, ["EDIT G1 SET VP 3"], ["RESUME G1"], ["EXTEND G1 axis 2 DAYS"])):
        desk.drop(orders_mail(axis, ANN, "<1@ann>", "MOVE A1", "DONE") if lines is None else stamped(DESK, MASTER, f"<{n}@max>", *lines))
    desk.ports.journal.engine.dispose()
    return folder


def test_commands_survive_deaths_all_along(tmp_path: Path, redis: Redis, real_mail: Mail) -> None:
    prepared = commanded(tmp_path / "commands", redis, real_mail)
    wanted = undisturbed(prepared, redis, real_mail)
    assert len(wanted[0]) == 3  # the start, the edit, and the orders that were kept
    # start mails, notices of pause, edit and going on to both; four answers to the game master, two to Ann, one report to Bruno
    assert len(wanted[1]) == 2 + 3 * 2 + 4 + 2 + 1
    at, killed = 3, True
    while killed:
        found, killed = killed_at(prepared, redis, at, real_mail)
        assert found == wanted, f"killed at step {at}"
        at += 173


def test_queues_flushed_again_and_again_lose_nothing(tmp_path: Path, redis: Redis) -> None:
    prepared = prepare(tmp_path / "long", redis, whole=True)
    wanted = undisturbed(prepared, redis)
    desk = desk_of(prepared, redis)
    desk.take_in()
    adjudicate = desk.rules.adjudicate

    def flushed(body: Any) -> Any:
        redis.flushall()
        return adjudicate(body)

    desk.rules.adjudicate = flushed  # type: ignore[method-assign]
    for _ in range(12):
        desk.woken.clear()
        desk.sweep()
    assert ending(desk) == wanted
    desk.ports.journal.engine.dispose()


def test_a_worker_whose_lease_was_lost_commits_nothing_twice(tmp_path: Path, redis: Redis) -> None:
    prepared = prepare(tmp_path / "long", redis, whole=True)
    wanted = undisturbed(prepared, redis)
    slow, quick = desk_of(prepared, redis), desk_of(prepared, redis)
    adjudicate = slow.rules.adjudicate
    stalled: list[bool] = []

    def stalls(body: Any) -> Any:
        """While the first worker waits for the rules its lease lapses, and a second one does all the work."""
        outcome = adjudicate(body)
        if not stalled:
            stalled.append(True)
            redis.flushall()
            quick.sweep()
        return outcome

    slow.rules.adjudicate = stalls  # type: ignore[method-assign]
    slow.run()
    assert stalled
    assert ending(slow) == wanted
    for desk in (slow, quick):
        desk.ports.journal.engine.dispose()


def test_a_worker_whose_lease_lapsed_while_it_made_a_mail_does_not_send_it(tmp_path: Path, redis: Redis) -> None:
    """To make a mail takes long, to send it does not: the lease is looked at between the two."""
    redis.flushall()
    slow, quick = (make_desk(tmp_path, redis) for _ in range(2))
    made: list[str] = []
    draws = slow.render.map

    def stalls(body: Any) -> bytes:
        """While the first worker makes its first mail the lease lapses, and a second one sends them all."""
        picture = draws(body)
        if not made:
            redis.flushall()
            quick.sweep()
        made.append("map")
        return picture

    slow.render.map = stalls  # type: ignore[method-assign]
    slow.start()
    assert made
    assert [recipients for _, recipients, _ in quick.sender.sent] == [(ANN,), (BRUNO,)]
    assert slow.sender.sent == []
    for desk in (slow, quick):
        desk.ports.journal.engine.dispose()
