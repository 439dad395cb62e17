"""The process that takes mails in from elsewhere: ``python -m worker.post.intake [HOST:PORT]``.

A thread a source; a mail is journaled, then acknowledged.

A source that is away is tried again after a pause that doubles; the operator is told once when it goes, and once when it is back. The
process may be killed at any moment, and several may run: the journal knows each place once.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from worker import drain
from worker.app import create_app, make_parts, utc_now
from worker.clients import HttpCall
from worker.config import Config
from worker.hosting.alerts import Tell, teller
from worker.hosting.beats import beat
from worker.hosting.broker import check_broker
from worker.hosting.fitness import wait_until_fit
from worker.hosting.folders import demand_folders
from worker.hosting.health import Health, serve_health
from worker.hosting.processes import begin
from worker.logs import set_up_logging
from worker.post.imap import Account, ImapInbox
from worker.post.inboxes import Inbox, Source, SourceAway
from worker.post.spool import SpoolInbox
from worker.store import arrivals
from worker.store.journal import Journal

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
log = logging.getLogger("hexpost.intake")


@dataclass
class Watch:
    """One source, looked after. ``take``: journals what it has and says how much; ``now``: the time, UTC, ISO 8601.

    ``looked``: told the source's name, and when a look that left nothing there began.
    """

    source: Source
    take: Callable[[Inbox], int]
    alert: Tell
    now: Callable[[], str] = utc_now
    looked: Callable[[str, str], None] = lambda name, at: None
    pause: float = 0.0
    said: str = ""

    def run(self, stopped: threading.Event) -> None:
        """Look until ``stopped``; nothing that goes wrong ends it."""
        while not stopped.is_set():
            least = self.step(stopped)
            if least is not None:
                stopped.wait(self.next_pause(least))
        self.source.close()

    def step(self, stopped: threading.Event) -> float | None:
        """One look, and the wait for the next. After a failure: the seconds that it must be left alone at least; else None."""
        began = self.now()
        try:
            if self.take(self.source) == 0:
                self.looked(self.source.name, began)
                self.back()
                self.source.wait(stopped)
        except SourceAway as error:
            self.away(str(error))
            return error.least
        except Exception as error:  # database or queue: what is acknowledged is journaled, the rest is found again
            log.exception("%s", self.source.name)
            self.source.close()
            self.away(f"Mails cannot be journaled: {type(error).__name__}.")
            return 0.0
        return None

    def next_pause(self, least: float) -> float:
        """Twice the last one, within bounds."""
        self.pause = min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * self.pause, least))
        return self.pause

    def away(self, said: str) -> None:
        """Tell the operator what is wrong, unless that was said."""
        if said != self.said:
            self.alert(self.source.name, said)
        self.said = said

    def back(self) -> None:
        """It works: told if it did not before."""
        if self.said:
            self.alert(self.source.name, "It is back; mails come in again.")
        self.pause, self.said = 0.0, ""


def sources_of(config: Config, journal: Journal, alert: Tell) -> list[Source]:
    """The sources that the settings name, besides the Maildir."""
    found: list[Source] = []
    if config.imap:
        engine = journal.engine
        found.append(ImapInbox(account_of(config), config.max_mail, lambda *of: arrivals.numbered_before(engine, *of), alert))
    if config.takes_in:
        found.append(SpoolInbox(HttpCall("mail", config.mail, config.token, config.timeout), config.poll))
    return found


def account_of(config: Config) -> Account:
    """The IMAP account of the settings."""
    return Account(
        url=config.imap,
        user=config.imap_user,
        password_file=config.imap_password_file,
        token_file=config.imap_token_file,
        token_command=config.imap_token_command,
        ca_file=config.imap_ca_file,
        folder=config.imap_folder,
        done=config.imap_done,
        failed=config.imap_failed,
        poll=config.imap_poll,
    )


def run_intake(config: Config, listen: str = "") -> None:
    """Take mails in until SIGTERM or SIGINT. ``listen``: where its health is told (``host:port``; empty: nowhere)."""
    check_broker(config.broker)
    demand_folders(config)
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    parts = make_parts(config)
    app = create_app(config)
    beat("intake", config.broker)

    def wake(game: str) -> None:
        app.send_task("hexpost.drain", (game,))

    def take(source: Inbox) -> int:
        return drain.take_in(parts.ports, source, parts.queues, wake)

    journal, looked = parts.ports.journal, parts.queues.looked
    tell = teller(journal.engine, config, parts.ports.now)
    watches = [Watch(source, take, tell, parts.ports.now, looked) for source in sources_of(config, journal, tell)]
    threads = [threading.Thread(target=watch.run, args=(stopped,), daemon=True) for watch in watches]
    health = Health(config, lambda: all(thread.is_alive() for thread in threads) or not health.ready)
    if listen:
        serve_health(listen, health)
    wait_until_fit(config, stopped)
    for thread in threads:
        thread.start()
    health.ready = True
    stopped.wait()
    for thread in threads:
        thread.join(2)  # one that idles ends with the process


if __name__ == "__main__":
    settings = Config.load()
    set_up_logging(settings)
    begin(lambda: run_intake(settings, *sys.argv[1:2]))
