"""6. Stacking: a battalion counts 3, any other unit 1, parked transport 0, at most 4 in a hex (6.1a gives the very stacks of 6.11)."""

import pytest

from tests.rules.beda_fomm.positions import move, position

TANKS = "BAB-6-1@2925 BAB-6-2@2925 BAB-6-3@2925"
CASES = [
    ("BAB-6-5", "PIA-PARA@2925", True),  # 3 + 1
    ("PIA-PARA", "BAB-6-1@2925", True),  # 1 + 3
    ("BAB-6-5", "PIA-PARA@2925 BAB-6-1@2925", False),  # 3 + 1 + 1
    ("PIA-PARA", "BAB-6-1@2925 BAB-6-2@2925", False),  # 1 + 1 + 3
    ("BAB-6-5", TANKS, True),  # four smaller units
    ("BAB-6-5", f"{TANKS} BAB-6-4@2925", False),  # five
    ("PIA-PARA", "BER-SIR@2925", False),  # two battalions
    ("PIA-PARA", "T-1@2925", False),  # transport that is ready is a battalion like others
    ("PIA-PARA", "T-1:parked@2925 BAB-6-1@2925", True),  # 0 + 1 + 3
    ("BAB-6-5", f"{TANKS} T-1:parked@2925", True),
]


def entered(unit: str, others: str, **options) -> bool:
    game = position(f"{unit}@2924 {others}", **options)
    game.italian(move(unit, "2925"))
    if game.last.status == "refused":
        assert game.refusal() == ("no-room", "6.13b")
    return game.at(unit) == "2925"


@pytest.mark.rule("beda-fomm", "6.0a", "6.11a", "6.11b", "6.11e", "6.13b")
@pytest.mark.parametrize(("unit", "others", "may"), CASES)
def test_a_hex_takes_a_battalion_and_one_or_four_smaller_units(unit, others, may):
    assert entered(unit, others) is may


@pytest.mark.rule("beda-fomm", "6.1a")
@pytest.mark.parametrize(("unit", "others", "may"), CASES)
def test_counted_in_points_the_same_stacks_are_legal(unit, others, may):
    assert entered(unit, others, four_points=True) is may


@pytest.mark.rule("beda-fomm", "9.4d")
def test_parked_transport_is_outside_the_count():
    assert entered("BAB-6-5", f"{TANKS} T-1:parked@2925")
    assert not entered("BAB-6-5", "BAB-6-1@2925 BAB-6-2@2925 T-1@2925")


@pytest.mark.rule("beda-fomm", "6.13a", "9.24a")
def test_the_limit_holds_in_passing_too():
    game = position("PIA-PARA@2923 BER-SIR@2924")
    game.italian(move("PIA-PARA", "2924 2925"))
    assert game.refusal() == ("no-room", "6.13b")
    game = position("T-1@1720 T-2@1721 T-3:parked@1722")  # a battalion does not drive through another, but past a parked one (BF-R20)
    game.italian(move("T-1", "1721 1722"))
    assert game.refusal() == ("no-room", "6.13b")
    game.italian(move("T-2", "1722 1723"))
    assert game.at("T-2") == "1723"


@pytest.mark.rule("beda-fomm", "6.13b", "9.24a")
def test_a_stack_that_moves_counts_as_a_whole():
    game = position("BAB-6-1@2924 BAB-6-2@2924 BAB-6-3@2925 BAB-6-4@2925 BAB-6-5@2925")
    game.italian(move("BAB-6-1 BAB-6-2", "2925"))
    assert game.refusal() == ("no-room", "6.13b")
    game.italian(move("BAB-6-1", "2925"))
    assert game.at("BAB-6-1") == "2925"


@pytest.mark.rule("beda-fomm", "6.0b")
def test_markers_do_not_count():
    shelled = {"2925": {"side": "british", "factors": 1, "guns": ["C-4RHA"]}}
    game = position(f"BAB-6-5@2924 {TANKS} C-4RHA@2929", own={"interdicted": shelled, "barraged": {"2925": "british"}})
    game.italian(move("BAB-6-5", "2925"))
    assert game.at("BAB-6-5") == "2925"


@pytest.mark.rule("beda-fomm", "6.12a", "9.21a")
def test_the_sides_never_share_a_hex():
    for there in ("2RB-A@2925", "11H-1@2925"):
        game = position(f"BAB-6-1@2924 {there}")
        game.italian(move("BAB-6-1", "2925"))
        assert game.refusal() == ("enemy-there", "9.21a")
    game = position("2RB-A@2924 T-1:parked@2925", side="british")  # parked transport bars its hex too (BF-R34)
    game.british(move("2RB-A", "2925"))
    assert game.refusal() == ("enemy-there", "9.21a")


@pytest.mark.rule("beda-fomm", "6.0c")
def test_everybody_sees_every_unit_of_every_stack():
    game = position("T-1:parked@1720 BER-SIR@1720 COL-AT@1720 2RB-A@2731 2RT-1@off9", marks={"moved": "COL-AT"})
    views = [game.view(side) for side in ("italian", "british", None)]
    shown = [[(c["id"], c["place"], c["face"], c["marks"]) for c in seen["counters"]] for seen in views]
    assert shown[0] == shown[1] == shown[2]
    assert {(unit, place) for unit, place, _, _ in shown[1]} == {
        ("T-1", "1720"),
        ("BER-SIR", "1720"),
        ("COL-AT", "1720"),
        ("2RB-A", "2731"),
        ("2RT-1", "edge:off"),
    }
    assert ("T-1", "parked") in {(unit, face) for unit, _, face, _ in shown[1]}
    assert ("COL-AT", "1720", "", ["moved"]) in shown[1]
