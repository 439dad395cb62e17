"""VASSAL's ways of writing: sequences in strings, obfuscation, pieces as traits. Written from the format alone, apart from the exporter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

ESC, TAB = "\x1b", "\t"


class Malformed(AssertionError):
    """The program would refuse this, or take it without a word and be wrong."""


def must(holds: object, fault: str) -> None:
    """Malformed unless something holds."""
    if not holds:
        raise Malformed(fault)


def split(text: str, mark: str) -> list[str]:
    """The items of a sequence: a mark behind a backslash belongs to its item, an item in single quotes loses them."""
    if mark not in text:
        items = [text]
    elif "\\" not in text:
        items = text.split(mark)
    else:
        items = [one.replace("\\" + mark, mark) for one in re.split(r"(?<!\\)" + re.escape(mark), text)]
    return [one[1:-1] if len(one) > 1 and one[0] == one[-1] == "'" else one for one in items]


def pair(text: str, mark: str) -> tuple[str, str | None]:
    """First item and the rest of a sequence of at most two; None where there is no second."""
    items = split(text, mark)
    must(len(items) <= 2, f"more than two items in {text[:60]!r}")
    return items[0], items[1] if len(items) == 2 else None


def plain(data: bytes) -> str:
    """The text of a ``savedGame``; it must be obfuscated, and UTF-8."""
    must(data[:5] == b"!VCSK", "not obfuscated")
    must(re.fullmatch(rb"!VCSK(?:[0-9a-fA-F]{2})+", data), "not hexadecimal behind the header")
    key = int(data[5:7], 16)
    try:
        return bytes.fromhex(data[7:].decode()).translate(bytes(one ^ key for one in range(256))).decode("utf-8")
    except UnicodeDecodeError as fault:
        raise Malformed(f"not UTF-8: {fault}") from None


_MARKS = {"mark": ",", "hideCmd": ";"}


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait of a piece: its kind (the word before the first semicolon), the fields of its type, and its state."""

    kind: str
    fields: tuple[str, ...]
    state: str

    def field(self, number: int, usual: str = "") -> str:
        """A field by its number in the format's tables, which count from 1."""
        return self.fields[number - 1] if number <= len(self.fields) else usual


