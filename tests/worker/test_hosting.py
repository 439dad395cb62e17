"""``hexpost retry``: what was put aside has another try without a start of ``serve``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, orders_mail
from worker.cli import main
from worker.ports import ServiceFailed


def test_what_was_put_aside_is_tried_by_the_next_sweep(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise ServiceFailed("no")

    desk.start()
    with monkeypatch.context() as patch:
        patch.setattr(type(desk.rules), "adjudicate", broken)
        patch.setattr(type(desk.ports.mail), "report", broken)
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
        for _ in range(7):
            desk.sweep_quietly()
    assert (desk.ports.journal.waiting_messages(), desk.outbox.games()) == ([], [])
    settings = tmp_path / "hexpost.toml"
    settings.write_text(f'database = "sqlite:///{tmp_path / "journal.db"}"\n')
    result = CliRunner().invoke(main, ["retry", "--config", str(settings)])
    assert (result.exit_code, result.stdout.split(" tries ")[1]) == (
        0,
        "1 mails to players and 1 received mails again, and the mail server.\n",
    )
    sent = len(desk.mails_to(ANN))
    desk.sweep()
    assert len(desk.mails_to(ANN)) > sent
    assert list(desk.ports.journal.chain("G1"))[1:] != []
