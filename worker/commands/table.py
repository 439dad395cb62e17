"""Which function carries out which command. A family of commands is a file; its own ``TABLE`` is put in here."""

from __future__ import annotations

from collections.abc import Mapping

from worker.commands import agreeing, answering, asking, beginning
from worker.commands.frame import Carry

TABLE: Mapping[str, Carry] = {**asking.TABLE, **beginning.TABLE, **answering.TABLE, **agreeing.TABLE}
