"""The journal's tables as they came to be: a revision for each change of them, up and down, for SQLite and PostgreSQL.

Revisions are numbered in a row. ``python -m worker.migrations "what it adds"`` begins the next one from what the tables lack.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alembic.config import Config as AlembicConfig
    from sqlalchemy import Connection

BASELINE = "0001"
"""The tables of before revisions were kept: a database without a stamp that has them is of this revision."""
FOLDER = Path(__file__).parent
_NAMED = re.compile(r"r(\d{4})_\w+\.py\Z")


def revisions() -> tuple[str, ...]:
    """Every revision that this hexpost knows, oldest first. Read from the names of the files: Alembic is slow to import."""
    return _revisions(FOLDER)


@cache
def _revisions(folder: Path) -> tuple[str, ...]:
    found = (_NAMED.match(file.name) for file in (folder / "versions").iterdir())
    return tuple(sorted(match[1] for match in found if match))


def head() -> str:
    """The revision that this hexpost works with."""
    return revisions()[-1]


def alembic_config(connection: Connection | None = None) -> AlembicConfig:
    """What Alembic's commands take: these revisions, over a connection whose transaction is the caller's."""
    from alembic.config import Config as AlembicConfig

    found = AlembicConfig()
    found.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    found.set_main_option("path_separator", "os")
    found.attributes["connection"] = connection
    return found
