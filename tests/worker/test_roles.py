"""``hexpost run``: what each role becomes, and what it refuses to begin without."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from worker.cli import main
from worker.config import Config, ConfigError
from worker.roles import ROLES, prepared, worker_environment

THERE = {"broker": "redis://queue.example/0", "rules": "http://rules", "mail": "http://mail", "render": "http://render", "token": "t"}


def test_every_role_is_a_process_of_this_python() -> None:
    config = Config(
        imap="imaps://x",
        hooks="0.0.0.0:8025",
        lmtp="0.0.0.0:2424",
        links="0.0.0.0:8026",
        metrics="0.0.0.0:9108",
        api="0.0.0.0:8027",
        **THERE,
    )
    commands = {role: prepared(role, config) for role in ROLES}
    assert {command[0] for command in commands.values()} == {sys.executable}
    assert {role: command[2] for role, command in commands.items()} == {
        "rules": "gunicorn",
        "mail": "gunicorn",
        "render": "gunicorn",
        "worker": "worker.app",
        "clock": "worker.clock",
        "intake": "worker.post.intake",
        "hooks": "gunicorn",
        "lmtp": "worker.local",
        "web": "gunicorn",
        "api": "gunicorn",
        "metrics": "gunicorn",
    }
    binds = {role: command[command.index("--bind") + 1] for role, command in commands.items() if "--bind" in command}
    assert binds == {
        "rules": "127.0.0.1:8001",
        "mail": "127.0.0.1:8002",
        "render": "127.0.0.1:8003",
        "hooks": "0.0.0.0:8025",
        "web": "0.0.0.0:8026",
        "api": "0.0.0.0:8027",
        "metrics": "0.0.0.0:9108",
    }
    assert "0.0.0.0:9" in prepared("rules", config, listen="0.0.0.0:9")
    assert prepared("worker", Config(shards=4, **THERE), "0,2", "[::]:9101")[2:] == ["worker.app", "0,2", "[::]:9101"]


@pytest.mark.parametrize(
    ("role", "settings", "options", "said"),
    [
        ("worker", {"rules": ""}, {}, "needs the settings rules"),
        ("worker", {"broker": "", "mail": ""}, {}, "needs the settings broker, mail"),
        ("clock", {"broker": ""}, {}, "needs the settings broker"),
        ("web", {}, {}, "needs the settings links"),
        ("lmtp", {}, {}, "needs the settings lmtp"),
        ("intake", {}, {}, "nothing to look into"),
        ("rules", {"token": ""}, {"listen": "0.0.0.0:8001"}, "must ask for one"),
        ("rules", {}, {"listen": "8001"}, "must be host:port"),
        ("rules", {}, {"shards": "0"}, "Shards are for the role worker"),
        ("worker", {}, {"shards": "1"}, "There is no shard 1"),
        ("hooks", {"hooks": "127.0.0.1:8025"}, {"listen": "0.0.0.0:80"}, "where the setting hooks says"),
        ("worker", {"dkim_key_file": "/none/key", "dkim_selector": "x"}, {}, "cannot be read"),
    ],
)
def test_a_role_that_could_not_work_or_would_be_open_to_strangers_is_refused(
    role: str, settings: dict[str, Any], options: dict[str, str], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        prepared(role, Config(**THERE | settings), **options)


def test_a_service_without_a_token_listens_to_this_machine_only() -> None:
    for place in ("", "127.0.0.1:9", "[::1]:9", "localhost:9"):
        assert prepared("render", Config(), listen=place)


def test_a_worker_with_children_is_told_to_stop_in_the_way_that_puts_its_tasks_back() -> None:
    assert "REMAP_SIGTERM" not in worker_environment(Config())
    found = worker_environment(Config(workers=2))
    assert (found["REMAP_SIGTERM"], found["HEXPOST_WORKERS"]) == ("SIGQUIT", "2")


def test_the_services_ask_for_the_token_and_the_public_door_for_one_that_nobody_knows() -> None:
    config = Config(token="sesame", hook_orders="whsec_x")
    asked = {role: worker_environment(config, role).get("HEXPOST_SERVICE_TOKEN") for role in ROLES}
    assert {role for role, token in asked.items() if token == "sesame"} == {"rules", "mail", "render"}
    assert {role for role, token in asked.items() if token not in (None, "sesame")} == {"hooks"}
    assert {role for role in ROLES if worker_environment(config, role).get("HEXPOST_HOOK_ORDERS")} == {"hooks"}
    told = {role for role in ROLES if worker_environment(config, role).get("HEXPOST_TOKEN")}
    assert told == {"worker", "clock", "intake", "metrics", "api"}


def test_the_command_says_what_is_wrong_in_a_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["run", "beat"])
    assert (result.exit_code, "there are: rules, mail, render, worker" in result.stderr) == (2, True)
    file = tmp_path / "hexpost.toml"
    file.write_text("shards = 2\n")
    result = CliRunner().invoke(main, ["run", "worker", "--shards", "5", "--config", str(file)])
    assert (result.exit_code, "needs the settings broker, rules, mail, render" in result.stderr) == (2, True)
