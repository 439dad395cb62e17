"""The commands of ``hexpost`` about the journal: its tables, its backups, and games that move."""

from __future__ import annotations

from pathlib import Path

import click

_CONFIG = click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")


@click.command()
@click.option("--to", default=None, metavar="REVISION", help="Not to the newest revision but to this one; back, too.")
@click.option("--drop-data", is_flag=True, help="An earlier revision may lose what it has no place for.")
@_CONFIG
def upgrade(to: str | None, drop_data: bool, config: Path | None) -> None:
    """Bring the database's tables to what this hexpost works with, while no part runs. An SQLite database is copied first."""
    from worker.hosting import upgrading

    for line in upgrading.upgrade(config, to, drop_data=drop_data):
        click.echo(line)


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@_CONFIG
def backup(file: Path, config: Path | None) -> None:
    """Write all games, mails and artifacts of this installation to FILE, while it runs. FILE holds the secrets of all games."""
    from worker.hosting import backup as packing

    for line in packing.backup(file, config):
        click.echo(line)


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@_CONFIG
def restore(file: Path, config: Path | None) -> None:
    """Enter the backup FILE in an empty installation, with SQLite or PostgreSQL, whichever it was made with."""
    from worker.hosting import backup as packing

    for line in packing.restore(file, config):
        click.echo(line)


@click.command("game-export")
@click.argument("game")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--moved", default=None, metavar="ADDRESS", help="Another server has it now, and takes its orders at ADDRESS.")
@_CONFIG
def game_export(game: str, file: Path, moved: str | None, config: Path | None) -> None:
    """Write one GAME, with its mails and files, to FILE, to be entered at another server."""
    from worker.hosting import moving

    for line in moving.export(game, file, config, moved):
        click.echo(line)


@click.command("game-import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@_CONFIG
def game_import(file: Path, config: Path | None) -> None:
    """Enter the game that another server exported to FILE. Its hash chain is checked first; its players are told."""
    from worker.hosting import moving

    for line in moving.enter(file, config):
        click.echo(line)


@click.command("check-games")
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--last", type=click.IntRange(1, 100_000), default=20, show_default=True, metavar="N", help="Packets of each game.")
@_CONFIG
def check_games(games: tuple[str, ...], last: int, config: Path | None) -> None:
    """Try the last packets of the games that run again with this hexpost. Exit 0: they lead to the same states; 2: some do not."""
    from worker.hosting import fitness

    well = True
    for fine, line in fitness.check_games(games, last, config):
        click.echo(line, err=not fine)
        well = well and fine
    if not well:
        raise SystemExit(2)


COMMANDS = (check_games, upgrade, backup, restore, game_export, game_import)
