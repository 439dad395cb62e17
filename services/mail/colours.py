"""The colours of the HTML form, for light and for dark screens, and the one way in which a template uses them.

A mail program that strips the style block shows the light colours, which stand in each element; one that turns colours round by
itself finds pairs that stay apart. ``look`` writes class and inline style together, so that neither is ever without the other.
"""

from __future__ import annotations

from collections.abc import Mapping

PAPER = {"light": "#fdfaf2", "dark": "#1f1d19"}
INK = {"light": "#2b2822", "dark": "#ece5d5"}
SOFT = {"light": "#675d49", "dark": "#b9ae97"}
BAND = {"light": "#f0e8d5", "dark": "#2c2923"}
CARD = {"light": "#ffffff", "dark": "#26231e"}
RULE = {"light": "#d8cdb2", "dark": "#4a453a"}
BAD = {"light": "#9c2f1b", "dark": "#ff9e88"}
GOOD = {"light": "#2a6334", "dark": "#8fd49b"}
WAIT = {"light": "#7d5200", "dark": "#f0c060"}
ON_BAD = {"light": "#ffffff", "dark": "#1f1d19"}

ROLES: Mapping[str, tuple[tuple[str, Mapping[str, str]], ...]] = {
    "g": (("background-color", BAND), ("color", INK)),  # the ground round the sheet, and bands on it
    "p": (("background-color", PAPER), ("color", INK)),  # the sheet
    "c": (("background-color", CARD), ("color", INK)),  # cards: battles, the template
    "s": (("color", SOFT),),
    "bad": (("color", BAD),),
    "good": (("color", GOOD),),
    "wait": (("color", WAIT),),
    "r": (("border-color", RULE),),
    "die": (("background-color", CARD), ("color", INK), ("border-color", SOFT)),
    "hit": (("background-color", BAD), ("color", ON_BAD), ("border-color", BAD)),
}
"""Role -> what it colours. A class of the template is the role's name with ``x-`` before it."""
BARS: Mapping[str, str] = {
    "axis": "#54606b",
    "allied": "#646a31",
    "italian": "#3f6b4c",
    "british": "#7d5f2f",
    "": "#4a4436",
}
"""The header's ground by side, the same in light and dark; white stands on it. Without a side: the desk's own."""
ON_BAR = "#ffffff"


class Html(str):
    """Text that a template takes as markup. Ours alone: nothing that came in a mail gets here."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def look(roles: str, css: str = "", scheme: str = "light") -> Html:
    """``class`` and ``style`` of an element: its roles, and what else it needs in ``css``; ``scheme``: where no screen asks for dark."""
    names = roles.split()
    told = [f"{prop}:{colour[scheme]}" for name in names for prop, colour in ROLES[name]]
    classes = " ".join(f"x-{name}" for name in names)
    style = ";".join([css, *told] if css else told)
    return Html(f'class="{classes}" style="{style}"')


def bar(side: str) -> str:
    """The colour of a side's header."""
    return BARS.get(side, BARS[""])


def style_block(schemes: str = "light dark") -> Html:
    """The rules for dark screens; for Outlook on the web, which turns colours round by itself, once more under its own mark.

    ``schemes``: those that the page is made for, for CSS."""
    rules = [(f".x-{name}", ";".join(f"{prop}:{colour['dark']}!important" for prop, colour in parts)) for name, parts in ROLES.items()]
    dark = "".join(f"{selector}{{{css}}}" for selector, css in rules)
    marked = "".join(f"[data-ogsc] {selector}{{{css}}}" for selector, css in rules)
    return Html(f":root{{color-scheme:{schemes};supported-color-schemes:{schemes}}}@media (prefers-color-scheme:dark){{{dark}}}{marked}")
