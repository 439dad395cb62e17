"""Advances after combat (advance.1 to advance.7, retreat.7, minefields.17 to minefields.21; FT-34, FT-35).

Round 0808, clockwise: 0807 0908 0909 0809 0709 0708. On 3:1 a 10 is DR3, a 6 DR1, an 11 DE; on 1:1 a 3 DR2, a 5 AR2, a 12 DE."""

import pytest

from tests.rules.fall_of_tobruk.fighting import advance, advanced, decision, fought, lost, results, retreated
from tests.rules.fall_of_tobruk.fighting import retreat as way
from tests.rules.fall_of_tobruk.positions import attack, on

HOME = [on("RETREAT", way("0809 0810 0811"))]
"""A retreat of three hexes to the south."""


def followed(units: str, at: str, theirs: str = "5EY@0808", ours: str = "115@0807", **more):
    """DR3 on 3:1, 5EY gone by 0809 and 0810 to 0811, and an advance ordered before."""
    names = " ".join(text.split("@")[0] for text in ours.split())
    return fought(f"{ours} {theirs}", attack("0808", names), roll=10, standing=HOME, before=[on("ADVANCE", advance(units, at))], **more)


@pytest.mark.rule("fall-of-tobruk", "advance.1", "advance.2", "advance.3", "retreat.7")
def test_the_winner_may_follow_the_path_of_the_retreat():
    assert advanced(followed("115", "0809")) == {"115": "0808 0809"}
    assert advanced(followed("115", "0808")) == {"115": "0808"}
    game = followed("115", "0810")  # a hex less than the retreat
    assert (advanced(game), game.events("unused")[0].data["code"]) == ({}, "not-on-the-path")
    game = followed("115", "0909")  # off the path
    assert (advanced(game), game.events("unused")[0].data["code"]) == ({}, "not-on-the-path")


@pytest.mark.rule("fall-of-tobruk", "advance.3")
def test_a_defender_that_has_won_may_follow_too():
    lines = [on("ADVANCE", advance("5EY", "0807"))]
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=5, standing=lines, before=[on("RETREAT", way("0707 0606"))])
    assert (results(game)[0][2], advanced(game)) == ("AR2", {"5EY": "0807"})


@pytest.mark.rule("fall-of-tobruk", "advance.4")
def test_an_advance_ignores_enemy_zones():
    # 6GH in 0909 reaches 0808 and 0809, and is next to nobody who attacks
    assert advanced(followed("115", "0809", theirs="5EY@0808 6GH@0909")) == {"115": "0808 0809"}


@pytest.mark.rule("fall-of-tobruk", "advance.5")
def test_an_advance_does_not_enter_a_hex_with_enemies():
    # 5EY goes past 6GH, who stays in 0809 and is next to nobody who attacks
    game = followed("115", "0809", theirs="5EY@0808 6GH@0809")
    assert (advanced(game), game.events("unused")[0].data["code"]) == ({}, "not-on-the-path")
    assert advanced(followed("115", "0808", theirs="5EY@0808 6GH@0809")) == {"115": "0808"}
    # in its Box 6GH stays where it is
    game = fought("115@0807 6GH@0808", attack("0808", "115"), roll=10, boxes="0808", before=[on("ADVANCE", advance("115", "0808"))])
    assert advanced(game) == {}


@pytest.mark.rule("fall-of-tobruk", "advance.7")
def test_an_advance_is_made_at_once_or_never():
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=11, tempo="normal")
    assert (results(game)[0][1:], decision(game).kind, decision(game).default) == (("3:1", "DE"), "advance", {"none": True})
    game.axis(advance("", none=True))
    assert (advanced(game), game.place, "done" in game.marks("115")) == ({}, "5 axis movement 2", True)
    game.axis(advance("115", "0808"))
    assert (game.codes(), game.at("115")) == (["step-passed"], "0807")


def test_by_default_nobody_advances():
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=11)
    assert advanced(game) == {}


def test_after_a_contact_an_engagement_or_a_stall_nobody_is_asked():
    for roll in (7, 8):
        game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=roll, tempo="normal")
        assert (results(game)[0][2], game.state.pending) == ({7: "CON", 8: "ENG"}[roll], ())


# -- who -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "stacking.12")
def test_several_may_advance_within_the_stacking_limits():
    ours = "115-I@0807 104-I@0807 288@0908 8PZ-2@0807"
    lines = attack("0808", "115-I 104-I 288 8PZ-2")  # 20 to 5
    game = fought(f"{ours} 5EY@0808", lines, roll=11, before=[on("ADVANCE", advance("115-I 288", "0808"))])
    assert advanced(game) == {"115-I": "0808", "288": "0808"}
    game = fought(f"{ours} 19@0806 5EY@0808", lines, roll=11, before=[on("ADVANCE", advance("19", "0808"))])
    assert (advanced(game), game.events("unused")[0].data["code"]) == ({}, "not-in-battle")
    units = "115@0807 104-I@0908 5EY@0808"
    game = fought(units, attack("0808", "115 104-I"), roll=11, before=[on("ADVANCE", advance("115 104-I", "0808"))])
    assert (advanced(game), game.events("unused")[0].data["code"]) == ({}, "stacking")
    game = fought(units, attack("0808", "115 104-I"), roll=11, before=[on("ADVANCE", advance("", max=1))])  # as many as fit
    assert advanced(game) == {"104-I": "0808"}


