"""11. Antitank fire. Factors: 106RHA and J-3RHA 4, A13 tanks (2RT-1) 3, batteries 2, infantry 1, M13 tanks (BAB-5-1) 2; in brackets 1:
armored cars (11H-1), light tanks (2RT-L, BAB-61-1). Round 2824 the ground is clear; 2823 and 2825 lie next to it. 1823 is undulating."""

from dataclasses import replace

import pytest

from services.rules.games.beda_fomm.antitank import column_of, named, table_of
from tests.rules.beda_fomm.positions import DONE, Game, move, on, order, position

# Of the printed table: the columns, and the highest die that destroys in each.
COLUMNS = {"1:3": 0, "1:2": 1, "1:1": 2, "2:1": 3, "3:1": 4, "4:1": 5, "5:1": 5, "6:1": 6}
# Keeps the step open: a second gun with a target of its own.
ANOTHER = "J-3RHA@3221 BAB-6-6@3222"


def fire(units: str, target: str, mass: int | None = None):
    return order("FIRE", units=units.split(), target=target, mass=mass)


def british(units: str, **more: object) -> Game:
    return position(units, side="british", step="antitank", **more)


def shots(game: Game) -> list[tuple[str, str, str | None]]:
    return [(" ".join(event.data["units"]), event.data["target"], event.data["column"]) for event in game.events("shot")]


# -- odds and the table ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "11.0n", "11.0i", "11.0j", "11.0b")
def test_seven_factors_on_an_armored_unit_of_two_are_3_to_1():
    game = british(f"106RHA@2823 2RT-1@2825 BAB-5-1@2824 {ANOTHER}")
    game.british(fire("106RHA 2RT-1", "BAB-5-1"), dice=[5])
    shot = game.data("shot")
    assert (shot["fire"], shot["defence"], shot["column"], shot["result"]) == (7, 2, "3:1", "-")


@pytest.mark.rule("beda-fomm", "11.0o")
def test_every_cell_of_the_antitank_fire_table():
    table = table_of(british("106RHA@2823").table)
    assert [str(column) for column in table.columns] == list(COLUMNS)
    for n, highest in enumerate(COLUMNS.values()):
        assert [table.result(n, die) for die in range(1, 7)] == ["DE" if die <= highest else "-" for die in range(1, 7)]


@pytest.mark.rule("beda-fomm", "11.0l", "11.0m")
@pytest.mark.parametrize(
    ("units", "target", "column"),
    [
        ("106RHA", "BAB-5-1", "2:1"),
        ("106RHA 2RB-A", "BAB-5-1", "2:1"),  # 5:2
        ("2RT-1", "BAB-5-1", "1:1"),  # 3:2
        ("2RB-A", "BAB-5-1", "1:2"),
        ("106RHA J-3RHA 2RT-1 2RB-A", "BAB-5-1", "6:1"),  # 12:2
        ("106RHA J-3RHA 2RT-1 2RB-A", "BAB-61-1", "6:1"),  # 12:1, beyond the table
    ],
)
def test_odds_are_rounded_for_the_target(units: str, target: str, column: str):
    game = british(f"106RHA@2823 J-3RHA@2823 2RT-1@2825 2RB-A@2825 {target}@2824")
    assert named(game.table, column_of(game.table, units.split(), target)) == column


@pytest.mark.rule("beda-fomm", "11.0m")
def test_below_the_lowest_column_a_shot_has_no_die_and_no_effect():
    game = british(f"2RB-A@1822 BAB-5-1@1823 {ANOTHER}")  # 1 against 2 doubled: 1:4
    game.british(fire("2RB-A", "BAB-5-1"))
    assert (game.data("shot")["column"], game.data("shot")["die"], game.at("BAB-5-1")) == (None, None, "1823")
    assert game.marks("2RB-A") == {"shot"}