@dataclass(frozen=True)
class Piece:
    """A piece. ``traits``: from the outermost to the basic one, which is last."""

    id: str
    traits: tuple[Trait, ...]
    type: str
    state: str

    @property
    def basic(self) -> Trait:
        return self.traits[-1]

    @property
    def name(self) -> str:
        return self.basic.field(4)

    @property
    def image(self) -> str:
        return self.basic.field(3)

    @cached_property
    def at(self) -> tuple[str, int, int]:
        """Map, x, y."""
        found = split(self.basic.state, ";")
        return found[0], int(found[1]), int(found[2])

    @property
    def gpid(self) -> str:
        return split(self.basic.state, ";")[3]

    @cached_property
    def properties(self) -> Mapping[str, str]:
        """The persistent properties."""
        found = split(self.basic.state, ";")[4:]
        must(len(found) == 1 + 2 * int(found[0]), f"{self.id}: {found[0]} properties announced in {found}")
        return dict(zip(found[1::2], found[2::2], strict=True))

    @cached_property
    def markers(self) -> Mapping[str, str]:
        """The constant properties."""
        found: dict[str, str] = {}
        for one in self.of("mark"):
            values = split(one.state, ",")
            must(len(values) == len(one.fields), f"{self.id}: markers {one.fields} and values {values}")
            must(not found.keys() & set(one.fields), f"{self.id}: a marker twice: {one.fields}")
            found |= dict(zip(one.fields, values, strict=True))
        return found

    @cached_property
    def layers(self) -> Mapping[str, Layer]:
        """The layers by name, from the innermost to the outermost."""
        found = [layer(one) for one in reversed(self.of("emb2"))]
        must(len({one.name for one in found}) == len(found), f"{self.id}: two layers of one name")
        return {one.name: one for one in found}

    def of(self, kind: str) -> list[Trait]:
        return [one for one in self.traits if one.kind == kind]

    def shown(self) -> list[str]:
        """The images that are drawn, from the lowest to the uppermost."""
        return [one for one in (self.image, *(layer.shown for layer in self.layers.values())) if one]

    def images(self) -> frozenset[str]:
        """Every image that the piece may ever ask for."""
        return _images(self.type)

    def moved_to(self, where: str, x: int, y: int) -> Piece:
        """The same piece elsewhere."""
        found = split(self.basic.state, ";")
        state = self.state.removesuffix(self.basic.state) + ";".join((where, str(x), str(y), *found[3:]))
        return piece(self.id, self.type, state)


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer: an image for each level, the level that is up (from 1), and whether it is drawn."""

    name: str
    images: tuple[str, ...]
    names: tuple[str, ...]
    level: int
    active: bool

    @property
    def shown(self) -> str:
        return self.images[self.level - 1] if self.active else ""


def layer(trait: Trait) -> Layer:
    """A layer from its trait; its level must be one that it has."""
    images, names = split(trait.field(16), ","), split(trait.field(17), ",")
    value = int(trait.state)
    must(len(images) == len(names), f"layer {trait.field(19)}: {len(images)} images, {len(names)} names")
    must(1 <= abs(value) <= len(images), f"layer {trait.field(19)}: level {value} of {len(images)}")  # it would be clamped
    must(trait.field(25) == "1", f"layer {trait.field(19)}: keys of the old style")
    always = trait.field(26) == "true"
    must(value > 0 or not always, f"layer {trait.field(19)}: always active and not active")
    return Layer(trait.field(19), tuple(images), tuple(names), abs(value), value > 0)


@lru_cache(maxsize=4096)
def _images(kind: str) -> frozenset[str]:
    found: set[str] = set()
    for word, fields in _types(kind):
        trait = Trait(word, fields, "")
        named = {"piece": trait.field(3), "markmoved": trait.field(1), "obs": trait.field(2)}
        found |= {named.get(word, "")} | (set(split(trait.field(16), ",")) if word == "emb2" else set())
    return frozenset(found - {""})


def piece(one: str, kind: str, state: str) -> Piece:
    """A piece from id, type and state: as many states as traits, no prototype left, the basic piece last."""
    types, states = _types(kind), _unnested(state, kind.count(TAB) + 1)
    must(len(types) == len(states), f"{one}: {len(types)} traits and {len(states)} states")
    traits = [Trait(word, fields, said) for (word, fields), said in zip(types, states, strict=True)]
    must(traits[-1].kind == "piece" and all(t.kind != "piece" for t in traits[:-1]), f"{one}: the basic piece is not last")
    return Piece(one, tuple(traits), kind, state)


@lru_cache(maxsize=4096)
def _types(kind: str) -> list[tuple[str, tuple[str, ...]]]:
    """Word and fields of each trait of a type; many pieces are of one type, and have it in every file."""
    found = []
    for text in _unnested(kind):
        word, semicolon, rest = text.partition(";")
        must(semicolon, f"no trait: {text[:60]!r}")
        found.append((word, tuple(split(rest, _MARKS.get(word, ";")))))
    return found


def _unnested(text: str, most: int | None = None) -> list[str]:
    found: list[str] = []
    rest: str | None = text
    while rest is not None:
        first, rest = pair(rest, TAB)
        found.append(first)
    must(most is None or len(found) <= most, f"more states than traits: {text[:80]!r}")
    return found


def expanded(found: Piece, prototypes: Mapping[str, Piece]) -> Piece:
    """A piece of a palette as it enters a game: in place of a prototype stand its traits."""
    traits: list[Trait] = []
    for one in found.traits:
        if one.kind == "prototype":
            must(one.field(1) in prototypes, f"{found.name}: no prototype {one.field(1)!r}")
            traits += expanded(prototypes[one.field(1)], prototypes).traits[:-1]
        elif one.kind != "cmt":
            traits.append(one)
    return replace(found, traits=tuple(traits))


def definition(text: str) -> Piece:
    """A piece definition: what stands in a palette or a prototype."""
    items = split(text, "/")
    must(len(items) == 4 and items[0] == "+" and items[1] == "null", f"no piece definition: {text[:60]!r}")
    return piece("null", items[2], items[3])
