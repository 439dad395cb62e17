"""Settings that the three services share, and how they are read from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """``token``: what callers must bear (None: none asked, for a service that only this machine reaches).  ``max_body``: bytes."""

    token: str | None
    max_body: int

    @classmethod
    def read(cls, variable: str, default: int, env: Mapping[str, str] | None) -> Self:
        """From ``HEXPOST_SERVICE_TOKEN`` and ``variable``, the most bytes of a body. ValueError, naming it, if it has no sense."""
        env = os.environ if env is None else env
        size = env.get(variable, str(default))
        if not size.isascii() or not size.isdigit() or not 1000 <= int(size) <= 10**8:
            raise ValueError(f"{variable} must be a number of bytes from 1000 to 100000000, not {size[:40]!r}")
        return cls(token=env.get("HEXPOST_SERVICE_TOKEN") or None, max_body=int(size))


def overlays_in(env: Mapping[str, str] | None) -> Path | None:
    """``HEXPOST_OVERLAYS``: the folder of the owner's overlays; None where there are none."""
    folder = (os.environ if env is None else env).get("HEXPOST_OVERLAYS")
    return Path(folder) if folder else None
