"""9.45 and 9.46 in regular combat: parked transports alone, and in company. 12 against 4 is 3:1."""

import pytest

from tests.rules.beda_fomm.fight import advance, attack, battles, checked, declaring, lost
from tests.rules.beda_fomm.positions import DONE

FOUR = "2RB-A@2405 2RB-B@2405 2RB-C@2405 2RB-D@2405"
ALL_FOUR = "2RB-A 2RB-B 2RB-C 2RB-D"


@pytest.mark.rule("beda-fomm", "9.45a")
def test_alone_in_an_attacked_hex_it_is_eliminated_without_a_die_and_the_hex_can_be_entered():
    # BF-R33: one attacker is enough, the guns that would support cannot save it, its parent falls a level.
    game = declaring("2RB-A@2405 T-1:parked@2404 SAB-ART1@2402", tempo="normal")
    game.british(attack("2404", "2RB-A"), DONE)
    assert game.place == "9 british defensive support"
    game.italian(DONE)
    assert lost(game) == ["T-1"]
    assert not game.events("rolled")
    assert not battles(game)
    assert game.data("parked_taken") == {"label": "2404", "hex": "2404", "unit": "T-1"}
    assert game.morale("BER") == 5
    game.british(advance("2RB-A", "2404"))
    assert game.at("2RB-A") == "2404"


@pytest.mark.rule("beda-fomm", "9.45a")
def test_an_unparked_transport_is_company():
    # BF-R32. 3 against 1: 3:1, a 4: DM1. Both are Bergonzoli's: T-1 first (both battalions), 2 and 2 and 1 at 6.
    game = declaring("2RB-A@2405 T-1@2404 T-2:parked@2404")
    game.british(attack("2404", "2RB-A"), DONE, dice=[4, 2, 2, 2, 2])
    assert battles(game) == [("2404", 3, 1, "3:1")]
    assert checked(game) == ["T-1", "T-2"]


@pytest.mark.rule("beda-fomm", "9.46a", "9.46b")
def test_in_company_it_has_the_same_result_and_dies_of_any_failure():
    # BF-R30. A 4: DM1. SAB-1 (7) passes with 3; T-1 (6) fails by one: forced to retreat, so it is eliminated. One level.
    game = declaring(f"{FOUR} SAB-1@2404 T-1:parked@2404")
    game.british(attack("2404", ALL_FOUR), DONE, dice=[4, 1, 1, 3, 3])
    assert checked(game) == ["SAB-1", "T-1"]
    assert (lost(game), game.morale("BER")) == (["T-1"], 5)
    assert game.data("eliminated")["cause"] == "parked"


@pytest.mark.rule("beda-fomm", "9.46a")
def test_by_option_it_shares_the_fate_of_its_companions_and_does_not_check():
    # SAB-1 stays: it stays. SAB-1 fails by one (3 and 4 and 1 at 7) and retreats: it dies.
    stays = declaring(f"{FOUR} SAB-1@2404 T-1:parked@2404", parked_in_company="fate")
    stays.british(attack("2404", ALL_FOUR), DONE, dice=[4, 1, 1])
    assert (checked(stays), lost(stays)) == (["SAB-1"], [])
    goes = declaring(f"{FOUR} SAB-1@2404 T-1:parked@2404", parked_in_company="fate")
    goes.british(attack("2404", ALL_FOUR), DONE, dice=[4, 3, 4])
    assert (checked(goes), lost(goes)) == (["SAB-1"], ["T-1"])


@pytest.mark.rule("beda-fomm", "12.0g", "12.13a")
def test_a_hex_of_a_parked_transport_alone_is_owed_like_any_other():
    # BF-R63.
    game = declaring(f"{FOUR} SAB-1@2404 T-1:parked@2505 2RB-A@2605")
    game.british(attack("2404", "2RB-B"), DONE)
    assert game.last.rejections[0].details["hexes"] == ["2505"]
