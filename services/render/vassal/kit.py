"""All that a game is made of in VASSAL: the board, each kind of piece with its number, the prototypes, the pictures.

Nothing here is of a game in progress; ``places`` puts the pieces of a view on the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scenarios.data import Card, GameData
from scenarios.hexes import Hex
from services.render.counters.badges import marker
from services.render.counters.counters import HANG, badge_radius
from services.render.counters.faces import HIDDEN, Face, face_png, faces
from services.render.counters.plan import edge_of
from services.render.happened.kinds import STANDING
from services.render.panel.frames import cube, gold
from services.render.panel.looks import MoraleLook, PhaseLook, SitesLook, SupportLook, TrackLook, TurnsLook, WeatherLook
from services.render.panel.morale import chip
from services.render.style import Sheet, SideLook
from services.render.vassal import images
from services.render.vassal.codec import chain, plain, seq
from services.render.vassal.ground import Ground, draw_ground, lay
from services.render.vassal.pieces import (
    COUNTERS,
    GROUND,
    UNSTACKED,
    Piece,
    Trait,
    Use,
    basic,
    delete,
    hidden,
    label,
    layer,
    markers,
    unfolded,
)
from services.render.vassal.stages import Stage, stages

SIGNS = "Markers"
"""The layer of what lies upon counters."""
LAID = {"interdicted": "interdiction", "barraged": "barrage"}
"""What lies on the map (``kinds.STANDING``) -> the marker of the style sheet that shows it."""
_BLANK = " " * 12
"""What stands on the slip of an unknown block, where VASSAL writes its alias: nothing, and wide."""
_RESERVED = "DFGIRXCVZ"
"""Letters whose keys mean something else than a mark, here or in VASSAL."""


@dataclass(frozen=True)
class Kit:
    """The pieces of a game in one theme. ``pieces``: by ``card:ID``, ``unknown:SIDE`` or the name of a token; ``cards``: their faces."""

    data: GameData
    sheet: Sheet
    ground: Ground
    flags: dict[Hex, tuple[int, int]]
    prototypes: dict[str, tuple[Trait, ...]]
    pieces: dict[str, Piece]
    images: dict[str, bytes]
    cards: dict[str, tuple[Face, ...]]

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The parts of a game-turn."""
        return stages(self.data, self.sheet)

    @cached_property
    def whole(self) -> dict[str, tuple[str, tuple[Trait, ...]]]:
        """Piece -> its type as a game in progress has it, ready for a command, and its traits with those of prototypes in their place."""
        out = {}
        for key, piece in self.pieces.items():
            traits = tuple(unfolded(piece.traits, self.prototypes))
            out[key] = (seq("/", chain([*(one.type for one in traits), basic(piece.image, piece.name)])), traits)
        return out

    def token(self, name: str) -> bool:
        """Whether the game has a token of that name."""
        return name in self.pieces


@dataclass
class _Making:
    """A kit in the making."""

    data: GameData
    sheet: Sheet
    ground: Ground
    prototypes: dict[str, tuple[Trait, ...]]
    pieces: dict[str, Piece]
    images: dict[str, bytes]

    def add(self, key: str, name: str, picture: str, traits: list[Trait | Use], size: tuple[int, int], stacks: bool = True) -> None:
        self.pieces[key] = Piece(plain(name), picture, tuple(traits), len(self.pieces) + 1, size, stacks)

    def token(self, key: str, name: str, content: bytes, size: int, more: list[Trait | Use] | None = None, level: str = GROUND) -> None:
        """A piece of one picture that lies by itself."""
        file = _file(key)
        self.images[file] = content
        known = markers({"Kind": "token", "Token": key, "Layer": level})
        self.add(key, name, file, [UNSTACKED, *(more or []), known], (size, size), stacks=False)


def make_kit(data: GameData, sheet: Sheet) -> Kit:
    """The kit of a game, everything drawn."""
    ground = lay(data, sheet)
    canvas, flags = draw_ground(data, sheet, ground)
    making = _Making(data, sheet, ground, {}, {}, {})
    making.images["board.png"] = images.flat(canvas, sheet)
    _marks(making)
    _sides(making)
    found = {card.id: tuple(face for face in faces(card, sheet) if not face.hidden) for card in data.cards.values()}
    for card in data.cards.values():
        _counter(making, card, found[card.id])
    if sheet.style.counters.make == "block":
        for side in data.sides:
            _unknown(making, side)
    _tokens(making)
    return Kit(data, sheet, ground, flags, making.prototypes, making.pieces, making.images, found)


def _file(key: str) -> str:
    return "".join(sign if sign.isalnum() or sign == "-" else "-" for sign in key) + ".png"


def _keys(words: list[str]) -> dict[str, str]:
    """A letter for each word: one of its own, else the next free one."""
    free = [chr(k) for k in range(ord("A"), ord("Z") + 1) if chr(k) not in _RESERVED]
    out: dict[str, str] = {}
    for word in words:
        letter = next((one for one in word.upper() if one in free), free[0] if free else "")
        if letter:
            free.remove(letter)
        out[word] = f"{ord(letter)},130" if letter else ""
    return out


