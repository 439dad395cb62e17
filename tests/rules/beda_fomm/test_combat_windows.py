"""The windows of regular combat as players write them: the order language read by the mail service, carried out by the rules."""

from __future__ import annotations

from typing import Any

import pytest

from services.mail.orders.parse import parse
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import Outcome
from services.rules.schemas.game import schemas_of
from services.rules.schemas.packet import PacketSchema, with_args
from tests.rules.beda_fomm.fight import battles, checked, declaring, lost
from tests.rules.beda_fomm.positions import Game, position

FOUR = "2RB-A@2405 2RB-B@2405 2RB-C@2405 2RB-D@2405"
ATTACK = "ATTACK 2404 WITH 2RB-A,2RB-B,2RB-C,2RB-D"
"""12 against a battalion of 4 is 3:1."""


def send(game: Game, side: str, text: str, dice: tuple[int, ...] = ()) -> Outcome:
    """Orders as text, through the mail service's reader and the packet's schema."""
    read = parse("beda-fomm", text)
    assert read.diagnostics == []
    wire: dict[str, Any] = {"id": f"p{next(game.count)}", "side": side, "seq": None, **read.packet}
    packet = with_args(PacketSchema().load(wire), schemas_of("beda-fomm").verbs)
    game.last = adjudicate(game.module, game.state, packet, ScriptedDice(dice))
    game.state = game.last.state
    return game.last


def asked(game: Game) -> list[tuple[str, str]]:
    """Who is asked what."""
    return [(decision.side, decision.kind) for decision in game.state.pending]


def sources(game: Game) -> list[tuple[str, str]]:
    """By what each decision was answered."""
    return [(event.data["kind"], event.data["source"]) for event in game.events("decided")]


# -- declaration -----------------------------------------------------------------------------------------------------------------


def test_a_whole_player_turn_of_combat_in_one_mail():
    game = declaring("2RB-A@2404 C-4RHA@2406 BER-SIR@2403 2RB-B@2804 T-1@2803", tempo="normal")
    text = """ATTACK 2403 WITH 2RB-A AS A1
SUPPORT C-RHA AT 2403
ATTACK 2803 WITH 2RB-B
DONE
RESOLVE 2803
ADVANCE 2RB-B TO 2803
RESOLVE A1"""
    send(game, "british", text.replace("C-RHA", "C-4RHA"), (6, 6, 1, 1))
    assert battles(game) == [("2803", 3, 1, "3:1"), ("2403", 6, 4, "1:1")]
    assert game.at("2RB-B") == "2803"
    assert not game.last.rejections
    assert game.place == "10 italian movement"


def test_if_a_hex_holds_armor_the_attack_is_not_made():
    # The brief of the day: attack 2504 only if no armor stands there; else 2403 alone.
    text = """IF NOT 2504 HOLDS ARMOR ATTACK 2504 WITH 2RB-A,2RB-B
ELSE ATTACK 2403 WITH 2RB-A,2RB-B
DONE"""
    for armor, target in (("BAB-6-1@2504", "2403"), ("", "2504")):
        game = declaring(f"2RB-A@2404 2RB-B@2404 2RB-C@2404 SAB-1@2504 {armor} BER-SIR@2403")
        units = text if armor else text.replace("DONE", "ATTACK 2403 WITH 2RB-C\nDONE")
        send(game, "british", units, (6, 1, 1, 6, 1, 1))
        assert battles(game)[0][0] == target


def test_done_auto_and_odds_of_the_line():
    game = declaring(f"{FOUR} BER-SIR@2404 SAB-1@2505")
    send(game, "british", f"{ATTACK} IF ODDS>=3\nDONE")
    assert game.codes() == ["must-attack-too"]
    send(game, "british", f"{ATTACK} IF ODDS>=3\nDONE AUTO")
    assert game.data("attacks_dropped") == {"hexes": ["2404"]}
    poor = declaring(f"{FOUR} BER-SIR@2404")
    send(poor, "british", f"{ATTACK} IF ODDS>=4:1\nDONE")
    assert not poor.events("declared")
    assert not battles(poor)


