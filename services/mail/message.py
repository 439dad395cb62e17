"""Raw bytes of a received mail -> ``InboundMessage``: headers and the leaves of its MIME tree, decoded, bounded, never raising."""

from __future__ import annotations

import email
import email.header
import email.policy
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message

MAX_RAW = 10_000_000
MAX_LINES = 200_000
MAX_HEAD = 64_000
MAX_HEADERS = 500
MAX_VALUE = 8_000
MAX_MULTIPARTS = 40
MAX_PARTS = 100
MAX_TEXT = 400_000
MAX_HTML = 1_500_000

_LATIN = frozenset(("", "ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin-1", "latin1", "ansi_x3.4-1968"))
_NO_CHARSET = frozenset(("punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"))
"""Codecs that no mail program writes: some take time that grows with the square of the length, or make characters out of words."""
_BASE64 = re.compile(rb"[A-Za-z0-9+/]*={0,2}\Z")
_SIZE = re.compile(rb"^x-hexpost-size:", re.IGNORECASE | re.MULTILINE)
"""The mark of a mail that was too large to be fetched: these are its headers alone."""
_MULTI = re.compile(rb"multipart/|message/rfc822", re.IGNORECASE)
_PADDED_BREAK = re.compile(r"=[ \t]+(?=\r?\n|\Z)")
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
"""Byte order marks: what begins with one is what it says, whatever the label."""


@dataclass(frozen=True, slots=True)
class Part:
    """A leaf of the MIME tree. ``text`` is decoded for text types and for attached order files, else empty.

    ``alternative``: number of the multipart/alternative that it belongs to, or None. ``forwarded``: it lies inside an attached message.
    """

    mime: str
    filename: str
    attached: bool
    text: str = ""
    flowed: bool = False
    delsp: bool = False
    alternative: int | None = None
    forwarded: bool = False


@dataclass(frozen=True, slots=True)
class InboundMessage:
    """A received mail. ``headers``: lower-case name -> its values, topmost first, unfolded and decoded.

    ``faults``: what kept it from being read whole: ``too-big``, ``too-complex``, ``damaged``, ``encrypted``, ``winmail``.
    ``body_digests``: SHA-256 of the bytes below the headers, as received and with the line ends made LF.
    """

    headers: Mapping[str, tuple[str, ...]]
    parts: tuple[Part, ...] = ()
    faults: tuple[str, ...] = ()
    tree: Message | None = None
    body_digests: tuple[str, ...] = field(default=())

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a header, topmost first."""
        return self.headers.get(name, ())

    def first(self, name: str) -> str:
        """The topmost value of a header, or an empty string."""
        return self.headers.get(name, ("",))[0]


def read_message(raw: bytes) -> InboundMessage:
    """Decode a mail as far as it can be decoded. Never raises, whatever the bytes."""
    head, _, body = _split(raw)
    fault = "too-big" if _SIZE.search(head) else _too_much(raw)
    digests = tuple(dict.fromkeys(hashlib.sha256(form).hexdigest() for form in (body, body.replace(b"\r\n", b"\n"))))
    if fault:
        return InboundMessage(_headers(_parse(head)), (), (fault,), None, digests)
    tree = _parse(raw)
    faults: list[str] = []
    parts: list[Part] = []
    try:
        for leaf in _leaves(tree, _Place(), [0]):
            if len(parts) >= MAX_PARTS:
                faults.append("too-complex")
                break
            parts.append(_part(leaf[0], leaf[1], faults))
    except RecursionError:
        faults.append("too-complex")
    if any(part.mime == "application/ms-tnef" for part in parts):
        faults.append("winmail")
    if tree.get_content_type() == "multipart/encrypted" or any(p.mime == "application/pkcs7-mime" for p in parts):
        faults.append("encrypted")
    return InboundMessage(_headers(tree), tuple(parts), tuple(dict.fromkeys(faults)), tree, digests)


def _split(raw: bytes) -> tuple[bytes, bytes, bytes]:
    for gap in (b"\r\n\r\n", b"\n\n"):
        at = raw.find(gap, 0, MAX_HEAD)
        if at >= 0:
            return raw[: at + 2], gap, raw[at + len(gap) :]
    return raw[:MAX_HEAD], b"", raw[MAX_HEAD:]


def _too_much(raw: bytes) -> str | None:
    if len(raw) > MAX_RAW or raw.count(b"\n") > MAX_LINES:
        return "too-big"
    # Counted before parsing: the parser's work grows with the depth of the tree times the number of lines.
    if len(_MULTI.findall(raw)) > MAX_MULTIPARTS:
        return "too-complex"
    return None


def _parse(raw: bytes) -> Message:
    try:
        return email.message_from_bytes(raw, policy=email.policy.compat32)
    except Exception:  # a broken mail is ordinary here, and the parser's faults are not ours to enumerate
        return Message()


def _headers(tree: Message) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, value in list(tree.raw_items())[:MAX_HEADERS]:
        found.setdefault(str(name).lower(), []).append(decode_header(value))
    return {name: tuple(values) for name, values in found.items()}


def decode_header(value: object) -> str:
    """A header's value on one line, encoded words decoded, at most ``MAX_VALUE`` characters. Never raises."""
    text = str(value)[:MAX_VALUE]
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    text = re.sub(r"\s*[\r\n]+\s*", " ", text).strip()
    if "=?" not in text:
        return text
    try:
        pieces = email.header.decode_header(text)
        joined = "".join(decode(piece, label or "") if isinstance(piece, bytes) else piece for piece, label in pieces)
    except Exception:  # an encoded word with rubbish in it: the raw form is still of use
        return text
    return re.sub(r"[\r\n]+", " ", joined).strip()


