"""Work off a game: one mail at a time in the order of the journal, whatever Redis forgot or delivered twice."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from worker.discord import interactions
from worker.hosting.alerts import teller
from worker.logs import about
from worker.play import turn
from worker.ports import Ports, ServiceBroke, ServiceDown, ServiceSlow
from worker.post import context
from worker.post.deliver import deliver_next
from worker.post.inboxes import Inbox, Received
from worker.post.outgoing import PutOff
from worker.post.received import handle
from worker.queues import GameQueues, LeaseLost
from worker.store.arrivals import is_known
from worker.store.database import is_away
from worker.store.outbox import Outbox
from worker.store.records import STRAY, LostRace, Message
from worker.waiting import absent, called, lapsing, pausing, reminders, silence, weekly
from worker.waiting.halts import KEPT

Wake = Callable[[str], None]
"""Says that a game has work: sends the Celery message "drain game G"."""
PER_DRAIN = 50
MOST_RACES = 20
PATIENCE = 10
"""A mail at which a service hangs or breaks off is tried that many times as often as one that fails: it may be the service's fault."""
DEATHS = 5
"""So many workers that die, one after the other, while they are at a mail, die of it."""
log = logging.getLogger("hexpost.worker")


def take_in(ports: Ports, inbox: Inbox, queues: GameQueues, wake: Wake) -> int:
    """Journal every new mail, then acknowledge it, then queue it; how many there were.

    Raises what the database, the queue or the inbox raises; nothing about one mail keeps the others.
    """
    count = 0
    for received in inbox.unread():
        count += 1
        if received.renumbered and is_known(ports.journal.engine, received.raw):
            inbox.acknowledge(received.place)
            continue
        if interactions.is_one(received.place):
            home, key = interactions.enter(ports, received)
            inbox.acknowledge(received.place)
            if key is not None:
                queues.push(home, key)
            wake(home)
            continue
        game = _queue_of(ports, received)
        add = ports.journal.add_received if received.reusable else ports.journal.add_message
        key = add(received.place, received.raw, ports.now(), game)
        inbox.acknowledge(received.place)
        if key is not None:
            queues.push(game, key)
            wake(game)
    return count


def _queue_of(ports: Ports, received: Received) -> str:
    """The queue for a mail. One whose headers cannot be dealt with is journaled all the same: what is made of it is seen there."""
    try:
        return context.queue_of(ports.journal, received.raw)
    except Exception as error:
        if is_away(error):  # for every mail
            raise
        log.exception("the headers of the mail at %s are beyond reading", received.place)
        tell = teller(ports.journal.engine, ports.config, ports.now)
        tell("intake", f"A mail has headers that cannot be dealt with; it is journaled without a game: {received.place}.")
        return STRAY


def drain(ports: Ports, queues: GameQueues, game: str, wake: Wake, stopping: Callable[[], bool] = lambda: False) -> None:
    """Handle the waiting mails of a game, then send what left them. Returns at once where another worker holds the game.

    ``stopping``: whether this process is to end; the mails that are left then are another worker's.
    """
    for _ in range(PER_DRAIN):
        if stopping():
            break
        with queues.lease(game) as lease:
            if lease is None:
                return
            lost = 0
            try:
                while not stopping() and (head := queues.head(game)) is not None:
                    lease.renew()
                    lost = 0 if _handle_next(ports, queues, game, head, wake) else lost + 1
                    if lost > MOST_RACES:
                        _hopeless(ports, queues, game)
                        lost = 0
            except LeaseLost:
                log.warning("lease on %s lost", game)
                return
        # Pushed between the last look and the lease's end: its own wake-up found the game held, so look again.
        if queues.head(game) is None:
            return
    wake(game)


def _handle_next(ports: Ports, queues: GameQueues, game: str, head: int, wake: Wake) -> bool:
    """Handle the oldest mail; false where another worker was first."""
    message = ports.journal.next_message(game, ports.now())
    if message is None:
        queues.remove(game, head)
        return True
    with about(game=game, message=message.id):
        try:
            with queues.surviving(message.id) as died:
                if died < DEATHS:
                    other = _tried(ports, queues, message)
                else:
                    _deadly(ports, message, died)
                    other = None
        except LostRace:
            log.info("message %s: another worker was first", message.id)
            return False
    queues.remove(game, message.id)
    if other is not None:
        queues.push(other, message.id)
        wake(other)
    following = ports.journal.next_message(game, ports.now())
    if following is not None and (absent.is_call(following) or following.verdict == KEPT):
        queues.push(game, following.id)  # it was entered by the commit, which knows no queue
    return True


