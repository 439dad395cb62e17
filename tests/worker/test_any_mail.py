"""Whatever comes in: it is journaled, closed, answered or not, and never gets in the way of the mails behind it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worker.whole import DATE, Table
from worker.desk.demo_script import ADDRESSES
from worker.post.postbox import reply

WORDS = [
    "COMMIT 0",
    "COMMIT 9",
    "MOVE 21PZ 0310",
    "ATTACK",
    "HOLD",
    "CHECK",
    "ANYWAY",
    "IF x",
    "END",
    "\x00",
    "ä\u2028ö",
    "> quoted",
    "-- ",
    "=" * 90,
]


@pytest.fixture(scope="class")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A game in its first step, of each test's own: what one leaves unfinished is not another's fault."""
    made = Table(tmp_path_factory.mktemp("any"))
    yield made
    made.journal.engine.dispose()


def spoilt(raw: bytes, cuts: list[tuple[int, bytes]]) -> bytes:
    """``raw`` with some bytes overwritten."""
    for at, noise in cuts:
        place = at % len(raw)
        raw = raw[:place] + noise + raw[place + len(noise) :]
    return raw


noise = st.lists(st.tuples(st.integers(0, 4000), st.binary(min_size=1, max_size=12)), max_size=6)


@settings(max_examples=40)
@given(lines=st.lists(st.sampled_from(WORDS), max_size=6), cuts=noise, copy=st.booleans())
def test_a_mail_of_a_player_however_spoilt_is_closed_and_the_chain_holds(
    table: Table, lines: list[str], cuts: list[tuple[int, bytes]], copy: bool
) -> None:
    number = next_number(table)
    text = "\n".join(line.replace("\x00", "") for line in lines)
    raw = reply(table.mails_to("axis")[-1], ADDRESSES["axis"], f"<any-{number}@player.example>", text, DATE)
    raw = spoilt(raw, cuts)
    for n in range(1 + copy):
        table.take(f"{number}-{n}", raw)
    assert table.journal.waiting_messages() == []
    assert table.outbox.games() == []
    assert table.journal.broken_link(table.game) is None


@settings(max_examples=40)
@given(raw=st.binary(max_size=600) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_rubbish_changes_nothing_and_is_not_answered(table: Table, raw: bytes) -> None:
    before, sent = table.journal.game(table.game), len(table.sender.sent)
    table.take(f"rubbish-{next_number(table)}", raw)
    assert table.journal.game(table.game) == before
    assert len(table.sender.sent) == sent
    assert table.journal.waiting_messages() == []


def next_number(table: Table) -> int:
    table.count += 1
    return table.count


def test_headers_that_cannot_stand_in_an_answer_are_left_out_of_it(tmp_path: Path) -> None:
    table = Table(tmp_path)
    raw = reply(table.mails_to("axis")[-1], ADDRESSES["axis"], "<plain@player.example>", "CHECK\nCOMMIT 0", DATE)
    odd = raw.replace(b"<plain@player.example>", "<ödd\x01id@player.example>".encode())
    table.take("odd", odd.replace(b"Subject: Re:", b"Subject: \x07\xff\x00 Re:"))
    answer = table.mails_to("axis")[-1]
    assert "Checked" in str(answer["Subject"])
    assert answer["In-Reply-To"] is None
    table.journal.engine.dispose()
