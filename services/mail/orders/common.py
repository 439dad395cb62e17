"""What the order languages of all games share: common verbs, directives, guards, and the words that no game may use for a verb."""

from __future__ import annotations

from services.mail.orders.verbs import Form, Language, form, verb

COMMON = Language(
    game="common",
    verbs=(
        verb("DONE", "DONE [TURN=turn] [AUTO=auto]"),
        verb("PASS", "PASS", answer=True),
        verb("NEXT", "NEXT"),
        verb("PHASE", "PHASE name:words"),
        verb("CONCEDE", "CONCEDE"),
        verb("CANCEL", "CANCEL n:1..100000|ALL", "CANCEL verb:verb of:label|ALL"),
        verb("DUTY", "DUTY AUTO=auto"),
    ),
)

DIRECTIVES = frozenset({"CHECK", "HOLD", "ANYWAY", "APPEND"})
"""Lines of one word that speak of the whole packet; ``ON FAULT STOP|SKIP`` is the fifth."""

CAMPAIGN = frozenset(
    {
        *("HELP", "NEW", "JOIN", "INVITE", "ACCEPT", "REFUSE", "DECLINE", "STATUS", "WHO", "MAP", "TEMPLATE", "LEGAL", "RESEND"),
        *("UNDO", "DRAW", "POSTPONE", "DEADLINE", "TERMS", "DECIDE"),
        *("SUBSTITUTE", "VACATION", "SPECTATE", "ADDRESS", "COPY", "NOTIFY", "LINK", "SAY", "ZONE"),
        *("PAUSE", "RESUME", "EXTEND", "ROLLBACK", "REPLACE", "EDIT"),
    }
)
"""Commands to the campaign, not to the umpire of a turn; they stand in a mail of their own (services/mail/commands)."""

RESERVED = CAMPAIGN | DIRECTIVES | {"ON", "IF", "ELSE", "STANDING", "END", "CONFIRM", "FAULT", "AND", "NOT"} | set(COMMON.heads)

ANY_LINE = frozenset({"IF", "ELSE", "CONFIRM", "AS"})
"""Words at which any name ends."""


def guard(test: str, pattern: str) -> Form:
    """The form of one guard."""
    return form(test, pattern)


WEATHER = guard("weather", "WEATHER is:words")
"""The weather's guard, as it is printed; a game that has weather says which words it takes."""

GUARDS: tuple[Form, ...] = (
    guard("vacant", "hex:hex VACANT/EMPTY"),
    guard("held", "hex:hex HELD BY side:word"),
    guard("held", "hex:hex HELD side:word"),
    guard("holds", "hex:hex HOLDS kind:word"),
    guard("free", "hex:hex FREE"),
    guard("disrupted", "hex:hex DISRUPTED"),
    guard("disrupted", "unit:any DISRUPTED"),
    guard("alive", "unit:any ALIVE"),
    guard("at", "unit:any AT hex:hex"),
    guard("sp", "unit:any SP >=/=> at_least:0..9999"),
    guard("supplied", "unit:any SUPPLIED"),
    guard("engaged", "unit:any ENGAGED"),
    guard("rp", "RP >=/=> at_least:0..9999"),
    guard("result", "RESULT label:label IN in:results"),
    guard("odds", "ODDS label:label? >=/=> at_least:ratio"),
    guard("landed", "LANDED unit:any"),
    guard("french", "FRENCH FREE"),
    guard("vacated", "VACATED"),
)
