"""The turn in figures: counted by hand from the events of these tests, and from nothing else."""

from __future__ import annotations

from dataclasses import replace

from services.mail.figures import Figures, figures, front
from services.mail.report import ReportRequest
from services.mail.speech import Speech
from services.mail.wording import load_wording
from tests.mail.reports import ACTION, ATTACK, RECEIPT, VIEW, VOCABULARY, event, flat, page, text

SPEECH = Speech(load_wording("en", "holdfast"), VOCABULARY, "axis")
LOST = event("eliminated", "11.2w", unit="2ARM", hex="0805", cause="combat", to="box:pool-allied")
TAKEN = [event("hits", "11.2p", label="A1", on="attackers", units=[{"unit": "21PZ", "hits": 1, "sp": 3}])]
COUNTER = [
    event("battle", "11.2d", label="1803", hex="1803", side="allied", attackers=[{"unit": "2ARM"}], defender={"unit": "PAVIA"}),
    event("hits", "11.2p", label="1803", on="defender", units=[{"unit": "PAVIA", "hits": 3, "sp": 1}]),
    event("hits", "11.2p", label="1803", on="attackers", units=[{"unit": "2ARM", "hits": 0, "sp": 4}]),
]
DAY = [
    event("rebuilt", "repl.1", side="axis", unit="PAVIA", place="0210"),
    event("arrived", "reinf.4", side="allied", alias="V9", place="3907"),
    event("moved", "11.1d", side="axis", alias="G3", path=["0210", "0310"]),
    event("moved", "11.1d", side="axis", units=["21PZ"], path=["0210", "0310"]),
    *ATTACK,
    *TAKEN,
    LOST,
    event("control_changed", "control.2", hex="1803", name="Tobruk", side="axis"),
    *COUNTER,
]
TURN = replace(RECEIPT, kind="turn", events=DAY, lines=[])


def test_every_figure_is_what_its_events_add_up_to() -> None:
    found = figures(DAY, SPEECH)
    assert list(found) == ["axis", "allied"]
    axis, allied = found["axis"], found["allied"]
    assert [(a.hexes, a.end) for a in axis.attacks] == [(("0805",), "won")]
    assert [(a.hexes, a.end) for a in allied.attacks] == [(("1803",), "held")]
    assert (axis.strength, allied.strength) == (1 + 3, 2)
    assert (axis.lost, allied.lost) == ([], ["2ARM"])
    assert (axis.moves, allied.moves) == (2, 0)
    assert (axis.rebuilt, axis.arrived) == (["PAVIA"], [])
    assert allied.arrived == ["olive block V9"]
    assert (axis.taken, allied.taken) == (["Tobruk"], [])
    assert front(found, SPEECH) == ["Msus", "Tobruk"]
    assert figures([], SPEECH) == {}


def test_an_attack_is_open_until_the_attackers_have_taken_their_hits() -> None:
    ends = [figures(events, SPEECH)["axis"].attacks[0].end for events in (ATTACK, [*ATTACK, *TAKEN], [*ATTACK, LOST])]
    assert ends == ["open", "held", "won"]
    elsewhere = {**LOST, "data": {**LOST["data"], "hex": "1803"}}
    assert figures([*ATTACK, *TAKEN, elsewhere], SPEECH)["axis"].attacks[0].end == "held"


def test_the_summary_says_in_three_sentences_what_the_figures_say() -> None:
    top = text(TURN).partition("Awaited")[0]
    assert [" ".join(part.split()) for part in top.split("\n\n")][2] == (
        "The Axis attacked Msus (won), besides 2 moves and 1 unit rebuilt; "
        "the Allies attacked Tobruk (the defender held), besides 1 arrival. "
        "Losses: the Axis 4 SP; the Allies 2 SP (2ARM eliminated). "
        "Tobruk taken by the Axis; the Axis have 8 RP now, the Allies 10."
    )
    quiet = replace(TURN, events=DAY[1:3])
    assert "The Axis: 1 move; the Allies: 1 arrival; no attack. The Axis have 8 RP now, the Allies 10." in flat(quiet)
    assert "Losses" not in flat(quiet)
    bloodless = [ATTACK[0], event("hits", "11.2p", label="A1", on="attackers", units=[{"unit": "21PZ", "hits": 0, "sp": 4}])]
    assert "The Axis attacked Msus (the defender held). Neither side lost strength." in flat(replace(TURN, events=bloodless))
    starved = event("eliminated", "13", unit="PAVIA", hex="0805", cause="supply")
    assert "Losses: the Axis PAVIA eliminated." in flat(replace(TURN, events=[starved]))


