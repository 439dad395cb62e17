"""Orders that are sent before their time, from the mail that keeps them to the mail that says what became of them."""

from __future__ import annotations

from pathlib import Path

from tests.worker.whole import Table
from worker.post.postbox import parts


def test_kept_orders_are_told_as_kept_and_their_stop_in_the_next_mail(tmp_path: Path) -> None:
    table = Table(tmp_path, animation="off")
    table.play(1, "axis", "COMMIT 0\nMOVE 21PZ TO 0505 BY ROAD\nMOVE PAVIA TO 0310\nDONE TURN AUTO")
    told = " ".join(str(parts(table.mails_to("axis")[-1])[0]).split())
    assert told.index("the umpire moves them, as AUTO says") < told.index("SAVENA moves from El Agheila (0210)")
    kept = table.play(2, "axis", "COMMIT 0\nMOVE PAVIA TO 0505\nMOVE ARIETE TO 0409\nDONE TURN")
    assert kept == "Kept for later: 4 lines, nothing changed; next: Allied player-turn, build-up"
    table.play(3, "allied", "DONE TURN AUTO")
    mail = table.mails_to("axis")[-1]
    assert "Your kept orders stopped at line 2; your orders, please" in str(mail["Subject"])
    assert "  1  COMMIT 0   -- done\n  2  MOVE PAVIA TO 0505   -- stopped here\n" in str(parts(mail)[0]).replace("\r\n", "\n")
    table.journal.engine.dispose()