# -- defensive support (W3) ------------------------------------------------------------------------------------------------------

SUPPORTED = f"{FOUR} BER-SIR@2404 SAB-ART1@2402 BAB-ART@2302"


@pytest.mark.parametrize(("tempo", "waits"), [("full", True), ("normal", True), ("blitz", False)])
def test_who_is_asked_for_defensive_support(tempo, waits):
    game = declaring(SUPPORTED, tempo=tempo)
    send(game, "british", f"{ATTACK}\nDONE", () if waits else (6, 1, 1))
    assert (game.place == "9 british defensive support") is waits
    assert bool(battles(game)) is not waits
    if waits:
        send(game, "italian", "SUPPORT SAB-ART1 AT 2404\nDONE", (6, 1, 1))
        assert battles(game) == [("2404", 12, 8, "1:1")]


def test_where_no_gun_can_support_nobody_is_asked():
    for guns in ("", "SAB-ART1:fired@2402", "SAB-ART1@2302 2RB-A@2303", "SAB-ART1@3102"):
        units = f"{FOUR.replace('2RB-A@2405', '')} BER-SIR@2404 {guns}"
        game = declaring(units, tempo="full")
        send(game, "british", "ATTACK 2404 WITH 2RB-B,2RB-C,2RB-D\nDONE", (1, 1, 1, 1, 1, 1, 1))
        assert battles(game) == [("2404", 9, 4, "2:1")]


@pytest.mark.parametrize("tempo", ["full", "normal", "blitz"])
def test_a_standing_order_supports_in_every_tempo(tempo):
    game = declaring(SUPPORTED, tempo=tempo)
    send(game, "italian", "STANDING ON DEFENSIVE-SUPPORT IF ODDS>=3 SUPPORT SAB-ART1 AT 2404\nELSE SUPPORT BAB-ART AT 2404")
    send(game, "british", f"{ATTACK}\nDONE", (6, 1, 1))
    assert game.data("supported")["guns"] == ["SAB-ART1"]
    weaker = declaring(SUPPORTED, tempo=tempo)
    send(weaker, "italian", "STANDING ON DEFENSIVE-SUPPORT IF ODDS 2404>=4 SUPPORT SAB-ART1 AT 2404\nELSE SUPPORT BAB-ART AT 2404")
    send(weaker, "british", f"{ATTACK}\nDONE", (6, 1, 1))
    assert weaker.data("supported")["guns"] == ["BAB-ART"]


def test_on_defensive_support_ask_keeps_the_window_open_in_blitz():
    game = declaring(SUPPORTED)
    send(game, "italian", "STANDING ON DEFENSIVE-SUPPORT ASK")
    send(game, "british", f"{ATTACK}\nDONE")
    assert game.place == "9 british defensive support"


# -- checks and retreats of both sides (W4, W5) ----------------------------------------------------------------------------------


def test_the_owner_orders_the_checks_of_his_units_whichever_side_they_are_on():
    # 3:1, a 4: DM1. Of itself the battalion first.
    units = f"{FOUR} SAB-1@2404 PAS-INF@2404"
    for standing, first in (("", "SAB-1"), ("STANDING ON CHECKS CHECKS PAS-INF", "PAS-INF")):
        game = declaring(units)
        if standing:
            send(game, "italian", standing)
        send(game, "british", f"{ATTACK}\nDONE", (6, 1, 1, 1, 1))
        assert battles(game) == [("2404", 12, 6, "2:1")]
        assert checked(game)[0] == first
    # 12 against 6: 2:1, a 1: AM1: the attackers check, 2RB-C first by an ON line of theirs.
    game = declaring(units)
    send(game, "british", f"ON CHECKS CHECKS 2RB-C,2RB-B\n{ATTACK}\nDONE", (1, *[1, 1] * 4))
    assert checked(game) == ["2RB-C", "2RB-B", "2RB-A", "2RB-D"]