@pytest.mark.rule("beda-fomm", "2.0r", "11.0h", "11.11a")
def test_the_target_alone_is_destroyed_and_its_formation_loses_a_level():
    game = british(f"106RHA@2823 BAB-5-1@2824 BAB-5-2@2824 COL-AT@2824 {ANOTHER}")
    game.british(fire("106RHA", "BAB-5-1"), dice=[3])  # 2:1 destroys up to 3
    assert [game.at(unit) for unit in ("BAB-5-1", "BAB-5-2", "COL-AT")] == ["box:eliminated", "2824", "2824"]
    assert (game.morale("BAB"), game.morale("COL"), game.at("106RHA")) == (7, 7, "2823")


# -- who fires, and at whom ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "11.0a", "11.22a", "11.22c")
@pytest.mark.parametrize(
    ("units", "target", "why"),
    [
        ("106RHA", "BAB-5-2", ("not-adjacent", "11.0a")),
        ("C-4RHA", "BAB-5-1", ("not-adjacent", "11.0a")),  # two hexes off: no ranged fire
        ("106RHA C-4RHA", "BAB-5-1", ("not-adjacent", "11.0a")),
        ("106RHA", "COL-AT", ("not-armored", "11.0a")),
        ("106RHA", "2RT-1", ("no-such-target", "11.0a")),
        ("106RHA", "BAB-21-1", ("no-such-target", "11.0a")),
        ("F-4RHA", "BAB-5-1", ("not-on-map", "11.0a")),
        ("106RHA 106RHA", "BAB-5-1", ("named-twice", "11.0d")),
    ],
)
def test_fire_is_at_adjacent_armor_of_the_enemy(units: str, target: str, why: tuple[str, str]):
    game = british("106RHA@2823 C-4RHA@2822 F-4RHA@off 2RT-1@2825 BAB-5-1@2824 COL-AT@2824 BAB-5-2@2827")
    game.british(fire(units, target))
    assert game.refusal() == why


@pytest.mark.rule("beda-fomm", "11.21a", "11.21b", "11.24d")
def test_a_factor_of_nought_or_in_brackets_never_fires():
    game = position("T-1@2823 COL-AT@2823 BAB-61-1@2825 11H-1@2824", step="antitank")
    game.italian(fire("T-1", "11H-1"))
    assert game.refusal() == ("no-antitank-factor", "11.21a")
    game.italian(fire("BAB-61-1", "11H-1"))
    assert game.refusal() == ("antitank-defends-only", "11.21b")


@pytest.mark.rule("beda-fomm", "11.0k")
def test_a_bracketed_factor_counts_on_defence():
    game = position("COL-AT@2823 11H-1@2824 COL-LAA@3221 11H-2@3222", step="antitank")
    game.italian(fire("COL-AT", "11H-1"), dice=[6])
    assert (game.data("shot")["defence"], game.data("shot")["column"]) == (1, "3:1")


@pytest.mark.rule("beda-fomm", "11.22b", "2.0p")
def test_guns_of_several_hexes_fire_together_with_their_antitank_factors():
    game = british(f"C-4RHA:fired@2823 F-4RHA@2825 BAB-5-1@2824 {ANOTHER}")
    game.british(fire("C-4RHA F-4RHA", "BAB-5-1"), dice=[4])
    assert (game.data("shot")["fire"], game.data("shot")["column"]) == (4, "2:1")  # 2 each, not their combat factors of 4


@pytest.mark.rule("beda-fomm", "11.0d", "11.0e", "11.11b")
def test_a_unit_fires_once_and_an_armored_unit_is_fired_at_once():
    game = british("106RHA@2823 2RT-1@2825 BAB-5-1@2824 BAB-5-2@2824")
    game.british(fire("106RHA", "BAB-5-1"), dice=[6])
    game.british(fire("106RHA", "BAB-5-2"))
    assert game.refusal() == ("shot-already", "11.0d")
    game.british(fire("2RT-1", "BAB-5-1"))
    assert game.refusal() == ("shot-at-already", "11.0e")


