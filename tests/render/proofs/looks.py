"""What there is to be proved: the games that have style sheets, and the themes that each of them must have."""

from __future__ import annotations

GAMES = ("beda-fomm", "fall-of-tobruk", "holdfast", "race-for-tunis")
THEMES = ("light", "dark", "contrast")
