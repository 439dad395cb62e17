"""The order language: sixty lines of a turn's orders, good ones and bad ones, with the whole vocabulary of Holdfast."""

from __future__ import annotations

from services.mail.orders.parse import parse
from tests.bench.harness import Bench
from tests.mail.orders.words import holdfast_words

_LINES = [
    "MOVE 21PZ TO Tobruk BY ROAD",
    "MOVE 15th Panzer 1204 1205 1305 1306 STRATEGIC LEADER",
    "ATTACK 1307 WITH PAVIA,TRENTA,BRESCIA AIR X1 LOSE TRENTA,PAVIA AS A1",
    "IF 1307 VACANT AND 21PZ SP>=3 MOVE 21PZ TO Mersa Matruh VIA Tobruk",
    "ELSE DONE",
    "STANDING ON LOSSES SPARE 21PZ LOSE PAVIA,TRENTA  # spare the tanks",
]


def benches() -> list[Bench]:
    """Sixty good lines, sixty that all have two faults, and the largest text that is read."""
    words = holdfast_words()
    good, bad = _LINES * 10, ["MOVE 21PX TO El Agela"] * 60
    return [
        Bench("60 lines of orders read", 10, "ms", lambda: parse("holdfast", good, words)),
        Bench("60 lines of orders read, two faults in each", 250, "ms", lambda: parse("holdfast", bad, words)),
        Bench("64 kB of jumble refused", 1000, "ms", lambda: parse("holdfast", ["MOVE a,b,c,d " + "x 12 " * 95] * 130, words)),
    ]
