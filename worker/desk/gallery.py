"""``hexpost gallery``: a page of pictures from games that played themselves, and the specimen sheets of every game."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import jinja2

from worker import local
from worker.canonical import Json
from worker.config import THEMES
from worker.desk.drawing import numbered, seen_by
from worker.desk.moments import Moment, busiest, ends_of_turns, planned, played
from worker.play.games import UnusableInput
from worker.play.pictures import MOVING, PHONE, read_picture
from worker.ports import Render, Rules, ServiceRefused

MARK = ".hexpost-gallery"
IMAGES = "images"
PAGE = "index.html"
SECRET = "6865786d6170" + "0" * 52
"""By which the games are played: the same games at each call."""
SHEET = 1600
SMALLEST_SHEET = 800  # below, its captions cannot be read
STRIP = 1200
PARTS = {"terrain": "Terrain, hexsides and roads", "counters": "Counters and markers", "tracks": "Tracks and boxes"}
_OURS = {
    "antitank": "the antitank table",
    "arrivals": "who arrives when",
    "barrage": "the barrage table",
    "combat": "the combat results",
    "counters": "the values of the counters",
    "entries": "where units enter",
    "exits": "where they leave",
    "map": "the map",
    "max_sp": "the full strengths of the units",
    "morale": "the levels of morale",
    "terrain": "the costs of terrain",
    "track": "the turn track",
}
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of the page. ``dark``: the file shown instead of it where a page is dark; ``others``: further ones, file by caption."""

    file: str
    size: tuple[int, int]
    alt: str
    caption: str
    dark: str = ""
    others: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """Pictures side by side where there is room. ``width``: of one of them at least, in pixels of the page."""

    title: str
    text: str
    figures: list[Figure]
    width: int = 560


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the page: the rows of a scenario, or the sheets of a game (``part``: which of them)."""

    key: str
    title: str
    part: str
    text: str
    rows: list[Row]


class Pages:
    """Draws pictures into the folder of the page. ``scale``: the maps' longer side; all others are never larger."""

    def __init__(self, folder: Path, render: Render, scale: int) -> None:
        self._folder = folder
        self.render = render
        self.scale = scale
        self.count = 0

    def draw(self, name: str, data: bytes, alt: str, caption: str) -> Figure:
        """Keep a picture under a name."""
        picture = read_picture(name, name, data)
        (self._folder / IMAGES / picture.name).write_bytes(data)
        self.count += 1
        return Figure(f"{IMAGES}/{picture.name}", picture.size, alt, caption)

    def at_most(self, scale: int) -> int:
        """A scale, for a page of small pictures smaller."""
        return min(scale, self.scale)


def make_gallery(out: Path, turns: int, scale: int, say: Say, only: Sequence[str] = ()) -> None:
    """Make the page in ``out``, which must be new, empty, or an earlier gallery's. ``only``: these scenarios and the sheets of their games.

    Raises UnusableInput, and what services raise.
    """
    started = time.monotonic()
    rules, render = local.local_rules(), local.local_render()
    there = [(game, scenario) for game in rules.games()["games"] for scenario in game["scenarios"]]
    unknown = sorted(set(only) - {scenario["id"] for _, scenario in there})
    if unknown:
        raise UnusableInput(f"There is no scenario {unknown[0][:80]!r} (see hexpost scenarios).")
    _prepare(out)
    pages, chapters = Pages(out, render, scale), []
    for game, scenario in there:
        if not only or scenario["id"] in only:
            say(f"{game['title']}, {scenario['title']} ...")
            chapters += _scenario(rules, pages, game, scenario, turns)
    for key, title in render.styles():
        if not only or any(one.startswith(f"{key}/") for one in only):
            say(f"{title}: the sheets ...")
            chapters.append(_sheets(pages, key, title))
    (out / PAGE).write_text(_page(chapters), encoding="utf-8")
    say(f"{pages.count} pictures in {time.monotonic() - started:.0f} s; open {out / PAGE}.")