def test_one_after_the_other_may_advance_by_lines_of_their_own():
    lines = [on("ADVANCE", advance("115-I", "0808")), on("ADVANCE", advance("104-I", "0808"))]
    game = fought("115-I@0807 104-I@0708 5EY@0808", attack("0808", "115-I 104-I"), roll=12, before=lines)
    assert (results(game)[0][1:], advanced(game)) == (("2:1", "DE"), {"115-I": "0808", "104-I": "0808"})


@pytest.mark.rule("fall-of-tobruk", "artillery.14")
def test_artillery_advances_only_with_others():  # FT-35
    units, lines = "115-I@0807 5EY@0808 74ART@0808", attack("0808", "115-I")
    game = fought(units, lines, roll=6, standing=[on("ADVANCE", advance("74ART", "0807"))])  # 5 to 6: AR1
    assert (results(game)[0][1:], advanced(game)) == (("1:2", "AR1"), {})
    for who, entered, codes in (("74ART", {}, ["no-escort"]), ("5EY 74ART", {"5EY": "0807", "74ART": "0807"}, [])):
        game = fought(units, lines, roll=5, standing=[on("ADVANCE", advance(who, "0807"))])
        assert (results(game)[0][1:], advanced(game)) == (("1:2", "AR2"), entered)
        assert [event.data["code"] for event in game.events("unused")] == codes


def test_who_has_bombarded_or_is_engaged_does_not_advance():  # FT-35
    lines = [on("ADVANCE", advance("5EY", "0807"))]
    for mark in ("shelled", "engaged-defender"):
        game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=5, standing=lines, marks={mark: "5EY"})
        assert advanced(game) == {}


@pytest.mark.rule("fall-of-tobruk", "advance.3")
def test_an_advance_does_not_cross_an_escarpment_that_may_not_be_crossed():  # FT-22
    assert advanced(followed("115", "0809", cliffs="0808/0809", escarpment_move="forbidden")) == {}
    assert advanced(followed("115", "0808", cliffs="0808/0809", escarpment_move="forbidden")) == {"115": "0808"}
    assert advanced(followed("115", "0809", cliffs="0808/0809")) == {"115": "0808 0809"}


def test_tobruk_is_taken_by_an_advance_and_the_allies_beside_it_are_roused():
    game = fought("115@1801 5EY@1802", attack("1802", "115"), roll=11, before=[on("ADVANCE", advance("115", "1802"))])
    assert game.own("tobruk") == "axis"
    units = "115@0807 5EY@0808 6GH@0809"
    game = fought(units, attack("0808", "115"), roll=11, turn=1, before=[on("ADVANCE", advance("115", "0808"))])
    assert "roused" in game.marks("6GH")


# -- mines -----------------------------------------------------------------------------------------------------------------------

TANKS = "115@0807 8PZ-2@0807"  # 19 to 5


@pytest.mark.rule("fall-of-tobruk", "minefields.17")
def test_an_advance_may_cross_mines():
    game = followed("115", "0809", mines="0808/0809")
    assert (advanced(game), game.marks("115"), game.events("mine_roll")) == ({"115": "0808 0809"}, {"done"}, [])


def through_mines(*dice: int):
    """115 and 8PZ-2 follow 5EY, which has gone through mines between 0808 and 0809; the dice of their own way through these."""
    ahead = [on("ADVANCE", advance("115 8PZ-2", "0809"))]
    lines = attack("0808", "115 8PZ-2")
    return fought(f"{TANKS} 5EY@0808", lines, dice=[4, 6, *dice], mines="0808/0809", standing=HOME, before=ahead)


@pytest.mark.rule("fall-of-tobruk", "minefields.18")
def test_tanks_that_advance_roll_before_others_cross():
    game = through_mines(3)
    assert (advanced(game), game.data("mine_roll")["how"]) == ({"115": "0808 0809", "8PZ-2": "0808 0809"}, "advance")
    kinds = [(e.kind, e.data.get("path")) for e in game.last.events if e.kind in ("advanced", "mine_roll")]
    assert kinds == [("advanced", ["0808"]), ("mine_roll", None), ("advanced", ["0809"])]


@pytest.mark.rule("fall-of-tobruk", "minefields.19", "minefields.20")
def test_a_loss_may_stall_the_advance_on_the_near_side():
    game = through_mines(4, 3)
    assert (lost(game), advanced(game), game.data("stalled")["how"]) == ({"8PZ-2": "mines"}, {"115": "0808", "8PZ-2": "0808"}, "advance")
    assert (game.at("115"), game.own("wrecks")[0]["hex"]) == ("0808", "0808")