@pytest.mark.rule("beda-fomm", "11.12a", "11.12b")
def test_all_may_fire_at_one_and_leave_the_other_alone():
    game = british("106RHA@2823 2RT-1@2825 BAB-5-1@2824 BAB-5-2@2824")
    game.british(fire("106RHA 2RT-1", "BAB-5-2"), dice=[6])
    assert shots(game) == [("106RHA 2RT-1", "BAB-5-2", "3:1")]
    assert game.place != "9 british antitank"  # nobody is left to fire at the other


@pytest.mark.rule("beda-fomm", "11.0c")
def test_firing_is_optional():
    game = british("106RHA@2823 BAB-5-1@2824", tempo="blitz")
    game.british(DONE)
    assert game.events("shot") == []
    assert "antitank" not in game.place


# -- who has moved ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "11.24a", "11.24b")
def test_phasing_armor_moves_and_fires_and_others_that_moved_do_not():
    # 2RB-A comes along with the tank, into the ZOC of armor (5.42c).
    game = position("2RT-1@2821 2RB-A@2821 106RHA@2825 BAB-5-1@2824", side="british", step="movement", tempo="blitz")
    game.british(move("2RT-1 2RB-A", "2822 2823"), order("PHASE", name="antitank"), dice=[6])
    assert game.place == "9 british antitank"
    game.british(fire("2RB-A", "BAB-5-1"))
    assert game.refusal() == ("moved-no-antitank", "11.24b")
    game.british(fire("2RT-1 106RHA", "BAB-5-1"), dice=[6])
    assert shots(game) == [("2RT-1 106RHA", "BAB-5-1", "3:1")]


@pytest.mark.rule("beda-fomm", "11.23a")
def test_any_unit_of_the_non_phasing_side_with_a_factor_may_fire():
    game = position("2RB-A@2823 106RHA@2823 2RT-1@2825 C-4RHA@2825 BAB-5-1@2824", step="reaction antitank", moved="BAB-5-1")
    game.british(fire("2RB-A 106RHA 2RT-1 C-4RHA", "BAB-5-1"), dice=[6])
    assert game.data("shot")["fire"] == 1 + 4 + 3 + 2


# -- undulating ground -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "11.31a")
def test_non_phasing_armor_on_undulating_ground_is_doubled_even_if_it_has_a_mark():
    game = british(f"106RHA@1822 2RT-1@1822 BAB-5-1@1823 {ANOTHER}")
    game.british(fire("106RHA 2RT-1", "BAB-5-1"), dice=[6])
    assert (game.data("shot")["defence"], game.data("shot")["column"]) == (4, "1:1")  # 7:4


@pytest.mark.rule("beda-fomm", "11.31b", "11.31c", "2.0q")
def test_phasing_armor_there_is_doubled_only_if_it_has_not_moved():
    units = "106RHA@1822 J-3RHA@1822 BAB-5-1@1823"
    stayed = position(units, step="reaction antitank")
    stayed.british(fire("106RHA J-3RHA", "BAB-5-1"), dice=[6])
    assert (stayed.data("shot")["defence"], stayed.data("shot")["column"]) == (4, "2:1")
    went = position("106RHA@1822 J-3RHA@1822 BAB-5-1@1824", step="movement")
    went.italian(move("BAB-5-1", "1823"), DONE)
    went.british(fire("106RHA J-3RHA", "BAB-5-1"), dice=[6])
    assert (went.data("shot")["defence"], went.data("shot")["column"]) == (2, "4:1")


def test_the_dunes_by_the_sea_double_too():
    game = british(f"106RHA@1731 BAB-5-1@1732 {ANOTHER}")
    game.british(fire("106RHA", "BAB-5-1"), dice=[6])
    assert game.data("shot")["defence"] == 4


