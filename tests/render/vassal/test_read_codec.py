"""The reader itself: the format's own examples, and that it sees what the program would take without a word."""

from __future__ import annotations

import pytest

from tests.render.vassal.codec import ESC, TAB, Malformed, Piece, definition, expanded, pair, piece, plain, split

STEP = "emb2;;130;A;Flip;130;F;;130;;;;1;false;0;0;a.png,b.png;,+ (reduced);true;Step;;;false;;1;1;true;;70,130;;;1.0;;true"
BASIC = "piece;;;red1.png;1st Corps"
AT = "Main;120;80;7;1;UniqueID;7"


def test_items_keep_escaped_marks_and_lose_quotes() -> None:
    assert split(r"a;b\;c;;'x;", ";") == ["a", "b;c", "", "'x", ""]
    assert split("'quoted',plain,'", ",") == ["quoted", "plain", "'"]
    assert split("", ",") == [""]
    assert split(r"70\,130,71\,130", ",") == ["70,130", "71,130"]
    assert pair("a" + TAB + "b\\" + TAB + "c", TAB) == ("a", "b" + TAB + "c")


def test_text_is_read_through_its_key_and_nothing_else_is() -> None:
    assert plain(b"!VCSK2b" + bytes(one ^ 0x2B for one in "Żagań".encode()).hex().encode()) == "Żagań"
    for wrong in (b"begin_save", b"!VCSK2bzz", b"!VCSK00ff"):
        with pytest.raises(Malformed):
            plain(wrong)


def test_a_piece_is_its_traits_from_the_outermost_in() -> None:
    found = piece("7", f"mark;Side{TAB}{STEP}\\{TAB}{BASIC}", f"Red{TAB}2\\{TAB}{AT}")
    assert (found.name, found.image, found.at, found.gpid) == ("1st Corps", "red1.png", ("Main", 120, 80), "7")
    assert (found.markers, found.properties) == ({"Side": "Red"}, {"UniqueID": "7"})
    assert found.shown() == ["red1.png", "b.png"]
    assert found.images() == {"red1.png", "a.png", "b.png"}
    moved = found.moved_to("Main", 5, 6)
    assert (moved.at, moved.markers, moved.properties) == (("Main", 5, 6), found.markers, found.properties)


def test_a_prototype_unfolds_in_its_place() -> None:
    slot = definition(f"+/null/prototype;Red{TAB}{BASIC}/{TAB}null;0;0;7;0")
    red = definition(f"+/null/mark;Side{TAB}piece;;;;/Red{TAB}null;0;0;;0")
    assert expanded(slot, {"Red": red}).markers == {"Side": "Red"}


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (f"mark;Side{TAB}{BASIC}", AT),  # a state is missing
        (BASIC, f"{TAB}{AT}"),
        (f"{STEP}{TAB}{BASIC}", f"3{TAB}{AT}"),  # it has two levels
        (f"{STEP}{TAB}{BASIC}", f"-1{TAB}{AT}"),  # and is always active
        (f"mark;A,B{TAB}{BASIC}", f"x{TAB}{AT}"),
        (f"{BASIC}{TAB}mark;Side", f"{AT}{TAB}Red"),
        ("stack", "Main;0;0;@@0"),
        (BASIC, "Main;1;1;7;2;UniqueID;7"),
    ],
)
def test_what_the_program_would_lose_is_malformed(kind: str, state: str) -> None:
    with pytest.raises((Malformed, ValueError)):
        all_of(piece("7", kind, state))


def all_of(found: Piece) -> list[object]:
    return [found.markers, found.layers, found.properties]


def test_nested_groups_come_apart_level_by_level() -> None:
    step = f"LOG{TAB}CHATa\\{ESC}LOG{TAB}-/7"
    assert split(split(f"begin_save{ESC}end_save{ESC}{step}", ESC)[2], ESC) == [f"LOG{TAB}CHATa", f"LOG{TAB}-/7"]
