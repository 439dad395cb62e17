"""The commands of ``hexpost`` about programs that act for players."""

from __future__ import annotations

from pathlib import Path

import click

_CONFIG = click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")


@click.command()
@click.argument("game")
@click.option("--issue", default=None, metavar="SIDE=ADDRESS", help="Make a token for a player of the side; it is printed this once.")
@click.option("--revoke", default=None, metavar="NUMBER|ADDRESS|all", help="Revoke a token, those of one player, or all of the game.")
@_CONFIG
def programs(game: str, issue: str | None, revoke: str | None, config: Path | None) -> None:
    """List the tokens of programs that act for the players of GAME, make one, or revoke some."""
    from worker import botdesk

    if issue:
        lines = botdesk.issued(game, issue, config)
    else:
        lines = botdesk.revoked(game, revoke, config) if revoke else botdesk.program_lines(game, config)
    for line in lines:
        click.echo(line)


COMMANDS = [programs]
