"""One installation of many processes, each by ``hexpost run``: two workers with a shard each, of which one brings its caller, a caller of
its own, two clocks, a Redis that goes away.
"""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import requests
from redis import Redis

from tests.e2e.test_pipeline import PLAYERS, Installation, begin, children, frozen, wait_for_lease
from worker.app import make_parts
from worker.bots import listeners
from worker.canonical import Json
from worker.config import Config, inherited_environment
from worker.hosting.broker import redis_url
from worker.hosting.processes import start, stop
from worker.serve import Running, _start_broker
from worker.shards import queue_of
from worker.store.bottables import notices
from worker.store.database import reading, writing
from worker.store.records import SPECTATOR

pytestmark = pytest.mark.timeout(150)
SERVICES = ("rules", "mail", "render")
TOKEN = "9f86d081884c7d659a2feaa0c55ad015"
SECRET_OF_PLAYERS = ("axis@player.example", "allied@player.example", "MOVE 21PZ", "COMMIT", TOKEN)
SETTINGS = """
home = "."
address = "orders@desk.example"
server = "mx.desk.example"
token_file = "token"
poll = 0.05
sweep = 0.5
lease = 5.0
scale = 600
shards = 2
log_format = "json"
"""


@dataclass
class Parts:
    """The processes, and what they say."""

    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def run(self, name: str, role: str, *arguments: str, **more: str) -> None:
        """Start ``hexpost run ROLE`` under a name of its own. ``more``: of its environment."""
        command = [sys.executable, "-m", "worker.cli", "run", role, *arguments, "--config", str(self.folder / "hexpost.toml")]
        self.processes[name] = start(name, command, self.folder / "log" / f"{name}.log", inherited_environment() | more)

    def lines(self, name: str) -> list[Json]:
        """The log of a part; every line is an object. Celery says by itself that it ends."""
        said = (self.folder / "log" / f"{name}.log").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in said if line and not line.startswith("worker: ")]

    def said_by(self, name: str) -> str:
        return (self.folder / "log" / f"{name}.log").read_text(encoding="utf-8")


@dataclass
class Cluster:
    """What the tests work with."""

    parts: Parts
    game: Installation
    queue: Running
    health: dict[str, str]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for(urls: list[str]) -> None:
    deadline = time.monotonic() + 100
    for url in urls:
        while True:
            with contextlib.suppress(OSError):
                if requests.get(url, timeout=2).ok:
                    break
            assert time.monotonic() < deadline, f"{url} is not ready"
            time.sleep(0.1)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """All parts, ready; at the end each is told to stop and ends well."""
    folder = tmp_path_factory.mktemp("roles")
    ports = {name: free_port() for name in (*SERVICES, "worker-0", "worker-1", "caller", "clock-0", "clock-1")}
    queue = Running(Config(home=folder / "queue"), folder / "log")
    broker = _start_broker(queue)
    urls = "".join(f'{name} = "http://127.0.0.1:{ports[name]}"\n' for name in SERVICES)
    (folder / "hexpost.toml").write_text(f'{SETTINGS}\n{urls}broker = "{broker}"\n', encoding="utf-8")
    (folder / "token").write_text(TOKEN + "\n", encoding="utf-8")
    parts = Parts(folder)
    listen = {name: ("--listen", f"127.0.0.1:{port}") for name, port in ports.items()}
    try:
        for name in SERVICES:
            parts.run(name, name, *listen[name])
        for number in ("0", "1"):
            alone = ["--no-caller"] if number == "1" else []
            parts.run(f"worker-{number}", "worker", "--shards", number, *alone, *listen[f"worker-{number}"])
            parts.run(f"clock-{number}", "clock", *listen[f"clock-{number}"])
        parts.run("caller", "caller", *listen["caller"])
        wait_for([f"http://127.0.0.1:{port}/readyz" for port in ports.values()])
        game = begin(Config.load(folder / "hexpost.toml", {}))
        yield Cluster(parts, game, queue, {name: f"http://127.0.0.1:{port}" for name, port in ports.items()})
        for process in parts.processes.values():
            process.terminate()
        assert {name: process.wait(30) for name, process in parts.processes.items()} == dict.fromkeys(parts.processes, 0)
    finally:
        for process in [*parts.processes.values(), *queue.processes.values()]:
            stop(process)


def test_a_game_is_played_by_the_worker_of_its_shard_and_each_mail_comes_once(cluster: Cluster) -> None:
    cluster.game.play("axis", "COMMIT 0")
    own = queue_of("G1", 2).removeprefix("hexpost.")
    other = "1" if own == "0" else "0"
    cluster.game.wait_until_idle()
    handled = [line for line in cluster.parts.lines(f"worker-{own}") if line.get("game") == "G1"]
    assert [line["message"] for line in handled if "message" in line] == ["1"]
    assert [line["mail"] for line in handled if "mail" in line] == ["1", "2", "3"]  # two that begin it, and the receipt
    assert [line for line in cluster.parts.lines(f"worker-{other}") if line.get("game") == "G1"] == []
    assert len(cluster.game.mails()) == 3  # two clocks sweep twice a second each


