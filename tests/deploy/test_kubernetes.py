"""The manifests: not applied here, but read as a cluster would: each container's settings are loaded, and every name leads somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.deploy.reading import DEPLOY, OURS, PINNED, documents, has_command, place_of, role_of, settings_of, unknown
from worker.board.invite import PATH as BOARD_PATH
from worker.post.links import PATH
from worker.roles import ROLES

FOLDER = DEPLOY / "kubernetes"
(KUSTOMIZATION,) = documents("kubernetes/kustomization.yaml")
FILES = [name.replace("secret.yaml", "secret.example.yaml") for name in KUSTOMIZATION["resources"]]
OBJECTS: list[Any] = [one for file in FILES for one in documents(f"kubernetes/{file}")]
SECRETS = "/run/secrets/hexpost"


def of(kind: str) -> dict[str, Any]:
    return {one["metadata"]["name"]: one for one in OBJECTS if one["kind"] == kind}


PODS = {name: one["spec"]["template"] for kind in ("Deployment", "StatefulSet") for name, one in of(kind).items()}
CONTAINERS = {f"{pod}/{one['name']}": (pod, one) for pod, template in PODS.items() for one in template["spec"]["containers"]}
OWN = {key: found for key, found in CONTAINERS.items() if found[1]["image"] == OURS}


def environment(container: Any) -> dict[str, str]:
    maps = of("ConfigMap")
    found: dict[str, str] = {}
    for one in container.get("envFrom", []):
        found |= maps[one["configMapRef"]["name"]]["data"]
    return found | {one["name"]: one["value"] for one in container.get("env", [])}


def mounted(pod: str, container: Any) -> Any:
    """The secret that a container sees at ``SECRETS``."""
    (name,) = [one["name"] for one in container["volumeMounts"] if one["mountPath"] == SECRETS]
    (volume,) = [one for one in PODS[pod]["spec"]["volumes"] if one["name"] == name]
    return of("Secret")[volume["secret"]["secretName"]]["stringData"]


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("secrets")
    for name in of("Secret")["hexpost"]["stringData"]:
        (folder / name).write_text("whsec_" + "c2VjcmV0" * 4 if "hook" in name else "drawn-" + name)
    return folder


def prepared(key: str, secrets: Path) -> tuple[str, str]:
    """The role of a container of ours and where it listens."""
    _, container = OWN[key]
    config = settings_of(environment(container), SECRETS, secrets)
    role, command = role_of(container["args"], config)
    return role, place_of(command, config)


def test_every_file_is_applied_and_none_twice() -> None:
    there = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml", "secret.yaml", "upgrade.yaml"}
    assert sorted(FILES) == sorted(there)
    named = [(one["kind"], one["metadata"]["name"]) for one in OBJECTS]
    assert len(named) == len(set(named))
    assert {one["metadata"].get("namespace", "hexpost") for one in OBJECTS} == {"hexpost"}
    assert KUSTOMIZATION["images"][0]["name"] == OURS.partition(":")[0]


def test_every_role_has_its_container(secrets: Path) -> None:
    roles = {prepared(key, secrets)[0] for key in OWN}
    assert set(ROLES) - roles == {"lmtp"}  # its mail server is elsewhere; IMAP and webhooks bring the mails in


@pytest.mark.parametrize("key", sorted(OWN))
def test_a_container_begins_by_its_settings_and_is_probed_where_it_listens(key: str, secrets: Path) -> None:
    pod, container = OWN[key]
    found = environment(container)
    assert unknown(found) == []
    wanted = {value.rpartition("/")[2] for name, value in found.items() if name.endswith("_FILE")}
    assert wanted <= set(mounted(pod, container))
    role, place = prepared(key, secrets)
    (port,) = container["ports"]
    assert place == f"0.0.0.0:{port['containerPort']}", role
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert container[probe]["httpGet"]["port"] == port["name"]
    assert (container["livenessProbe"]["httpGet"]["path"], container["readinessProbe"]["httpGet"]["path"]) == ("/healthz", "/readyz")


@pytest.mark.parametrize("key", sorted(CONTAINERS))
def test_no_container_is_root_or_writes_to_its_image_or_gains_a_right(key: str) -> None:
    pod, container = CONTAINERS[key]
    spec = PODS[pod]["spec"]
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] > 0
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["image"] == OURS or PINNED.match(container["image"])
    assert set(container["resources"]["requests"]) == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]
    assert {"livenessProbe", "readinessProbe"} <= set(container)
    volumes = {one["name"] for one in spec["volumes"]} | {
        one["metadata"]["name"] for one in of("StatefulSet").get(pod, {"spec": {}})["spec"].get("volumeClaimTemplates", [])
    }
    assert {one["name"] for one in container["volumeMounts"]} <= volumes


def test_what_holds_secrets_of_players_is_not_what_only_knows_rules() -> None:
    for pod in ("rules", "render"):
        ((_, container),) = [found for found in OWN.values() if found[0] == pod]
        assert set(mounted(pod, container)) == {"token"}
        assert set(environment(container)) == {"HEXPOST_LOG_FORMAT", "HEXPOST_TOKEN_FILE"}


def test_names_lead_to_pods() -> None:
    labels = {name: template["metadata"]["labels"] for name, template in PODS.items()}
    for name, one in {**of("Deployment"), **of("StatefulSet")}.items():
        assert one["spec"]["selector"]["matchLabels"].items() <= labels[name].items()
    for name, service in of("Service").items():
        pods = [pod for pod, own in labels.items() if service["spec"]["selector"].items() <= own.items()]
        assert len(pods) == 1, name
        ports = {port["name"]: port["containerPort"] for one in PODS[pods[0]]["spec"]["containers"] for port in one["ports"]}
        assert [(port["targetPort"], port["port"]) for port in service["spec"]["ports"]] == [
            (port["targetPort"], ports[port["targetPort"]]) for port in service["spec"]["ports"]
        ]
    for name, one in of("HorizontalPodAutoscaler").items():
        assert one["spec"]["scaleTargetRef"]["name"] in of("Deployment")
        assert "replicas" not in of("Deployment")[name]["spec"]  # else each apply would set it back
        assert one["spec"]["minReplicas"] >= 2
    budgets = of("PodDisruptionBudget")
    assert {name for name, one in of("Deployment").items() if one["spec"].get("replicas", 2) > 1} == set(budgets)
    for one in budgets.values():
        assert any(one["spec"]["selector"]["matchLabels"].items() <= own.items() for own in labels.values())
    volumes = [volume for template in PODS.values() for volume in template["spec"]["volumes"]]
    claims = [one["persistentVolumeClaim"]["claimName"] for one in volumes if "persistentVolumeClaim" in one]
    assert set(claims) == set(of("PersistentVolumeClaim"))
    assert {"hexpost", "hexpost-service"} == set(of("Secret"))


def test_one_spool_has_one_pod_at_a_time_and_its_intake_asks_there(secrets: Path) -> None:
    post = of("Deployment")["post"]["spec"]
    assert (post["replicas"], post["strategy"]) == (1, {"type": "Recreate"})
    where = urlsplit(environment(OWN["post/intake"][1])["HEXPOST_MAIL"])
    assert where.hostname == "127.0.0.1"
    assert prepared("post/spool", secrets) == ("mail", f"0.0.0.0:{where.port}")
    mounts = [one for key in ("hooks", "spool") for one in OWN[f"post/{key}"][1]["volumeMounts"]]
    assert {one["name"] for one in mounts if one["mountPath"] == "/var/lib/hexpost"} == {"spool"}


def selected(selector: Any) -> set[str]:
    """The pods that a selector of a policy means."""
    found = set()
    for pod, template in PODS.items():
        labels = template["metadata"]["labels"]
        fits = selector.get("matchLabels", {}).items() <= labels.items()
        found |= {pod} if fits and all(labels[one["key"]] in one["values"] for one in selector.get("matchExpressions", [])) else set()
    return found


def allowed(direction: str) -> Iterator[tuple[str, str, int]]:
    """Who may call whom at which port, by the policies of one direction."""
    for policy in of("NetworkPolicy").values():
        own = selected(policy["spec"]["podSelector"])
        for rule in policy["spec"].get(direction, []):
            others = {
                pod
                for one in rule["from" if direction == "ingress" else "to"]
                if "podSelector" in one
                for pod in selected(one["podSelector"])
            }
            for port in rule["ports"]:
                for pod in own:
                    for other in others:
                        yield (other, pod, port["port"]) if direction == "ingress" else (pod, other, port["port"])


def test_nothing_is_open_but_what_is_needed(secrets: Path) -> None:
    config = settings_of(environment(OWN["worker/worker"][1]), SECRETS, secrets)
    services = {(urlsplit(url).hostname, urlsplit(url).port) for url in (config.rules, config.mail, config.render)}
    broker, database = urlsplit(config.broker), urlsplit(config.database)
    needed = {(caller, host, port) for caller in ("worker", "caller", "post", "web", "api") for host, port in services}
    needed.add(("clock", urlsplit(config.rules).hostname, urlsplit(config.rules).port))  # whether the games that run can go on
    needed |= {(caller, broker.hostname, broker.port) for caller in ("worker", "caller", "post", "clock", "metrics", "api")}
    needed |= {(caller, database.hostname, database.port) for caller in ("worker", "caller", "post", "clock", "metrics", "web", "api")}
    assert set(allowed("ingress")) == needed
    assert set(allowed("egress")) - {one for one in allowed("egress") if one[2] == 53} == needed
    nothing = of("NetworkPolicy")["nothing"]["spec"]
    assert nothing == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    outside = {
        (pod, port["port"])
        for policy in of("NetworkPolicy").values()
        for rule in policy["spec"].get("egress", [])
        if any("ipBlock" in one for one in rule["to"])
        for port in rule["ports"]
        for pod in selected(policy["spec"]["podSelector"])
    }
    mails = {("worker", 465), ("worker", 587), ("post", 143), ("post", 993)}
    assert outside == mails | {(pod, 443) for pod in ("worker", "caller", "post", "web", "api")} | {("caller", 8443)}


def test_workers_call_nobody_where_a_caller_runs() -> None:
    assert "--no-caller" in OWN["worker/worker"][1]["args"]
    assert "caller/caller" in OWN


def test_after_an_upgrade_everything_is_scaled_up_again() -> None:
    """By the manifests where they say to how many; an autoscaler does nothing for what was scaled to none."""
    page = (DEPLOY.parent / "docs" / "hosting" / "upgrade.md").read_text(encoding="utf-8")
    unsaid = {name for name, one in of("Deployment").items() if not one["spec"].get("replicas")}
    [scaled] = re.findall(r"^kubectl -n hexpost scale deploy ([a-z ]+) --replicas=2$", page, re.M)
    assert set(scaled.split()) == unsaid == set(of("HorizontalPodAutoscaler"))
    assert all(one["spec"]["minReplicas"] == 2 for one in of("HorizontalPodAutoscaler").values())
    assert page.index("--replicas=0") < page.index("job/upgrade") < page.index("kubectl apply -k") < page.index("--replicas=2")


def test_the_net_reaches_webhooks_the_api_and_what_mails_link_to_alone(secrets: Path) -> None:
    paths = {
        path["path"]: (path["backend"]["service"]["name"], one["metadata"]["annotations"].get("nginx.ingress.kubernetes.io/rewrite-target"))
        for one in of("Ingress").values()
        for rule in one["spec"]["rules"]
        for path in rule["http"]["paths"]
    }
    logged = {
        path["path"]
        for one in of("Ingress").values()
        for rule in one["spec"]["rules"]
        for path in rule["http"]["paths"]
        if one["metadata"]["annotations"].get("nginx.ingress.kubernetes.io/enable-access-log") != "false"
    }
    calls = {"/v1/games/", "/v1/me", "/v1/tokens", "/openapi.json"}
    assert logged == {"/v1/hooks/", *calls}
    boards = next(path for path in paths if "/board/" in path)
    assert paths == {
        "/v1/hooks/": ("hooks", None),
        "/hexpost/files/([0-9a-f]+)$": ("web", PATH + "$1"),
        boards: ("web", BOARD_PATH + "$1"),
    } | dict.fromkeys(calls, ("api", None))
    for name in ("0a" * 20, f"{'0a' * 20}.png", f"{'0a' * 20}.json", "board.js", "board.css"):
        assert re.match(boards, f"/hexpost{BOARD_PATH}{name}")[1] == name
    assert not re.match(boards, f"/hexpost{BOARD_PATH}board.py")
    base = urlsplit(environment(OWN["web/web"][1])["HEXPOST_LINK_BASE"])
    assert re.match(next(path for path in paths if "files" in path), f"{base.path}{PATH}{'0a' * 20}")
    assert {rule["host"] for one in of("Ingress").values() for rule in one["spec"]["rules"]} == {base.hostname}


def test_the_upgrade_is_a_command_in_a_pod_like_the_others(secrets: Path) -> None:
    (job,) = documents("kubernetes/upgrade.yaml")
    (container,) = job["spec"]["template"]["spec"]["containers"]
    worker = OWN["worker/worker"][1]
    assert has_command(container["args"])
    assert container["image"] == OURS
    assert (container["envFrom"], container["securityContext"]) == (worker["envFrom"], worker["securityContext"])
    assert job["spec"]["template"]["spec"]["securityContext"] == PODS["worker"]["spec"]["securityContext"]
    assert job["spec"]["template"]["spec"]["volumes"] == PODS["worker"]["spec"]["volumes"]
    assert settings_of(environment(container), SECRETS, secrets).database.startswith("postgresql+psycopg://hexpost:drawn-")
    assert job["spec"]["backoffLimit"] == 0  # half an upgrade is looked at, not tried again


def test_the_queue_keeps_what_it_is_given() -> None:
    container = CONTAINERS["valkey/valkey"][1]
    assert container["args"][container["args"].index("--maxmemory-policy") + 1] == "noeviction"
    assert container["args"][container["args"].index("--appendonly") + 1] == "yes"
    env = {one["name"]: one["value"] for one in CONTAINERS["postgres/postgres"][1]["env"]}
    database = urlsplit(of("ConfigMap")["hexpost"]["data"]["HEXPOST_DATABASE"])
    assert (env["POSTGRES_USER"], "/" + env["POSTGRES_DB"]) == (database.username, database.path)
