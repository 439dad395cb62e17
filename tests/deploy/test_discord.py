"""The commands that are registered at Discord: within its limits, and each one that the worker carries out."""

from __future__ import annotations

import json
import re
from typing import Any

from services.mail.hooks.discord import FORMS
from tests.architecture.sources import ROOT
from worker.discord.interactions import QUESTIONS

FOLDER = ROOT / "deploy/discord"
COMMANDS: list[dict[str, Any]] = json.loads((FOLDER / "commands.json").read_text(encoding="utf-8"))


def test_what_is_registered_is_what_is_carried_out() -> None:
    assert {one["name"] for one in COMMANDS} == {*FORMS, *QUESTIONS, "link", "join"}


def test_commands_keep_to_discords_limits() -> None:
    assert len(COMMANDS) <= 100
    for one in (*COMMANDS, *(option for command in COMMANDS for option in command["options"])):
        assert re.fullmatch(r"[-_a-z0-9]{1,32}", one["name"])
        assert 1 <= len(one["description"]) <= 100
    for command in COMMANDS:
        wanted = [bool(option["required"]) for option in command["options"]]
        assert len(wanted) <= 25
        assert wanted == sorted(wanted, reverse=True)  # those that must be given stand first


def test_the_script_compiles_and_names_the_documented_place() -> None:
    text = (FOLDER / "register.py").read_text(encoding="utf-8")
    compile(text, "register.py", "exec")
    assert '"https://discord.com/api/v10"' in text
