"""How VASSAL writes things down: nested delimited lists, the mask over a save, its zip files and their metadata."""

from __future__ import annotations

import calendar
import hashlib
import hmac
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO

TAB, ESC = "\t", "\x1b"
VASSAL = "3.7.0"
"""The version that the files are for: they open in it and in all later ones."""
_PACKED = (".png", ".jpg")


def seq(delimiter: str, *items: object) -> str:
    """Items as one list: None is empty, the delimiter within an item is escaped, truth is written as Java does.

    ValueError for an item that ends in a backslash, which would hide the delimiter behind it.
    """
    return delimiter.join([_item(delimiter, item) for item in items])


def _item(delimiter: str, item: object) -> str:
    if item is None:
        return ""
    text = written(item)
    if text.endswith("\\"):
        raise ValueError(f"a text for VASSAL may not end in a backslash: {text!r}")
    quoted = text.startswith("\\") or (len(text) > 1 and text[0] == text[-1] == "'")
    if delimiter in text:
        text = text.replace(delimiter, "\\" + delimiter)
    return f"'{text}'" if quoted else text


def written(item: object) -> str:
    """A value as Java prints it."""
    return ("true" if item else "false") if isinstance(item, bool) else str(item)


def chain(parts: Iterable[str]) -> str:
    """The parts of a piece, the outermost first, each list within the one before it."""
    *outer, inner = parts
    for part in reversed(outer):
        inner = seq(TAB, part, inner)
    return inner


def plain(text: str, most: int = 120) -> str:
    """A text as VASSAL can hold it anywhere: no control characters, no backslash at its end, no more than ``most`` characters."""
    return "".join(sign if sign.isprintable() else " " for sign in text)[:most].strip().rstrip("\\")


def stream(commands: Iterable[str]) -> str:
    """Commands in their order, as the text of a save or a log."""
    return seq(ESC, *commands)


def masked(text: str) -> bytes:
    """A text as VASSAL stores it: each byte of its UTF-8 form under a key of one byte that stands before them. It hides nothing."""
    raw = text.encode()
    key = hashlib.sha256(raw).digest()[0]
    return b"!VCSK" + f"{key:02x}".encode() + raw.translate(bytes(k ^ key for k in range(256))).hex().encode()


def ident(secret: bytes, *words: object) -> str:
    """The id of a piece or stack: decimal digits that say nothing to who does not know the secret."""
    said = "\0".join(map(str, words)).encode()
    return str(int.from_bytes(hmac.digest(secret, said, "sha256")[:7], "big"))


@dataclass(frozen=True, slots=True)
class Stamp:
    """What all files of one module say of it: its name and version, and a date, which its version alone decides, since equal content has
    to give equal bytes."""

    name: str
    version: str

    @property
    def date(self) -> tuple[int, int, int, int, int, int]:
        """A day of the years 2020 to 2024, with the time."""
        n = int.from_bytes(hashlib.sha256(self.version.encode()).digest()[:6], "big")
        n, day = divmod(n, 28)
        n, month = divmod(n, 12)
        n, year = divmod(n, 5)
        return 2020 + year, 1 + month, 1 + day, 8 + n % 12, n // 12 % 60, 0

    def metadata(self, description: str, *, named: bool) -> bytes:
        """The metadata of a module (``named``) or of a save."""
        milliseconds = calendar.timegm((*self.date, 0, 0, 0)) * 1000
        name = f"<name>{escape(self.name)}</name>" if named else ""
        return (
            '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
            f'<data version="1"><version>{escape(self.version)}</version><extra1/><extra2/><VassalVersion>{VASSAL}</VassalVersion>'
            f"<dateSaved>{milliseconds}</dateSaved><description>{escape(description)}</description>{name}</data>\n"
        ).encode()

    def archive(self, entries: Mapping[str, bytes]) -> bytes:
        """A zip file, the same bytes for the same entries."""
        out = BytesIO()
        with zipfile.ZipFile(out, "w") as folder:
            for name, content in entries.items():
                info = zipfile.ZipInfo(name, self.date)
                info.create_system, info.external_attr = 3, 0o644 << 16
                info.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
                folder.writestr(info, content, compresslevel=6)
        return out.getvalue()

    def saved(self, commands: Iterable[str], description: str) -> bytes:
        """A save or a log with these commands."""
        return self.archive(
            {
                "savedGame": masked(stream(commands)),
                "savedata": self.metadata(description, named=False),
                "moduledata": self.metadata("", named=True),
            }
        )


def escape(text: str) -> str:
    """A text inside XML, where line ends and tabs in attributes are written as numbers."""
    for sign, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\t", "&#9;"), ("\n", "&#10;"), (ESC, "")):
        if sign in text:
            text = text.replace(sign, written)
    return text


def tag(name: str, attributes: Mapping[str, object] | None = None, *inside: str) -> str:
    """An element of a build file; ``inside`` is XML already. The short prefixes stand for VASSAL's packages."""
    prefix, _, rest = name.partition(".")
    whole = f"{_PACKAGES[prefix]}.{rest}" if prefix in _PACKAGES else name
    said = "".join(f' {key}="{escape(written(value))}"' for key, value in (attributes or {}).items())
    return f"<{whole}{said}>{''.join(inside)}</{whole}>" if inside else f"<{whole}{said}/>"


_PACKAGES = {
    "M": "VASSAL.build.module",
    "Map": "VASSAL.build.module.map",
    "P": "VASSAL.build.module.map.boardPicker",
    "B": "VASSAL.build.module.map.boardPicker.board",
    "W": "VASSAL.build.widget",
}
