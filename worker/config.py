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

from worker import config_checks, secret_files, times
from worker.config_checks import LISTENS as LISTENS
from worker.config_checks import S3 as S3
from worker.config_checks import ConfigError as ConfigError

PREFIX = "HEXPOST_"
LONGER_SIDE = (400, 4000)
NEW_GAMES = ("anyone", "players", "nobody")
ABSENCE = ("adjutant", "nothing", "wait", "master")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "never")
THEMES = ("light", "dark", "contrast")
ANIMATIONS = ("off", "webp", "gif")
LEAST_ANSWERS = 3
MOST_HOURS = 10_000
MOST_PICTURES = 15_000_000
MOST_VASSAL = 15_000_000
MOST_SHARDS = 256
LOG_FORMATS = ("text", "json")
_HTTP = ("http://", "https://")
_CHOICES = {
    "log_format": LOG_FORMATS,
    "absence": ABSENCE,
    "digest_day": DAYS,
    "new_games": NEW_GAMES,
    "theme": THEMES,
    "animation": ANIMATIONS,
}
_FILES = (
    *("imap_password_file", "imap_token_file", "imap_ca_file"),
    *("smtp_password_file", "smtp_token_file", "smtp_ca_file", "dkim_key_file"),
    *("s3_key_file", "s3_secret_file"),
)
SECRET = (*secret_files.SECRETS, "hook_discord")
"""Settings whose values are never shown."""
_ADDRESS = re.compile(r"[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,255}")
_HOURS = ("deadline_hours", "reaction_hours", "setup_hours", "consent_hours", "grace_hours", "grace_once", "silent_hours")
_MAY_BE_NONE = (*_HOURS, "pictures", "vassal", "smtp_minute", "vacation_days", "digest_hour", "lobby_days")
_SCHEMES = {
    "s3_endpoint": _HTTP,
    "rules": _HTTP,
    "mail": _HTTP,
    "render": _HTTP,
    "vassal_url": _HTTP,
    "broker": ("redis://", "rediss://", "redis+socket://"),
}


HOOK_SECRETS = ("hook_mailgun", "hook_postmark", "hook_sendgrid", "hook_ses", "hook_orders", "hook_discord")
_RECEIVING = ("spool", "address", "server", "max_mail", "log_format")
_SHOWING = ("home", "database", "artifacts", "s3_endpoint", "s3_region", "s3_key_file", "s3_secret_file", "log_format")
_PLAYING = (
    *(*_SHOWING, "broker", "rules", "mail", "render", "token", "timeout", "address", "server", "former", "game_master", "check_dkim"),
    *("demand_pass", "scale", "theme", "api", "api_minute", "shards", "deadline_hours", "reaction_hours", "setup_hours", "consent_hours"),
    *("absence", "reminders", "grace_hours", "grace_once", "zone", "vacation_days", "link_base", "lease"),
)
# What the live board asks the services for, and tells its reader.
_BOARD = ("board", "rules", "mail", "render", "token", "timeout", "address", "server", "zone", "scale", "theme", "link_base")
SHARES: dict[str, tuple[str, ...]] = {
    "broker": (),
    "rules": ("overlays", "log_format"),
    "render": ("overlays", "log_format"),
    "mail": _RECEIVING,
    "hooks": (*_RECEIVING, *HOOK_SECRETS),
    "lmtp": (*_RECEIVING, "lmtp", "lmtp_hosts"),
    "api": _PLAYING,
    "caller": (*_PLAYING, "link_days"),
    "links": _SHOWING,
    "web": _SHOWING,
}
"""The settings that each process gets which does not handle mails, as the worker and the intake do."""


