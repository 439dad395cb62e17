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


TOBRUK = """PLACE 88-1 0819
ENTER 12B AT 0101
ENTER 12B
DELAY 12ART
REFIT 19 SCRAP 20,86 AT 0101
RESERVE PzKw IIIH AT 0101
RESERVE IIIH AT 0101
BARRAGE 55ART-1,55ART-2 AT 0909 ELSE AT 1113
SHELL 0909 WITH 55ART-1,55ART-2
RECOVER 8PZ-3 TRY
RECOVER AUTO 8PZ-2
SCRAP W7
DEMOLISH 2RGH-2 BY 115-I
FREE 201Gds
MOVE 8PZ-2+8PZ-3 1321 1320 DROP 8PZ-2 AT 1321
MOVE 115 TO Tobruk VIA 1321 BY ROAD
SPLIT 115
REJOIN 115
STAND 8PZ-2,8PZ-3
EXIT 2HLI
FIRE 88-1 AT 2RGH-1,2RGH-2 ELSE AT 3CLY-1
FIRE 88-1 AT 2RGH-1 IN 1917
ON FIRST-FIRE FIRE YES BY AT MIN 1:2
ON ANTITANK FIRE ALL POOL NO
ATTACK 1113+1114 WITH 115-I,8PZ-8 AS A1
OCCUPY 1113 WITH 115-I
ON SLIP SLIP 33AA TO 1321 IF ODDS>=3
SLIP NEVER
LOSE 115-I,115-II SPLIT YES
LOSE CHEAPEST SPLIT NO
ON MINE-LOSSES MINE LOSE 8PZ-2,8PZ-3
RETREAT 115 1321 1322
RETREAT 115 TO 1322
RETREAT POLICY ZOC,MINE
ADVANCE 115 TO 1321
ADVANCE NEVER
ADVANCE MAX 2
IF 1321 DISRUPTED AND 1113 HOLDS FLAK PASS
DONE TURN AUTO
"""


@lru_cache(maxsize=1)
def _tobruk() -> dict[str, Any]:
    words: dict[str, Any] = json.loads(client().get("/v1/scenarios/fall-of-tobruk/gazala").data)
    return words


def test_every_form_of_the_fall_of_tobruk_is_taken_hexes_that_look_like_units_among_them() -> None:
    # 1321 to 1327 are hexes; the tank companies 132-1 to 132-7 are no hexes, though a player may leave the hyphen out elsewhere.
    theirs = {"FREE", "EXIT"}
    verbs = schemas_of("fall-of-tobruk").verbs
    for line in TOBRUK.splitlines():
        read = parse("fall-of-tobruk", line, {**_tobruk(), "side": "allied" if line.split()[0] in theirs else "axis"})
        assert read.diagnostics == [], line
        packet = with_args(PacketSchema().load({"id": "P", "side": "axis", "seq": None, **read.packet}), verbs)
        assert len(packet.orders) == 1, line