def _prepare(out: Path) -> None:
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MARK).is_file())):
        raise UnusableInput(f"{out} is not empty and was not made by hexpost gallery; name another folder.")
    shutil.rmtree(out / IMAGES, ignore_errors=True)
    (out / IMAGES).mkdir(parents=True)
    (out / MARK).touch()


# A scenario, played


def _scenario(rules: Rules, pages: Pages, game: Json, scenario: Json, turns: int) -> list[Chapter]:
    """The chapter of a scenario; none where its game has no pictures yet."""
    moments = played(rules, scenario["id"], SECRET, turns)
    shot = Shot(rules, pages, game, scenario["id"], busiest(moments))
    try:
        rows = [shot.whole()]
    except ServiceRefused:
        return []
    rows += [*shot.by_side(), shot.fronts()]
    if shot.moment.events:
        rows += [shot.change(), *shot.plan(rules), _strip(rules, pages, game, scenario["id"], ends_of_turns(moments))]
    rows.append(shot.themes())
    said = f"Played by the adjutant against itself through {moments[-1].turn} game-turns, by a fixed seed. "
    said = said if shot.moment.events else "As it is laid out: this game has no adjutant yet that could play it. "
    ours = [_OURS.get(name, name.replace("_", " ")) for name, source in game["sources"].items() if source == "reconstructed"]
    said += f"Reconstructed by us, not the printed game's: {', '.join(ours)}." if ours else "All charts are the printed game's."
    key = scenario["id"].replace("/", "-")
    return [Chapter(key, game["title"], scenario["title"], said, rows)]


class Shot:
    """The pictures of one moment."""

    def __init__(self, rules: Rules, pages: Pages, game: Json, scenario: str, moment: Moment) -> None:
        self._pages = pages
        self._game = game
        self._scenario = scenario
        self.moment = moment
        events = numbered(moment.events)
        self._views = {side: seen_by(rules, moment.after, side, events) for side in (None, *game["sides"])}
        self._before = {side: seen_by(rules, moment.before, side, None) for side in (None, *game["sides"])}
        self._side = moment.side if moment.side in game["sides"] else game["sides"][0]
        self._when = f"game-turn {moment.turn}" if moment.turn else "the set-up"
        self._when = f"the {self._named(moment.side)} player-turn of {self._when}" if moment.side else self._when

    def _named(self, side: str | None) -> str:
        return str(self._game["side_names"].get(side, side)) if side else "the umpire"

    def _map(self, name: str, caption: str, side: str | None, looks: Json) -> Figure:
        body = {"scenario": self._scenario, "view": self._views[side]} | looks
        alt = f"Map of {self._game['title']} after {self._when}, as seen by: {self._named(side)}"
        return self._pages.draw(self._name(name), self._pages.render.map(body), alt, caption)

    def _name(self, name: str) -> str:
        return f"{self._scenario.replace('/', '-')}-{name}"

    def whole(self) -> Row:
        """The whole map, all of it known."""
        figure = self._map(
            "umpire", f"After {self._when}, with what happened in it: every counter is known.", None, {"scale": self._pages.scale}
        )
        return Row("The turn map", "", [figure], 960)

    def by_side(self) -> list[Row]:
        """The same moment as each side sees it; nothing where they see the same."""
        first, second = (self._views[side]["counters"] for side in self._game["sides"][:2])
        if first == second:
            return []
        figures = [self._map(side, f"As seen by: {self._named(side)}.", side, {"scale": self._pages.scale}) for side in self._game["sides"]]
        return [Row("The same, in the fog of war", "What a side may not know is in none of its pictures.", figures)]

    def fronts(self) -> Row:
        """The crop for phones, in each theme."""
        scale = self._pages.at_most(PHONE)
        figures = [
            self._map(f"front-{theme}", f"Theme {theme}.", self._side, {"crop": "front", "theme": theme, "scale": scale})
            for theme in THEMES
        ]
        return Row("The main front, for phones", "Comes first in each report.", figures, 380)

    def change(self) -> Row:
        """Before and after, still and moving."""
        render, side = self._pages.render, self._side
        body = {"scenario": self._scenario, "view": self._views[side], "before": self._before[side]}
        still = render.compare(body | {"scale": self._pages.at_most(PHONE)})
        moving = {form: render.animate(body | {"format": form, "scale": self._pages.at_most(MOVING)}) for form in ("webp", "gif")}
        alt = f"What changed in {self._when}"
        first = self._pages.draw(self._name("before-after"), still, f"{alt}, before and after", "Before and after.")
        gif = self._pages.draw(self._name("turn"), moving["gif"], alt, "")
        second = self._pages.draw(self._name("turn"), moving["webp"], f"{alt}, animated", "The player-turn, animated.")
        return Row("What happened", "", [first, Figure(second.file, second.size, second.alt, second.caption, "", {"GIF": gif.file})])

    def plan(self, rules: Rules) -> list[Row]:
        """Planned moves, as a receipt of a try shows them."""
        found = planned(rules, self.moment)
        if found is None:
            return []
        view, orders = found
        body = {"scenario": self._scenario, "view": view, "orders": orders, "plan": True, "crop": "front"}
        data = self._pages.render.map(body | {"scale": self._pages.at_most(PHONE)})
        alt = f"Orders planned by {self._named(view['side'])} in {self._when}"
        figure = self._pages.draw(self._name("plan"), data, alt, "Orders that were only tried: nothing has moved yet.")
        return [Row("Planned moves", "In the receipt of CHECK, of a draft, and of lines that wait.", [figure])]

    def themes(self) -> Row:
        """The whole map in the other themes."""
        figures = [
            self._map(f"whole-{theme}", f"Theme {theme}.", None, {"theme": theme, "scale": self._pages.scale}) for theme in THEMES[1:]
        ]
        return Row("Dark, and high contrast", "The latter keeps the sides apart for the colour-blind, too.", figures)


