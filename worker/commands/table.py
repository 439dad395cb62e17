"""Which function carries out which command. A family of commands is a file; its own ``TABLE`` is put in here."""

from __future__ import annotations

from collections.abc import Mapping

from worker.commands import agreeing, answering, asking, beginning, clocks, correspondence, editing, masters, people, reseating, rolling
from worker.commands.frame import Carry

_FAMILIES = (asking, beginning, answering, agreeing, people, correspondence, clocks, masters, reseating, rolling, editing)
TABLE: Mapping[str, Carry] = {verb: carry for family in _FAMILIES for verb, carry in family.TABLE.items()}
