"""``hexpost archive``: the site of a campaign, or of all of them, in a folder. Made again, only what has changed is drawn again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from worker import local
from worker.canonical import canonical, digest
from worker.config import Config
from worker.play.games import UnusableInput
from worker.play.vassal import module_version
from worker.ports import Render, Rules
from worker.site import reading
from worker.site.campaign import Campaign
from worker.site.feed import feed
from worker.site.hands import Hands
from worker.site.pages import STATIC, Book, Picture, club_page, counted, dice_name, leaf, pages, static
from worker.site.pictures import MARK, dark_fits, dark_jobs, jobs_of, make, moving_map, plan_of, size_of, sweep
from worker.site.plan import Plan
from worker.site.plots import plots
from worker.site.search import as_script, entries
from worker.site.told import Teller, Told, tell
from worker.store.database import open_to_read
from worker.store.journal import Journal

MOVING = "pictures/campaign.webp"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Makers:
    """What a site is made by. ``render``: None: processes of our own draw, one a core; ``base``: where the site will lie on the net."""

    rules: Rules
    mail: Teller
    render: Render | None
    say: Say
    base: str = ""


def archive_one(what: str, out: Path, config: Path | None, base: str, say: Say, render: Render | None = None) -> None:
    """The site of a self-played game's folder, or of a game of the journal. UnusableInput, and what services raise."""
    makers = Makers(local.local_rules(), local.local_mail(), render, say, _checked(base))
    folder = Path(what)
    of_game = folder.parent == Path() and not folder.exists()
    campaign = reading.of_journal(_journal(config), what) if of_game else reading.of_folder(folder)
    started = time.monotonic()
    _prepare(out)
    book, made = build(campaign, out, makers)
    say(f"{book.title}: {counted(len(book.leaves), 'game-turn')}, {_new(made)}, {_weight(out)} MB")
    say(f"in {time.monotonic() - started:.0f} s; open {out / 'index.html'}.")


def archive_club(out: Path, config: Path | None, base: str, say: Say, render: Render | None = None) -> None:
    """The sites of all games of the journal, each in a folder of its own, and a page that leads to them."""
    journal, base = _journal(config), _checked(base)
    keys = reading.games_of(journal)
    if not keys:
        raise UnusableInput("There is no game here yet.")
    _prepare(out)
    rules, mail = local.local_rules(), local.local_mail()
    rows: list[tuple[str, Book]] = []
    for key in keys:
        campaign = reading.of_journal(journal, key)
        makers = Makers(rules, mail, render, say, f"{base}{campaign.key}/" if base else "")
        _prepare(out / campaign.key)
        book, made = build(campaign, out / campaign.key, makers, up="../index.html")
        say(f"{key}: {book.title}, {counted(len(book.leaves), 'game-turn')}, {_new(made)}")
        rows.append((campaign.key, book))
    (out / "index.html").write_text(club_page(rows), encoding="utf-8")
    (out / "site.css").write_bytes(static("site.css"))
    say(f"{counted(len(rows), 'game')}, {_weight(out)} MB; open {out / 'index.html'}.")


def build(campaign: Campaign, out: Path, makers: Makers, up: str = "") -> tuple[Book, int]:
    """The site of a campaign in ``out``; what its pages were made from, and how many pictures and files were made."""
    every = list(tell(campaign, makers.rules, makers.mail))
    told, ways = [one for one in every if not one.turn.given_up], [one for one in every if one.turn.given_up]
    described = makers.rules.scenario(campaign.scenario)
    with Hands(makers.render) as hands:
        names, plan, made = _drawn(campaign, out, every, makers.say, hands, len(described["turns"]))
        module = _module(out, campaign, hands.here)
    moving = _moving(out, told)
    sweep(out, [*names, *([MOVING] if moving else []), module, *_downloads(campaign, out, every)], [one.page for one in every])
    book = Book(
        campaign,
        [leaf(out, one, names) for one in told],
        plots(told),
        moving,
        module,
        entries(every),
        f"{told[-1].words['game']}{f' ({campaign.name})' if campaign.name else ''}",
        str(described["title"]),
        list(told[-1].words["summary"][:1]) if campaign.over else [],
        plan.told,
        [leaf(out, one, names) for one in ways],
        up,
    )
    for name, page in pages(book).items():
        (out / name).write_text(page, encoding="utf-8")
    for name in STATIC:
        (out / name).write_bytes(static(name))
    (out / "search-index.js").write_bytes(as_script(book.entries))
    (out / "feed.xml").write_bytes(feed(campaign, f"{book.title}: {book.scenario}", told, makers.base))
    return book, made


