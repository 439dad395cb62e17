"""Units placed and grouped by orders, and ways over the edge: a package broken in one of these is told with file, line and reason."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scenarios import loader
from scenarios.check import check

REAL = Path(loader.__file__).parent / "beda-fomm"
FAULTS = [
    # file, text, what replaces it, what the line of the fault holds, the reason
    ("historical.toml", '"2631", "2630"', '"2631", "0131"', '"0131"', "0131 is off the map or cannot be entered"),
    ("historical.toml", '"2631", "2630"', '"2631", "2631"', "hexes =", "no hexes, or one of them twice"),
    ("historical.toml", '"KDG-B"', '"T-1"', '"T-1"', "T-1 is not a unit of british"),
    ("historical.toml", '"KDG-B"', '"11H-2"', '"11H-2"', "11H-2 is in the set-up already"),
    ("historical.toml", '"T-17", "T-18"', '"T-17"', "transports =", "9 convoys need 18 transports"),
    ("historical.toml", '"10B-34", "10B-MC"', '"10B-34", "10B-MC", "10B-AT", "FER-INF"', "personnel =", "9 convoys need 9 personnel"),
    ("historical.toml", "count = 9", "count = 8", "transports =", "8 convoys need 16 transports"),
    ("historical.toml", '"T-1", "T-2"', '"T-1", "T-1"', "T-1", "T-1 is in the convoys already"),
    ("historical.toml", "convoys = 1", "convoys = 2", "convoys = 2", "10 convoys arrive of 9"),
    ("historical.toml", 'units = ["SAB-1", ', "units = [", "SAB-1", "SAB-1 goes with a convoy or not, and does not arrive if not"),
    (
        "historical.toml",
        'side = "british"\nunits = ["7H-1"',
        'side = "british"\nconvoys = 1\nunits = ["7H-1"',
        "convoys = 1",
        "british has no convoys",
    ),
    ("historical.toml", 'entry = "bignami"', 'entry = "beach"', "beach", "italian has no way in that is called 'beach'"),
    ("historical.toml", 'entry = "bignami"', 'entry = "east"', '"east"', "italian has no way in that is called 'east'"),
    ("entries.toml", '["2001"]', '["2002"]', "2002", "2002 does not lie at an edge of the map"),
    ("entries.toml", '["2001"]', '["0101"]', "0101", "0101 is off the map or cannot be entered"),
    ("entries.toml", '["2001"]', '["2001", "2001"]', '"2001", "2001"', "2001 is there twice"),
    ("entries.toml", '["2001"]', '["20-1"]', "20-1", "not a hex number: '20-1'"),
    ("entries.toml", '["2001"]', "[]", "[bignami]", "bignami has no hexes"),
    ("entries.toml", 'side = "italian"', 'side = "soviet"', "soviet", "road belongs to no side of the game"),
    ("exits.toml", 'path = ["1740"]', 'paths = ["1740"]', "paths", "[south] does not know 'paths'"),
]


@pytest.mark.parametrize(("file", "old", "new", "needle", "reason"), FAULTS, ids=[f"{f[0]}: {f[4][:40]}" for f in FAULTS])
def test_a_broken_package_is_told_by_file_line_and_reason(tmp_path: Path, file: str, old: str, new: str, needle: str, reason: str) -> None:
    shutil.copytree(REAL, tmp_path / "beda-fomm")
    path = tmp_path / "beda-fomm" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    faults = {(fault.line, fault.reason) for fault in check(tmp_path) if fault.file == f"beda-fomm/{file}"}
    line = {reason_found: line for line, reason_found in faults}.get(reason)
    assert line is not None, faults
    assert needle in path.read_text(encoding="utf-8").splitlines()[line - 1]