@pytest.mark.rule("fall-of-tobruk", "minefields.21")
def test_an_advance_that_does_not_stall_goes_on():
    game = through_mines(4, 4)
    assert (lost(game), game.at("115"), game.data("not_stalled")["die"]) == ({"8PZ-2": "mines"}, "0809", 4)


def test_allied_tanks_advance_along_a_road_through_mines_without_a_roll():  # FT-47
    units, more = "115-I@0807 2RGH-1@0808", {"mines": "0807/0808", "road": "0807-0808"}
    game = fought(
        units, attack("0808", "115-I"), roll=5, standing=[on("ADVANCE", advance("2RGH-1", "0807"))], marks={"active": "115-I"}, **more
    )
    assert (retreated(game) != {}, advanced(game)) == (True, {"2RGH-1": "0807"})


# -- answers ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "advance.3")
def test_faulty_answers_are_refused():
    game = fought("115-I@0807 104-I@0807 5EY@0808", attack("0808", "115-I 104-I"), roll=12, tempo="normal", marks={"shelled": "104-I"})
    assert (results(game)[0][2], decision(game).rule) == ("DE", {"name": "advance", "units": ["115-I"], "hexes": ["0808"]})
    for line, refusal in (
        (advance("115-I"), ("malformed", "crt.delim.2")),
        (advance("115-I 115-I", "0808"), ("malformed", "crt.delim.2")),
        (advance("104-I", "0808"), ("may-not-advance", "crt.delim.2")),
        (advance("115-I", "0809"), ("not-on-the-path", "advance.3")),
        (advance("", "0809", max=1), ("nobody-can", "crt.delim.2")),
    ):
        game.axis(line)
        assert game.refusal() == refusal
    game.axis(advance("115-I", "0808"))
    assert (game.codes(), game.at("115-I")) == ([], "0808")


def test_lines_of_one_mail_let_one_unit_after_the_other_advance():
    game = fought("115-I@0807 104-I@0708 5EY@0808", attack("0808", "115-I 104-I"), roll=12, tempo="normal")
    game.axis(advance("115-I", "0808"), advance("104-I", "0808"))
    assert (game.codes(), game.at("115-I"), game.at("104-I")) == ([], "0808", "0808")


@pytest.mark.rule("fall-of-tobruk", "advance.3", "retreat.7", "crt.dbk.2")
def test_the_way_begins_where_the_unit_is_next_to_it_and_ends_one_short():
    lines = {"standing": HOME, "before": [on("ADVANCE", advance("104-I", "0808"))]}
    units = "115-I@0807 104-I@1007 5EY@0808 6GH@0908"  # 104-I is next to 0908 alone
    game = fought(units, attack("0808 0908", "115-I 104-I"), roll=9, **lines)
    assert (results(game)[0][1:], advanced(game)) == (("1:1", "DR1"), {})
    game = fought(units, attack("0808 0908", "115-I 104-I"), roll=3, **lines)
    assert (results(game)[0][1:], advanced(game)) == (("1:1", "DR2"), {})
    assert game.events("unused")[-1].data["code"] == "not-adjacent"
    game = followed("115", "0810")  # DR3: 0810 is where 5EY went
    assert advanced(game) == {}


def test_as_many_as_fit_go_to_the_hex_named():
    lines = {"standing": HOME, "before": [on("ADVANCE", advance("", "0808", max=2))]}
    game = fought("115-I@0807 104-I@0807 288@0807 5EY@0808", attack("0808", "115-I 104-I 288"), roll=10, **lines)  # 16 to 5
    assert (results(game)[0][1:], advanced(game)) == (("3:1", "DR3"), {"115-I": "0808", "104-I": "0808", "288": "0808"})


# -- who is left behind -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "stacking.12", "stacking.9")
def test_no_german_advances_who_leaves_too_many_italians():
    units, line = "8B-I@0807 9B-I@0807 12B-I@0807 8PZ-2@0807 115@0908 5EY@0808", attack("0808", "8PZ-2 8B-I 115")
    game = fought(units, line, roll=11, before=[on("ADVANCE", advance("8PZ-2", "0808"))], idle="9B-I 12B-I")
    assert (results(game)[0][2], advanced(game)) == ("DE", {})
    assert game.data("unused")["details"] == {"hex": "0807", "units": ["12B-I", "8B-I", "9B-I"]}
    assert (game.data("unused")["code"], game.events("unused")[0].clause) == ("leaves-crowd", "stacking.12")
    game = fought(units, line, roll=11, before=[on("ADVANCE", advance("8PZ-2 8B-I", "0808"))], idle="9B-I 12B-I")
    assert advanced(game) == {"8PZ-2": "0808", "8B-I": "0808"}
    game = fought(units, line, roll=11, before=[on("ADVANCE", advance("8B-I", "0808"))], idle="9B-I 12B-I")
    assert advanced(game) == {"8B-I": "0808"}
