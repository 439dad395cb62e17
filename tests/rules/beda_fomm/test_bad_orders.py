"""Orders whose arguments do not go together are refused before any rule is asked."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.schemas import beda_fomm


@pytest.mark.parametrize(
    ("verb", "args", "told"),
    [
        ("DELAY", {"unit": "T-1", "convoy": 1}, "Give a unit or a convoy, and not both."),
        ("ENTER", {"hex": "2730"}, "Give a unit or a convoy, and not both."),
        ("MOVE", {"units": ["T-1"], "path": ["2730"], "to": "2731"}, "Give a path, or a hex to move to, and not both."),
        ("MOVE", {"units": ["T-1"], "path": ["2730"], "road": True}, "via and road go with to, not with a path."),
        ("MOVE", {"units": ["T-1"], "to": "2731", "drop": "T-1"}, "drop and drop_at go together."),
        ("BARRAGE", {"guns": ["T-1"]}, "Give guns and a target, or hold fire."),
        ("ATTACK", {"hex": "2730", "units": ["T-1"], "none": True}, "Give units, or none."),
        ("ADVANCE", {"units": ["T-1"]}, "Give units and a hex, or none."),
        ("RETREAT", {"path": ["2730"]}, "Give a unit or a parent formation, and not both."),
    ],
)
def test_arguments_that_do_not_go_together(verb: str, args: dict[str, Any], told: str) -> None:
    assert beda_fomm.VERBS[verb]().validate(args) == {"_schema": [told]}
