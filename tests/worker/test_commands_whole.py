"""Commands over the real rules of Holdfast: what they show is what the game takes, and what UNDO may and may not take back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worker.whole import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Holdfast, Campaign 1, at its beginning: the Axis must commit to Malta."""
    return Table(tmp_path)


def text(table: Table, side: str) -> str:
    """The plain text of a side's last mail."""
    body = table.mails_to(side)[-1].get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def test_legal_orders_are_orders_that_are_taken(table: Table) -> None:
    assert table.play(1, "axis", "LEGAL") == "LEGAL"
    shown = [line.strip(" |") for line in text(table, "axis").splitlines() if line.startswith("    | ")]
    assert "COMMIT 0" in shown
    assert table.play(2, "axis", shown[0]).startswith("Done: 1 line")


def test_template_and_map_come_on_request(table: Table) -> None:
    table.play(1, "axis", "TEMPLATE\nMAP\nHELP COMMIT")
    said = text(table, "axis")
    assert "ORDERS TEMPLATE" in said
    assert "COMMIT" in said.partition("ORDERS TEMPLATE")[2]
    assert "POSITION" in said
    assert "The map is attached" in said
    assert "    | COMMIT" in said.partition("> HELP COMMIT")[2]
    assert table.play(2, "allied", "TEMPLATE") == "TEMPLATE"
    assert "Nothing is wanted from you now" in " ".join(text(table, "allied").split())


def test_a_move_is_taken_back_and_leaves_no_trace_in_the_position(table: Table) -> None:
    table.play(1, "axis", "COMMIT 0\nDONE")
    game = table.journal.game("G1")
    before = table.journal.state("G1", game.version)
    table.play(2, "axis", "MOVE 21PZ TO 0507 BY ROAD")
    assert table.journal.state("G1", game.version + 1) != before
    assert table.play(3, "axis", "UNDO") == "UNDO"
    assert "taken back" in text(table, "axis")
    assert table.journal.state("G1", game.version + 2) == before
    # and it can be given again, and is done
    assert table.play(4, "axis", "MOVE 21PZ TO 0507 BY ROAD").startswith("Done")


def test_an_attack_is_not_taken_back_alone_and_the_other_side_learns_no_more_than_that(table: Table) -> None:
    table.play(1, "axis", "COMMIT 0\nDONE")
    table.play(2, "axis", "MOVE 21PZ TO 0505 BY ROAD\nATTACK Benghazi WITH 21PZ AIR X1 LEADER")
    game = table.journal.game("G1")
    assert any(one["kind"] == "rolled" for one in table.journal.events("G1", game.version - 1, game.version))
    table.play(3, "axis", "UNDO")
    assert "only if the other side agrees" in " ".join(text(table, "axis").split())
    asked = " ".join(text(table, "allied").split())
    assert "The Axis side asks to take its last orders back" in asked
    assert "21PZ" not in asked
    table.play(4, "allied", "ACCEPT")
    later = table.journal.game("G1")
    assert (later.version, later.branch) == (game.version + 1, 1)
    assert table.journal.state("G1", later.version) == table.journal.state("G1", game.version - 1)


def test_a_draw_by_agreement_is_told_as_one_and_opens_the_table(table: Table) -> None:
    table.play(1, "axis", "DRAW")
    table.play(2, "allied", "ACCEPT")
    state, _ = table.journal.state("G1", 1)
    assert state["over"] == {"winner": None, "level": "agreement", "why": ""}
    for side in ("axis", "allied"):
        over = next(mail for mail in reversed(table.mails_to(side)) if "The game is over" in str(mail["Subject"]))
        body = over.get_body(("plain",))
        assert body is not None
        assert "The game is over: a draw" in body.get_content()
        assert table.journal.game("G1").secret in body.get_content()