def _marks(making: _Making) -> None:
    """The layers of the marks, in one prototype: every counter has them, so that a log can show them come and go."""
    sheet, size = making.sheet, making.ground.counter
    style = sheet.style.counters
    radius, edge, half = badge_radius(size), edge_of(size, sheet), size / 2
    traits = []
    keys = _keys(list(style.badges))
    for k, (mark, look) in enumerate(style.badges.items()):
        file = f"mark-{mark}.png"
        making.images[file] = images.badge(mark, radius, sheet)
        x = size - edge - radius * (1.1 + 2.1 * (k % 4)) - half
        y = (half + radius * (HANG - 1)) if k // 4 % 2 == 0 else (-half - radius * (HANG - 1))
        name = look.name or mark.capitalize()
        traits.append(_mark(mark, file, name, keys[mark], (round(x), round(y))))
    if style.make == "block":
        making.images["mark-seen.png"] = images.past(radius, sheet)
        traits.append(
            _mark("seen", "mark-seen.png", "Strength when last seen", "", (round(radius * 0.7 - half), round(radius * 0.4 - half)))
        )
    making.prototypes["Marks"] = tuple(traits)


def _mark(mark: str, file: str, name: str, key: str, at: tuple[int, int]) -> Trait:
    made = layer(f"Mark_{mark}", ("", file), ("", f"+ [{name}]"), more=(name if key else "", key), at=at, clear=True)
    return Trait(made, "1", f"mark:{mark}")


def _sides(making: _Making) -> None:
    """What all counters of a side have in common."""
    data, style = making.data, making.sheet.style.counters
    for side in data.sides:
        traits = [markers({"Side": side, "SideName": data.side_names.get(side, side), "Layer": COUNTERS})]
        if style.make == "block":
            blank = next((card for card in data.cards.values() if card.side == side), None)
            if blank is not None:
                making.images[f"hidden-{side}.png"] = face_png(
                    blank, Face(HIDDEN, hidden=True), making.ground.counter, making.sheet, _BLANK
                )
        making.prototypes[f"Side {side}"] = tuple(traits)


def _counter(making: _Making, card: Card, shown: tuple[Face, ...]) -> None:
    sheet, size = making.sheet, making.ground.counter
    files = []
    for face in shown:
        files.append(f"{card.id}-{face.name}.png")
        making.images[files[-1]] = face_png(card, face, size, sheet)
    steps = bool(shown[0].num)
    said = [f"+ [{face.num[0][1]}]" if face.num else f"+ ({face.name})" if face.marks else "" for face in shown]
    more, less = (("", ""), ("", ""))
    if len(shown) > 1:
        more, less = (("Lose a step", "70,130"), ("Regain a step", "71,130")) if steps else (("Flip", "70,130"), ("", ""))
    traits: list[Trait | Use] = [delete("68,130"), Use("Marks")]
    if steps and f"hidden-{card.side}.png" in making.images:
        traits.append(hidden(f"hidden-{card.side}.png", "73,130"))
    traits.append(Trait(layer("Face", files, said, more=more, less=less, loop=not steps), "1", "face"))
    traits += [Use(f"Side {card.side}"), markers(_printed(card))]
    making.add(f"card:{card.id}", f"{card.name} ({card.id})", files[0], traits, (size, size))


def _printed(card: Card) -> dict[str, object]:
    """What is printed on a counter, as properties by which a player may search and count."""
    values = {key: value for key, value in card.values.items() if value is not None and str(value)}
    return {"Kind": "counter", "Unit": card.id, "Card": card.id, "Name": card.name, "Nation": card.nation, **values}


def _unknown(making: _Making, side: str) -> None:
    """The block of which nothing is known but its side: one for all."""
    file = f"hidden-{side}.png"
    if file not in making.images:
        return
    size = making.ground.counter
    text = label(max(round(size * 0.23), 9), making.sheet.palette.named["ink"])
    known = markers({"Kind": "unknown", "Unit": "?"})
    traits: list[Trait | Use] = [delete("68,130"), text, Use("Marks"), Use(f"Side {side}"), Trait("mark;Alias", "?", "alias"), known]
    making.add(f"unknown:{side}", f"Unknown block ({making.data.side_names.get(side, side)})", file, traits, (size, size))


