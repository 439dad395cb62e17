"""DKIM signatures checked here, for operators whose mail server stamps nothing. Keys come from a resolver that is handed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import dkim
import dns.exception
import dns.resolver

Resolve = Callable[[str], str | None]
"""The TXT record of a name; None: there is none. Raises Unanswered."""

MOST_SIGNATURES = 5
PATIENCE = 4.0
"""Seconds for one key."""
SHORTEST_KEY = 1024
_dkim: Any = dkim  # the library has no types
_WIDE = re.compile(rb"[\t ]{1000}")
"""Blanks as no mail program writes them: the canonical form of a text with many takes time that grows with the square of their number."""


class Unanswered(Exception):
    """The name servers do not answer now."""


def check_signatures(raw: bytes, domain: str, resolve: Resolve) -> str:
    """``pass`` if a signature by ``domain`` (of ``From:``) or a domain above it holds, ``fail`` if there are some and none holds,
    ``temperror`` if none holds and a key could not be had, ``none`` if nobody of that domain has signed. Never raises.

    A signature by anybody else proves nothing about the sender, nor does one that leaves the end of the text open (``l=``) or the sender
    unsigned, or is made with a hash that is broken: such are not looked at.
    """
    signed = _signed_by(raw, domain)
    found = {"fail"} if signed and _WIDE.search(raw) else {_check(raw, at, resolve) for at in signed}
    return next((result for result in ("pass", "temperror", "fail") if result in found), "none")


def is_aligned(signer: str, domain: str) -> bool:
    """Whether a signature by ``signer`` speaks for ``domain``: it is that domain, or one above it that is no top-level one."""
    signer, domain = signer.lower().strip("."), domain.lower()
    return signer == domain or (signer.count(".") >= 1 and domain.endswith("." + signer))


def resolver() -> Resolve:
    """A resolver over the name servers of this machine, with a memory. What these are is read when the first key is wanted."""

    @cache
    def servers() -> dns.resolver.Resolver:
        found = dns.resolver.Resolver()
        found.lifetime = PATIENCE
        found.cache = dns.resolver.LRUCache(1_000)
        return found

    def resolve(name: str) -> str | None:
        try:
            records = servers().resolve(name, "TXT")
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.exception.SyntaxError, dns.name.LabelTooLong, dns.name.EmptyLabel):
            return None
        except dns.exception.DNSException as error:
            raise Unanswered(name) from error
        return next((b"".join(record.strings).decode("latin-1") for record in records), None)

    return resolve


def _signed_by(raw: bytes, domain: str) -> list[int]:
    """The numbers of the signatures worth checking."""
    try:
        signatures = [value for name, value in _dkim.rfc822_parse(raw)[0] if name.lower() == b"dkim-signature"]
    except Exception:  # dkimpy enumerates no faults: no headers that could be signed
        return []
    fields = [_fields(value) for value in signatures[:MOST_SIGNATURES]]
    return [at for at, one in enumerate(fields) if _proves(one) and is_aligned(one.get("d", ""), domain)]


def _proves(fields: Mapping[str, str]) -> bool:
    signed = [name.strip().lower() for name in fields.get("h", "").split(":")]
    return "l" not in fields and "from" in signed and not fields.get("a", "").endswith("-sha1")


def _fields(value: bytes) -> dict[str, str]:
    """The tags of a signature; none where one comes twice or is none."""
    try:
        return {key.decode("ascii"): one.decode("ascii") for key, one in _dkim.parse_tag_value(value).items()}
    except Exception:  # as above: no signature that can be read proves anything
        return {}


def _check(raw: bytes, at: int, resolve: Resolve) -> str:
    silent = False

    def key_of(name: bytes, timeout: float = PATIENCE) -> bytes | None:
        nonlocal silent
        try:
            found = resolve(name.decode("ascii").rstrip("."))
        except Unanswered:
            silent = True
            return None
        return None if found is None else found.encode("latin-1")

    checker: Any = _dkim.DKIM(raw, minkey=SHORTEST_KEY)
    try:
        held = bool(checker.verify(idx=at, dnsfunc=key_of))
    except Exception:  # as above, and its cryptography's: what stumbles does not hold
        held = False
    return "pass" if held else "temperror" if silent else "fail"
