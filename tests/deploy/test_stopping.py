"""Whoever stops a part waits longer than the part takes to finish what it is at, and that is longer than it waits for an answer itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.deploy.reading import DEPLOY, documents
from worker.app import create_app
from worker.config import Config
from worker.hosting.processes import patience_with_a_call, patience_with_a_mail, patience_with_all
from worker.roles import ROLES, prepared
from worker.serve import Running, _stop_all

TIMEOUT = Config().timeout
KUBERNETES = [
    (f"{path.name}: {one['metadata']['name']}", one["spec"]["template"]["spec"])
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    for one in documents(f"kubernetes/{path.name}")
    if one["kind"] in ("Deployment", "StatefulSet")
]


def test_an_answer_that_is_waited_for_comes_before_anybody_is_made_to_end() -> None:
    assert TIMEOUT < patience_with_a_call(TIMEOUT) < patience_with_a_mail(TIMEOUT)
    there: Any = {"broker": "redis://q/0", "rules": "http://r", "mail": "http://m", "render": "http://v"}
    places: Any = dict.fromkeys(("hooks", "links", "api", "metrics"), "127.0.0.1:0")
    for timeout in (TIMEOUT, 90.0):
        config = Config(timeout=timeout, **there, **places)
        served = [prepared(role, config) for role in ROLES if role not in ("worker", "caller", "clock", "intake", "lmtp")]
        graces = {float(command[command.index("--graceful-timeout") + 1]) for command in served}
        assert graces == {patience_with_a_call(timeout)}
    conf = create_app(Config(broker="redis://q/0")).conf
    assert conf.worker_soft_shutdown_timeout < conf.task_time_limit <= patience_with_a_mail(TIMEOUT)


@pytest.mark.parametrize(
    ("unit", "longest"), [("hexpost.service", patience_with_all(TIMEOUT)), ("hexpost@.service", patience_with_a_mail(TIMEOUT))]
)
def test_systemd_waits_longer(unit: str, longest: float) -> None:
    [seconds] = re.findall(r"(?m)^TimeoutStopSec=(\d+)$", (DEPLOY / "systemd" / unit).read_text())
    assert int(seconds) > longest


@pytest.mark.parametrize(("name", "pod"), KUBERNETES, ids=[name for name, _ in KUBERNETES])
def test_kubernetes_waits_longer(name: str, pod: Any) -> None:
    if any(one["image"].startswith("hexpost") for one in pod["containers"]):
        assert pod["terminationGracePeriodSeconds"] > patience_with_a_mail(TIMEOUT)


def test_serve_gives_its_worker_the_time_of_a_mail_and_its_services_that_of_a_call(tmp_path: Path) -> None:
    told: list[tuple[str, str, float]] = []

    def part(name: str, ends: bool) -> Any:
        def wait(patience: float = 0.0) -> int:
            told.append(("wait", name, round(patience)))
            if patience and not ends:
                raise subprocess.TimeoutExpired(name, patience)
            return 0

        return SimpleNamespace(
            poll=lambda: None, terminate=lambda: told.append(("end", name, 0)), kill=lambda: told.append(("kill", name, 0)), wait=wait
        )

    found = Running(
        Config(home=tmp_path, timeout=90.0), tmp_path, {name: part(name, name != "worker") for name in ("worker", "rules", "broker")}
    )
    _stop_all(found)
    waits = [(name, patience) for what, name, patience in told if what == "wait" and patience]
    assert waits == [("worker", 110), ("rules", 105), ("broker", 10)]
    assert [(what, name) for what, name, _ in told if what == "kill"] == [("kill", "worker")]
