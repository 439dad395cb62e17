"""Calls to URLs that others have named: no private address is reached by any way, and no answer costs more than it may."""

from __future__ import annotations

import gzip
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from worker.bots import calling
from worker.bots.calling import Answer, Forbidden, NoAnswer, is_public, post, target_of

HERE = (ipaddress.ip_network("127.0.0.0/8"),)
NAME = "hooks.example.org"
URL = f"https://{NAME}:8443/turn?game=1"
ADDRESS = "127.9.9.7"
Serve = Callable[[socket.socket], None]


class Authority:
    """A certificate authority of this test's own, in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "ca.pem"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of the tests")])
        own = self._builder(self._name, self._key.public_key(), 1).add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        self.file.write_bytes(own.sign(self._key, SHA256()).public_bytes(Encoding.PEM))

    def issued(self, name: str, days: int = 1) -> Path:
        """A certificate for a name with its key; ``days``: how long it is good, or since when it is not."""
        key, path = ec.generate_private_key(ec.SECP256R1()), self.folder / f"{name}-{days}.pem"
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = self._builder(subject, key.public_key(), days).add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        path.write_bytes(pem + made.sign(self._key, SHA256()).public_bytes(Encoding.PEM))
        return path

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePublicKey, days: int) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        made = x509.CertificateBuilder().subject_name(subject).issuer_name(self._name).public_key(key)
        made = made.serial_number(x509.random_serial_number())
        return made.not_valid_before(now - timedelta(days=9)).not_valid_after(now + timedelta(days=days))


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def certificate(authority: Authority) -> Path:
    """A certificate for ``NAME``, with its key; beside it that of its authority, which is trusted in these tests."""
    return authority.issued(NAME)


@contextmanager
def listening() -> Iterator[socket.socket]:
    """A listener on a free port, which whoever connects to ``ADDRESS`` reaches: a call may only use ports that others may have here."""
    usual = socket.create_connection
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.MonkeyPatch.context() as patch:

        def connect(place: tuple[str, int], timeout: float) -> socket.socket:
            assert place == (ADDRESS, 8443)
            return usual(listener.getsockname(), timeout=timeout)

        patch.setattr(socket, "create_connection", connect)
        yield listener


@contextmanager
def server(certificate: Path, serve: Serve) -> Iterator[list[bytes]]:
    """A server over TLS; what it was asked, a request each. ``serve``: what it does once it has read one."""
    asked: list[bytes] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with listening() as listener:

        def one_after_another() -> None:
            with suppress(OSError):
                while True:
                    plain, _ = listener.accept()
                    with suppress(OSError), context.wrap_socket(plain, server_side=True) as secured:
                        asked.append(_request(secured))
                        serve(secured)

        threading.Thread(target=one_after_another, daemon=True).start()
        yield asked
        listener.shutdown(socket.SHUT_RDWR)


def _request(secured: socket.socket) -> bytes:
    found = b""
    while b"\r\n\r\n" not in found:
        found += secured.recv(10_000)
    head, _, body = found.partition(b"\r\n\r\n")
    length = int(next(line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")))
    while len(body) < length:
        body += secured.recv(10_000)
    return head + b"\r\n\r\n" + body


def answers(data: bytes) -> Serve:
    return lambda secured: secured.sendall(data)


def call(certificate: Path, *addresses: str, longest: float = 5.0, url: str = URL, body: bytes = b"{}") -> Answer:
    """A call whose name leads to these addresses (by default the server's); the certificate is trusted."""
    trust = ssl.create_default_context(cafile=str(certificate.with_name("ca.pem")))

    def resolve(host: str, port: int) -> list[str]:
        return list(addresses or (ADDRESS,))

    return post(url, body, {"Content-Type": "application/json"}, resolve=resolve, allowed=HERE, trust=trust, longest=longest)


def test_a_call_brings_its_body_to_the_server_of_that_name(certificate: Path) -> None:
    with server(certificate, answers(b"HTTP/1.1 202 Accepted\r\nContent-Length: 4\r\n\r\nfine")) as asked:
        assert call(certificate, body=b'{"turn": 3}') == Answer(202, b"fine")
    head, _, body = asked[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /turn?game=1 HTTP/1.1\r\nHost: hooks.example.org:8443\r\n")
    assert body == b'{"turn": 3}'


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://hooks.example.org/",
            "ftp://hooks.example.org/",
            "file:///etc/passwd",
            "gopher://hooks.example.org/",
            "//hooks.example.org/",
        ),
        *("https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/", "https://127.1/"),
        *(
            "https://localhost/",
            "https://localhost./",
            "https://metadata/",
            "https://hooks.example.org:22/",
            "https://hooks.example.org:6379/",
        ),
        *("https://ann:secret@hooks.example.org/", "https://hooks.example.org@127.0.0.1/", "https://hooks.example.org/#x", "https:///path"),
        *("https://hooks.example.org/\r\nHost: inside", "https://hooks.example.org/a b", "https://höoks.example.org/", "https://[bad/", ""),
        *(
            "https://hooks.example.org:99999/",
            f"https://hooks.example.org/{'a' * 2_000}",
            "https://-a.example.org/",
            "https://a..example.org/",
        ),
    ],
)
def test_a_url_that_is_no_plain_https_one_of_a_named_server_is_refused_unlooked_up(url: str) -> None:
    def never(host: str, port: int) -> Sequence[str]:
        raise AssertionError(host)

    with pytest.raises(Forbidden):
        post(url, b"", {}, resolve=never)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.9.1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.51.100.1", "203.0.113.5", "198.18.0.1", "192.0.0.1"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1"),
        *("2002:7f00:1::", "2002:a00:1::1", "2001:0:a00:1::1", "no address", ""),
    ],
)
def test_no_address_but_those_of_the_open_net_is_called(certificate: Path, address: str) -> None:
    assert not is_public(address)
    with pytest.raises(Forbidden, match=r"hooks\.example\.org is no server of the open net"):
        post(URL, b"", {}, resolve=lambda host, port: [address])
    # nor if the name has a good one besides
    with pytest.raises(Forbidden):
        post(URL, b"", {}, resolve=lambda host, port: ["93.184.215.14", address])


