"""A place in the tokens of one line, and what was noted on the way: faults, and what was expected furthest on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from services.mail.orders.lines import Token
from services.mail.orders.vocabulary import Vocabulary

HEX_LIKE = re.compile(r"[0-9OIL]{3,5}")
"""A word that was meant for a hex number."""
MAX_FAULTS = 10
"""Faults noted of one line; more would help nobody."""


class Mismatch(Exception):
    """The tokens at the cursor have not the form that was tried; what was expected is noted in the cursor."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a stretch of a line (columns from 1, ``end`` one past).

    ``find`` looks for what ``said`` may have meant: only for a fault that is shown, as most are of forms that did not win.
    """

    code: str
    start: int
    end: int
    said: str = ""
    expected: tuple[str, ...] = ()
    find: Callable[[str], Sequence[str]] | None = None
    hint: str = ""


@dataclass(slots=True)
class Cursor:
    """A place in the tokens of one line, and what was noted on the way."""

    tokens: Sequence[Token]
    vocabulary: Vocabulary | None
    at: int = 0
    stops: frozenset[str] = frozenset()
    loose: bool = True
    faults: list[Fault] = field(default_factory=list)
    far: int = -1
    expected: list[str] = field(default_factory=list)

    def peek(self) -> Token | None:
        """The next token, or None at the end of the line."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def is_word(self, *words: str) -> bool:
        """Whether the next token is one of the words."""
        return self.at < len(self.tokens) and self.tokens[self.at].text in words

    def take(self, *words: str) -> bool:
        """Steps over the next token if it is one of the words."""
        if self.is_word(*words):
            self.at += 1
            return True
        return False

    def expect(self, *what: str) -> None:
        """Notes what could have stood here; only the furthest place is kept."""
        if self.at > self.far:
            self.far, self.expected = self.at, []
        if self.at == self.far:
            self.expected.extend(w for w in what if w not in self.expected)

    def miss(self, *what: str) -> Mismatch:
        """The exception to raise where ``what`` was expected."""
        self.expect(*what)
        return Mismatch()

    def columns(self, first: int, last: int) -> tuple[int, int]:
        """The columns of the tokens ``first`` up to, not with, ``last``."""
        return self.tokens[first].start, self.tokens[last - 1].end

    def fault(self, code: str, first: int, last: int, expected: Sequence[str], near: Callable[[str], Sequence[str]] | None = None) -> None:
        """Notes a fault of the tokens ``first`` up to, not with, ``last``; ``near`` finds what their text may have meant."""
        if len(self.faults) >= MAX_FAULTS:
            return
        start, end = self.columns(first, last)
        said = " ".join(t.text for t in self.tokens[first:last])
        self.faults.append(Fault(code, start, end, said, tuple(expected), near))

    def ends(self) -> bool:
        """Whether nothing that a name could be made of follows: the end, a sign, or a word of the form."""
        token = self.peek()
        return token is None or token.op or token.text in self.stops

    def absorb(self) -> None:
        """Steps over the rest of a name that is not known, up to a word of the form, a hex, a sign or a place."""
        self.at += 1
        while not self.ends():
            if HEX_LIKE.fullmatch(self.tokens[self.at].text) or self.known_at():
                return
            self.at += 1

    def known_at(self) -> bool:
        """Whether a known unit or place begins here."""
        words = self.vocabulary
        return words is not None and bool(words.place(self.tokens, self.at) or words.unit(self.tokens, self.at, own=False))
