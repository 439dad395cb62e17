"""VASSAL files: a module from nothing, a save and a log with the module at hand, and how large they are."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scenarios.loader import load_games
from services.render.board.art import sheet_of
from services.render.vassal import log, module, save
from services.render.vassal.kit import make_kit
from services.render.vassal.module import build
from services.render.views import View
from tests.bench.harness import Bench
from tests.render.positions import position

SECRET = "5a" * 32


def benches() -> list[Bench]:
    """The fullest game-turns of self-played games."""
    before, after = position("turn-19-axis"), position("turn-20-axis")
    crowded = position("beda-fomm-turn-12-british")
    return [*_of("holdfast", before, after), *_of("beda-fomm", msgspec.structs.replace(crowded, events=[]), crowded)]


def _of(game: str, before: View, after: View) -> Iterator[Bench]:
    data = load_games()[game]
    yield Bench(f"VASSAL module, {game}, from nothing", 3000, "ms", lambda: build(make_kit(data, sheet_of(data, "light"))), repeat=3)
    yield Bench(f"VASSAL module, {game}, as a file", 10_000, "kB", lambda: len(module(data)) / 1000, repeat=1)
    yield Bench(f"VASSAL save, {game}, {len(after.counters)} counters", 50, "ms", lambda: save(data, after, secret=SECRET))
    yield Bench(f"VASSAL log, {game}, {len(after.events)} events", 150, "ms", lambda: log(data, before, after, secret=SECRET))