def _tried(ports: Ports, queues: GameQueues, message: Message) -> str | None:
    """As ``_carried_out``; a mail that fails too often, or at which a service hangs or dies again and again, is put aside."""
    try:
        with queues.meter.timed("message"):
            other = _carried_out(ports, message)
    except LostRace:
        raise
    except Exception as error:
        stuck = isinstance(error, ServiceSlow | ServiceBroke)
        if is_away(error) or (isinstance(error, ServiceDown) and not stuck):  # no fault of the mail
            raise
        if ports.journal.failed_attempt(message.id) < ports.config.attempts * (PATIENCE if stuck else 1):
            raise
        log.exception("message %s is parked", message.id)
        turn.park(ports, message, type(error).__name__)
        return None
    queues.meter.observe("message_wait", _seconds_between(message.received_at, ports.now()))
    log.info("message %s is done", message.id)
    return other


def _hopeless(ports: Ports, queues: GameQueues, game: str) -> None:
    """Count a try of a mail whose every commit fails as if another worker were first, and put it aside where that was one too many: what
    it leads to stands in its own way.
    """
    message = ports.journal.next_message(game, ports.now())
    if message is None or ports.journal.failed_attempt(message.id) < ports.config.attempts:
        return
    log.error("message %s is parked: no commit of what it leads to succeeds", message.id)
    turn.park(ports, message, "what it leads to stands in its own way")
    queues.remove(game, message.id)


def _deadly(ports: Ports, message: Message, died: int) -> None:
    """Put aside a mail that killed its worker each time; where telling its player would be the next death, unread."""
    log.error("message %s is parked: %s workers have died at it", message.id, died)
    turn.park(ports, message, f"{died} workers have died at it", read=died == DEATHS)


def _seconds_between(first: str, second: str) -> float:
    """Between two moments, ISO 8601; 0 where the clock was set back."""
    return max(0.0, (datetime.fromisoformat(second) - datetime.fromisoformat(first)).total_seconds())


def _carried_out(ports: Ports, message: Message) -> str | None:
    """Handle a mail or a call; the game whose queue it belongs to, if that is another."""
    if not absent.is_call(message):
        return handle(ports, message)
    return None if pausing.handle(ports, message) else called.handle(ports, message)


def post(ports: Ports, outbox: Outbox, queues: GameQueues, game: str, stopping: Callable[[], bool] = lambda: False) -> None:
    """Send the waiting mails of a game in order. Returns at once where another worker does; what must wait is tried by the next sweep.

    ``stopping``: as for ``drain``.
    """
    put_off: set[str] = set()
    for _ in range(PER_DRAIN):
        with queues.lease(f"post:{game}") as lease:
            if lease is None:
                return
            try:
                while not stopping() and deliver_next(ports, outbox, game, put_off, queues.meter, lease.renew):
                    lease.renew()
            except LeaseLost:
                return
            except PutOff as error:
                log.info("%s: mails wait: %s", game, error)
                return
        if stopping() or outbox.next(game, put_off) is None:
            return


def refill(ports: Ports, outbox: Outbox, queues: GameQueues, wake: Wake, wake_post: Wake) -> None:
    """Fill the queues from the journal and wake every game that has work: the cure for whatever was lost."""
    waiting = ports.journal.waiting_messages(ports.now())
    for game, key in waiting:
        queues.push(game, key)
    for game in dict.fromkeys(game for game, _ in waiting):
        wake(game)
    for game in outbox.games():
        wake_post(game)


def keep_time(ports: Ports, queues: GameQueues, wake: Wake, wake_post: Wake) -> None:
    """All that comes with time alone, and is no deadline: reminders, sides that are silent, games that nobody joins, the weekly mail."""
    for game, key in (*reminders.call_reminders(ports), *silence.call_silent(ports)):
        queues.push(game, key)
        wake(game)
    if lapsing.give_up(ports) + weekly.enter_digests(ports):
        wake_post(STRAY)


def pass_deadlines(ports: Ports, queues: GameQueues, wake: Wake) -> None:
    """Have the games go on in which a deadline, or the time for which they were halted, has passed."""
    looked = queues.oldest_look() if ports.config.imap or ports.config.takes_in else None
    for game, key in [*pausing.call_ended(ports), *absent.call_overdue(ports, looked)]:
        queues.push(game, key)
        wake(game)