def test_in_normal_the_defender_is_asked_once_and_in_full_each_time():
    # DM1 at 3:1 on two units that both fail by little: the order of checks, then two retreats.
    units = f"{FOUR} SAB-MG@2404 PAS-INF@2404"
    normal = declaring(units, tempo="normal")
    send(normal, "british", f"{ATTACK}\nDONE", (4,))
    assert asked(normal) == [("italian", "checks")]
    send(normal, "italian", "CHECKS SAB-MG", (4, 3, 3, 3))
    assert asked(normal) != [("italian", "retreat")]
    assert [event.data["unit"] for event in normal.events("retreated")] == ["SAB-MG", "PAS-INF"]
    full = declaring(units, tempo="full")
    send(full, "british", f"{ATTACK}\nDONE", (4,))
    send(full, "italian", "CHECKS SAB-MG", (4, 3))
    assert asked(full) == [("italian", "retreat")]
    send(full, "italian", "RETREAT SAB-MG TO 2402", (3, 3))
    assert full.at("SAB-MG") == "2402"
    assert asked(full) == [("italian", "retreat")]


def test_a_standing_policy_of_retreats_by_parent():
    # BER-SIR fails by one (3 and 3 and 1 against 6): by directions, over nothing else; and by a line for the unit itself.
    for line, end in (
        ("STANDING ON RETREAT RETREAT BER DIRS NE,N EXIT NO", "2603"),
        ("STANDING ON RETREAT RETREAT BER-SIR TO 2402", "2402"),
        ("STANDING ON RETREAT RETREAT ALL DIRS NW EXIT NO AVOID 2402", "2203"),
    ):
        game = declaring(f"{FOUR} BER-SIR@2404")
        send(game, "italian", line)
        send(game, "british", f"{ATTACK}\nDONE", (4, 3, 3))
        assert game.at("BER-SIR") == end
        assert ("retreat", "standing") in sources(game)


def test_the_attackers_retreat_by_their_owners_word_too():
    # 3 against 4: 1:2, a 5: AM; 2RB-A at 6 fails by one.
    game = declaring("2RB-A@2405 BER-SIR@2404", morale={"COM": 6})
    send(game, "british", "ON RETREAT RETREAT 2RB-A TO 2407\nATTACK 2404 WITH 2RB-A\nDONE", (5, 3, 4))
    assert game.at("2RB-A") == "2407"
    asks = declaring("2RB-A@2405 BER-SIR@2404", morale={"COM": 6}, tempo="normal")
    send(asks, "british", "ATTACK 2404 WITH 2RB-A\nDONE", (5, 3, 4))
    assert asked(asks) == [("british", "retreat")]
    send(asks, "british", "RETREAT 2RB-A TO 2407")
    assert asks.at("2RB-A") == "2407"


def test_the_checks_of_a_chain_follow_of_themselves_and_their_retreats_are_the_owners():
    # 12.45: BER-SIR retreats through 2403 with SAB-MG, who checks (7) and fails by one.
    game = declaring(f"{FOUR} BER-SIR@2404 SAB-MG@2402", retreat_checks=True)
    send(game, "italian", "STANDING ON RETREAT RETREAT BER-SIR TO 2402\nSTANDING ON RETREAT RETREAT SAB-MG TO 2302")
    send(game, "british", f"{ATTACK}\nDONE", (4, 3, 3, 4, 4))
    assert checked(game) == ["BER-SIR", "SAB-MG"]
    assert game.at("BER-SIR") == "2402"
    assert [event.data["unit"] for event in game.events("retreated")] == ["BER-SIR", "SAB-MG"]


def test_the_unit_that_is_lost_by_option_may_be_named_beforehand():
    game = declaring(f"{FOUR} BIG-MG@2404 PAS-INF@2404", elimination="one")
    send(game, "italian", "STANDING ON CASUALTY CHECKS PAS-INF")
    send(game, "british", f"{ATTACK}\nDONE", (6,))
    assert lost(game) == ["PAS-INF"]


# -- order of combats and advance ------------------------------------------------------------------------------------------------


