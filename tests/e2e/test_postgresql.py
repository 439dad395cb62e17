"""A small campaign with its real parts over PostgreSQL, whose server is restarted in the middle."""

from __future__ import annotations

import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.e2e.test_pipeline import PLAYERS, SESSIONS, begin, settings
from tests.worker.postgresql import serving
from worker.config import Config
from worker.hosting.processes import CannotServe
from worker.serve import running
from worker.store.database import open_database, reading, writing


@pytest.mark.timeout(400)  # two servers start, and start again
def test_a_campaign_goes_on_when_its_database_was_restarted_and_not_with_other_data(tmp_path: Path) -> None:
    with serving() as server:
        config = replace(Config.load(settings(tmp_path)), database=server.url(server.database()))
        with running(config) as found:
            game = begin(found.config)
            game.play(*SESSIONS[0])
            raw, own = game.write(*SESSIONS[2])
            server.stop(signal.SIGQUIT)
            game.box.deliver(raw)
            time.sleep(1)  # looked at again and again meanwhile, and journaled by nobody
            server.start()
            game.box.wait_for(PLAYERS["axis"], own)
            game.play(*SESSIONS[3])
            chain = game.chain()
            game.mails()  # each is there once
        engine = open_database(config.database)
        with reading(engine) as connection:
            assert set(connection.execute(text("SELECT status, attempts FROM messages"))) == {("done", 0)}
            assert connection.scalar(text("SELECT count(*) FROM messages")) == 3
            assert set(connection.execute(text("SELECT status FROM outbox")).scalars()) == {"sent"}
        assert len(chain) == 4  # the start and three packets
        with writing(engine) as connection:
            connection.execute(text('UPDATE turns SET record = regexp_replace(record, \'"data":"[0-9a-f]{8}\', \'"data":"deadbeef\')'))
        engine.dispose()
        with pytest.raises(CannotServe, match=r"G1 \(holdfast/campaign-1\): begun with data deadbeef"), running(config):
            pass
