"""The ``hexpost`` command. What a command needs is imported when it runs, so that ``--help`` is quick."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from worker.desk import cli_audit, cli_bots, cli_gm, cli_hosting, cli_post, cli_site, cli_store

UNUSABLE = 2
SOME_REFUSED = 3
_STATE = click.argument("state", metavar="STATE.json", type=click.Path(path_type=Path))
_THEME = click.option("--theme", default="light", show_default=True, help="The look: light, dark or contrast.")
_OUT: dict[str, Any] = {"type": click.Path(path_type=Path, dir_okay=False), "required": True}


class _Group(click.Group):
    """Turns what went wrong into one sentence on stderr and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            sentence = _explain(error)
            if sentence is None:
                raise
            click.echo(f"hexpost: {sentence}", err=True)
            ctx.exit(UNUSABLE)


def _explain(error: Exception) -> str | None:
    from scenarios.faults import DataError
    from worker.config import ConfigError
    from worker.hosting.processes import CannotServe
    from worker.play.games import UnusableInput
    from worker.ports import ServiceDown, ServiceFailed, ServiceRefused

    if isinstance(error, UnusableInput | ConfigError | CannotServe | ServiceRefused | ServiceDown | ServiceFailed):
        return str(error)
    if isinstance(error, DataError):
        return f"the data cannot be used:\n{error}"
    if isinstance(error, OSError):
        return f"{error.filename or 'A file that was being written or read'}: {(error.strerror or str(error)).lower()}."
    return None


_ELSEWHERE = [
    *(cli_audit.dice, cli_hosting.retry, cli_hosting.run, cli_gm.gm),
    *(*cli_post.COMMANDS, *cli_bots.COMMANDS, *cli_site.COMMANDS, *cli_store.COMMANDS),
]


@click.group(cls=_Group, commands=_ELSEWHERE, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="hexpost")
def main() -> None:
    """Play-by-email campaigns of hex-and-counter wargames."""


@main.command()
def scenarios() -> None:
    """List the scenarios: id and title, one a line."""
    from worker.desk import study

    for line in study.scenario_lines():
        click.echo(line)


@main.command()
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder for replies, maps and reports.")
def demo(out: Path) -> None:
    """Play three game-turns of Holdfast by mail on this machine."""
    from worker.desk.demo import WentWrong, play_demo
    from worker.post.postbox import NoReply

    try:
        play_demo(out)
    except (WentWrong, NoReply) as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.argument("scenario")
