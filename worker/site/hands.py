"""Who draws: processes, one a core, for as long as a site is made; or this one."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from itertools import groupby
from multiprocessing import get_context
from types import TracebackType
from typing import Self

from PIL import Image

from worker import local
from worker.canonical import Json, canonical, digest
from worker.play.pictures import read_picture
from worker.play.vassal import module_version
from worker.ports import Render

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


class Hands:
    """Makes files. ``render``: draws here; None: processes do, which begin when there is more to draw than one game-turn."""

    def __init__(self, render: Render | None = None) -> None:
        self._given = render
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    @cached_property
    def here(self) -> Render:
        """The render service of this process."""
        return self._given or local.local_render()

    def made(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, bytes]]:
        """Files with what they hold, in no order of note. Pictures of a game-turn are drawn by one process, for their grounds are alike;
        files for VASSAL here, since the module, which all of them need, takes longer than they do. Raises what the service raises.
        """
        groups = _by_turn([job for job in jobs if not job.name.endswith(VASSAL)])
        count = min(os.cpu_count() or 1, MOST_HANDS)
        if self._given is not None or count < 2 or (len(groups) < 2 and self._pool is None):
            yield from ((job, _drawn(self.here, job)) for job in jobs)
            return
        self._pool = self._pool or ProcessPoolExecutor(count, get_context("spawn"), _begin)
        drawn = self._pool.map(_in_process, groups)
        yield from ((job, _drawn(self.here, job)) for job in jobs if job.name.endswith(VASSAL))
        for group, found in zip(groups, drawn, strict=True):
            yield from zip(group, found, strict=True)


def _by_turn(jobs: Sequence[Job]) -> list[list[Job]]:
    return [list(group) for _, group in groupby(jobs, lambda job: job.name.rpartition("-")[0])]


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
    return data if picture.mime == "image/webp" else webp(data)


def webp(data: bytes) -> bytes:
    """A picture without loss in a third less room than PNG. A higher quality takes a third longer for a twentieth less."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        image.convert("RGB").save(out, "WEBP", lossless=True, quality=25, method=2)
    return out.getvalue()
