"""The Atom feed of a campaign (RFC 4287): an entry for each game-turn that is over."""

from __future__ import annotations

import uuid
from urllib.parse import quote
from xml.etree import ElementTree

from worker.site.campaign import Campaign
from worker.site.told import Told

ATOM = "http://www.w3.org/2005/Atom"
NEVER = "1970-01-01T00:00:00+00:00"
MOST = 60
"""Entries, the newest ones."""


def feed(campaign: Campaign, title: str, told: list[Told], base: str) -> bytes:
    """The feed. ``base``: where the site lies on the net; without it links are relative to the feed."""
    done = [one for one in told if one.turn.done][-MOST:]
    root = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": "en"})
    _add(root, "id", _urn(campaign, "feed"))
    _add(root, "title", title)
    _add(root, "updated", done[-1].turn.at if done else NEVER)
    _add(_add(root, "author"), "name", "hexpost")
    _add(root, "link", rel="alternate", type="text/html", href=f"{base}index.html")
    if base:
        _add(root, "link", rel="self", type="application/atom+xml", href=f"{base}feed.xml")
    for one in reversed(done):
        entry = _add(root, "entry")
        _add(entry, "id", _urn(campaign, one.stem))
        _add(entry, "title", one.words["title"])
        _add(entry, "updated", one.turn.at)
        _add(entry, "link", rel="alternate", type="text/html", href=f"{base}{quote(one.page)}")
        _add(entry, "summary", " ".join(one.words["summary"]))
    ElementTree.indent(root)
    made: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return made + b"\n"


def _urn(campaign: Campaign, what: str) -> str:
    """An id that is the same for ever and no other game's: of the game, by its name, its scenario and the commitment that was published
    when it began. Two games of one secret have one commitment."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"hexpost:{campaign.commitment}:{campaign.scenario}:{campaign.game}:{what}").urn


def _add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, name, attributes)
    child.text = text or None
    return child
