"""Child processes end with their parent, and what kept one from starting is said in a sentence."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from worker.app import redis_url
from worker.config import Config
from worker.hosting.processes import CannotServe, start, stop, wait_until
from worker.serve import Running, _start_broker

LINUX = sys.platform.startswith("linux")


def gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not LINUX, reason="the parent's death is signalled by Linux")
def test_nothing_is_left_running_when_the_parent_is_killed(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys, time; from worker.hosting.processes import start;"
        f"child = start('child', [sys.executable, '-c', 'import time; time.sleep(60)'], pathlib.Path({str(tmp_path / 'log')!r}), {{}});"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert not gone(child)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        deadline = time.monotonic() + 10
        while not gone(child):
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.mark.skipif(not LINUX, reason="the parent's death is signalled by Linux")
def test_a_process_that_is_kept_is_begun_anew_and_ends_with_the_one_it_is_beside(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    once = (
        f"import os, time; open({str(begun)!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(60 * (os.path.getsize({str(begun)!r}) > 12))"
    )
    code = (
        "import sys, time; from worker.hosting import processes; processes.ANEW = 0.05;"
        f"processes.keep('child', [sys.executable, '-c', {once!r}], {{}}); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) as parent:
        deadline = time.monotonic() + 30
        while not begun.exists() or begun.stat().st_size <= 12:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        *ended, last = map(int, begun.read_text().split())
        assert ended
        assert all(map(gone, ended))
        assert not gone(last)
        parent.kill()
        parent.wait()
        while not gone(last):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert parent.stderr is not None
        assert "child has ended (0), and is begun anew" in parent.stderr.read()


def test_a_part_that_ends_at_once_is_named_with_its_cause(tmp_path: Path) -> None:
    child = start("rules", [sys.executable, "-c", "raise ValueError('no map')"], tmp_path / "rules.log", {})
    with pytest.raises(CannotServe, match=r"rules ended at once with exit code 1: ValueError: no map"):
        wait_until(lambda: False, {"rules": child}, tmp_path)


def test_what_is_not_installed_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="broker cannot be started"):
        start("broker", [str(tmp_path / "none")], tmp_path / "log", {})


def test_a_process_that_does_not_listen_is_made_to_stop(tmp_path: Path) -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    child = start("stubborn", [sys.executable, "-c", code], tmp_path / "log", {})
    wait_until(lambda: (tmp_path / "log").read_text() != "", {"stubborn": child}, tmp_path)
    stop(child, patience=0.1)
    assert child.returncode == -signal.SIGKILL


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Running]:
    found = Running(Config(home=tmp_path), tmp_path / "log")
    yield found
    stop(found.processes["broker"])


def test_a_queue_whose_files_are_rubbish_begins_empty(tmp_path: Path, queue: Running) -> None:
    (tmp_path / "broker" / "appendonlydir").mkdir(parents=True)
    (tmp_path / "broker" / "dump.rdb").write_bytes(bytes(range(256)) * 9)
    with Redis.from_url(redis_url(_start_broker(queue))) as client:
        assert client.dbsize() == 0
    assert [path.name for path in (tmp_path / "broker").iterdir()] == ["valkey.sock"]


def test_a_queue_tells_the_next_one_what_it_knew(tmp_path: Path, queue: Running) -> None:
    with Redis.from_url(redis_url(_start_broker(queue))) as client:
        client.set("hexpost:tried:7", 4)
    stop(queue.processes["broker"])
    with Redis.from_url(redis_url(_start_broker(queue))) as client:
        assert client.get("hexpost:tried:7") == b"4"


def test_a_queue_that_has_no_room_on_its_disk_takes_tasks_all_the_same_and_ends_when_told(tmp_path: Path, queue: Running) -> None:
    with Redis.from_url(redis_url(_start_broker(queue))) as client:
        (tmp_path / "broker" / "dump.rdb").mkdir()  # so that nothing can be kept
        client.bgsave()
        deadline = time.monotonic() + 10
        while client.info("persistence")["rdb_last_bgsave_status"] != "err":
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert client.rpush("celery", "task") == 1
    stop(queue.processes["broker"], patience=30)
    assert queue.processes["broker"].returncode == 0