def test_the_table_has_a_column_a_side_and_a_row_for_what_is_not_nil() -> None:
    assert (
        "THE TURN IN FIGURES\n"
        "              Axis        Allied\n"
        "  ----------  ----------  --------------\n"
        "  Attacks     1 won of 1  0 won of 1\n"
        "  SP lost     4           2\n"
        "  Eliminated  none        2ARM\n"
        "  Arrivals    none        olive block V9\n"
        "  Rebuilt     PAVIA       none\n"
        "  Taken       Tobruk      none\n"
    ) in text(TURN)
    (table,) = page(TURN).xpath("//table[.//th[@scope='col']]")
    assert [th.text for th in table.xpath(".//th[@scope='col']")] == ["Axis", "Allied"]
    cells = {row.xpath("./th")[0].text: [td.text for td in row.xpath("./td")] for row in table.xpath(".//tr")[1:]}
    assert cells["SP lost"] == ["4", "2"]
    assert cells["Eliminated"] == ["none", "2ARM"]
    assert "0 won of 1, 1 not over yet" in text(replace(TURN, events=ATTACK))
    assert "IN FIGURES" not in text(replace(TURN, events=DAY[2:4]))


def test_a_receipt_tells_what_came_of_the_orders_and_nothing_of_what_did_not_happen() -> None:
    assert flat(replace(RECEIPT, events=DAY)).partition("Awaited")[0].count("Losses: the Axis 4 SP") == 1
    for status in ("checked", "held", "refused", "stale"):
        said = flat(replace(RECEIPT, events=DAY, status=status))
        assert "Losses: " not in said
        assert "IN FIGURES" not in said
        assert ("WHAT WOULD HAPPEN" in said) == (status in ("checked", "held"))
    assert "Losses: " not in flat(replace(RECEIPT, events=DAY, kind="start"))


def test_the_end_of_the_game_is_the_first_that_is_told() -> None:
    over = {"winner": "allied", "level": "marginal", "why": "13b"}
    ended = event("ended", "13b", **over)
    top = text(replace(TURN, view={**VIEW, "over": over}, events=[*DAY, ended]))
    assert top.index("The game is over: The Allies win") < top.index("The Axis attacked Msus")


def test_after_the_end_nobody_is_asked_to_send_orders_again() -> None:
    late = replace(
        RECEIPT,
        status="refused",
        events=[],
        rejections=[{"line": 0, "code": "game-over", "clause": "13a", "details": {}, "fate": "refused"}],
        view={**VIEW, "over": {"winner": "axis", "level": "marginal"}, "waiting_for": []},
    )
    fault = {"line": 1, "column": 1, "end": 5, "code": "unknown-verb", "text": "No."}
    for request in (late, replace(late, diagnostics=[fault]), replace(late, status="checked")):
        said = flat(request)
        assert "again" not in said
        assert "Send the orders" not in said
        assert "Reply to this mail" not in said
    assert "The game is over, and takes no more orders." in flat(late)
    assert "mend them and send the whole set again" in flat(replace(late, view=VIEW))


def test_nothing_is_counted_that_the_viewer_was_not_told() -> None:
    """A block that he does not know stays a block; the vocabulary's units and the view's counters add nothing."""
    hidden = [{"id": "21PZ", "alias": "G3", "side": "axis", "known": "no", "place": "0210", "num": {"sp": 4}}]
    unseen = [event("moved", "11.1d", side="axis", alias="G3", path=["0210", "0310"]), event("arrived", "reinf.4", side="axis", alias="G9")]
    request = replace(TURN, side="allied", view={**VIEW, "counters": hidden}, events=unseen)
    for said in (flat(request), " ".join(page(request).itertext())):
        assert "21PZ" not in said
        assert "PAVIA" not in said
        assert "gray block G9" in said
    assert figures(unseen, SPEECH) == {"axis": Figures(moves=1, arrived=["gray block G9"])}


def test_a_game_without_words_of_its_own_is_counted_too() -> None:
    bare = ReportRequest("none", "turn", events=[event("eliminated", "1", ACTION, unit="A", side="red")])
    assert "Losses: Red A eliminated." in flat(bare)


def test_units_put_back_off_the_board_are_counted_and_named() -> None:
    back = event("returned_off", "reinf.7", side="axis", place="0210", alias="G2", unit="PAVIA")
    said = flat(replace(TURN, events=[back]))
    assert "The Axis: 1 unit put back off the board, and no attack." in said
    assert "Back off the board PAVIA none" in said
    assert "PAVIA goes back off the board from El Agheila (0210): only one unit may stay there when the player-turn ends." in said
