"""Two game-turns by real post: orders by a mailbox on Dovecot, LMTP and a signed webhook, mails out by SMTP; and what may go wrong."""

from __future__ import annotations

import base64
import email
import email.policy
import hashlib
import hmac
import json
import re
import smtplib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import pytest
import requests
from sqlalchemy import select

from tests.e2e.dovecot import PASSWORD, USER, Dovecot, dovecot, free_port
from tests.worker.smtp_server import PASSWORD as SMTP_PASSWORD
from tests.worker.smtp_server import Server, smtp_server
from worker.app import create_app, make_parts
from worker.config import Config
from worker.hosting.doors import INTAKE, start_intake
from worker.play.games import new_game
from worker.post.imap import Account, ImapInbox
from worker.post.inboxes import SourceAway
from worker.post.postbox import Postbox, parts, reply
from worker.serve import Running, running
from worker.store.database import open_database, reading
from worker.store.tables import packets

PLAYERS = {"axis": "axis@player.example", "allied": "allied@player.example"}
DATE = "Fri, 27 Mar 2026 21:14:09 +0100"
SECRET = bytes(range(32))
SETTINGS = """
home = "."
poll = 0.05
sweep = 1.0
scale = 400
vassal = 0
address = "orders@desk.example"
server = "mx.desk.example"
max_mail = 2000000
imap = "{imap}"
imap_user = "{user}"
imap_password_file = "password"
imap_ca_file = "{ca}"
lmtp = "unix:lmtp.sock"
hooks = "127.0.0.1:{port}"
hook_orders = "whsec_{secret}"
smtp = "smtp://127.0.0.1:{smtp}"
smtp_user = "desk"
smtp_password_file = "smtp-password"
smtp_ca_file = "cert.pem"
smtp_minute = 0
"""


@dataclass
class Letters:
    """What the players' mail server took, by the recipients of its envelopes."""

    server: Server
    read: list[tuple[list[str], EmailMessage]] = field(default_factory=list)

    def look(self) -> None:
        """Read what came since."""
        for one in self.server.script.taken[len(self.read) :]:
            assert one.encrypted
            mail = email.message_from_bytes(one.raw, policy=email.policy.default)
            assert isinstance(mail, EmailMessage)
            self.read.append((one.recipients, mail))

    def mails(self) -> list[EmailMessage]:
        return [mail for _, mail in self.read]

    def mails_to(self, address: str) -> list[EmailMessage]:
        return [mail for recipients, mail in self.read if recipients == [address]]

    def wait_for(self, address: str, answers: str | None = None) -> EmailMessage:
        """The first mail to somebody (that answers the mail of that Message-ID)."""
        found: list[EmailMessage] = []

        def came() -> bool:
            self.look()
            found.extend(mail for mail in self.mails_to(address) if answers in (None, str(mail["In-Reply-To"])))
            return bool(found)

        wait_for(came)
        return found[0]


