"""The players' pages show real mails: each page is a game that is played as one reads, and its answers are what the game sends.

A fence ``orders axis`` is a mail of that side, in the order of the page; a fence ``answer axis`` holds the named sections of the last mail
that this side got: ``subject``, ``top``, ``faults``, ``orders``, ``understood``, ``decisions``, ``figures``, ``happened``, ``position``,
``how``, ``template``, ``left-out``; ``answers``: those to commands, or what somebody else's command led to. A page plays the game of the
demo, or the one that its comment ``<!-- game: beda-fomm/historical -->`` names, with options behind it.
``python -m tests.players.pages [page ...]`` plays the pages and writes the answers anew.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from services.mail.wording import load_wording
from tests.architecture.sources import ROOT
from tests.worker.whole import Table
from worker.canonical import Json
from worker.desk.demo_script import SCENARIO
from worker.desk.study import read_options
from worker.post.postbox import parts

FOLDER = ROOT / "docs/players"
FENCE = re.compile(r"^```(orders|answer) (axis|allied|italian|british)([a-z -]*)\n(.*?)^```$", re.M | re.S)
GAME = re.compile(r"^<!-- game: ([a-z0-9/-]+)((?: [a-z_]+=[a-z0-9]+)*) -->$", re.M)
_LABELS = load_wording("en", "holdfast").common["labels"]
SECTIONS = {
    "faults": _LABELS["faults"],
    "orders": _LABELS["your_orders"],
    "understood": _LABELS["understood"],
    "decisions": _LABELS["decisions"],
    "figures": _LABELS["figures"],
    "happened": _LABELS["happened"],
    "position": _LABELS["position"],
    "how": _LABELS["how"],
    "template": _LABELS["template"],
    "left-out": _LABELS["left_out"],
}


@dataclass(frozen=True)
class Answer:
    """An answer as a page shows it and as the game gives it."""

    where: str
    shown: str
    given: str


def pages() -> list[Path]:
    """The pages that show a game."""
    return [path for path in sorted(FOLDER.glob("*.md")) if FENCE.search(path.read_text(encoding="utf-8"))]


def game_of(text: str) -> str:
    """The scenario that a page plays."""
    named = GAME.search(text)
    return named[1] if named else SCENARIO


def options_of(text: str) -> dict[str, Json]:
    """The options that a page plays with."""
    named = GAME.search(text)
    return read_options(tuple(named[2].split())) if named else {}


def answers(page: Path, folder: Path) -> Iterator[Answer]:
    """Play a page in ``folder``; each of its answers in order."""
    words = page.read_text(encoding="utf-8")
    addresses = {side: f"{side}@player.example" for side in dict.fromkeys(fence[2] for fence in FENCE.finditer(words))}
    table = Table(folder, animation="off", scenario=game_of(words), addresses=addresses, options=options_of(words))
    try:
        for number, fence in enumerate(FENCE.finditer(words), 1):
            kind, side, wanted, text = fence.groups()
            if kind == "orders":
                table.play(number, side, text.rstrip("\n"))
                continue
            mail = table.mails_to(side)[-1]
            given = "\n\n".join(_sections(str(mail["Subject"]), str(parts(mail)[0]), wanted.split())) + "\n"
            yield Answer(f"{page.name}, fence {number}", text, given)
    finally:
        table.journal.engine.dispose()


def _sections(subject: str, text: str, wanted: list[str]) -> Iterator[str]:
    headings = {label.upper(): name for name, label in SECTIONS.items()} | {
        _LABELS["would_happen"].upper(): "happened",
        _LABELS["over"].upper(): "how",
    }
    found: dict[str, list[str]] = {"top": []}
    now = "top"
    for line in text.replace("\r\n", "\n").split("\n"):
        now = headings.get(line, now)
        found.setdefault(now, []).append(line.rstrip())
    for name in wanted:
        if name == "subject":
            yield f"Subject: {subject}"
        elif name == "answers":
            yield "\n".join(_answers(found["top"])).strip("\n")
        elif name in found:  # an answer need not have every section
            yield "\n".join(found[name]).strip("\n")


def _answers(top: list[str]) -> Iterator[str]:
    """What stands below the head of a mail, which ends with who is awaited."""
    awaited = next(at for at, line in enumerate(top) if line.startswith(f"{_LABELS['awaited']}:"))
    yield from top[next(at for at, line in enumerate(top) if at > awaited and not line) :]


def rewrite(page: Path) -> None:
    """Write a page's answers as the game gives them."""
    with TemporaryDirectory() as folder:
        given = [answer.given for answer in answers(page, Path(folder))]
    fresh = iter(given)

    def filled(fence: re.Match[str]) -> str:
        kind, side, words, text = fence.groups()
        return f"```{kind} {side}{words}\n{next(fresh) if kind == 'answer' else text}```"

    page.write_text(FENCE.sub(filled, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for path in pages():
        if path.stem in sys.argv[1:] or len(sys.argv) == 1:
            rewrite(path)
