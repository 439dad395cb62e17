"""The player's own words -> order lines: known by the verbs of all games, normalised; the rest is chatter, and is told apart.

A normalised line is in capitals, with single spaces and ASCII hyphens, without its comment.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.mail.commands.grammar import MAX_COMMANDS, Given, read_command, take_commands
from services.mail.orders.common import COMMON, GUARDS
from services.mail.orders.languages import LANGUAGES
from services.mail.orders.recognise import recognise
from services.mail.orders.verbs import Word

MAX_ORDER_LINES = 500
MAX_LINE = 500
MAX_WORDS = 4_000
"""Lines that are not blank, beyond which a text is not looked through for orders."""

VERBS = frozenset(head for language in LANGUAGES.values() for head in language.heads) - frozenset((*COMMON.heads, "HOLD"))
"""The verbs of the four games that take arguments."""

_GATHERED = "|".join(sorted(VERBS))
_ALONE = re.compile(
    r"(?:END|DONE(?: TURN)?(?: AUTO)?(?: CONFIRM)?|CHECK|HOLD|ANYWAY|APPEND|PASS|NEXT|ON FAULT (?:STOP|SKIP)|CONCEDE(?: CONFIRM)?"
    r"|DUTY(?: AUTO)?|CANCEL (?:\d{1,4}|ALL)(?:[ ,]+\d{1,4})*"
    rf"|CANCEL (?:{_GATHERED}) [A-Z0-9-]+"
    r"|PHASE(?: [A-Z0-9-]+){1,4}|STANDING)\Z"
)
_GUARD = frozenset(word for form in GUARDS for item in form.items if isinstance(item, Word) for word in item.spellings) | frozenset(
    ("NOT",)
)
_OPEN_END = re.compile(r"(?:[,+]|\b(?:TO|AT|WITH|VIA|BY|IN|AND|IF|AS|FROM|FOR|NOT|LOSE|AIR|ELSE|TABLE))\Z")
_DASHES = dict.fromkeys([*range(0x2010, 0x2016), 0x2212, 0xAD, 0x96, 0x97, 0x2043, 0xFE58, 0xFE63, 0xFF0D], "-")
_DASHES[0xAD] = ""
_NOTHING = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "")
_QUOTES = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}
_BULLETS = dict.fromkeys([0x2022, 0x2023, 0x25AA, 0x25CF, 0x25E6, 0xB7, 0x2219], " ")
_TABLE = {**_BULLETS, **_DASHES, **_NOTHING, **_QUOTES}
_LISTED = re.compile(r"\A\s*(?:[*+-]|\d{1,2}[.)])\s+(?=[A-Za-z])")
_HALTING = ("CHECK", "HOLD")
_POLITE = frozenset(("PLEASE", "PLS", "ONLY", "FIRST", "THIS", "THESE", "THE", "IT", "ALL", "ORDERS", "MAIL"))
MOST_POLITE = 4
"""Words that a line with ``CHECK`` or ``HOLD`` and nothing else in it may have."""
_BARE = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[A-Z][A-Z-]*")
_RULE = re.compile(r"\s*([-_*=~#—–])(?:\s?\1){4,}\s*\Z")


@dataclass(frozen=True, slots=True)
class Cut:
    """Words that were left out, and why: ``quotation``, ``history``, ``forward``, ``signature``, ``chatter``, ``after-end``, ..."""

    why: str
    text: str

    def as_json(self) -> dict[str, str]:
        """The cut as it is reported: at most 2,000 characters of it."""
        return {"why": self.why, "text": self.text if len(self.text) <= 2000 else self.text[:1999] + "…"}


@dataclass(frozen=True, slots=True)
class Reading:
    """Order lines in order, and what was left out. ``too_many``: more orders, or more text, than any turn needs, and none is given.

    ``commands``: those to the campaign; a text has orders or commands, and a command among orders is one of their lines, to be refused.
    """

    lines: tuple[str, ...]
    cut: tuple[Cut, ...]
    too_many: bool = False
    commands: tuple[Given, ...] = ()

    @property
    def speaks(self) -> bool:
        """Whether there is anything to be done in it."""
        return bool(self.lines or self.commands)


def normalise(line: str) -> str:
    """A line in capitals, any run of blanks one space, any dash a hyphen; invisible characters, a list mark and the comment gone."""
    plain = unicodedata.normalize("NFKC", line[: MAX_LINE * 4].translate(_TABLE)).translate(_TABLE)
    plain = _LISTED.sub("", re.sub(r"[#;].*", "", plain, flags=re.DOTALL))
    plain = "".join(" " if c.isspace() or unicodedata.category(c) == "Cc" else c for c in plain)
    return " ".join(plain.split()).upper()


def is_order(line: str) -> bool:
    """Whether a normalised line is one of orders, well or badly made: by its verb; units and hexes are not looked up."""
    return _begins_like_one(line) or (any(c.isdigit() for c in line) and recognise(line) == "order")


def _begins_like_one(line: str) -> bool:
    if _ALONE.match(line):
        return True
    words = line.split(" ")
    first = words[0].rstrip(":,")
    rest = words[1:]
    if first in VERBS:
        return bool(rest)
    if first == "HOLD":  # an old word for STAND, in one game
        return bool(rest) and any(c.isdigit() for c in rest[0])
    if first == "ELSE":
        return bool(rest) and is_order(" ".join(rest))
    if first == "IF":
        return (
            len(rest) >= 2
            and any(re.split(r"[<>=]", w)[0] in _GUARD for w in rest)
            and any(w in VERBS or w in ("PASS", "DONE") for w in rest)
        )
    if first == "ON":
        return _is_window(rest)
    return first == "STANDING" and bool(rest) and (rest[0] == "ON" or rest[0] in VERBS or rest[0] == "DUTY") and is_order(" ".join(rest))


def _is_command(raw: str) -> bool:
    found = read_command(raw)
    return found is not None and found.loud


def _is_window(rest: Sequence[str]) -> bool:
    if len(rest) < 2:
        return False
    follows = rest[1] in VERBS or rest[1] in ("ASK", "IF", "IN", "RESULT", "VACATED", "PASS", "DONE")
    return follows and any(w in VERBS or w in ("ASK", "PASS", "DONE") for w in rest[1:])


def looks_misspelt(line: str) -> bool:
    """Whether a line that is no order was meant as one: its first word is one slip away from a verb, and a number follows."""
    first, _, rest = line.partition(" ")
    if not _WORD.fullmatch(first) or len(first) < 3 or not any(c.isdigit() for c in rest):
        return False
    return any(_one_slip(first, verb) for verb in VERBS if len(verb) >= 3)


def _one_slip(a: str, b: str) -> bool:
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    swapped = a[at : at + 2] == b[at : at + 2][::-1] and a[at + 2 :] == b[at + 2 :]
    return swapped or a[at + 1 :] == b[at + 1 :] or a[at:] == b[at + 1 :] or a[at + 1 :] == b[at:]


def read_lines(own: Iterable[str]) -> Reading:
    """The order lines among the player's own lines, or the commands where there are no orders. ``END`` ends the text and is kept; what
    follows it is left out.
    """
    own, footer = _without_footer(list(own)[: MAX_WORDS * 5])
    commands, rest = take_commands(own)
    found = _orders(rest, footer)  # what a letter says (``SAY``) are no orders
    if not commands or found.too_many:
        return found
    if any(line != "END" for line in found.lines):
        return _orders(own, footer)
    return Reading((), found.cut, too_many=len(commands) > MAX_COMMANDS, commands=commands)


def _orders(own: Iterable[str], footer: Sequence[str]) -> Reading:
    """Order lines, and the commands that stand among them and can hardly be meant as part of a sentence. ``footer``: what was cut off."""
    lines: list[str] = []
    cut: list[Cut] = []
    below: list[str] | None = None
    hanging = False
    looked = 0
    for raw in own:
        if below is not None:
            below.append(raw.strip())
            continue
        line = _halting(normalise(raw), capitals=raw.isupper())
        if not line:
            if raw.strip():
                cut.append(Cut("comment", raw.strip()))
            continue
        looked += 1
        if looked > MAX_WORDS:
            return Reading((), (), too_many=True)
        if hanging and len(lines[-1]) <= MAX_LINE and not _ALONE.match(line) and not is_order(line):
            lines[-1] += " " + line
        elif is_order(line) or looks_misspelt(line) or _is_command(raw):
            lines.append(line)
        else:
            cut.append(Cut("chatter", raw.strip()))
            continue
        hanging = bool(_OPEN_END.search(lines[-1]))
        if line == "END":
            below = []
    if below and any(below):
        cut.append(Cut("after-end", "\n".join(below).strip()))
    if footer and any(line.strip() for line in footer):
        cut.append(Cut("footer", "\n".join(footer).strip()))
    if len(lines) > MAX_ORDER_LINES or any(len(line) > MAX_LINE for line in lines):
        return Reading((), tuple(_merged(cut)), too_many=True)
    return Reading(tuple(lines), tuple(_merged(cut)))


def _halting(line: str, *, capitals: bool) -> str:
    """``CHECK`` or ``HOLD`` where a normalised line is that with a dot, in bold, with a please, or, in capitals, with one slip: a word that
    keeps orders from being carried out must not be lost by these.
    """
    words: list[str] = _BARE.findall(line)
    if not words or len(words) > MOST_POLITE or not all(word in _POLITE for word in words[1:]):
        return line
    if words[0] in _HALTING:
        return words[0]
    return next((one for one in _HALTING if capitals and len(words) == 1 and words[0] not in VERBS and _one_slip(words[0], one)), line)


def _without_footer(own: list[str]) -> tuple[list[str], list[str]]:
    """The lines above the first rule under which nobody can have meant an order, and what a gateway has put below it: prose, be it that
    some of its lines begin with words that are verbs.
    """
    if not any(_RULE.fullmatch(line) for line in own):
        return own, []
    last = max((at for at, line in enumerate(own) if line.strip() and _meant(normalise(line))), default=len(own))
    for at in range(last + 1, len(own)):
        if _RULE.fullmatch(own[at]):
            return own[:at], own[at:]
    return own, []


def _meant(line: str) -> bool:
    """Whether a line can be one of orders: well made, or badly and with a number in it."""
    if _ALONE.match(line) or _is_command(line):
        return True
    if not (is_order(line) or looks_misspelt(line)):
        return False
    return any(c.isdigit() for c in line) or recognise(line) == "order"


def _merged(cut: Iterable[Cut]) -> list[Cut]:
    """Neighbouring cuts for the same reason as one."""
    merged: list[Cut] = []
    for piece in cut:
        if merged and merged[-1].why == piece.why:
            merged[-1] = Cut(piece.why, f"{merged[-1].text}\n{piece.text}")
        else:
            merged.append(piece)
    return merged
