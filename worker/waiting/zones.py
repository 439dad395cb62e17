"""In which time zone somebody is told times: one for an address, whatever the game. It is named by a place, whose clocks it follows."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import Connection, Engine, delete, insert, select

from worker.config import Config
from worker.store.clocktables import wishes
from worker.store.database import reading
from worker.store.records import Write

_EUROPE = ("Europe/Berlin", "Europe/Rome", "Europe/Paris")
_AMERICA: Mapping[str, tuple[str, ...]] = {
    "E": ("America/New_York", "America/Toronto"),
    "C": ("America/Chicago", "America/Mexico_City"),
    "M": ("America/Denver", "America/Phoenix"),
    "P": ("America/Los_Angeles", "America/Vancouver"),
    "A": ("America/Halifax",),
}
ABBREVIATIONS: Mapping[str, tuple[str, ...]] = {
    **{f"{letter}{rest}": places for letter, places in _AMERICA.items() for rest in ("T", "ST", "DT")},
    **dict.fromkeys(("CET", "CEST", "MET", "MEZ", "MESZ"), _EUROPE),
    **dict.fromkeys(("EET", "EEST"), ("Europe/Helsinki", "Europe/Athens", "Europe/Kyiv")),
    **dict.fromkeys(("WET", "WEST"), ("Europe/Lisbon", "Atlantic/Canary")),
    "BST": ("Europe/London", "Asia/Dhaka"),
    "IST": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "MSK": ("Europe/Moscow",),
    "CST": ("America/Chicago", "America/Mexico_City", "Asia/Shanghai"),
    "HST": ("Pacific/Honolulu",),
    "AKST": ("America/Anchorage",),
    "AKDT": ("America/Anchorage",),
    "NST": ("America/St_Johns",),
    "NDT": ("America/St_Johns",),
    "BRT": ("America/Sao_Paulo",),
    "ART": ("America/Argentina/Buenos_Aires",),
    "JST": ("Asia/Tokyo",),
    "KST": ("Asia/Seoul",),
    "SGT": ("Asia/Singapore",),
    "HKT": ("Asia/Hong_Kong",),
    "SAST": ("Africa/Johannesburg",),
    **dict.fromkeys(("AEST", "AEDT"), ("Australia/Sydney", "Australia/Brisbane")),
    **dict.fromkeys(("ACST", "ACDT"), ("Australia/Adelaide", "Australia/Darwin")),
    "AWST": ("Australia/Perth",),
    **dict.fromkeys(("NZST", "NZDT"), ("Pacific/Auckland",)),
}
"""What people call the time on their clocks, and places where it may be that: of the time alone nobody knows when the clocks change."""
_UTC = frozenset(("UTC", "GMT", "Z", "ZULU", "UCT"))
_OFFSET = re.compile(r"(?:UTC|GMT)?[+-][0-9]{1,2}(?::?[0-9]{2})?")
_ODD = ("posix/", "right/", "SystemV/", "US/", "Etc/", "Factory", "localtime")
MOST_NEAR = 3


class NoSuchZone(ValueError):
    """``why``: ``abbreviation``, ``offset`` or ``unknown``; ``near``: zones that may be meant."""

    def __init__(self, why: str, near: Collection[str] = ()) -> None:
        super().__init__(why)
        self.why = why
        self.near = list(near)


def find(said: str) -> str:
    """The zone that somebody means, whatever its capitals; a city alone will do, where there is one of that name. Raises NoSuchZone."""
    typed = "_".join(said.split()).upper()
    if typed in _UTC:
        return "UTC"
    if typed in ABBREVIATIONS:
        raise NoSuchZone("abbreviation", ABBREVIATIONS[typed])
    if _OFFSET.fullmatch(typed):
        raise NoSuchZone("offset")
    names = _names()
    if typed in names:
        return names[typed]
    cities = _cities()
    found = cities.get(typed, ())
    if len(found) == 1:
        return found[0]
    near = list(found) or [names[one] for one in get_close_matches(typed, names, MOST_NEAR, 0.75)]
    near += [one for city in get_close_matches(typed.rpartition("/")[2], cities, MOST_NEAR, 0.75) for one in cities[city]]
    raise NoSuchZone("unknown", list(dict.fromkeys(near))[:MOST_NEAR])


@cache
def _names() -> Mapping[str, str]:
    """Every name that is a place's, by its capitals."""
    places = (one for one in available_timezones() if not one.startswith(_ODD) and one.upper() not in ABBREVIATIONS)
    return {one.upper(): one for one in sorted(places) if "/" in one or one.isalpha()}


@cache
def _cities() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one in _names().values():
        city = one.rpartition("/")[2].upper()
        found[city] = (*found.get(city, ()), one)
    return found


def zone_of(engine: Engine, config: Config, address: str) -> str:
    """The zone in which times are told to an address."""
    query = select(wishes.c.value).where(wishes.c.address == address.lower(), wishes.c.key == "zone")
    with reading(engine) as connection:
        return str(connection.scalar(query) or config.zone)


def clock_of(engine: Engine, config: Config, address: str) -> ZoneInfo:
    """The same, to reckon with."""
    return ZoneInfo(zone_of(engine, config, address))


def wishes_for(engine: Engine, key: str, addresses: Collection[str]) -> dict[str, str]:
    """What those of the addresses have chosen for all their mails that have chosen something."""
    query = select(wishes.c.address, wishes.c.value).where(wishes.c.key == key, wishes.c.address.in_(list(addresses)))
    with reading(engine) as connection:
        return {str(address): str(value) for address, value in connection.execute(query)}


def wishing(address: str, key: str, value: str) -> Write:
    """Enter what somebody has chosen for all his mails."""

    def write(connection: Connection) -> None:
        connection.execute(delete(wishes).where(wishes.c.address == address, wishes.c.key == key))
        connection.execute(insert(wishes).values(address=address, key=key, value=value))

    return write


def inheriting(old: str, new: str) -> Write:
    """Give another address of somebody's what he has chosen for the one, where it has nothing of its own."""

    def write(connection: Connection) -> None:
        own = set(connection.execute(select(wishes.c.key).where(wishes.c.address == new)).scalars())
        for key, value in connection.execute(select(wishes.c.key, wishes.c.value).where(wishes.c.address == old)).all():
            if key not in own:
                connection.execute(insert(wishes).values(address=new, key=key, value=value))

    return write
