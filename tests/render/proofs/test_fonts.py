"""The fonts are ours: nothing of the machine's is used, and they hold all letters that docs/scenario-authors.md promises."""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from scenarios.data import HexFeature
from scenarios.hexes import parse_hex
from scenarios.loader import load_games
from services.render.app import create_app
from services.render.config import Config
from services.render.draw import lettering
from services.render.draw.lettering import FACES, font
from services.render.turn_map import render_map
from tests.architecture.sources import ROOT, inside, tree
from tests.render.boards import block, holdfast, islands, own, view, wire

SCRIPTS = {"Latin": (0x21, 0x17F), "Greek": (0x386, 0x3CE), "Cyrillic": (0x401, 0x45F)}
"""What is promised: these letters in each face, but for the small sigma at a word's end, which small capitals have not."""
NAMES = ("Łódź", "Bir el Gubí", "Béja", "Öasis", "Бир-Хакейм", "Αλαμέιν", "Ţārgu")


@cache
def drawn(face: str, letter: str) -> bytes:
    return bytes(font(face, 40).getmask(letter))


def has(face: str, letter: str) -> bool:
    """Whether a face has a letter of its own, and not the box that stands for all that it has not."""
    return any(drawn(face, letter)) and drawn(face, letter) != drawn(face, "\U0010fffe")


def test_a_letter_that_no_face_has_is_known_by_its_box() -> None:
    for face in FACES:
        assert not has(face, "中")
        assert has(face, "A")


@pytest.mark.bug("R01")
@pytest.mark.parametrize("script", SCRIPTS)
def test_each_face_has_the_letters_of_the_scripts_that_are_promised(script: str) -> None:
    first, last = SCRIPTS[script]
    letters = [chr(code) for code in range(first, last + 1) if unicodedata.category(chr(code)) in ("Lu", "Ll")]
    assert len(letters) >= 24
    for face in FACES:
        assert [letter for letter in letters if not has(face, letter)] == (["ς"] if face == "title" and "ς" in letters else [])


@pytest.mark.bug("R01")
def test_a_name_in_any_of_them_is_written_without_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, str]] = []
    real = lettering.mask

    def spy(text: str, face: str, *rest: int) -> object:
        written.append((text, face))
        return real(text, face, *rest)

    monkeypatch.setattr(lettering, "mask", spy)
    for k, name in enumerate(NAMES):
        at = parse_hex("0405")
        board = replace(islands(), features={at: (HexFeature(at, "village", name),)}, names={})
        game = replace(holdfast(), board=board, digest=f"name {k}")
        render_map(game, view([own("21PZ", "0605")]), scale=800)
        faces = {face for text, face in written if name.casefold() in text.casefold()}
        assert faces, name
        assert all(has(face, letter) for face in faces for letter in name.replace(" ", "")), name


def texts() -> Iterator[tuple[str, str]]:
    """(where, text) of whatever the pictures may say: code, style sheets, samples, and the packages' names."""
    for path in inside("services"):
        if path.is_relative_to(ROOT / "services/render"):
            docs = {id(node.value) for node in ast.walk(tree(path)) if isinstance(node, ast.Expr)}
            yield from ((path.name, str(n.value)) for n in _strings(tree(path)) if id(n) not in docs)
    for path in inside("services", suffix=".toml"):
        if path.is_relative_to(ROOT / "services/render"):
            yield from ((str(path), text) for text in _values(tomllib.loads(path.read_text(encoding="utf-8"))))
    for key, data in load_games().items():
        yield from ((key, text) for text in (data.title, *data.board.names, *(card.name for card in data.cards.values())))
        yield from ((key, one.name) for found in data.board.features.values() for one in found)


def _strings(module: ast.Module) -> Iterator[ast.Constant]:
    return (node for node in ast.walk(module) if isinstance(node, ast.Constant) and isinstance(node.value, str))


def _values(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from _values(one)
    elif isinstance(value, list):
        for one in value:
            yield from _values(one)
    elif isinstance(value, str):
        yield value


@pytest.mark.bug("R01")
def test_each_character_that_pictures_may_say_is_in_every_face() -> None:
    missing = {
        (where, letter)
        for where, text in texts()
        for letter in text
        if letter.isprintable() and letter != " " and not all(has(face, letter) for face in FACES)
    }
    assert missing == set()


ALONE = """
import hashlib, json, sys
from pathlib import Path
import services.render
ours = Path(services.render.__file__).parent / "fonts"

def look(event, found):
    if event == "open" and isinstance(found[0], str) and found[0].lower().endswith((".ttf", ".otf", ".ttc", ".pfb", ".pcf", ".pil")):
        if Path(found[0]).parent != ours:
            raise SystemExit(f"a font of the machine: {found[0]}")
    if event == "subprocess.Popen":
        raise SystemExit(f"a program is asked: {found}")

sys.addaudithook(look)
from scenarios.loader import load_games
from services.render.turn_map import render_map
from services.render.views import read_view
print(hashlib.sha256(render_map(load_games()["holdfast"], read_view(json.load(sys.stdin)), scale=800)).hexdigest())
"""


@pytest.mark.bug("R01")
def test_with_no_font_on_the_machine_the_picture_is_the_same(tmp_path: Path) -> None:
    raw = wire([own("21PZ", "0310"), own("ARIETE", "0310", alias="X2"), block("V4", "1803")])
    bare = {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_DATA_DIRS": str(tmp_path),
        "FONTCONFIG_FILE": str(tmp_path / "none"),
    }
    done = subprocess.run(
        [sys.executable, "-c", ALONE], input=json.dumps(raw), capture_output=True, text=True, cwd=ROOT, env=bare, timeout=50, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == hashlib.sha256(render_map(holdfast(), view(raw["counters"]), scale=800)).hexdigest()


@pytest.mark.bug("R01")
@pytest.mark.parametrize("name", sorted(FACES.values()))
def test_a_font_that_is_missing_is_named_at_the_start(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fonts").mkdir()
    for other in set(FACES.values()) - {name}:
        (tmp_path / "fonts" / other).symlink_to(Path(lettering.__file__).parent.parent / "fonts" / other)
    monkeypatch.setattr(lettering, "files", lambda _: tmp_path)
    lettering._file.cache_clear()
    lettering.font.cache_clear()
    try:
        with pytest.raises(ValueError, match=f"font {name}: "):
            create_app(Config(), {})
    finally:
        lettering._file.cache_clear()
        lettering.font.cache_clear()
