"""Counters as VASSAL's pieces: chains of traits, each with a type that never changes and a state, and the prototypes that they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.render.vassal.codec import chain, plain, seq

MAP = "Map"
"""The name of the map window, which is its id in saves."""
GROUND, COUNTERS = "Ground", "Counters"
"""The layers of the map, the lower first."""
CLEAR = "57344,0,clearMarks"
"""The command that takes all marks off a counter."""
OFF, ON = "1", "2"
"""Levels of the layer of a mark."""


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait: its type, and the state that it has to begin with. ``name``: by which states of it are given."""

    type: str
    state: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """The traits of a prototype, at this place."""

    prototype: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece: its traits from the outermost to the basic one, its picture and name; ``gpid``: its number in the module;
    ``size``: width and height in pixels; ``stacks``: whether it lies in stacks."""

    name: str
    image: str
    traits: tuple[Trait | Use, ...]
    gpid: int
    size: tuple[int, int]
    stacks: bool = True


def layer(
    name: str,
    images: Sequence[str],
    said: Sequence[str],
    *,
    more: tuple[str, str] = ("", ""),
    less: tuple[str, str] = ("", ""),
    loop: bool = True,
    at: tuple[int, int] = (0, 0),
    clear: bool = False,
) -> str:
    """The type of a layer that always shows one of its pictures (an empty name: nothing). ``said``: what each puts to the piece's name;
    ``more`` and ``less``: menu text and key of the next and of the former; ``clear``: it goes back to the first with all other marks."""
    fields = [
        *("", 130, "A", more[0], 130, "", less[0], 130, "", "", CLEAR if clear else "", 1, False, *at),
        *(seq(",", *images), seq(",", *said), loop, name, "", "", False, "", 1, 1, True, "", more[1], less[1], "", "1.0", "", True),
    ]
    return "emb2;" + seq(";", *fields)


def markers(values: Mapping[str, object], name: str = "") -> Trait:
    """Fixed properties."""
    return Trait("mark;" + seq(",", *values), seq(",", *(plain(str(value)) for value in values.values())), name)


def label(size: int, colour: tuple[int, int, int], low: int = 0) -> Trait:
    """A text upon the piece, ``low`` pixels below its middle; its state is the text."""
    fields = ("", "", size, "", ",".join(map(str, colour)), "c", low, "c", 0, "c", "c", "$pieceName$ ($label$)", "SansSerif", 1, 0)
    return Trait("label;" + seq(";", *fields, "TextLabel", "", False), "", "label")


def hidden(image: str, key: str) -> Trait:
    """The mask under which a player may hide his block from the other side."""
    return Trait("obs;" + seq(";", key, image, "Hide from the enemy", "B", "?", "side:", "", "", False, "", ""), "null;")


def delete(key: str) -> Trait:
    """The command that takes a piece out of the game."""
    return Trait("delete;" + seq(";", "Remove", key, ""))


UNSTACKED = Trait("immob;" + seq(";", "g", "N", "R", ""))
"""Lies by itself where it is put, off the grid's middles."""


def unfolded(traits: Iterable[Trait | Use], prototypes: Mapping[str, tuple[Trait, ...]]) -> list[Trait]:
    """The traits with those of prototypes in their place, as pieces in a game have them."""
    out: list[Trait] = []
    for one in traits:
        out += prototypes[one.prototype] if isinstance(one, Use) else (one,)
    return out


def basic(image: str, name: str) -> str:
    """The type of the innermost part: the picture and the name."""
    return "piece;" + seq(";", "", "", image, plain(name))


def definition(traits: Iterable[Trait | Use], image: str, name: str, gpid: int | str) -> str:
    """A piece or prototype as a build file has it, prototypes named and not unfolded."""
    types, states = [], []
    for one in traits:
        types.append(one.type if isinstance(one, Trait) else "prototype;" + one.prototype)
        states.append(one.state if isinstance(one, Trait) else "")
    return "+/" + seq("/", "null", chain([*types, basic(image, name)]), chain([*states, seq(";", "null", 0, 0, gpid, 0)]))


def state_at(states: Sequence[str], ident: str, gpid: int, at: tuple[int, int]) -> str:
    """The whole state of a piece that lies somewhere on the map."""
    return chain([*states, seq(";", MAP, *at, gpid, 1, "UniqueID", ident)])


def stack_state(at: tuple[int, int], ids: Iterable[str]) -> str:
    """The state of a stack: its pieces from the lowest to the top."""
    return seq(";", MAP, *at, *ids, "@@1")
