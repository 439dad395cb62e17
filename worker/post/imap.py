"""A mailbox on an IMAP server as a source: told of news by IDLE where the server can, looked into now and then where it cannot.

What waits is what lies in the folder. A mail that is journaled is moved away: to ``done``, or to ``failed`` where it was too large or could
not be fetched. A place is account, folder, UIDVALIDITY and UID. Whatever goes wrong with one mail leaves the others alone.
"""

from __future__ import annotations

import hashlib
import imaplib
import re
import shlex
import ssl
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from imap_tools import BaseMailBox, ImapToolsError, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import MailboxLoginError, UnexpectedCommandStatusError

from worker.hosting.alerts import Tell
from worker.post.inboxes import MAX_HEAD, PER_POLL, Received, SourceAway, headers_alone

TIMEOUT = 30.0
MOST_TRIES = 3
"""Failures to fetch one mail, whatever they are, before it is put aside unread."""
REFUSED_PAUSE = 60.0
BUSY_PAUSE = 60.0
TOKEN_PATIENCE = 30
STUCK_PAUSE = 900.0
"""Seconds until it is tried again to move mails that could not be moved."""
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)")
_UID = re.compile(rb"\bUID (\d+)")
_BUSY = re.compile(
    r"\[(?:OVERQUOTA|LIMIT|UNAVAILABLE|INUSE|THROTTLED|CONTACTADMIN)\]|quota|throttl|bandwidth|too many|try again", re.IGNORECASE
)
_REFUSED = re.compile(
    r"\[(?:AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|EXPIRED|PRIVACYREQUIRED)\]|authenticat|credential|password|login", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Account:
    """Where the mailbox is and how it opens.

    ``url``: ``imaps://host[:port]`` (TLS), ``imap://host[:port]`` (STARTTLS) or ``imap+plain://`` (neither: this machine only);
    ``password_file``, ``token_file``: read anew at each login; ``token_command``: prints an OAuth2 access token; ``ca_file``: what the
    server's certificate is checked with, empty: what this machine trusts; ``done``, ``failed``: folders, made where they are missing;
    ``poll``: seconds between two looks where nothing is notified.
    """

    url: str
    user: str
    password_file: str = ""
    token_file: str = ""
    token_command: str = ""
    ca_file: str = ""
    folder: str = "INBOX"
    done: str = "hexpost-done"
    failed: str = "hexpost-failed"
    poll: float = 60.0


class ImapInbox:
    """A source over one account (``inboxes.Source``).

    ``limit``: bytes; of a longer mail only the headers are fetched. ``numbered_before``: whether places that begin with its first argument
    but not with its second are journaled; ``alert``: tells the operator.
    """

    def __init__(self, account: Account, limit: int, numbered_before: Callable[[str, str], bool], alert: Tell) -> None:
        self._account = account
        self._limit = limit
        self._numbered_before = numbered_before
        self._alert = alert
        self._box: BaseMailBox | None = None
        self._numbers = _Numbers("", False)
        self._failures: Counter[str] = Counter()
        self._aside: set[str] = set()
        self._stuck: set[str] = set()
        self._stuck_until = 0.0

    @property
    def name(self) -> str:
        """The account, as the operator wrote it."""
        return f"{self._account.user} at {self._account.url}"

    def unread(self) -> Iterator[Received]:
        """The mails of the folder, oldest first; those that cannot be fetched again and again are put aside."""
        with self._talking() as box:
            waiting = self._look(box)
        for uid, size in waiting:
            place = self._numbers.place(uid)
            if place in self._stuck:
                continue
            if self._failures[place] >= MOST_TRIES:
                self._give_up(place)
                continue
            raw = self._fetch(uid, size, place)
            if raw is not None:
                yield Received(place, raw, self._numbers.renumbered)

    def acknowledge(self, place: str) -> None:
        """Move the mail out of the folder. One that cannot be moved stays, and is passed over for a while."""
        uid = self._numbers.uid(place)
        if uid is None:
            return  # the mailbox was made anew meanwhile
        target = self._account.failed if place in self._aside else self._account.done
        with self._talking() as box:
            try:
                box.move([uid], target)
            except UnexpectedCommandStatusError as error:
                self._get_stuck(place, target, error)
                return
        self._failures.pop(place, None)
        self._aside.discard(place)

    def _get_stuck(self, place: str, target: str, error: Exception) -> None:
        if not self._stuck:
            self._stuck_until = time.monotonic() + STUCK_PAUSE
            self._alert(self.name, f"Mails that were taken cannot be moved to {target} and stay where they are: {_said(error)}.")
        self._stuck.add(place)

    def wait(self, stopped: threading.Event) -> None:
        """IDLE, or a pause. After ``poll`` seconds it is time for a look, whatever the server says."""
        with self._talking() as box:
            if box.client.untagged_responses.get("EXISTS"):
                return  # something came after the last look
            if "IDLE" in box.client.capabilities:
                box.idle.wait(timeout=self._account.poll)
                return
        stopped.wait(self._account.poll)

    def close(self) -> None:
        """End the session, without manners: the server may be gone."""
        if self._box is not None:
            box, self._box = self._box, None
            try:
                box.client.shutdown()
            except OSError:
                return

    # One session

    @contextmanager
    def _talking(self) -> Iterator[BaseMailBox]:
        """The open session. Whatever breaks it is SourceAway, and the next call opens another."""
        try:
            if self._box is None:
                self._box = _open(self._account)
                self._stuck.clear()
            yield self._box
        except SourceAway:
            self.close()
            raise
        except (imaplib.IMAP4.error, ImapToolsError, OSError, ValueError) as error:  # ValueError: an answer that cannot be read
            self.close()
            raise SourceAway(f"The mailbox cannot be read: {_said(error)}.", BUSY_PAUSE if _BUSY.search(str(error)) else 0.0) from None

    def _look(self, box: BaseMailBox) -> list[tuple[str, int | None]]:
        """UID and size of what lies in the folder, a bounded number. Opened anew, so that a mailbox that was made anew is noticed."""
        client = box.client
        box.folder.set(self._account.folder)
        (validity,) = client.response("UIDVALIDITY")[1][-1:] or [None]
        if validity is None:
            raise SourceAway("The server gives no UIDVALIDITY for the folder; its mails cannot be told apart.", REFUSED_PAUSE)
        self._begin(validity.decode())
        client.untagged_responses.pop("EXISTS", None)
        if time.monotonic() > self._stuck_until:
            self._stuck.clear()
        uids = sorted((uid for uid in box.uids("ALL", charset=None) if self._numbers.place(uid) not in self._stuck), key=int)[:PER_POLL]
        if not uids:
            return []
        sizes = dict(_sizes(client, uids))
        return [(uid, sizes.get(uid)) for uid in uids]

    def _begin(self, validity: str) -> None:
        account = self._account
        family = f"imap:{_short(f'{account.user}@{account.url}/{account.folder}')}:"
        if self._numbers.prefix != f"{family}{validity}:":
            prefix = f"{family}{validity}:"
            self._numbers = _Numbers(prefix, self._numbered_before(family, prefix))
            self._stuck.clear()

    def _fetch(self, uid: str, size: int | None, place: str) -> bytes | None:
        """The mail, or the headers of one that is too large; None where it is not to be had this time."""
        large = size is not None and size > self._limit
        self._failures[place] += 1  # first: this may be the mail that ends the session each time
        with self._talking() as box:
            try:
                wanted = f"(BODY.PEEK[HEADER]<0.{MAX_HEAD}>)" if large else "(BODY.PEEK[])"
                status, answer = box.client.uid("FETCH", uid, wanted)
            except imaplib.IMAP4.abort:
                raise
            except imaplib.IMAP4.error as error:  # BAD: the server's trouble with this mail
                status, answer = "BAD", [str(error).encode()]
            if status != "OK":
                said = _words(answer)
                if _BUSY.search(said):
                    self._failures[place] -= 1  # not its fault
                    raise SourceAway(f"The server hands out no mails now: {said}.", BUSY_PAUSE)
                return None
        found = next((bytes(one[1]) for one in answer if isinstance(one, tuple) and len(one) > 1), None)
        if found is None:
            return None  # somebody else has moved it
        self._failures[place] -= 1
        if large or len(found) > self._limit:  # sizes that servers tell are not always true
            self._aside.add(place)
            return headers_alone(found, size if large and size is not None else len(found))
        return found

    def _give_up(self, place: str) -> None:
        self._aside.add(place)
        self._alert(self.name, f"A mail cannot be fetched; it is put aside unread into {self._account.failed}.")
        self.acknowledge(place)


@dataclass(frozen=True, slots=True)
class _Numbers:
    """How the folder numbers its mails now. ``renumbered``: it did so otherwise once."""

    prefix: str
    renumbered: bool

    def place(self, uid: str) -> str:
        return self.prefix + uid

    def uid(self, place: str) -> str | None:
        return place.removeprefix(self.prefix) if self.prefix and place.startswith(self.prefix) else None


def _short(text: str) -> str:
    """A name that can stand in a place."""
    return text if len(text) <= 150 and text.isascii() and text.isprintable() else hashlib.sha256(text.encode()).hexdigest()


def _sizes(client: imaplib.IMAP4, uids: list[str]) -> Iterator[tuple[str, int]]:
    status, answer = client.uid("FETCH", ",".join(uids), "(RFC822.SIZE)")
    if status != "OK":
        raise SourceAway(f"The server tells no sizes now: {_words(answer)}.", BUSY_PAUSE)
    for line in answer:
        data = line if isinstance(line, bytes) else b""
        uid, size = _UID.search(data), _SIZE.search(data)
        if uid and size:
            yield uid.group(1).decode(), int(size.group(1))


def _open(account: Account) -> BaseMailBox:
    """A session that is logged in, its folders there."""
    try:
        box = _connect(account)
    except (OSError, imaplib.IMAP4.error, ImapToolsError, ValueError) as error:
        raise SourceAway(f"The server cannot be reached: {_said(error)}.") from None
    try:
        _log_in(box, account)
        told = _words(box.client.capability()[1]).upper().split()  # it may be more than before the login
        box.client.capabilities = tuple(told) or box.client.capabilities
        for folder in (account.done, account.failed):
            if not box.folder.exists(folder):
                box.folder.create(folder)
    except BaseException:
        box.client.shutdown()
        raise
    return box


def _connect(account: Account) -> BaseMailBox:
    url = urlsplit(account.url)
    host = url.hostname or ""
    if url.scheme == "imap+plain":
        return MailBoxUnencrypted(host, url.port or 143, TIMEOUT)
    context = ssl.create_default_context(cafile=account.ca_file or None)
    if url.scheme == "imap":
        return MailBoxStartTls(host, url.port or 143, TIMEOUT, context)
    return MailBox(host, url.port or 993, TIMEOUT, ssl_context=context)


def _log_in(box: BaseMailBox, account: Account) -> None:
    try:
        if account.password_file:
            password = _secret(account.password_file)
            plain = account.user.isascii() and password.isascii()
            (box.login if plain else box.login_utf8)(account.user, password, None)
        else:
            box.xoauth2(account.user, _token(account), None)
    except (MailboxLoginError, imaplib.IMAP4.error) as error:
        if isinstance(error, imaplib.IMAP4.abort) or not _REFUSED.search(str(error)):
            raise
        raise SourceAway(f"The server refuses the login: {_said(error)}.", REFUSED_PAUSE) from None


def _token(account: Account) -> str:
    """An OAuth2 access token: they live for an hour, so each login has a new one."""
    if account.token_file:
        return _secret(account.token_file)
    try:
        command = shlex.split(account.token_command)
        done = subprocess.run(command, capture_output=True, text=True, timeout=TOKEN_PATIENCE, check=True, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise SourceAway(f"The command for the token failed ({type(error).__name__}).", REFUSED_PAUSE) from None
    return done.stdout.strip()


def _secret(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceAway(f"{file} cannot be read ({type(error).__name__}).", REFUSED_PAUSE) from None


def _words(answer: object) -> str:
    """What a server answered, as one line."""
    pieces = answer if isinstance(answer, list | tuple) else [answer]
    text = " ".join(one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in pieces if one is not None)
    return "".join(letter if letter.isprintable() else " " for letter in text)[:300].rstrip(". ")


def _said(error: Exception) -> str:
    if isinstance(error, UnexpectedCommandStatusError):
        return _words(error.command_result[1])
    return (_words(str(error)) or type(error).__name__)[:300]
