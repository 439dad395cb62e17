"""A small receipt to vary, and the words of a report's two forms."""

from __future__ import annotations

from typing import Any

import lxml.html

from services.mail.report import ReportRequest, make_report

BUILD = [["turn", 1], ["player-turn", "axis"], ["step", "build"]]
ACTION = [["turn", 1], ["player-turn", "axis"], ["step", "action"]]
VOCABULARY = {
    "game": {
        "title": "Holdfast: North Africa 1941-42",
        "sides": ["axis", "allied"],
        "sources": {"map": "reconstructed", "set_up": "printed"},
    },
    "units": {
        "21PZ": {"name": "21st Panzer", "side": "axis"},
        "PAVIA": {"name": "Pavia", "side": "axis"},
        "2ARM": {"name": "2nd Armor", "side": "allied"},
    },
    "places": {"EL AGHEILA": "0210", "MSUS": "0805", "TOBRUK": "1803"},
    "turns": ["1941-03", "1941-04"],
}
VIEW = {
    "turn": 1,
    "path": ACTION,
    "waiting_for": ["axis"],
    "step": {"name": "action", "mine": True},
    "own": {"month": "1941-03", "weather": "clear", "rp": {"axis": 8, "allied": 10}},
    "pending": [],
    "over": None,
}


def event(kind: str, clause: str, path: Any = ACTION, **data: Any) -> dict[str, Any]:
    return {"n": 1, "kind": kind, "clause": clause, "path": path, "data": data}


ATTACK = [
    event(
        "battle",
        "11.2e",
        label="A1",
        hex="0805",
        attackers=[{"unit": "21PZ", "alias": "G1", "from": "0705", "sp": 4}],
        defender={"unit": "2ARM", "alias": "V4", "sp": 4},
        air="X1",
        leader=False,
        attack_dice=5,
        defence_dice=4,
        modifiers=[],
    ),
    event("rolled", "11.2n", why="attack", dice=[1, 5, 6, 6, 2], modifiers=[{"n": -2, "why": "rough", "clause": "terrain.13"}]),
    event("rolled", "11.2o", why="defence", dice=[2, 5, 6, 1], modifiers=[]),
    event("hits", "11.2p", label="A1", on="defender", units=[{"unit": "2ARM", "hits": 2, "sp": 2}]),
]
RECEIPT = ReportRequest(
    game="holdfast",
    kind="receipt",
    game_id="G1",
    side="axis",
    view=VIEW,
    events=[event("stepped", "repl.6", BUILD, unit="PAVIA", k=1, sp=3), *ATTACK],
    lines=["STEP PAVIA 1", "ATTACK 0805 WITH 21PZ AS A1", "END"],
    vocabulary=VOCABULARY,
    deadline="2026-03-29T20:00:00Z",
    zone="Europe/Vienna",
    address="orders+g1-t01-k3v9@pbem.example.com",
)


MARK = "=== hexpost: write your orders above this line ===\n\n"


def text(request: ReportRequest) -> str:
    return make_report(request).text


def flat(request: ReportRequest) -> str:
    """The plain text with its folds undone."""
    return " ".join(make_report(request).text.split())


def page(request: ReportRequest) -> Any:
    """The tree of the HTML form."""
    return lxml.html.fromstring(make_report(request).html)


def shown(request: ReportRequest) -> str:
    """The words of the HTML form as a reader sees them."""
    body = page(request).body
    for hidden in body.xpath("//div[contains(@style, 'display:none')]"):
        hidden.drop_tree()
    return " ".join("".join(body.itertext()).split())
