"""``python -m worker.migrations "what it adds"``: begin the next revision from what the tables have and the last one has not.

Read what it wrote: data that must be kept or filled in, and the way down, are its author's.
"""

from __future__ import annotations

import sys

from alembic import command
from sqlalchemy import create_engine

from worker.migrations import FOLDER, alembic_config, head


def begin(what: str) -> str:
    """Write the next revision; the name of its file."""
    number = f"{int(head()) + 1:04d}"
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        config = alembic_config(connection)
        config.set_main_option("file_template", "r%%(rev)s_%%(slug)s")
        command.upgrade(config, "head")
        command.revision(config, message=what, autogenerate=True, rev_id=number)
    engine.dispose()
    return next(str(file) for file in (FOLDER / "versions").glob(f"r{number}_*.py"))


if __name__ == "__main__":
    print(begin(sys.argv[1]))