def _drawn(campaign: Campaign, out: Path, told: list[Told], say: Say, hands: Hands, turns: int) -> tuple[list[str], Plan, int]:
    """Make the pictures and files for VASSAL: their names, the plan, and how many were made. ``turns``: that the campaign may have."""
    plan = plan_of(told, campaign.scenario, turns, hands)
    jobs = [job for one in told for job in jobs_of(one, campaign.scenario, campaign.key, plan)]
    dark = dark_jobs(told, campaign.scenario, plan)
    made = make(out, jobs, hands, say, later=dark)
    if dark_fits(out, jobs, len(told), turns):
        jobs += dark
        made += make(out, jobs, hands, say)
    return [job.name for job in jobs], plan, made


def _moving(out: Path, told: list[Told]) -> Picture | None:
    """The moving map of all game-turns; none of a single one."""
    maps = [f"pictures/{one.stem}-map.webp" for one in told]
    if len(maps) < 2:
        return None
    known = digest(canonical([digest((out / name).read_bytes()) for name in maps]))
    path, note = out / MOVING, out / f"{MARK}-moving"
    if not path.is_file() or not note.is_file() or note.read_text(encoding="utf-8") != known:
        path.write_bytes(moving_map(out, maps))
        note.write_text(known, encoding="utf-8")
    said = " ".join(f"{one.words['title']}: {next(iter(one.words['summary']), '')}" for one in (told[0], told[-1]))
    return Picture(MOVING, *size_of(path), f"The map at the end of each of {len(told)} game-turns, one after the other. {said}".strip())


def _module(out: Path, campaign: Campaign, render: Render) -> str:
    """The module for VASSAL with which the saves open; made where it is not there yet."""
    save = next(iter(sorted((out / "files").glob("*.vsav"))), None)
    if save is None:
        return ""
    name = f"files/{campaign.scenario.partition('/')[0]}-{module_version(save.read_bytes())}.vmod"
    if not (out / name).is_file():
        (out / name).write_bytes(render.module({"scenario": campaign.scenario, "theme": "light"}))
    return name


def _downloads(campaign: Campaign, out: Path, told: list[Told]) -> list[str]:
    """Write the files besides those for VASSAL; their names. Orders and all that happened only when the game is over."""
    for name, data in campaign.files.items():
        (out / "files" / name).write_bytes(data)
    thrown = [throw for one in told for throw in one.throws]
    (out / dice_name(campaign)).write_bytes(canonical(campaign.dice_file(thrown)) + b"\n")
    names = [dice_name(campaign), *(f"files/{name}" for name in campaign.files)]
    for one in told:
        files = {f"files/{one.stem}-events.json": canonical(one.view["events"]) + b"\n"}
        if campaign.over and one.turn.orders:
            files[f"files/{one.stem}-orders.txt"] = _orders(one).encode()
        for name, data in files.items():
            (out / name).write_bytes(data)
        names += files
    return names


def _orders(told: Told) -> str:
    return "\n".join(line for side, lines in told.turn.orders for line in (f"# {side}", *lines, "")) + "\n"


def _journal(config: Path | None) -> Journal:
    return Journal(open_to_read(Config.load(config).database))


def _prepare(out: Path) -> None:
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MARK).is_file())):
        raise UnusableInput(f"{out} is not empty and was not made by hexpost archive; name another folder.")
    out.mkdir(parents=True, exist_ok=True)
    if not (out / MARK).is_file():
        (out / MARK).write_bytes(b"{}\n")


def _checked(base: str) -> str:
    if base and not base.startswith(("https://", "http://")):
        raise UnusableInput(f"--url {base[:80]!r} does not begin with https://.")
    return f"{base.rstrip('/')}/" if base else ""


def _new(made: int) -> str:
    return counted(made, "new picture or file", "new pictures and files")


def _weight(out: Path) -> str:
    return f"{sum(path.stat().st_size for path in out.rglob('*') if path.is_file()) / 1e6:.1f}"
