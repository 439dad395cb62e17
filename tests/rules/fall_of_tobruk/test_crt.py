"""The Combat Results Table cell by cell as far as it is printed, each cell fought for."""

import pytest

from services.rules.games.fall_of_tobruk import odds
from services.rules.games.fall_of_tobruk.battle import spelt
from tests.rules.fall_of_tobruk.field import package
from tests.rules.fall_of_tobruk.fighting import fought, results
from tests.rules.fall_of_tobruk.positions import attack, position

ONE_TO_FIVE = ("605@0807", "5EY@0808 6GH@0808", "1:5")  # 2 to 10
ONE_TO_FOUR = ("605@0807", "2L@0808 11C@0808", "1:4")  # 2 to 8
ONE_TO_THREE = ("605@0807", "2SG@0808", "1:3")  # 2 to 6
ONE_TO_TWO = ("8PZ-2@0807", "5EY@0808", "1:2")  # 4 to 5
ONE_TO_ONE = ("115-I@0807", "5EY@0808", "1:1")
TWO_TO_ONE = ("115-I@0807 104-I@0708", "5EY@0808", "2:1")
THREE_TO_ONE = ("115@0807", "5EY@0808", "3:1")
FOUR_TO_ONE = ("115@0807 104-I@0708", "5EY@0808", "4:1")
FIVE_TO_ONE = ("115@0807 104-I@0708 104-II@0708", "5EY@0808", "5:1")
SIX_TO_ONE = ("115@0807 104@0708", "5EY@0808", "6:1")
SEVEN_TO_ONE = ("115@0807 104@0708 288@0709", "5EY@0808", "7:1")  # 36
EIGHT_TO_ONE = ("115@0807 104@0708 155@0709", "5EY@0808", "8:1")  # 40


def rolled(ours: str, theirs: str, roll: int) -> tuple[str, str]:
    """Column and result of an attack."""
    units = " ".join(text.split("@")[0] for text in ours.split())
    ((_, column, result),) = results(fought(f"{ours} {theirs}", attack("0808", units), roll=roll))
    return column, result


@pytest.mark.rule("fall-of-tobruk", "crt.r2a", "crt.r3a")
@pytest.mark.parametrize("roll", [2, 3])
@pytest.mark.parametrize(("ours", "theirs", "column"), [ONE_TO_FIVE, ONE_TO_FOUR, ONE_TO_THREE])
def test_twos_and_threes_from_one_to_five_to_one_to_three(ours, theirs, column, roll):
    assert rolled(ours, theirs, roll) == (column, "AE")


@pytest.mark.rule("fall-of-tobruk", "crt.r2b", "crt.r3b")
def test_a_two_and_a_three_at_one_to_two():
    ours, theirs, column = ONE_TO_TWO
    assert (rolled(ours, theirs, 2), rolled(ours, theirs, 3)) == ((column, "DR1"), (column, "CON"))


@pytest.mark.rule("fall-of-tobruk", "crt.r2c")
@pytest.mark.parametrize(("ours", "theirs", "column"), [ONE_TO_ONE, TWO_TO_ONE, THREE_TO_ONE])
def test_a_two_from_one_to_one_to_three_to_one(ours, theirs, column):
    assert rolled(ours, theirs, 2) == (column, "AE")


@pytest.mark.rule("fall-of-tobruk", "crt.r2d", "crt.r2e", "crt.r2f", "crt.r2g")
@pytest.mark.parametrize(
    ("case", "result"), [(FOUR_TO_ONE, "EX"), (FIVE_TO_ONE, "ENG"), (SIX_TO_ONE, "DE"), (SEVEN_TO_ONE, "DE"), (EIGHT_TO_ONE, "CON")]
)
def test_a_two_from_four_to_one_on(case, result):
    ours, theirs, column = case
    assert rolled(ours, theirs, 2) == (column, result)


@pytest.mark.rule("fall-of-tobruk", "crt.1", "crt.r3c")
def test_the_table_has_a_result_for_every_throw_and_says_which_are_printed():
    table = odds.crt(position("5EY@0808").table)
    assert [str(column) for column in table.columns] == ["1:5", "1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1"]
    assert list(table.rows) == list(range(2, 13))
    known = {"AE", "AR1", "AR2", "AR3", "CON", "ENG", "EX", "DR1", "DR2", "DR3", "DR4", "DE"}
    assert {spelt(cell) for cells in table.rows.values() for cell in cells} == known
    told = {(row, str(column)): package().source_of("combat", str(row), str(column)) for row in table.rows for column in table.columns}
    printed = {cell for cell, source in told.items() if source == "printed"}
    assert printed == {(2, str(column)) for column in table.columns} | {(3, column) for column in ("1:5", "1:4", "1:3", "1:2")}
