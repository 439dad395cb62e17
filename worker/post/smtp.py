"""Mails leave by SMTP, never in the clear. What fails for a while is put off, and what is refused for good is told to the operator.

Nothing here sleeps: a pause is written down (worker/post/routes.py), and the next sweep tries again. A mail that the server has taken
for an address is noted and not handed over again; killed between its answer and that note, it leaves twice, with the same Message-ID.
"""

from __future__ import annotations

import logging
import re
import smtplib
import ssl
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from worker.hosting.alerts import Tell
from worker.post.outgoing import PutOff, Undeliverable
from worker.post.routes import SERVER, Routes, address_way

PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
PATIENCE = 20.0
"""Seconds that the server may take for one answer: a task of the worker must end well before its time is up."""
IDLE = 20.0
"""Seconds after which a connection is not used again: servers close them."""
GIVE_UP = timedelta(days=5)
"""So long a mail is tried again for an address that its server puts off (RFC 5321, 4.5.4.1)."""
_OF_US = re.compile(
    r"\b5\.(?:[67]\.\d|1\.[78]|3\.4)|\brelay|\bspam|black ?list|block|\bpolicy"
    r"|\bprohibit|authenticat|\bsender|not permitted|rcpthosts|reputation",
    re.IGNORECASE,
)
"""Refusals that are about who sends, or about the mail: policy, the sender's address, the size, by code (RFC 3463) or in words."""
log = logging.getLogger("hexpost.smtp")


@dataclass(frozen=True, slots=True)
class Relay:
    """The server that takes our mails. ``url``: ``smtps://``, ``smtp://`` (STARTTLS) or ``smtp+plain://`` with host and port; ``sender``:
    the address that bounces go to; ``minute``: mails a minute to one domain (0: any number).
    """

    url: str
    sender: str
    user: str = ""
    password_file: str = ""
    token_file: str = ""
    ca_file: str = ""
    minute: int = 30


class _Trouble(Exception):
    """The server takes no mail of ours now. ``mend``: somebody must do something about it."""

    def __init__(self, said: str, *, mend: bool = False) -> None:
        super().__init__(said)
        self.mend = mend


