"""A mail server that says what it is told to say: by verb, an answer for each time, then the usual one."""

from __future__ import annotations

import base64
import ipaddress
import socket
import ssl
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

PASSWORD = "correct horse"


@dataclass
class Taken:
    """A mail that the server took: sender and recipients of the envelope, and the bytes."""

    sender: str
    recipients: list[str]
    raw: bytes
    encrypted: bool


@dataclass
class Script:
    """Handler of the server. ``says``: verb -> answers that come before the usual one; ``heard``: how often each verb came."""

    says: dict[str, deque[str]] = field(default_factory=lambda: defaultdict(deque))
    heard: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    taken: list[Taken] = field(default_factory=list)

    def _answer(self, verb: str) -> str | None:
        self.heard[verb] += 1
        return self.says[verb].popleft() if self.says[verb] else None

    async def handle_EHLO(self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]) -> list[str]:
        self.heard["EHLO"] += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        answer = self._answer("MAIL")
        if answer is None:
            envelope.mail_from = address
        return answer or "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        answer = self._answer("RCPT") or (self._answer(address) if address in self.says else None)
        if answer is None or answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer or "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        answer = self._answer("DATA")
        if answer is None:
            encrypted = server.transport.get_extra_info("ssl_object") is not None
            self.taken.append(Taken(envelope.mail_from, list(envelope.rcpt_tos), bytes(envelope.content), encrypted))
        return answer or "250 OK"

    async def auth_XOAUTH2(self, server: Any, args: list[str]) -> AuthResult:
        """AUTH XOAUTH2: the first token that is right; for another a challenge with the reason, as providers have it."""
        self._answer("XOAUTH2")
        if base64.b64decode(args[1]).decode() == f"user=desk\1auth=Bearer {PASSWORD}\1\1":
            return AuthResult(success=True)
        await server.challenge_auth('{"status":"401"}')
        return AuthResult(success=False, handled=False)

    def authenticate(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        """AUTH: the first password is right; before that, what the script says."""
        answer = self._answer("AUTH")
        good = isinstance(data, LoginPassword) and data.password.decode() == PASSWORD
        if answer is None and good:
            return AuthResult(success=True)
        return AuthResult(success=False, handled=False, message=answer)


@dataclass
class Server:
    """A server that runs: where, and its script."""

    port: int
    script: Script


@contextmanager
def smtp_server(folder: Path, *, starttls: bool = False, implicit: bool = False, login: bool = False) -> Iterator[Server]:
    """A server on this machine; its certificate is ``folder/cert.pem``."""
    script = Script()
    options: dict[str, Any] = {}
    if starttls or implicit:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate(folder))
        options |= {"ssl_context": context} if implicit else {"tls_context": context, "require_starttls": True}
    if login:
        options |= {"authenticator": script.authenticate, "auth_required": True, "auth_require_tls": starttls}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(script, "127.0.0.1", port, ident="test", **options)
    controller.start()
    script.heard.clear()
    try:
        yield Server(port, script)
    finally:
        controller.stop(no_assert=True)


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that is its own authority, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
    )
    (folder / "cert.pem").write_bytes(built.sign(key, SHA256()).public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return folder / "cert.pem", folder / "key.pem"
