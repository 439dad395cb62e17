"""The commands of ``hexpost`` about the journal: its tables, its backups, and games that move."""

from __future__ import annotations

from pathlib import Path

import click

_CONFIG = click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")


@click.command()
@click.option("--to", default=None, metavar="REVISION", help="Not to the newest revision but to this one; back, too.")
@_CONFIG
def upgrade(to: str | None, config: Path | None) -> None:
    """Bring the database's tables to what this hexpost works with. An SQLite database is copied first."""
    from worker import upgrading

    for line in upgrading.upgrade(config, to):
        click.echo(line)


COMMANDS = (upgrade,)
