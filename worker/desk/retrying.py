"""What whoever hosts hexpost on many processes does by hand."""

from __future__ import annotations

from pathlib import Path

from worker.config import Config
from worker.post.routes import Routes
from worker.store.database import open_database
from worker.store.journal import Journal
from worker.store.outbox import Outbox


def retry_parked(config: Config) -> tuple[int, int]:
    """Give what was put aside another try, and what is left alone another at once: mails to players and received ones, how many."""
    engine = open_database(config.database)
    mails, messages = Outbox(engine).retry_parked(), Journal(engine).retry_parked()
    Routes(engine, config.smtp_pause).forget()
    engine.dispose()
    return mails, messages


def retry(file: Path | None) -> str:
    """``hexpost retry``: the sentence that says what is tried again."""
    mails, messages = retry_parked(Config.load(file))
    return f"The next sweep tries {mails} mails to players and {messages} received mails again, and the mail server."
