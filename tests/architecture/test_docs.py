"""The documents agree with the repository: links lead somewhere, each dependency has its reason, decisions are numbered."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

from tests.architecture.sources import ROOT, files, name
from worker.config import Config

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def documents() -> list[Path]:
    return [path for path in files() if path.suffix == ".md"]


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.+)$", FENCE.sub("", path.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def test_links_between_documents_lead_somewhere() -> None:
    dead = []
    for path in documents():
        for target in LINK.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:", target):
                continue
            place, _, anchor = target.partition("#")
            file = (path.parent / place).resolve() if place else path
            if not file.exists() or (anchor and anchor not in anchors(file)):
                dead.append(f"{name(path)}: {target}")
    assert dead == []


def test_links_stay_inside_the_repository() -> None:
    outside = [
        f"{name(path)}: {target}"
        for path in documents()
        for target in LINK.findall(path.read_text(encoding="utf-8"))
        if not re.match(r"[a-z]+:|#", target) and not (path.parent / target.partition("#")[0]).resolve().is_relative_to(ROOT)
    ]
    assert outside == []


def test_each_dependency_has_its_reason_and_no_reason_is_left_over() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *(p for group in project["dependency-groups"].values() for p in group)]
    declared = {re.split(r"[\[<>=; ]", requirement)[0].lower() for requirement in wanted}
    reasons = dict(re.findall(r"^\| `([a-z0-9._-]+)` \| (.+?) \|", (ROOT / "docs/dependencies.md").read_text(encoding="utf-8"), re.M))
    assert declared - set(reasons) == set(), "no row in docs/dependencies.md"
    assert set(reasons) - declared == set(), "in docs/dependencies.md, but not in pyproject.toml"


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs/decisions").glob("*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


def test_commands_of_the_readme_exist_and_can_be_run() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("demo", "test"):
        assert f"./{command}" in readme
        assert (ROOT / command).stat().st_mode & 0o111, f"./{command} cannot be run"


def test_the_example_of_settings_names_each_setting_with_its_default() -> None:
    example = tomllib.loads((ROOT / "deploy/hexpost.toml.example").read_text(encoding="utf-8"))
    defaults = {field.name: str(value) if isinstance(value := getattr(Config(), field.name), Path) else value for field in fields(Config)}
    assert example == defaults
