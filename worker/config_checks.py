"""Settings that must fit together: what mails come in and leave by, and where files lie."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from worker.config import Config

_PORT = r"(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
LISTENS = re.compile(rf"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):{_PORT}\Z")
_IMAP = re.compile(rf"(?:imaps|imap|imap\+plain)://(?P<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::{_PORT})?\Z")
_SMTP = re.compile(rf"(?:smtps|smtp|smtp\+plain)://(?P<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::{_PORT})?\Z")
_BASE = re.compile(rf"https?://(?P<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::{_PORT})?(?:/[A-Za-z0-9._~/-]*)?\Z")
_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/[A-Za-z0-9._/-]{0,200})?\Z")
_HERE = ("localhost", "127.0.0.1", "[::1]")
MOST_DAYS = 3650
S3 = "s3://"


class ConfigError(Exception):
    """The settings cannot be used; the message is one sentence for the operator."""


def check_bucket(config: Config) -> None:
    """ConfigError if artifacts are to lie in a bucket that cannot be reached by these settings."""
    if config.artifacts.startswith(S3):
        if not _BUCKET.match(config.artifacts):
            raise ConfigError(f"Setting artifacts must be a folder or s3://bucket/prefix, not {config.artifacts!r}.")
    elif any((config.s3_endpoint, config.s3_region, config.s3_key_file, config.s3_secret_file)):
        raise ConfigError("Settings that begin with s3 are there, but artifacts does not begin with s3://.")
    if bool(config.s3_key_file) != bool(config.s3_secret_file):
        raise ConfigError("Settings s3_key_file and s3_secret_file belong together.")


def check_broker_url(config: Config) -> None:
    """ConfigError where the URL of the broker cannot be taken apart. It is not shown: there may be a password in it."""
    try:
        _ = urlsplit(config.broker).port
    except ValueError:
        raise ConfigError(
            "Setting broker is no URL of a Redis: its host must be a name or an address, its port a number up to 65535, as in "
            "redis://:password@host:6379/0, and signs such as / or # in the password are written %2F and %23."
        ) from None


def check_urls(config: Config) -> None:
    """ConfigError where a URL cannot be taken apart, or the token cannot stand in a call."""
    for name in ("rules", "mail", "render", "vassal_url", "s3_endpoint"):
        try:
            found = urlsplit(getattr(config, name))
            good = not getattr(config, name) or (bool(found.hostname) and (found.port is None or found.port >= 0))
        except ValueError:
            good = False
        if not good:
            raise ConfigError(f"Setting {name} is no URL with a host, and a port up to 65535: {getattr(config, name)!r}.")
    if not config.token.isascii():
        raise ConfigError("Setting token must be of ASCII signs: it stands in the headers of calls.")


def check_intake(config: Config) -> None:
    """ConfigError if mails cannot come in by these settings."""
    if config.hooks and not LISTENS.match(config.hooks):
        raise ConfigError(f"Setting hooks must be host:port, not {config.hooks!r}.")
    if config.lmtp and not (config.lmtp.startswith("unix:/") or LISTENS.match(config.lmtp)):
        raise ConfigError(f"Setting lmtp must be host:port or unix:path, not {config.lmtp!r}.")
    try:
        networks = [ip_network(one.strip()) for one in config.lmtp_hosts.split(",")]
    except ValueError as error:
        raise ConfigError(f"Setting lmtp_hosts must be addresses or networks with commas between: {error}.") from None
    if any(one.prefixlen == 0 for one in networks):
        raise ConfigError("Setting lmtp_hosts names everybody: whoever may deliver is trusted with the stamps that he brings.")
    secrets = [name for name in ("imap_password_file", "imap_token_file", "imap_token_command") if getattr(config, name)]
    if not config.imap:
        if secrets or config.imap_user:
            raise ConfigError("Setting imap is empty, and others that begin with imap are set: where is the server?")
        return
    found = _IMAP.match(config.imap)
    if found is None:
        raise ConfigError(f"Setting imap must be imaps://host or imap://host, with :port if it is not the usual one, not {config.imap!r}.")
    if config.imap.startswith("imap+plain") and found["host"] not in _HERE:
        raise ConfigError("Setting imap must be imaps:// or imap:// (STARTTLS): the password must not travel in the clear.")
    if not config.imap_user:
        raise ConfigError("Setting imap_user is empty: whose mailbox is it?")
    if len(secrets) != 1:
        raise ConfigError("One of the settings imap_password_file, imap_token_file and imap_token_command is wanted, and no other of them.")
    if not all((config.imap_folder, config.imap_done, config.imap_failed)) or config.imap_folder in (config.imap_done, config.imap_failed):
        raise ConfigError("Settings imap_folder, imap_done and imap_failed must name folders, and mails must leave the first one.")


def check_sending(config: Config) -> None:
    """ConfigError if mails cannot leave by these settings, or their links lead nowhere."""
    _check_smtp(config)
    if bool(config.dkim_key_file) != bool(config.dkim_selector):
        raise ConfigError("Settings dkim_key_file and dkim_selector belong together: a key, and the name that it has in the DNS.")
    if config.dkim_selector and not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,61}[A-Za-z0-9])?", config.dkim_selector):
        raise ConfigError(f"Setting dkim_selector must be a name in the DNS, not {config.dkim_selector!r}.")
    for name in ("links", "metrics", "api"):
        if getattr(config, name) and not LISTENS.match(getattr(config, name)):
            raise ConfigError(f"Setting {name} must be host:port, not {getattr(config, name)!r}.")
    if config.links and not config.link_base:
        raise ConfigError("Setting link_base is empty: by which URL do players reach what is shown at links?")
    found = _BASE.match(config.link_base)
    if config.link_base and (found is None or (config.link_base.startswith("http:") and found["host"] not in _HERE)):
        raise ConfigError(f"Setting link_base must be a URL that begins with https://, not {config.link_base!r}.")
    if config.link_days > MOST_DAYS:
        raise ConfigError(f"Setting link_days must be at most {MOST_DAYS}, not {config.link_days}.")


def _check_smtp(config: Config) -> None:
    secrets = [name for name in ("smtp_password_file", "smtp_token_file") if getattr(config, name)]
    if not config.smtp:
        if secrets or config.smtp_user:
            raise ConfigError("Setting smtp is empty, and others that begin with smtp are set: where is the server?")
        return
    found = _SMTP.match(config.smtp)
    if found is None:
        raise ConfigError(f"Setting smtp must be smtps://host or smtp://host, with :port if it is not the usual one, not {config.smtp!r}.")
    if config.smtp.startswith("smtp+plain") and found["host"] not in _HERE:
        raise ConfigError("Setting smtp must be smtps:// or smtp:// (STARTTLS): mails must not travel in the clear.")
    if len(secrets) != (1 if config.smtp_user else 0):
        raise ConfigError("Setting smtp_user wants one of smtp_password_file and smtp_token_file with it, and they want smtp_user.")
