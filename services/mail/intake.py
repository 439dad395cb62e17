"""The gate: an ordered table of checks, the first that holds decides what becomes of a mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from services.mail import checks, replies
from services.mail.addresses import message_ids
from services.mail.body import Source
from services.mail.checks import Case
from services.mail.context import read_context
from services.mail.message import read_message
from services.mail.orderlines import Cut
from services.mail.signatures import Resolve

Check = Callable[[Case], bool]


@dataclass(frozen=True, slots=True)
class Disposition:
    """What becomes of a mail: ``accept``, ``hold``, ``refuse``, ``drop``, ``ignore`` or ``later``, and why."""

    act: str
    why: str = ""

    @property
    def verdict(self) -> str:
        return f"{self.act}:{self.why}" if self.why else self.act

    @property
    def reply(self) -> str:
        """What may be sent back; never anything to a robot, a stranger or a second copy."""
        return {"accept": "receipt", "refuse": "explain", "hold": "confirm-to-registered-address"}.get(self.act, "none")


INTAKE: tuple[tuple[Check, Disposition], ...] = (
    (checks.is_hard_bounce, Disposition("drop", "bounce-hard")),
    (checks.is_other_report, Disposition("drop", "report")),
    (checks.is_automatic, Disposition("drop", "auto-reply")),
    (checks.is_list, Disposition("drop", "list")),
    (checks.is_our_own, Disposition("drop", "own-mail")),
    (checks.has_no_sender, Disposition("drop", "no-sender")),
    (checks.is_unanswered, Disposition("later", "no-key")),
    (checks.is_masters_unverified, Disposition("hold", "master-unverified")),
    (checks.is_unverified, Disposition("hold", "sender-unverified")),
    (checks.is_from_new_address, Disposition("hold", "sender-unregistered")),
    (checks.is_provable_stranger, Disposition("refuse", "unknown-sender")),
    (checks.is_stranger, Disposition("drop", "unknown-sender")),
    (checks.is_for_the_master, Disposition("refuse", "not-the-master")),
    (checks.is_foreign_game, Disposition("refuse", "foreign-game")),
    (checks.is_without_token, Disposition("refuse", "no-token")),
    (checks.is_wrong_side, Disposition("refuse", "wrong-side")),
    (checks.is_duplicate, Disposition("ignore", "duplicate")),
    (checks.is_stale, Disposition("refuse", "stale-turn")),
    (replies.is_confirmation, Disposition("accept")),
    (replies.is_denial, Disposition("accept")),
    (checks.is_too_big, Disposition("refuse", "too-big")),
    (checks.is_too_complex, Disposition("refuse", "too-complex")),
    (checks.is_damaged, Disposition("refuse", "damaged")),
    (checks.has_two_sets, Disposition("refuse", "ambiguous-sources")),
    (checks.is_forwarded_only, Disposition("refuse", "forwarded-only")),
    (checks.is_quoted_only, Disposition("refuse", "quoted-only")),
    (checks.is_encrypted, Disposition("refuse", "encrypted")),
    (checks.is_winmail, Disposition("refuse", "winmail")),
    (checks.has_no_orders, Disposition("refuse", "no-orders")),
)
ACCEPT = Disposition("accept")


def read_mail(raw: bytes, context: Mapping[str, Any], resolve: Resolve | None = None) -> dict[str, Any]:
    """What the gateway makes of a raw mail. ``context`` as ``hexpost read`` takes it; ContextError if it is not that. ``resolve``: looks up
    the keys of signatures; without it those that the context has are all.

    The answer has ``verdict, game, side, lines, cut, reply``; ``commands`` in place of ``lines`` where they are not orders; ``named``, the
    game that commands name, ``trust`` and ``proven``, how sure the sender is (``checks.Case``); and ``turn, message_id, digest, sender,
    subject, references, sources, bounced, returned, authentic, confirms, denies`` for the caller who answers, journals and threads.
    """
    case = Case(read_message(raw), read_context(context), raw, resolve)
    found = next((disposition for check, disposition in INTAKE if check(case)), ACCEPT)
    identity = case.identity
    heard = found.act in ("accept", "refuse")
    commanded = found.act == "accept" and bool(case.commands)
    game, side = case.about if commanded else (identity.game, identity.side)
    return {
        "verdict": found.verdict,
        "game": game.id if game else None,
        "side": side,
        "turn": identity.turn,
        "lines": list(case.words.lines) if found.act == "accept" else [],
        "commands": [one.as_json() for one in case.commands] if commanded else [],
        "named": case.named,
        "trust": case.trust,
        "proven": checks.is_proven(case),
        "cut": [piece.as_json() for piece in _cut(case)][:100] if heard else [],
        "reply": found.reply,
        "message_id": case.message_id[:1000],
        "digest": case.digest,
        "sender": identity.sender if found.reply != "none" else "",
        "subject": case.message.first("subject")[:300],
        "references": message_ids(*case.message.all("references"))[-20:],
        "sources": [{"name": s.name[:100], "lines": _lines(s)} for s in case.words.sources[:5]] if found.act in ("refuse", "hold") else [],
        "bounced": sorted(case.bounces[1]) if found.act == "drop" else [],
        "returned": list(case.returned) if found.act == "drop" else [],
        "authentic": found.act in ("accept", "refuse") and checks.is_surely_theirs(case),
        "confirms": identity.asked if found.act == "accept" and replies.is_confirmation(case) else None,
        "denies": identity.asked if found.act == "accept" and replies.is_denial(case) else None,
    }


def _lines(source: Source) -> list[str]:
    """What a place of the mail says: its orders, or its commands."""
    return [*source.reading.lines, *(one.line for one in source.reading.commands)]


def _cut(case: Case) -> tuple[Cut, ...]:
    return case.words.cut