@dataclass
class Post:
    """An installation with all its doors, its game, and the players' end of the post."""

    found: Running
    imap: Dovecot
    box: Letters
    sent: int = 0
    doors: dict[str, Callable[[bytes], object]] = field(default_factory=dict)

    @property
    def config(self) -> Config:
        return self.found.config

    def write(self, side: str, orders: str) -> tuple[bytes, str]:
        """A mail with orders, in reply to the last one that the side got; and its Message-ID."""
        self.sent += 1
        own = f"<{self.sent}@{side}.example>"
        self.wait_until_idle()
        self.box.look()
        return reply(self.box.mails_to(PLAYERS[side])[-1], PLAYERS[side], own, f"{orders}\nEND", DATE), own

    def play(self, side: str, orders: str, door: str) -> EmailMessage:
        """Send orders by a door; the answer."""
        raw, own = self.write(side, orders)
        self.doors[door](raw)
        return self.box.wait_for(PLAYERS[side], own)

    def play_by_hook(self, side: str, orders: str) -> EmailMessage:
        """Send orders by the webhook; the answer."""
        self.sent += 1
        self.wait_until_idle()
        self.box.look()
        address = parseaddr(str(self.box.mails_to(PLAYERS[side])[-1]["Reply-To"]))[1]
        number = f"msg_{self.sent}"
        assert self.hook(number, {"from": PLAYERS[side], "to": address, "text": orders}).json() == {"status": "taken"}
        return self.box.wait_for(PLAYERS[side], f"<{hashlib.sha256(number.encode()).hexdigest()[:32]}.hook@mx.desk.example>")

    def hook(self, number: str, data: dict[str, str]) -> requests.Response:
        body = json.dumps({"type": "orders", "data": data}).encode()
        stamp = f"{time.time():.0f}"
        signature = base64.b64encode(hmac.new(SECRET, f"{number}.{stamp}.".encode() + body, hashlib.sha256).digest()).decode()
        headers = {"webhook-id": number, "webhook-timestamp": stamp, "webhook-signature": f"v1,{signature}"}
        return requests.post(f"http://{self.config.hooks}/v1/hooks/orders", data=body, headers=headers, timeout=20)

    def by_lmtp(self, raw: bytes) -> None:
        to = parseaddr(str(email.message_from_bytes(raw)["To"]))[1]
        with smtplib.LMTP(self.config.lmtp.removeprefix("unix:"), timeout=20) as client:
            client.sendmail("player@elsewhere.example", [to], raw)

    def wait_until_idle(self) -> None:
        """Wait until no mail waits to be handled or to leave."""
        worker = make_parts(self.config)
        deadline = time.monotonic() + 40
        while worker.ports.journal.waiting_messages() or worker.outbox.games():
            assert time.monotonic() < deadline, "mails still wait"
            time.sleep(0.05)
        worker.ports.journal.engine.dispose()

    def chain(self) -> list[int]:
        """The versions of the game; its hash chain holds."""
        journal = make_parts(self.config).ports.journal
        assert journal.broken_link("G1") is None
        found = [version for version, _, _ in journal.chain("G1")]
        journal.engine.dispose()
        return found

    def statuses(self) -> list[str]:
        """What became of each packet."""
        engine = open_database(self.config.database)
        with reading(engine) as connection:
            found = [str(one) for one in connection.execute(select(packets.c.status).order_by(packets.c.id)).scalars()]
        engine.dispose()
        return found

    def turn(self) -> int:
        journal = make_parts(self.config).ports.journal
        found = journal.game("G1")
        journal.engine.dispose()
        assert found is not None
        return found.turn


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Post]:
    """The installation of this module."""
    folder = tmp_path_factory.mktemp("doors")
    (folder / "password").write_text(PASSWORD, encoding="utf-8")
    (folder / "smtp-password").write_text(SMTP_PASSWORD, encoding="utf-8")
    with dovecot() as server, smtp_server(folder, starttls=True, login=True) as smtp:
        secret = base64.b64encode(SECRET).decode()
        told = {"imap": server.url, "user": USER, "ca": server.base / "cert.pem", "port": free_port(), "secret": secret}
        told |= {"smtp": smtp.port}
        (folder / "hexpost.toml").write_text(SETTINGS.format(**told), encoding="utf-8")
        with running(Config.load(folder / "hexpost.toml", {})) as found:
            worker = make_parts(found.config)
            game = new_game(worker.ports, "holdfast/campaign-1", {side: [one] for side, one in PLAYERS.items()}, {}, "c0ffee" + "0" * 58)
            worker.ports.journal.engine.dispose()
            create_app(found.config).send_task("hexpost.post", (game.id,))
            box = Letters(smtp)
            for address in PLAYERS.values():
                box.wait_for(address)
            made = Post(found, server, box)
            made.doors = {"imap": server.deliver, "lmtp": made.by_lmtp, "maildir": Postbox(found.config.inbox, folder / "unused").deliver}
            yield made


@pytest.mark.timeout(240)
def test_two_game_turns_are_played_through_real_doors(post: Post) -> None:
    assert "Weather" in parts(post.play("axis", "COMMIT 0", "imap"))[0]
    post.play("axis", "MOVE 21PZ TO 0507 BY ROAD", "lmtp")
    post.play_by_hook("axis", "DONE TURN AUTO")
    post.play("allied", "STEP 9AUS 1", "imap")
    post.play("allied", "DONE TURN AUTO", "maildir")
    assert post.turn() == 2
    post.play("axis", "CHECK\nDONE TURN AUTO", "lmtp")
    post.play("axis", "DONE TURN AUTO", "imap")
    post.play_by_hook("allied", "DONE TURN AUTO")
    assert post.turn() == 3
    assert post.statuses() == [*["done"] * 5, "checked", "done", "done"]
    assert len(post.chain()) == 8
    post.wait_until_idle()
    post.box.look()
    ids = [str(mail["Message-ID"]) for mail in post.box.mails()]
    assert len(set(ids)) == len(ids) == 2 + 8 + 4  # the start, the answers, and what the other side was told at each end of a player-turn
    assert (post.imap.count("INBOX"), post.imap.count("hexpost-done"), post.imap.count("hexpost-failed")) == (0, 3, 0)