class SmtpSender:
    """A way out by SMTP (``outgoing.Sender``). ``now``: the time, UTC, ISO 8601; ``alert``: tells the operator."""

    def __init__(self, relay: Relay, routes: Routes, now: Callable[[], str], alert: Tell) -> None:
        self._relay = relay
        self._routes = routes
        self._now = now
        self._alert = alert
        self._server: smtplib.SMTP | None = None
        self._used = 0.0

    def send(self, raw: bytes, message_id: str, recipients: Iterable[str]) -> None:
        """Hand the mail over for every recipient that it was not handed over for. PutOff or Undeliverable if that was not all of them."""
        taken = self._routes.was_taken(message_id)
        left = [one for one in dict.fromkeys(recipients) if one not in taken]
        if not left:
            return
        now = datetime.fromisoformat(self._now())
        ready, later = self._ready(left, now)
        if ready:
            found = self._hand_over(raw, ready, now)
            if found.taken:
                self._routes.taken(message_id, found.taken, now)
            later = {**later, **self._put_off(found, now)}
            if found.refused:
                raise Undeliverable(found.refused, found.dead)
        if later:
            raise PutOff("; ".join(f"{address}: {why}" for address, why in later.items()))

    def close(self) -> None:
        """End the connection."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    # What may leave now

    def _ready(self, recipients: list[str], now: datetime) -> tuple[list[str], dict[str, str]]:
        """The recipients that mail may leave for, and why the others must wait. PutOff while the server is left alone."""
        closed = self._routes.closed(SERVER, now)
        if closed is not None:
            raise PutOff(f"the mail server is left alone until {closed.until.isoformat()}", everybody=True)
        ready, later = [], {}
        for one in recipients:
            pause = self._routes.closed(address_way(one), now)
            if pause is not None:
                later[one] = f"left alone until {pause.until.isoformat()}"
                continue
            wait = self._routes.take_turn(one.rpartition("@")[2].lower(), now, self._relay.minute)
            if wait:
                later[one] = f"its domain has had its {self._relay.minute} mails of this minute; {wait:.0f} s"
            else:
                ready.append(one)
        return ready, later

    def _put_off(self, answers: _Answers, now: datetime) -> dict[str, str]:
        """Pause the addresses that were put off; one that has been for days is refused, and dead."""
        found = {}
        for address, said in answers.put_off.items():
            pause, _ = self._routes.failed(address_way(address), now)
            if now - pause.since >= GIVE_UP:
                self._routes.well(address_way(address))
                answers.refused[address] = f"put off for {GIVE_UP.days} days, the last time with: {said}"
                answers.dead.add(address)
            else:
                found[address] = said
        return found

    # One mail

    def _hand_over(self, raw: bytes, recipients: list[str], now: datetime) -> _Answers:
        try:
            found = self._talk(raw, recipients)
        except (_Trouble, smtplib.SMTPException, OSError) as error:
            self.close()
            trouble = error if isinstance(error, _Trouble) else _Trouble(_of(error))
            pause, tell = self._routes.failed(SERVER, now, at_once=trouble.mend)
            log.warning("%s: %s; left alone until %s", self._relay.url, trouble, pause.until.isoformat())
            if tell:
                self._alert(self._relay.url, f"{trouble} Mails wait and leave when it is mended.")
            raise PutOff(str(trouble), everybody=True) from None
        if self._routes.well(SERVER):
            self._alert(self._relay.url, "It takes mails again.")
        for address in found.taken:
            self._routes.well(address_way(address))
        return found

    def _talk(self, raw: bytes, recipients: list[str]) -> _Answers:
        server = self._connected()
        room = int(server.esmtp_features.get("size") or 0) if server.has_extn("size") else 0
        if room and len(raw) > room:
            return _Answers.refusing(recipients, f"the mail has {len(raw)} bytes, and the server takes {room}")
        code, said = server.mail(self._relay.sender, [f"size={len(raw)}"] if server.has_extn("size") else [])
        if code == 552:  # this mail is too much for it, others are not
            server.rset()
            return _Answers.refusing(recipients, _words(code, said))
        if code != 250:
            raise _Trouble(f"The server takes no mail from {self._relay.sender}: {_words(code, said)}.", mend=code >= 500)
        found = _Answers()
        accepted = [one for one in recipients if found.knows(one, *server.rcpt(one))]
        if not accepted:
            server.rset()
            return found
        code, said = server.data(raw)
        if code == 421:
            raise _Trouble(_closing(code, said))
        for one in accepted:
            found.end(one, code, said)
        self._used = time.monotonic()
        return found

    # The connection

    def _connected(self) -> smtplib.SMTP:
        """A connection that is open and logged in. The last one is used again while it is fresh."""
        server = self._server
        if server is not None and time.monotonic() - self._used < IDLE:
            try:
                if server.noop()[0] == 250:
                    return server
            except (smtplib.SMTPException, OSError):
                log.debug("the server has closed the connection")
        self.close()
        self._server = server = self._open()
        self._used = time.monotonic()
        return server

    def _open(self) -> smtplib.SMTP:
        where = urlsplit(self._relay.url)
        host, port = str(where.hostname), where.port or PORTS[where.scheme]
        ours = self._relay.sender.rpartition("@")[2]
        try:
            trust = ssl.create_default_context(cafile=self._relay.ca_file or None)
            if where.scheme == "smtps":
                server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, ours, timeout=PATIENCE, context=trust)
            else:
                server = smtplib.SMTP(host, port, ours, timeout=PATIENCE)
        except ssl.SSLError as error:
            raise _Trouble(f"No safe connection to the server: {error.reason or error}.", mend=True) from None
        except FileNotFoundError:
            raise _Trouble(f"{self._relay.ca_file} cannot be read.", mend=True) from None
        try:
            self._introduce(server, trust if where.scheme == "smtp" else None)
        except BaseException:
            server.close()
            raise
        return server

    def _introduce(self, server: smtplib.SMTP, trust: ssl.SSLContext | None) -> None:
        server.ehlo_or_helo_if_needed()
        if trust is not None:
            try:
                code, said = server.starttls(context=trust)
            except smtplib.SMTPNotSupportedError:
                raise _Trouble("The server offers no STARTTLS, and mails do not travel in the clear.", mend=True) from None
            except ssl.SSLError as error:
                raise _Trouble(f"No safe connection to the server: {error.reason or error}.", mend=True) from None
            if code != 220:
                raise _Trouble(f"The server does not begin STARTTLS: {_words(code, said)}.")
            server.ehlo()
        if self._relay.user:
            self._log_in(server)

    def _log_in(self, server: smtplib.SMTP) -> None:
        user = self._relay.user
        secret = _secret(self._relay.password_file or self._relay.token_file)
        try:
            if self._relay.password_file:
                server.login(user, secret)
            else:
                server.auth("XOAUTH2", lambda challenge=None: "" if challenge else f"user={user}\1auth=Bearer {secret}\1\1")
        except smtplib.SMTPAuthenticationError as error:
            passing = 400 <= error.smtp_code < 500
            raise _Trouble(f"The server refuses the login: {_words(error.smtp_code, error.smtp_error)}.", mend=not passing) from None
        except (smtplib.SMTPNotSupportedError, UnicodeEncodeError):
            raise _Trouble("The server takes no login of this kind.", mend=True) from None


class _Answers:
    """What the server said of each recipient of one mail. ``dead``: those that are refused whatever the mail says."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.put_off: dict[str, str] = {}
        self.refused: dict[str, str] = {}
        self.dead: set[str] = set()

    @classmethod
    def refusing(cls, recipients: list[str], said: str) -> _Answers:
        found = cls()
        found.refused = dict.fromkeys(recipients, said)
        return found

    def knows(self, address: str, code: int, said: bytes | str) -> bool:
        """Whether the server takes an address. One that it refuses for good is dead, unless that is said of us and not of the address."""
        if self.took(address, code, said):
            return True
        if address in self.refused and not _OF_US.search(_words(code, said)):
            self.dead.add(address)
        return False

    def took(self, address: str, code: int, said: bytes | str) -> bool:
        """Whether the server takes a mail for an address."""
        if code == 421:
            raise _Trouble(_closing(code, said))
        if code == 530:  # it is not about this address
            raise _Trouble(f"The server wants a login: {_words(code, said)}.", mend=True)
        if 200 <= code < 300:
            return True
        (self.refused if code >= 500 else self.put_off)[address] = _words(code, said)
        return False

    def end(self, address: str, code: int, said: bytes | str) -> None:
        """What became of the mail itself."""
        if self.took(address, code, said):
            self.taken.append(address)


def _closing(code: int, said: bytes | str) -> str:
    return f"The server closes the connection: {_words(code, said)}."


def _secret(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise _Trouble(f"{file} cannot be read ({type(error).__name__}).", mend=True) from None


def _words(code: int, said: bytes | str) -> str:
    """What the server answered, as one line."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return f"{code} {' '.join(''.join(one if one.isprintable() else ' ' for one in text).split())}"[:300].rstrip(". ")


def _of(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"The server answers: {_words(error.smtp_code, error.smtp_error)}."
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"The server cannot be reached: {_words(0, str(reason))[2:]}."
