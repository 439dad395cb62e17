"""Whoever must reach a role can: from outside through each web server in front and through Kubernetes' ingress, from inside by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from services.mail.config import MAX_BODY as MOST_OF_A_HOOK
from tests.deploy.reading import DEPLOY, OURS, documents
from worker import web
from worker.api.app import MOST_BODY as MOST_OF_A_CALL
from worker.config import Config
from worker.roles import ROLES

TOKEN = "0a" * 20
OUTSIDE = {
    "hooks": ["/v1/hooks/orders", "/v1/hooks/discord", "/v1/hooks/mailgun/mime"],
    "web": [f"/hexpost/files/{TOKEN}", f"/hexpost/board/{TOKEN}", f"/hexpost/board/{TOKEN}.png", "/hexpost/board/board.js"],
    "api": ["/v1/me", "/v1/tokens", "/v1/games/G1/orders", "/v1/games/G1/listeners", "/v1/games/G1/files/map.png", "/openapi.json"],
}
INSIDE = {"rules": 8001, "mail": 8002, "render": 8003, "metrics": 9108, "lmtp": 2424}
SILENT = {"worker", "caller", "clock", "intake"}
"""These are asked for their health alone."""
NOWHERE = ["/", "/healthz", "/readyz", "/metrics", "/v1/spool", "/v1/adjudications", "/v1/mex", "/v1/tokens/x", "/hexpost/healthz"]
SETTINGS = {"hooks": "hooks", "web": "links", "api": "api"}
Way = Callable[[str], tuple[int, str] | None]
"""The port that a path leads to, and the most bytes of a body as it stands there; None: it leads nowhere."""


def nginx(path: str) -> tuple[int, str] | None:
    text = (DEPLOY / "proxy/nginx.conf").read_text(encoding="utf-8").partition("listen 443")[2]
    places = re.findall(r'^    location (~ )?"?([^"\n]+?)"? \{\n(.*?)^    \}', text, re.M | re.S)
    fits = [one for one in places if one[0] and re.search(one[1], path)]
    fits = fits or sorted((one for one in places if not one[0] and path.startswith(one[1])), key=lambda one: -len(one[1]))
    to = re.search(r"proxy_pass http://127\.0\.0\.1:(\d+)", fits[0][2])
    size = re.search(r"client_max_body_size (\S+);", fits[0][2])
    return (int(to[1]), size[1] if size else "1m") if to else None


def caddy(path: str) -> tuple[int, str] | None:
    text = (DEPLOY / "proxy/Caddyfile").read_text(encoding="utf-8")
    named = dict(re.findall(r"^\t@(\w+) (.+)$", text, re.M))
    for wanted, block in re.findall(r"^\thandle ([^{\n]*)\{\n(.*?)^\t\}", text, re.M | re.S):
        kind, _, rest = named.get(wanted.strip().removeprefix("@"), f"path {wanted.strip()}").partition(" ")
        if kind == "path_regexp":
            fits = bool(re.search(rest.split()[1], path))
        else:
            fits = any(path.startswith(one[:-1]) if one.endswith("*") else path == one for one in rest.split())
        if fits and (to := re.search(r"reverse_proxy 127\.0\.0\.1:(\d+)", block)):
            size = re.search(r"max_size (\S+)", block)
            return int(to[1]), size[1] if size else ""
    return None


def ingress(path: str) -> tuple[int, str] | None:
    objects = [one for file in sorted((DEPLOY / "kubernetes").glob("*.yaml")) for one in documents(f"kubernetes/{file.name}")]
    services = {one["metadata"]["name"]: one["spec"]["ports"][0]["port"] for one in objects if one["kind"] == "Service"}
    found: list[tuple[int, int, str]] = []
    for one in objects:
        if one["kind"] != "Ingress":
            continue
        size = one["metadata"]["annotations"].get("nginx.ingress.kubernetes.io/proxy-body-size", "1m")
        for way in one["spec"]["rules"][0]["http"]["paths"]:
            kind, wanted = way["pathType"], way["path"]
            fits = {"Exact": path == wanted, "Prefix": path.startswith(wanted)}.get(kind, bool(re.match(wanted, path)))
            if fits:
                found.append((len(wanted), services[way["backend"]["service"]["name"]], size))
    return max(found)[1:] if found else None


def bytes_of(size: str) -> int:
    found = re.fullmatch(r"(\d+)([kKmM]?)[bB]?", size)
    assert found is not None, size
    return int(found[1]) * {"": 1, "k": 1000, "m": 1_000_000}[found[2].lower()]


def test_every_role_that_listens_is_meant_for_somebody() -> None:
    assert {*OUTSIDE, *INSIDE, *SILENT} == set(ROLES)
    assert {role for role, one in ROLES.items() if one.place or one.listen} == {*OUTSIDE, *INSIDE}


@pytest.mark.parametrize("way", [nginx, caddy, ingress])
def test_the_net_reaches_what_it_is_meant_to_with_bodies_as_large_as_are_read(way: Way) -> None:
    example = (DEPLOY / "hexpost.toml.example").read_text(encoding="utf-8")
    most = {"hooks": MOST_OF_A_HOOK, "api": MOST_OF_A_CALL}
    for role, paths in OUTSIDE.items():
        [port] = {int(one) for one in re.findall(rf'^{SETTINGS[role]} = "".*"127\.0\.0\.1:(\d+)"', example, re.M)}
        for path in paths:
            found = way(path)
            assert found is not None, path
            assert found[0] == port, path
            wanted = web.MOST_FORM if path == f"/hexpost/board/{TOKEN}" else most.get(role, 0)
            assert not found[1] or bytes_of(found[1]) >= wanted, path
    for path in NOWHERE:
        assert way(path) is None, path


def test_containers_of_one_machine_publish_what_the_web_server_passes_on_and_find_each_other_by_name() -> None:
    (compose,) = documents("compose/compose.yaml")
    parts: dict[str, Any] = {one["command"][1]: (name, one) for name, one in compose["services"].items() if one["image"] == OURS}
    example = (DEPLOY / "hexpost.toml.example").read_text(encoding="utf-8")
    for role in ROLES:
        name, part = parts[role]
        published = {one.rpartition(":")[2] for one in part.get("ports", [])}
        if role in OUTSIDE:
            assert published == set(re.findall(rf'^{SETTINGS[role]} = "".*"127\.0\.0\.1:(\d+)"', example, re.M)), role
        elif role == "metrics":
            assert published == {str(INSIDE[role])}
        else:
            assert published == set()
        assert "inside" in part["networks"]
        if role in INSIDE:
            assert name == role


def test_services_of_a_cluster_are_found_by_name() -> None:
    objects = [one for file in sorted((DEPLOY / "kubernetes").glob("*.yaml")) for one in documents(f"kubernetes/{file.name}")]
    ports = {one["metadata"]["name"]: one["spec"]["ports"][0]["port"] for one in objects if one["kind"] == "Service"}
    assert {role: ports[role] for role in INSIDE if role != "lmtp"} == {role: port for role, port in INSIDE.items() if role != "lmtp"}
    assert Config().lmtp == ""  # LMTP is for a mail server beside it: a cluster takes mails from a mailbox and by webhook
