"""The player's own words: the text part, or the HTML one, less quotes and signature; attached order files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.mail.commands.grammar import Given
from services.mail.html import MAX_TAGS, html_lines
from services.mail.message import InboundMessage, Part
from services.mail.orderlines import Cut, Reading, read_lines
from services.mail.quotes import own_lines

MAX_LINES = 20_000
"""Lines of one part that are looked at."""

_ECHO = re.compile(r"(\w) ?<(?:tel|callto|sms):[^<>\s]{1,200}>|([\w.+-]{1,64}@[\w.-]{1,200}) ?<mailto:\2>", re.IGNORECASE)
"""What programs write behind a number or an address that they took for a link, as in ``0409<tel:0409>``."""


class _TooLong(Exception):
    """A part has more lines than any mail of a player's."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place of the mail where orders stand: ``name`` is ``body`` or the attachment's file name."""

    name: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class Words:
    """What a mail says. ``lines`` are the orders of its first source that has any; ``sources`` all that have some.

    ``commands``: those of that source, where it has commands in place of orders.  ``differ``: two sources hold different orders.
    ``elsewhere``: where orders stand that are not the player's own words now
    (``forward``, ``quotation``, ``history``), else None.  ``text``: the own words, for the digest of the mail.
    """

    lines: tuple[str, ...]
    cut: tuple[Cut, ...]
    sources: tuple[Source, ...]
    differ: bool
    too_many: bool
    elsewhere: str | None
    text: str
    commands: tuple[Given, ...] = ()


def read_words(message: InboundMessage) -> Words:
    """Read what the player wrote in this mail, and keep what was cut away with its reason."""
    try:
        return _read(message)
    except _TooLong:
        return Words((), (), (), differ=False, too_many=True, elsewhere=None, text="\n".join(part.text for part in message.parts))


def _read(message: InboundMessage) -> Words:
    shown = [part for part in message.parts if not part.forwarded]
    own, cut = _body(shown)
    sources = [Source("body", read_lines(own))]
    cut.extend(sources[0].reading.cut)
    text = ["\n".join(own)]
    for part in shown:
        if not part.attached:
            continue
        if not part.text:
            cut.append(Cut("attachment", part.filename or part.mime))
            continue
        reading = read_lines(_plain(part))
        text.append(part.text)
        if reading.speaks or reading.too_many:
            sources.append(Source(part.filename or "attachment", reading))
        else:
            cut.append(Cut("attachment", part.filename or part.mime))
    filled = tuple(s for s in sources if s.reading.speaks)
    first = filled[0] if filled else None
    if first is not None and first.name != "body":
        cut.extend(first.reading.cut)
    return Words(
        first.reading.lines if first else (),
        tuple(cut),
        filled,
        differ=any((s.reading.lines, s.reading.commands) != (filled[0].reading.lines, filled[0].reading.commands) for s in filled[1:]),
        too_many=any(s.reading.too_many for s in sources),
        elsewhere=None if filled else _elsewhere(cut, message),
        text="\n".join(text),
        commands=first.reading.commands if first else (),
    )


def _body(parts: Sequence[Part]) -> tuple[list[str], list[Cut]]:
    """The own lines of the inline text, taking the HTML form of an alternative only where its plain form says nothing."""
    inline = [part for part in parts if not part.attached and part.mime in ("text/plain", "text/html")]
    own: list[str] = []
    cut: list[Cut] = []
    taken: set[int] = set()
    for part in inline:
        if part.alternative is not None and part.alternative in taken:
            continue
        choice = part
        if part.alternative is not None:
            taken.add(part.alternative)
            choice = _choose([p for p in inline if p.alternative == part.alternative])
        lines, gone = _lines(choice)
        own.extend(lines)
        cut.extend(gone)
    return own, cut


def _choose(forms: Sequence[Part]) -> Part:
    plain = next((p for p in forms if p.mime == "text/plain" and p.text.strip()), None)
    html = next((p for p in forms if p.mime == "text/html"), None)
    if plain is None or html is None:
        return plain or html or forms[0]
    lines, cut = _lines(plain)
    # A plain form that only asks for an HTML reader has neither orders nor quotations.
    bare = not cut and not read_lines(lines).speaks
    return html if bare and read_lines(_lines(html)[0]).speaks else plain


def _lines(part: Part) -> tuple[list[str], list[Cut]]:
    if part.mime == "text/html":
        if part.text.count("<") > MAX_TAGS:
            raise _TooLong
        seen, taken = html_lines(part.text)
        _bounded(seen)
        own, cut = own_lines(seen)
        return own, [*taken, *cut]
    return own_lines(_plain(part))


def _plain(part: Part) -> list[str]:
    lines = part.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    _bounded(lines)
    return [_ECHO.sub(r"\1\2", line) for line in (unflow(lines, part.delsp) if part.flowed else lines)]


def _bounded(lines: Sequence[str]) -> None:
    if len(lines) > MAX_LINES:
        raise _TooLong


def unflow(lines: Iterable[str], delsp: bool) -> Iterable[str]:
    """Lines of a format=flowed text as they were typed (RFC 3676); quotation keeps its mark. ``delsp``: the joining blank goes."""
    held: tuple[int, str] | None = None
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        body = line[depth:]
        body = body[1:] if body.startswith(" ") else body
        if held is not None and (held[0] != depth or body == "-- "):
            yield _quoted(*held)
            held = None
        joined = (held[1] if held else "") + body
        if body.endswith(" ") and body != "-- ":
            held = (depth, joined[:-1] if delsp else joined)
        else:
            yield _quoted(depth, joined)
            held = None
    if held is not None:
        yield _quoted(*held)


def _quoted(depth: int, text: str) -> str:
    return f"{'>' * depth} {text}" if depth else text


def _elsewhere(cut: Iterable[Cut], message: InboundMessage) -> str | None:
    """Where orders stand in a mail that has none of its own."""
    forwarded = message.first("subject").lower().startswith(("fwd:", "fw:", "wg:", "tr:", "rv:", "enc:", "vs:", "vb:", "i:", "doorst:"))
    inside = [part for part in message.parts if part.forwarded and part.text]
    if any(read_lines(_unquoted(part.text)).lines for part in inside):
        return "forward"
    for piece in cut:
        if piece.why in ("forward", "quotation", "history") and read_lines(_unquoted(piece.text)).lines:
            return "forward" if forwarded or piece.why == "forward" else piece.why
    return None


def _unquoted(text: str) -> list[str]:
    return [line.lstrip(" >|") for line in text.split("\n")]
