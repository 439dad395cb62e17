"""What a mail says of the files for VASSAL that it brings, in both its forms; and that these go with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.mail.reports import RECEIPT, flat, shown

SAVE = {"kind": "save", "name": "G1-t01-axis-0001.vsav", "module": "holdfast-1.0-ab.vmod"}
LOG = {"kind": "log", "name": "G1-t01-axis-0001.vlog"}
MODULE = {"kind": "module", "name": "holdfast-1.0-ab.vmod"}
ELSEWHERE = {"kind": "module_elsewhere", "name": "holdfast-1.0-ab.vmod"}
URL = "https://files.example/holdfast-1.0-ab.vmod"


def said(*files: dict[str, str]) -> list[str]:
    """The sentences of a report on files, which are the same as text and as HTML."""
    request = replace(RECEIPT, files=files)
    found = [one.strip() for one in flat(request).split("For VASSAL: ")[1:]]
    assert all(one in shown(request) for one in found)
    return found


def test_position_turn_and_module_are_named_each_with_what_it_is() -> None:
    save, log, module = said(SAVE, LOG, MODULE)
    assert save == "G1-t01-axis-0001.vsav is this position; it opens with holdfast-1.0-ab.vmod."
    assert log == "G1-t01-axis-0001.vlog shows step by step what happened."
    assert module.startswith("holdfast-1.0-ab.vmod is the game itself. Keep it: ")


@pytest.mark.parametrize(
    ("url", "where"), [(URL, f"Fetch it from {URL}, and keep it."), ("", "Your game master has it: ask for this file, and keep it.")]
)
def test_a_module_that_has_no_room_is_said_to_lie_elsewhere(url: str, where: str) -> None:
    (elsewhere,) = said(ELSEWHERE | {"url": url})
    assert elsewhere == f"holdfast-1.0-ab.vmod is new to you and too large for a mail. {where}"


def test_a_report_without_files_says_nothing_of_vassal_but_that_they_failed() -> None:
    assert "VASSAL" not in flat(RECEIPT)
    assert "The files for VASSAL could not be made this time" in flat(replace(RECEIPT, notes=["no_vassal"]))
