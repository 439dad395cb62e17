"""The orders of the demo, played through the real rules and words in this process: each mail is answered as the demo says."""

from __future__ import annotations

from pathlib import Path

from tests.worker.whole import Table
from worker.desk.demo_script import SESSIONS


def test_every_mail_of_the_demo_is_answered_as_it_says_and_the_game_comes_to_its_fourth_month(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for number, session in enumerate(SESSIONS, start=1):
        subject = table.play(number, session.side, session.orders)
        assert subject.startswith(session.answer), f"mail {number}: {subject}"
    game = table.journal.game(table.game)
    assert game is not None
    assert game.turn == 4
    events = table.journal.events(table.game, -1, game.version)
    kinds = [one["kind"] for one in events]
    for kind, least in {"battle": 3, "malta": 3, "rebuilt": 2, "stepped": 3, "arrived": 1, "line_skipped": 1, "eliminated": 2}.items():
        assert kinds.count(kind) >= least, kind
    table.journal.engine.dispose()
