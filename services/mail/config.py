"""Settings of the mail service, from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.config import ServiceConfig

MAX_BODY = 32_000_000
"""A raw mail of 10 MB in base64, or a mail to be composed with its map, fits in."""


@dataclass(frozen=True, slots=True)
class Config(ServiceConfig):
    """Settings of this service."""

    token: str | None = None
    max_body: int = MAX_BODY

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> Config:
        """From ``HEXPOST_SERVICE_TOKEN`` and ``HEXPOST_MAIL_MAX_BODY``. ValueError, naming the variable, if one has no sense."""
        return cls.read("HEXPOST_MAIL_MAX_BODY", MAX_BODY, env)
