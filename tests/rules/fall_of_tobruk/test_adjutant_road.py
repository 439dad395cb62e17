"""The adjutant's road to Tobruk: which Boxes must fall, where gaps are opened, and how the Axis force follows its supply."""

from __future__ import annotations

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.positions import on_map
from services.rules.games.fall_of_tobruk.adjutant_aims import fed, fortress
from services.rules.games.fall_of_tobruk.adjutant_gaps import gap_goal, guard_goal, keeps_gap
from services.rules.games.fall_of_tobruk.adjutant_goals import focus, goal_of_force, prize, rally, storms
from services.rules.games.fall_of_tobruk.adjutant_ground import before_mines, way
from services.rules.games.fall_of_tobruk.adjutant_plans import Forces, plans
from services.rules.games.fall_of_tobruk.adjutant_road import road
from services.rules.games.fall_of_tobruk.ground import ground
from services.rules.games.fall_of_tobruk.supply import lines
from tests.rules.fall_of_tobruk.positions import Game, position
from tests.rules.fall_of_tobruk.test_adjutant import BOXES, asked, draft, goes

LINE = "12B@0404 19@0511 20@0610 "
"""Some who hold the line, west of the mines."""


def side(a: str, b: str) -> tuple[Hex, Hex]:
    return parse_hex(a), parse_hex(b)


# -- the road ----------------------------------------------------------------------------------------------------------------------


def test_one_box_must_fall_and_it_is_the_weakest():
    weak = draft(position(LINE + BOXES + "4GH@1113", map=True), "axis")
    found = road(weak)
    assert found is not None
    assert found.boxes == {"ualeb"}  # five factors and an antitank factor, as few as any
    assert focus(weak) == parse_hex("1113")
    strong = draft(position(LINE + BOXES + "4GH@1113 5GH@1113 72ART@1113 4GH@1114", map=True), "axis")
    other = road(strong)
    assert other is not None
    assert other.boxes != {"ualeb"}
    assert len(other.boxes) == 1


def test_with_no_box_in_the_way_the_road_leads_to_tobruk_itself():
    free = draft(position(LINE + "1SAP@2803 2SG@1912", map=True), "axis")
    found = road(free)
    assert found is not None
    assert (found.boxes, found.path[-1]) == (frozenset(), parse_hex("2803"))
    assert focus(free) == fortress(free)
    assert all(at not in ground(free.table).near["knightsbridge"] for at in found.path)


def test_a_box_that_bars_the_road_is_worth_more_than_another():
    seen = draft(position(LINE + BOXES + "4GH@1113", map=True), "axis")
    assert prize(seen, parse_hex("1113")) > 4 * prize(seen, parse_hex("1120"))  # Bir Hacheim bars nothing


# -- gaps --------------------------------------------------------------------------------------------------------------------------


def test_an_engineer_waits_at_the_mines_until_the_box_has_fallen_and_then_crosses():
    before = position(LINE + BOXES + "4GH@1113 33ENG@0812", map=True)
    assert gap_goal(draft(before, "axis"), "33ENG") == parse_hex("0912")  # 1012 lies next to the Box
    units = (
        (LINE + BOXES + "33ENG@0912 115@1112").replace("1RB@0807 ", "1RB@0807 2SG@0706 ").replace("2SG@0702 3CG@0704", "3CG@0702 2RB@0704")
    )
    after = position(units, map=True)
    found = road(draft(after, "axis"))
    assert found is not None
    assert side("0912", "1012") in found.mines(ground(after.table))
    assert goes(after, "axis")["33ENG"] == "1012"
    after.axis(*asked(after, "axis"))
    assert [one["hexes"] for one in after.state.own["gaps"]] == [["0912", "1012"]]
    assert parse_hex("1512") in lines(after.table)


def gapped() -> Game:
    gap = {"gaps": [{"hexes": ["0705", "0805"], "engineer": "33ENG"}]}
    belt = " ".join(f"07{row:02d}/08{row:02d} 07{row:02d}/08{row - 1:02d}" for row in range(2, 15)) + " 0701/0801"
    return position("33ENG@0705 85@0605 86@0609 5EY@1412 1SAP@1802", own=gap, mines=belt)


def test_an_engineer_stays_at_a_gap_that_serves_and_the_nearest_comes_to_guard_it():
    game = gapped()
    seen = draft(game, "axis")
    assert keeps_gap(seen) == {"33ENG": parse_hex("0705")}
    assert guard_goal(seen, "85") == parse_hex("0705")
    assert guard_goal(seen, "86") is None
    assert goes(game, "axis").get("33ENG", "0705") in ("0705", "0805")


