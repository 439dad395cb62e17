"""Alert rules and dashboard: every figure in them is one that ``/metrics`` shows, with these labels, and every alert is explained."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.architecture.sources import ROOT
from tests.deploy.reading import DEPLOY, documents
from worker.config import Config
from worker.hosting.metrics import Counts, make_app
from worker.store.database import open_database

(RULES,) = documents("monitoring/alerts.yaml")
ALERTS: list[Any] = [rule for group in RULES["groups"] for rule in group["rules"]]
PANELS: list[Any] = json.loads((DEPLOY / "monitoring/dashboard.json").read_text())["panels"]
EXPRESSIONS = [one["expr"] for one in ALERTS] + [target["expr"] for panel in PANELS for target in panel["targets"]]
OF_PROMETHEUS = frozenset(("job", "le"))


class Queue:
    """A Redis in which something of everything is."""

    def hgetall(self, key: str) -> dict[bytes, bytes]:
        if key == "hexpost:looked":
            return {b"x at imaps://y": b"2026-03-27T20:14:09+00:00"}
        return {b"swept": b"2026-03-27T20:14:09+00:00", b"failed:drain": b"1"}

    def llen(self, key: str) -> int:
        return 0


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The names of the samples that are shown, and their labels."""
    engine = open_database(f"sqlite:///{tmp_path_factory.mktemp('shown')}/journal.db")
    queue: Any = Queue()
    counts = Counts(Config(), engine, queue, lambda: "2026-03-27T20:14:09+00:00")
    text = make_app(counts).test_client().get("/metrics").text
    found: dict[str, set[str]] = {"up": {"job"}}
    for family in text_string_to_metric_families(text):
        for one in family.samples:
            found.setdefault(one.name, set()).update(one.labels)
    engine.dispose()
    # Of these an empty installation has none, and they are there once something is.
    return found | {"hexpost_outbox": {"status"}, "hexpost_packets": {"status"}}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_is_asked_for_is_shown(expression: str, shown: dict[str, set[str]]) -> None:
    names = re.findall(r"\b(hexpost_\w+|up)\b(?:\{([^}]*)\})?", expression)
    assert names
    for name, labels in names:
        assert name in shown, name
        assert set(re.findall(r"(\w+)=", labels)) <= shown[name] | OF_PROMETHEUS
    for grouped in re.findall(r"\bby \(([^)]*)\)", expression):
        assert all({one.strip()} <= {label for name, _ in names for label in shown[name]} for one in grouped.split(","))


def test_every_alert_says_what_is_wrong_and_the_page_what_to_do() -> None:
    page = (ROOT / "docs/hosting/monitoring.md").read_text(encoding="utf-8")
    named = [one["alert"] for one in ALERTS]
    assert len(set(named)) == len(named)
    assert re.findall(r"(?m)^\| `(Hexpost\w+)` \|", page) == named
    for one in ALERTS:
        assert one["labels"]["severity"] in ("page", "warn")
        assert (
            one["annotations"]["summary"].endswith(".")
            or one["annotations"]["summary"].endswith("?")
            or "`" not in one["annotations"]["summary"]
        )
        assert re.fullmatch(r"\d+[mh]", one["for"])


def test_labels_in_the_words_of_an_alert_are_there(shown: dict[str, set[str]]) -> None:
    for one in ALERTS:
        spoken = set(re.findall(r"\$labels\.(\w+)", one["annotations"]["summary"]))
        names = re.findall(r"\bhexpost_\w+\b", one["expr"])
        assert spoken <= {label for name in names for label in shown[name]}, one["alert"]


def test_the_dashboard_overlaps_nowhere_and_reads_one_source() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in PANELS:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert max(x for x, _ in cells) < 24
        assert not cells & taken, panel["title"]
        taken |= cells
        assert panel["datasource"]["uid"] == "${source}"
    assert [panel["id"] for panel in PANELS] == list(range(1, len(PANELS) + 1))


def test_prometheus_is_told_of_the_rules_and_of_the_address_in_the_example() -> None:
    (found,) = documents("monitoring/prometheus.yaml")
    assert all((DEPLOY / "monitoring" / one).exists() for one in found["rule_files"])
    (target,) = found["scrape_configs"][0]["static_configs"][0]["targets"]
    assert f'"{target}"' in (DEPLOY / "hexpost.toml.example").read_text()
    assert found["scrape_configs"][0]["job_name"] == "hexpost"  # by which an alert asks for it


@pytest.mark.skipif(shutil.which("promtool") is None, reason="Prometheus is not here")
def test_prometheus_reads_the_rules() -> None:
    done = subprocess.run(
        ["promtool", "check", "rules", str(DEPLOY / "monitoring/alerts.yaml")], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
