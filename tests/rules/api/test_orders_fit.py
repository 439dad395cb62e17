"""What the mail service reads from players' texts is what the rules service takes: no text can make a packet that is malformed."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.mail.orders.parse import parse
from services.rules.schemas.game import schemas_of
from services.rules.schemas.packet import PacketSchema, with_args
from tests.rules.api.service import SEED, client, march, post

HOLDFAST = schemas_of("holdfast").verbs
SAMPLE = """COMMIT 2
COMMIT TABLE 0:0 1:0 2:1 3:1
ENTER 15PZ
STEP 21PZ 1
IF 0310 VACANT AND NOT 21PZ SP>=2 ENTER 15PZ
ELSE DELAY 15PZ
IF TOBRUK HELD BY ALLIED PASS
IF RP>=3 AND WEATHER CLEAR PASS
IF RESULT A1 IN (DR, AR) PASS
IF ODDS A1>=3:1 PASS
IF ODDS>=1:2 PASS
IF 21PZ SUPPLIED AND TOBRUK FREE PASS
IF TOBRUK HOLDS ARMOR AND VACATED PASS
MOVE 21PZ TO TOBRUK VIA 0310 BY ROAD STRATEGIC LEADER
MOVE 21PZ 0310 0410
ATTACK 0410 WITH 21PZ, ARIETE AIR X1 LEADER LOSE ARIETE AS A1
STANDING ON LOSSES SPARE 21PZ LOSE ARIETE
ON LOSSES ASK
ON A1 IF VACATED KEEP 21PZ
ON ANY IN (D1) LOSE 21PZ
ELSE LOSE ARIETE
STANDING ON MALTA COMMIT TABLE 0:0 1:1
STANDING DUTY AUTO
PHASE ACTION
CANCEL ALL
CANCEL 2
REBUILD SAVENA
NEXT
CONCEDE CONFIRM
ANYWAY
ON FAULT SKIP
DONE TURN AUTO
"""


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, Any]:
    words: dict[str, Any] = json.loads(client().get("/v1/scenarios/holdfast/campaign-1").data)
    return {**words, "side": "axis"}


def _taken(text: str) -> list[str]:
    """The lines that the mail service understood, as the rules service takes them."""
    read = parse("holdfast", text, _vocabulary())
    packet = with_args(PacketSchema().load({"id": "P", "side": "axis", "seq": None, **read.packet}), HOLDFAST)
    return [order.verb for order in (*packet.orders, *packet.standing)]


def test_every_form_of_the_order_language_is_taken() -> None:
    assert parse("holdfast", SAMPLE, _vocabulary()).diagnostics == []
    assert len(_taken(SAMPLE)) == 28
    body = {"state": march(), "packet": {"id": "P", "side": "axis", **parse("holdfast", SAMPLE, _vocabulary()).packet}, "seed": SEED}
    assert post("adjudications", body)["status"] in ("done", "refused")


_line = st.sampled_from(SAMPLE.splitlines())
_token = st.sampled_from(sorted({*SAMPLE.replace("(", " ").replace(")", " ").split(), "(", ")", "<", "99999", "Rommel's", "A-LONG-LABEL"}))


@st.composite
def _texts(draw: st.DrawFn) -> str:
    """Lines of the sample with words swapped for others, put in or left out."""
    lines = []
    for line in draw(st.lists(_line, min_size=1, max_size=5)):
        words = line.split()
        for _ in range(draw(st.integers(0, 2))):
            at = draw(st.integers(0, len(words)))
            words[at : at + draw(st.integers(0, 1))] = [draw(_token | st.text(max_size=6))] * draw(st.integers(0, 2))
        lines.append(" ".join(words))
    return "\n".join(lines)


@settings(max_examples=150)
@given(_texts())
def test_whatever_is_understood_of_a_text_is_taken(text: str) -> None:
    _taken(text)