def test_others_leave_room_for_the_engineer_that_is_to_cross():
    units = LINE + "1SAP@2803 2SG@1912 3CG@0704 4GH@0807 5EY@0702 33ENG@0812 27@0911 28@0911 115@0811"
    game = position(units, map=True)
    goal = gap_goal(draft(game, "axis"), "33ENG")
    assert goal is not None
    assert goes(game, "axis")["33ENG"] == str(goal)


# -- how the force goes ------------------------------------------------------------------------------------------------------------


def test_the_force_goes_before_the_box_and_then_along_the_line_as_far_as_it_is_fed():
    box = draft(position(LINE + BOXES + "4GH@1113 8PZ-2@0614", map=True), "axis")
    assert distance(goal_of_force(box), parse_hex("1113")) == 1
    assert goal_of_force(box) == parse_hex("1013")  # west of the mines
    free = draft(position(LINE + "1SAP@2803 2SG@1912 3CG@0704 4GH@0807 5EY@0702 8PZ-2@0614", map=True), "axis")
    planned = road(free)
    assert planned is not None
    ahead = planned.path.index(goal_of_force(free))
    assert fed(free, planned.path[ahead - 3])
    assert not fed(free, planned.path[ahead - 2])


def test_when_the_days_run_out_or_enough_is_near_it_goes_for_tobruk():
    tanks = " ".join(f"8PZ-{n}@{{}}" for n in range(1, 9))
    far, near = (LINE + tanks.replace("{}", at) + " 1SAP@2803 2SG@1912" for at in ("0614", "2307"))
    assert not storms(draft(position(far, map=True), "axis"))
    assert storms(draft(position(far, map=True, turn=27), "axis"))
    assert storms(draft(position(near, map=True), "axis"))  # 32 factors near, and four in Tobruk
    assert goal_of_force(draft(position(near, map=True), "axis")) == parse_hex("2803")
    assert not storms(draft(position(near, map=True), "allied"))


def test_nobody_marches_through_a_box_of_the_enemy():
    held = draft(position(LINE + "1SAP@2803 5EY@0702", map=True), "axis")
    bare = draft(position(LINE + "1SAP@2803 5EY@2702", map=True), "axis")
    goal, start = parse_hex("0903"), parse_hex("0502")
    assert way(held, goal)[start] > way(bare, goal)[start]


def test_who_stands_before_the_mines_on_his_way_is_as_good_as_across():
    seen = draft(position(LINE + "1SAP@2803", map=True), "axis")
    there = way(seen, parse_hex("2803"))
    assert before_mines(seen, there, parse_hex("2404"))  # the road into the perimeter
    assert not before_mines(seen, there, parse_hex("2204"))


def test_an_attack_that_leads_away_from_tobruk_is_not_made_when_it_is_stormed():
    tanks = " ".join(f"8PZ-{n}@2307" for n in range(1, 9))
    units = LINE + tanks + " 1SAP@2803 5EY@2313"

    def promised(turn: int) -> int:
        seen = draft(position(units, map=True, turn=turn), "axis")
        free = {unit.id: {parse_hex("2307"): None, parse_hex("2312"): None} for unit in on_map(seen.table, "axis") if unit.id[:3] == "8PZ"}
        return max((plan.gain for plan in plans(seen, Forces(free))), default=0)

    assert promised(27) == 0


def test_the_allies_gather_in_the_open_between_the_enemy_and_tobruk():
    seen = draft(position("8PZ-2@1708 115@1708 2RGH-1@2209 1SAP@2803 2TS@2704 2SG@3020", map=True, side="allied"), "allied")
    assert rally(seen) == parse_hex("2209")


def test_tanks_that_stand_in_a_box_do_not_change_which_one_is_chosen():
    tanks = " ".join(f"2RGH-{n}@1113" for n in (1, 2, 3))
    found = road(draft(position(LINE + BOXES + "4GH@1113 " + tanks, map=True), "axis"))
    assert found is not None
    assert found.boxes == {"ualeb"}


def test_allied_armor_keeps_out_of_boxes_and_away_from_the_enemys_mass():
    panzers = " ".join(f"8PZ-{n}@1312" for n in range(1, 9))
    game = position(f"{panzers} 115@1312 104@1313 2SG@1912 3CG@1912 1SAP@2803 1WORC@2610 2RGH-1@1812 2RGH-2@1812", map=True, side="allied")
    at = goes(game, "allied")["2RGH-1"]
    assert at not in ("1912", "2610")
    far = way(draft(game, "allied"), parse_hex("1312"))
    assert far[parse_hex(at)] > 2 * far[parse_hex("1812")]  # five hexes of track, 2½ MP, before
