"""The way in: an orders text becomes the parts of a packet, diagnostics, and the canonical lines that repeat what was understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from services.mail.orders.common import CAMPAIGN, DIRECTIVES
from services.mail.orders.cursor import Fault
from services.mail.orders.diagnostics import Diagnostic, diagnostic, whole
from services.mail.orders.grammar import LineReader, Statement
from services.mail.orders.languages import language_of
from services.mail.orders.lines import MAX_LINE, MAX_ORDERS, MAX_TEXT, Token, split, tokens
from services.mail.orders.printing import packet_lines
from services.mail.orders.verbs import Language
from services.mail.orders.vocabulary import Vocabulary, read_vocabulary

Json = Any
MAX_DIAGNOSTICS = 100


@dataclass(frozen=True, slots=True)
class Parsed:
    """What an orders text says. ``packet``: the packet without ``id``, ``side`` and ``seq``; ``ended``: the line of ``END``, or None.

    With diagnostics, ``packet`` holds the lines that could be read.
    """

    packet: dict[str, Json]
    diagnostics: list[Diagnostic]
    printed: list[str]
    ended: int | None = None

    def as_json(self) -> dict[str, Json]:
        """As it travels: ``packet``, ``diagnostics``, ``printed``."""
        return {"packet": self.packet, "diagnostics": [d.as_json() for d in self.diagnostics], "printed": self.printed}


def parse(game: str, lines: str | Sequence[str], vocabulary: Mapping[str, Json] | None = None) -> Parsed:
    """Reads orders, one a line, up to ``END``. Never raises on any text.

    ``vocabulary``: the game's units, places and hexes and the side that orders; without it names are only checked by their shape.
    UnknownGame if the game has no order language; ValueError if the vocabulary is not one.
    """
    language = language_of(game)
    words = None if vocabulary is None else read_vocabulary(vocabulary)
    found = split(lines) if isinstance(lines, str) else list(lines)
    if sum(len(line) + 1 for line in found) > MAX_TEXT or sum(len(line.encode("utf-8", "replace")) + 1 for line in found) > MAX_TEXT + 1:
        return Parsed(_blank(), [whole("text-too-long")], [])
    reader = _Reader(language, words)
    for number, line in enumerate(found, start=1):
        if not reader.read(number, line):
            break
    reader.settle()
    return Parsed(reader.packet, reader.diagnostics, packet_lines(language, reader.packet, ended=reader.ended is not None), reader.ended)


def _blank() -> dict[str, Json]:
    return {"orders": [], "standing": [], "fault": "stop", "anyway": False, "check": False, "hold": False, "append": False}


@dataclass(slots=True)
class _Reader:
    """The packet while it is read. ``above``: the order that an ``ELSE`` line would belong to; ``broken``: that order had a fault.

    ``doubts``: ``ON`` orders whose label may be none, with line and fault; ``lost``: labels given in lines that had a fault.
    """

    language: Language
    words: Vocabulary | None
    packet: dict[str, Json] = field(default_factory=_blank)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    ended: int | None = None
    above: dict[str, Json] | None = None
    broken: bool = False
    count: int = 0
    doubts: list[tuple[int, Fault, dict[str, Json]]] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)

    def read(self, number: int, line: str) -> bool:
        """Reads one line; false when nothing more is to be read."""
        if len(self.diagnostics) >= MAX_DIAGNOSTICS:
            self.diagnostics.append(whole("too-many-faults", number))
            return False
        if len(line) > MAX_LINE:
            self.diagnostics.append(whole("line-too-long", number, len(line) + 1))
            self.above, self.broken = None, True
            return True
        found = tokens(line)
        if not found:
            return True
        if len(found) == 1 and found[0].text == "END":
            self.ended = number
            return False
        if self._directive(number, found):
            return True
        self.count += 1
        if self.count > MAX_ORDERS:
            self.diagnostics.append(whole("too-many-orders", number))
            return False
        self._order(number, found)
        return True

    def _directive(self, number: int, found: Sequence[Token]) -> bool:
        """Takes a line that speaks of the whole packet, or a command that is no order."""
        words = [token.text for token in found]
        if len(words) == 1 and words[0] in DIRECTIVES:
            self.packet[words[0].lower()] = True
        elif words[:2] == ["ON", "FAULT"] and len(words) == 3 and words[2] in ("STOP", "SKIP"):
            self.packet["fault"] = words[2].lower()
        elif words[:2] == ["ON", "FAULT"]:
            at = found[2] if len(found) > 2 else found[1]
            fault = Fault("unexpected", at.start, at.end, at.text, ("STOP", "SKIP"), hint="ON FAULT STOP|SKIP")
            self.diagnostics.append(diagnostic(number, fault))
        elif words[0] in DIRECTIVES - {"HOLD"} or words[0] == "END":  # HOLD with a unit is an old word for DELAY
            fault = Fault("unexpected", found[1].start, found[1].end, words[1], ("the end of the line",), hint=words[0])
            self.diagnostics.append(diagnostic(number, fault))
        elif words == ["CONFIRM"]:
            self.diagnostics.append(diagnostic(number, Fault("confirm-alone", found[0].start, found[0].end)))
        elif words[0] in CAMPAIGN:
            self.diagnostics.append(diagnostic(number, Fault("campaign-command", found[0].start, found[0].end, words[0])))
        else:
            return False
        return True

    def _order(self, number: int, found: Sequence[Token]) -> None:
        reader = LineReader(self.language, self.words, number, found, self.above)
        statements = reader.statements()
        faults = reader.cursor.faults
        for statement in statements:
            if statement.order["verb"] == "CONCEDE" and not statement.order["confirm"]:
                faults.append(Fault("needs-confirm", found[0].start, found[-1].end))
        self.diagnostics += [diagnostic(number, fault) for fault in faults]
        if faults:
            is_else = found[0].text == "ELSE"
            self.above, self.broken = None, not is_else
            self.lost.update(name.text for word, name in pairwise(found) if word.text == "AS")
            return
        if reader.doubt is not None:
            self.doubts.append((number, reader.doubt, statements[0].order))
        for statement in statements:
            self._place(number, found, statement)

    def settle(self) -> None:
        """After the last line: of the doubtful ``ON`` orders those stay whose label an order of this text has; the others are faults."""
        given = {order["label"] for line in self.packet["orders"] for order in (line, line["else"]) if order}
        for number, fault, order in self.doubts:
            label = order["args"]["label"]
            if label in given:
                continue
            for part in ("orders", "standing"):
                self.packet[part] = [kept for kept in self.packet[part] if kept is not order]
            if label not in self.lost and len(self.diagnostics) < MAX_DIAGNOSTICS:
                self.diagnostics.append(diagnostic(number, fault))
        self.diagnostics.sort(key=lambda found: found.line)

    def _place(self, number: int, found: Sequence[Token], statement: Statement) -> None:
        """Puts an order into the packet, or below the one that it is the ``ELSE`` of."""
        order = statement.order
        if not statement.otherwise:
            self.packet["standing" if statement.standing else "orders"].append(order)
            conditional = bool(order["guard"]) or order["verb"] == "ON"
            self.above, self.broken = (order if conditional else None), False
        elif self.above is not None and self.above["args"].get("ask"):
            asked = str(self.above["args"]["window"] or self.above["args"]["label"])
            word = next(token for token in found if token.text == "ELSE")
            self.diagnostics.append(diagnostic(number, Fault("else-below-ask", word.start, word.end, asked)))
        elif self.above is not None:
            self.above["else"] = order
            self.above = None
        elif self.broken:
            self.broken = False
        else:
            self.diagnostics.append(diagnostic(number, Fault("else-without-if", found[0].start, found[0].end)))
