"""LMTP: a mail server hands over what it received, and is told yes when it lies in the spool."""

from __future__ import annotations

import asyncio
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from services.mail.config import Config
from services.mail.lmtp import is_allowed, listening
from services.mail.message import read_message
from services.mail.spool import Spool

TO = "orders+g1-t01-abcd@hexpost.example"
MAIL = f"Authentication-Results: mx.hexpost.example; dmarc=pass\r\nFrom: ann@example.org\r\nTo: {TO}\r\n\r\nMOVE X 0101\r\n".encode()


@contextmanager
def served(config: Config) -> Iterator[None]:
    """The server, in a thread of its own, for the time of the block."""
    ready = threading.Event()
    inside: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        inside.append((asyncio.get_running_loop(), asyncio.Event()))
        async with listening(config):
            ready.set()
            await inside[0][1].wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(10)
    try:
        yield
    finally:
        loop, ended = inside[0]
        loop.call_soon_threadsafe(ended.set)
        thread.join(10)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(spool=tmp_path / "spool", lmtp=f"unix:{tmp_path}/lmtp", address="orders@hexpost.example", server="mx.hexpost.example")


@contextmanager
def session(config: Config) -> Iterator[smtplib.LMTP]:
    with served(config), smtplib.LMTP(config.lmtp.removeprefix("unix:"), timeout=10) as client:
        yield client


def spooled(config: Config) -> list[bytes]:
    assert config.spool is not None
    return [one.raw for one in Spool(config.spool).waiting(50, 10**9)]


def test_a_message_is_spooled_with_its_recipient_and_the_stamps_of_our_server(config: Config) -> None:
    with session(config) as client:
        client.sendmail("ann@example.org", [TO], MAIL)
    assert spooled(config) == [f"Delivered-To: {TO}\r\n".encode() + MAIL]


def test_only_our_address_is_taken_with_any_tag_and_in_any_case(config: Config) -> None:
    with session(config) as client:
        client.ehlo_or_helo_if_needed()
        assert client.mail("ann@example.org")[0] == 250
        for other in ("postmaster@hexpost.example", "orders@elsewhere.example", "ordersx@hexpost.example", "orders"):
            assert client.rcpt(other)[0] == 550
        assert client.rcpt("Orders+G1-T01-ABCD@Hexpost.Example")[0] == 250


def test_recipients_come_one_at_a_time(config: Config) -> None:
    """Each has a token of his own, and LMTP owes an answer for each."""
    with session(config) as client:
        refused = client.sendmail("ann@example.org", [TO, "orders+g2-t01-wxyz@hexpost.example"], MAIL)
        assert [code for code, _ in refused.values()] == [452]
        client.sendmail("ann@example.org", list(refused), MAIL)
    assert sorted(read_message(raw).first("delivered-to") for raw in spooled(config)) == [TO, "orders+g2-t01-wxyz@hexpost.example"]


def test_a_server_that_did_not_hear_our_yes_delivers_again_and_it_is_one_message(config: Config) -> None:
    with session(config) as client:
        for _ in range(2):
            client.sendmail("ann@example.org", [TO], MAIL)
    assert len(spooled(config)) == 1


def test_without_room_the_server_keeps_the_message(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.mail.lmtp.Spool", lambda folder: Spool(folder, most_mails=0))
    with session(config) as client, pytest.raises(smtplib.SMTPDataError) as caught:
        client.sendmail("ann@example.org", [TO], MAIL)
    assert caught.value.smtp_code == 452
    assert spooled(config) == []


def test_long_lines_dots_and_bytes_pass(config: Config) -> None:
    raw = b"From: ann@example.org\r\n\r\n" + b"<p>" + b"x" * 50_000 + b"</p>\r\n.\r\n..\r\n\xff\xfe\r\n"
    with session(config) as client:
        client.sendmail("ann@example.org", [TO], raw, ["BODY=8BITMIME"])
    assert spooled(config)[0].endswith(raw)


def test_of_a_message_that_is_too_long_the_headers_are_spooled(config: Config) -> None:
    with session(replace(config, max_mail=1000)) as client:
        client.sendmail("ann@example.org", [TO], MAIL + b"x" * 1000 + b"\r\n")
    (raw,) = spooled(config)
    assert read_message(raw).faults == ("too-big",)


def test_a_socket_left_by_a_process_that_was_killed_is_no_hindrance(config: Config) -> None:
    Path(config.lmtp.removeprefix("unix:")).touch()
    with session(config) as client:
        assert client.noop()[0] == 250


def test_it_listens_on_a_port_too(config: Config) -> None:
    async def once() -> bytes:
        async with listening(replace(config, lmtp="127.0.0.1:0")) as server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
            try:
                return await asyncio.wait_for(reader.readline(), 10)
            finally:
                writer.close()

    assert asyncio.run(once()).startswith(b"220 mx.hexpost.example")


def test_whoever_is_not_named_gets_no_word_at_a_port(config: Config) -> None:
    async def once() -> bytes:
        async with listening(replace(config, lmtp="127.0.0.1:0", lmtp_hosts="192.0.2.0/24, ::1")) as server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
            try:
                writer.write(b"LHLO x\r\n")
                return await asyncio.wait_for(reader.read(), 10)
            except ConnectionResetError:
                return b""
            finally:
                writer.close()

    assert asyncio.run(once()) == b""


@pytest.mark.parametrize(
    ("host", "fits"),
    [
        *(("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("::ffff:127.0.0.1", True), ("fe80::1%eth0", False)),
        *(("192.0.2.1", False), ("::ffff:192.0.2.1", False), ("", False), ("localhost", False)),
    ],
)
def test_who_may_deliver_by_default(host: str, fits: bool) -> None:
    assert is_allowed(host, [ip_network(one.strip()) for one in Config().lmtp_hosts.split(",")]) == fits


@pytest.mark.parametrize(("lmtp", "said"), [("24", "host:port"), ("localhost:lmtp", "host:port")])
def test_an_address_that_is_none_is_said(config: Config, lmtp: str, said: str) -> None:
    async def once() -> None:
        async with listening(replace(config, lmtp=lmtp)):
            pass

    with pytest.raises(ValueError, match=said):
        asyncio.run(once())
    with pytest.raises(ValueError, match="HEXPOST_SPOOL"):
        asyncio.run(_listen_without_spool(config))


async def _listen_without_spool(config: Config) -> None:
    async with listening(replace(config, spool=None)):
        pass
