"""Diagnostics: a fault of the orders text with its place, what was expected, what was meant, and a sentence that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from services.mail.orders.cursor import Fault
from services.mail.orders.lines import MAX_LINE, MAX_ORDERS, MAX_TEXT

_SAID = 40
_SHOWN = 8
_SENTENCES = {
    "unknown-unit": 'There is no unit "{said}".',
    "not-yours": '"{said}" is not your unit.',
    "ambiguous-unit": '"{said}" may mean more than one unit; write its id.',
    "unknown-hex": 'There is no hex or place "{said}" on the map.',
    "unknown-verb": '"{said}" is not an order.',
    "unexpected": '"{said}" does not fit here; expected {expected}.',
    "incomplete": "The line ends too early; expected {expected}.",
    "no-nesting": "Conditions are not nested: after IF guard or ELSE comes a plain order, after ON window a plain order or IF guard order.",
    "no-answer": "{said} answers no such decision; write {expected}.",
    "unknown-window": '"{said}" names no decision that ON could answer; expected {expected}.',
    "no-weather": "This game has no weather that could be tested.",
    "unknown-weather": 'There is no weather "{said}"; expected {expected}.',
    "else-without-if": "ELSE stands below an IF or ON line that has no ELSE yet.",
    "else-below-ask": "ON {said} ASK keeps the question for a mail from you, so ELSE has nothing to stand in for. "
    "Leave ELSE out, or give an answer after ON {said} in place of ASK.",
    "campaign-command": "{said} is a command to the campaign, not an order of the turn; send it in a mail of its own.",
    "confirm-alone": "CONFIRM is the last word of the order that it confirms.",
    "needs-confirm": "CONCEDE ends the game. If you mean it, write CONCEDE CONFIRM.",
    "text-too-long": f"The orders are longer than {MAX_TEXT // 1024} kB; nothing was read.",
    "line-too-long": f"The line is longer than {MAX_LINE} characters; it was not read.",
    "letter-too-long": "The letter is longer than 8000 characters; it was not sent.",
    "too-many-orders": f"There are more than {MAX_ORDERS} orders; the rest was not read.",
    "too-many-faults": "There are more faults; the rest was not read.",
}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A fault at ``column`` to ``end`` (from 1, one past) of ``line`` (from 1; 0: the whole text), as ``0002-shapes`` has it."""

    line: int
    column: int
    end: int
    code: str
    text: str
    expected: list[str]
    nearest: list[str]
    clause: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The diagnostic as it travels."""
        return asdict(self)


def diagnostic(line: int, fault: Fault) -> Diagnostic:
    """A fault of a line put into words."""
    said = fault.said if len(fault.said) <= _SAID else fault.said[:_SAID] + "..."
    text = _SENTENCES[fault.code].format(said=said, expected=either(fault.expected))
    near = list(fault.find(fault.said)) if fault.find else []
    if near:
        text += f" Did you mean {either(near)}?"
    if fault.hint:
        text += f" Write: {fault.hint}"
    return Diagnostic(line, fault.start, fault.end, fault.code, text, list(fault.expected), near)


def whole(code: str, line: int = 0, end: int = 2) -> Diagnostic:
    """A fault of a whole line, or of the whole text (line 0)."""
    return diagnostic(line, Fault(code, 1, end))


def either(items: Sequence[str]) -> str:
    """``a, b or c``; of a long list only the first eight."""
    shown = list(items[:_SHOWN])
    if len(items) > _SHOWN:
        return ", ".join(shown) + ", ..."
    if len(shown) < 2:
        return "".join(shown)
    return ", ".join(shown[:-1]) + " or " + shown[-1]
