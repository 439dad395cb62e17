"""10.2 Artillery spotting: lines over the undulating ground between the Pimple (1823, 1923) and the ridges."""

import pytest

from scenarios.hexes import Hex, distance, neighbours, parse_hex
from services.rules.games.beda_fomm.spotting import between, spotted
from tests.rules.beda_fomm.positions import order, position

# C-4RHA has range 7; nobody is near the targets unless a test puts him there.


def sees(gun: str, target: str, friends: str = "", **options: object) -> bool:
    game = position(f"C-4RHA@{gun} {friends}", side="british", step="barrage", **options)
    return spotted(game.table, "british", parse_hex(gun), parse_hex(target))


def barrage(target: str, gun: str = "C-4RHA"):
    return order("BARRAGE", guns=[gun], target=target)


@pytest.mark.rule("beda-fomm", "10.21a", "10.22a", "2.0x")
def test_an_undulating_hex_cannot_be_barraged_from_afar_by_the_phasing_side_either():
    game = position("C-4RHA@1826 COL-AT@1823 BAB-MC@1724", side="british", step="barrage")
    game.british(barrage("1823"))
    assert game.refusal() == ("not-spotted", "10.21a")
    game.british(barrage("1724"), dice=[1])
    assert game.data("barrage")["hex"] == "1724"


@pytest.mark.rule("beda-fomm", "2.0l")
def test_nor_can_it_be_interdicted():
    game = position("C-4RHA@1826 COL-AT@1823", side="british", step="interdiction")
    game.british(order("INTERDICT", guns=["C-4RHA"], hex="1823"))
    assert game.refusal() == ("not-spotted", "10.21a")
    game.british(order("INTERDICT", guns=["C-4RHA"], hex="1822"))
    assert game.refusal() == ("not-spotted", "10.21a")  # the line from 1826 straight up the column goes through 1823


@pytest.mark.rule("beda-fomm", "10.22b", "10.2b")
def test_undulating_ground_between_blocks_the_line():
    assert sees("1826", "1824")
    assert not sees("1826", "1822")  # 1823 between
    assert sees("1923", "1920")  # 1921 and 1922 are clear: the gun's own hex is not between (BF-R39)
    assert not sees("1924", "1920")  # 1923 between


@pytest.mark.rule("beda-fomm", "10.2a")
def test_the_line_runs_from_centre_to_centre():
    # Three columns over, from half a hex low to high, two rows down: through two hexes, by neither along a side.
    line = between(parse_hex("1010"), parse_hex("1312"))
    assert {str(at) for at in line.through} == {"1111", "1211"}
    assert line.along == frozenset()
    straight = between(parse_hex("1816"), parse_hex("1822"))
    assert {str(at) for at in straight.through} == {"1817", "1818", "1819", "1820", "1821"}


def test_a_line_has_as_many_hexes_as_it_must():
    """Whatever the two hexes: every rank between them is met, by a hex it goes through or by a pair it runs between."""
    gun = Hex(16, 20)
    for col in range(8, 25):
        for row in range(12, 29):
            target = Hex(col, row)
            far = distance(gun, target)
            line = between(gun, target)
            met = {distance(gun, at) for at in (*line.through, *(at for pair in line.along for at in pair))}
            assert met - {far} == set(range(1, far)), target
            assert all(b in neighbours(a) for a, b in line.along)
            assert between(target, gun) == line


@pytest.mark.rule("beda-fomm", "10.2b")
def test_along_a_hexside_both_hexes_must_be_undulating_or_by_option_either():
    # From 1716 due east to 1916 (two columns on, the same row) the line runs between 1815 (undulating) and 1816 (clear).
    assert between(parse_hex("1716"), parse_hex("1916")).along == {(parse_hex("1815"), parse_hex("1816"))}
    assert sees("1716", "1916")
    assert not sees("1716", "1916", line_of_sight="either")
    # From 1718 to 1918 it runs between 1817 and 1818, both undulating.
    assert not sees("1718", "1918")


@pytest.mark.rule("beda-fomm", "10.23a")
@pytest.mark.parametrize("friend", ["2RB-A@1824", "C-4RHA@1824", "11H-1@1822"])
def test_a_friend_beside_the_target_spots_it_in_any_case(friend):
    if friend.startswith("C-4RHA"):
        assert sees("1824", "1823")  # the gun itself
    else:
        assert sees("1827", "1823", friend)
        assert not sees("1827", "1823")


@pytest.mark.rule("beda-fomm", "10.23a")
def test_parked_transport_spots_too_and_an_enemy_does_not():
    game = position("COL-ART@1820 T-1:parked@1824 2RB-A@1823", step="barrage")
    assert spotted(game.table, "italian", parse_hex("1820"), parse_hex("1823"))
    game = position("COL-ART@1820 11H-1@1824 2RB-A@1823", step="barrage")
    assert not spotted(game.table, "italian", parse_hex("1820"), parse_hex("1823"))
