"""5. Zones of control. Everything happens on the plain about 2926, which is clear and has no road: 1 MP a hex for armor and British,
2 for Italian personnel. The ZOC of a unit in 2926 is 2925 3025 3026 2927 2826 2825; 2924 and 2824 lie north of it."""

import pytest

from services.rules.games.beda_fomm.zoc import enemy_zoc
from tests.rules.beda_fomm.positions import DONE, Game, move, position

ROUND_2926 = {"2925", "3025", "3026", "2927", "2826", "2825"}


def british(units: str, *lines) -> Game:
    game = position(units, side="british")
    game.british(*lines)
    return game


def italian(units: str, *lines) -> Game:
    game = position(units)
    game.italian(*lines)
    return game


def zone(units: str, side: str) -> set[str]:
    return {str(at) for at in enemy_zoc(position(units).table, side)}


@pytest.mark.rule("beda-fomm", "5.1a", "5.1b", "5.0b")
def test_every_unit_but_transport_controls_the_six_hexes_round_it():
    assert zone("BER-SIR@2926", "british") == ROUND_2926
    assert zone("COL-AT@2926 COL-ART:fired@2926", "british") == ROUND_2926
    assert zone("T-1@2926 T-2:parked@2927", "british") == set()
    assert zone("C-4RHA@2926", "italian") == ROUND_2926


@pytest.mark.rule("beda-fomm", "5.2a", "5.2b")
def test_a_zone_reaches_over_all_terrain_even_where_its_unit_could_never_go():
    # An antitank battery on the road at 1732 may go along the road alone; dunes 1631 1632 and clear 1831 1832 are closed to it.
    assert zone("COL-AT@1732", "british") == {"1731", "1831", "1832", "1733", "1632", "1631"}
    game = british("C-4RHA@1830 COL-AT@1732", move("C-4RHA", "1831"))
    assert game.refusal() == ("never-into-zoc", "5.43a")


@pytest.mark.rule("beda-fomm", "5.31a")
def test_a_zone_costs_no_mp_to_enter_or_to_leave():
    game = british("2RB-A@2924 BER-SIR@2926", move("2RB-A", "2925"))
    assert game.data("moved")["cost"] == {"2RB-A": 1}
    game = british("2RB-A@2925 BER-SIR@2926", move("2RB-A", "2924 2923"))
    assert game.data("moved")["cost"] == {"2RB-A": 2}


@pytest.mark.rule("beda-fomm", "5.32a", "9.22a")
def test_a_unit_stops_where_it_enters_a_zone():
    units = "2RB-A@2923 BER-SIR@2926"
    assert british(units, move("2RB-A", "2924 2925")).at("2RB-A") == "2925"
    game = british(units, move("2RB-A", "2924 2925 2824"))
    assert game.refusal() == ("must-stop", "5.32a")
    assert game.at("2RB-A") == "2923"


@pytest.mark.rule("beda-fomm", "5.32a", "9.22a")
def test_a_second_order_does_not_take_a_unit_out_of_the_zone_it_entered():
    for path in ("2924", "2825"):
        game = british("2RB-A@2923 BER-SIR@2926", move("2RB-A", "2924 2925"), move("2RB-A", path))
        assert game.refusal() == ("must-stop", "5.32a")


@pytest.mark.rule("beda-fomm", "5.32b", "5.32c", "9.31a")
def test_a_unit_that_begins_in_a_zone_leaves_it_and_stops_in_the_next():
    units = "BAB-6-1@2925 2RB-A@2926"
    game = italian(units, move("BAB-6-1", "2924 2824 2825"))  # into the zone of the same enemy again (BF-R13)
    assert (game.at("BAB-6-1"), game.marks("BAB-6-1")) == ("2825", {"moved"})
    game = italian(units, move("BAB-6-1", "2924 2824 2825 2725"))
    assert game.refusal() == ("must-stop", "5.32a")


@pytest.mark.rule("beda-fomm", "5.33a")
def test_no_step_leads_from_zone_to_zone_even_of_one_enemy():
    game = italian("BAB-6-1@2925 2RB-A@2926", move("BAB-6-1", "2825"))
    assert game.refusal() == ("no-infiltration", "5.33a")
    game = italian("BAB-6-1@2924 2RB-A@2926 2RB-B@2923", move("BAB-6-1", "2925"))  # 2924 is next to 2923, 2925 to 2926
    assert game.refusal() == ("no-infiltration", "5.33a")


@pytest.mark.rule("beda-fomm", "5.34a")
def test_of_several_zones_in_a_hex_the_strictest_holds_and_no_more():
    # 2925 is in the zones of a rifle company (2926) and of armored cars (2824): armored to personnel (BF-R15).
    units = "PIA-PARA@3024 BAB-6-1@3024 2RB-A@2926 11H-1@2824"
    assert italian(units, move("PIA-PARA", "2925")).refusal() == ("armored-zoc", "5.42b")
    assert italian(units, move("BAB-6-1", "2925")).data("moved")["cost"] == {"BAB-6-1": 1}
    assert italian("PIA-PARA@3024 2RB-A@2926 2RB-B@2824", move("PIA-PARA", "2925")).at("PIA-PARA") == "2925"


