"""A mail made of its parts: the same parts give the same bytes. Nothing that is put in can become a header of its own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from services.mail.addresses import reply_address, subject_tag
from services.mail.pictures import KINDS, content_id

MAX_SUBJECT = 200
MAX_REFERENCES = 20
_POLICY = SMTP.clone(max_line_length=76)
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\Z")
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~@:\[\]-]{3,250}>\Z")
_UNFIT = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff]")
_FILENAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_MIME = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}\Z")


class ComposeError(ValueError):
    """A part of the mail cannot stand in one; ``field`` names it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to send: name, MIME type, bytes."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture by kind (``pictures.KINDS``): the HTML part shows it, but an animation, which is a file beside it."""

    name: str
    kind: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail is made of. ``address``: the order address without a tag; with ``game``, ``turn`` and ``token`` replies go to its tagged
    form, or to that of ``orders``, and the subject bears the tag.  ``date``: ISO moment.  ``replied``: it answers a mail (else it is sent
    of itself).
    """

    to: str
    address: str
    subject: str
    text: str
    html: str
    message_id: str
    date: str
    sender_name: str = "hexpost"
    game: str = ""
    turn: int = 0
    token: str = ""
    orders: str = ""
    in_reply_to: str | None = None
    references: Sequence[str] = ()
    replied: bool = True
    pictures: Sequence[Picture] = ()
    attachments: Sequence[Attachment] = ()


def compose(letter: Letter) -> bytes:
    """The mail as it is sent, with CRLF line ends. ComposeError for a part that cannot stand in a mail."""
    _check(letter)
    mail = EmailMessage(policy=_POLICY)
    _headers(mail, letter)
    mail.set_content(_body(letter.text), charset="utf-8", cte="quoted-printable")
    mail.add_alternative(_body(letter.html), subtype="html", charset="utf-8", cte="quoted-printable")
    pictures = _pictures(letter)
    _add_pictures(mail, [one for one in pictures if one.kind != "animation"])
    films = [Attachment(one.name, one.mime, one.data) for one in pictures if one.kind == "animation"]
    for attachment in (*films, *letter.attachments):
        main, _, sub = attachment.mime.partition("/")
        mail.add_attachment(attachment.data, maintype=main, subtype=sub, filename=attachment.name, cte="base64")
    _fix_boundaries(mail, letter.message_id)
    head, blank, body = mail.as_bytes().partition(b"\r\n\r\n")
    # Folded at its very beginning, a subject would begin with blanks in mail programs.
    return re.sub(rb"\r\nSubject: ?\r\n ", b"\r\nSubject: ", head, count=1) + blank + body


def _headers(mail: EmailMessage, letter: Letter) -> None:
    local, _, domain = letter.address.partition("@")
    mail["From"] = Address(letter.sender_name, local, domain)
    to_local, _, to_domain = letter.to.partition("@")
    mail["To"] = Address("", to_local, to_domain)
    tagged = bool(letter.game and letter.token)
    mail["Subject"] = f"{subject_tag(letter.game, letter.turn, letter.token)} {letter.subject}" if tagged else letter.subject
    if tagged:
        to = reply_address(letter.orders or letter.address, letter.game, letter.turn, letter.token)
        mail["Reply-To"] = Address(letter.sender_name, *to.split("@"))
    mail["Date"] = format_datetime(_moment(letter.date))
    mail["Message-ID"] = letter.message_id
    if letter.in_reply_to and _MESSAGE_ID.match(letter.in_reply_to):
        mail["In-Reply-To"] = letter.in_reply_to
    references = _references(letter)
    if references:
        mail["References"] = " ".join(references)
    mail["Auto-Submitted"] = "auto-replied" if letter.replied else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"


def _references(letter: Letter) -> list[str]:
    """The thread, oldest first, the answered mail last; of a long one its root and its end.

    Ids that come from other people's mails and that no header can bear are left out: the answer goes out all the same.
    """
    found = [one for one in dict.fromkeys([*letter.references, letter.in_reply_to or ""]) if _MESSAGE_ID.match(one)]
    return found if len(found) <= MAX_REFERENCES else [found[0], *found[-(MAX_REFERENCES - 1) :]]


def _pictures(letter: Letter) -> list[Picture]:
    """The pictures in the order of their kinds."""
    return sorted(letter.pictures, key=lambda one: KINDS.index(one.kind))


def _add_pictures(mail: EmailMessage, pictures: Sequence[Picture]) -> None:
    if not pictures:
        return
    payload = mail.get_payload()
    assert isinstance(payload, list)
    html = payload[1]
    assert isinstance(html, EmailMessage)
    for one in pictures:
        main, _, sub = one.mime.partition("/")
        cid = f"<{content_id(one.kind)}>"
        html.add_related(one.data, maintype=main, subtype=sub, cid=cid, filename=one.name, disposition="inline", cte="base64")


def _fix_boundaries(mail: EmailMessage, message_id: str) -> None:
    """Boundaries from the Message-ID, so that the same mail has the same bytes."""
    for number, part in enumerate(p for p in mail.walk() if p.is_multipart()):
        part.set_boundary(f"=_{hashlib.sha256(f'{message_id} {number}'.encode()).hexdigest()[:40]}")


def _body(text: str) -> str:
    """A text part with LF ends and without control characters that no mail program shows."""
    lines = text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in lines if c in "\n\t" or ord(c) >= 32)


def _check(letter: Letter) -> None:
    for field, value, pattern in (
        ("to", letter.to, _ADDRESS),
        ("address", letter.address, _ADDRESS),
        ("orders", letter.orders or letter.address, _ADDRESS),
        ("message_id", letter.message_id, _MESSAGE_ID),
    ):
        if not pattern.match(value):
            raise ComposeError(field, f"not one that a mail can bear: {value[:80]!r}")
    for field, value in (("subject", letter.subject), ("sender_name", letter.sender_name), ("game", letter.game), ("token", letter.token)):
        if _UNFIT.search(value) or len(value) > MAX_SUBJECT:
            raise ComposeError(field, f"control characters, or more than {MAX_SUBJECT} characters")
    _moment(letter.date)
    if letter.game and letter.token:
        try:
            reply_address(letter.orders or letter.address, letter.game, letter.turn, letter.token)
        except ValueError as error:
            raise ComposeError("token", str(error)) from None
    for attachment in letter.attachments:
        if (
            not _FILENAME.match(attachment.name)
            or not _MIME.match(attachment.mime)
            or attachment.mime.startswith(("multipart/", "message/"))
        ):
            raise ComposeError(
                "attachments", f"a file name or type that cannot be sent: {attachment.name[:80]!r}, {attachment.mime[:60]!r}"
            )
    _check_pictures(letter.pictures)


def _check_pictures(pictures: Sequence[Picture]) -> None:
    """ComposeError unless each is a picture with a fit name, of a known kind, and the only one of its kind."""
    for one in pictures:
        if one.kind not in KINDS or [other.kind for other in pictures].count(one.kind) > 1:
            raise ComposeError("pictures", f"a kind that is not known, or given twice: {one.kind[:60]!r}")
        if not _FILENAME.match(one.name) or not _MIME.match(one.mime) or not one.mime.startswith("image/"):
            raise ComposeError("pictures", f"not a picture with a name that can be sent: {one.name[:80]!r}, {one.mime[:60]!r}")


def _moment(date: str) -> datetime:
    try:
        found = datetime.fromisoformat(date)
    except ValueError:
        raise ComposeError("date", f"not an ISO moment: {date[:40]!r}") from None
    if found.tzinfo is None:
        raise ComposeError("date", "its time zone is missing")
    return found.astimezone(UTC)
