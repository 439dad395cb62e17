"""Which function carries out which command. A family of commands is a file; its own ``TABLE`` is put in here."""

from __future__ import annotations

from collections.abc import Mapping

from worker.commands import agreeing, answering, asking, beginning, correspondence, editing, masters, people, rolling
from worker.commands.frame import Carry

_FAMILIES = (asking, beginning, answering, agreeing, people, correspondence, masters, rolling, editing)
TABLE: Mapping[str, Carry] = {verb: carry for family in _FAMILIES for verb, carry in family.TABLE.items()}
