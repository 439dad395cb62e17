"""Secrets from files, as systemd, containers and clusters hand them over."""

from __future__ import annotations

from pathlib import Path

import pytest

from worker.config import Config, ConfigError, inherited_environment


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_a_secret_is_what_its_file_holds_beside_the_settings(tmp_path: Path) -> None:
    write(tmp_path, "token", "open sesame 42\n")
    file = write(tmp_path, "hexpost.toml", 'token_file = "token"\n')
    assert Config.load(file, {}).token == "open sesame 42"


def test_the_environment_outweighs_the_file_of_settings_here_too(tmp_path: Path) -> None:
    file = write(tmp_path, "hexpost.toml", 'token = "old"\nhook_orders = "kept"\n')
    env = {"HEXPOST_TOKEN_FILE": str(write(tmp_path, "token", "new")), "BROKER_URL_FILE": str(write(tmp_path, "b", "redis://:p@there:1/0"))}
    found = Config.load(file, env)
    assert (found.token, found.hook_orders, found.broker) == ("new", "kept", "redis://:p@there:1/0")


@pytest.mark.parametrize(
    ("url", "whole"),
    [
        ("postgresql+psycopg://desk@db.example:5432/hexpost", "postgresql+psycopg://desk:p%40ss%2Fw%3A%25@db.example:5432/hexpost"),
        ("redis://queue.example:6379/0", "redis://:p%40ss%2Fw%3A%25@queue.example:6379/0"),
        ("redis://me@queue.example/0", "redis://me:p%40ss%2Fw%3A%25@queue.example/0"),
    ],
)
def test_a_password_is_put_into_its_url(tmp_path: Path, url: str, whole: str) -> None:
    name, variable = ("database", "HEXPOST_DATABASE") if url.startswith("postgres") else ("broker", "BROKER_URL")
    env = {variable: url, f"{variable}_PASSWORD_FILE": str(write(tmp_path, "password", "p@ss/w:%\n"))}
    assert getattr(Config.load(None, env), name) == whole


def test_a_child_gets_the_secret_and_not_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXPOST_TOKEN_FILE", str(write(tmp_path, "token", "sesame")))
    monkeypatch.chdir(tmp_path)
    found = Config.load()
    child = inherited_environment() | found.environment()
    assert "HEXPOST_TOKEN_FILE" not in child
    assert Config.load(None, child) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('token = "x"\ntoken_file = "good"', "token and token_file are both there"),
        ('token_file = "none"', r"token_file: .*none cannot be read \(No such file"),
        ('token_file = "empty"', "must hold one line of text"),
        ('token_file = "two"', "must hold one line of text"),
        ('hook_orders_file = "rubbish"', "cannot be read"),
        ('database_password_file = "good"', "a URL with a user and without a password"),
        ('database = "postgresql://me:secret@db/x"\ndatabase_password_file = "good"', "without a password"),
        ('broker = "http://there/0"\nbroker_password_file = "good"', "begins with redis://"),
        ('imap_password_fil = "good"', "no such setting"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_without_its_secret(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path, "good", "sesame")
    write(tmp_path, "empty", "\n")
    write(tmp_path, "two", "one\ntwo\n")
    (tmp_path / "rubbish").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=said) as found:
        Config.load(write(tmp_path, "hexpost.toml", text), {})
    assert not any(one in str(found.value) for one in ("sesame", ":secret"))
