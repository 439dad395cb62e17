"""The commands of ``hexpost`` about whole games: the site of one, and whether it is what it says."""

from __future__ import annotations

import sys
from pathlib import Path

import click

FAULTS = 2


@click.command()
@click.argument("game", metavar="[GAME|DIR]", required=False)
@click.option("--club", is_flag=True, help="All games of this installation, each in a folder of its own.")
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="A new folder, or that of an earlier archive.")
@click.option("--url", default="", metavar="URL", help="Where the site will lie on the net, for its feed.")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings, for games (default: hexpost.toml here).")
def archive(game: str | None, club: bool, out: Path, url: str, config: Path | None) -> None:
    """Make a site of plain files of a GAME of this installation, or of the self-played game in DIR: a page a game-turn.

    While a game runs its pages show what all may know; when it is over, everything. Made again, only what has changed is drawn.
    """
    from worker.play.games import UnusableInput
    from worker.site import making

    if (game is None) != club:
        raise UnusableInput("Name a game or a folder, or give --club for all games; not both.")
    if game is None:
        making.archive_club(out, config, url, click.echo)
    else:
        making.archive_one(game, out, config, url, click.echo)


@click.command()
@click.argument("folder", metavar="DIR|GAME", type=click.Path(path_type=Path))
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings, for a GAME (default: hexpost.toml here).")
def verify(folder: Path, config: Path | None) -> None:
    """Check a self-played game in DIR, one that an archive gave away, or a GAME of this installation.

    Hash chain, seeds, dice, and what its packets lead to, on branches that were given up too; exit 0: all holds, 2: not.
    """
    from worker import local
    from worker.desk import proving, taken_along
    from worker.desk import verify as checking

    if folder.parent == Path() and not folder.exists():
        found = proving.prove(str(folder), config)
    elif (folder / taken_along.GAME).is_file():
        found = proving.prove_taken(folder, local.local_rules())
    else:
        found = checking.verify(folder, local.local_rules(), local.local_mail())
    for fault in found.faults:
        click.echo(fault, err=True)
    if found.faults:
        sys.exit(FAULTS)
    for line in found.lines():
        click.echo(line)


COMMANDS = (archive, verify)