def test_the_services_want_the_token_that_stands_in_the_file(cluster: Cluster) -> None:
    url = cluster.health["rules"] + "/v1/games"
    assert requests.get(url, timeout=10).status_code == 401
    assert requests.get(url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=10).ok


def test_listeners_are_called_by_the_callers_and_by_no_worker(cluster: Cluster) -> None:
    """Whether it comes with a worker or runs by itself; the name leads nowhere, and that is noted as a try."""
    (brought,) = [one for one in children(cluster.parts.processes["worker-0"].pid) if is_caller(one)]
    assert not any(map(is_caller, children(cluster.parts.processes["worker-1"].pid)))
    worker = make_parts(cluster.game.config)
    engine, game = worker.ports.journal.engine, worker.ports.journal.game("G1")
    assert game is not None
    alone = cluster.parts.processes["caller"].pid
    for n, still in enumerate((brought, alone)):
        with frozen(still):  # it is the other one that calls
            made = listeners.add(engine, game, SPECTATOR, "", "slack", f"https://nobody.invalid/{n}")
            row = {"listener": made.id, "game": "G1", "key": f"G1.{made.id}.1", "body": "{}", "status": "waiting", "attempts": 0}
            with writing(engine) as connection:
                connection.execute(notices.insert().values(row | {"due": worker.ports.now(), "said": ""}))
            worker.queues.ring()
            deadline = time.monotonic() + 40
            while True:
                with reading(engine) as connection:
                    found = connection.execute(notices.select().where(notices.c.listener == made.id)).mappings().one()
                if found["attempts"]:
                    break
                assert time.monotonic() < deadline
                time.sleep(0.1)
            assert "nobody.invalid" in found["said"]
            assert listeners.close(engine, "G1", made.id)
    engine.dispose()


def is_caller(process: int) -> bool:
    return "worker.caller" in Path(f"/proc/{process}/cmdline").read_text()


@pytest.mark.bug("C03")
def test_tasks_go_on_by_themselves_when_redis_has_been_away(cluster: Cluster) -> None:
    raw, own = cluster.game.write("axis", "MOVE 21PZ TO 0507 BY ROAD")
    stop(cluster.queue.processes["broker"])
    cluster.game.box.deliver(raw)
    time.sleep(3)
    assert requests.get(cluster.health["worker-0"] + "/readyz", timeout=10).status_code == 503
    _start_broker(cluster.queue)
    cluster.game.box.wait_for(PLAYERS["axis"], own)
    assert Redis.from_url(redis_url(cluster.game.config.broker)).ping()
    assert [process.poll() for process in cluster.parts.processes.values()] == [None] * len(cluster.parts.processes)
    cluster.game.mails()


def stopped_in_the_middle(cluster: Cluster, name: str, side: str, orders: str) -> tuple[str, int, float]:
    """Tell a worker to end while it waits for the rules: the mail that it was at, its exit code, and the seconds that it took."""
    raw, own = cluster.game.write(side, orders)
    worker = cluster.parts.processes.pop(name)
    with frozen(cluster.parts.processes["rules"].pid):
        cluster.game.box.deliver(raw)
        wait_for_lease(cluster.game)
        worker.terminate()
        began = time.monotonic()
        if name.startswith("many"):  # it does not wait for its children for ever
            return own, worker.wait(40), time.monotonic() - began
        time.sleep(0.5)
        assert worker.poll() is None
    return own, worker.wait(40), time.monotonic() - began


def test_a_worker_that_is_told_to_end_finishes_its_mail_and_another_goes_on(cluster: Cluster) -> None:
    shard = queue_of("G1", 2).removeprefix("hexpost.")
    answered, code, _ = stopped_in_the_middle(cluster, f"worker-{shard}", "axis", "MOVE ARIETE TO 0508 BY ROAD")
    assert code == 0
    parts = make_parts(cluster.game.config)
    assert parts.ports.journal.waiting_messages() == []
    parts.ports.journal.engine.dispose()
    cluster.parts.run("many", "worker", "--shards", shard, HEXPOST_WORKERS="2")
    cluster.game.box.wait_for(PLAYERS["axis"], answered)
    again, _, seconds = stopped_in_the_middle(cluster, "many", "axis", "MOVE BRESCIA TO 0509 BY ROAD")
    assert seconds > 4  # its children had five seconds
    cluster.parts.run("worker-2", "worker", "--shards", shard)
    cluster.game.box.wait_for(PLAYERS["axis"], again)
    cluster.game.mails()


def test_no_log_tells_what_is_the_players_own(cluster: Cluster) -> None:
    cluster.game.play("axis", "MOVE 21PZ TO Nowhere")
    journal = [one for name in cluster.parts.processes for one in [cluster.parts.said_by(name)]]
    reply = str(cluster.game.box.mails_to(PLAYERS["axis"])[-1]["Reply-To"]).partition("@")[0].rpartition("-")[2]
    assert len(reply) == 10
    assert [one for said in journal for one in (*SECRET_OF_PLAYERS, reply) if one in said] == []
    assert any("Error" in said for said in journal)  # Redis was away, and they said so
