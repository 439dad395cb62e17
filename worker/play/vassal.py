"""The files for VASSAL of a mail: the position as a save, what happened as a log, and the game's module where the addressee has it not yet.

All are made from what the addressee may see; for who watches, from what both sides may. A module is kept in the folder ``vassal`` of
``home``; an operator can put it on the net.
"""

from __future__ import annotations

import base64
import io
import logging
import os
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from worker.canonical import Json
from worker.play.pictures import WITH_NEWS, try_again_or_leave_out
from worker.ports import Ports, Render, ServiceDown, ServiceFailed, ServiceRefused
from worker.post.links import Large
from worker.post.outgoing import sync_folder, write_durably
from worker.store.outbox import Outbox
from worker.store.records import Game, Outgoing, viewer

log = logging.getLogger("hexpost.vassal")
FOLDER = "vassal"
MIME = "application/octet-stream"
"""Not the type of a ZIP archive: some programs unpack what bears it."""
_VERSION = re.compile(r"[0-9A-Za-z.-]{1,40}\Z")


@dataclass(frozen=True, slots=True)
class File:
    """A file for VASSAL. ``kind``: save, log, module; or module_elsewhere, which is named and not enclosed (then ``url``, if it has one).

    ``module``: the name of the module that a save opens with.
    """

    kind: str
    name: str
    data: bytes
    module: str = ""
    url: str = ""

    def described(self) -> Json:
        """What the wording of a mail must know of it."""
        return {"kind": self.kind, "name": self.name, "module": self.module, "url": self.url}

    def enclosed(self) -> Json:
        """What goes into the mail."""
        return {"name": self.name, "mime": MIME, "data": base64.b64encode(self.data).decode()}


@dataclass(frozen=True, slots=True)
class Enclosures:
    """The files of one mail. ``module``: the version of the module that the mail brings or names; ``failed``: they could not be made;
    ``large``: those without room, where the mail is to link to them.
    """

    files: tuple[File, ...] = ()
    module: str = ""
    failed: bool = False
    large: tuple[Large, ...] = ()

    @property
    def enclosed(self) -> list[Json]:
        """What goes into the mail."""
        return [one.enclosed() for one in self.files if one.kind != "module_elsewhere"]


def enclosures(ports: Ports, outbox: Outbox, game: Game, waiting: Outgoing, seen: Json) -> Enclosures:
    """The files of a mail. ``seen``: the view of its side, with the events that it tells. Raises ServiceDown where they are to be tried
    again; where that was too often, there are none.
    """
    wanted = waiting.data["kind"] in WITH_NEWS and waiting.data["facts"].get("news")
    if not ports.config.vassal or not wanted:
        return Enclosures()
    try:
        return _made(ports, outbox, game, waiting, seen)
    except (ServiceDown, ServiceFailed, ServiceRefused) as error:
        try_again_or_leave_out(ports, outbox, waiting, "file for VASSAL", error)
        return Enclosures(failed=True)


def _made(ports: Ports, outbox: Outbox, game: Game, waiting: Outgoing, seen: Json) -> Enclosures:
    """Save, log and module, each if it has room beside those before it; a module without room is named."""
    theme = ports.journal.theme(game.id, str(waiting.side)) or ports.config.theme
    at = waiting.data["at"]
    state, _ = ports.journal.state(game.id, at)
    body = {"scenario": game.scenario, "view": without_events(seen), "theme": theme, "secret": state["hidden"]}
    name = f"{game.id}-t{waiting.data['turn']:02d}-{waiting.side}-{at:04d}"
    save = ports.render.save(body)
    version = module_version(save)
    module = f"{game.rules}-{version}.vmod"
    files = [File("save", f"{name}.vsav", save, module)]
    before = _before(ports, game, waiting, seen)
    if before is not None:
        files.append(File("log", f"{name}.vlog", ports.render.log(body | {"view": seen, "before": before})))
    new = version != outbox.module(waiting)
    if new:
        files.append(File("module", module, kept_module(ports.config.home / FOLDER, module, ports.render, game.scenario, theme)))
    large: list[Large] = []
    return Enclosures(tuple(_with_room(ports, waiting, files, large)), version if new else "", large=tuple(large))


def _with_room(ports: Ports, waiting: Outgoing, files: list[File], large: list[Large]) -> list[File]:
    left, found = ports.config.vassal, []
    for one in files:
        if len(one.data) <= left:
            left -= len(one.data)
            found.append(one)
            continue
        log.info("mail %s of %s has no room for its %s of %d bytes", waiting.key, waiting.game, one.kind, len(one.data))
        if ports.config.link_base:
            large.append(Large(one.kind, one.name, MIME, one.data))
        elif one.kind == "module":
            base = ports.config.vassal_url.rstrip("/")
            found.append(File("module_elsewhere", one.name, b"", url=f"{base}/{one.name}" if base else ""))
    return found


def _before(ports: Ports, game: Game, waiting: Outgoing, seen: Json) -> Json | None:
    """What the side saw before the events that it is told of; None where there are none."""
    after, at = waiting.data["after"], waiting.data["at"]
    if not 0 <= after < at or not seen.get("events"):
        return None
    return ports.rules.view(ports.journal.state(game.id, after)[0], viewer(waiting.side))


def without_events(seen: Json) -> Json:
    """A view as a position alone."""
    return {key: value for key, value in seen.items() if key != "events"}


def kept_module(folder: Path, name: str, render: Render, scenario: str, theme: str) -> bytes:
    """A game's module from the folder where it is kept; made and put there if it is not. ``name``: of its file, which names its version.

    ServiceFailed if the module is of another version than the saves.
    """
    path = folder / name
    if path.is_file():
        return path.read_bytes()
    data = render.module({"scenario": scenario, "theme": theme})
    if not name.endswith(f"-{module_version(data)}.vmod"):
        raise ServiceFailed(f"The render service made module {module_version(data)} for saves of {name}.")
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{name}.{os.getpid()}"
    write_durably(draft, data)
    os.replace(draft, path)  # whole or not at all
    sync_folder(folder)
    return data


def module_version(data: bytes) -> str:
    """The version of the module that a file for VASSAL belongs to. ServiceFailed if it names none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = ElementTree.fromstring(archive.read("moduledata")).findtext("version") or ""
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, NotImplementedError, ValueError) as error:
        raise ServiceFailed(f"What the render service sent is no file for VASSAL ({type(error).__name__}).") from None
    if not _VERSION.match(found):
        raise ServiceFailed(f"What the render service sent names no version of its module: {found[:40]!r}.")
    return found
