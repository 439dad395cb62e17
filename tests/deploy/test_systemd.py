"""The systemd units and the web servers in front: their commands exist, and what they name is what the settings say."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.deploy.reading import DEPLOY, has_command, unknown
from worker.post.links import PATH
from worker.roles import ROLES
from worker.secrets import link_token

UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
HARDENED = {
    "NoNewPrivileges": "true",
    "ProtectSystem": "strict",
    "ProtectHome": "true",
    "PrivateTmp": "true",
    "PrivateDevices": "true",
    "RestrictSUIDSGID": "true",
    "CapabilityBoundingSet": "",
    "UMask": "0077",
    "StateDirectoryMode": "0700",
    "User": "hexpost",
}


def entries(unit: Path) -> dict[str, str]:
    """The lines of a unit; the last one of a name counts."""
    pairs = (line.split("=", 1) for line in unit.read_text().splitlines() if "=" in line and not line.startswith("#"))
    return dict(pairs)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_runs_a_command_that_exists_as_nobody_else(unit: Path) -> None:
    found = entries(unit)
    program, *words = found["ExecStart"].split()
    assert Path(program).name == "hexpost"
    for role in ROLES if "%i" in words else [""]:
        assert has_command([role if word == "%i" else word for word in words]), words
    assert {name: found.get(name) for name in HARDENED} == HARDENED
    assert unknown(dict(one.split("=", 1) for one in found["Environment"].split())) == []
    assert (found["KillMode"], found["Restart"]) == ("mixed", "always")
    (user,) = (line.split() for line in (DEPLOY / "systemd/hexpost.sysusers").read_text().splitlines())
    assert user[1] == found["User"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_takes_every_line(unit: Path, tmp_path: Path) -> None:
    (tmp_path / unit.name).write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text()))
    target = unit.name.replace("@.", "@worker.")
    (tmp_path / target).write_text((tmp_path / unit.name).read_text())
    done = subprocess.run(["systemd-analyze", "verify", str(tmp_path / target)], capture_output=True, text=True, timeout=60)
    assert [line for line in done.stderr.splitlines() if unit.name.partition(".")[0].rstrip("@") in line] == []
    graded = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", str(tmp_path / target)], capture_output=True, text=True, timeout=60
    )
    found = re.search(r"exposure level for \S+: ([0-9.]+)", graded.stdout)
    assert found is not None, graded.stderr
    assert float(found[1]) <= 2.0


def test_the_web_servers_in_front_pass_on_links_and_webhooks_alone() -> None:
    link = "/hexpost" + PATH + link_token("5a" * 32, "G1", "key", "ann@player.example", "map.png")
    for name, pattern in (("Caddyfile", r"path_regexp files (\S+)"), ("nginx.conf", r'location ~ "([^"]+)"')):
        text = (DEPLOY / "proxy" / name).read_text()
        found = re.search(pattern, text)
        assert found is not None
        assert re.match(found[1], link), name
        assert re.match(found[1], link)[1] == link.removeprefix("/hexpost")
        for outside in ("/hexpost/files/../healthz", "/hexpost/healthz", "/files/" + "0" * 40, "/hexpost/files/" + "0" * 39):
            assert not re.match(found[1], outside), outside
        boards = next(one for one in re.findall(pattern.replace("files", "boards"), text) if "/board/" in one)
        token = link.rpartition("/")[2]
        for path in (f"/board/{token}", f"/board/{token}.png", f"/board/{token}.json", "/board/board.js", "/board/board.css"):
            assert re.match(boards, "/hexpost" + path)[1] == path, path
        for outside in (f"/board/{token}", f"/hexpost/board/{token}/", "/hexpost/board/", "/hexpost/board/board.py", link):
            assert not re.match(boards, outside), outside
        targets = re.findall(r"(?:reverse_proxy |proxy_pass http://)(127\.0\.0\.1:\d+)", text)
        said = re.findall(
            r'"(127\.0\.0\.1:\d+)"', text.partition("\n\n")[0] if name == "nginx.conf" else text.partition("club.example {")[0]
        )
        assert set(targets) == set(said)
        example = (DEPLOY / "hexpost.toml.example").read_text()
        assert all(f'"{one}"' in example for one in targets)
        assert "/v1/hooks/" in text


def test_nginx_logs_no_address_with_a_token() -> None:
    text = (DEPLOY / "proxy" / "nginx.conf").read_text()
    blocks = dict(
        re.findall(
            r"^ *(location [^\n]+?|server) \{\n([^{}]*(?:\{[^{}]*\}[^{}]*)*?)^ *\}", text.replace("server {\n    listen 443", "tls {"), re.M
        )
    )
    quiet = {name for name, block in blocks.items() if "access_log off;" in block and "error_log /dev/null crit;" in block}
    assert "listen 80;" in blocks["server"]
    assert quiet == {name for name in blocks if "/hexpost" in name} | {"server"}
    assert len(quiet) == 4  # http, files, boards, and what begins like them


def test_hosting_pages_name_files_that_are_there() -> None:
    for page in (ROOT / "docs/hosting").glob("*.md"):
        for named in re.findall(r"`(deploy/[A-Za-z0-9_./@-]+)`", page.read_text(encoding="utf-8")):
            assert (ROOT / named).exists(), f"{page.name}: {named}"
