"""Battles of a game of odds: a table each by the game's own description, with what came of it below; decisions and figures in its words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.mail.battles.games import LAYOUTS
from services.mail.figures import figures
from services.mail.plain import split_dice
from services.mail.speech import Speech
from services.mail.wording import load_wording
from tests.mail.odds import BARRAGE, COMBAT, HIT, MISS, OWN, TURN, VOCABULARY, check, event
from tests.mail.reports import flat, page, text

SPEECH = Speech(load_wording("en", "beda-fomm"), VOCABULARY, "italian")


def told(*events: dict[str, Any]) -> str:
    """What happened, alone."""
    return text(replace(TURN, events=events)).partition("WHAT HAPPENED\n\n")[2].partition("\n\nPOSITION")[0]


def test_a_barrage_shows_guns_columns_dice_and_below_them_its_checks_and_retreats() -> None:
    assert told(*BARRAGE) == (
        "British player-turn · barrage\n"
        "  * Barrage of hex 2026 from hex 2222: 4 factors. [10.5a]\n"
        "      guns      C-4RHA (C Battery 4th RHA)\n"
        "      target    BAB-6-1 (Babini 6/1)           below the table\n"
        "                BER-MAR (Marmarica battalion)  column 4\n"
        "                T-3 (Transport 3)              column 4\n"
        "      BER-MAR   [5]  a morale check with +1 [10.5d]\n"
        "      T-3       [1]  no effect [10.5d]\n"
        "      - BER-MAR checks morale: [6] [1] +1 = 8 against 6, failed by 2.\n"
        "        [7.0e]\n"
        "      - The morale of Bergonzoli (BER) falls to 5. [7.31a]\n"
        "      - The retreat was chosen (by your standing order). [12.42a]\n"
        "      - BER-MAR retreats from hex 2026 by 1926 to hex 1825. [12.41a]"
    )


def test_a_shot_shows_its_odds_and_die_or_that_none_was_thrown() -> None:
    assert told(*HIT, *MISS) == (
        "British player-turn · antitank\n"
        "  * Antitank fire at BAB-6-1 in hex 2024: 3 against 2. [11.0o]\n"
        "      firing    2RT-1 (2nd Royal Tanks 1)\n"
        "      target    BAB-6-1 (Babini 6/1)\n"
        "      die       [1]  1:1: the target is eliminated [11.0o]\n"
        "      - BAB-6-1 (Babini 6/1) is eliminated in hex 2024: antitank fire.\n"
        "        [11.0p]\n"
        "      - The morale of Babini (BAB) falls to 7. [7.31b]\n"
        "  * Antitank fire at 2RT-1 in hex 2124: 2 against 9. [11.0m]\n"
        "      firing    COL-ART (Colpani artillery)\n"
        "      target    2RT-1 (2nd Royal Tanks 1)\n"
        "      odds      less than 1:3: no effect [11.0m]"
    )


def test_a_combat_shows_both_sides_with_support_and_its_limit_odds_die_and_checks() -> None:
    """The attackers' 3 + 2 are supported by 5 of the battery's 8, the defenders' 4 by both factors of theirs."""
    assert told(*COMBAT) == (
        "British player-turn · combat\n"
        "  * Attack on hex 2026: 10 against 6, 1:1. [12.0o]\n"
        "      attacker  2RB-A (A Company 2nd Rifle Brigade)  hex 2027  3\n"
        "                2RB-B (B Company 2nd Rifle Brigade)  hex 2126  2\n"
        "      support   C-4RHA (C Battery 4th RHA)                     8\n"
        "      defender  BER-MAR (Marmarica battalion)                  4\n"
        "                T-3 (Transport 3)                              0\n"
        "      support   COL-ART (Colpani artillery)                    2\n"
        "      + support adds 5 to the attack: of 8 factors no more than the\n"
        "        attackers have themselves\n"
        "      + support adds 2 to the defence\n"
        "      die       [5]  1:1, DM1: the defenders check morale with +1\n"
        "                [12.0t]\n"
        "      - BER-MAR checks morale: [1] [1] +1 = 3 against 6, passed. [7.0e]\n"
        "      - T-3 checks morale as BER-MAR comes through: [6] [6] +1 = 13\n"
        "        against 6, failed by 7. [7.0e]\n"
        "      - T-3 (Transport 3) is eliminated in hex 2026: combat. [7.22a]"
    )