# -- the order of fire -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "11.0f", "11.0g", "8.2f", "8.2m")
@pytest.mark.parametrize(("phasing", "other"), [("italian", "british"), ("british", "italian")])
def test_the_non_phasing_side_fires_first_and_who_dies_does_not_fire_back(phasing: str, other: str):
    units = "2RT-1@2823 2RT-2@2823 BAB-5-1@2824 BAB-5-2@2824"
    tanks = {"british": ("2RT-1", "2RT-2"), "italian": ("BAB-5-1", "BAB-5-2")}
    game = position(units, side=phasing, step="reaction antitank", moved=" ".join(tanks[phasing]))
    game.send(other, fire(" ".join(tanks[other]), tanks[phasing][0]), DONE, dice=[1])  # 6:2 or 4:3: a 1 destroys
    assert (game.at(tanks[phasing][0]), game.place) == ("box:eliminated", f"9 {phasing} antitank")
    game.send(phasing, fire(tanks[phasing][0], tanks[other][0]))
    assert game.refusal() == ("not-on-map", "11.0a")
    game.send(phasing, fire(tanks[phasing][1], tanks[other][0]), dice=[6])
    assert len(game.events("moved_off")) == 1
    assert game.marks(tanks[phasing][1]) == set()  # Moved comes off when antitank fire is done


@pytest.mark.rule("beda-fomm", "13.0c")
def test_no_antitank_fire_in_the_dark():
    game = position("2RT-1@2823 BAB-5-1@2824", side="british", step="movement", turn=7)
    game.british(DONE)
    assert game.events("shot") == []
    assert game.place == "8 italian movement"


# -- BEST and MASS ---------------------------------------------------------------------------------------------------------------


def test_best_is_the_highest_column_and_the_rest_aim_anew():
    # 106RHA 4 and 2RT-1 3 both reach BAB-5-1 (2, 3:1) and BAB-61-1 (1, 6:1): first the light tank, by both; nobody is left.
    game = british("106RHA@2823 2RT-1@2823 BAB-5-1@2824 BAB-61-1@2824")
    game.british(fire("106RHA 2RT-1", "BEST"), dice=[6])
    assert shots(game) == [("106RHA 2RT-1", "BAB-61-1", "6:1")]
    # MASS 3: at BAB-61-1 the 106th alone makes 4:1, the tank then makes only 1:1 on the other and stays ready.
    game = british("106RHA@2823 2RT-1@2823 BAB-5-1@2824 BAB-61-1@2824")
    game.british(fire("106RHA 2RT-1", "BEST", 3), dice=[5])
    assert shots(game) == [("106RHA", "BAB-61-1", "4:1")]
    assert "shot" not in game.marks("2RT-1")
    game.british(fire("2RT-1", "BEST", 3))
    assert game.refusal() == ("no-shot", "11.0a")
    game.british(fire("2RT-1", "BEST"), dice=[6])
    assert shots(game) == [("2RT-1", "BAB-5-1", "1:1")]


def test_mass_at_a_named_target_takes_the_first_units_that_are_enough():
    game = british("106RHA@2823 2RT-1@2823 2RB-A@2823 BAB-5-1@2824")
    game.british(fire("106RHA 2RT-1 2RB-A", "BAB-5-1", 3), dice=[6])
    assert shots(game) == [("106RHA 2RT-1", "BAB-5-1", "3:1")]
    game = british("106RHA@2823 2RT-1@2823 BAB-5-1@2824")
    game.british(fire("106RHA 2RT-1", "BAB-5-1", 4))
    assert game.refusal() == ("odds-not-reached", "11.0l")
    assert game.last.rejections[0].details["column"] == "3:1"


# -- the window of a side that says nothing (W2) ---------------------------------------------------------------------------------

# BAB-5-1 on undulating ground has not moved: 4. The 106th (4) and two batteries (2 each) have no other target and make 2:1; so the tank,
# which would not better that, is left for BAB-6-1 in 1825: 3 against 2.
QUIET = "106RHA@1822 C-4RHA@1822 F-4RHA@1822 2RT-1@1824 BAB-5-1@1823 BAB-6-1@1825"
BY_ITSELF = [("106RHA C-4RHA F-4RHA", "BAB-5-1", "2:1"), ("2RT-1", "BAB-6-1", "1:1")]


@pytest.mark.parametrize("tempo", ["blitz", "normal"])
def test_a_side_that_says_nothing_fires_all_it_can(tempo: str):
    game = position(QUIET, step="barrage", tempo=tempo)
    game.italian(DONE, dice=[6, 6])
    if tempo == "normal":
        assert game.place == "9 italian reaction antitank"
        game.british(order("PASS"), dice=[6, 6])
    assert shots(game) == BY_ITSELF


