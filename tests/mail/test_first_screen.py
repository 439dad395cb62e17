"""Web mailers clip long mails, and phones show little of them at once: what a player must know and do stands first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.mail.report import MAX_BLOCK, make_report
from tests.mail.reports import ATTACK, RECEIPT, event, page, shown
from tests.mail.test_looks import FULL
from tests.mail.test_spam import LINKED

SCREEN = 7_000
"""Bytes of the page's body that a phone shows before anybody scrolls, its styles among them."""
UNITS = [f"U{n}" for n in range(120)]
TURN = replace(
    LINKED,
    kind="turn",
    cut=[],
    diagnostics=[],
    rejections=[],
    events=[*(event("stepped", "repl.6", unit=unit, k=1, sp=3) for unit in UNITS), *ATTACK * 40],
    template=["# AXIS, turn 1, step ACTION.", *(f"#     MOVE {unit} 0805" for unit in UNITS), "END"],
)


@pytest.mark.bug("M40")
def test_deadline_order_block_and_links_stand_on_the_first_screen_of_a_report_of_120_units() -> None:
    report = make_report(TURN)
    assert len(report.html.encode()) < 90_000
    body = report.html.partition("<body")[2]
    first = body[:SCREEN]
    for said in (
        "Sun 29 Mar 2026",
        "mailto:orders+g1-t01-k3v9@pbem.example.com",
        "#     MOVE U4 0805",
        *(one["url"] for one in LINKED.links),
    ):
        assert said in first.partition("<img")[0].partition("<h2")[0], said
    for said in (*UNITS, "#     MOVE U119 0805", *(one["url"] for one in LINKED.links), "Sun 29 Mar 2026"):
        assert said in report.text, said
    assert report.text.count("Attack on") == 40  # the plain part is whole


def test_the_order_block_is_the_beginning_of_the_template_and_orders_nothing() -> None:
    (block, whole) = page(TURN).xpath("//pre")
    lines = block.text.split("\n")
    assert lines[:MAX_BLOCK] == TURN.template[:MAX_BLOCK]
    assert lines[MAX_BLOCK:] == ["# ... the other 116 lines stand below."]  # 122 lines in all
    assert all(line.startswith("#") for line in lines)
    assert whole.text.startswith("# AXIS")


def test_a_short_template_is_its_own_block_and_who_is_not_awaited_has_none() -> None:
    assert page(FULL).xpath("//pre")[0].text == "# MOVE 21PZ 0805\nEND"
    assert page(RECEIPT).xpath("//pre") == []
    other = replace(RECEIPT, view={**RECEIPT.view, "waiting_for": ["allied"]})
    assert "mailto:" not in make_report(other).html


def test_links_say_what_they_lead_to_how_large_it_is_and_until_when() -> None:
    assert [(one.text, one.get("href")) for one in page(LINKED).xpath("//a[starts-with(@href, 'https')]")] == [
        ("The map in full size", LINKED.links[0]["url"]),
        ("For VASSAL: the game itself, holdfast-1.vmod, to be kept", LINKED.links[1]["url"]),
    ]
    for said in (shown(LINKED), " ".join(make_report(LINKED).text.split())):
        assert "The map in full size (1.2 MB)" in said
        assert "to be kept (1 kB)" in said
        assert "They work until Sun 26 Apr 2026 22:14" in said  # Vienna, where it is summer time
