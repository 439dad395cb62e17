"""The container file and compose: not run here, but read as they will be: each part's settings are loaded, and its role prepared."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.deploy.reading import DEPLOY, OURS, PINNED, documents, has_command, place_of, role_of, settings_of, unknown
from worker.config import Config
from worker.hosting.processes import patience_with_a_mail
from worker.roles import ROLES

FILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
STAGES = [stage for stage in re.split(r"(?m)^(?=FROM )", FILE) if stage.startswith("FROM")]
(COMPOSE,) = documents("compose/compose.yaml")
SERVICES: dict[str, Any] = COMPOSE["services"]
PARTS = {name: one for name, one in SERVICES.items() if one["image"] == OURS}
GIVEN = {
    "HEXPOST_ADDRESS": "orders@club.example",
    "HEXPOST_SERVER": "mail.club.example",
    "HEXPOST_LINK_BASE": "https://club.example/hexpost",
    "HEXPOST_SMTP": "smtps://smtp.example.org:465",
}
TRIAL = dict(line.split("=", 1) for line in (DEPLOY / "compose/trial.env").read_text().splitlines() if "=" in line and line[0] != "#")


def lines(stage: str, instruction: str) -> list[str]:
    return [line.split(None, 1)[1] for line in stage.splitlines() if line.startswith(instruction + " ")]


def filled(value: object, given: dict[str, str]) -> str:
    """A value of compose with ``${NAME:-default}`` and ``${NAME:?why}`` filled in; KeyError where one must be given and is not."""

    def one(found: re.Match[str]) -> str:
        name, kind, rest = found.groups()
        return given[name] if kind == ":?" else given.get(name) or rest or ""

    return re.sub(r"\$\{(\w+)(:[-?])?([^}]*)\}", one, str(value)).replace("$$", "$")


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The secrets that the script draws."""
    folder = tmp_path_factory.mktemp("compose")
    (folder / "secrets.sh").write_bytes((DEPLOY / "compose/secrets.sh").read_bytes())
    subprocess.run(["sh", "secrets.sh"], cwd=folder, check=True, capture_output=True)
    return folder / "secrets"


def settings(name: str, secrets: Path, given: dict[str, str]) -> Any:
    environment = {key: filled(value, given) for key, value in PARTS[name]["environment"].items()}
    return settings_of(environment, "/run/secrets", secrets)


def test_the_image_is_pinned_small_and_nobody_s_but_its_user_s() -> None:
    build, final = STAGES
    (image,) = {re.split(r"\s", stage.split(None, 1)[1])[0] for stage in STAGES}
    assert PINNED.match(image), image
    assert "-slim" in image
    assert [lines(final, "USER"), lines(build, "USER")] == [["10001:10001"], []]
    installed = " ".join(lines(final, "RUN"))
    assert not re.search(r"apt-get|uv |gcc|pip install", installed)
    assert "pip uninstall --yes pip" in installed
    assert lines(final, "COPY") == ["--from=build /hexpost /hexpost"]
    pinned = re.search(r"UV_VERSION=(\S+)", (DEPLOY / "environment.sh").read_text())
    assert pinned is not None
    assert f"uv=={pinned[1]}" in build


def test_what_is_copied_is_there_and_nothing_else_is_sent_to_the_builder() -> None:
    copied = {word for line in lines(STAGES[0], "COPY") for word in line.split()[:-1]}
    assert {"pyproject.toml", "uv.lock", "scenarios", "services", "worker"} <= copied
    assert all((DEPLOY.parent / one).exists() for one in copied)
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text().splitlines()
    assert ignored[0] == "*"
    assert {line[1:] for line in ignored if line.startswith("!")} == copied


def test_the_image_s_own_words_are_commands_and_settings() -> None:
    final = STAGES[1]
    assert json.loads(lines(final, "ENTRYPOINT")[0]) == ["hexpost"]
    assert has_command(json.loads(lines(final, "CMD")[0]))
    names = re.findall(r"\b([A-Z_]+)=", " ".join(lines(final, "ENV")))
    assert "HEXPOST_HOME" in names
    assert unknown(dict.fromkeys(names, "")) == []
    assert "urllib.request.urlopen(os.environ['PROBED'], timeout=5)" in lines(final, "HEALTHCHECK")[0]


def test_every_role_has_its_container_and_the_image_tells_of_every_port(secrets: Path) -> None:
    found = {name: (settings(name, secrets, GIVEN), part) for name, part in PARTS.items()}
    roles = {name: role_of(part["command"], config) for name, (config, part) in found.items()}
    assert sorted(role for role, _ in roles.values()) == sorted(ROLES)
    ports = {place_of(command, found[name][0]).rpartition(":")[2] for name, (_, command) in roles.items()}
    assert ports == set(lines(STAGES[1], "EXPOSE")[0].split())


