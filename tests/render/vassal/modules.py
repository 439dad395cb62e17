"""A VASSAL module as the program reads it: its build file, its pictures, and all that would go wrong without a word."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from PIL import Image

from tests.render.vassal.codec import Malformed, Piece, definition, must
from tests.render.vassal.grids import HEX_GRID, NUMBERING, Grid, grid

M = "VASSAL.build.module."
BOARD = M + "map.boardPicker.Board"
ZONE = M + "map.boardPicker.board.mapgrid.Zone"
REGION = M + "map.boardPicker.board.Region"
SLOT = "VASSAL.build.widget.PieceSlot"
ICONS = ("image", "icon", "buttonIcon", "markUnmovedIcon", "fileName", "nexticon", "previcon", "path")
PICTURE = re.compile(r"\.(png|gif|jpe?g|svg)\Z", re.I)


@dataclass(frozen=True)
class Module:
    """A module. ``files``: all entries of the archive."""

    files: Mapping[str, bytes]
    root: ET.Element

    @property
    def name(self) -> str:
        return self.root.attrib["name"]

    @property
    def version(self) -> str:
        return self.root.attrib["version"]

    @cached_property
    def data(self) -> ET.Element:
        return ET.fromstring(self.files["moduledata"])

    def all(self, tag: str) -> list[ET.Element]:
        """The elements of a class, or of a class of the usual package."""
        return [one for one in self.root.iter() if one.tag in (tag, M + tag)]

    @cached_property
    def pictures(self) -> Mapping[str, tuple[int, int]]:
        """The pictures in the archive by name, and their size. Malformed if one cannot be opened."""
        found = {}
        for entry, data in self.files.items():
            if entry.startswith("images/"):
                try:
                    with Image.open(io.BytesIO(data)) as image:
                        image.load()
                        found[entry.removeprefix("images/")] = image.size
                except (OSError, SyntaxError) as fault:
                    raise Malformed(f"{entry} is no picture: {fault}") from None
        return found

    @cached_property
    def prototypes(self) -> Mapping[str, Piece]:
        found = [(one.attrib["name"], definition((one.text or "").strip())) for one in self.all("PrototypeDefinition")]
        must(len(dict(found)) == len(found), "two prototypes of one name")
        return dict(found)

    @cached_property
    def slots(self) -> Mapping[str, Piece]:
        """The pieces of palettes and at-start stacks by gpid, with prototypes in place."""
        found = [(one.attrib["gpid"], definition((one.text or "").strip())) for one in self.root.iter(SLOT)]
        must(len(dict(found)) == len(found), "two slots of one gpid")
        must(all(int(key) < int(self.root.attrib["nextPieceSlotId"]) for key, _ in found), "a gpid beyond nextPieceSlotId")
        return dict(found)

    @cached_property
    def maps(self) -> list[str]:
        return [one.attrib["mapName"] for one in self.all("Map")]

    @cached_property
    def boards(self) -> Mapping[str, tuple[int, int]]:
        """The boards by name, and their size in pixels."""
        found = {}
        for one in self.root.iter(BOARD):
            image = one.attrib.get("image")
            found[one.attrib["name"]] = self.pictures[image] if image else (int(one.attrib["width"]), int(one.attrib["height"]))
        return found

    @cached_property
    def grid(self) -> Grid:
        """The one hex grid."""
        (found,) = self.root.iter(HEX_GRID)
        (numbering,) = found.iter(NUMBERING)
        return grid(found.attrib, numbering.attrib)

    @cached_property
    def origin(self) -> tuple[int, int]:
        """Where the first board lies on its map."""
        one = self.all("Map")[0].attrib
        return int(one.get("edgeWidth", "0")), int(one.get("edgeHeight", "0"))

    @cached_property
    def zones(self) -> Mapping[str, list[tuple[int, int]]]:
        """The corners of each zone by its name, in pixels of the board."""
        zones = self.root.iter(ZONE)
        return {one.attrib["name"]: [_point(corner) for corner in one.attrib["path"].split(";")] for one in zones}

    @cached_property
    def regions(self) -> Mapping[str, tuple[int, int]]:
        return {one.attrib["name"]: (int(one.attrib["originx"]), int(one.attrib["originy"])) for one in self.root.iter(REGION)}

    @cached_property
    def scenarios(self) -> Mapping[str, str]:
        """The predefined set-ups that are files: their titles, and the files' names."""
        setups = [one.attrib for one in self.all("PredefinedSetup")]
        return {one["name"]: one["file"] for one in setups if one.get("useFile", "true") == "true" and one.get("file")}

    @property
    def sides(self) -> list[str]:
        (found,) = self.all("PlayerRoster")
        return [(one.text or "").strip() for one in found]

    @property
    def pieces(self) -> Iterator[Piece]:
        yield from self.prototypes.values()
        yield from self.slots.values()

    def named_pictures(self) -> set[str]:
        """Every picture that the module asks for; those of the program itself (with a slash) apart."""
        named = {one.attrib[key] for one in self.root.iter() for key in ICONS if PICTURE.search(one.attrib.get(key, ""))}
        for one in self.pieces:
            named |= one.images()
        for entry, data in self.files.items():
            if entry.endswith((".html", ".htm")):
                told = re.findall(r"""<img[^>]*\ssrc=["']([^"']+)["']""", data.decode("utf-8"), re.I)
                named |= {one.rpartition("images/")[2] for one in told}
        return {one for one in named if not one.startswith("/")}


def _point(text: str) -> tuple[int, int]:
    x, _, y = text.partition(",")
    return int(x), int(y)


def archive(data: bytes) -> Mapping[str, bytes]:
    """The entries of a ZIP file, none of them twice, none of them damaged."""
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        must(found.testzip() is None, "a damaged entry")
        must(len(set(found.namelist())) == len(found.namelist()), "an entry twice")
        return {one: found.read(one) for one in found.namelist()}


def read_module(data: bytes) -> Module:
    """A module; Malformed where the program would lose something."""
    files = archive(data)
    must("buildFile.xml" in files and "moduledata" in files and "buildFile" not in files, "no module, or two build files")
    must(b"<![CDATA[" not in files["buildFile.xml"], "CDATA is not read")
    root = ET.fromstring(files["buildFile.xml"])
    must(root.tag in (M + "GameModule", "VASSAL.build.GameModule", "VASSAL.launch.BasicModule"), f"root {root.tag}")
    must(root[0].tag == M + "BasicCommandEncoder", "the decoder of pieces is not first")
    found = Module(files, root)
    must(found.data.findtext("name") == found.name and found.data.findtext("version") == found.version, "module data of another module")
    must(found.data.findtext("VassalVersion") == root.attrib["VassalVersion"] == "3.7.0", "not for every 3.7")
    must(len(set(found.maps)) == len(found.maps), "two maps of one name")
    for one in found.all("Map"):
        must(one[0].tag == M + "map.BoardPicker", "the board picker is not first in its map")
    return found
