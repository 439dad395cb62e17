"""What the tests of ``deploy/`` read: YAML documents, the settings that an environment makes, and the calls of ``hexpost`` in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from click import Command, Context, Group

from tests.architecture.sources import ROOT
from worker.cli import main
from worker.config import Config, keys, variable
from worker.roles import ROLES, prepared

DEPLOY = ROOT / "deploy"
OURS = "hexpost:0.1.0"
VARIABLES = frozenset(map(variable, keys())) | {"HEXPOST_CONFIG"}
PINNED = re.compile(r"[a-z0-9.-]+/[a-z0-9./-]+:\d+\.\d+(?:\.\d+)?(?:-[a-z0-9.-]+)?\Z")
"""A registry, a name and a whole version: what is run tomorrow is what is run today."""


@cache
def documents(path: str) -> tuple[Any, ...]:
    """The YAML documents of a file of ``deploy/``."""
    return tuple(yaml.safe_load_all((DEPLOY / path).read_text(encoding="utf-8")))


def unknown(names: Mapping[str, object]) -> list[str]:
    """Names of variables that look like settings of ours and are none."""
    return [name for name in names if name.startswith(("HEXPOST_", "BROKER_URL")) and name not in VARIABLES]


def settings_of(environment: Mapping[str, str], mounted: str, secrets: Path) -> Config:
    """The settings that a process gets, with ``secrets`` in the place of the folder that is ``mounted`` there. Raises ConfigError."""
    moved = {name: str(value).replace(mounted, str(secrets)) for name, value in environment.items()}
    return Config.load(None, moved)


def role_of(arguments: Sequence[str], config: Config) -> tuple[str, list[str]]:
    """The role of ``run ROLE ...`` and what it becomes with these settings. Raises ConfigError, or what click does."""
    assert arguments[0] == "run", arguments
    command: Command | None = main.get_command(Context(main), "run")
    assert command is not None
    parameters = command.make_context("run", list(arguments[1:])).params
    assert parameters["role"] in ROLES, arguments
    return parameters["role"], prepared(
        parameters["role"], config, parameters["shards"], parameters["listen"], caller=not parameters["no_caller"]
    )


def place_of(command: Sequence[str], config: Config) -> str:
    """Where a role's command listens: ``host:port``."""
    if "--bind" in command:
        return command[command.index("--bind") + 1]
    return config.lmtp if command[-1] == "worker.local" else command[-1]


def has_command(words: Sequence[str]) -> bool:
    """Whether ``hexpost WORDS`` names a command with options that it has."""
    group: Any = main
    left = list(words)
    while isinstance(group, Group):
        if not left or (found := group.get_command(Context(group), left.pop(0))) is None:
            return False
        group = found
    known = {option for parameter in group.params for option in parameter.opts}
    return {word for word in left if re.match(r"--?[a-z]", word)} <= known
