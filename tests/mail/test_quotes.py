"""The player's own lines, told apart from what his program put round them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.mail.orderlines import is_order, normalise, read_lines
from services.mail.quotes import own_lines
from tests.mail.reports import RECEIPT, flat

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


ATTRIBUTIONS = [
    ["On Mon, 30 Nov 2026 at 10:00, Turn Desk <orders@pbem.example.com> wrote:"],
    ["On Mon, 30 Nov 2026 at 10:00,", "Turn Desk <orders@pbem.example.com> wrote:"],
    ["On Monday, November 30, 2026 at 10:00 AM,", "Turn Desk", "<orders@pbem.example.com> wrote:"],
    ["Am 30.11.2026 um 10:00 schrieb Turn Desk", "<orders@pbem.example.com>:"],
    ["Am Mo., 30. Nov. 2026 um 10:00 Uhr schrieb", "Turn Desk <orders@pbem.example.com", ">:"],
    ["Le lun. 30 nov. 2026 à 10:00,", "Turn Desk <orders@pbem.example.com> a", "écrit :"],
    ["El lun, 30 nov 2026 a las 10:00, Turn Desk", "(<orders@pbem.example.com>) escribió:"],
    ["Il giorno lun 30 nov 2026 alle ore 10:00", "Turn Desk <orders@pbem.example.com>", "ha scritto:"],
    ["Op ma 30 nov 2026 om 10:00 schreef", "Turn Desk <orders@pbem.example.com>:"],
    ["mån 30 nov. 2026 kl. 10:00", "skrev Turn Desk", "<orders@pbem.example.com>:"],
    ["Em seg., 30 de nov. de 2026 às 10:00,", "Turn Desk <orders@pbem.example.com>", "escreveu:"],
    ["W dniu pon., 30 lis 2026 o 10:00", "Turn Desk <orders@pbem.example.com>", "napisał(a):"],
    ["пн, 30 нояб. 2026 г. в 10:00,", "Turn Desk <orders@pbem.example.com>", "написал:"],
    ["2026年11月30日(月) 10:00", "Turn Desk <orders@pbem.example.com>:"],
    ["Turn Desk <orders@pbem.example.com>", "wrote on Mon, 30 Nov 2026 at 10:00:"],
]
"""As programs write them, broken over one to three lines."""


@pytest.mark.parametrize("attribution", ATTRIBUTIONS, ids=lambda lines: lines[0][:20])
@pytest.mark.parametrize(
    "last", ["MOVE 10B-I TO 0907", "SELECT 21PZ, 15PZ", "ON LOSSES SPARE 21PZ", "END", "INVITE bruno@player.example", "Good luck!"]
)
@pytest.mark.parametrize("mark", ["> ", ""])
def test_a_line_directly_above_the_attribution_is_the_players(attribution: list[str], last: str, mark: str) -> None:
    own, cut = own_lines(["BARRAGE RHA-C AT 1823", last, *attribution, *(mark + line for line in OLD)])
    assert own == ["BARRAGE RHA-C AT 1823", last]
    assert "7A-II" in "".join(piece.text for piece in cut)


@pytest.mark.parametrize(
    "above", ["See you at 18:30", "Thank you for the mail of 29 Nov.", "Ask me at ann@player.example", "I wrote 2 mails."]
)
def test_an_ordinary_line_above_the_attribution_stays_the_players(above: str) -> None:
    own, _ = own_lines([above, "On Mon, 30 Nov 2026 at 10:00, Turn Desk", "<orders@pbem.example.com> wrote:", "> MOVE 7A-II TO 1011"])
    assert own == [above]


def test_an_order_in_the_middle_of_what_reads_like_an_attribution_is_kept() -> None:
    lines = ["On 26 Mar 2026 I wrote to you", "MOVE 10B-I TO 0907", "Note:", "all of it is as we said"]
    assert own_lines(lines)[0] == lines


ORDERLY = ["MOVE 10B-I TO 0907", "ATTACK 1823 WITH 21PZ, 15PZ", "IF 0907 VACANT MOVE 10B-I TO 0907", "ON LOSSES SPARE 21PZ", "DONE"]
CHATTER = [
    "Good luck!",
    "See you at 18:30",
    "ann@player.example",
    "On 3 May",
    "he wrote",
    "wrote: 3",
    "30 Nov 2026",
    "<a@b.example>",
    "Am 3.",
    "",
]


@given(st.lists(st.sampled_from([*ORDERLY, *CHATTER]), max_size=7), st.sampled_from(ATTRIBUTIONS), st.booleans())
def test_no_order_without_a_date_or_an_address_is_cut_by_an_attribution_below_it(said: list[str], below: list[str], quoted: bool) -> None:
    assert all(is_order(normalise(line)) for line in ORDERLY)
    own, _ = own_lines([*said, *below, "> MOVE 7A-II TO 1011" if quoted else ""])
    assert [line for line in own if line in ORDERLY] == [line for line in said if line in ORDERLY]


@pytest.mark.parametrize(
    ("body", "advice"),
    [
        (
            "On 27 Mar 2026 at 20:14, Desk <o@a.example> wrote:\n> === hexpost: write your orders above this line ===\n> Hi\nMOVE A 0101\n",
            "marked",
        ),
        ("> === hexpost: write your orders above this line ===\n\nMOVE A 0101\n", "marked"),
        ("-----Original Message-----\nFrom: x\n\nMOVE A 0101\n", "below"),
        ("> MOVE A 0101\n", "free"),
    ],
)
def test_who_writes_below_what_he_quotes_is_told_where_his_orders_are_read(body: str, advice: str) -> None:
    own, cut = own_lines(body.split("\n"))
    assert not read_lines(own).speaks
    pieces = [one.as_json() for one in cut]
    said = flat(replace(RECEIPT, kind="explain", verdict="refuse:quoted-only", events=[], lines=[], cut=pieces))
    assert ("Write the orders above all that is quoted: below the line 'write your orders above this line' nothing is read." in said) == (
        advice == "marked"
    )
    assert ("Write the orders above the earlier mail: below its beginning nothing is read." in said) == (advice == "below")
    assert ("Write the orders above or below the quotation, on lines without quotation marks." in said) == (advice == "free")
