"""The example bot: two of it play Holdfast over HTTP, as they would against a server."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from werkzeug.serving import make_server

from tests.architecture.sources import ROOT
from tests.worker.whole import AT, Table
from worker.api.app import players_app
from worker.api.limits import Limit
from worker.bots import programs
from worker.post import received

BOT = ROOT / "deploy/examples/bot.py"


def bot() -> Any:
    spec = importlib.util.spec_from_file_location("bot", BOT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def served(table: Table) -> Iterator[str]:
    """The API of a table over HTTP; each order is carried out as it comes."""

    def ring(game: str, _message: int) -> None:
        waiting = table.journal.next_message(game)
        assert waiting is not None
        received.handle(table.ports, waiting)

    server = make_server("127.0.0.1", 0, players_app(table.ports, ring, Limit(100_000)), threaded=False)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_example_is_fifty_lines_that_play(tmp_path: Path) -> None:
    assert sum(bool(line.strip()) for line in BOT.read_text(encoding="utf-8").splitlines()) <= 50
    table = Table(tmp_path)
    ends: dict[str, Any] = {}
    with served(table) as base:

        def seat(side: str) -> None:
            token = programs.issue(table.journal.engine, table.game, side, table.addresses[side], AT)
            ends[side] = bot().play(base, token, seed=side, pause=0.02, last_turn=1)

        threads = [threading.Thread(target=seat, args=(side,), daemon=True) for side in ("axis", "allied")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(50)
    assert ends.keys() == {"axis", "allied"}, "a bot still waits"
    game = table.journal.game(table.game)
    assert game is not None
    assert (game.turn, {status["turn"] for status in ends.values()}) == (2, {2})
    assert game.n > 4  # packets with dice, or that the other side saw
    assert table.journal.broken_link(table.game) is None
    table.journal.engine.dispose()