@pytest.mark.timeout(120)
def test_nothing_is_lost_or_done_twice_when_the_intake_is_killed_and_the_server_goes_away(post: Post) -> None:
    before = len(post.chain())
    raw, own = post.write("axis", "COMMIT 0")
    post.found.processes[INTAKE].kill()
    post.found.processes[INTAKE].wait()
    for _ in range(2):
        post.imap.deliver(raw)
    post.imap.stop()
    post.found.processes[INTAKE] = start_intake(post.config, post.found.logs)
    log = post.found.logs / "intake.log"
    wait_for(lambda: "cannot be reached" in log.read_text())
    post.imap.start()
    post.box.wait_for(PLAYERS["axis"], own)
    wait_for(lambda: post.imap.count("INBOX") == 0)
    post.wait_until_idle()
    post.box.look()
    assert [str(mail["In-Reply-To"]) for mail in post.box.mails()].count(own) == 1
    assert len(post.chain()) == before + 1
    assert "is back" in log.read_text()


@pytest.mark.timeout(120)
def test_a_mailbox_made_anew_brings_the_next_mail_and_the_old_one_not_again(post: Post) -> None:
    before = len(post.chain())
    post.play("axis", "DONE TURN AUTO", "imap")
    old, _ = post.write("allied", "DONE TURN AUTO")
    post.imap.forget()
    post.imap.deliver(old)
    wait_for(lambda: len(post.chain()) == before + 2)
    post.imap.forget()
    post.imap.deliver(old)
    new, own = post.write("axis", "CHECK\nMOVE 21PZ TO 0508 BY ROAD")
    post.imap.deliver(new)
    post.box.wait_for(PLAYERS["axis"], own)
    wait_for(lambda: post.imap.count("INBOX") == 0)
    post.wait_until_idle()
    assert len(post.chain()) == before + 2


@pytest.mark.timeout(120)
def test_a_mail_that_is_too_large_is_refused_by_its_headers_and_the_next_one_is_taken(post: Post) -> None:
    huge, own = post.write("axis", "COMMIT 0")
    post.imap.deliver(huge + b"x" * 5_000_000 + b"\r\n")
    assert "large" in parts(post.box.wait_for(PLAYERS["axis"], own))[0].lower()
    post.play("axis", "CHECK\nMOVE 21PZ TO 0508 BY ROAD", "imap")
    assert post.imap.count("hexpost-failed") == 1


def test_only_the_webhooks_process_has_their_secrets_and_the_public_doors_no_token_of_the_services(post: Post) -> None:
    held = {name: Path(f"/proc/{process.pid}/environ").read_bytes() for name, process in post.found.processes.items()}
    assert {"broker", "rules", "mail", "render", "worker", "hooks", "lmtp", "intake"} <= set(held)
    assert {name for name, found in held.items() if base64.b64encode(SECRET) in found} == {"hooks"}
    token = post.config.token.encode()
    assert {name for name, found in held.items() if token in found} == {"rules", "mail", "render", "worker", "caller", "intake"}
    assert {name for name, found in held.items() if b"HEXPOST_DATABASE" in found} == {"worker", "caller", "intake"}


def test_strangers_at_the_public_door_get_nowhere(post: Post) -> None:
    base = f"http://{post.config.hooks}"
    assert requests.get(f"{base}/healthz", timeout=20).json() == {"status": "ok"}
    assert requests.get(f"{base}/v1/spool", timeout=20).status_code == 401
    assert requests.post(f"{base}/v1/messages/read", json={}, timeout=20).status_code == 401
    assert requests.post(f"{base}/v1/hooks/mailgun/mime", data={"token": "x"}, timeout=20).status_code == 404
    assert requests.post(f"{base}/v1/hooks/orders", json={"type": "orders"}, timeout=20).status_code == 401
    assert post.hook("msg_1", {"from": "x"}).status_code == 422


def source(post: Post, url: str, ca_file: str) -> ImapInbox:
    """A source of its own over the mailbox."""
    account = Account(url, USER, post.config.imap_password_file, ca_file=ca_file, folder="elsewhere")
    return ImapInbox(account, 1000, lambda family, prefix: False, lambda part, said: None)


