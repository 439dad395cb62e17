"""``hexpost run``: what each role becomes, and what it refuses to begin without."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from worker.app import run_worker
from worker.cli import main
from worker.config import Config, ConfigError
from worker.hosting.processes import begin
from worker.post.intake import run_intake
from worker.roles import ROLES, prepared, worker_environment
from worker.serve import running

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
        "caller": "worker.caller",
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
    assert prepared("worker", Config(shards=4, **THERE), "0,2", "[::]:9101")[2:] == ["worker.app", "--caller", "0,2", "[::]:9101"]
    assert prepared("worker", config, caller=False)[2:] == ["worker.app", "", ""]  # its caller runs elsewhere
    assert prepared("caller", config, listen="[::]:9101")[2:] == ["worker.caller", "[::]:9101"]


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
        ("clock", {}, {"caller": False}, "--no-caller is for the role worker"),
        ("caller", {"rules": ""}, {}, "needs the settings rules"),
        ("hooks", {"hooks": "127.0.0.1:8025"}, {"listen": "0.0.0.0:80"}, "where the setting hooks says"),
        ("worker", {"dkim_key_file": "/none/key", "dkim_selector": "x"}, {}, "cannot be read"),
    ],
)
def test_a_role_that_could_not_work_or_would_be_open_to_strangers_is_refused(
    role: str, settings: dict[str, Any], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        prepared(role, Config(**THERE | settings), **options)


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("hook_orders", "whsec_x", r"HEXPOST_HOOK_ORDERS \(hook_orders\) must be a secret of Standard Webhooks"),
        ("hook_sendgrid", "zzz", r"HEXPOST_HOOK_SENDGRID \(hook_sendgrid\) must be the public key"),
        ("hook_discord", "zzz", r"HEXPOST_HOOK_DISCORD \(hook_discord\) must be the application's public key"),
        ("hook_postmark", "user", r"HEXPOST_HOOK_POSTMARK \(hook_postmark\) must be user:password"),
        ("hook_ses", "topic", r"HEXPOST_HOOK_SES \(hook_ses\) must be ARNs"),
    ],
)
def test_a_webhook_that_could_prove_nothing_keeps_its_door_and_the_server_from_starting(
    setting: str, value: str, said: str, tmp_path: Path
) -> None:
    config = Config(home=tmp_path / "home", hooks="127.0.0.1:0", **THERE | {setting: value})
    with pytest.raises(ConfigError, match=said):
        prepared("hooks", config)
    with pytest.raises(ConfigError, match=said), running(config):
        pass
    assert not (tmp_path / "home").exists()


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
    assert not {name for name in worker_environment(replace(config, smtp_password_file="x"), "caller") if "SMTP" in name}
    told = {role for role in ROLES if worker_environment(config, role).get("HEXPOST_TOKEN")}
    assert told == {"worker", "caller", "clock", "intake", "metrics", "api"}


def test_the_command_says_what_is_wrong_in_a_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["run", "beat"])
    assert (result.exit_code, "there are: rules, mail, render, worker" in result.stderr) == (2, True)


FOLDERS = {"inbox": Path("/proc/none"), "outbox": Path("/proc/none"), "spool": Path("/proc/none"), "artifacts": "/proc/none"}
BEGUN: dict[str, Callable[[Config], Any]] = {
    "worker": lambda config: run_worker(config, (0,)),
    "intake": run_intake,
    "serve": lambda config: running(config).__enter__(),
}


@pytest.mark.parametrize("setting", FOLDERS)
@pytest.mark.parametrize("part", BEGUN)
def test_a_folder_that_cannot_be_made_keeps_what_writes_there_from_beginning(
    part: str, setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    away = THERE | {"broker": f"redis+socket://{tmp_path}/none.sock?virtual_host=0"}
    named: dict[str, Any] = {
        "inbox": tmp_path / "in",
        "outbox": tmp_path / "out",
        "artifacts": str(tmp_path / "files"),
        "lmtp": "127.0.0.1:0",
    }
    config = Config(home=tmp_path, database=f"sqlite:///{tmp_path / 'x.db'}", **away | named | {setting: FOLDERS[setting]})
    with pytest.raises(ConfigError, match=rf"^Setting {setting}: /proc/none cannot be made: no such file or directory\.$"):
        BEGUN[part](config)


def test_a_file_in_the_way_is_told_in_a_line_of_the_log(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        begin(lambda: (tmp_path / "none" / "x").touch())
    assert (ended.value.code, caplog.messages) == (2, [f"{tmp_path}/none/x: no such file or directory."])


def test_overlays_that_are_not_there_or_bad_keep_the_services_from_starting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Setting overlays: there is no folder"):
        prepared("rules", Config(overlays=str(tmp_path / "none")))
    (tmp_path / "holdfast").mkdir()
    (tmp_path / "holdfast" / "counters.csv").write_text("nonsense\n")
    (tmp_path / "hexpost.toml").write_text('overlays = "."\n')
    result = CliRunner().invoke(main, ["run", "render", "--config", str(tmp_path / "hexpost.toml")])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"hexpost: The overlays cannot be used:\n{tmp_path}/holdfast/counters.csv:1: ")
    file = tmp_path / "hexpost.toml"
    file.write_text("shards = 2\n")
    result = CliRunner().invoke(main, ["run", "worker", "--shards", "5", "--config", str(file)])
    assert (result.exit_code, "needs the settings broker, rules, mail, render" in result.stderr) == (2, True)