def _tokens(making: _Making) -> None:
    """The pieces of tracks and places."""
    data, sheet, unit = making.data, making.sheet, making.ground.lattice.radius
    sides = sheet.style.sides
    side = round(unit * 0.5)
    ink, named = sheet.palette.named["ink"], formations(data)
    beyond = label(max(round(side * 0.45), 8), ink)
    under = label(max(round(side * 0.45), 8), ink, round(unit * 0.34))
    for box in (box for row in sheet.style.panel.rows for box in row.boxes):
        match box:
            case TurnsLook():
                making.token("turn", "Game-turn", _cube(gold(sheet), side, sheet), side)
            case TrackLook():
                for owner, look in (("", gold(sheet)), *((name, sides[name]) for name in data.sides)):
                    name = f"{box.title} ({data.side_names.get(owner, owner)})" if owner else box.title
                    making.token(f"track:{box.key}:{owner}", name, _cube(look, side, sheet), side, [beyond])
            case WeatherLook():
                making.token("weather", "Weather", _cube(gold(sheet), side, sheet), side)
            case PhaseLook():
                making.token("phase", "Phase", _cube(gold(sheet), side, sheet), side)
            case MoraleLook() if box.side in sides:
                for key, name in box.names.items():
                    made = chip(sides[box.side], name, round(unit * 1.2), round(unit * 0.48), sheet)
                    said = f"{named.get(key, name)}: {box.title}"
                    making.token(f"morale:{key}", said, images.picture(made, sheet), side, [under])
            case SitesLook():
                _flags(making)
            case SupportLook():
                for kind in ("air", "leader"):
                    _support(making, kind, unit)
            case _:
                pass
    for laid in STANDING:
        if LAID.get(laid) in sheet.style.counters.markers:
            size = round(unit * 0.72)
            made = marker(LAID[laid], size, sheet)
            figure = label(max(round(size * 0.3), 8), sheet.palette.named["ink"], round(size * 0.3))
            making.token(f"laid:{laid}", laid.capitalize(), images.picture(made, sheet), size, [delete("68,130"), figure], SIGNS)


def _cube(look: SideLook, side: int, sheet: Sheet) -> bytes:
    return images.picture(cube(look, side, "", sheet), sheet)


def _flags(making: _Making) -> None:
    """A flag of any side for a place whose control counts."""
    if "control" in making.pieces:
        return
    high = round(making.ground.lattice.radius * 0.5)
    files = []
    for side in making.data.sides:
        files.append(f"flag-{side}.png")
        making.images[files[-1]] = images.banner(high, making.sheet.style.sides[side], making.sheet)
    said = [f"+ ({making.data.side_names.get(side, side)})" for side in making.data.sides]
    turned = Trait(layer("Face", files, said, more=("Change hands", "70,130")), "1", "face")
    known = [markers({"Kind": "token", "Token": "control", "Layer": GROUND}), Trait("mark;Place", "", "place")]
    making.add("control", "Control", files[0], [UNSTACKED, turned, *known], (2 * high, 2 * high), stacks=False)


def _support(making: _Making, kind: str, unit: int) -> None:
    """Air units or leaders of each side, fresh and spent; which one it is says the label."""
    for side in making.data.sides:
        key, look = f"{kind}:{side}", making.sheet.style.sides[side]
        if key in making.pieces:
            continue
        reach = round(unit * 0.44)
        files = [f"{kind}-{side}.png", f"{kind}-{side}-spent.png"]
        for file, free in zip(files, (True, False), strict=True):
            making.images[file] = images.support(kind, reach, look, free, making.sheet)
        turned = Trait(layer("Face", files, ("", "+ (spent)"), more=("Spend or refresh", "70,130")), "1", "face")
        named = label(max(round(unit * 0.2), 9), making.sheet.palette.named["ink"], round(unit * 0.58))
        known = [markers({"Kind": "token", "Token": key, "Side": side, "Layer": GROUND}), Trait("mark;Name", "", "title")]
        said = f"{'Air unit' if kind == 'air' else 'Leader'} ({making.data.side_names.get(side, side)})"
        making.add(key, said, files[0], [UNSTACKED, named, turned, *known], (2 * reach, 2 * reach), stacks=False)


def formations(data: GameData) -> dict[str, str]:
    """The name of each formation that the game's chart of morale has, with what its counters bear: ``10th Bersaglieri (10B)``."""
    chart = data.charts.get("morale")
    rows = [one for one in (chart if isinstance(chart, list | tuple) else ()) if isinstance(one, Mapping)]
    return {str(one["parent"]): f"{one['name']} ({one['parent']})" for one in rows if one.get("parent") and one.get("name")}


def palettes(kit: Kit) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """The palettes: a tab a side with a list a formation (or nation), and one of markers; each piece by its key."""
    style, named = kit.sheet.style.counters, formations(kit.data)
    for side in kit.data.sides:
        groups: dict[str, list[str]] = {}
        for card in kit.data.cards.values():
            if card.side == side:
                parent = str(card.values.get(style.counter.parent) or "")
                groups.setdefault(named.get(parent, parent) or card.nation.replace("-", " ").title() or "Units", []).append(
                    f"card:{card.id}"
                )
        if f"unknown:{side}" in kit.pieces:
            groups["Unknown"] = [f"unknown:{side}"]
        yield kit.data.side_names.get(side, side), list(groups.items())
    rest = [key for key, piece in kit.pieces.items() if not piece.stacks]
    if rest:
        yield "Markers", [("Markers", rest)]