def test_results_of_every_kind_have_their_words() -> None:
    said = {result: SPEECH.say("throws", "result", {"odds": "3:1", "result": result}) for result in ("AE", "AM2", "AM", "DM", "DM3", "DE")}
    assert said == {
        "AE": "3:1, AE: the attackers are eliminated",
        "AM2": "3:1, AM2: the attackers check morale with +2",
        "AM": "3:1, AM: the attackers check morale",
        "DM": "3:1, DM: the defenders check morale",
        "DM3": "3:1, DM3: the defenders check morale with +3",
        "DE": "3:1, DE: the defenders are eliminated",
    }
    words = [SPEECH.say("throws", "barrage_result", {"result": result}) for result in ("-", "M", "M3", "E")]
    assert words == ["no effect", "a morale check", "a morale check with +3", "eliminated"]


def test_what_does_not_belong_to_a_battle_stands_behind_it_alone() -> None:
    parked = event("parked_taken", "9.45a", "combat", label="2026", hex="2026", unit="T-3")
    advanced = event("advanced", "12.51a", "combat", side="british", label="A1", units=["2RB-A"], hex="2026", moves=[])
    said = told(*COMBAT, advanced, parked, check("T-3", [1, 2], 0, 6, "combat"))
    assert "      - 2RB-A advances into hex 2026. [12.51a]\n  * T-3 (Transport 3), parked alone in hex 2026, is taken" in said
    assert said.endswith("  * T-3 checks morale: [1] [2] = 3 against 6, passed. [7.0e]")


def test_dice_of_a_check_stand_in_boxes_in_the_html_form() -> None:
    assert split_dice("T-3: [6] [1] +1 = 8.") == [("T-3: ", False), ("6", True), ("1", True), ("+1 = 8.", False)]
    assert split_dice("By 12.43.") == [("By 12.43.", False)]
    boxes = page(TURN).xpath("//*[contains(@style, 'border-radius')]")
    assert [box.text for box in boxes] == ["5", "1", "6", "1", "1", "5", "1", "1", "6", "6"]


def test_every_role_and_line_of_a_description_has_its_words() -> None:
    lacking = []
    for game, layouts in LAYOUTS.items():
        words = load_wording("en", game)
        for layout in layouts.values():
            lacking += [(game, "labels", rows.role) for rows in layout.rows if not words.has("labels", rows.role)]
            lacking += [(game, table, kind) for table in ("captions", "throws") for kind in layout.throws if not words.has(table, kind)]
            lacking += [(game, "help", key) for key in layout.help if not words.has("help", key)]
            lacking += [(game, "labels", key) for key in layout.dice if not words.has("labels", key)]
            lacking += [
                (game, "events", kind) for kind in (layout.begins, *layout.below) if not words.has("events", kind) and game != "holdfast"
            ]
    assert lacking == []


