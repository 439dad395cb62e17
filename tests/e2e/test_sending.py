"""A server whose mails leave by a real SMTP server, over TLS with a login, signed; and whose large files are fetched by their links."""

from __future__ import annotations

import email
import email.policy
import re
import socket
import time
from email.message import EmailMessage
from pathlib import Path

import dkim
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.worker.smtp_server import PASSWORD, Server, smtp_server
from worker.app import create_app, make_parts
from worker.config import Config
from worker.play.games import new_game
from worker.post.postbox import Postbox, reply
from worker.post.signing import dns_record
from worker.serve import running

PLAYERS = {"axis": "axis@player.example", "allied": "allied@player.example"}
DATE = "Fri, 27 Mar 2026 21:14:09 +0100"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def settings(folder: Path, smtp: int, links: int) -> Config:
    key = ed25519.Ed25519PrivateKey.generate()
    (folder / "dkim.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (folder / "password").write_text("wrong")
    text = f"""
home = "var"
address = "orders@desk.example"
scale = 400
pictures = 1
vassal = 0
sweep = 1.0
smtp = "smtp://127.0.0.1:{smtp}"
smtp_user = "desk"
smtp_password_file = "password"
smtp_ca_file = "cert.pem"
smtp_pause = 1.0
dkim_key_file = "dkim.pem"
dkim_selector = "hx1"
links = "127.0.0.1:{links}"
link_base = "http://127.0.0.1:{links}"
metrics = "127.0.0.1:{free_port()}"
"""
    (folder / "hexpost.toml").write_text(text)
    return Config.load(folder / "hexpost.toml", {})


def wait_for(server: Server, count: int) -> list[EmailMessage]:
    """The mails that the server took, when there are so many."""
    deadline = time.monotonic() + 60
    while len(server.script.taken) < count:
        assert time.monotonic() < deadline, [one.recipients for one in server.script.taken]
        time.sleep(0.05)
    found = [email.message_from_bytes(one.raw, policy=email.policy.default) for one in server.script.taken]
    return [one for one in found if isinstance(one, EmailMessage)]


@pytest.mark.timeout(180)
def test_mails_leave_signed_when_the_login_is_mended_and_their_links_are_fetched(tmp_path: Path) -> None:
    with smtp_server(tmp_path, starttls=True, login=True) as server, running(settings(tmp_path, server.port, free_port())) as found:
        parts = make_parts(found.config)
        game = new_game(parts.ports, "holdfast/campaign-1", {side: [one] for side, one in PLAYERS.items()}, {})
        create_app(found.config).send_task("hexpost.post", (game.id,))
        deadline = time.monotonic() + 60
        while server.script.heard["AUTH"] < 2:  # refused, and tried again after its pause
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert server.script.taken == []
        counted = requests.get(f"http://{found.config.metrics}/metrics", timeout=20).text
        assert 'hexpost_games{state="running"} 1.0' in counted.splitlines()
        assert float(re.findall(r"(?m)^hexpost_mail_server_paused_seconds (\S+)$", counted)[0]) >= 0
        assert not any(one in counted for one in (*PLAYERS.values(), game.id, "desk.example"))
        (tmp_path / "password").write_text(PASSWORD)
        first = wait_for(server, 2)
        assert sorted(one.recipients[0] for one in server.script.taken) == sorted(PLAYERS.values())
        assert all(one.encrypted for one in server.script.taken)

        (start,) = [mail for mail in first if mail["To"] == PLAYERS["axis"]]
        box = Postbox(found.config.inbox, found.config.outbox)
        box.deliver(reply(start, PLAYERS["axis"], "<1@player.example>", "COMMIT 0\nEND", DATE))
        (receipt,) = wait_for(server, 3)[2:]
        assert receipt["In-Reply-To"] == "<1@player.example>"
        record = "".join(re.findall(r'"([^"]*)"', dns_record(found.config.dkim_key_file, "hx1", "desk.example"))).encode()
        assert all(dkim.verify(one.raw, dnsfunc=lambda name, timeout=5: record) for one in server.script.taken)

        plain = receipt.get_body(("plain",))
        assert plain is not None
        links = re.findall(r"http://127\.0\.0\.1:\d+/files/[0-9a-f]{40}", plain.get_content())
        shown = requests.get(links[0], timeout=10)
        assert (shown.status_code, shown.headers["Content-Type"], shown.content[:4]) == (200, "image/png", b"\x89PNG")
        assert requests.post(links[0], timeout=10).status_code == 405
        assert "The server refuses the login: 535" in (found.logs / "worker.log").read_text()
        assert list((found.config.outbox / "new").iterdir()) == []