def test_on_combat_resolve():
    game = declaring("2RB-A@2404 2RB-B@2404 BER-SIR@2403 SAB-1@2504")
    lines = "ATTACK 2403 WITH 2RB-A AS A1\nATTACK 2504 WITH 2RB-B AS A2\nDONE"
    send(game, "british", f"ON COMBAT RESOLVE A2\n{lines}", (6, 1, 1, 6, 1, 1))
    assert [at for at, *_ in battles(game)] == ["2504", "2403"]
    assert sources(game)[0] == ("combat", "on")


@pytest.mark.parametrize("tempo", ["full", "normal", "blitz"])
def test_on_a_label_if_vacated_advance(tempo):
    units = f"{FOUR} BER-SIR@2404"
    game = declaring(units, tempo=tempo)
    send(game, "british", f"ON 2404 IF VACATED ADVANCE 2RB-A TO 2404\n{ATTACK}\nDONE", (6,))
    assert game.at("2RB-A") == "2404"
    assert sources(game) == [("advance", "on")]
    labelled = declaring(units, tempo=tempo)
    send(labelled, "british", f"ON A1 IN (DE) ADVANCE 2RB-B TO 2404\n{ATTACK} AS A1\nDONE", (6,))
    assert labelled.at("2RB-B") == "2404"
    alternative = declaring(units, tempo=tempo)
    text = "ON ANY IF 2404 FREE ADVANCE 2RB-A,106RHA TO 2404\nELSE ADVANCE 2RB-C TO 2404"
    send(alternative, "british", f"{text}\n{ATTACK}\nDONE", (6,))
    assert alternative.at("2RB-C") == "2404"  # 106RHA did not attack: the other is tried


def test_standing_advances_last_from_turn_to_turn_until_cancelled():
    game = declaring(f"{FOUR} BER-SIR@2404")
    send(game, "british", f"STANDING ON ADVANCE IF 2404 FREE ADVANCE 2RB-A TO 2404\n{ATTACK}\nDONE", (6,))
    assert sources(game) == [("advance", "standing")]
    assert game.state.standing["british"]


@pytest.mark.parametrize(("tempo", "who"), [("full", True), ("normal", True), ("blitz", False)])
def test_the_attacker_is_asked_for_the_advance_where_he_has_said_nothing(tempo, who):
    game = declaring(f"{FOUR} BER-SIR@2404 SAB-5@0905", tempo=tempo)
    send(game, "british", f"{ATTACK}\nDONE", (6,))
    assert (asked(game) == [("british", "advance")]) is who
    if who:
        send(game, "british", "ADVANCE NONE")
    assert game.at("2RB-A") == "2405"
    assert game.place == "10 italian movement"


def test_in_normal_done_turn_auto_says_that_nothing_is_to_be_asked():
    game = declaring(f"{FOUR} BER-SIR@2404 SAB-5@0905", tempo="normal")
    send(game, "british", f"{ATTACK}\nDONE TURN AUTO", (6,))
    assert not game.state.pending
    assert game.place == "10 italian movement"


def test_a_plan_for_a_whole_player_turn_from_movement_on():
    # 2RB-A goes next to 2403, the gun stands three hexes off it: movement, declaration and combat of one text.
    game = position("2RB-A@2406 C-4RHA@2407 BER-SIR@2403 SAB-5@0905", side="british", step="movement", tempo="normal")
    text = "MOVE 2RB-A TO 2404\nATTACK 2403 WITH 2RB-A\nSUPPORT C-4RHA AT 2403\nON 2403 IF VACATED ADVANCE 2RB-A TO 2403\nDONE TURN"
    send(game, "british", text, (6, 6, 5))
    assert battles(game) == [("2403", 5, 4, "1:1")]
    assert game.at("2RB-A") == "2403"
    assert game.place == "10 italian movement"


# -- what closes what ------------------------------------------------------------------------------------------------------------


def test_pass_given_beforehand_for_a_window_closes_that_window_and_no_step_after_it():
    # The Italian gun may support; PASS leaves it to the default (it lowers 6 to 4 from 1:1 to 1:2). His own movement then waits for him.
    game = declaring("2RB-A@2404 2RB-B@2404 SAB-1@2403 SAB-ART1@2401", tempo="normal")
    send(game, "italian", "STANDING ON DEFENSIVE-SUPPORT PASS")
    send(game, "british", "ATTACK 2403 WITH 2RB-A,2RB-B\nDONE", (6, 1, 1))
    assert battles(game) == [("2403", 6, 8, "1:2")]
    assert game.place == "10 italian movement"
    assert "italian/window" not in game.state.tails


