"""The commands that are registered at Discord: within its documented limits, each carried out, and sent as it wants them."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from requests import Response

from services.mail.hooks.discord import FORMS
from tests.architecture.sources import ROOT
from worker.discord.interactions import QUESTIONS

FOLDER = ROOT / "deploy/discord"
COMMAND = {"type", "name", "description", "options", "contexts", "integration_types"}
OPTION = {"type", "name", "description", "required", "min_length", "max_length", "choices"}


def script() -> Any:
    spec = importlib.util.spec_from_file_location("register", FOLDER / "register.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def faults(commands: list[dict[str, Any]], guild: str) -> Iterator[str]:
    """What is against the documents of application commands."""
    if len(commands) > 100 or len({one["name"] for one in commands}) != len(commands):
        yield "at most 100 commands, each of another name"
    for command in commands:
        name, options = command["name"], command.get("options", [])
        if set(command) - COMMAND or command["type"] != 1:
            yield f"{name}: fields {sorted(set(command) - COMMAND)}"
        if guild and {"contexts", "integration_types"} & set(command):
            yield f"{name}: contexts are for commands of all guilds alone"
        if not set(command.get("contexts", [0])) <= {0, 1, 2} or not set(command.get("integration_types", [0])) <= {0, 1}:
            yield f"{name}: contexts"
        wanted = [bool(one.get("required")) for one in options]
        if len(options) > 25 or wanted != sorted(wanted, reverse=True) or len({one["name"] for one in options}) != len(options):
            yield f"{name}: at most 25 options, each of another name, those that must be given first"
        for one in (command, *options):
            if not re.fullmatch(r"[-_a-z0-9]{1,32}", one["name"]):
                yield f"{name}: the name {one['name']}"
            if not 1 <= len(one["description"]) <= 100:
                yield f"{name} {one['name']}: the description"
        yield from option_faults(name, options)
        texts = [command["name"], command["description"], *(text for one in options for text in (one["name"], one["description"]))]
        texts += [str(text) for one in options for choice in one.get("choices", []) for text in (choice["name"], choice["value"])]
        if sum(map(len, texts)) > 8000:
            yield f"{name}: more than 8000 characters in all"


def option_faults(name: str, options: list[dict[str, Any]]) -> Iterator[str]:
    for one in options:
        if set(one) - OPTION or one["type"] != 3:
            yield f"{name} {one['name']}: fields"
        if not 0 <= one.get("min_length", 0) <= 6000 or not 1 <= one.get("max_length", 1) <= 6000:
            yield f"{name} {one['name']}: lengths"
        choices = one.get("choices", [])
        if len(choices) > 25 or not all(1 <= len(each["name"]) <= 100 and 1 <= len(each["value"]) <= 100 for each in choices):
            yield f"{name} {one['name']}: choices"


def test_what_is_registered_is_what_is_carried_out() -> None:
    assert {one["name"] for one in script().payload()} == {*FORMS, *QUESTIONS, "link", "join"}


@pytest.mark.parametrize("guild", ["", "42"])
def test_commands_keep_to_discords_limits(guild: str) -> None:
    assert list(faults(script().payload(guild), guild)) == []


def test_the_limits_are_looked_at() -> None:
    """Each kind of fault is found in commands that have it."""
    (first, *others) = script().payload()
    option = {"type": 3, "name": "a", "description": "b", "required": False}
    for bad in (
        {"name": "Orders"},
        {"name": "x" * 33},
        {"name": others[0]["name"]},
        {"description": ""},
        {"description": "x" * 101},
        {"contexts": [3]},
        {"integration_types": [2]},
        {"nsfw": False},
        {"options": [option, option]},
        {"options": [option, option | {"name": "c", "required": True}]},
        {"options": [option | {"name": f"o{n}"} for n in range(26)]},
        {"options": [option | {"max_length": 6001}]},
        {"options": [option | {"choices": [{"name": "x", "value": "y"}] * 26}]},
        {"options": [option | {"choices": [{"name": "", "value": "y"}]}]},
        {"options": [option | {"choices": [{"name": "x" * 100, "value": "y" * 100}] * 25, "name": f"o{n}"} for n in range(2)]},
    ):
        assert list(faults([first | bad, *others], "")), bad
    assert list(faults(script().payload(), "42"))


def answered(status: int, body: Any) -> Response:
    answer = Response()
    answer.status_code = status
    answer._content = json.dumps(body).encode()
    return answer


def test_the_script_puts_all_commands_in_one_call_as_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    module, calls = script(), []

    def put(url: str, **more: Any) -> Response:
        calls.append((url, more["headers"], more["json"]))
        return answered(200, more["json"])

    monkeypatch.setattr(module.requests, "put", put)
    (tmp_path / "token").write_text("abc.def\n")
    module.main("77", str(tmp_path / "token"))
    module.main("77", str(tmp_path / "token"), "42")
    base = "https://discord.com/api/v10/applications/77"
    assert [url for url, _, _ in calls] == [f"{base}/commands", f"{base}/guilds/42/commands"]
    assert all(headers["Authorization"] == "Bot abc.def" for _, headers, _ in calls)
    assert all(re.fullmatch(r"DiscordBot \(https?://[^ ,]+, [0-9.]+\)", headers["User-Agent"]) for _, headers, _ in calls)
    assert [body for _, _, body in calls] == [module.payload(), module.payload("42")]
    assert capsys.readouterr().out == "7 commands are registered.\n" * 2


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (429, {"retry_after": 12.5}, "try again in 12.5 s"),
        (401, {"message": "Unauthorized"}, "HTTP 401"),
        (400, {"code": 50035}, "50035"),
    ],
)
def test_what_discord_says_against_it_ends_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, body: Any, said: str
) -> None:
    module = script()
    monkeypatch.setattr(module.requests, "put", lambda url, **more: answered(status, body))
    (tmp_path / "token").write_text("abc")
    with pytest.raises(SystemExit, match=said):
        module.main("77", str(tmp_path / "token"))
    for wrong in (("7x", ""), ("77", "../1")):
        with pytest.raises(SystemExit, match="are numbers"):
            module.url_of(*wrong)
