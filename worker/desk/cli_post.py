"""The commands of ``hexpost`` about the mails that leave: the links in them, and their signature."""

from __future__ import annotations

from pathlib import Path

import click

_CONFIG = click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")


@click.command()
@click.argument("game")
@click.option("--revoke", default=None, metavar="TOKEN|ADDRESS|all", help="Close a link, those of one addressee, or all of the game.")
@_CONFIG
def links(game: str, revoke: str | None, config: Path | None) -> None:
    """List the links to files in the mails of GAME, or close some."""
    from worker.desk import linking

    for line in linking.close_links(game, revoke, config) if revoke else linking.link_lines(game, config):
        click.echo(line)


@click.command()
@_CONFIG
def dkim(config: Path | None) -> None:
    """Print the DNS record that the signatures of your mails need."""
    from worker.desk import linking

    click.echo(linking.dkim_record(config))


COMMANDS = [links, dkim]