def test_done_turn_as_the_answer_to_a_decision_holds_for_the_player_turn_in_which_it_is_given():
    # The Italians are asked how SAB-1 retreats (check 6 + 3 = 9 over 7) in the British player-turn; their own movement still waits.
    game = declaring(f"{FOUR} SAB-1@2404", tempo="full")
    send(game, "british", f"{ATTACK}\nDONE", (5, 6, 1))
    assert asked(game) == [("italian", "retreat")]
    send(game, "italian", "DONE TURN")
    assert game.state.closing == {"italian": "other"}  # no window of this British player-turn is his any more
    send(game, "british", "PASS")
    assert game.state.closing == {}
    assert game.place == "10 italian movement"
    # The British, asked for the advance that ends their combat, close their own player-turn with it and no window of the next.
    again = declaring(f"{FOUR} SAB-1@2404", tempo="full")
    send(again, "british", f"{ATTACK}\nDONE", (5, 6, 1))
    send(again, "italian", "PASS")
    assert asked(again) == [("british", "advance")]
    send(again, "british", "DONE TURN")
    assert again.state.closing == {}
    assert again.place == "10 italian movement"


def test_orders_that_waited_and_are_given_up_for_later_ones_are_told():
    game = declaring("2RB-A@2404 SAB-1@2403", tempo="normal")
    send(game, "italian", "MOVE SAB-1 TO 2401\nDONE")
    assert [o.verb for o in game.state.tails["italian"].orders] == ["MOVE", "DONE"]
    send(game, "italian", "MOVE SAB-1 TO 2402")
    assert game.data("tail_replaced") == {"lines": [1, 2]}


def test_lines_whose_step_has_passed_do_not_wait_for_the_next_player_turn():
    # The barrage eliminates SAB-MG (column 4, a six: M2; 6 + 6 + 2 over 7): the declaration is passed over for want of a target.
    game = position("C-4RHA@2406 2RB-A@2404 SAB-MG@2403 BER-SIR@1201", side="british", step="movement", tempo="normal")
    send(game, "british", "MOVE C-4RHA 2405\nBARRAGE C-4RHA AT 2403\nATTACK 2403 WITH 2RB-A\nDONE TURN", (6, 6, 6))
    assert game.at("SAB-MG") == "box:eliminated"
    assert game.data("script_stopped")["code"] == "step-passed"
    assert "british" not in game.state.tails or not game.state.tails["british"].orders
    assert game.place == "10 italian movement"
    send(game, "italian", "DONE TURN")
    assert game.place == "10 british movement"  # it waits for orders


def test_lines_for_a_window_of_the_other_player_turn_are_kept_for_it_and_no_longer():
    # BARRAGE may be meant for the British player-turn; as that is dark too, it is given up when it ends, and what stood below it.
    game = position("SAB-ART1@2404 11H-1@2403 BER-SIR@1201", side="italian", step="movement", turn=7, tempo="normal")
    send(game, "italian", "MOVE BER-SIR 1202\nBARRAGE SAB-ART1 AT 2403\nMOVE SAB-ART1 2405\nDONE TURN")
    assert game.place == "7 british movement"
    assert game.state.tails["italian"].spent
    send(game, "british", "DONE")
    assert game.data("script_stopped")["code"] == "step-passed"
    assert game.place == "8 italian movement"  # it waits for orders
    assert game.at("SAB-ART1") == "2404"


def test_a_line_that_no_window_can_take_is_refused_with_the_rest_before_anything_is_revealed():
    game = position("SAB-ART1@2404 2RT-1@2403 BER-SIR@1201", side="italian", step="movement", turn=7, tempo="normal")
    send(game, "italian", "PHASE DECLARATION\nMOVE BER-SIR 1202\nDONE TURN")
    assert game.codes() == ["step-passed"]
    assert game.place == "7 italian movement"
