"""Lines of a text part -> the player's own: quotation, history, forwards and signature told apart, in many languages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from services.mail.commands.grammar import read_command
from services.mail.orderlines import Cut, is_order, normalise

_QUOTED = re.compile(r"\s{0,4}(?:[>|»¦]|[A-Za-z]{1,3}>)")
_SIGNATURE = re.compile(r"\s?(?:--|—|_{2})\s*\Z")
_WROTE = re.compile(
    r"wrote|writes|schrieb|a écrit|écrit|escribió|ha scritto|scritto|schreef|skrev|escreveu|napisał|napsal|napísal|kirjoitti|написал|пишет"
    r"|пише|написав|írta|yazdı|έγραψε|scris|napisao|написа|kirjutas|rašė|rakstīja|reče|写道|寫道|書きました|のメール|님이 작성",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"-{3,}.{0,3}(?:forwarded|weitergeleitet|transféré|réexpédié|reenviado|inoltrato|doorgestuurd|vidarebefordra|videresend|encaminhad|przekazan"
    r"|edelleen|přeposlan|пересыла|továbbított|iletilen|转发|転送).{0,40}|begin forwarded message\s*:"
    r"|anfang der weitergeleiteten (?:nachricht|e-mail)\s*:"
    r"|début du (?:message transféré|message réexpédié)\s*:|inicio del mensaje reenviado\s*:|inizio messaggio inoltrato\s*:",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"[-_*=\s]{2,}(?:original message|original-nachricht|originalnachricht|ursprüngliche nachricht|message d'origine|message d’origine"
    r"|message original|mensaje original|messaggio originale|oorspronkelijk bericht|ursprungligt meddelande|originalmeddelande"
    r"|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|mensagem original|исходное сообщение|wiadomość oryginalna"
    r"|původní zpráva|eredeti üzenet|orijinal mesaj|αρχικό μήνυμα|原始邮件|元のメッセージ)[-_*=\s]{0,40}\Z",
    re.IGNORECASE,
)
_OURS = re.compile(r"\W{0,3}={3,} hexpost: .{1,80} ={3,}\W{0,3}\Z", re.IGNORECASE)
_RULED = re.compile(r"\s*[-_]{3,}(?:\s*\S.{0,50}?\S\s*[-_]{3,})?\s*\Z")
_FIELD = re.compile(r"\s*\*?[^\W\d_][\w .'’-]{0,22}\*?\s?:\s?\*?\s*\S")
_FROM = re.compile(
    r"\s*\*?(?:from|von|de|da|van|från|fra|od|от|від|lähettäjä|feladó|kimden|από|发件人|差出人|보낸 사람)\*?\s?:", re.IGNORECASE
)
_IDENTITY = re.compile(r"@[\w-]+\.|\[[A-Za-z0-9_.-]{1,32}\s+T\d{1,3}\b")
_OPENS = re.compile(
    r"\W{0,3}(?:on|am|le|el|il(?: giorno)?|op|em|a|den|på|w dniu|dnia|dne|no dia|la data de|pe|в|на|у|στις)\s+"
    r"(?:[^\W\d_]{1,12}[.,]{0,2}\s+){0,2}\d",
    re.IGNORECASE,
)
"""How an attribution begins in many languages: a word, perhaps the day of the week and the month, and a number."""
_DATED = re.compile(r"\W{0,3}(?:[^\W\d_]{1,12}[.,]{0,2}\s+){0,2}\d")
_WHEN = re.compile(
    r"\b\d{1,2}:\d{2}\b|\b\d{1,2}([./])\s?\d{1,2}\1\s?(?:19|20)?\d\d\b|\b(?:19|20)\d\d-\d{2}-\d{2}\b|(?:19|20)\d\d年"
    r"|\b\d{1,2}(?:st|nd|rd|th|[.º])?\s+(?:de\s+)?[^\W\d_]{3,12}[.,]?\s+(?:de\s+)?(?:19|20)\d\d\b"
    r"|\b[^\W\d_]{3,12}[.]?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d\b",
    re.IGNORECASE,
)
"""A date or a time of day."""


def own_lines(lines: Sequence[str]) -> tuple[list[str], list[Cut]]:
    """The lines that the player wrote now, in order, and the rest with the reason why it was left out."""
    own: list[str] = []
    cut: list[Cut] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        end = _section(lines, at)
        if end is not None:
            cut.append(Cut(end, "\n".join(lines[at:]).strip()))
            break
        attribution = _attribution(lines, at)
        if attribution:
            rest = [other for other in lines[at + attribution :] if other.strip()]
            if rest and not _QUOTED.match(rest[0]):
                # Some programs quote without marks: all below the attribution is the mail that was answered.
                cut.append(Cut("history", "\n".join(lines[at:]).strip()))
                break
            cut.append(Cut("quotation", "\n".join(lines[at : at + attribution])))
            at += attribution
            continue
        if _QUOTED.match(line):
            cut.append(Cut("quotation", line.strip()))
        else:
            own.append(line)
        at += 1
    return own, cut


def bears_our_mark(text: str) -> bool:
    """Whether a text holds the line of our mails below which nothing is read, quoted or not."""
    return any(_OURS.match(line.strip()) for line in text.split("\n"))


def _section(lines: Sequence[str], at: int) -> str | None:
    """What begins at a line and lasts to the end of the text, or None."""
    line = lines[at]
    if _FORWARD.match(line.strip()):
        return "forward"
    if _SIGNATURE.fullmatch(line):
        return "signature"
    if _HISTORY.fullmatch(line.strip()) or _OURS.match(line.strip()):
        return "history"
    if _RULED.fullmatch(line) and at + 1 < len(lines) and _header_block(lines, at + 1):
        return "history"
    return "history" if line.strip() and _header_block(lines, at) else None


def _header_block(lines: Sequence[str], at: int) -> bool:
    """Whether a block of mail headers begins here (``From: ...``, ``Sent: ...``), in whatever language."""
    block: list[str] = []
    for line in lines[at : at + 8]:
        if not line.strip() and not block:
            continue
        if not _FIELD.match(line):
            break
        block.append(line)
    if len(block) >= 2 and _FROM.match(block[0]) and any(_IDENTITY.search(line) or re.search(r"\d", line) for line in block):
        return True
    return len(block) >= 3 and any(_IDENTITY.search(line) for line in block)


def _attribution(lines: Sequence[str], at: int) -> int:
    """How many lines the attribution that begins here takes ("On ... wrote:", perhaps broken), or 0.

    A program breaks it where it likes, and not always leaves a blank line above: only a line that looks like the beginning of one is taken
    with those below it, and never a line of orders or a command.
    """
    count = _complete(lines, at)
    if count < 2:
        return count
    below = range(at + 1, at + count)
    if _opens(lines[at]):
        return 0 if any(_opens(lines[other]) and _complete(lines, other) for other in below) else count
    # A name and an address may be how it begins; then nothing below them is a beginning too.
    return count if "@" in lines[at] and not any(_opens(lines[other]) for other in below) else 0


def _complete(lines: Sequence[str], at: int) -> int:
    """How many lines from here read together as an attribution, or 0."""
    if not lines[at].strip() or _QUOTED.match(lines[at]):
        return 0
    joined = ""
    for count, line in enumerate(lines[at : at + 3], start=1):
        if not line.strip() or len(line) > 400:
            return 0
        joined = f"{joined} {line.strip()}".strip()
        if joined.endswith((":", "：")):
            named = re.search(r"\d", joined) or "@" in joined
            known = bool(_WROTE.search(joined) and named)
            foreign = bool(re.search(r"<[^<>\s]+@[^<>\s]+>", joined) and re.search(r"\d{1,2}[:.]\d{2}", joined))
            return count if (known or foreign) and not any(map(_is_players, lines[at : at + count])) else 0
    return 0


def _opens(line: str) -> bool:
    """Whether a line begins as attributions do: with a date, perhaps after a word like "On"."""
    return bool(_OPENS.match(line)) or bool(_DATED.match(line) and _WHEN.search(line))


def _is_players(line: str) -> bool:
    """Whether a line is an order, or a command, and has nothing in it of whom or when a mail is from."""
    command = read_command(line)
    if command is not None and command.loud and not command.fault:
        return True
    return is_order(normalise(line)) and "@" not in line and not _WHEN.search(line)