def test_an_entry_and_the_way_on_are_one_sentence() -> None:
    entered = event("arrived", "15.0b", "movement", side="italian", unit="T-3", hex="0901", cost="1/2", how="ordered")
    first = event(
        "moved", "9.0f", "movement", side="italian", units=["T-3"], path=["0901", "0902"], cost={"T-3": 1}, infiltrated=[], drop=None
    )
    then = {**first, "data": {**first["data"], "path": ["0902", "0903", "1003"], "cost": {"T-3": "5/2"}}}
    assert told(entered, first, then) == (
        "British player-turn · movement\n  * T-3 enters and goes from hex 0901 by 0902, 0903 to hex 1003: 2½ MP.\n    [9.0f]"
    )
    default = {**entered, "data": {**entered["data"], "how": "default"}}
    assert "T-3 enters (without an order) and goes from hex 0901 to hex 0902: 1 MP." in " ".join(told(default, first).split())
    assert "T-3 (Transport 3) enters at hex 0901: ½ MP." in told(entered, {**first, "data": {**first["data"], "units": ["COL-ART"]}})
    infiltrating = {**first, "data": {**first["data"], "infiltrated": ["T-3"]}}
    assert told(infiltrating, then).count("T-3 moves") == 2


def test_units_that_go_the_same_way_one_after_another_are_told_together() -> None:
    way = {"side": "italian", "path": ["1726", "1725"], "infiltrated": [], "drop": None}
    moves = [
        event("moved", "9.0f", "movement", **way, units=[unit], cost={unit: mp})
        for unit, mp in (("T-3", 1), ("COL-ART", "3/2"), ("BER-MAR", 1))
    ]
    other = event("moved", "9.0f", "movement", **{**way, "path": ["1727", "1726"]}, units=["BAB-6-1"], cost={"BAB-6-1": 1})
    assert told(*moves, other, moves[0]) == (
        "British player-turn · movement\n"
        "  * T-3, COL-ART and BER-MAR move from hex 1726 to hex 1725: 1 and 1½\n"
        "    MP. [9.0f]\n"
        "  * BAB-6-1 moves from hex 1727 to hex 1726: 1 MP. [9.0f]\n"
        "  * T-3 moves from hex 1726 to hex 1725: 1 MP. [9.0f]"
    )


def test_where_a_road_goes_is_no_name_of_a_place() -> None:
    named = Speech(SPEECH.words, {**VOCABULARY, "names": {"2001": "to Soluch", "0901": "El Magrun"}})
    assert (named.at("2001"), named.at("0901")) == ("hex 2001", "El Magrun (0901)")


def test_the_figures_of_a_turn_are_what_its_events_add_up_to() -> None:
    exited = event("exited", "4.1d", "movement", unit="COL-ART", hex="2835", size="battalion", points=2, vp=3)
    found = figures([*BARRAGE, *HIT, *MISS, *COMBAT, exited], SPEECH)
    italian, british = found["italian"], found["british"]
    assert (british.barrages, british.shots, british.hit, italian.shots, italian.hit) == (1, 1, 1, 1, 0)
    assert (italian.retreats, italian.lost, italian.exited, italian.points) == (1, ["BAB-6-1", "T-3"], ["COL-ART"], 2)
    assert italian.morale == {"BER": 5, "BAB": 7}
    assert [(attack.hexes, attack.end) for attack in british.attacks] == [(("2026",), "held")]
    away = event("retreated", "12.41a", "combat", unit="BER-MAR", path=["2026", "1926"], exit=False)
    assert [attack.end for attack in figures([*COMBAT, away], SPEECH)["british"].attacks] == ["won"]
    later = {**away, "path": [["turn", 10], ["player-turn", "british"], ["step", "combat"]]}
    assert [attack.end for attack in figures([*COMBAT, later], SPEECH)["british"].attacks] == ["held"]


def test_the_summary_tells_points_and_morale() -> None:
    exited = event("exited", "4.1d", "movement", unit="COL-ART", hex="2835", size="battalion", points=2, vp=3)
    said = flat(replace(TURN, events=[*TURN.events, exited]))
    assert (
        "The British attacked hex 2026 (the defenders held), besides 1 barrage and 1 antitank shot; the Italians: 1 retreat. "
        "Losses: the Italians BAB-6-1 and T-3. COL-ART left the map. The Italians have 3 VP. "
        "Morale fell: Bergonzoli (BER) 5, Babini (BAB) 7."
    ) in said
    quiet = event(
        "moved", "9.0f", "movement", side="british", units=["2RB-A"], path=["2731", "2730"], cost={"2RB-A": 1}, infiltrated=[], drop=None
    )
    assert "The British: 1 move, and no attack. The Italians have 3 VP." in flat(replace(TURN, events=[quiet]))


