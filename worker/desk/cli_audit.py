"""The command of ``hexpost`` by which anybody at the desk audits the dice of a game."""

from __future__ import annotations

import sys
from pathlib import Path

import click

FAULTS = 2


@click.command()
@click.argument("game")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the throws as players get them; the secret once the game is over."
)
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")
def dice(game: str, out: Path | None, config: Path | None) -> None:
    """Audit the dice of GAME and show how they fell. Exit 0: every die is what the secret gives, 2: not."""
    from worker.desk import audit

    faults, said = audit.audit(game, out, config)
    for line in said:
        click.echo(line)
    for fault in faults:
        click.echo(fault, err=True)
    if faults:
        sys.exit(FAULTS)