def _strip(rules: Rules, pages: Pages, game: Json, scenario: str, ends: list[Moment]) -> Row:
    """The end of each game-turn, without panel."""
    figures = []
    for one in ends:
        view = seen_by(rules, one.after, None, numbered(one.events))
        data = pages.render.map({"scenario": scenario, "view": view, "panel": False, "scale": pages.at_most(STRIP)})
        name = f"{scenario.replace('/', '-')}-t{one.turn:02d}"
        when = f"After game-turn {one.turn}" if one.turn else "After the set-up"
        figures.append(pages.draw(name, data, f"{game['title']} {when[:1].lower()}{when[1:]}", f"{when}."))
    return Row("Turn by turn", "", figures, 300)


# The sheets of a game


def _sheets(pages: Pages, key: str, title: str) -> Chapter:
    rows = []
    for part, said in PARTS.items():
        files = {}
        for theme in THEMES:
            data = pages.render.specimen({"game": key, "part": part, "theme": theme, "scale": max(SMALLEST_SHEET, pages.at_most(SHEET))})
            files[theme] = pages.draw(f"{key}-{part}-{theme}", data, f"{title}: {said.lower()}", "")
        first = files["light"]
        others = {theme: one.file for theme, one in files.items()}
        rows.append(Row(said, "", [Figure(first.file, first.size, first.alt, "", files["dark"].file, others)], 960))
    return Chapter(f"sheets-{key}", title, "specimen sheets", "Drawn from sample data where the game is not played here yet.", rows)


def _page(chapters: list[Chapter]) -> str:
    loader = jinja2.PackageLoader("worker", "templates")
    made = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    return made.get_template("gallery.html.j2").render(chapters=chapters, version=version("hexpost"))
