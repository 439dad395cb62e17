"""The commands of ``hexpost`` for whoever hosts it on more than one process by hand."""

from __future__ import annotations

from pathlib import Path

import click

_CONFIG = click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")


@click.command()
@click.argument("role", metavar="ROLE")
@click.option("--listen", default="", metavar="HOST:PORT", help="Where a service, or a process's health, is served.")
@click.option("--shards", default="", metavar="0,2-3", help="The queues of this worker (default: all).")
@click.option("--no-caller", is_flag=True, help="This worker brings no caller: one runs elsewhere.")
@_CONFIG
def run(role: str, listen: str, shards: str, no_caller: bool, config: Path | None) -> None:
    """Run one part in the foreground: rules, mail, render, worker, caller, clock, intake, hooks, lmtp, web, api or metrics."""
    from worker.config import Config
    from worker.roles import ROLES, run_role

    if role not in ROLES:
        raise click.UsageError(f"There is no role {role[:40]!r}; there are: {', '.join(ROLES)}.")
    run_role(role, Config.load(config), shards, listen, caller=not no_caller)


@click.command()
@_CONFIG
def retry(config: Path | None) -> None:
    """Give mails that were put aside another try, and a mail server that is left alone."""
    from worker.desk import retrying

    click.echo(retrying.retry(config))
