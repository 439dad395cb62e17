"""Odds, CRT columns and results, modifiers, the terrain chart."""

from fractions import Fraction

import pytest

from services.rules.engine.combat import CombatResultsTable, Modifier, Odds, TerrainEffectsChart, odds, parse_odds, total

CRT = CombatResultsTable.read([["die", "1-2", "1-1", "2-1"], ["1", "AE", "AR", "NE"], ["2", "AR", "NE", " DR"]])


@pytest.mark.parametrize(
    ("attack", "defence", "printed"),
    [
        (7, 2, "3:1"),
        (2, 7, "1:4"),
        (4, 4, "1:1"),
        (5, 4, "1:1"),
        (4, 5, "1:2"),
        (Fraction(7, 2), Fraction(1, 2), "7:1"),
        (Fraction(3, 4), 1, "1:2"),
    ],
)
def test_odds_round_for_the_defender(attack, defence, printed):
    assert str(odds(attack, defence)) == printed


@pytest.mark.parametrize(("attack", "defence"), [(0, 1), (1, 0), (-1, 2)])
def test_odds_of_nothing_are_refused(attack, defence):
    with pytest.raises(ValueError):
        odds(attack, defence)


def test_columns_shift_within_the_table_and_lower_odds_have_none():
    assert CRT.column(Odds(1, 3)) is None
    assert [CRT.column(parse_odds(text)) for text in ("1-2", "1:1", "2-1", "9-1")] == [0, 1, 2, 2]
    assert (CRT.column(Odds(1, 1), -1), CRT.column(Odds(1, 1), 5)) == (0, 2)


def test_a_chart_of_a_package_makes_a_table_its_die_totals_first():
    rows = [{"roll": 2, "1:2": "AE", "1:1": "Con"}, {"roll": 3, "1:2": "Con", "1:1": "DE"}]
    chart = CombatResultsTable.of_chart(rows)
    assert ([str(column) for column in chart.columns], chart.result(0, 2), chart.result(1, 3)) == (["1:2", "1:1"], "AE", "DE")


def test_die_totals_beyond_the_rows_take_the_nearest():
    assert [CRT.result(2, die) for die in (-3, 1, 2, 9)] == ["NE", "NE", "DR", "DR"]


@pytest.mark.parametrize(
    "table",
    [
        [["die", "2-1", "1-1"], ["1", "a", "b"]],
        [["die", "1-1", "2-1"], ["1", "a"]],
        [["die", "1-1"], ["1", "a"], ["3", "a"]],
        [["die", "x"], ["1", "a"]],
        [["die", "2-3"], ["1", "a"]],
        [["die", "1-1"], ["1", "a"], ["1", "b"]],
        [["die"], ["1"]],
    ],
)
def test_a_bad_table_is_refused(table):
    with pytest.raises(ValueError):
        CombatResultsTable.read(table)


def test_modifiers_keep_their_reasons():
    modifiers = [Modifier(-1, "rough", "terrain.13"), Modifier(3, "city", "terrain.17")]
    assert total(modifiers) == 2
    assert modifiers[0].wire() == {"n": -1, "why": "rough", "clause": "terrain.13"}


def test_a_terrain_chart_has_blanks_and_refuses_unknown_terrain():
    chart = TerrainEffectsChart({"rough": {"armor": 3}})
    assert (chart.value("rough", "armor"), chart.value("rough", "infantry")) == (3, None)
    with pytest.raises(KeyError):
        chart.value("swamp", "armor")