@click.option(
    "--side",
    "sides",
    multiple=True,
    required=True,
    metavar="SIDE=ADDRESS",
    help="A player; a side may have several. The word adjutant: it plays the side.",
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game.")
@click.option(
    "--theme",
    "themes",
    multiple=True,
    metavar="[SIDE=]THEME",
    help="The look of the pictures, for all or for one side: light, dark or contrast (default: that of the settings).",
)
@click.option(
    "--term",
    "agreed",
    multiple=True,
    metavar="K=V",
    help="Of this game alone: deadline, reaction, setup or consent with hours, or absence (default: the settings).",
)
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")
def new(
    scenario: str, sides: tuple[str, ...], options: tuple[str, ...], themes: tuple[str, ...], agreed: tuple[str, ...], config: Path | None
) -> None:
    """Start a game of SCENARIO and mail its players."""
    from worker.desk import starting

    click.echo(starting.start_game(scenario, sides, options, config, themes, agreed))


@main.command()
@click.argument("game")
@click.argument("themes", metavar="[SIDE=]THEME...", nargs=-1, required=True)
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")
def theme(game: str, themes: tuple[str, ...], config: Path | None) -> None:
    """Give the mails of a running GAME another look, all or those of one side: light, dark or contrast."""
    from worker.desk import starting

    click.echo(starting.change_theme(game, themes, config))


@main.command("alerts")
@click.option("--done", "seen", is_flag=True, help="They have been seen to: do not list them again.")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")
def list_alerts(seen: bool, config: Path | None) -> None:
    """List what the game master must hear of, and nobody has seen to."""
    from worker.desk import mastering

    for line in mastering.alert_lines(config, settle=seen):
        click.echo(line)


@main.command()
@click.argument("game")
@click.argument("side")
@click.argument("address")
@click.option("--deputy", is_flag=True, help="Somebody who may order in the players' place.")
@click.option("--remove", is_flag=True, help="The address may write no more.")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")
def writer(game: str, side: str, address: str, deputy: bool, remove: bool, config: Path | None) -> None:
    """Let ADDRESS write for a SIDE of GAME besides its players: another address of theirs, or a deputy."""
    from worker.desk import mastering

    click.echo(mastering.change_writer(game, side, address, None if remove else "deputy" if deputy else "alias", config))


@main.command()
@click.argument("address")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")
def resume(address: str, config: Path | None) -> None:
    """Send mail again to an ADDRESS from which it came back."""
    from worker.desk import mastering

    click.echo(mastering.resume(address, config))


@main.command()
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings (default: hexpost.toml here).")
def serve(config: Path | None) -> None:
    """Run rules, render, mail and worker on this machine."""
    from worker.config import Config
    from worker.hosting.processes import begin
    from worker.logs import set_up_logging
    from worker.serve import serve as run

    found = Config.load(config)
    set_up_logging(found)
    if found.log_format == "json":  # why it ends is a line of the log, too
        begin(lambda: run(found))
    else:
        run(found)


@main.group(cls=_Group)
def state() -> None:
    """Make states, for study."""


@state.command("new")
@click.argument("scenario")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game.")
@click.option("--seed", default="", metavar="HEX", help="The game's secret, left-padded to 64 digits.")
@click.option("-o", "out", **_OUT)
def state_new(scenario: str, options: tuple[str, ...], seed: str, out: Path) -> None:
    """Write the initial state of SCENARIO."""
    from worker.desk import study

    study.write_files((out, study.as_json(study.new_state(scenario, options, seed))))


@main.command()
@_STATE
@click.option("--side", required=True)
@click.option("--orders", required=True, type=click.Path(path_type=Path), help="A file of orders, one a line; - for standard input.")
@click.option("--seed", default="", metavar="HEX", help="The packet's seed, left-padded to 64 digits.")
@click.option("--dice", default=None, metavar="3,5,...", help="The rolls, in order, for study.")
@click.option("-o", "out", **_OUT)
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Where to write the side's report as text.")
def adjudicate(state: Path, side: str, orders: Path, seed: str, dice: str | None, out: Path, report: Path | None) -> None:
    """Adjudicate one packet of orders. Exit 0: all orders stood; 3: some were refused; 2: unusable input, nothing written."""
    from worker.desk import study

    outcome, text = study.adjudicate(state, side, orders, study.draws(seed, dice), wants_report=report is not None)
    study.write_files((out, study.as_json(outcome)), *([] if report is None else [(report, text.encode())]))
    for line in study.refusal_lines(outcome):
        click.echo(line, err=True)
    sys.exit(SOME_REFUSED if study.some_refused(outcome) else 0)


@main.command()
@_STATE
@click.option("--side", required=True)
def legal(state: Path, side: str) -> None:
    """Print the legal orders of a side as text."""
    from worker.desk import study

    for line in study.legal_lines(state, side):
        click.echo(line)


@main.command()
@_STATE
@click.option("--side", required=True)
@click.option("-o", "out", **_OUT)
def view(state: Path, side: str, out: Path) -> None:
    """Write what a side may know."""
    from worker.desk import study

    study.write_files((out, study.as_json(study.view(state, side))))


@main.command()
@_STATE
@click.option("--side", default=None, help="Whose view; without it everything is shown, for the umpire.")
@click.option("--events", type=click.Path(path_type=Path), help="The outcome that led to this position.")
@click.option(
    "--scale", type=click.IntRange(400, 4000), default=None, metavar="PX", help="The picture's longer side (2400; a crop's 1200)."
)
@_THEME
@click.option(
    "--crop", default=None, metavar="front|HEX:HEX", help="Only the main front, or from the upper left hex to the lower right one."
)
@click.option("--plan", is_flag=True, help="Draw the events as planned: those of a try (CHECK) or a draft (HOLD).")
@click.option("-o", "out", **_OUT)
def render(
    state: Path, side: str | None, events: Path | None, scale: int | None, theme: str, crop: str | None, plan: bool, out: Path
) -> None:
    """Draw the turn map of a position."""
    from worker.desk import drawing, study

    drawing.form_of(out, ("png",))
    study.write_files((out, drawing.turn_map(state, side, events, drawing.look(theme, scale, crop) | ({"plan": True} if plan else {}))))


@main.command()
@click.argument("outcome", metavar="OUT.json", type=click.Path(path_type=Path))
@click.option(
    "--before", type=click.Path(path_type=Path), help="The position before (default: the outcome before it, in a self-played game)."
)
@click.option("--side", default=None, help="Whose view; without it everything is shown, for the umpire.")
@click.option("--format", "form", type=click.Choice(["webp", "gif"]), help="Default: by the name of the file, else webp.")
@click.option("--scale", type=click.IntRange(400, 2000), default=800, show_default=True, metavar="PX", help="The picture's longer side.")
@_THEME
@click.option("--crop", default=None, metavar="front|HEX:HEX", help="As with render.")
@click.option("-o", "out", **_OUT)
def animate(
    outcome: Path, before: Path | None, side: str | None, form: str | None, scale: int, theme: str, crop: str | None, out: Path
) -> None:
    """Draw what an outcome's events tell as a moving map."""
    from worker.desk import drawing, study

    looks = drawing.look(theme, scale, crop) | {"format": drawing.form_of(out, ("webp", "gif"), form)}
    study.write_files((out, drawing.animation(outcome, before, side, looks)))


@main.group(cls=_Group)
def export() -> None:
    """Write files that VASSAL opens: a game's module, positions, and what happened."""


@export.command("module")
@click.argument("scenario")
@_THEME
@click.option("-o", "out", **_OUT)
def export_module(scenario: str, theme: str, out: Path) -> None:
    """Write the module (.vmod) of the game of SCENARIO: board, counters, charts, and all its scenarios."""
    from worker.desk import exporting, study

    study.write_files((out, exporting.module(scenario, theme)))


@export.command("save")
@_STATE
@click.option("--side", required=True)
@_THEME
@click.option("-o", "out", **_OUT)
def export_save(state: Path, side: str, theme: str, out: Path) -> None:
    """Write a position as a side sees it (.vsav)."""
    from worker.desk import exporting, study

    study.write_files((out, exporting.save(state, side, theme)))


@export.command("log")
@_STATE
@click.option("--events", required=True, type=click.Path(path_type=Path), help="The outcome that STATE.json led to.")
@click.option("--side", required=True)
@_THEME
@click.option("-o", "out", **_OUT)
def export_log(state: Path, events: Path, side: str, theme: str, out: Path) -> None:
    """Write what happened after STATE.json, as a side saw it, step by step (.vlog)."""
    from worker.desk import exporting, study

    study.write_files((out, exporting.log(state, events, side, theme)))


@main.command()
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="A new folder, or that of an earlier gallery.")
@click.option("--turns", type=click.IntRange(1, 99), default=8, show_default=True, metavar="N", help="Game-turns played of each scenario.")
@click.option("--scale", type=click.IntRange(400, 4000), default=2400, show_default=True, metavar="PX", help="The maps' longer side.")
@click.argument("scenarios", metavar="[SCENARIO]...", nargs=-1)
def gallery(out: Path, turns: int, scale: int, scenarios: tuple[str, ...]) -> None:
    """Make a page of pictures from self-played games, and of all that the maps can show."""
    from worker.desk import gallery as making

    making.make_gallery(out, turns, scale, click.echo, scenarios)


