"""The module of a game: board, pieces, charts and set-ups in one file, and the version that its content gives it."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass

from scenarios.data import GameData
from services.render.board.art import sheet_of
from services.render.vassal.buildfile import HELP, build_file, setup_file
from services.render.vassal.charts import charts, help_page
from services.render.vassal.codec import Stamp, plain
from services.render.vassal.kit import Kit, make_kit
from services.render.vassal.position import position
from services.render.vassal.setups import setup

KEPT = 4
"""So many modules are kept between calls."""
_UNVERSIONED = "0"
_OPEN = bytes(32)
"""The secret of set-ups, which hide nothing."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module with what saves and logs need of it."""

    kit: Kit
    stamp: Stamp
    content: bytes


def module(data: GameData, theme: str = "light") -> bytes:
    """The ``.vmod`` of a game, for all its scenarios and sides. Equal arguments give equal bytes.

    ValueError if the map is too large or cannot be numbered as printed; KeyError if the game has no such theme.
    """
    return built(data, theme).content


def module_version(data: GameData, theme: str = "light") -> str:
    """The version of a game's module, which changes with anything in it. Errors as ``module``."""
    return built(data, theme).stamp.version


_lock = threading.Lock()
_kept: OrderedDict[tuple[str, str], Module] = OrderedDict()


def built(data: GameData, theme: str) -> Module:
    """The module of a game, kept between calls. Errors as ``module``."""
    sheet = sheet_of(data, theme)
    key = (data.digest, sheet.digest)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    made = build(make_kit(data, sheet))
    with _lock:
        _kept[key] = made
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return made


def build(kit: Kit) -> Module:
    """The module of a kit."""
    data, name = kit.data, plain(kit.data.title)
    pictures = {f"images/{file}": content for file, content in kit.images.items()}
    shown = []
    for k, (title, content) in enumerate(charts(data, kit.sheet)):
        pictures[f"images/chart-{k + 1}.png"] = content
        shown.append((title, f"chart-{k + 1}.png"))
    setups = {key: position(kit, setup(data, kit.sheet, key), _OPEN) for key in data.scenarios}
    page = help_page(kit).encode()
    digest = hashlib.sha256()
    for part in (
        *(file.encode() + content for file, content in pictures.items()),
        page,
        build_file(kit, Stamp(name, _UNVERSIONED), shown).encode(),
    ):
        digest.update(hashlib.sha256(part).digest())
    digest.update(repr(setups).encode())
    stamp = Stamp(name, f"1.0-{digest.hexdigest()[:12]}")
    entries = {
        "buildFile.xml": build_file(kit, stamp, shown).encode(),
        "moduledata": stamp.metadata(f"{data.title}, for play by mail", named=True),
        HELP: page,
        **{setup_file(key): stamp.saved(commands, f"{data.title}, {data.scenarios[key].title}") for key, commands in setups.items()},
        **pictures,
    }
    return Module(kit, stamp, stamp.archive(entries))