@pytest.mark.rule("beda-fomm", "5.35a", "5.35b")
def test_zones_overlap_and_friends_do_not_cancel_them():
    units = "2RB-A@2924 BER-SIR@2926"
    assert {"2925"} == zone(units, "british") & zone(units, "italian")
    # 2926 held by a friend is still in the zone of 2927 (BF-R18).
    game = british("2RB-A@2926 BER-SIR@2927 C-4RHA@2925", move("C-4RHA", "2926"))
    assert game.refusal() == ("never-into-zoc", "5.43a")


@pytest.mark.rule("beda-fomm", "5.36a", "5.45a", "5.0c")
def test_a_zone_hampers_the_enemy_alone():
    units = "C-4RHA@2924 2RB-A@2926 2RB-B@2824 T-1@1720"
    game = british(units, move("C-4RHA", "2925 2825 2826 2827"))
    assert game.at("C-4RHA") == "2827"


@pytest.mark.rule("beda-fomm", "5.41a")
def test_armor_enters_the_zone_of_anybody():
    assert italian("BAB-6-1@2924 2RB-A@2926", move("BAB-6-1", "2925")).at("BAB-6-1") == "2925"
    assert italian("BAB-6-1@2924 11H-1@2926", move("BAB-6-1", "2925")).at("BAB-6-1") == "2925"
    assert british("11H-1@2924 BAB-6-1@2926", move("11H-1", "2925")).at("11H-1") == "2925"


@pytest.mark.rule("beda-fomm", "5.42a", "5.42b")
def test_personnel_enter_the_zone_of_unarmored_units_and_not_of_armor():
    assert italian("PIA-PARA@2924 2RB-A@2926", move("PIA-PARA", "2925")).at("PIA-PARA") == "2925"
    game = italian("PIA-PARA@2924 11H-1@2926", move("PIA-PARA", "2925"))
    assert game.refusal() == ("armored-zoc", "5.42b")
    game = british("2RB-A@2924 BAB-6-1@2926", move("2RB-A", "2925"))
    assert game.refusal() == ("armored-zoc", "5.42b")


@pytest.mark.rule("beda-fomm", "5.42c")
def test_personnel_enter_the_zone_of_armor_in_one_step_with_armor():
    game = italian("PIA-PARA@2924 BAB-6-1@2924 11H-1@2926", move("PIA-PARA BAB-6-1", "2925"))
    assert (game.at("PIA-PARA"), game.at("BAB-6-1")) == ("2925", "2925")
    assert game.data("moved")["cost"] == {"PIA-PARA": 2, "BAB-6-1": 1}
    # not when the armor has dropped off before
    game = italian("PIA-PARA@2923 BAB-6-1@2923 11H-1@2926", move("PIA-PARA BAB-6-1", "2924 2925", drop="BAB-6-1", drop_at="2924"))
    assert game.refusal() == ("armored-zoc", "5.42b")


@pytest.mark.rule("beda-fomm", "5.42d")
def test_personnel_enter_the_zone_of_armor_where_armor_stands_already_and_not_before_it():
    units = "PIA-PARA@2924 BAB-6-1@2924 11H-1@2926"
    game = italian(units, move("BAB-6-1", "2925"), move("PIA-PARA", "2925"))
    assert game.at("PIA-PARA") == "2925"
    game = italian(units, move("PIA-PARA", "2925"), move("BAB-6-1", "2925"))  # BF-R16
    assert ("armored-zoc", "5.42b") in [(r.code, r.clause) for r in game.last.rejections]


@pytest.mark.rule("beda-fomm", "5.43a", "5.43b")
def test_weapons_and_transport_enter_no_zone():
    # On the road, which is open to them: 1726 is next to 1727.
    for unit, clause in (("COL-AT", "5.43a"), ("T-1", "5.43b")):
        game = italian(f"{unit}@1724 2RB-A@1727", move(unit, "1725 1726"))
        assert game.refusal() == ("never-into-zoc", clause)
        assert italian(f"{unit}@1724 2RB-A@1727", move(unit, "1725")).at(unit) == "1725"


@pytest.mark.rule("beda-fomm", "5.44a")
def test_next_to_units_without_a_zone_everybody_goes_freely():
    game = british("C-4RHA@2924 T-1@2926 T-2:parked@2927", move("C-4RHA", "2925 2825 2826 2827"))
    assert game.at("C-4RHA") == "2827"


@pytest.mark.rule("beda-fomm", "5.5a", "5.5b")
def test_a_unit_in_a_zone_that_it_could_not_enter_may_stay_or_walk_out():
    units = "COL-AT@1726 T-1@1626 PIA-PARA@2925 11H-1@1727 KDG-B@2926"
    game = italian(units, DONE)
    assert (game.last.status, game.at("COL-AT"), game.at("PIA-PARA")) == ("done", "1726", "2925")
    assert italian(units, move("COL-AT", "1725 1724")).at("COL-AT") == "1724"  # BF-R14
    assert italian(units, move("PIA-PARA", "2924 2923")).at("PIA-PARA") == "2923"  # BF-R108
    assert italian(units, move("PIA-PARA", "2825")).refusal() == ("armored-zoc", "5.42b")
