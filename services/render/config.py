"""Settings of the render service, from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

MAX_BODY = 4_000_000


@dataclass(frozen=True, slots=True)
class Config:
    """``token``: what callers must bear (None: none asked, for a service that only this machine reaches).  ``max_body``: bytes."""

    token: str | None = None
    max_body: int = MAX_BODY

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> Config:
        """From ``HEXPOST_SERVICE_TOKEN`` and ``HEXPOST_RENDER_MAX_BODY``. ValueError, naming the variable, if one has no sense."""
        env = os.environ if env is None else env
        size = env.get("HEXPOST_RENDER_MAX_BODY", str(MAX_BODY))
        if not size.isascii() or not size.isdigit() or not 1000 <= int(size) <= 10**8:
            raise ValueError(f"HEXPOST_RENDER_MAX_BODY must be a number of bytes from 1000 to 100000000, not {size[:40]!r}")
        return cls(token=env.get("HEXPOST_SERVICE_TOKEN") or None, max_body=int(size))
