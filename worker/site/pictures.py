"""The pictures and files for VASSAL of a site. Each is drawn once: a list tells from what, and only what has changed is drawn again."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PIL import Image

from worker.canonical import canonical, decode, digest
from worker.play.pictures import board_of
from worker.play.vassal import without_events
from worker.site.hands import Hands, Job, webp
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


def plan_of(told: Sequence[Told], scenario: str, turns: int, hands: Hands) -> Plan:
    """The plan of a campaign of so many game-turns. Its first map is drawn for it."""
    drawn = hands.here.map({"scenario": scenario, "view": told[0].view, "scale": PROBE})
    return Plan.of(max(turns, len(told)), len(webp(drawn)), max(len(one.by_side) for one in told))


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


def make(folder: Path, jobs: Sequence[Job], hands: Hands, say: Callable[[str], None], later: Sequence[Job] = ()) -> int:
    """Make what is not there yet or has changed, and forget what is no more; how many files were made. ``later``: what may be
    made after these, and is kept where it is there. Raises what the service raises.
    """
    for name in ("pictures", "files"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    known = _known(folder)
    wanted = {job.name: job.digest for job in jobs}
    new = [job for job in jobs if known.get(job.name) != wanted[job.name] or not (folder / job.name).is_file()]
    done = {name: one for name, one in wanted.items() if name not in {job.name for job in new}}
    done |= {job.name: job.digest for job in later if known.get(job.name) == job.digest}
    for number, (job, data) in enumerate(hands.made(new), start=1):
        _write(folder / job.name, data)
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
