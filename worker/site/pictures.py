"""The pictures and files for VASSAL of a site. Each is drawn once: a list tells from what, and only what has changed is drawn again."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path

from PIL import Image

from worker import local
from worker.canonical import Json, canonical, decode, digest
from worker.play.pictures import board_of, read_picture
from worker.play.vassal import module_version, without_events
from worker.ports import Render
from worker.site.plan import MOVING, PROBE, Plan, room_for_dark
from worker.site.told import Told

MARK = ".hexpost-archive"
"""The list, in the site's folder: by name, the digest of what a file was made from."""
FRAMES = 30
"""Pictures that a game-turn in motion may have."""
FRAME = 900
"""Milliseconds for which the moving map of the campaign shows a game-turn."""
PAGE = re.compile(r"(b[0-9]+-)?t[0-9]+\.html\Z")
"""The names of the pages of game-turns."""
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


def plan_of(told: Sequence[Told], scenario: str, turns: int, render: Render | None) -> Plan:
    """The plan of a campaign of so many game-turns. Its first map is drawn for it."""
    drawn = (render or local.local_render()).map({"scenario": scenario, "view": told[0].view, "scale": PROBE})
    return Plan.of(max(turns, len(told)), len(_webp(drawn)), max(len(one.by_side) for one in told))


def jobs_of(told: Told, scenario: str, key: str, plan: Plan) -> list[Job]:
    """The files of a game-turn. ``key``: of the campaign: the ids of pieces in VASSAL come from it, and from nothing secret."""
    base, moving = {"scenario": scenario, "view": told.view}, {"before": told.before, "crop": "front"}
    found = [Job(f"pictures/{told.stem}-map.webp", "map", base | {"scale": plan.whole})]
    if told.turn.given_up:
        return found
    if board_of(told.before) != board_of(told.view):
        found.append(Job(f"pictures/{told.stem}-front.webp", "map", base | {"scale": plan.part, "crop": "front"}))
        found.append(Job(f"pictures/{told.stem}-change.webp", "compare", base | moving | {"scale": plan.part}))
        if plan.motion:
            how = {"scale": MOVING, "format": "webp", "frames": FRAMES, "limit": plan.motion}
            found.append(Job(f"pictures/{told.stem}-turn.webp", "animate", base | moving | how))
    for side, (_, after) in told.by_side.items():
        found.append(Job(f"pictures/{told.stem}-{side}.webp", "map", {"scenario": scenario, "view": after, "scale": plan.sides}))
    secret = {"secret": digest(canonical(["archive", key]))}
    found.append(Job(f"files/{told.stem}.vsav", "save", base | secret | {"view": without_events(told.view)}))
    if told.view["events"]:
        found.append(Job(f"files/{told.stem}.vlog", "log", base | secret | {"before": told.before}))
    return found


def dark_jobs(told: Sequence[Told], scenario: str, plan: Plan) -> list[Job]:
    """The maps in the dark theme."""
    how = {"scenario": scenario, "scale": plan.whole, "theme": "dark"}
    return [Job(f"pictures/{one.stem}-dark.webp", "map", how | {"view": one.view}) for one in told if not one.turn.given_up]


def dark_fits(folder: Path, jobs: Sequence[Job], made: int, turns: int) -> bool:
    """Whether there is room for them, once the other pictures of so many game-turns are there."""
    sizes = {job.name: (folder / job.name).stat().st_size for job in jobs}
    maps = sum(size for name, size in sizes.items() if name.endswith("-map.webp"))
    return room_for_dark(max(turns, made), made, maps, sum(sizes.values()))


def make(folder: Path, jobs: Sequence[Job], render: Render | None, say: Callable[[str], None], later: Sequence[Job] = ()) -> int:
    """Make what is not there yet or has changed, and forget what is no more; how many files were made. ``render``: draws here; None:
    processes do, one a core; ``later``: what may be made after these, and is kept where it is there. Raises what the service raises.
    """
    for name in ("pictures", "files"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    known = _known(folder)
    wanted = {job.name: job.digest for job in jobs}
    new = [job for job in jobs if known.get(job.name) != wanted[job.name] or not (folder / job.name).is_file()]
    done = {name: one for name, one in wanted.items() if name not in {job.name for job in new}}
    done |= {job.name: job.digest for job in later if known.get(job.name) == job.digest}
    for number, job in enumerate(_made(folder, new, render), start=1):
        done[job.name] = wanted[job.name]
        if number % 25 == 0:
            say(f"{number} of {len(new)} pictures and files ...")
            _keep(folder, known | done)
    _keep(folder, done)
    return len(new)


def sweep(folder: Path, wanted: Iterable[str], pages: Iterable[str]) -> None:
    """Take away the files and pages of earlier times that the site has no more."""
    keep, kept = set(wanted), set(pages)
    for path in folder.glob("*.html"):
        if PAGE.match(path.name) and path.name not in kept:
            path.unlink()
    for where in ("pictures", "files"):
        for path in (folder / where).iterdir():
            if f"{where}/{path.name}" not in keep:
                path.unlink()


def _made(folder: Path, jobs: Sequence[Job], render: Render | None) -> Iterable[Job]:
    """Make them. Pictures of a game-turn are drawn by one process, for their grounds are alike; files for VASSAL here, since the module,
    which all of them need, takes longer than they do."""
    groups = list(_by_turn([job for job in jobs if not job.name.endswith(VASSAL)]))
    hands = min(os.cpu_count() or 1, MOST_HANDS, len(groups))
    if not jobs:
        return
    here = render or local.local_render()
    if render is not None or hands < 2:
        for job in jobs:
            _write(folder / job.name, _drawn(here, job))
            yield job
        return
    with ProcessPoolExecutor(hands, get_context("spawn"), _begin) as pool:
        drawn = pool.map(_in_process, groups)
        for job in jobs:
            if job.name.endswith(VASSAL):
                _write(folder / job.name, _drawn(here, job))
                yield job
        for group, made in zip(groups, drawn, strict=True):
            for job, data in zip(group, made, strict=True):
                _write(folder / job.name, data)
                yield job


def _by_turn(jobs: Sequence[Job]) -> Iterable[list[Job]]:
    return (list(group) for _, group in groupby(jobs, lambda job: job.name.rpartition("-")[0]))


_renders: list[Render] = []


def _begin() -> None:
    _renders.append(local.local_render())


def _in_process(group: list[Job]) -> list[bytes]:
    return [_drawn(_renders[0], job) for job in group]


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
    """A picture without loss in a third less room than PNG. A higher quality takes a third longer for a twentieth less."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        image.convert("RGB").save(out, "WEBP", lossless=True, quality=25, method=2)
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