@dataclass(frozen=True, slots=True)
class _Place:
    alternative: int | None = None
    forwarded: bool = False


def _leaves(node: Message, place: _Place, numbers: list[int]) -> Iterator[tuple[Message, _Place]]:
    kind = node.get_content_type()
    payload = node.get_payload() if node.is_multipart() else None  # the text of a leaf is decoded later, where a fault of it is caught
    if not isinstance(payload, list):
        yield node, place
        return
    if kind == "multipart/alternative" and place.alternative is None:
        numbers[0] += 1
        place = _Place(numbers[0], place.forwarded)
    if kind.startswith("message/"):
        place = _Place(None, True)
    for child in payload:
        if isinstance(child, Message):
            yield from _leaves(child, place, numbers)


def _part(node: Message, place: _Place, faults: list[str]) -> Part:
    kind = node.get_content_type()
    try:
        filename = decode_header(node.get_filename() or "")[:200]
        attached = (node.get_content_disposition() or "") == "attachment"
    except Exception:  # parameters that cannot be decoded
        filename, attached = "", True
    orders_file = kind in ("text/plain", "application/octet-stream") and filename.lower().endswith((".txt", ".asc", ".text"))
    if not (kind in ("text/plain", "text/html") or orders_file):
        if kind == "application/octet-stream" and filename.lower() == "winmail.dat":
            kind = "application/ms-tnef"
        return Part(kind, filename, True, alternative=place.alternative, forwarded=place.forwarded)
    data = _payload(node, faults)
    limit = MAX_HTML if kind == "text/html" else MAX_TEXT
    if len(data) > limit:
        faults.append("too-big")
        data = b""
    flowed = str(node.get_param("format", "")).lower() == "flowed"
    delsp = str(node.get_param("delsp", "")).lower() == "yes"
    text = decode(data, _charset(node)).lstrip("\ufeff")
    return Part(kind, filename, attached or bool(filename), text, flowed, delsp, place.alternative, place.forwarded)


def _charset(node: Message) -> str:
    try:
        value = node.get_param("charset", "")
        return str(value[2] if isinstance(value, tuple) else value or "")
    except Exception:  # a parameter section that cannot be parsed
        return ""


def _payload(node: Message, faults: list[str]) -> bytes:
    encoding = str(node.get("content-transfer-encoding", "")).strip().lower()
    try:
        raw = node.get_payload(decode=False)
        if encoding == "base64" and isinstance(raw, str):
            packed = b"".join(raw.encode("ascii", "replace").split())
            if not _BASE64.match(packed) or len(packed.rstrip(b"=")) % 4 == 1:
                faults.append("damaged")  # half of it could be decoded, and half an order is worse than none
                return b""
        if encoding == "quoted-printable" and isinstance(raw, str):
            node.set_payload(_PADDED_BREAK.sub("=", raw))  # blanks behind a soft break are a relay's; they would undo it
        data = node.get_payload(decode=True)
    except Exception:  # the codec gave up
        faults.append("damaged")
        return b""
    return data if isinstance(data, bytes) else b""


def decode(data: bytes, label: str) -> str:
    """Bytes as text: by the label where it is known and fits, else UTF-8, else windows-1252. Never raises.

    Labels of the Latin-1 family are read as windows-1252 where UTF-8 does not fit: mail programs put its dashes under them.
    """
    name = next((found for mark, found in _MARKS if data.startswith(mark)), label.strip().strip("\"'").lower())
    candidates = ("utf-8",) if name in _LATIN or name.replace("_", "-") in _NO_CHARSET else (name, "utf-8")
    for candidate in candidates:
        try:
            return data.decode(candidate)
        except (LookupError, UnicodeError, ValueError):
            continue
    return data.decode("cp1252", "replace")
