"""LMTP (RFC 2033): a mail server on this machine hands over what it received, and is told yes when it lies in the spool.

``python -m services.mail.lmtp`` runs it. Whoever may connect is trusted with the stamps that he brings: it listens on a socket file, or on
a port to which ``lmtp_hosts`` may connect.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from services.mail.config import Config
from services.mail.spool import Spool, SpoolFull
from services.mail.trace import traced

MOST_BYTES = 60_000_000
"""Of a message; of one that is longer than ``max_mail`` only the headers are spooled, so that its sender is told."""
Network = IPv4Network | IPv6Network
log = logging.getLogger("hexpost.lmtp")


class _Server(LMTP):
    """aiosmtpd's LMTP with lines as long as mail programs write them."""

    line_length_limit = 1_000_000

    def __init__(self, allowed: Sequence[Network], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._allowed = allowed

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client comes; one that may not is told nothing."""
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple) and not is_allowed(str(peer[0]), self._allowed):
            log.warning("%s may not deliver: it is not among lmtp_hosts", peer[0])
            transport.close()
            return
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Nothing was begun with one that was sent away."""
        if self.transport is not None:
            super().connection_lost(error)


def is_allowed(host: str, allowed: Sequence[Network]) -> bool:
    """Whether an address is of one of the networks."""
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return any(found in one for one in allowed if one.version == found.version)


class Handler:
    """What becomes of a message. One recipient at a time: LMTP answers for each of them, and each has a token of his own."""

    def __init__(self, config: Config, spool: Spool) -> None:
        self._config = config
        self._spool = spool

    async def handle_RCPT(self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:  # noqa: N802  # aiosmtpd's name
        """Only our own address is taken, with anything after a plus sign."""
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient at a time"
        if not self._is_ours(address.lower()):
            return "550 5.1.1 No such recipient here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    def _is_ours(self, address: str) -> bool:
        local, _, domain = address.rpartition("@")
        return f"{local.partition('+')[0]}@{domain}" == self._config.address.lower()

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        """Spool the message; the answer waits for the disk."""
        return await asyncio.to_thread(self.take, envelope.mail_from or "", envelope.rcpt_tos[0], envelope.original_content or b"")

    def take(self, sender: str, recipient: str, raw: bytes) -> str:
        """The answer to a message."""
        kept = traced(raw, self._config.server, [recipient], limit=self._config.max_mail, stamped=True)
        # A server that died before it heard our yes hands over the same bytes again.
        number = hashlib.sha256(recipient.encode() + b"\0" + raw).digest()
        try:
            new = self._spool.put("lmtp", number, kept)
        except (SpoolFull, OSError) as error:
            log.error("a message could not be spooled: %s", error)
            return "452 4.3.1 Cannot be kept now, try again later"
        return "250 2.6.0 Taken" if new else "250 2.6.0 Taken already"


@asynccontextmanager
async def listening(config: Config) -> AsyncIterator[asyncio.Server]:
    """LMTP at ``config.lmtp`` for the time of the block. ValueError if that, or the spool, is not set; OSError if it cannot listen."""
    if config.spool is None:
        raise ValueError("HEXPOST_SPOOL must be set: LMTP needs a place for what it takes")
    handler = Handler(config, Spool(config.spool))
    loop = asyncio.get_running_loop()

    try:
        allowed = [ip_network(one.strip()) for one in config.lmtp_hosts.split(",")]
    except ValueError as error:
        raise ValueError(f"HEXPOST_LMTP_HOSTS must be addresses or networks with commas between: {error}") from None

    def session() -> _Server:
        return _Server(allowed, handler, hostname=config.server, data_size_limit=MOST_BYTES, enable_SMTPUTF8=True, loop=loop)

    path = config.lmtp.removeprefix("unix:")
    if path != config.lmtp:
        Path(path).unlink(missing_ok=True)  # left by a process that was killed
        server = await loop.create_unix_server(session, path)
        os.chmod(path, 0o660)
    else:
        host, _, port = config.lmtp.rpartition(":")
        if not host or not port.isdigit():
            raise ValueError(f"HEXPOST_LMTP must be host:port or unix:/path, not {config.lmtp[:80]!r}")
        server = await loop.create_server(session, host.strip("[]"), int(port))
    async with server:
        yield server


async def run(config: Config) -> None:
    """Listen until SIGTERM or SIGINT."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with listening(config):
        await stopped.wait()


if __name__ == "__main__":
    asyncio.run(run(Config.from_env()))
