"""What is Race for Tunis's own in reports: battles with guns and aircraft, counterbattery fire, options, places that change hands."""

from __future__ import annotations

from typing import Any

from services.mail.figures import figures, summary
from services.mail.report import ReportRequest, make_report
from services.mail.speech import Speech
from services.mail.wording import load_wording
from tests.mail.reports import flat

UNITS = {
    "5-I": ("I 5th Parachute Regiment", "axis", {"attack": 4}),
    "1-501": ("1st Company 501st Tigers", "axis", {"attack": 6}),
    "II-90": ("II 90th Panzer Artillery", "axis", {"attack": 5}),
    "JU87": ("Ju-87s", "axis", {"support": 2}),
    "1ES": ("1st East Surreys", "allied", {"attack": 2}),
    "64AT": ("64th Antitank", "allied", {"attack": 1, "defence": 2}),
    "78FA": ("78th Division artillery", "allied", {"attack": 6}),
}
VOCABULARY = {
    "game": {"title": "Race for Tunis", "sides": ["axis", "allied"], "sources": {}},
    "units": {unit: {"name": name, "side": side, "values": values} for unit, (name, side, values) in UNITS.items()},
    "places": {"MEDJEZ EL BAB": "1215"},
    "names": {"1215": "Medjez el Bab"},
    "turns": ["25 Nov", "26 Nov"],
}
SPEECH = Speech(load_wording("en", "race-for-tunis"), VOCABULARY, "axis")
BATTLES = [["turn", 2], ["player-turn", "axis"], ["step", "battles"]]


def event(kind: str, clause: str = "8.1-2", at: Any = BATTLES, /, **data: Any) -> dict[str, Any]:
    return {"n": 1, "kind": kind, "clause": clause, "path": at, "data": data}


# The Tigers climb (6 halved is 3) beside the paratroops' 4, and so does the battery's fire (2½): 9½ to 2 + 2 and 6 from the gun is 1:2, two
# columns up 2:1.
BATTLE = event(
    "battle",
    label="A1",
    hexes=["1215", "1216"],
    hex="1215",
    side="axis",
    attackers=[{"unit": "5-I", "from": "1116", "cf": 4}, {"unit": "1-501", "from": "1315", "cf": 3}],
    defenders=[{"unit": "1ES", "hex": "1215", "cf": 2}, {"unit": "64AT", "hex": "1216", "cf": 2}],
    support=[{"unit": "II-90", "factor": "5/2"}],
    defence_support=[{"unit": "78FA", "factor": 6}],
    air=["JU87"],
    lower=None,
    attack="19/2",
    defence=10,
    odds="2:1",
)


def request(*events: dict[str, Any], kind: str = "turn", **more: Any) -> ReportRequest:
    view = {"turn": 2, "own": {"vp": 17}, "waiting_for": ["axis"], "over": None, **more}
    return ReportRequest("race-for-tunis", kind, "G1", side="axis", view=view, events=events, vocabulary=VOCABULARY)


def happened(*events: dict[str, Any]) -> str:
    return make_report(request(*events)).text.partition("WHAT HAPPENED\n\n")[2].partition("\n\nPOSITION")[0]


def test_a_battle_shows_what_terrain_made_of_each_unit_guns_aircraft_dice_and_what_came_of_it() -> None:
    gone = event("eliminated", "9.1.7-1", unit="1ES", hex="1215", cause="combat", label="A1")
    back = event("retreated", "9.2.A-1", unit="64AT", path=["1216", "1217"], label="A1")
    taken = event("control_changed", "16.0.A-2", hex="1215", side="axis")
    result = event("result", "9.1.A-2", label="A1", odds="2:1", dice=[3, 4], result="DR1", hexes=["1215", "1216"])
    forward = event("advanced", "9.2.D-1", units=["5-I"], path=["1215", "1216"], label="A1")
    assert happened(BATTLE, result, gone, back, forward, taken) == (
        "Axis player-turn · battles\n"
        "  * Battle for Medjez el Bab (1215) and hex 1216 (A1): 9½ against 10,\n"
        "    fought at 2:1. [8.1-2]\n"
        "      attacker  5-I (I 5th Parachute       hex 1116              4\n"
        "                Regiment)\n"
        "                1-501 (1st Company 501st   hex 1315              3 of 6\n"
        "                Tigers)\n"
        "      support   II-90 (II 90th Panzer                            2½ of 5\n"
        "                Artillery)\n"
        "      defender  1ES (1st East Surreys)     Medjez el Bab (1215)  2\n"
        "                64AT (64th Antitank)       hex 1216              2\n"
        "      support   78FA (78th Division                              6\n"
        "                artillery)\n"
        "      + JU87 (Ju-87s) raise the odds by 2 columns\n"
        "      dice      [3] [4]  2:1, DR1: the defenders retreat 1 hex [9.1.A-2]\n"
        "      - 1ES (1st East Surreys) is eliminated in Medjez el Bab (1215):\n"
        "        combat. [9.1.7-1]\n"
        "      - 64AT retreats from hex 1216 to hex 1217. [9.2.A-1]\n"
        "      - 5-I advances into Medjez el Bab (1215) and on to hex 1216.\n"
        "        [9.2.D-1]\n"
        "      - Medjez el Bab (1215) is taken by the Axis. [16.0.A-2]"
    )


