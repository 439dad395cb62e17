"""A game-turn in parts: with the words that the mails have, and numbers that are counted by hand."""

from __future__ import annotations

import pytest

from services.mail.app import create_app
from services.mail.chronicle import ChronicleRequest, chronicle
from services.mail.config import Config
from services.mail.measures import measures
from services.mail.speech import Speech
from services.mail.wording import load_wording
from tests.mail.reports import VIEW, VOCABULARY
from tests.mail.test_figures import DAY

REQUEST = ChronicleRequest("holdfast", 2, None, VIEW, DAY, VOCABULARY)


def test_the_parts_say_what_the_report_says() -> None:
    found = chronicle(REQUEST)
    assert found["title"] == "Turn 2, April 1941"
    battles = [item for one in found["sections"] for item in one["items"] if item["kind"] == "battle"]
    assert battles[0]["title"] == "Attack on Msus (0805): 5 dice against 4."
    assert [die["n"] for die in battles[0]["throws"][0]["dice"]] == [1, 5, 6, 6, 2]
    assert battles[0]["throws"][0]["modifiers"] == ["-2 rough [terrain.13]"]
    assert any("Tobruk" in one for one in found["summary"])
    assert {"caption": "Eliminated", "cells": ["none", "2ARM"]} in found["figures"]
    assert found["names"] == {"axis": "Axis", "allied": "Allied"}
    assert found["alt"]["map"].startswith("Map of the whole position, Turn 2, April 1941.")
    assert chronicle(ChronicleRequest("holdfast"))["title"] == "Set-up"


@pytest.mark.parametrize(
    ("view", "values"),
    [
        ({"counters": []}, {}),
        (
            {
                "counters": [
                    {"side": "axis", "place": "0210", "num": {"sp": 3}},
                    {"side": "axis", "place": "box:pool-axis", "num": {"sp": 9}},
                ]
            },
            {"strength": {"axis": 3}, "units": {"axis": 1}},
        ),
        (  # one whose points nobody sees: no sum is told
            {"counters": [{"side": "axis", "place": "0210", "num": {"sp": 3}}, {"side": "allied", "place": "0211", "num": {}}]},
            {"units": {"axis": 1, "allied": 1}},
        ),
        ({"own": {"control": {"0210": "axis", "1803": "allied", "3907": "allied"}}}, {"objectives": {"axis": 1, "allied": 2}}),
        ({"own": {"vp": 13, "rp": {"axis": 2, "allied": 0}}}, {"points": {"": 13}, "resources": {"axis": 2, "allied": 0}}),
    ],
)
def test_measures_count_what_the_view_holds_and_nothing_that_it_hides(view: dict[str, object], values: dict[str, object]) -> None:
    found = measures(view, Speech(load_wording("en", "holdfast"), VOCABULARY))
    assert {one["key"]: one["values"] for one in found} == values


def test_the_levels_of_morale_are_added_up_by_the_side_of_their_formation() -> None:
    units = {"B1": {"side": "italian", "values": {"parent": "BAB"}}, "C1": {"side": "italian", "values": {"parent": "COM"}}}
    units |= {"H1": {"side": "british", "values": {"parent": "7ARM"}}}
    speech = Speech(load_wording("en", "beda-fomm"), {"units": units, "game": {"sides": ["british", "italian"]}})
    (found,) = measures({"own": {"morale": {"BAB": 8, "COM": 11, "7ARM": 12}}}, speech)
    assert (found["key"], found["values"]) == ("morale", {"british": 12, "italian": 19})


def test_the_call_gives_the_parts_and_refuses_what_it_cannot_take() -> None:
    client = create_app(Config(token=None)).test_client()
    body = {"game": "holdfast", "turn": 2, "view": VIEW, "events": DAY, "vocabulary": VOCABULARY}
    answer = client.post("/v1/chronicles", json=body)
    assert answer.status_code == 200
    assert answer.get_json()["title"] == "Turn 2, April 1941"
    assert client.post("/v1/chronicles", json=body | {"language": "xx"}).status_code == 404
    assert client.post("/v1/chronicles", json=body | {"secret": "x"}).status_code == 422
