"""A small IMAP server on loopback whose moods a test sets: what it can do, which numbers it gives, what it refuses.

It speaks as much of RFC 3501, 2177 (IDLE) and 6851 (MOVE) as a client needs that takes mails out of one folder.
"""

from __future__ import annotations

import base64
import re
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

USER, PASSWORD, TOKEN = "orders@hexpost.example", "a secret", "ya29.token"
_WORD = re.compile(rb'"((?:[^"\\]|\\.)*)"|(\S+)')


@dataclass
class Moods:
    """The mailbox and how the server behaves. ``refuse``: verb and argument -> an answer in place of the usual one, or None."""

    validity: int = 100
    mails: dict[int, bytes] = field(default_factory=dict)
    moved: list[tuple[str, bytes]] = field(default_factory=list)
    folders: set[str] = field(default_factory=lambda: {"INBOX"})
    capabilities: str = "IMAP4rev1 IDLE MOVE AUTH=PLAIN AUTH=XOAUTH2"
    refuse: Callable[[str, str], str | None] = lambda verb, words: None
    after_search: Callable[[], object] = int
    commands: list[str] = field(default_factory=list)
    sessions: int = 0
    next_uid: int = 1
    changed: threading.Condition = field(default_factory=threading.Condition)

    def deliver(self, raw: bytes) -> int:
        """A mail arrives; its UID."""
        with self.changed:
            uid, self.next_uid = self.next_uid, self.next_uid + 1
            self.mails[uid] = raw
            self.changed.notify_all()
        return uid

    def make_anew(self, validity: int) -> None:
        """The mailbox is made anew: empty, and numbered from 1."""
        self.validity, self.mails, self.next_uid = validity, {}, 1

    def count(self, verb: str) -> int:
        """How often a command was given."""
        return sum(1 for one in self.commands if one == verb)


class _Hangup(Exception):
    """The server closes the connection."""


class _Session(socketserver.StreamRequestHandler):
    """One connection."""

    moods: Moods

    def handle(self) -> None:
        self.moods.sessions += 1
        self.say(f"* OK [CAPABILITY {self.moods.capabilities}] ready")
        try:
            while line := self.rfile.readline():
                self.command(line)
        except (_Hangup, OSError):
            return

    def say(self, text: str | bytes) -> None:
        self.wfile.write((text.encode() if isinstance(text, str) else text) + b"\r\n")

    def command(self, line: bytes) -> None:
        tag, verb, words = [*line.strip().split(b" ", 2), b"", b""][:3]
        name, rest = verb.decode().upper(), words.decode()
        if name == "UID":
            name, _, rest = rest.partition(" ")
            name = "UID " + name.upper()
        self.moods.commands.append(name)
        answer = self.moods.refuse(name, rest)
        if answer == "HANG UP":
            raise _Hangup
        if answer is None:
            answer = getattr(self, "do_" + name.replace(" ", "_").lower())(rest) or "OK done"
        self.say(tag + b" " + answer.encode())
        if name == "LOGOUT":
            raise _Hangup

    def do_capability(self, words: str) -> None:
        self.say(f"* CAPABILITY {self.moods.capabilities}")

    def do_login(self, words: str) -> str:
        user, password = (one.decode() for one in _arguments(words))
        return "OK welcome" if (user, password) == (USER, PASSWORD) else "NO [AUTHENTICATIONFAILED] Invalid credentials"

    def do_authenticate(self, words: str) -> str:
        self.say("+ ")
        given = base64.b64decode(self.rfile.readline())
        good = f"user={USER}\1auth=Bearer {TOKEN}\1\1".encode()
        return "OK welcome" if given == good else "NO [AUTHENTICATIONFAILED] Invalid token"

    def do_list(self, words: str) -> None:
        name = _arguments(words)[-1].decode()
        if name in self.moods.folders:
            self.say(f'* LIST (\\HasNoChildren) "/" "{name}"')

    def do_create(self, words: str) -> None:
        self.moods.folders.add(_arguments(words)[0].decode())

    def do_select(self, words: str) -> str:
        self.say(f"* {len(self.moods.mails)} EXISTS")
        self.say(f"* OK [UIDVALIDITY {self.moods.validity}] UIDs valid")
        return "OK [READ-WRITE] selected"

    def do_uid_search(self, words: str) -> None:
        found = sorted(self.moods.mails)
        self.say("* SEARCH " + " ".join(map(str, found)))
        self.moods.after_search()
        if len(self.moods.mails) != len(found):  # told with this answer, and not again
            self.say(f"* {len(self.moods.mails)} EXISTS")

    def do_uid_fetch(self, words: str) -> None:
        uids, _, wanted = words.partition(" ")
        for n, uid in enumerate(map(int, uids.split(",")), start=1):
            raw = self.moods.mails.get(uid)
            if raw is None:
                continue
            if "RFC822.SIZE" in wanted:
                self.say(f"* {n} FETCH (UID {uid} RFC822.SIZE {len(raw)})")
                continue
            if "HEADER" in wanted:
                raw = raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            self.say(f"* {n} FETCH (UID {uid} BODY[] {{{len(raw)}}}".encode() + b"\r\n" + raw + b")")

    def do_uid_move(self, words: str) -> None:
        uid, folder = _arguments(words)
        self.moods.moved.append((folder.decode(), self.moods.mails.pop(int(uid))))
        self.say("* 1 EXPUNGE")

    def do_uid_copy(self, words: str) -> None:
        uid, folder = _arguments(words)
        self.moods.moved.append((folder.decode(), self.moods.mails[int(uid)]))

    def do_uid_store(self, words: str) -> None:
        self.moods.mails.pop(int(words.split()[0]))

    def do_expunge(self, words: str) -> None:
        return None

    def do_noop(self, words: str) -> None:
        return None

    def do_logout(self, words: str) -> None:
        self.say("* BYE")

    def do_idle(self, words: str) -> str:
        self.say("+ idling")
        known = len(self.moods.mails)
        ended = threading.Event()

        def tell() -> None:
            with self.moods.changed:
                while not ended.is_set() and len(self.moods.mails) == known:
                    self.moods.changed.wait(0.05)
            if not ended.is_set():
                self.say(f"* {len(self.moods.mails)} EXISTS")

        teller = threading.Thread(target=tell)
        teller.start()
        try:
            if not self.rfile.readline():
                raise _Hangup
        finally:
            ended.set()
            teller.join()
        return "OK idle done"


def _arguments(words: str) -> list[bytes]:
    return [re.sub(rb"\\(.)", rb"\1", quoted) if quoted else bare for quoted, bare in _WORD.findall(words.encode())]


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False

    def __init__(self, moods: Moods, port: int = 0) -> None:
        handler: Any = type("Session", (_Session,), {"moods": moods})
        super().__init__(("127.0.0.1", port), handler)
        self.open: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, peer = super().get_request()
        self.open.append(connection)
        return connection, peer


@contextmanager
def serving(moods: Moods, port: int = 0) -> Iterator[int]:
    """The server for the time of the block; its port. At the end every session is cut off."""
    with _Server(moods, port) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()
            for connection in server.open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                connection.close()
