"""Settings that are secrets, from files: those that containers, systemd and clusters hand to a process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

SECRETS = ("database", "broker", "token", "hook_mailgun", "hook_postmark", "hook_sendgrid", "hook_ses", "hook_orders")
"""``token_file`` names a file whose text is ``token``."""
PASSWORDS = ("database", "broker")
"""URLs whose password alone can come from a file: ``database_password_file``."""
KEYS = (*(f"{name}_file" for name in SECRETS), *(f"{name}_password_file" for name in PASSWORDS))


def revealed(named: Mapping[str, Any], base: Path, before: Mapping[str, Any]) -> dict[str, Any]:
    """The settings ``named`` by one source, with what their files hold in the place of the files' names.

    ``base``: the folder that relative paths start from; ``before``: settings that this source outweighs. ValueError, a sentence, where a
    file cannot be used; it tells no secret.
    """
    values = {key: value for key, value in named.items() if key not in KEYS}
    for name in SECRETS:
        if named.get(f"{name}_file"):
            if named.get(name):
                raise ValueError(f"Settings {name} and {name}_file are both there: which is it?")
            values[name] = _secret_in(f"{name}_file", named, base)
    for name in PASSWORDS:
        if named.get(f"{name}_password_file"):
            url = str(values.get(name) or before.get(name) or "")
            values[name] = _with_password(name, url, _secret_in(f"{name}_password_file", named, base))
    return values


def _secret_in(key: str, named: Mapping[str, Any], base: Path) -> str:
    file = base / str(named[key])
    try:
        secret = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"Setting {key}: {file} cannot be read ({getattr(error, 'strerror', None) or 'it is not text'}).") from None
    if not secret or not secret.isprintable():
        raise ValueError(f"Setting {key}: {file} must hold one line of text.")
    return secret


def _with_password(name: str, url: str, password: str) -> str:
    """``url`` with a password in it."""
    scheme, there, rest = url.partition("://")
    user, at, host = rest.rpartition("@")
    if not there or (name == "database" and not at) or ":" in user:
        wanted = "a URL with a user and without a password" if name == "database" else "a URL without a password"
        raise ValueError(f"Setting {name}_password_file wants the setting {name} to be {wanted}.")
    return f"{scheme}://{user}:{quote(password, safe='')}@{host}"