@pytest.mark.parametrize("given", [GIVEN, TRIAL], ids=["club", "trial"])
@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_part_begins_by_its_settings_and_is_probed_where_it_listens(name: str, given: dict[str, str], secrets: Path) -> None:
    part = PARTS[name]
    assert unknown(part["environment"]) == []
    config = settings(name, secrets, given)
    assert config.token == (secrets / "token").read_text().strip()
    role, command = role_of(part["command"], config)
    place = place_of(command, config)
    assert place.startswith("0.0.0.0:")
    if role == "lmtp":
        assert f"('127.0.0.1', {place.rpartition(':')[2]})" in " ".join(part["healthcheck"]["test"])
    else:
        probed = part["environment"].get("PROBED", "http://127.0.0.1:9101/healthz")
        assert (urlsplit(probed).port, urlsplit(probed).path) == (int(place.rpartition(":")[2]), "/healthz")
    for published in part.get("ports", []):
        host, outer, inner = published.split(":")
        assert (host, inner) == ("127.0.0.1", place.rpartition(":")[2])  # the web server in front is on this machine
        assert outer == inner


def test_services_are_where_the_others_look_for_them(secrets: Path) -> None:
    config = settings("worker", secrets, GIVEN)
    for name in ("rules", "mail", "render"):
        where = urlsplit(getattr(config, name))
        there = settings(name, secrets, GIVEN)
        assert where.hostname == name
        assert place_of(role_of(PARTS[name]["command"], there)[1], there) == f"0.0.0.0:{where.port}"
    database, broker = urlsplit(config.database), urlsplit(config.broker)
    assert (database.hostname, database.port, database.path) == ("postgres", 5432, "/" + SERVICES["postgres"]["environment"]["POSTGRES_DB"])
    assert database.username == SERVICES["postgres"]["environment"]["POSTGRES_USER"]
    assert database.password == (secrets / "database_password").read_text().strip()
    assert (broker.hostname, broker.port) == ("valkey", 6379)
    assert f"requirepass {broker.password}\n" in (secrets / "broker_settings").read_text()
    command = SERVICES["valkey"]["command"]
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
    assert command[command.index("--appendonly") + 1] == "yes"


@pytest.mark.parametrize("name", sorted(PARTS))
def test_no_part_is_root_or_writes_to_its_image_or_gains_a_right(name: str) -> None:
    part = PARTS[name]
    assert (part["read_only"], part["user"], part["cap_drop"]) == (True, "10001:10001", ["ALL"])
    assert part["security_opt"] == ["no-new-privileges:true"]
    assert "cap_add" not in part
    assert "privileged" not in part
    assert int(part["stop_grace_period"].removesuffix("s")) > patience_with_a_mail(Config().timeout)


def test_services_that_know_no_player_get_no_secret_but_the_token_and_reach_nobody_outside() -> None:
    for name in ("rules", "render"):
        assert PARTS[name]["secrets"] == ["token"]
        assert PARTS[name]["networks"] == ["inside"]
        assert "volumes" not in PARTS[name]
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_what_is_named_is_there(secrets: Path) -> None:
    for name, service in SERVICES.items():
        assert service["image"] == OURS or PINNED.match(service["image"]), name
        assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
        assert set(service.get("networks", [])) <= set(COMPOSE["networks"])
        assert set(service.get("depends_on", {})) <= set(SERVICES)
        assert {volume.partition(":")[0] for volume in service.get("volumes", [])} <= set(COMPOSE["volumes"])
        for needed, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert needed in PARTS or "healthcheck" in SERVICES[needed]
        for key, value in service["environment"].items() if "environment" in service else ():
            if key.endswith("_FILE") and str(value).startswith("/run/secrets/"):
                assert str(value).rpartition("/")[2] in service["secrets"], f"{name}: {key}"
    assert {one["file"].removeprefix("secrets/") for one in COMPOSE["secrets"].values()} <= {path.name for path in secrets.iterdir()}


def test_secrets_are_drawn_once_long_and_kept_from_others(secrets: Path) -> None:
    before = {path.name: path.read_bytes() for path in secrets.iterdir()}
    subprocess.run(["sh", "secrets.sh"], cwd=secrets.parent, check=True, capture_output=True)
    assert {path.name: path.read_bytes() for path in secrets.iterdir()} == before
    assert secrets.stat().st_mode & 0o077 == 0
    drawn = [before[name].strip() for name in ("token", "database_password", "broker_password")]
    assert len(set(drawn)) == 3
    assert {len(one) for one in drawn} == {48}
