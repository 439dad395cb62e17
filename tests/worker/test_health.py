"""Probes of processes without a web address: alive, ready, and what keeps them from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
import requests
from werkzeug.serving import make_server

from services.http import create_service
from worker.config import Config
from worker.hosting.health import Health, serve_health
from worker.hosting.processes import CannotServe


@contextmanager
def probed(health: Health) -> Iterator[str]:
    server = serve_health("127.0.0.1:0", health)
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def asked(url: str) -> tuple[int, str]:
    answer = requests.get(url, timeout=10)
    return answer.status_code, answer.text.strip()


def test_a_process_is_ready_when_it_has_begun_and_what_it_needs_is_there(tmp_path: Path, broker: str) -> None:
    health = Health(Config(home=tmp_path, broker=broker, database=f"sqlite:///{tmp_path}/j.db"))
    with probed(health) as url:
        assert asked(url + "/healthz") == (200, "ok")
        assert asked(url + "/readyz") == (503, "it has not begun")
        health.ready = True
        assert asked(url + "/readyz") == (200, "ok")
        health.alive = lambda: False
        assert asked(url + "/healthz") == (503, "it hangs")
        assert asked(url + "/metrics")[0] == 404
        assert requests.post(url + "/healthz", timeout=10).status_code == 501


def test_what_is_away_is_named_and_tells_no_address(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    health = Health(Config(home=tmp_path, broker="redis://:secret@127.0.0.1:1/0", database=f"sqlite:///{tmp_path}/folder.db"))
    health.ready = True
    with probed(health) as url:
        assert asked(url + "/readyz") == (503, "the database is away; the queue is away")


def test_a_worker_whose_token_a_service_refuses_is_not_ready(tmp_path: Path, broker: str) -> None:
    app = create_service("rules", "1", [], ready=list, max_body=1000, token="right")
    with make_server("127.0.0.1", 0, app) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        for token, faults in (("right", []), ("wrong", ["the rules service refuses the token"])):
            config = Config(
                home=tmp_path, broker=broker, database=f"sqlite:///{tmp_path}/j.db", rules=url, mail="http://127.0.0.1:1", token=token
            )
            health = Health(config, services=("rules", "mail"))  # mail is away, which it says itself
            health.ready = True
            assert health.faults() == faults
        server.shutdown()


def test_a_place_that_is_taken_is_said(tmp_path: Path) -> None:
    health = Health(Config(home=tmp_path))
    with probed(health) as url, pytest.raises(CannotServe, match=r"Nothing can listen at 127\.0\.0\.1:"):
        serve_health(url.removeprefix("http://"), health)
