"""Settings of the rules service, from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from services.config import ServiceConfig, overlays_in

MAX_BODY = 4_000_000


@dataclass(frozen=True, slots=True)
class Config(ServiceConfig):
    """Settings of this service. ``overlays``: the folder of the owner's overlays."""

    token: str | None = None
    max_body: int = MAX_BODY
    overlays: Path | None = None

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> Config:
        """From ``HEXPOST_SERVICE_TOKEN``, ``HEXPOST_RULES_MAX_BODY``, ``HEXPOST_OVERLAYS``. ValueError, naming what has no sense."""
        return replace(cls.read("HEXPOST_RULES_MAX_BODY", MAX_BODY, env), overlays=overlays_in(env))
