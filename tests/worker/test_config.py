"""Settings: file, environment, and what is wrong with them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from worker.config import Config, ConfigError, inherited_environment
from worker.store.database import open_database


def load(folder: Path, text: str, **env: str) -> Config:
    file = folder / "hexpost.toml"
    file.write_text(text, encoding="utf-8")
    return Config.load(file, env)


def test_paths_are_relative_to_the_file_and_the_rest_lies_in_home(tmp_path: Path) -> None:
    found = load(tmp_path, 'home = "data"\nscale = 1200\n')
    assert found.inbox == tmp_path / "data" / "mail" / "in"
    assert found.database == f"sqlite:///{tmp_path}/data/hexpost.db"
    assert found.scale == 1200


def test_the_environment_outweighs_the_file(tmp_path: Path) -> None:
    found = load(tmp_path, "scale = 1200\n", HEXPOST_SCALE="800", BROKER_URL="redis://there/0", HEXPOST_POLL="0.5")
    assert (found.scale, found.broker, found.poll) == (800, "redis://there/0", 0.5)


def test_what_a_process_passes_on_is_what_its_child_reads(tmp_path: Path) -> None:
    found = load(tmp_path, 'address = "desk@example.org"\n', BROKER_URL="redis://there/0")
    assert Config.load(None, found.environment()) == found


PARTS = ("broker", "rules", "mail", "render", "hooks", "lmtp", "links", "intake", "worker")


def test_each_process_gets_its_share_of_the_settings_and_no_secret_of_anothers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'hook_orders = "whsec_x"\ntoken = "tok"\nlmtp = "127.0.0.1:24"\noverlays = "mine"\n'
    found = load(tmp_path, text, BROKER_URL="redis://there/0")
    assert [part for part in PARTS if "whsec_x" in found.environment(part).values()] == ["hooks"]
    assert [part for part in PARTS if "tok" in found.environment(part).values()] == ["intake", "worker"]
    boards = replace(found, link_base="https://club.example")  # the live board asks the services
    assert [part for part in PARTS if "tok" in boards.environment(part).values()] == ["links", "intake", "worker"]
    assert "tok" not in replace(boards, board=False).environment("links").values()
    assert found.environment("broker") == {"HEXPOST_CONFIG": os.devnull}
    shown = Config.load(None, found.environment("links"))
    assert (shown.database, shown.artifacts) == (found.database, found.artifacts)
    assert set(found.environment("rules")) == {"HEXPOST_CONFIG", "HEXPOST_OVERLAYS", "HEXPOST_LOG_FORMAT"}
    assert Config.load(None, found.environment("worker")) == replace(found, hook_orders="")
    outside = {"HEXPOST_HOOK_ORDERS": "whsec_x", "BROKER_URL": "redis://x/0", "HEXPOST_SERVICE_TOKEN": "t", "HEXPOST_MAIL_MAX_BODY": "9"}
    for name, value in outside.items():
        monkeypatch.setenv(name, value)
    assert {name: inherited_environment().get(name) for name in outside} == dict.fromkeys(outside) | {"HEXPOST_MAIL_MAX_BODY": "9"}


def test_overlays_are_found_from_the_file_and_passed_on(tmp_path: Path) -> None:
    assert load(tmp_path, "").overlays == ""
    found = load(tmp_path, 'overlays = "mine"\n')
    assert found.overlays == str(tmp_path / "mine")
    assert found.environment()["HEXPOST_OVERLAYS"] == str(tmp_path / "mine")
    assert load(tmp_path, 'overlays = "mine"\n', HEXPOST_OVERLAYS="").overlays == ""


def test_files_of_the_intake_are_found_from_the_settings_file(tmp_path: Path) -> None:
    mailbox = 'imap = "imaps://mail.example:993"\nimap_user = "me"\nimap_password_file = "secret"\n'
    found = load(tmp_path, mailbox + 'lmtp = "unix:lmtp.sock"\nhooks = "[::1]:8025"\n')
    assert found.imap_password_file == str(tmp_path / "secret")
    assert (found.lmtp, found.spool) == (f"unix:{tmp_path}/var/lmtp.sock", tmp_path / "var" / "spool")
    assert found.takes_in
    assert not load(tmp_path, "").takes_in
    assert Config.load(None, found.environment()) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("scle = 1", "scle: no such setting"),
        ("scale = 10", "from 400 to 4000"),
        ('scale = "big"', "must be a number"),
        ("poll = 0", "more than 0"),
        ("address = 3", "must be text"),
        ('address = "x"', "must be a mail address"),
        ("max_mail = 1e99", "must be a whole number"),
        ("attempts = inf", "must be a number"),
        ("lease = inf", "must be a number of seconds"),
        ("digest_hour = 24", "from 0 to 23"),
        ('digest_day = "someday"', "must be one of monday, tuesday"),
        ('reminders = "24 soon"', "at most 5 numbers of hours"),
        ('reminders = "1 2 3 4 5 6"', "at most 5 numbers of hours"),
        ('zone = "CEST"', "a time zone such as Europe/Rome"),
        ("grace_hours = 10001", "at most 10000"),
        ('absence = "later"', "adjutant, nothing, wait, master"),
        ('rules = "ftp://there"', "begins with http://"),
        ('broker = "http://there"', "begins with redis://"),
        ("deadline_hours = -1", "more than 0"),
        ("deadline_hours = 1e6", "at most 10000"),
        ('absence = "holiday"', "one of adjutant, nothing, wait"),
        ('theme = "pink"', "one of light, dark, contrast"),
        ('animation = "mp4"', "one of off, webp, gif"),
        ("pictures = -1", "more than 0"),
        ("pictures = 20000000", "at most 15000000 bytes"),
        ("vassal = 20000000", "at most 15000000 bytes"),
        ("vassal = -1", "more than 0"),
        ('vassal_url = "files"', "http://"),
        ("scale = ", "not TOML"),
        ('smtp = "mail.example.org"', "smtps://host or smtp://host"),
        ('smtp = "smtp+plain://mail.example.org"', "must not travel in the clear"),
        ('smtp_user = "x"', "Setting smtp is empty"),
        ('smtp = "smtp://x"\nsmtp_user = "x"', "wants one of smtp_password_file and smtp_token_file"),
        ('smtp = "smtp://x"\nsmtp_password_file = "x"', "they want smtp_user"),
        ('smtp = "smtp://x"\nsmtp_user = "x"\nsmtp_password_file = "x"\nsmtp_token_file = "x"', "wants one of"),
        ("smtp_minute = -1", "more than 0"),
        ('dkim_selector = "hx1"', "belong together"),
        ('dkim_key_file = "k"\ndkim_selector = "a b"', "a name in the DNS"),
        ('links = "127.0.0.1"', "host:port"),
        ('links = "127.0.0.1:80"', "link_base is empty"),
        ('link_base = "http://club.example"', "begins with https://"),
        ('link_base = "https://club.example?a=b"', "begins with https://"),
        ("link_days = 4000", "at most 3650"),
        ('hooks = "8025"', "hooks must be host:port"),
        ('lmtp = "lmtp.sock"', "lmtp must be host:port or unix:path"),
        ('lmtp_hosts = "mail.example"', "lmtp_hosts must be addresses or networks"),
        ('lmtp_hosts = "10.0.0.1/8"', "has host bits set"),
        ('lmtp_hosts = "127.0.0.1, 0.0.0.0/0"', "names everybody"),
        ("answers_hour = 2", "at least 3"),
        ('imap = "mail.example"', "imaps://host"),
        ('imap = "imaps://me@mail.example"', "imaps://host"),
        ('imap = "imap+plain://mail.example"\nimap_user = "me"\nimap_password_file = "p"', "must not travel in the clear"),
        ('imap = "imaps://mail.example"\nimap_password_file = "p"', "whose mailbox"),
        ('imap = "imaps://mail.example"\nimap_user = "me"', "One of the settings"),
        ('imap = "imaps://mail.example"\nimap_user = "me"\nimap_token_file = "p"\nimap_token_command = "q"', "One of the settings"),
        ('imap = "imaps://mail.example"\nimap_user = "me"\nimap_token_file = "p"\nimap_done = "INBOX"', "must leave the first one"),
        ('imap_user = "me"', "where is the server"),
        ("imap_poll = 0", "more than 0"),
        ('hooks = "127.0.0.1:65536"', "hooks must be host:port"),
        ('metrics = "127.0.0.1:99999"', "metrics must be host:port"),
        ('lmtp = "127.0.0.1:70000"', "lmtp must be host:port"),
        ('smtp = "smtps://mail.example.org:99999"', "smtps://host or smtp://host"),
        ('rules = "http://[::1"', "Setting rules is no URL with a host, and a port up to 65535"),
        ('mail = "http://"', "Setting mail is no URL with a host"),
        ('render = "http://host:abc"', "Setting render is no URL with a host"),
        ('s3_endpoint = "https://host:99999"', "Setting s3_endpoint is no URL with a host"),
        ('token = "se\u00e4am"', "Setting token must be of ASCII signs"),
        ('home = "a\\u0000b"', "home must be a line of text without control characters"),
        ('hook_orders = "a\\tb"', r"^Setting hook_orders must be a line of text without control characters\.$"),
    ],
)
def test_unusable_settings_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load(tmp_path, text)


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Config.load(tmp_path / "none.toml", {})


def test_the_example_of_settings_says_the_defaults() -> None:
    example = Path(__file__).parents[2] / "deploy" / "hexpost.toml.example"
    found = Config.load(example, {})
    assert found == Config.load(None, {"HEXPOST_HOME": str(example.parent / "var")})


@pytest.mark.parametrize(
    "url", ["nonsense", "oracle9://there/x", "postgresql+nobody://there/x", "postgresql://u:s3cret@[::1", "sqlite:///a%00b"]
)
def test_a_database_that_nobody_knows_is_said(url: str) -> None:
    with pytest.raises(ConfigError, match="Setting database"):
        open_database(url)


def test_the_files_of_sending_are_found_from_the_settings(tmp_path: Path) -> None:
    text = 'smtp = "smtps://mail.example.org:465"\nsmtp_user = "desk"\nsmtp_password_file = "secret"\nsmtp_minute = 0\n'
    found = load(tmp_path, text + 'dkim_key_file = "k.pem"\ndkim_selector = "hx1"\nlink_base = "http://127.0.0.1:8026/x"\n')
    assert (found.smtp_password_file, found.dkim_key_file) == (str(tmp_path / "secret"), str(tmp_path / "k.pem"))
    assert (found.smtp_minute, found.link_base) == (0, "http://127.0.0.1:8026/x")
    assert Config.load(None, found.environment()) == found


def test_the_hours_of_reminders_are_read_the_most_first(tmp_path: Path) -> None:
    assert load(tmp_path, 'reminders = "4 24 0.5"').remind_at == [24, 4, 0.5]
    assert load(tmp_path, 'reminders = ""').remind_at == []
    assert load(tmp_path, "digest_hour = 0\nlobby_days = 0\nreaction_hours = 0").digest_hour == 0