@main.command()
@click.argument("mail", metavar="MAIL.eml", type=click.Path(path_type=Path))
@click.option("--context", type=click.Path(path_type=Path), help="What the gateway knows, as JSON.")
def read(mail: Path, context: Path | None) -> None:
    """Print what the gateway makes of a raw mail, as JSON."""
    from worker.desk import study

    click.echo(study.pretty(study.read_mail(mail, context)))


@main.command()
@click.argument("scenario")
@click.option("--seed", default="", metavar="HEX", help="The game's secret, left-padded to 64 digits.")
@click.option("--turns", type=click.IntRange(1, 999), default=None, metavar="N", help="Stop after N game-turns.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game.")
@click.option("--maps", is_flag=True, help="Draw the map at the end of each game-turn.")
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="A new or empty folder.")
def selfplay(scenario: str, seed: str, turns: int | None, options: tuple[str, ...], maps: bool, out: Path) -> None:
    """Let the adjutant play both sides of SCENARIO to the end."""
    from worker.desk import selfplay as playing

    click.echo(playing.play_into(out, scenario, seed, options, turns, maps=maps))


@main.group(cls=_Group)
def scenario() -> None:
    """Look after scenario packages."""


@scenario.command("check")
@click.argument("name", metavar="[SCENARIO]", required=False)
@click.option("--overlays", type=click.Path(path_type=Path, file_okay=False), help="An owner's overlays (default: those of the settings).")
def scenario_check(name: str | None, overlays: Path | None) -> None:
    """Validate data packages, and the owner's overlays over them: every fault with file and line."""
    from worker import local

    overlays = overlays or local.overlays_here()
    faults = local.check_scenarios(name, overlays)
    for fault in faults:
        click.echo(fault, err=True)
    if faults:
        sys.exit(UNUSABLE)
    click.echo(f"{name or 'All packages'}{f' with {overlays}' if overlays else ''}: no fault found.")


if __name__ == "__main__":
    main()
