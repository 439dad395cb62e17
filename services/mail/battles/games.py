"""The descriptions of battles by game; a game without any has its battles told in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from services.mail.battles import beda_fomm, holdfast, race_for_tunis
from services.mail.battles.layout import Layout

LAYOUTS: Mapping[str, Mapping[str, Layout]] = {
    game: {layout.begins: layout for layout in layouts}
    for game, layouts in (("holdfast", holdfast.LAYOUTS), ("beda-fomm", beda_fomm.LAYOUTS), ("race-for-tunis", race_for_tunis.LAYOUTS))
}


def layouts_of(game: str) -> Mapping[str, Layout]:
    """The kind of the event that begins a battle -> the description of that battle."""
    return LAYOUTS.get(game, {})