@pytest.mark.parametrize("address", ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:8.8.8.8"])
def test_addresses_of_the_open_net_may_be_called(address: str) -> None:
    assert is_public(address)


def test_the_operator_can_open_a_network_of_his_own() -> None:
    mine = (ipaddress.ip_network("10.1.0.0/16"), ipaddress.ip_network("fd00::/8"))
    found = [one for one in ("10.1.2.3", "10.2.2.3", "::ffff:10.1.2.3", "fd00::1", "fc00::1") if is_public(one, mine)]
    assert found == ["10.1.2.3", "::ffff:10.1.2.3", "fd00::1"]


def test_a_name_that_changes_its_meaning_is_looked_up_once_and_the_address_that_was_checked_is_called(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, called = [], []

    def resolve(host: str, port: int) -> Sequence[str]:
        looked.append(host)
        return ["93.184.215.14"] if len(looked) == 1 else ["127.0.0.1"]

    def connect(place: tuple[str, int], timeout: float) -> socket.socket:
        called.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: pytest.fail("looked up again"))
    with pytest.raises(NoAnswer, match="ConnectionRefusedError"):
        post(URL, b"", {}, resolve=resolve)
    assert (looked, called) == ([NAME], [("93.184.215.14", 8443)])


def test_the_systems_resolver_is_asked_and_what_it_says_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: [(2, 1, 6, "", ("10.0.0.9", 8443))])
    with pytest.raises(Forbidden):
        post(URL, b"", {})

    def fails(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(-2, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    with pytest.raises(NoAnswer, match="not known to the DNS"):
        post(URL, b"", {})


def test_a_name_that_changes_its_meaning_between_check_and_connection_leads_nowhere_else(certificate: Path) -> None:
    """Over TLS: the server at the address that was checked is asked, whatever the name means by then."""
    meant = iter([[ADDRESS], ["127.0.0.1"], ["169.254.169.254"]])
    trust = ssl.create_default_context(cafile=str(certificate.with_name("ca.pem")))
    usual = socket.getaddrinfo

    def never_by_name(host: str, *more: Any, **named: Any) -> Any:
        assert host != NAME
        return usual(host, *more, **named)

    with server(certificate, answers(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) as asked, pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", never_by_name)
        found = post(URL, b"{}", {}, resolve=lambda host, port: next(meant), allowed=HERE, trust=trust)
    assert (found, len(asked)) == (Answer(200, b"ok"), 1)
    assert next(meant) == ["127.0.0.1"]  # it was looked up once


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer_and_not_followed(certificate: Path, status: int) -> None:
    away = b"HTTP/1.1 %d Away\r\nLocation: https://hooks.example.org:8443/other\r\nContent-Length: 0\r\n\r\n" % status
    with server(certificate, answers(away)) as asked:
        assert call(certificate).status == status
        assert len(asked) == 1


def test_proxies_of_the_environment_are_not_asked(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    with server(certificate, answers(b"HTTP/1.1 204 No Content\r\n\r\n")):
        assert call(certificate) == Answer(204, b"")


@pytest.mark.parametrize("head", [b"Content-Length: 200000\r\n\r\n", b"\r\n", b"Transfer-Encoding: chunked\r\n\r\n"])
def test_an_answer_without_end_is_not_read(certificate: Path, head: bytes) -> None:
    block = b"186a0\r\n" + b"x" * 100_000 + b"\r\n" if b"chunked" in head else b"x" * 100_000

    def endless(secured: socket.socket) -> None:
        secured.sendall(b"HTTP/1.1 200 OK\r\n" + head)
        for _ in range(1_000):
            secured.sendall(block)

    with server(certificate, endless), pytest.raises(NoAnswer, match="longer than 100000 bytes"):
        call(certificate)


def test_a_server_that_promises_its_answer_for_ever_is_left(certificate: Path) -> None:
    def soon(secured: socket.socket) -> None:
        while True:
            secured.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            sleep(0.01)

    with server(certificate, soon), pytest.raises(NoAnswer, match=r"did not answer within 0\.4 s"):
        call(certificate, longest=0.4)


def test_what_was_packed_to_grow_is_not_unpacked(certificate: Path) -> None:
    packed = gzip.compress(b"x" * 50_000_000)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    with server(certificate, answers(head + packed)):
        assert call(certificate) == Answer(200, packed)


def test_headers_without_end_are_not_read(certificate: Path) -> None:
    with server(certificate, answers(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 5_000)), pytest.raises(NoAnswer, match="HTTPException"):
        call(certificate)


def test_a_server_that_trickles_or_hangs_is_left_when_the_time_of_the_whole_call_is_over(certificate: Path) -> None:
    def trickles(secured: socket.socket) -> None:
        secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(100):
            secured.sendall(b"x")
            sleep(0.1)

    began = monotonic()
    with server(certificate, trickles), pytest.raises(NoAnswer, match=r"did not answer within 0\.6 s"):
        call(certificate, longest=0.6)
    assert monotonic() - began < 3


def test_a_server_that_never_shakes_hands_is_left_too(certificate: Path) -> None:
    with listening(), pytest.raises(NoAnswer, match=r"did not answer within 0\.4 s"):
        call(certificate, longest=0.4)


def test_a_resolver_that_hangs_is_left_too(certificate: Path) -> None:
    released = threading.Event()

    def hangs(host: str, port: int) -> Sequence[str]:
        released.wait(10)
        return []

    with pytest.raises(NoAnswer, match="the DNS did not answer"):
        post(URL, b"", {}, resolve=hangs, longest=0.3)
    released.set()


def test_a_certificate_that_is_of_nobody_or_of_another_name_is_not_good(certificate: Path, authority: Authority, tmp_path: Path) -> None:
    fine = answers(b"HTTP/1.1 200 OK\r\n\r\n")
    with server(certificate, fine) as asked:
        with pytest.raises(NoAnswer, match="certificate is not good"):
            call(certificate, url="https://other.example.org:8443/")
        with pytest.raises(NoAnswer, match="certificate is not good"):  # of an authority that the system does not know
            post(URL, b"", {}, resolve=lambda host, port: [ADDRESS], allowed=HERE)
    for bad in (
        authority.issued("example.org"),
        authority.issued("evil.example.org"),
        authority.issued(NAME, -1),
        Authority(tmp_path).issued(NAME),
    ):
        with server(bad, fine) as others, pytest.raises(NoAnswer, match="certificate is not good"):
            call(certificate)
        asked += others
    assert asked == []


def test_a_server_that_speaks_no_tls_is_told_nothing(certificate: Path) -> None:
    heard: list[bytes] = []

    def plain(listener: socket.socket) -> None:
        with suppress(OSError):
            client, _ = listener.accept()
            with client:
                heard.append(client.recv(10_000))
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    with listening() as listener:
        threading.Thread(target=plain, args=(listener,), daemon=True).start()
        with pytest.raises(NoAnswer, match="the connection failed"):
            call(certificate, body=b"the turn")
    assert b"the turn" not in heard[0]
    assert b"game=1" not in heard[0]


@pytest.mark.parametrize(
    "headers", [{"Host": "inside"}, {"content-length": "0"}, {"X": "a\r\nY: b"}, {"X\n": "a"}, {"X": "ä"}, {"Transfer-Encoding": "chunked"}]
)
def test_a_header_that_would_change_the_request_is_our_fault(headers: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="header"):
        post(URL, b"", headers, resolve=lambda host, port: pytest.fail("looked up"))


def test_a_body_beyond_all_measure_is_our_fault() -> None:
    with pytest.raises(ValueError, match="1000001 bytes"):
        post(URL, b"x" * 1_000_001, {}, resolve=lambda host, port: pytest.fail("looked up"))


def test_the_usual_port_need_not_be_named() -> None:
    assert target_of("https://HOOKS.example.org") == calling.Target(NAME, 443, "/")
    assert target_of("https://hooks.example.org.:8443/a?b=c") == calling.Target(NAME, 8443, "/a?b=c")
