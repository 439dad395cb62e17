"""From order lines to an outcome: parse by the mail service, adjudicate by the rules, and one list of what was not done."""

from __future__ import annotations

from dataclasses import dataclass

from worker.canonical import Json, canonical, digest
from worker.ports import Mail, Rules

MAX_TEXT = 256_000
MAX_LINES = 2_000


@dataclass(frozen=True, slots=True)
class Written:
    """Orders as understood. ``packet``: without id, side and seq; ``printed``: the canonical lines; ``diagnostics``: the rest."""

    packet: Json
    printed: list[str]
    diagnostics: list[Json]

    @property
    def refused(self) -> bool:
        """One line that cannot be read refuses the packet, unless ``ANYWAY`` drops such lines."""
        return bool(self.diagnostics) and not self.packet.get("anyway")

    @property
    def only_done(self) -> bool:
        """``DONE`` and nothing else: the sign to carry out a draft."""
        found = self.packet.get("orders", [])
        plain = not (self.packet.get("hold") or self.packet.get("check") or self.packet.get("standing") or self.diagnostics)
        return plain and len(found) == 1 and found[0].get("verb") == "DONE"


def read_orders(mail: Mail, game: str, lines: list[str], vocabulary: Json, side: str) -> Written:
    """Have the mail service read the order lines of a side, up to ``END``."""
    answer = mail.parse({"game": game, "lines": lines, "vocabulary": vocabulary | {"side": side}})
    return Written(answer["packet"], list(answer.get("printed", [])), list(answer.get("diagnostics", [])))


def adjudicate(rules: Rules, state: Json, written: Written, who: Json, draws: Json) -> Json:
    """The outcome of written orders. ``who``: id, side and seq of the packet; ``draws``: ``seed`` or ``dice``, perhaps ``digest``.

    What could not be read is not in the outcome: see ``with_unread``.
    """
    if written.refused:
        same = {"status": "refused", "state": state, "events": [], "rejections": [], "ran": False}
        return same | {"pending": state.get("pending", []), "digest": digest(canonical(state))}
    outcome: Json = rules.adjudicate({"state": state, "packet": written.packet | who} | draws)
    return outcome


def with_unread(outcome: Json, written: Written) -> Json:
    """The outcome, with the lines that could not be read among its ``rejections``."""
    fate = "refused" if written.refused else "dropped"
    unread = [
        {"line": one.get("line", 0), "code": one.get("code", "unread"), "clause": one.get("clause"), "details": one, "fate": fate}
        for one in written.diagnostics
    ]
    return outcome | {"rejections": sorted([*unread, *outcome["rejections"]], key=lambda one: int(one.get("line", 0)))}
