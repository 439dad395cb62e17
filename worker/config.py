"""The settings of one installation: ``hexpost.toml``, overridden by the environment. The only file of the worker that reads either."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any

PREFIX = "HEXPOST_"
LONGER_SIDE = (400, 4000)
ABSENCE = ("adjutant", "nothing", "wait")
THEMES = ("light", "dark", "contrast")
ANIMATIONS = ("off", "webp", "gif")
MOST_HOURS = 10_000
MOST_PICTURES = 15_000_000
MOST_VASSAL = 15_000_000
_HTTP = ("http://", "https://")
_CHOICES = {"absence": ABSENCE, "theme": THEMES, "animation": ANIMATIONS}
_SCHEMES = {"rules": _HTTP, "mail": _HTTP, "render": _HTTP, "vassal_url": _HTTP, "broker": ("redis://", "rediss://", "redis+socket://")}


class ConfigError(Exception):
    """The settings cannot be used; the message is one sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Config:
    """Where things lie and how the worker behaves. Paths are absolute once loaded; times are seconds.

    ``database``: SQLAlchemy URL; ``broker``: Redis URL; ``rules``, ``mail``, ``render``: base URLs of the services. Where one of these is
    empty, ``hexpost serve`` brings its own. ``token``: the services' bearer token. ``scale``: longer side of the turn map in pixels;
    ``theme``: of ``THEMES``, the look of the pictures; ``pictures``: bytes that those of one mail may have together (0: none are drawn);
    ``animation``: of ``ANIMATIONS``, whether reports bring an animated map as a file.
    ``vassal``: bytes that the files for VASSAL of one mail may have together (0: none are made); ``vassal_url``: where players fetch a
    module that has no room in a mail, the URL of the folder ``vassal`` in ``home``; empty: they are told to ask for it.
    ``deadline_hours``: how long a side is waited for (0: for ever); ``absence``: of ``ABSENCE``, what is then done for it.
    ``game_master``: the address whose commands to the campaign are the game master's, and which hears of what he must know; empty: none.
    ``check_dkim``: DKIM signatures are checked here where the mail server stamps nothing; ``demand_pass``: orders need a DMARC or DKIM
    pass.  ``answers_hour``: answers that leave for one side in an hour, whoever writes; ``mails_hour``: mails of one side that are taken.
    ``overlays``: the folder of the owner's overlays (scenarios.overlays); empty: none.
    """

    home: Path = Path("var")
    database: str = ""
    broker: str = ""
    inbox: Path = Path("mail/in")
    outbox: Path = Path("mail/out")
    artifacts: Path = Path("artifacts")
    address: str = "orders@hexpost.invalid"
    server: str = "hexpost.invalid"
    rules: str = ""
    mail: str = ""
    render: str = ""
    token: str = ""
    scale: int = 2400
    theme: str = "light"
    pictures: int = 900_000
    animation: str = "off"
    vassal: int = 5_000_000
    vassal_url: str = ""
    poll: float = 0.2
    sweep: float = 30.0
    lease: float = 60.0
    timeout: float = 30.0
    attempts: int = 3
    max_mail: int = 10_000_000
    workers: int = 1
    deadline_hours: float = 0.0
    absence: str = "adjutant"
    game_master: str = ""
    check_dkim: bool = False
    demand_pass: bool = False
    answers_hour: int = 30
    mails_hour: int = 60
    overlays: str = ""

    @classmethod
    def load(cls, file: Path | None = None, env: Mapping[str, str] | None = None) -> Config:
        """Settings from ``file`` (``hexpost.toml`` of the current folder where there is one), then from ``HEXPOST_*``.

        Relative paths of the file are relative to it. Raises ConfigError.
        """
        found = dict(os.environ if env is None else env)
        chosen = file or (Path(found[PREFIX + "CONFIG"]) if found.get(PREFIX + "CONFIG") else None)
        if chosen is None and Path("hexpost.toml").is_file():
            chosen = Path("hexpost.toml")
        values = _read(chosen) if chosen else {}
        for one in fields(cls):
            name = "BROKER_URL" if one.name == "broker" else PREFIX + one.name.upper()
            if name in found:
                values[one.name] = found[name]
        base = chosen.resolve().parent if chosen else Path.cwd()
        return cls(**{key: _typed(key, value) for key, value in values.items()})._settled(base)

    def _settled(self, base: Path) -> Config:
        home = base / self.home
        settled = replace(self, home=home, inbox=home / self.inbox, outbox=home / self.outbox, artifacts=home / self.artifacts)
        if not settled.database:
            settled = replace(settled, database=f"sqlite:///{home / 'hexpost.db'}")
        if settled.overlays:
            settled = replace(settled, overlays=str(base / settled.overlays))
        return settled

    def environment(self) -> dict[str, str]:
        """The same settings as environment variables, for the processes that ``hexpost serve`` starts."""
        named = {one.name: str(getattr(self, one.name)) for one in fields(self)}
        broker = named.pop("broker")
        return {PREFIX + key.upper(): value for key, value in named.items()} | ({"BROKER_URL": broker} if broker else {})