@pytest.mark.parametrize("word", [order("DONE", turn=True), order("DONE", auto=True)])
def test_so_does_one_that_leaves_the_window_to_the_rule(word):
    game = position(QUIET, step="reaction antitank")
    game.british(word, dice=[6, 6])
    assert shots(game) == BY_ITSELF


def test_a_plain_done_holds_fire_and_an_order_is_all_that_is_fired():
    game = position(QUIET, step="reaction antitank")
    game.british(DONE)
    assert shots(game) == []
    game = position(QUIET, step="reaction antitank")
    game.british(fire("2RT-1", "BAB-6-1"), order("DONE", turn=True), dice=[6])
    assert shots(game) == [("2RT-1", "BAB-6-1", "1:1")]


def test_standing_orders_come_first_and_the_default_where_none_of_them_can_be_used():
    # "movement" so that the standing orders are there before the window opens.
    game = position(QUIET, step="movement", tempo="blitz")
    game.british(standing=[on("REACTION-ANTITANK", fire("106RHA C-4RHA F-4RHA 2RT-1", "BEST", 2))])
    game.italian(order("PHASE", name="antitank"), dice=[6])
    # 2:1 is reached on BAB-5-1 by the first three named; the tank does not reach it on the other, and stays silent.
    assert shots(game) == [("106RHA C-4RHA F-4RHA", "BAB-5-1", "2:1")]
    game = position(QUIET, step="movement", tempo="blitz")
    game.british(standing=[on("REACTION-ANTITANK", fire("J-3RHA", "BEST"), fire("106RHA", "BAB-6-1"))])
    game.italian(order("PHASE", name="antitank"), dice=[6, 6])
    assert shots(game) == BY_ITSELF


def test_all_are_used_where_each_betters_the_column():
    game = position("106RHA@2823 2RB-A@2823 BAB-61-1@2824 BAB-61-2@2824", step="barrage", tempo="blitz")
    game.italian(DONE, dice=[1, 1])
    # 5 against 1 is 5:1 by both; the 106th alone would make 4:1. Then nobody is left for the second.
    assert shots(game) == [("106RHA 2RB-A", "BAB-61-1", "5:1")]


def test_best_goes_on_with_those_that_have_a_target_still():
    # 106RHA 4 in 2823 is next to BAB-5-1 (2) alone, 2RT-1 3 in 2826 to BAB-6-1 (2) alone: 2:1, then 1:1.
    game = british("106RHA@2823 2RT-1@2827 BAB-5-1@2824 BAB-6-1@2826")
    game.british(fire("106RHA 2RT-1", "BEST"), dice=[6, 6])
    assert shots(game) == [("106RHA", "BAB-5-1", "2:1"), ("2RT-1", "BAB-6-1", "1:1")]


def test_of_a_volley_who_is_not_needed_stays_out():
    # 2RB-A 1 has no other target; 106RHA 4 is next to BAB-6-1 too. On BAB-5-1 both are 5:2, and 106RHA alone reaches 2:1 as well.
    game = position("2RB-A@2823 106RHA@2825 BAB-5-1@2824 BAB-6-1@2826", step="reaction antitank")
    game.british(order("DONE", auto=True), dice=[6])
    assert shots(game)[0] == ("106RHA", "BAB-5-1", "2:1")


def test_a_target_without_an_antitank_factor_is_struck_on_the_last_column():
    # BF-R55: no printed unit is without; an owner's counters might be.
    game = british("2RB-A@2823 BAB-61-1@2824")
    cards = game.module.data.cards
    tank = replace(cards["BAB-61-1"], values={**cards["BAB-61-1"].values, "at": 0})
    game.module = replace(game.module, data=replace(game.module.data, cards={**cards, "BAB-61-1": tank}))
    assert named(game.table, column_of(game.table, ["2RB-A"], "BAB-61-1")) == "6:1"