def test_an_attack_on_two_hexes_is_won_when_both_are_left_and_what_is_taken_and_declared_is_summed_up() -> None:
    gone = event("eliminated", unit="1ES", hex="1215", cause="combat", label="A1")
    back = event("retreated", unit="64AT", path=["1216", "1217"], label="A1")
    taken = event("control_changed", "16.0.A-2", hex="1215", side="axis")
    found = figures([BATTLE, gone, taken], SPEECH)
    assert [attack.end for attack in found["axis"].attacks] == ["open"]
    assert [attack.end for attack in figures([BATTLE, gone, back], SPEECH)["axis"].attacks] == ["won"]
    assert [a.end for a in figures([BATTLE, event("outgunned", label="A1", hexes=["1215", "1216"])], SPEECH)["axis"].attacks] == ["held"]
    said = summary(figures([BATTLE, gone, back, taken], SPEECH), {"own": {"vp": 18}}, SPEECH)
    assert said == [
        "The Axis attacked Medjez el Bab and hex 1216 (the hex was emptied); the Allies: 1 retreat.",
        "Losses: the Allies 1ES.",
        "Medjez el Bab taken by the Axis. The Axis holds places worth 18 VP.",
    ]
    declared = event("declared", "8.1-1", side="axis", units=["5-I"], hexes=["1215"], label="A1")
    landed = event("landed", "14.0.E-1", unit="1-501", hex="0711", how="ordered")
    bought = event("replaced", "13.0.B-1", unit="1ES", cost=2, total=0)
    said = summary(figures([declared, landed, bought], SPEECH), {"own": {"vp": 18}}, SPEECH)
    assert said[0] == "The Axis: 1 arrival and 1 attack declared; the Allies: 1 unit bought back."


def test_counterbattery_fire_is_a_table_with_its_dice() -> None:
    step = [["turn", 2], ["player-turn", "axis"], ["step", "counterbattery"]]
    fire = {"guns": ["II-90"], "target": "78FA", "hex": "1317", "attack": 5, "defence": 6, "column": "1:2", "dice": [4, 4]}
    assert happened(event("counterbattery", "17.3.D", step, **fire, result="AE", silenced=False)) == (
        "Axis player-turn · counterbattery\n"
        "  * Counterbattery at 78FA (78th Division artillery) in hex 1317: 5\n"
        "    against 6. [17.3.D]\n"
        "      guns      II-90 (II 90th Panzer Artillery)  5\n"
        "      target    78FA (78th Division artillery)    6\n"
        "      dice      [4] [4]  1:2, AE: it may fire [17.3.D]"
    )
    assert "it is silenced for this combat phase" in happened(
        event("counterbattery", "17.3.C-2", step, **fire, result="DR1", silenced=True)
    )


def test_the_first_mail_names_the_options_that_are_played() -> None:
    played = {"tempo": "normal", "air": True, "weather": False, "landings": True, "italian_selective": True, "extended_end": "24 Dec"}
    assert "It is played with tactical air support [17.2] and air drops and landings [17.6]." in flat(request(kind="start", options=played))
    assert "It is played without any optional rule." in flat(request(kind="start", options={"air": False, "weather": False}))
    by_germans = {"air": False, "italian_selective": False, "counterbattery_before": False}
    assert "selective attacks by Germans alone [11.1] and counterbattery dice after" in flat(request(kind="start", options=by_germans))


def test_weather_has_its_row_only_where_it_is_played() -> None:
    own = {"weather": "heavy-rain", "coming": {"10": ["1ES"], "9": ["5-I"]}}
    assert "Weather heavy rain" in flat(request(own=own, options={"weather": True}))
    assert "Weather heavy rain" not in flat(request(own=own, options={"weather": False}))
    assert "turn 9: 5-I; turn 10: 1ES" in flat(request(own=own, options={}))
