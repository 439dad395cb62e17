"""A line that a player typed -> a command, if it is one. Words are levelled as in orders; addresses and letters are taken as typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from services.mail.commands.table import COMMANDS, LEVELS, Command, Needs
from services.mail.orders import nearest
from services.mail.orders.cursor import Cursor, Fault, Mismatch
from services.mail.orders.diagnostics import diagnostic
from services.mail.orders.grammar import best
from services.mail.orders.lines import Token, level
from services.mail.orders.verbs import Argument, Form

Json = Any
MAX_COMMANDS = 10
"""Commands that one mail may hold."""
MAX_LINE = 500
MAX_LETTER = 8_000
"""Characters of a letter (``SAY``)."""
_BLANKS = re.compile(r"\S+")
_LISTED = re.compile(r"\s*(?:[*+\u2022-]|\d{1,2}[.)])\s+(?=[A-Za-z])")
ORDERS_TOO = frozenset(("STANDING",))
"""Verbs that begin orders as well: what is not the whole of the command is an order."""
_GAME = re.compile(r"G[0-9]{1,9}")
_EDGE = "<>,;\"'().!?:"
_VERB_EDGE = "<>\"'().!?:*_"


@dataclass(frozen=True, slots=True)
class Given:
    """A command as it was given. ``line``: as typed; ``fault``: what is wrong with it, in words, or empty; ``hint``: how it is written.

    ``loud``: its verb is in capitals or stands alone, so that it is hardly meant as part of a sentence.
    """

    verb: str
    line: str
    args: dict[str, Json] = field(default_factory=dict)
    fault: str = ""
    hint: str = ""
    loud: bool = True

    @property
    def command(self) -> Command:
        return COMMANDS[self.verb]

    def as_json(self) -> dict[str, Json]:
        """As it travels."""
        return {"verb": self.verb, "line": self.line, "args": self.args, "fault": self.fault, "hint": self.hint}


def read_command(raw: str) -> Given | None:
    """The command of a line: with a fault where only its verb is one; None if it is none at all, or a sentence that begins like one."""
    marked = _LISTED.match(raw)
    typed = " " * marked.end() + raw[marked.end() :] if marked else raw
    found = _tokens(typed)
    if not found or found[0].text not in HEADS:
        return None
    command = COMMANDS[HEADS[found[0].text]]
    name, line = command.verb.name, " ".join(raw.split())
    word = typed[found[0].start - 1 : found[0].end - 1]
    loud = len(found) == 1 or word == word.upper()
    if len(raw) > (MAX_LETTER if name == "SAY" else MAX_LINE):
        return Given(name, line[:MAX_LINE], fault=_said(Fault("line-too-long", 1, 2)), hint=command.verb.hint, loud=loud)
    args, fault = _read(command, found if name == "SAY" else _uncommented(found), typed)
    if fault and (not loud or name in ORDERS_TOO):
        return None
    return Given(name, line[:MAX_LINE], args, fault, command.verb.hint if fault else "", loud)


def _read(command: Command, found: Sequence[Token], typed: str) -> tuple[dict[str, Json], str]:
    """Arguments and fault. Of a faulty command the game that it names is kept: the answer is about that one."""
    cursor = Cursor(found, None)
    try:
        match = best(cursor, ((command.verb, form) for form in command.verb.forms), whole=True)
        if match is None:
            raise Mismatch
        if cursor.peek() is not None:
            raise cursor.miss("the end of the line")
    except Mismatch:
        return _named(command, found), _said(_fault(cursor, command))
    return {name: _text(value, match.form, name, typed) for name, value in match.args.items()}, ""


def _named(command: Command, found: Sequence[Token]) -> dict[str, Json]:
    """The game that a faulty command names, where it can name one."""
    if not any("game" in one.kinds for form in command.verb.forms for one in _arguments(form)):
        return {}
    words = list(takewhile(lambda word: word != "BECAUSE", (token.text for token in found[1:])))
    game = next((word for word in words if _GAME.fullmatch(word)), None)
    return {"game": game} if game else {}


def _arguments(form: Form) -> list[Argument]:
    return [one for one in (*form.items, *(item for clause in form.clauses for item in clause)) if isinstance(one, Argument)]


def _text(value: Json, form: Form, name: str, typed: str) -> Json:
    """The value of an argument; free text, which the reader gave by its column, as typed."""
    free = any(item.name == name and "text" in item.kinds for item in _arguments(form))
    return (typed[value - 1 :].strip() if isinstance(value, int) else "") if free else value


def _fault(cursor: Cursor, command: Command) -> Fault:
    """What was expected at the furthest word that was reached."""
    hint = command.verb.hint
    if cursor.far < len(cursor.tokens):
        token = cursor.tokens[max(cursor.far, 0)]
        known = [word for word in cursor.expected if word.isupper()]
        return Fault(
            "unexpected", token.start, token.end, token.text, tuple(cursor.expected), lambda said: nearest.words(said, known), hint
        )
    end = cursor.tokens[-1].end
    return Fault("incomplete", end, end + 1, "", tuple(cursor.expected), None, hint)


def _said(fault: Fault) -> str:
    return diagnostic(1, fault).text


def _tokens(typed: str) -> list[Token]:
    """The words of a line between blanks, levelled, without the signs around them; the columns are those of what was typed."""
    found: list[Token] = []
    for match in _BLANKS.finditer(typed):
        plain = "".join(level(match.group())[0].split()).strip(_EDGE if found else _VERB_EDGE)
        if plain:
            found.append(Token(plain, match.start() + 1, match.end() + 1))
    return found


def _uncommented(found: Sequence[Token]) -> Sequence[Token]:
    end = next((at for at, token in enumerate(found) if token.text.startswith("#")), len(found))
    return found[:end]


def take_commands(own: Iterable[str]) -> tuple[tuple[Given, ...], list[str]]:
    """The commands among the player's own lines, up to ``END``, and the other lines. ``SAY`` alone takes all below it as its letter."""
    given: list[Given] = []
    rest: list[str] = []
    letter: list[str] | None = None
    lines = list(own)
    for at, raw in enumerate(lines):
        if [token.text for token in _tokens(raw)[:2]] == ["END"]:
            rest += lines[at:]
            break
        if letter is not None:
            letter.append(raw.rstrip())
            continue
        found = read_command(raw)
        if found is None:
            rest.append(raw)
            continue
        given.append(found)
        if found.verb == "SAY" and not found.fault and not found.args["text"]:
            letter = []
    if letter is not None:
        given[-1] = _with_letter(given[-1], "\n".join(letter).strip())
    return tuple(given), rest


def _with_letter(given: Given, text: str) -> Given:
    hint = given.command.verb.hint
    if not text:
        return Given(given.verb, given.line, {}, _said(Fault("incomplete", 1, 2, "", ("words",))), hint)
    if len(text) > MAX_LETTER:
        return Given(given.verb, given.line, {}, _said(Fault("letter-too-long", 1, 2)), hint)
    return Given(given.verb, given.line, given.args | {"text": text})


def needed(given: Iterable[Given]) -> Needs:
    """What all of the commands of a mail ask for together: the strictest of their levels."""
    return max((one.command.needs for one in given), key=LEVELS.index, default="open")


def _heads() -> dict[str, str]:
    return {spelling: name for name, one in COMMANDS.items() for form in one.verb.forms for spelling in form.head.spellings}


HEADS = _heads()
"""The words that a command begins with -> its name."""
