"""Effects of Disruption: the marker; and units that are disrupted already lose a battalion of theirs, or companies of its size (FT-30)."""

from __future__ import annotations

from collections.abc import Iterable

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Json
from services.rules.engine.positions import hex_of
from services.rules.games.fall_of_tobruk import losses
from services.rules.games.fall_of_tobruk.state import disrupted


def disrupt(adj: Adjudication, units: Iterable[str], clause: str, cause: str, label: str | None = None) -> None:
    """Units of one stack are disrupted by one event of ``clause``; those of them that were so already pay a battalion together.

    ``cause``: ``bombardment``, ``overrun``, ``retreat``, ``mines``, ``stacking``; with it those die that pay.  Paying is work that is
    pushed: it is done after the work item in hand.  For units that are hit one by one, as by bombardment, call it once for each.
    """
    standing = [unit for unit in dict.fromkeys(units) if hex_of(adj, unit) is not None]
    again = [unit for unit in standing if disrupted(adj, unit)]
    for unit in standing:
        if unit not in again:  # disrupt.16
            data: dict[str, Json] = {"unit": unit, "hex": str(hex_of(adj, unit)), "cause": cause}
            adj.record("disrupted", clause, data, changes=[ch.mark(unit, "disrupted")])  # disrupt.2
    if again:
        losses.owe(adj, again, 1, "disrupt.17", cause, measure=losses.BATTALIONS, label=label)  # disrupt.17
