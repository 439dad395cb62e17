"""What happened, in words: sentences by step, battles with their dice, ways by the names of places."""

from __future__ import annotations

from dataclasses import replace

from services.mail.speech import Speech
from services.mail.wording import load_wording
from tests.mail.reports import ATTACK, RECEIPT, event, flat, page, shown, text


def test_what_happened_is_told_by_step_in_order() -> None:
    said = text(RECEIPT)
    assert (
        said.index("Axis player-turn · build-up")
        < said.index("PAVIA gains 1 step and has 3 SP. [repl.6]")
        < said.index("Attack on Msus (0805): 5 dice against 4. [11.2e]")
    )


def test_a_battle_shows_fighters_dice_reasons_and_hits() -> None:
    said = text(RECEIPT)
    for line in (
        "      attacker  21PZ (21st Panzer)          hex 0705     4 SP\n",
        "      defender  2ARM (2nd Armor), block V4  Msus (0805)  4 SP\n",
        "      + air unit X1",
        "      attack    [1] [5] [6] [6] [2]  (5 dice)\n                -2 rough [terrain.13]\n",
        "      defence   [2] [5] [6] [1]  (4 dice)\n",
        "      - 2ARM (2nd Armor) takes 2 hits; 2 SP left. [11.2p]",
    ):
        assert line in said
    html = shown(RECEIPT)
    assert "-2 rough [terrain.13]" in html
    assert "attack1 5 6 6 2 5 dice-2 rough" in html


def test_dice_stand_as_they_were_thrown_and_those_that_hit_are_marked() -> None:
    battle = ATTACK[0] | {"data": ATTACK[0]["data"] | {"hit_on": {"attack": 5, "defence": 6}}}
    request = replace(RECEIPT, events=[battle, *ATTACK[1:]])
    said = text(request)
    assert "      attack    1 [5] [6] [6] 2  (5 dice, hit on 5 or more: 3)\n                -2 rough [terrain.13]\n" in said
    assert "      defence   2 5 [6] 1  (4 dice, hit on 6: 1)\n" in said
    dice = page(request).xpath("//*[contains(@style, 'border-radius')]")
    assert [(d.text, d.tag == "b" and d.get("class") == "x-hit") for d in dice] == [
        *(("1", False), ("5", True), ("6", True), ("6", True), ("2", False)),
        *(("2", False), ("5", False), ("6", True), ("1", False)),
    ]


def test_help_that_the_dice_name_is_not_told_twice() -> None:
    wing = {"n": 2, "why": "air", "clause": "11.2i"}
    battle = ATTACK[0] | {"data": ATTACK[0]["data"] | {"modifiers": {"attack": [wing], "defence": []}}}
    said = text(replace(RECEIPT, events=[battle, ATTACK[1] | {"data": ATTACK[1]["data"] | {"modifiers": [wing]}}]))
    assert said.count("air unit") == 1
    assert "+2 air unit [11.2i]" in said


def test_a_way_names_the_places_that_it_goes_by() -> None:
    moved = {**event("moved", "11.1d"), "data": {"side": "axis", "alias": "G3", "path": ["0210", "0704", "0805", "0905"]}}
    assert "from El Agheila (0210) by 0704, Msus to hex 0905." in flat(replace(RECEIPT, events=[moved]))


def test_a_long_way_is_shortened_in_the_middle() -> None:
    path = [f"{column:02d}10" for column in range(2, 20)]
    moved = {**event("moved", "11.1d"), "data": {"side": "axis", "alias": "G3", "path": path}}
    said = flat(replace(RECEIPT, events=[moved]))
    assert "Gray block G3 moves from El Agheila (0210) by 0310, 0410, 0510, … 10 more …, 1610, 1710, 1810 to hex 1910." in said


def test_an_exact_number_is_shown_as_a_fraction() -> None:
    speech = Speech(load_wording("en", "holdfast"), {})
    assert [speech.number(n) for n in (3, "7/2", "1/3", "-1/2", "9/3", "5/7")] == ["3", "3½", "⅓", "-½", "3", "5/7"]


def test_an_event_without_words_is_still_told_plainly() -> None:
    assert "oddity (unit: 21PZ, n: 3) [9.9]" in text(replace(RECEIPT, events=[event("oddity", "9.9", unit="21PZ", n=3)]))
