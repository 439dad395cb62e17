"""Events of Beda Fomm, a game of odds, to tell: a barrage with its checks, antitank shots, a combat; and a report to put them into."""

from __future__ import annotations

from typing import Any

from services.mail.report import ReportRequest

UNITS = {
    "C-4RHA": ("C Battery 4th RHA", "british", "COM"),
    "2RB-A": ("A Company 2nd Rifle Brigade", "british", "COM"),
    "2RB-B": ("B Company 2nd Rifle Brigade", "british", "COM"),
    "2RT-1": ("2nd Royal Tanks 1", "british", "4ARM"),
    "BER-MAR": ("Marmarica battalion", "italian", "BER"),
    "T-3": ("Transport 3", "italian", "BER"),
    "COL-ART": ("Colpani artillery", "italian", "COL"),
    "BAB-6-1": ("Babini 6/1", "italian", "BAB"),
}
VOCABULARY = {
    "game": {"title": "Beda Fomm", "sides": ["italian", "british"], "sources": {"map": "reconstructed", "exits": "reconstructed"}},
    "units": {unit: {"name": name, "side": side, "values": {"parent": parent}} for unit, (name, side, parent) in UNITS.items()},
    "places": {},
    "turns": ["5 Feb 1200"] * 9,
}
OWN = {
    "dark": False,
    "opening": False,
    "vp": 3,
    "morale": {"4ARM": 12, "BER": 4, "COM": 11},
    "contact": {"turn": 3, "side": "italian", "unit": "COL-AT", "hex": "1728"},
    "called": 9,
    "convoys": {str(n): {} for n in range(1, 10)},
    "interdicted": {"1010": {"side": "british", "factors": 4, "guns": ["C-4RHA"]}},
    "declared": [],
}


def path(step: str, side: str = "british") -> list[list[Any]]:
    return [["turn", 9], ["player-turn", side], ["step", step]]


def event(kind: str, clause: str, step: str, /, **data: Any) -> dict[str, Any]:
    return {"n": 1, "kind": kind, "clause": clause, "path": path(step), "data": data}


def check(unit: str, dice: list[int], n: int, level: int, step: str = "barrage", **more: Any) -> dict[str, Any]:
    total = sum(dice) + n
    data = {"unit": unit, "parent": "BER", "level": level, "dice": dice, "n": n, "total": total, "by": None, "cause": "barrage", **more}
    return event("morale_check", "7.0e", step, **data, passed=total <= level)


def rolled(step: str, why: str, dice: list[int]) -> dict[str, Any]:
    return event("rolled", "7.0e", step, why=why, site="2026", dice=dice, sides=6, modifiers=[], key=[])


BARRAGE = [
    event(
        *("barrage", "10.5a", "barrage"),
        **{"hex": "2026", "side": "british", "guns": ["C-4RHA"], "factors": 4, "from": "2222"},
        columns={"BAB-6-1": None, "BER-MAR": 4, "T-3": 4},
    ),
    rolled("barrage", "barrage", [5]),
    event("barrage_result", "10.5d", "barrage", unit="BER-MAR", hex="2026", column=4, die=5, result="M1"),
    rolled("barrage", "barrage", [1]),
    event("barrage_result", "10.5d", "barrage", unit="T-3", hex="2026", column=4, die=1, result="-"),
    rolled("barrage", "morale", [6, 1]),
    check("BER-MAR", [6, 1], 1, 6),
    event("morale_fell", "7.31a", "barrage", unit="BER-MAR", parent="BER", level=5),
    event("decided", "12.42a", "barrage", kind="retreat", side="italian", choice={}, decision="x", source="standing"),
    event("retreated", "12.41a", "barrage", unit="BER-MAR", path=["2026", "1926", "1825"], exit=False),
]
HIT = [
    event(
        *("shot", "11.0o", "antitank"),
        units=["2RT-1"],
        target="BAB-6-1",
        hex="2024",
        fire=3,
        defence=2,
        column="1:1",
        die=1,
        result="DE",
    ),
    event("eliminated", "11.0p", "antitank", unit="BAB-6-1", hex="2024", cause="antitank"),
    event("morale_fell", "7.31b", "antitank", unit="BAB-6-1", parent="BAB", level=7),
]
MISS = [
    event(
        *("shot", "11.0m", "antitank"),
        units=["COL-ART"],
        target="2RT-1",
        hex="2124",
        fire=2,
        defence=9,
        column=None,
        die=None,
        result="-",
    )
]
COMBAT = [
    event(
        *("battle", "12.0o", "combat"),
        label="A1",
        hex="2026",
        side="british",
        attack=10,
        defence=6,
        odds="1:1",
        attackers=[{"unit": "2RB-A", "from": "2027", "cf": 3}, {"unit": "2RB-B", "from": "2126", "cf": 2}],
        defenders=[{"unit": "BER-MAR", "cf": 4}, {"unit": "T-3", "cf": 0}],
        support=[{"unit": "C-4RHA", "factor": 8}],
        defence_support=[{"unit": "COL-ART", "factor": 2}],
    ),
    rolled("combat", "combat", [5]),
    event("result", "12.0t", "combat", label="A1", hex="2026", odds="1:1", die=5, result="DM1"),
    check("BER-MAR", [1, 1], 1, 6, "combat"),
    check("T-3", [6, 6], 1, 6, "combat", by="BER-MAR"),
    event("eliminated", "7.22a", "combat", unit="T-3", hex="2026", cause="combat"),
]
TURN = ReportRequest(
    game="beda-fomm",
    kind="turn",
    game_id="G7",
    side="italian",
    view={
        "turn": 9,
        "path": path("combat"),
        "waiting_for": ["italian"],
        "step": {"name": "combat"},
        "own": OWN,
        "pending": [],
        "over": None,
    },
    events=[*BARRAGE, *HIT, *COMBAT],
    vocabulary=VOCABULARY,
)
