"""The commands of ``hexpost gm``: what only the game master may see."""

from __future__ import annotations

from pathlib import Path

import click

_CONFIG = click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")


@click.group()
def gm() -> None:
    """What only the game master may see."""


@gm.command()
@_CONFIG
def hints(config: Path | None) -> None:
    """List players who oppose each other and whose mails have so much in common that they may be one person."""
    from worker.desk import overseeing

    for line in overseeing.hint_lines(config):
        click.echo(line)


@gm.command()
@click.argument("addresses", metavar="[ADDRESS]...", nargs=-1)
@_CONFIG
def reliability(addresses: tuple[str, ...], config: Path | None) -> None:
    """List how often each player was in time, late, and played for; of all, or of these addresses."""
    from worker.desk import overseeing

    for line in overseeing.reliability_lines(addresses, config):
        click.echo(line)