def inherited_environment() -> dict[str, str]:
    """What a process that ``hexpost serve`` starts inherits from it."""
    return dict(os.environ)


def _read(file: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not TOML: {error}.") from None
    known = {one.name for one in fields(Config)}
    unknown = sorted(set(table) - known)
    if unknown:
        raise ConfigError(f"{file}: {', '.join(unknown)}: no such setting. There are {', '.join(sorted(known))}.")
    return table


def _typed(key: str, value: Any) -> Any:
    kind: Any = type(getattr(Config(), key))
    kind = Path if issubclass(kind, Path) else kind
    if kind is bool:
        return _truth(key, value)
    if isinstance(value, bool) or (not isinstance(value, str) and kind in (str, Path)):
        raise ConfigError(f"Setting {key} must be text, not {value!r}.")
    try:
        made: Any = kind(value)
    except (TypeError, ValueError, OverflowError):
        raise ConfigError(f"Setting {key} must be a number, not {value!r}.") from None
    if isinstance(value, float) and isinstance(made, int):
        raise ConfigError(f"Setting {key} must be a whole number, not {value!r}.")
    if isinstance(made, float) and not isfinite(made):
        raise ConfigError(f"Setting {key} must be a number of seconds, not {value!r}.")
    if isinstance(made, int | float) and not (made > 0 or (key in ("deadline_hours", "pictures", "vassal") and made == 0)):
        raise ConfigError(f"Setting {key} must be more than 0, not {value!r}.")
    if key == "scale" and isinstance(made, int) and not LONGER_SIDE[0] <= made <= LONGER_SIDE[1]:
        raise ConfigError(f"Setting scale must be from {LONGER_SIDE[0]} to {LONGER_SIDE[1]} pixels, not {value!r}.")
    if key == "pictures" and not made <= MOST_PICTURES:
        raise ConfigError(f"Setting pictures must be at most {MOST_PICTURES} bytes, not {value!r}.")
    if key == "vassal" and not made <= MOST_VASSAL:
        raise ConfigError(f"Setting vassal must be at most {MOST_VASSAL} bytes, not {value!r}.")
    if key == "deadline_hours" and not made <= MOST_HOURS:
        raise ConfigError(f"Setting deadline_hours must be at most {MOST_HOURS}, not {value!r}.")
    if key in _CHOICES and made not in _CHOICES[key]:
        raise ConfigError(f"Setting {key} must be one of {', '.join(_CHOICES[key])}, not {value!r}.")
    if key == "address" and not re.fullmatch(r"[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,255}", made):
        raise ConfigError(f"Setting address must be a mail address, not {value!r}.")
    if key == "game_master" and made and not re.fullmatch(r"[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,189}", made):
        raise ConfigError(f"Setting game_master must be a mail address, not {value!r}.")
    if key in _SCHEMES and made and not made.startswith(_SCHEMES[key]):
        raise ConfigError(f"Setting {key} must be a URL that begins with {' or '.join(_SCHEMES[key])}, not {value!r}.")
    return made


def _truth(key: str, value: Any) -> bool:
    """A setting that is true or false; from the environment as a word."""
    found = {"true": True, "false": False}.get(str(value).lower()) if isinstance(value, bool | str) else None
    if found is None:
        raise ConfigError(f"Setting {key} must be true or false, not {value!r}.")
    return found
