"""An owner's map art: ``map-art.toml`` in an overlay names a picture of the sheet, its size, and where the hex grid lies on it."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterable
from pathlib import Path

from scenarios.data import MapArt
from scenarios.faults import Faults
from scenarios.hexes import Hex
from scenarios.package import Package, TextFile
from scenarios.records import Record, read_toml

ART_FILE = "map-art.toml"
MOST_BYTES = 60_000_000
MOST_PIXELS = 70_000_000
SMALLEST_HEX = 8.0
"""Pixels between two columns, or two rows, at least."""
_PICTURE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}\.(?:png|jpg|jpeg)")
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the JPEG markers that a frame's size follows


def read_art(package: Package, hexes: Iterable[Hex]) -> MapArt | None:
    """The map art of a package's overlay; None if it has none, or, with faults, if it is bad. ``hexes`` must all lie on the picture.

    Keys: ``file``; ``size`` [width, height] in pixels; ``origin`` [x, y], the centre of hex 0101; ``spacing`` [dx, dy] from a column to
    the next and from a row to the next; ``numbers`` (true): whether our hex numbers are put on the picture.
    """
    path = package.overlay / ART_FILE if package.overlay is not None else None
    if path is None or not path.is_file():
        return None
    faults = Faults()
    top = _top(path, faults)
    art = _art(path, top, faults) if top is not None else None
    if art is not None and top is not None:
        _check_grid(top, art, hexes)
    for fault in faults.found:
        package.faults.add(fault.file, fault.line, fault.reason)
    return None if faults.found else art


def _top(path: Path, faults: Faults) -> Record | None:
    try:
        text = path.read_bytes()[:10_000].decode("utf-8")
    except UnicodeDecodeError:
        faults.add(str(path), 1, "not UTF-8 text")
        return None
    return read_toml(TextFile(str(path), text), faults)


def _art(path: Path, top: Record, faults: Faults) -> MapArt | None:
    name = top.text("file")
    size, origin, spacing = _pair(top, "size"), _pair(top, "origin"), _pair(top, "spacing")
    numbers = top.flag("numbers", True)
    top.done()
    if name and not _PICTURE.fullmatch(name):
        top.fault(f"not a picture's name: {name[:60]!r}; a .png, .jpg or .jpeg beside this file", "file")
    if spacing and min(spacing) < SMALLEST_HEX:
        top.fault(f"hexes closer than {SMALLEST_HEX:g} pixels", "spacing")
    if faults.found:
        return None
    picture = path.parent / name
    if not picture.is_file():
        top.fault(f"there is no file {name}", "file")
        return None
    if picture.stat().st_size > MOST_BYTES:
        top.fault(f"{name} is larger than {MOST_BYTES} bytes", "file")
        return None
    raw = picture.read_bytes()
    found = picture_size(raw)
    if found is None:
        top.fault(f"{name} is neither PNG nor JPEG", "file")
        return None
    if found != (round(size[0]), round(size[1])):
        top.fault(f"{name} is {found[0]} x {found[1]} pixels, not {size[0]:g} x {size[1]:g}", "size")
    if found[0] * found[1] > MOST_PIXELS:
        top.fault(f"{name} is {found[0]} x {found[1]} pixels: at most {MOST_PIXELS} pixels are drawn", "size")
    digest = hashlib.sha256(raw + repr((size, origin, spacing, numbers)).encode()).hexdigest()
    return MapArt(picture, found, origin, spacing, digest, numbers)


def _pair(top: Record, key: str) -> tuple[float, float]:
    """Two numbers; two noughts after a fault."""
    values = top.values(key)
    if len(values) != 2 or not all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 100_000 for v in values):
        top.fault(f"{key!r} must be two numbers of pixels", key)
        return 0.0, 0.0
    return float(values[0]), float(values[1])


def _check_grid(top: Record, art: MapArt, hexes: Iterable[Hex]) -> None:
    off = [at for at in sorted(hexes) if not art.holds(at)]
    if off:
        x, y = art.centre(off[0])
        more = f", and {len(off) - 1} more" if len(off) > 1 else ""
        top.fault(f"the centre of hex {off[0]} would lie at ({x:.0f}, {y:.0f}), off the picture{more}", "origin")


def picture_size(raw: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG or JPEG in pixels; None if it is neither."""
    if raw[:8] == b"\x89PNG\r\n\x1a\n" and len(raw) >= 24:
        width, height = struct.unpack(">II", raw[16:24])
        return width, height
    return _jpeg_size(raw) if raw[:2] == b"\xff\xd8" else None


def _jpeg_size(raw: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(raw) and raw[at] == 0xFF:
        marker, length = raw[at + 1], int.from_bytes(raw[at + 2 : at + 4], "big")
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", raw[at + 5 : at + 9])
            return width, height
        at += 1 if marker == 0xFF else 2 + max(length, 2)
    return None
