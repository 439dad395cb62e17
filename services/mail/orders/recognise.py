"""Which lines of a mail are orders: known by the verbs of all games; units and hexes are not looked up."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from services.mail.orders.common import COMMON, DIRECTIVES
from services.mail.orders.grammar import LineReader
from services.mail.orders.languages import LANGUAGES
from services.mail.orders.lines import MAX_LINE, Token, tokens

Likeness = Literal["order", "faulty"]


@lru_cache(maxsize=1)
def order_words() -> frozenset[str]:
    """The words that an order line of any game may begin with."""
    heads = {head for language in (*LANGUAGES.values(), COMMON) for head in language.heads}
    return frozenset(heads | DIRECTIVES | {"ON", "IF", "ELSE", "STANDING", "END"})


def recognise(line: str) -> Likeness | None:
    """``order``: the line has the form of an order of some game; ``faulty``: it begins like one only; None: it is none. Never raises."""
    if len(line) > MAX_LINE:
        return None
    found = tokens(line)
    if not found or found[0].text not in order_words():
        return None
    words = [token.text for token in found]
    if len(words) == 1 and (words[0] in DIRECTIVES or words[0] == "END"):
        return "order"
    if words[:2] == ["ON", "FAULT"]:
        return "order" if words[2:] in (["STOP"], ["SKIP"]) else "faulty"
    return "order" if any(_reads(game, found) for game in LANGUAGES) else "faulty"


def _reads(game: str, found: list[Token]) -> bool:
    reader = LineReader(LANGUAGES[game], None, 1, found)
    return bool(reader.statements()) and not reader.cursor.faults