@dataclass(frozen=True, slots=True)
class Config:
    """Where things lie and how the worker behaves. Paths are absolute once loaded; times are seconds.

    ``database``: SQLAlchemy URL; ``broker``: Redis URL; ``rules``, ``mail``, ``render``: base URLs of the services. Where one of these is
    empty, ``hexpost serve`` brings its own. ``token``: the services' bearer token. ``scale``: longer side of the turn map in pixels;
    ``theme``: of ``THEMES``, the look of the pictures; ``pictures``: bytes that those of one mail may have together (0: none are drawn);
    ``animation``: of ``ANIMATIONS``, whether reports bring an animated map as a file.
    ``vassal``: bytes that the files for VASSAL of one mail may have together (0: none are made); ``vassal_url``: where players fetch a
    module that has no room in a mail, the URL of the folder ``vassal`` in ``home``; empty: they are told to ask for it.
    ``deadline_hours``: how long a side is waited for (0: for ever); ``reaction_hours``, ``setup_hours``: for a decision in the other side's
    player-turn, and for its set-up (0: as long); ``consent_hours``: how long a proposal to the other side stands (0: two weeks);
    ``absence``: of ``ABSENCE``, what is done for a side whose time is over.  ``silent_hours``: how long a side is waited for that no mail
    reaches, where it would be for ever.
    ``reminders``: how many hours before a deadline a side is reminded, numbers with blanks between; ``grace_hours``: by how much a side may
    put its deadlines off in a game by itself (``POSTPONE``), ``grace_once``: in one go.
    ``digest_day``: of ``DAYS``, and ``digest_hour``: when everybody is mailed how his games stand, in his time zone; ``zone``: that of the
    game master, and of whoever has named none (``ZONE``).  ``lobby_days``: how long a game waits for its players (0: for ever).
    ``game_master``: the address whose commands to the campaign are the game master's, and which hears of what he must know; empty: none.
    ``check_dkim``: DKIM signatures are checked here where the mail server stamps nothing; ``demand_pass``: orders need a DMARC or DKIM
    pass.  ``answers_hour``: answers that leave about one game in an hour, whoever writes; ``mails_hour``: mails of one side that are taken.
    ``new_games``: of ``NEW_GAMES``, who may begin a game by mail; ``first_game``: the number from which games are named;
    ``former``: order addresses, with blanks between, of the servers that games came from: mail to them is read as mail to ``address``.
    ``vacation_days``: how many days of a game a side may be away (``VACATION``), all together; 0: none.
    ``overlays``: the folder of the owner's overlays (scenarios.overlays); empty: none.
    ``imap`` and what begins so: the mailbox that is read (worker/post/imap.py); ``hooks``, ``lmtp``: where the mail service listens for
    webhooks and for LMTP, empty: nowhere; ``hook_...``: what the callers of a webhook prove themselves with;
    ``lmtp_hosts``: the addresses and networks that may deliver by LMTP where it listens at a port; ``spool``: where it keeps what came so.
    ``smtp`` and what begins so: the server that mails leave by (worker/post/smtp.py); ``smtp_minute``: mails a minute to one domain (0: any
    number); ``smtp_pause``: seconds before the first new try.  ``dkim_...``: what mails are signed with (worker/post/signing.py).
    ``links``: where the files without room in a mail are shown (worker/web.py), and ``link_base``, the URL that players reach that by;
    ``board``: whether each report links to its reader's live board there, too (worker/board).
    ``api``: where programs of players call (worker/api), each at most ``api_minute`` times a minute.
    ``artifacts``: a folder, or ``s3://bucket/prefix``, and ``s3_...``: how that is reached (worker/store/s3.py).
    ``metrics``: where figures for Prometheus are shown (worker/hosting/metrics.py).
    ``shards``: how many queues the games are spread over; ``log_format``: of ``LOG_FORMATS``, how the parts' logs are written.
    """

    home: Path = Path("var")
    database: str = ""
    broker: str = ""
    inbox: Path = Path("mail/in")
    outbox: Path = Path("mail/out")
    artifacts: str = "artifacts"
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
    reaction_hours: float = 0.0
    setup_hours: float = 0.0
    consent_hours: float = 0.0
    absence: str = "adjutant"
    silent_hours: float = 72.0
    reminders: str = "24 4"
    grace_hours: float = 48.0
    grace_once: float = 24.0
    digest_day: str = "sunday"
    digest_hour: int = 18
    zone: str = "UTC"
    lobby_days: int = 30
    game_master: str = ""
    check_dkim: bool = False
    demand_pass: bool = False
    answers_hour: int = 90
    mails_hour: int = 60
    new_games: str = "anyone"
    first_game: int = 1
    former: str = ""
    vacation_days: int = 14
    overlays: str = ""
    imap: str = ""
    imap_user: str = ""
    imap_password_file: str = ""
    imap_token_file: str = ""
    imap_token_command: str = ""
    imap_ca_file: str = ""
    imap_folder: str = "INBOX"
    imap_done: str = "hexpost-done"
    imap_failed: str = "hexpost-failed"
    imap_poll: float = 60.0
    lmtp: str = ""
    lmtp_hosts: str = "127.0.0.0/8, ::1"
    hooks: str = ""
    hook_mailgun: str = ""
    hook_postmark: str = ""
    hook_sendgrid: str = ""
    hook_ses: str = ""
    hook_orders: str = ""
    hook_discord: str = ""
    spool: Path = Path("spool")
    smtp: str = ""
    smtp_user: str = ""
    smtp_password_file: str = ""
    smtp_token_file: str = ""
    smtp_ca_file: str = ""
    smtp_minute: int = 60
    smtp_pause: float = 30.0
    dkim_key_file: str = ""
    dkim_selector: str = ""
    links: str = ""
    link_base: str = ""
    link_days: int = 30
    api: str = ""
    api_minute: int = 60
    board: bool = True
    s3_endpoint: str = ""
    s3_region: str = ""
    s3_key_file: str = ""
    s3_secret_file: str = ""
    metrics: str = ""
    shards: int = 1
    log_format: str = "text"

    @property
    def remind_at(self) -> list[float]:
        """The hours before a deadline at which a side is reminded, the most first."""
        return sorted({float(word) for word in self.reminders.split()}, reverse=True)

    @property
    def has_board(self) -> bool:
        """Whether mails link to live boards."""
        return self.board and bool(self.link_base)

    @property
    def takes_in(self) -> bool:
        """Whether the mail service receives messages by itself."""
        return bool(self.lmtp or self.hooks)

    @classmethod
    def load(cls, file: Path | None = None, env: Mapping[str, str] | None = None) -> Config:
        """Settings from ``file`` (``hexpost.toml`` of the current folder where there is one), then from ``HEXPOST_*``.

        Relative paths of the file are relative to it. Raises ConfigError.
        """
        found = dict(os.environ if env is None else env)
        chosen = file or (Path(found[PREFIX + "CONFIG"]) if found.get(PREFIX + "CONFIG") else None)
        if chosen is None and Path("hexpost.toml").is_file():
            chosen = Path("hexpost.toml")
        base = chosen.resolve().parent if chosen else Path.cwd()
        values = _revealed(_read(chosen), base, {}) if chosen else {}
        named = {key: found[name] for key in keys() if (name := variable(key)) in found}
        values |= _revealed(named, base, values)
        return cls(**{key: _typed(key, value) for key, value in values.items()})._settled(base)

    def _settled(self, base: Path) -> Config:
        home = base / self.home
        kept = self.artifacts if self.artifacts.startswith(S3) else str(home / self.artifacts)
        settled = replace(self, home=home, inbox=home / self.inbox, outbox=home / self.outbox, artifacts=kept)
        settled = replace(settled, spool=home / self.spool)
        if not settled.database:
            settled = replace(settled, database=f"sqlite:///{home / 'hexpost.db'}")
        if settled.overlays:
            settled = replace(settled, overlays=str(base / settled.overlays))
        files: dict[str, Any] = {name: str(base / getattr(self, name)) for name in _FILES if getattr(self, name)}
        settled = replace(settled, **files)
        if settled.lmtp.startswith("unix:"):
            settled = replace(settled, lmtp=f"unix:{home / settled.lmtp.removeprefix('unix:')}")
        config_checks.check_broker_url(settled)
        config_checks.check_urls(settled)
        config_checks.check_bucket(settled)
        config_checks.check_intake(settled)
        config_checks.check_sending(settled)
        if fault := times.fault(settled.reminders, settled.digest_hour, settled.zone):
            raise ConfigError(f"Setting {fault}")
        return settled

    def environment(self, part: str = "") -> dict[str, str]:
        """The same settings as environment variables, for a process that ``hexpost serve`` starts: a ``part`` of its own gets no secret
        that it does not need. Those of ``SHARES`` get the settings named there, the worker and the intake all but what the
        callers of webhooks prove themselves with; empty: all there is.
        """
        named = {one.name: str(getattr(self, one.name)) for one in fields(self)}
        if part in SHARES:
            shown = _BOARD if self.has_board and part in ("links", "web") else ()
            named = {name: named[name] for name in (*SHARES[part], *shown)}
        elif part:
            named |= dict.fromkeys(HOOK_SECRETS, "")
        # What it is given is all: no file of the folder that it starts in is read.
        alone = {PREFIX + "CONFIG": os.devnull} if part else {}
        return {variable(key): value for key, value in named.items() if value or key != "broker"} | alone


