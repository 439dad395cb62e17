"""9.11 The Terrain Effects Chart, every cell, by what a unit has spent after one step; None: refused as closed to it."""

import pytest

from tests.rules.beda_fomm.positions import module, move, position

STEPS = {  # terrain -> (from, to): a step into such a hex that no road or trail crosses, or along one
    "clear": ("2924", "2925"),
    "undulating": ("1824", "1823"),
    "sand-dunes": ("1731", "1631"),
    "road": ("1720", "1721"),
    "trail": ("1922", "1822"),
}
UNITS = {  # column -> units of every type that moves by it
    "british": ("2RB-A", "11H-1", "2RT-1", "7H-1", "C-4RHA", "106RHA"),
    "armor": ("BAB-6-1", "BAB-61-1"),
    "personnel": ("BER-SIR", "BER-BRE", "10B-MC", "PIA-PARA"),
    "weapons": ("COL-ART", "COL-AT", "COL-LAA", "CRU-HAA", "T-1"),
}
MP = {
    ("clear", "british"): 1,
    ("clear", "armor"): 1,
    ("clear", "personnel"): 2,
    ("clear", "weapons"): None,
    ("undulating", "british"): 2,
    ("undulating", "armor"): 2,
    ("undulating", "personnel"): 3,
    ("undulating", "weapons"): None,
    ("sand-dunes", "british"): 2,
    ("sand-dunes", "armor"): 2,
    ("sand-dunes", "personnel"): 3,
    ("sand-dunes", "weapons"): None,
    ("road", "british"): "1/2",
    ("road", "armor"): "1/2",
    ("road", "personnel"): "1/2",
    ("road", "weapons"): "1/2",
    ("trail", "british"): 1,
    ("trail", "armor"): 1,
    ("trail", "personnel"): 1,
    ("trail", "weapons"): 1,
}


def paid(unit: str, start: str, to: str):
    side = module().data.cards[unit].side
    game = position(f"{unit}@{start}", side=side)
    game.send(side, move(unit, to))
    if game.last.status == "refused":
        assert game.refusal() == ("prohibited", "9.11a")
        return None
    return game.data("moved")["cost"][unit]


@pytest.mark.rule("beda-fomm", "2.0e", "2.0f", "2.0g", "2.0h", "2.0i", "9.11a", "9.11b", "9.11c")
@pytest.mark.parametrize(("terrain", "column"), list(MP))
def test_a_step_costs_what_the_chart_says(terrain, column):
    assert {unit: paid(unit, *STEPS[terrain]) for unit in UNITS[column]} == dict.fromkeys(UNITS[column], MP[terrain, column])


def test_no_cell_of_the_chart_is_left_out():
    columns = {"british", "armor", "personnel", "weapons"}
    assert {(terrain, column) for terrain in module().data.charts["terrain"] for column in columns} == MP.keys()


@pytest.mark.rule("beda-fomm", "9.11a", "2.0h")
def test_the_road_counts_only_along_itself():
    # Both hexes have the road or trail, and it does not cross the side between them (BF-R21): 1822 is clear, 1723 has the road.
    assert paid("PIA-PARA", "1822", "1723") == 2
    assert paid("T-1", "1822", "1723") is None
    assert paid("T-1", "1822", "1722") == 1  # down the trail to the road
    # Dunes at 1732 are crossed by the road.
    assert paid("T-1", "1731", "1732") == "1/2"
