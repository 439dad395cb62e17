"""The mailbox of a provider that takes OAuth2 tokens: Dovecot asks a server of the test's own whose a token is (RFC 7662)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.e2e.dovecot import USER, dovecot
from worker.post.imap import Account, ImapInbox
from worker.post.inboxes import SourceAway

MAIL = b"Subject: x\r\n\r\nMOVE X\r\n"


@contextmanager
def introspection(valid: dict[str, str]) -> Iterator[str]:
    """The URL of a server that knows whose the tokens are that are valid now."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            whose = valid.get(asked.get("token", [""])[0])
            said = f'{{"active": true, "username": "{whose}"}}' if whose else '{"active": false}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.timeout(120)
def test_a_mailbox_is_read_with_tokens_and_each_login_has_the_newest(tmp_path: Path) -> None:
    valid = {"first.token": USER}
    file = tmp_path / "token"
    with introspection(valid) as url, dovecot(url) as server:
        server.deliver(MAIL)  # with the password: that is a way in, too

        def inbox(**how: str) -> ImapInbox:
            account = Account(server.url, USER, ca_file=str(server.base / "cert.pem"), folder="INBOX", **how)
            return ImapInbox(account, 1000, lambda family, prefix: False, lambda part, said: None)

        file.write_text("first.token\n")
        source = inbox(token_file=str(file))
        (found,) = source.unread()
        assert found.raw == MAIL
        source.acknowledge(found.place)
        source.close()
        assert (server.count("INBOX"), server.count("hexpost-done")) == (0, 1)

        del valid["first.token"]  # it has expired
        valid["second.token"] = USER
        with pytest.raises(SourceAway, match="refuses the login"):
            list(source.unread())
        file.write_text("second.token\n")
        server.deliver(MAIL)
        assert [one.raw for one in source.unread()] == [MAIL]
        source.close()

        command = inbox(token_command=f"{sys.executable} -c \"print('second.token')\"")
        assert [one.raw for one in command.unread()] == [MAIL]
        command.close()
        valid["second.token"] = "somebody-else"
        for wrong in ({"token_file": str(file)}, {"token_command": "false"}):
            with pytest.raises(SourceAway):
                list(inbox(**wrong).unread())
