"""Calls to URLs that somebody else has named, such as the webhooks of players: whatever the URL is, no server but a public one is reached.

HTTPS alone; the name is looked up once, each of its addresses must be public, and the connection goes to the address that was looked at: a
name that means another one a moment later gains nothing. No redirect is followed, no proxy asked, no credential sent. What comes back is
bounded in size, and all of it in time.
"""

from __future__ import annotations

import http.client
import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from worker.canonical import decode

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], Sequence[str]]
"""Host and port -> the addresses of the host. Raises OSError."""

MOST_URL = 2_000
MOST_SENT = 1_000_000
MOST_ANSWER = 100_000
MOST_WAIT = 86_400
"""Seconds that an answer can ask for."""
LONGEST = 15.0
"""Seconds for all of a call: name, connection, request and answer."""
_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]\Z")
_TARGET = re.compile(r"[!-~]*\Z")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_OURS = frozenset({"host", "content-length", "connection", "transfer-encoding"})
# Addresses of IPv6 that lead to one of IPv4, which they hold: 6to4, Teredo, NAT64. Nobody serves by them what we want.
_TUNNELS = tuple(ipaddress.ip_network(one) for one in ("2002::/16", "2001::/32", "64:ff9b::/96", "64:ff9b:1::/48", "::/96"))


class Forbidden(Exception):
    """The URL may not be called; the message is one sentence for whoever named it, and tells nothing of our network."""


class NoAnswer(Exception):
    """Nobody answered as one does, or not in time: try again later. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a URL leads. ``host``: in lower case; ``path``: with the query."""

    host: str
    port: int
    path: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. A ``status`` of 300 to 399 is no reason to go anywhere else.

    ``headers``: names in lower case.
    """

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict, compare=False)


def target_of(url: str) -> Target:
    """Where a URL leads, as far as the URL itself tells. Raises Forbidden."""
    if len(url) > MOST_URL or not _TARGET.match(url):
        raise Forbidden(f"The URL must be plain ASCII of at most {MOST_URL} characters.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Forbidden("That is no URL.") from None
    if parts.scheme != "https":
        raise Forbidden("The URL must begin with https://.")
    if parts.username is not None or parts.password is not None:
        raise Forbidden("The URL must hold no user and no password.")
    if parts.fragment:
        raise Forbidden("The URL must hold no #.")
    host = (parts.hostname or "").removesuffix(".")
    if not _HOST.match(host):
        raise Forbidden("The URL must name its server by a whole name in the DNS, such as example.org, and not by an address.")
    if port not in (None, 443, 8443):
        raise Forbidden("The URL must use port 443, or 8443.")
    return Target(host, port or 443, _path_of(parts))


def asked_to_wait(answer: Answer, now: datetime) -> float | None:
    """The seconds for which an answer asks to be left alone: ``retry_after`` in its JSON, or the header Retry-After, which holds seconds or
    a date. None where it says nothing of use. ``now``: with a time zone. Whatever the number is, at most ``MOST_WAIT``.
    """
    with suppress(ValueError):
        body = decode(answer.body)
        asked = body.get("retry_after") if isinstance(body, dict) else None
        if isinstance(asked, int | float) and not isinstance(asked, bool) and asked == asked:  # it is a number
            return float(max(0, min(asked, MOST_WAIT)))
    said = answer.headers.get("retry-after", "").strip()
    if said.isascii() and said.isdecimal():
        return float(min(int(said[:10]), MOST_WAIT))
    try:
        until = parsedate_to_datetime(said)
        seconds = (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return max(0.0, min(seconds, float(MOST_WAIT)))


def _path_of(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def is_public(address: str, allowed: Iterable[Network] = ()) -> bool:
    """Whether an address is one of the open net, or of ``allowed`` ones."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if any(found in network for network in allowed if network.version == found.version):
        return True
    if any(found in network for network in _TUNNELS if network.version == found.version):
        return False
    special = (found.is_multicast, found.is_reserved, found.is_unspecified, found.is_loopback, found.is_link_local, found.is_private)
    return found.is_global and not any(special) and not (isinstance(found, ipaddress.IPv6Address) and found.is_site_local)