def test_starttls_is_asked_for_and_a_certificate_that_nobody_vouches_for_is_refused(post: Post) -> None:
    with post.imap.session() as client:
        client.create("elsewhere")
        client.append("elsewhere", "", "", b"Subject: x\r\n\r\nMOVE X\r\n")
    urls = post.imap.url, f"imap://127.0.0.1:{post.imap.starttls}"
    for url in urls:
        inbox = source(post, url, post.config.imap_ca_file)
        assert [one.raw for one in inbox.unread()] == [b"Subject: x\r\n\r\nMOVE X\r\n"]
        inbox.close()
        with pytest.raises(SourceAway, match="certificate verify failed"):
            list(source(post, url, "").unread())


DORA, EMIL = "dora@club.example", "emil@club.example"
ORDERS = "orders@desk.example"


def tell(post: Post, who: str, to: str, *lines: str) -> EmailMessage:
    """Somebody writes by the mailbox, and his own domain vouches for him; the first mail that answers it."""
    post.sent += 1
    own = f"<{post.sent}.{who}>"
    head = f"Authentication-Results: mx.desk.example; dmarc=pass header.from=club.example\r\nFrom: {who}\r\nTo: {to}\r\n"
    head += f"Subject: a mail\r\nDate: {DATE}\r\nMessage-ID: {own}\r\n\r\n"
    post.imap.deliver((head + "\r\n".join(lines) + "\r\n").encode())
    return post.box.wait_for(who, own)


def back(mail: EmailMessage) -> str:
    """Where a mail wants its answer."""
    return parseaddr(str(mail["Reply-To"]))[1]


def first(post: Post, who: str, words: str) -> EmailMessage:
    """The first mail to somebody whose text has these words; it is waited for."""
    found: list[EmailMessage] = []

    def came() -> bool:
        post.box.look()
        found.extend(mail for mail in post.box.mails_to(who) if words in " ".join(parts(mail)[0].split()))
        return bool(found)

    wait_for(came)
    return found[0]


@pytest.mark.timeout(300)
def test_a_campaign_is_begun_played_and_ended_by_commands_through_real_servers(post: Post) -> None:
    host = tell(post, DORA, ORDERS, "NEW holdfast/campaign-1 AS axis WORD kettle")
    assert "is game G2, and you are to play Axis" in " ".join(parts(host)[0].split())
    tell(post, DORA, back(host), f"INVITE {EMIL}")
    invitation = first(post, EMIL, "invites you to a game by mail")
    code = re.search(r"ACCEPT ([a-z0-9]{14})", parts(invitation)[0])
    assert code is not None
    post.sent += 1
    post.imap.deliver(f"From: {EMIL}\r\nTo: {ORDERS}\r\nMessage-ID: <yes@club.example>\r\n\r\nACCEPT {code[1]} WORD pot\r\n".encode())
    begun = {who: first(post, who, "kettle (Axis), pot (Allied)") for who in (DORA, EMIL)}

    receipt = tell(post, DORA, back(begun[DORA]), "COMMIT 0", "END")
    assert "Weather" in parts(receipt)[0]
    said = tell(post, DORA, back(receipt), "SAY Good luck, and mind the wadi.")
    assert "Good luck" in parts(first(post, EMIL, "A letter from the Axis side"))[0]
    assert DORA not in parts(first(post, EMIL, "A letter from the Axis side"))[0]
    tell(post, DORA, back(said), "DONE TURN AUTO", "END")
    post.wait_until_idle()
    post.box.look()
    turn = post.box.mails_to(EMIL)[-1]
    assert "Your orders, please" in str(turn["Subject"])
    tell(post, EMIL, back(turn), "DRAW")
    asked = first(post, DORA, "draw")
    tell(post, DORA, back(asked), "DRAW")

    journal = make_parts(post.config).ports.journal
    game = journal.game("G2")
    assert game is not None
    assert (game.over, game.words, journal.broken_link("G2")) == (True, [["axis", "kettle"], ["allied", "pot"]], None)
    post.wait_until_idle()
    for who in (DORA, EMIL):
        assert game.secret in parts(first(post, who, game.secret))[0]
    journal.engine.dispose()
    post.box.look()
    ids = [str(mail["Message-ID"]) for mail in post.box.mails()]
    assert len(set(ids)) == len(ids)
    assert post.imap.count("INBOX") == 0


def wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 40
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)
