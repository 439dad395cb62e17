"""Gunicorn's words in the log of ours."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger

from worker.config import Config
from worker.logs import set_up_logging


class GunicornLogger(Logger):
    """What Gunicorn logs with."""

    def setup(self, cfg: Any) -> None:
        """Called by Gunicorn in each of its processes."""
        usual: Any = super().setup
        usual(cfg)
        set_up_logging(Config.load())
        self.error_log.handlers, self.error_log.propagate = [], True
