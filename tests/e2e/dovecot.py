"""A real IMAP server for a test: Dovecot of the distribution's package, on a free port of loopback, over a folder of its own."""

from __future__ import annotations

import grp
import imaplib
import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

USER, PASSWORD = "orders", "a-secret-of-the-tests"
SETTINGS = """
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{base}/cert.pem
ssl_key = <{base}/key.pem
mail_location = maildir:~/Maildir
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
passdb {{
  driver = static
  args = password={password}
}}
{oauth}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/home/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {starttls}
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""
OAUTH = """
auth_mechanisms = plain xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {base}/oauth2.conf
}}
"""
INTROSPECTION = """
introspection_mode = post
introspection_url = {url}
username_attribute = username
active_attribute = active
active_value = true
"""


@dataclass
class Dovecot:
    """The server. ``base``: its folder; ``port``: with TLS; ``starttls``: where TLS is asked for."""

    base: Path
    port: int
    starttls: int
    identity: pwd.struct_passwd

    @property
    def url(self) -> str:
        return f"imaps://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it greets."""
        command = [_binary(), "-F", "-c", str(self.base / "dovecot.conf")]
        if os.getuid() == 0:  # it hands out no mail as root
            who = [f"--reuid={self.identity.pw_uid}", f"--regid={self.identity.pw_gid}", "--clear-groups"]
            command = ["setpriv", *who, *command]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 20
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1):
                    return
            except OSError:
                log = self.base / "log"
                assert self.process.poll() is None, log.read_text() if log.exists() else "dovecot ended at once"
                assert time.monotonic() < deadline, "dovecot does not answer"
                time.sleep(0.02)

    def stop(self) -> None:
        """Cut every session off: those of its children outlive the master."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        deadline = time.monotonic() + 10
        while _is_alive(self.process.pid):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.base / "cert.pem"))

    @contextmanager
    def session(self) -> Iterator[imaplib.IMAP4_SSL]:
        """A session of a mail program."""
        client = imaplib.IMAP4_SSL("127.0.0.1", self.port, ssl_context=self.trust(), timeout=20)
        client.login(USER, PASSWORD)
        try:
            yield client
        finally:
            client.logout()

    def deliver(self, raw: bytes) -> None:
        """A mail arrives in the inbox."""
        with self.session() as client:
            status, said = client.append("INBOX", "", imaplib.Time2Internaldate(time.time()), raw)
            assert status == "OK", said

    def count(self, folder: str) -> int:
        """How many mails lie in a folder."""
        with self.session() as client:
            return int(client.select(f'"{folder}"', readonly=True)[1][0] or 0)

    def forget(self) -> None:
        """Make the inbox anew: empty, with another UIDVALIDITY."""
        self.stop()
        shutil.rmtree(self.base / "home")
        _make_folder(self.base / "home", self.identity)
        time.sleep(1.1)  # it numbers mailboxes by the second
        self.start()


@contextmanager
def dovecot(introspection: str = "") -> Iterator[Dovecot]:
    """The server, running, for the time of the block. Where it is not installed the test fails, and says what to do.

    ``introspection``: the URL at which it asks whose an OAuth2 token is (RFC 7662); empty: there are passwords alone.
    """
    if not shutil.which("dovecot") and not Path("/usr/sbin/dovecot").exists():
        pytest.fail("Dovecot is not installed: ./test does it as root, or apt-get install dovecot-imapd")
    identity = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
    base = Path(tempfile.mkdtemp(prefix="hexpost-dovecot-"))
    try:
        for folder in (base, base / "home"):
            _make_folder(folder, identity)
        server = Dovecot(base, free_port(), free_port(), identity)
        _write_certificate(base, identity)
        names = {"user": identity.pw_name, "group": grp.getgrgid(identity.pw_gid).gr_name, "uid": identity.pw_uid, "gid": identity.pw_gid}
        names["oauth"] = OAUTH.format(base=base) if introspection else ""
        text = SETTINGS.format(base=base, port=server.port, starttls=server.starttls, password=PASSWORD, **names)
        (base / "oauth2.conf").write_text(INTROSPECTION.format(url=introspection), encoding="utf-8")
        (base / "dovecot.conf").write_text(text, encoding="utf-8")
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(base, ignore_errors=True)


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _binary() -> str:
    return shutil.which("dovecot") or "/usr/sbin/dovecot"


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _make_folder(folder: Path, identity: pwd.struct_passwd) -> None:
    folder.mkdir(exist_ok=True)
    os.chown(folder, identity.pw_uid, identity.pw_gid)


def _write_certificate(base: Path, identity: pwd.struct_passwd) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    built = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    built = built.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    built = built.add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
    built = built.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    (base / "cert.pem").write_bytes(built.sign(key, SHA256()).public_bytes(Encoding.PEM))
    (base / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    for file in ("cert.pem", "key.pem"):
        os.chown(base / file, identity.pw_uid, identity.pw_gid)