def look_up(host: str, port: int) -> list[str]:
    """The addresses of a host by the system's resolver."""
    return list(dict.fromkeys(str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    resolve: Resolve = look_up,
    allowed: Iterable[Network] = (),
    trust: ssl.SSLContext | None = None,
    longest: float = LONGEST,
    method: str = "POST",
) -> Answer:
    """POST ``body``, or send it by another ``method``. ``allowed``: networks that the operator opens to such calls; ``trust``: whose
    certificates are good (default: the system's). Raises Forbidden before anything is sent, and NoAnswer. ValueError for a body or headers
    that no caller of ours may send.
    """
    target = target_of(url)
    _check_sent(body, headers)
    ends = monotonic() + longest
    address = _pinned(target, resolve, tuple(allowed), longest)
    watch = _Watch()
    timer = threading.Timer(max(0.0, ends - monotonic()), watch.hang_up)
    timer.daemon = True
    timer.start()
    try:
        return _sent(method, target, address, body, headers, trust or ssl.create_default_context(), watch, ends)
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = watch.late or isinstance(error, TimeoutError)
        raise NoAnswer(f"{target.host} did not answer within {longest:g} s." if late else f"{target.host}: {_why(error)}.") from None
    finally:
        timer.cancel()
        watch.close()


def _check_sent(body: bytes, headers: Mapping[str, str]) -> None:
    if len(body) > MOST_SENT:
        raise ValueError(f"a body of {len(body)} bytes; at most {MOST_SENT}")
    for name, value in headers.items():
        if not _HEADER.match(name) or name.lower() in _OURS or not (value.isascii() and value.isprintable()):
            raise ValueError(f"header {name[:40]!r} cannot be sent")


def _pinned(target: Target, resolve: Resolve, allowed: tuple[Network, ...], longest: float) -> str:
    """The address to connect to. A name of which one address alone is not public is refused: it is up to something."""
    found = _looked_up(target, resolve, longest)
    if not found or not all(is_public(one, allowed) for one in found):
        raise Forbidden(f"{target.host} is no server of the open net.")
    return found[0]


def _looked_up(target: Target, resolve: Resolve, longest: float) -> Sequence[str]:
    """The addresses of a name; a resolver that hangs is left behind."""
    answers: list[Sequence[str]] = []
    faults: list[OSError] = []

    def look() -> None:
        try:
            answers.append(resolve(target.host, target.port))
        except OSError as error:
            faults.append(error)
        except UnicodeError:
            faults.append(OSError())

    thread = threading.Thread(target=look, name="look-up", daemon=True)
    thread.start()
    thread.join(longest)
    if not answers:
        raise NoAnswer(f"{target.host} is not known to the DNS." if faults else f"{target.host}: the DNS did not answer.")
    return answers[0]


class _Watch:
    """Holds the socket of a call, so that it can be closed under it when its time is over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.late = False

    def hold(self, found: socket.socket) -> None:
        with self._lock:
            self._socket = found
            late = self.late
        if late:
            self.hang_up()

    def hang_up(self) -> None:
        """The time is over."""
        with self._lock:
            self.late = True
            if self._socket is not None:
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            if self._socket is not None:
                self._socket.close()


def _sent(
    method: str, target: Target, address: str, body: bytes, headers: Mapping[str, str], trust: ssl.SSLContext, watch: _Watch, ends: float
) -> Answer:
    left = max(0.1, ends - monotonic())
    plain = socket.create_connection((address, target.port), timeout=left)
    watch.hold(plain)
    # Its certificate must be for the name, whatever the address.
    secured = trust.wrap_socket(plain, server_hostname=target.host, do_handshake_on_connect=False)
    watch.hold(secured)
    secured.do_handshake()
    connection = http.client.HTTPSConnection(target.host, target.port, timeout=left)
    connection.sock = secured
    connection.request(method, target.path, body, {"Connection": "close", "User-Agent": "hexpost", **headers})
    answer = connection.getresponse()
    data = answer.read(MOST_ANSWER + 1)
    if watch.late:  # what was cut off looks like a short answer
        raise TimeoutError
    if len(data) > MOST_ANSWER:
        raise ValueError(f"its answer is longer than {MOST_ANSWER} bytes")
    return Answer(answer.status, data, {name.lower(): value for name, value in answer.getheaders()})


def _why(error: Exception) -> str:
    """What went wrong, for the one who named the URL: a certificate is his matter, all else is the net's."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return "its certificate is not good"
    return str(error) if type(error) is ValueError else f"the connection failed ({type(error).__name__})"
