"""The player's own lines, told apart from what his program put round them."""

from __future__ import annotations

import pytest

from services.mail.quotes import own_lines

ORDERS = ["MOVE 10B-I TO 0907", "END", ""]
OLD = ["MOVE 7A-II TO 1011", "END"]


@pytest.mark.parametrize(
    "attribution",
    [
        "On Thu, 26 Mar 2026 at 18:02, Turn Desk <orders@pbem.example.com> wrote:",
        "Am 26.03.2026 um 18:02 schrieb Turn Desk <orders@pbem.example.com>:",
        "Le jeu. 26 mars 2026 à 18:02, Turn Desk <orders@pbem.example.com> a écrit :",
        "El jue, 26 mar 2026 a las 18:02, Turn Desk (<orders@pbem.example.com>) escribió:",
        "Il giorno gio 26 mar 2026 alle ore 18:02 Turn Desk <orders@pbem.example.com> ha scritto:",
        "Op do 26 mrt 2026 om 18:02 schreef Turn Desk <orders@pbem.example.com>:",
        "tors 26 mars 2026 kl 18:02 skrev Turn Desk <orders@pbem.example.com>:",
        "Em qui., 26 de mar. de 2026 às 18:02, Turn Desk <orders@pbem.example.com> escreveu:",
        "czw., 26 mar 2026 o 18:02 Turn Desk <orders@pbem.example.com> napisał(a):",
        "чт, 26 мар. 2026 г. в 18:02, Turn Desk <orders@pbem.example.com> написал:",
        "to 26. maalisk. 2026 klo 18.02 Turn Desk (orders@pbem.example.com) kirjoitti:",
        "čt 26. 3. 2026 v 18:02 odesílatel Turn Desk <orders@pbem.example.com> napsal:",
        "2026年3月26日(木) 18:02 Turn Desk <orders@pbem.example.com>:",
        "26 Mar 2026 18:02 Turn Desk <orders@pbem.example.com> zzzz:",
    ],
)
@pytest.mark.parametrize("mark", ["> ", ""])
def test_the_mail_that_was_answered_is_cut_away_in_any_language(attribution: str, mark: str) -> None:
    own, cut = own_lines([*ORDERS, attribution, *(mark + line for line in OLD)])
    assert own == ORDERS
    assert "7A-II" in "".join(piece.text for piece in cut)


def test_an_attribution_may_be_broken_over_lines() -> None:
    own, _ = own_lines([*ORDERS, "On Thu, 26 Mar 2026 at 18:02, Turn Desk", "<orders@pbem.example.com>", "wrote:", "", *OLD])
    assert own == ORDERS


def test_an_answer_between_quoted_lines_is_kept() -> None:
    own, _ = own_lines(["> Your orders?", "MOVE 10B-I TO 0907", "> Anything else?", "BARRAGE RHA-C AT 1823", "END"])
    assert own == ["MOVE 10B-I TO 0907", "BARRAGE RHA-C AT 1823", "END"]


@pytest.mark.parametrize(
    "divider",
    [
        ["-----Original Message-----"],
        ["-----Ursprüngliche Nachricht-----"],
        ["-------- Message d'origine --------"],
        ["________________________________", "From: Turn Desk <orders@pbem.example.com>", "Sent: 26 March 2026 18:02"],
        ["Von: Turn Desk <orders@pbem.example.com>", "Gesendet: Donnerstag, 26. März 2026 18:02", "An: Ann"],
        ["Lähettäjä: Turn Desk <orders@pbem.example.com>", "Lähetetty: 26. maaliskuuta 2026", "Aihe: vuoro"],
        ["*Nuair:* Turn Desk <orders@pbem.example.com>", "*Seolta:* 26 Márta", "*Ábhar:* [G17 T04 #k3v9]"],
    ],
)
def test_history_without_quotation_marks_is_cut_away(divider: list[str]) -> None:
    own, cut = own_lines([*ORDERS, *divider, "", *OLD])
    assert own == ORDERS
    assert [piece.why for piece in cut] == ["history"]


@pytest.mark.parametrize("mark", ["-- ", "--", "—", "__"])
def test_what_stands_below_the_signature_mark_is_no_order(mark: str) -> None:
    own, cut = own_lines([*ORDERS, mark, *OLD])
    assert own == ORDERS
    assert [piece.why for piece in cut] == ["signature"]


@pytest.mark.parametrize(
    "line", ["MOVE 21PZ 0210 0310", "----", "ON LOSSES SPARE 21PZ", "Note: all quiet", "I moved at 18:02, you wrote nothing."]
)
def test_a_players_own_line_is_not_taken_for_anything_else(line: str) -> None:
    assert own_lines([line, *ORDERS])[0] == [line, *ORDERS]


def test_one_line_of_the_form_of_a_header_is_no_history() -> None:
    assert own_lines(["To: the umpire", *ORDERS])[0] == ["To: the umpire", *ORDERS]