def inherited_environment() -> dict[str, str]:
    """What a process that ``hexpost serve`` starts inherits from it: none of the settings, of which it gets its share, nor where secrets
    came from.
    """
    ours = {variable(key) for key in keys()} | {PREFIX + "SERVICE_TOKEN"}
    return {name: value for name, value in os.environ.items() if name not in ours}


def variable(key: str) -> str:
    """The environment variable of a setting, or of the file with a secret."""
    return "BROKER_URL" + key.removeprefix("broker").upper() if key.partition("_")[0] == "broker" else PREFIX + key.upper()


def keys() -> list[str]:
    """Every name that may stand in the file of settings."""
    return [*(one.name for one in fields(Config)), *secret_files.KEYS]


def _revealed(named: dict[str, Any], base: Path, before: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return secret_files.revealed(named, base, before)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _read(file: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not TOML: {error}.") from None
    known = set(keys())
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
    if kind in (str, Path) and not str(made).isprintable():
        raise ConfigError(f"Setting {key} must be a line of text without control characters{'' if key in SECRET else f', not {value!r}'}.")
    if isinstance(value, float) and isinstance(made, int):
        raise ConfigError(f"Setting {key} must be a whole number, not {value!r}.")
    if isinstance(made, float) and not isfinite(made):
        raise ConfigError(f"Setting {key} must be a number of seconds, not {value!r}.")
    if isinstance(made, int | float) and not (made > 0 or (key in _MAY_BE_NONE and made == 0)):
        raise ConfigError(f"Setting {key} must be more than 0, not {value!r}.")
    if key == "scale" and isinstance(made, int) and not LONGER_SIDE[0] <= made <= LONGER_SIDE[1]:
        raise ConfigError(f"Setting scale must be from {LONGER_SIDE[0]} to {LONGER_SIDE[1]} pixels, not {value!r}.")
    if key == "answers_hour" and not made >= LEAST_ANSWERS:
        raise ConfigError(f"Setting answers_hour must be at least {LEAST_ANSWERS}: one for each side, and one for others; not {value!r}.")
    if key == "pictures" and not made <= MOST_PICTURES:
        raise ConfigError(f"Setting pictures must be at most {MOST_PICTURES} bytes, not {value!r}.")
    if key == "vassal" and not made <= MOST_VASSAL:
        raise ConfigError(f"Setting vassal must be at most {MOST_VASSAL} bytes, not {value!r}.")
    if key in _HOURS and not made <= MOST_HOURS:
        raise ConfigError(f"Setting {key} must be at most {MOST_HOURS}, not {value!r}.")
    if key == "shards" and not made <= MOST_SHARDS:
        raise ConfigError(f"Setting shards must be at most {MOST_SHARDS}, not {value!r}.")
    if key in _CHOICES and made not in _CHOICES[key]:
        raise ConfigError(f"Setting {key} must be one of {', '.join(_CHOICES[key])}, not {value!r}.")
    if key == "address" and not _ADDRESS.fullmatch(made):
        raise ConfigError(f"Setting address must be a mail address, not {value!r}.")
    if key == "game_master" and made and not re.fullmatch(r"[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,189}", made):
        raise ConfigError(f"Setting game_master must be a mail address, not {value!r}.")
    if key == "former" and any(not _ADDRESS.fullmatch(one) for one in made.split()):
        raise ConfigError(f"Setting former must be mail addresses with blanks between, not {value!r}.")
    if key in _SCHEMES and made and not made.startswith(_SCHEMES[key]):
        found = "" if key in SECRET else f", not {value!r}"
        raise ConfigError(f"Setting {key} must be a URL that begins with {' or '.join(_SCHEMES[key])}{found}.")
    return made


def _truth(key: str, value: Any) -> bool:
    """A setting that is true or false; from the environment as a word."""
    found = {"true": True, "false": False}.get(str(value).lower()) if isinstance(value, bool | str) else None
    if found is None:
        raise ConfigError(f"Setting {key} must be true or false, not {value!r}.")
    return found