def test_the_position_tells_what_this_game_counts() -> None:
    said = text(TURN).partition("POSITION\n")[2].partition("\n\n")[0]
    assert said == (
        "  Light           day\n"
        "  Victory points  3 (the Italians win with 6, and at once with 11)\n"
        "  Morale          Italian: BER 4; British: 4ARM 12, COM 11\n"
        "  First contact   COL-AT in hex 1728, turn 3\n"
        "  Interdiction    hex 1010 (British, +4 MP)"
    )
    opening = {**OWN, "opening": True, "contact": None, "called": 2, "dark": True, "interdicted": {}}
    said = flat(replace(TURN, view={**TURN.view, "own": opening}))
    assert "Light dark: movement only, and nobody enters an enemy ZOC Opening no contact yet; until then the Italians go" in said
    assert "Convoys 2 of 9 have appeared" in said
    assert "First contact" not in said


def test_decisions_are_asked_in_words_that_can_be_answered() -> None:
    routes = [
        {"unit": "T-3", "path": ["1926", "1825"], "exit": False},
        {"unit": "T-3", "path": ["1926", "1826"], "exit": False},
        {"unit": "T-3", "path": ["1926"], "exit": True},
    ]
    asked = [
        ("checks", "CHECKS", {"units": ["BER-MAR", "T-3"]}, None, {"name": "order", "units": ["BER-MAR", "T-3"]}),
        ("retreat", "RETREAT", routes[0], routes, None),
        ("retreat", "RETREAT", routes[2], routes[2:], None),
        ("casualty", "CHECKS", {"units": ["T-3"]}, [{"units": ["T-3"]}, {"units": ["BER-MAR"]}], None),
        ("advance", "ADVANCE", {"none": True}, None, {"hex": "2026", "units": ["T-3"]}),
        ("combat", "RESOLVE", {"battle": "A1"}, None, None),
    ]
    pending = [
        {
            "kind": kind,
            "verb": verb,
            "side": "italian",
            "default": default,
            "choices": choices,
            "rule": rule,
            "clause": "12.0",
            "label": "A1",
        }
        for kind, verb, default, choices, rule in asked
    ]
    said = text(replace(TURN, view={**TURN.view, "pending": pending})).partition("DECISIONS THAT ARE YOURS NOW\n")[2].partition("\n\n")[0]
    assert " ".join(said.split()).split(" * ") == [
        "* BER-MAR and T-3 must check morale: answer with CHECKS and the order. Without an answer: BER-MAR, T-3. [12.0]",
        "T-3 must retreat: answer with RETREAT T-3 and the hexes, or TO the last of them, or EXIT behind them to leave the map. "
        "It may end in 1825 or 1826. Without an answer: 1926 1825. [12.0]",
        "T-3 must retreat: answer with RETREAT T-3 and the hexes, or TO the last of them, or EXIT behind them to leave the map. "
        "Without an answer: 1926 EXIT. [12.0]",
        "One unit is eliminated: answer with CHECKS and T-3 or BER-MAR. Without an answer: T-3. [12.0]",
        "Hex 2026 is empty, and T-3 may advance: answer with ADVANCE, the units and TO 2026, or ADVANCE NONE. "
        "Without an answer nobody does. [12.0]",
        "Several combats are left to fight: name the next with RESOLVE and its label. Without an answer: A1. [12.0]",
    ]


def test_what_is_reconstructed_is_named_once() -> None:
    assert "Used here and reconstructed, not printed in the rulebook: the map." in flat(TURN)
