"""Settings of the mail service, from the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from services.config import ServiceConfig
from services.mail.hooks.discord import public_key as discord_key
from services.mail.hooks.orders import secret_bytes
from services.mail.hooks.sendgrid import public_key
from services.mail.message import MAX_RAW

MAX_BODY = 32_000_000
"""A raw mail of 10 MB in base64, or a mail to be composed with its map, fits in."""


@dataclass(frozen=True, slots=True)
class Config(ServiceConfig):
    """Settings of this service.

    ``spool``: the folder of received messages (None: it takes none in); ``hooks``: what each open webhook proves its caller with;
    ``lmtp``: where LMTP listens (``host:port`` or ``unix:/path``; empty: nowhere); ``lmtp_hosts``: who may connect to that port;
    ``address``: the one for orders; ``server``: the name under which our own mail server stamps what it found; ``max_mail``: bytes of a
    message beyond which only its headers are kept.
    """

    token: str | None = None
    max_body: int = MAX_BODY
    spool: Path | None = None
    hooks: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    lmtp: str = ""
    lmtp_hosts: str = "127.0.0.0/8, ::1"
    address: str = "orders@hexpost.invalid"
    server: str = "hexpost.invalid"
    max_mail: int = MAX_RAW

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> Config:
        """From ``HEXPOST_SERVICE_TOKEN``, ``HEXPOST_MAIL_MAX_BODY`` and those of the worker's settings that it shares.

        These are ``HEXPOST_SPOOL``, ``_LMTP``, ``_LMTP_HOSTS``, ``_ADDRESS``, ``_SERVER``, ``_MAX_MAIL`` and ``_HOOK_*``. ValueError,
        naming the variable, if one has no sense.
        """
        env = os.environ if env is None else env
        base = cls.read("HEXPOST_MAIL_MAX_BODY", MAX_BODY, env)
        return replace(
            base,
            spool=Path(env["HEXPOST_SPOOL"]) if env.get("HEXPOST_SPOOL") else None,
            hooks={name: value for name in _WANTED if (value := _hook(name, env))},
            lmtp=env.get("HEXPOST_LMTP", ""),
            lmtp_hosts=env.get("HEXPOST_LMTP_HOSTS") or base.lmtp_hosts,
            address=env.get("HEXPOST_ADDRESS") or base.address,
            server=env.get("HEXPOST_SERVER") or base.server,
            max_mail=_size(env.get("HEXPOST_MAX_MAIL", str(base.max_mail))),
        )


def _hook(name: str, env: Mapping[str, str]) -> str:
    """The setting of a hook. ValueError if it can prove nothing: a hook that is open to everybody must not begin."""
    variable = f"HEXPOST_HOOK_{name.upper()}"
    value = env.get(variable, "").strip()
    if not value:
        return ""
    words, good = _WANTED[name]
    try:
        fits = good(value)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"{variable} (hook_{name}) must be {words}")
    return value


def _all(fits: Callable[[str], object]) -> Callable[[str], bool]:
    return lambda value: all(fits(one.strip()) for one in value.split(","))


def _is_login(value: str) -> bool:
    user, _, password = value.partition(":")
    return bool(user) and len(password) >= 12


_WANTED: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "mailgun": ("the webhook signing key", lambda value: len(value) >= 8),
    "postmark": ("user:password, the password of at least 12 characters", _is_login),
    "sendgrid": ("the public key of the security policy, in base64", lambda value: bool(public_key(value))),
    "ses": ("ARNs of topics, with commas between", _all(lambda one: one.startswith("arn:aws"))),
    "discord": ("the application's public key, 64 hex digits", lambda value: bool(discord_key(value))),
    "orders": ("a secret of Standard Webhooks, whsec_ and base64 of 24 bytes or more", _all(secret_bytes)),
}


def _size(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10**9:
        raise ValueError(f"HEXPOST_MAX_MAIL must be a number of bytes, not {text[:40]!r}")
    return int(text)
