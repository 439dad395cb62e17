"""The mails of real games, as they leave: none does what keeps a mail out of the inbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mail.spam import spam_faults
from tests.worker.whole import DATE, Table
from worker.desk.demo_script import ADDRESSES, SESSIONS
from worker.post.postbox import reply

SCENARIOS: dict[str, Mapping[str, str]] = {
    "beda-fomm/historical": {"italian": "italian@player.example", "british": "british@player.example"},
    "race-for-tunis/standard": ADDRESSES,
}


@pytest.fixture(scope="class")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    made = Table(tmp_path_factory.mktemp("sent"))
    yield made
    made.journal.engine.dispose()


def faults(table: Table) -> dict[str, list[str]]:
    """Message-ID -> what is wrong with the mail."""
    found = {message_id: spam_faults(raw, ("club.example",)) for message_id, _, raw in table.sender.sent}
    return {message_id: said for message_id, said in found.items() if said}


class TestHoldfast:
    def test_start_receipts_refusals_drafts_and_reports(self, table: Table) -> None:
        for number, session in enumerate(SESSIONS[:8]):
            table.play(number, session.side, session.orders)
        assert len(table.sender.sent) >= 12
        assert faults(table) == {}

    def test_mails_that_are_explained_or_asked_about(self, table: Table) -> None:
        sent = len(table.sender.sent)
        last = table.mails_to("axis")[-1]
        stale = table.mails_to("axis")[0]
        table.take("chatter", reply(last, ADDRESSES["axis"], "<chatter@player.example>", "Good evening, Bruno.", DATE))
        table.take("stale", reply(stale, ADDRESSES["axis"], "<stale@player.example>", "DONE TURN", DATE))
        table.take("other", reply(last, "someone@else.example", "<other@else.example>", "DONE TURN", DATE))
        assert len(table.sender.sent) >= sent + 3
        assert faults(table) == {}


def test_mails_with_links_to_what_has_no_room(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.ports = replace(table.ports, config=replace(table.ports.config, pictures=1, vassal=1, link_base="https://club.example"))
    table.play(1, "axis", "COMMIT 0\nDONE TURN")
    (_, _, raw) = table.sender.sent[-1]
    assert raw.count(b"https://club.example/files/") >= 2
    assert faults(table) == {}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_mails_of_the_other_games(tmp_path: Path, scenario: str) -> None:
    table = Table(tmp_path, scenario=scenario, addresses=SCENARIOS[scenario])
    for number, side in enumerate(SCENARIOS[scenario]):
        table.play(number, side, "CHECK\nDONE TURN")
        table.play(10 + number, side, "DONE TURN")
    assert len(table.sender.sent) >= 6
    assert faults(table) == {}
