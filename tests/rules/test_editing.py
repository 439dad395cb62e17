"""What the umpire sets right by hand, in each of the games: what it does, whom it is told, and what it may not leave behind."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.editing import Edit, edited
from services.rules.engine.view import view, view_events
from services.rules.schemas.state import dump_state
from tests.rules.api.service import opening, post, problem
from tests.rules.beda_fomm import positions as beda
from tests.rules.fall_of_tobruk import positions as tobruk
from tests.rules.holdfast import positions as holdfast
from tests.rules.play import Play
from tests.rules.race_for_tunis import positions as tunis


def read(line: str) -> Edit:
    """``MOVE unit place``, ``REMOVE unit [place]``, ``RESTORE unit place``, ``SET name value``, ``SET name key value``."""
    verb, unit, *rest = line.split()
    if verb != "SET":
        return Edit(verb, unit, place=" ".join(rest))
    return Edit(verb, unit, name=rest[0] if len(rest) > 1 else "", value=rest[-1])


def made(game: Play, *lines: str) -> Play:
    """The game after these edits, all of which are made; its state is whole as one that was played."""
    game.last = edited(game.module, game.state, tuple(map(read, lines)))
    assert game.last.status == "done", game.last.rejections
    assert (game.last.state.path, game.last.state.seq, game.last.ran) == (game.state.path, game.state.seq, False)
    game.state = game.last.state
    if game.strict:
        game.check()
    return game


def refused(game: Play, *lines: str) -> list[str]:
    """The codes of what keeps edits from being made; nothing has changed."""
    outcome = edited(game.module, game.state, tuple(map(read, lines)))
    assert outcome.status == "refused"
    assert outcome.state is game.state
    return [one.code for one in outcome.rejections]


def seen(game: Play, side: str | None) -> list[Any]:
    return [one["data"] for one in view_events(game.last.events, side)]


# Holdfast: hidden blocks


def test_a_hidden_block_is_set_elsewhere_and_the_other_side_sees_the_block_go() -> None:
    game = made(holdfast.position("21PZ@0310 ARIETE@1109 22GDS@3508"), "MOVE 21PZ 1803")
    assert game.at("21PZ") == "1803"
    assert seen(game, "axis") == [{"verb": "MOVE", "unit": "21PZ", "from": "0310", "to": "1803"}]
    hidden = {"verb": "MOVE", "unit": None, "alias": "G1", "from": "0310", "to": "1803"}
    assert seen(game, "allied") == seen(game, None) == [hidden]


def test_strength_and_what_waits_are_told_their_owner_alone() -> None:
    game = made(holdfast.position("21PZ@0310 15PZ@off3 22GDS@3508"), "SET 21PZ SP 2", "SET 15PZ DUE 4")
    assert (game.state.counters["21PZ"].num["sp"], game.state.counters["15PZ"].num["due"]) == (2, 4)
    assert [one["value"] for one in seen(game, "axis")] == [2, 4]
    assert seen(game, "allied") == []
    other = made(holdfast.position("21PZ@0310 15PZ@off3 22GDS@3508"), "SET 21PZ SP 3", "SET 15PZ DUE 5")
    assert view(game.module, game.state, "allied") == view(other.module, other.state, "allied")


def test_a_block_goes_to_the_pool_and_comes_back_known() -> None:
    game = made(holdfast.position("21PZ@0310 22GDS@3508"), "REMOVE 21PZ")
    assert (game.at("21PZ"), game.state.counters["21PZ"].num["sp"], game.own("blocks")) == ("box:pool-axis", 0, {"V1": "22GDS"})
    made(game, "RESTORE 21PZ 1803")
    assert (game.at("21PZ"), game.state.counters["21PZ"].num["sp"], game.own("blocks")["G2"]) == ("1803", 1, "21PZ")
    assert game.own("seen")["G2"]["unit"] == "21PZ"
    # one that waits comes as an unknown block, at full strength
    made(game := holdfast.position("21PZ@0310 15PZ@off3 22GDS@3508"), "RESTORE 15PZ 1803")
    assert (dict(game.state.counters["15PZ"].num), "G2" in game.own("seen")) == ({"sp": 4}, False)
    assert seen(game, "allied") == [{"verb": "RESTORE", "unit": None, "alias": "G2", "from": None, "to": "1803"}]


def test_points_cities_and_weather_are_told_to_all() -> None:
    game = made(holdfast.position("21PZ@0310 22GDS@3508"), "SET RP AXIS 7", "SET CONTROL 0210 ALLIED", "SET WEATHER POOR")
    assert (game.own("rp"), game.own("control")["0210"], game.own("weather")) == ({"axis": 7, "allied": 10}, "allied", "poor")
    assert seen(game, None)[0] == {"verb": "SET", "name": "rp", "key": "axis", "was": 12, "value": 7}


def test_what_no_play_leaves_behind_is_refused() -> None:
    game = holdfast.position("21PZ@0310 ARIETE@1109 22GDS@3508 PAVIA@pool")
    assert refused(game, "MOVE 21PZ 1109") == ["edit-crowded"]
    assert refused(game, "MOVE 21PZ 3508") == ["edit-both-sides"]
    assert refused(game, "MOVE 21PZ 9999") == ["edit-no-place"]
    assert refused(game, "MOVE 21PZ 0310") == ["edit-there-already"]
    assert refused(game, "MOVE PAVIA 1803", "RESTORE 21PZ 1803", "REMOVE 21PZ 1803") == ["edit-off-map", "edit-on-map", "edit-no-box"]
    assert refused(game, "MOVE 99PZ 1803", "SET 21PZ SPEED 3", "SET 21PZ SP 99") == ["edit-no-unit", "edit-no-name", "edit-number"]
    assert refused(game, "SET RP 5", "SET RP ITALY 5", "SET WEATHER SNOW", "SET RP AXIS 12") == [
        *("edit-no-key", "edit-no-key", "edit-no-word", "edit-is-so")
    ]
    assert refused(game, "SET 21PZ MOVED 1", "SET 21PZ MOVED OFF", "SET PAVIA MOVED ON") == ["edit-on-off", "edit-is-so", "edit-off-map"]
    # two that change places are one edit
    made(game, "MOVE 21PZ 1109", "MOVE ARIETE 0310")
    assert (game.at("21PZ"), game.at("ARIETE")) == ("1109", "0310")


def test_nothing_is_set_right_while_a_decision_is_open_or_when_the_game_is_over() -> None:
    made_up = {"verb": "SET", "unit": "RP", "name": "axis", "value": "3"}
    start = opening()
    answer = post("edits", {"state": start["state"], "digest": start["digest"], "edits": [made_up]})
    assert (answer["status"], answer["digest"]) == ("refused", start["digest"])
    assert [(one["code"], one["details"]) for one in answer["rejections"]] == [("edit-open-decision", {"sides": ["axis"]})]
    over = {"winner": None, "level": "draw", "why": "draw"}
    closed = post("edits", {"state": start["state"] | {"over": over, "pending": []}, "edits": [made_up]})
    assert [one["code"] for one in closed["rejections"]] == ["edit-not-here"]


# Beda Fomm: stacks, faces, convoys


def test_beda_fomm_units_marks_points_and_morale() -> None:
    game = made(beda.position("2RB-A@2731 2RB-D@3310 COL-ART:fired@1719"), "MOVE 2RB-A 2732", "SET COL-ART FIRED OFF", "SET VP 9")
    assert (game.at("2RB-A"), game.state.counters["COL-ART"].face, game.own("vp")) == ("2732", "", 9)
    assert seen(game, "italian") == seen(game, "british") == seen(game, None)
    made(game, "SET MORALE BAB 3", "SET 2RB-A DONE ON", "REMOVE 2RB-D", "REMOVE 2RB-A EXITED")
    assert (game.own("morale")["BAB"], game.at("2RB-D"), game.at("2RB-A"), game.marks("2RB-A")) == (
        3,
        "box:eliminated",
        "box:exited",
        set(),
    )
    made(game, "RESTORE 2RB-A 2731")
    assert game.at("2RB-A") == "2731"


def test_beda_fomm_stacks_and_convoys() -> None:
    game = beda.position("2RB-A@2731 2RB-B@2731 2RB-D@2731 C-4RHA@2731 106RHA@2732 T-1@off T-3@off4")
    assert refused(game, "MOVE 106RHA 2731") == ["edit-crowded"]
    convoy = {"1": {"transports": ["T-1", "T-3"], "personnel": "2RB-A"}}
    game = beda.position("2RB-A@2731 T-1@off T-3@off4", own={"convoys": convoy})
    assert refused(game, "RESTORE T-1 2731") == ["edit-busy"]
    made(game, "SET T-3 DUE 6")
    assert game.state.counters["T-3"].num["due"] == 6


# Race for Tunis: engagements, components


def test_race_for_tunis_units_points_and_places() -> None:
    game = made(tunis.position("T1@1313 1ES@2125 10RB@dead"), "MOVE T1 1413", "SET RP 4", "SET WEATHER RAIN", "RESTORE 10RB 1313")
    assert (game.at("T1"), game.own("rp"), game.own("weather"), game.at("10RB")) == ("1413", 4, "rain", "1313")
    at = min(game.own("places"))
    other = {"axis": "ALLIED", "allied": "AXIS"}[game.own("places")[at]]
    made(game, f"SET CONTROL {at} {other}", "REMOVE T1")
    assert (game.own("places")[at], game.at("T1"), game.marks("T1")) == (other.lower(), "box:eliminated", set())


def test_an_engaged_unit_that_is_set_elsewhere_is_engaged_no_more() -> None:
    record = {"attackers": ["7-10-I"], "defenders": ["1ES"], "hexes": ["1312"], "beside": {}, "broken": []}
    marks = {"engaged-attacker": "7-10-I", "engaged-defender": "1ES"}
    game = made(tunis.position("7-10-I@1313 1ES@1312", own={"engaged": [record]}, marks=marks), "MOVE 1ES 2125")
    assert (game.own("engaged"), game.marks("1ES"), game.marks("7-10-I")) == ([], set(), set())


# The Fall of Tobruk: the limits of a hex, reserves, wrecks


def test_fall_of_tobruk_units_reserve_and_exits() -> None:
    game = made(
        tobruk.position("115@0505 5EY@1010 8PZ-1@0909"), "MOVE 5EY 1011", "SET RESERVE GRANT 3", "SET EXITS TANKS 2", "SET TOBRUK AXIS"
    )
    assert (game.at("5EY"), game.own("reserve")["grant"], game.own("exits")["tanks"], game.own("tobruk")) == ("1011", 3, 2, "axis")
    made(game, "SET 5EY DISRUPTED ON", "REMOVE 8PZ-1 REFIT")
    assert (game.marks("5EY"), game.at("8PZ-1")) == ({"disrupted"}, "box:refit")


def test_fall_of_tobruk_limits_and_what_is_part_of_others() -> None:
    game = tobruk.position("5EY@0505 4EY@0505 2SG@1010 8PZ-1@0909")
    assert refused(game, "MOVE 2SG 0505") == ["edit-crowded"]
    assert refused(game, "MOVE 8PZ-1 0505") == ["edit-both-sides"]
    game = tobruk.position("115@0505 2SG@1010")
    assert refused(game, "RESTORE 115-I 0606") == ["edit-busy"]


def test_race_for_tunis_arrivals() -> None:
    game = made(tunis.position("T1@1313 1ES@2125 T4@off3", turn=2), "SET T4 DUE 4")
    assert game.state.counters["T4"].num["due"] == 4
    assert refused(game, "SET T4 DUE 4", "SET T1 DUE 4") == ["edit-is-so", "edit-no-name"]
    made(game, "RESTORE T4 1413")
    assert (game.at("T4"), dict(game.state.counters["T4"].num)) == ("1413", {})


# The call


def test_what_the_rules_could_not_work_with_is_refused_with_the_reason() -> None:
    state = dump_state(holdfast.position("21PZ@0310 22GDS@3508 15PZ@off3").state)
    answer = post("edits", {"state": state, "edits": [{"verb": "SET", "unit": "21pz", "name": "sp", "value": "0"}]})
    (rejection,) = answer["rejections"]
    assert (answer["status"], rejection["code"]) == ("refused", "edit-illegal")
    assert rejection["details"]["why"] == "21PZ num: Must have 1 to 4 sp."
    done = post("edits", {"state": state, "edits": [{"verb": "MOVE", "unit": "21-PZ", "place": "Tobruk"}]})
    assert (done["status"], done["state"]["counters"]["21PZ"]["place"], done["ran"]) == ("done", "1803", False)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"verb": "FLY", "unit": "21PZ"}, "Must be one of"),
        ({"verb": "MOVE", "unit": "21PZ"}, "want a place"),
        ({"verb": "SET", "unit": "RP"}, "wants a value"),
        ({"verb": "MOVE", "unit": "21 PZ", "place": "1803"}, "a word of at most"),
        ({"verb": "MOVE", "unit": "21PZ", "place": "1803", "odd": 1}, "Unknown field"),
    ],
)
def test_a_bad_edit_is_told_where_it_is_bad(edit: Any, said: str) -> None:
    found = problem("edits", {"state": opening()["state"], "edits": [edit]}, 422)
    assert said in str(found["errors"])


def test_edits_of_another_state_than_is_meant_are_a_conflict() -> None:
    edit = {"verb": "SET", "unit": "RP", "name": "axis", "value": "3"}
    problem("edits", {"state": opening()["state"], "digest": "0" * 64, "edits": [edit]}, 409, "wrong-digest")
    problem("edits", {"state": opening()["state"], "edits": [edit] * 21}, 422)
    problem("edits", {"state": opening()["state"], "edits": []}, 422)
