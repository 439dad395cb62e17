"""14.3 The nine convoys: two transports of Bergonzoli and one personnel battalion each."""

import pytest

from tests.rules.beda_fomm.positions import DONE, Game, historical, module, order

AUTO = order("DONE", auto=True)
MUST = ["BER-SIR", "BER-MAR", "BER-BRE", "BER-SAV", "10B-16", "10B-34", "10B-MC"]


def convoy(n: int, transports: str, personnel: str):
    return order("CONVOY", n=n, transports=transports.split(), personnel=personnel)


def nine(*personnel: str):
    return [convoy(n, f"T-{2 * n - 1} T-{2 * n}", unit) for n, unit in enumerate(personnel, 1)]


def formed(*lines) -> Game:
    game = historical()
    game.british(AUTO)
    game.italian(*lines)
    return game


@pytest.mark.rule("beda-fomm", "14.31a", "14.31b")
def test_nine_convoys_of_two_transports_and_a_battalion_are_formed():
    game = formed(*nine(*MUST, "SAB-2", "SAB-5"), DONE)
    assert game.place == "1 italian movement"
    assert game.own("convoys")["1"] == {"transports": ["T-1", "T-2"], "personnel": "BER-SIR"}
    assert game.own("convoys")["9"] == {"transports": ["T-17", "T-18"], "personnel": "SAB-5"}
    assert len(game.own("convoys")) == 9
    game = formed(*nine(*MUST, "SAB-2", "SAB-5")[:8], DONE)
    assert game.refusal() == ("convoys-not-formed", "14.31a")
    assert formed(convoy(10, "T-1 T-2", "BER-SIR")).refusal() == ("no-such-convoy", "14.31a")


@pytest.mark.rule("beda-fomm", "14.31b", "14.31c")
@pytest.mark.parametrize("transports", ["T-1", "T-1 T-2 T-3", "T-1 T-1", "T-1 COL-ART", "T-1 BER-SIR"])
def test_a_convoy_has_two_different_transports_of_bergonzoli(transports):
    assert formed(convoy(1, transports, "BER-MAR")).refusal() == ("not-two-transports", "14.31b")


@pytest.mark.rule("beda-fomm", "14.31c")
def test_all_eighteen_transports_are_of_bergonzoli_and_ride_in_convoys():
    data = module().data
    transports = [name for name, card in data.cards.items() if card.values["class"] == "transport"]
    assert len(transports) == 18
    assert {data.cards[name].values["parent"] for name in transports} == {"BER"}
    game = formed(AUTO)
    assert sorted(unit for one in game.own("convoys").values() for unit in one["transports"]) == sorted(transports)


@pytest.mark.rule("beda-fomm", "14.31d")
def test_personnel_are_those_of_bergonzoli_and_of_the_bersaglieri_and_any_two_infantry_battalions_of_sabratha():
    for strange in ("COL-ART", "PIA-PARA", "SAB-MG", "FER-INF", "T-3"):
        assert formed(convoy(1, "T-1 T-2", strange)).refusal() == ("not-convoy-personnel", "14.31d")
    game = formed(*nine(*MUST[:6], "SAB-1", "SAB-2", "SAB-3"), DONE)
    assert game.refusal() == ("not-in-a-convoy", "14.31d")
    assert game.last.rejections[0].details["units"] == ["10B-MC"]
    for pair in (("SAB-1", "SAB-2"), ("SAB-3", "SAB-4")):
        assert formed(*nine(*MUST, *pair), DONE).last.status == "done"


@pytest.mark.rule("beda-fomm", "14.31b")
def test_no_unit_rides_in_two_convoys():
    twice = [*nine(*MUST, "SAB-1"), convoy(9, "T-1 T-18", "SAB-2")]
    assert formed(*twice, DONE).refusal() == ("in-two-convoys", "14.31b")
    twice = [*nine(*MUST, "SAB-1"), convoy(9, "T-17 T-18", "SAB-1")]
    assert formed(*twice, DONE).refusal() == ("in-two-convoys", "14.31b")


@pytest.mark.rule("beda-fomm", "14.31b")
def test_a_convoy_formed_anew_in_a_later_mail_is_looked_at_with_the_older_ones_at_the_end():
    game = formed(*nine(*MUST, "SAB-1", "SAB-2"))
    game.italian(convoy(9, "T-1 T-18", "SAB-2"))
    assert game.codes() == []  # a later line may still mend it
    game.italian(DONE)
    assert (game.refusal(), game.last.rejections[0].details["units"]) == (("in-two-convoys", "14.31b"), ["T-1"])


@pytest.mark.rule("beda-fomm", "14.31d", "15.0a")
def test_battalions_of_sabratha_in_no_convoy_come_with_sabratha():
    # 6 Feb 1500 is turn 18: six turns of the 5th, two dark ones, 0600 is the ninth.
    game = formed(*nine(*MUST, "SAB-2", "SAB-5"), DONE)
    due = {unit: game.state.counters[unit].num.get("due") for unit in ("SAB-1", "SAB-2", "SAB-3", "SAB-4", "SAB-5")}
    assert due == {"SAB-1": 18, "SAB-2": None, "SAB-3": 18, "SAB-4": 18, "SAB-5": None}


def test_the_umpire_forms_what_is_wanting():
    game = formed(convoy(3, "T-4 T-5", "10B-MC"), AUTO)
    convoys = game.own("convoys")
    assert convoys["3"] == {"transports": ["T-4", "T-5"], "personnel": "10B-MC"}
    units = [unit for one in convoys.values() for unit in (*one["transports"], one["personnel"])]
    assert len(units) == len(set(units)) == 27
    assert set(MUST) < set(units)


def test_convoys_that_leave_no_place_for_those_that_must_ride_are_formed_anew_by_the_umpire():
    game = formed(*nine(*MUST[:5], "SAB-1", "SAB-2", "SAB-3", "SAB-4"), AUTO)
    assert set(MUST) < {one["personnel"] for one in game.own("convoys").values()}
    assert game.own("convoys")["6"]["personnel"] == "SAB-1"  # the last numbers give way first
