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
    from worker.desk import botdesk

    if issue:
        lines = botdesk.issued(game, issue, config)
    else:
        lines = botdesk.revoked(game, revoke, config) if revoke else botdesk.program_lines(game, config)
    for line in lines:
        click.echo(line)


@click.command()
@click.argument("game")
@click.option("--add", "url", default=None, metavar="URL", help="Have turns told there from now on (https alone).")
@click.option("--form", default="standard", show_default=True, help="How: standard (signed events), slack, matrix or discord.")
@click.option("--side", default="spectator", show_default=True, help="Whose view is told; spectator: what all may know.")
@click.option("--for", "address", default="", metavar="ADDRESS", help="The player whose it is, for a side.")
@click.option("--close", "number", type=int, default=None, metavar="NUMBER", help="Tell this one nothing more.")
@_CONFIG
def listeners(game: str, url: str | None, form: str, side: str, address: str, number: int | None, config: Path | None) -> None:
    """List who is told of the turns of GAME by a POST, add one, or close one."""
    from worker.desk import botdesk

    if url:
        lines = botdesk.listening(game, botdesk.Wanted(url, form, side, address), config)
    else:
        lines = botdesk.closed(game, number, config) if number is not None else botdesk.listener_lines(game, config)
    for line in lines:
        click.echo(line)


COMMANDS = [programs, listeners]
