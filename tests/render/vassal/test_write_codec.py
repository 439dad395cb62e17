"""VASSAL's delimited lists, its mask, its zip files: by the rules of the engine, worked out by hand."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from services.render.vassal.codec import Stamp, chain, ident, masked, plain, seq, tag


@pytest.mark.parametrize(
    ("delimiter", "items", "text"),
    [
        (",", ("a", None, "b"), "a,,b"),
        (",", ("a,b", "c"), r"a\,b,c"),
        (",", (seq(",", "a", "b"), "c"), r"a\,b,c"),
        (";", (True, False, 3, 1.5), "true;false;3;1.5"),
        (";", ("\\x", "y"), "'\\x';y"),
        (";", ("'quoted'", "'", "it's"), "''quoted'';';it's"),
        (";", (r"C:\dir", "b"), r"C:\dir;b"),
        (";", (), ""),
    ],
)
def test_a_list_is_written_as_the_engine_writes_it(delimiter: str, items: tuple[object, ...], text: str) -> None:
    assert seq(delimiter, *items) == text


def test_a_list_in_a_list_in_a_list_adds_one_backslash_each_time() -> None:
    assert chain(["a", "b", "c", "d"]) == "a\tb\\\tc\\\\\td"


def test_what_ends_in_a_backslash_would_hide_the_delimiter() -> None:
    with pytest.raises(ValueError, match="backslash"):
        seq(";", "name\\", "b")
    assert plain("a name\\\n\x1b") == "a name"
    assert plain("path\\\\") == "path"


def test_the_mask_is_over_the_bytes_of_utf_8() -> None:
    made = masked("é/ü")
    key = int(made[5:7], 16)
    assert made[:5] == b"!VCSK"
    assert bytes(byte ^ key for byte in bytes.fromhex(made[7:].decode())) == "é/ü".encode()


def test_a_zip_file_has_the_date_of_its_version_and_always_the_same_bytes() -> None:
    first, other = Stamp("Game", "1.0-aa"), Stamp("Game", "1.0-bb")
    entries = {"buildFile.xml": b"<x/>" * 100, "images/a.png": b"\x89PNG"}
    assert first.archive(entries) == Stamp("Game", "1.0-aa").archive(entries) != other.archive(entries)
    dates = [info.date_time for info in zipfile.ZipFile(BytesIO(first.archive(entries))).infolist()]
    assert dates == [first.date] * 2
    assert (2020, 1, 1) <= first.date[:3] <= (2024, 12, 28)
    assert first.date != other.date


def test_metadata_name_the_module_its_version_and_the_engine() -> None:
    said = Stamp('A & "B" <C>', "1.0-aa").metadata("x", named=True).decode()
    assert "<name>A &amp; &quot;B&quot; &lt;C&gt;</name>" in said
    assert "<version>1.0-aa</version>" in said
    assert "<VassalVersion>3.7.0</VassalVersion>" in said
    assert "<name>" not in Stamp("A", "1").metadata("x", named=False).decode()


def test_an_element_of_a_build_file() -> None:
    made = tag("Map.Zoomer", {"zoomStart": 3, "in": 'a"b\t', "on": True}, tag("M.Chatter"))
    assert made.startswith(
        '<VASSAL.build.module.map.Zoomer zoomStart="3" in="a&quot;b&#9;" on="true"><VASSAL.build.module.Chatter/></VASSAL.'
    )


def test_an_id_needs_the_secret_and_has_digits_alone() -> None:
    one = ident(b"k" * 32, "unit", "21PZ")
    assert one.isdigit()
    assert one == ident(b"k" * 32, "unit", "21PZ")
    assert len({one, ident(b"l" * 32, "unit", "21PZ"), ident(b"k" * 32, "unit", "15PZ"), ident(b"k" * 32, "unit21PZ")}) == 4
