"""The pictures and files for VASSAL of a site. Each is drawn once: a list tells from what, and only what has changed is drawn again."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

from PIL import Image

from worker import local
from worker.canonical import Json, canonical, decode, digest
from worker.play.pictures import board_of, read_picture
from worker.play.vassal import module_version, without_events
from worker.ports import Render
from worker.site.told import Told

MARK = ".hexpost-archive"
"""The list, in the site's folder: by name, the digest of what a file was made from."""
WHOLE, PART, MOVING = 2400, 1200, 600
"""Longer sides, in pixels: of the map; of all other pictures; of those that move."""
SIDES = 1600
FRAME = 900
"""Milliseconds for which the moving map of the campaign shows a game-turn."""
VASSAL = (".vsav", ".vlog", ".vmod")
MOST_HANDS = 8


@dataclass(frozen=True, slots=True)
class Job:
    """A file to be made: its name in the site, the call of the render service, and what it takes."""

    name: str
    call: str
    body: Json

    @property
    def digest(self) -> str:
        """Of all that the file comes from."""
        return digest(canonical([version("hexpost"), self.call, self.body]))


def jobs_of(told: Told, scenario: str, key: str) -> list[Job]:
    """The files of a game-turn. ``key``: of the campaign: the ids of pieces in VASSAL come from it, and from nothing secret."""
    base, moving = {"scenario": scenario, "view": told.view}, {"before": told.before, "crop": "front"}
    found = [Job(f"pictures/{told.stem}-map.webp", "map", base | {"scale": WHOLE})]
    if board_of(told.before) != board_of(told.view):
        found.append(Job(f"pictures/{told.stem}-front.webp", "map", base | {"scale": PART, "crop": "front"}))
        found.append(Job(f"pictures/{told.stem}-change.webp", "compare", base | moving | {"scale": PART}))
        found.append(Job(f"pictures/{told.stem}-turn.webp", "animate", base | moving | {"scale": MOVING, "format": "webp"}))
    for side, (_, after) in told.by_side.items():
        found.append(Job(f"pictures/{told.stem}-{side}.webp", "map", {"scenario": scenario, "view": after, "scale": SIDES}))
    secret = {"secret": digest(canonical(["archive", key]))}
    found.append(Job(f"files/{told.stem}.vsav", "save", base | secret | {"view": without_events(told.view)}))
    if told.view["events"]:
        found.append(Job(f"files/{told.stem}.vlog", "log", base | secret | {"before": told.before}))
    return found


def make(folder: Path, jobs: Sequence[Job], render: Render | None, say: Callable[[str], None]) -> int:
    """Make what is not there yet or has changed, and forget what is no more; how many files were made. ``render``: draws here; None:
    processes do, one a core. Raises what the service raises.
    """
    for name in ("pictures", "files"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    known = _known(folder)
    wanted = {job.name: job.digest for job in jobs}
    new = [job for job in jobs if known.get(job.name) != wanted[job.name] or not (folder / job.name).is_file()]
    done = {name: one for name, one in wanted.items() if name not in {job.name for job in new}}
    for number, job in enumerate(_made(folder, new, render), start=1):
        done[job.name] = wanted[job.name]
        if number % 25 == 0:
            say(f"{number} of {len(new)} pictures and files ...")
            _keep(folder, known | done)
    _keep(folder, done)
    return len(new)


def sweep(folder: Path, wanted: Iterable[str]) -> None:
    """Take away the files of earlier times that the site has no more."""
    keep = set(wanted)
    for where in ("pictures", "files"):
        for path in (folder / where).iterdir():
            if f"{where}/{path.name}" not in keep:
                path.unlink()


def _made(folder: Path, jobs: Sequence[Job], render: Render | None) -> Iterable[Job]:
    hands = min(os.cpu_count() or 1, MOST_HANDS, len(jobs))
    if render is not None or hands < 2:
        here = render or (local.local_render() if jobs else None)
        for job in jobs:
            assert here is not None
            _write(folder / job.name, _drawn(here, job))
            yield job
        return
    with ProcessPoolExecutor(hands, get_context("spawn"), _begin) as pool:
        for job, data in zip(jobs, pool.map(_in_process, jobs), strict=True):
            _write(folder / job.name, data)
            yield job


_renders: list[Render] = []


def _begin() -> None:
    _renders.append(local.local_render())


def _in_process(job: Job) -> bytes:
    return _drawn(_renders[0], job)


def _drawn(render: Render, job: Job) -> bytes:
    calls: dict[str, Callable[[Json], bytes]] = {"map": render.map, "compare": render.compare, "animate": render.animate}
    calls |= {"save": render.save, "log": render.log, "module": render.module}
    data = calls[job.call](job.body)
    if job.name.endswith(VASSAL):
        module = data if job.call == "module" else b""
        if module:
            module_version(module)
        return data
    picture = read_picture(job.call, job.name, data)
    return data if picture.mime == "image/webp" else _webp(data)


def _webp(data: bytes) -> bytes:
    """A picture without loss in a third less room than PNG."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        image.convert("RGB").save(out, "WEBP", lossless=True, quality=50, method=1)
    return out.getvalue()


def moving_map(folder: Path, maps: Sequence[str]) -> bytes:
    """The maps of all game-turns, one after the other."""
    frames = []
    for name in maps:
        with Image.open(folder / name) as image:
            small = image.convert("RGB")
            small.thumbnail((MOVING, MOVING))
            frames.append(small)
    out = io.BytesIO()
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:], duration=FRAME, loop=0, quality=70, method=2)
    return out.getvalue()


def size_of(path: Path) -> tuple[int, int]:
    """Width and height of a picture of the site."""
    with Image.open(path) as image:
        return image.size


def _write(path: Path, data: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(data)
    os.replace(draft, path)


def _known(folder: Path) -> dict[str, str]:
    try:
        found = decode((folder / MARK).read_bytes())
    except (OSError, ValueError):
        return {}
    return {str(name): str(one) for name, one in found.items()} if isinstance(found, dict) else {}


def _keep(folder: Path, known: dict[str, str]) -> None:
    _write(folder / MARK, canonical(known) + b"\n")
