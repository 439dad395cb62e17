"""VASSAL files of any game: its module, a position as one viewer knows it, and a turn step by step."""

from services.render.vassal.log import log
from services.render.vassal.module import module, module_version
from services.render.vassal.save import save

__all__ = ["log", "module", "module_version", "save"]
