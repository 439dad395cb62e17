"""What a mail server found out about a mail's sender, from the header that it stamped (``Authentication-Results``)."""

from __future__ import annotations

from typing import Any

import authres

from services.mail.signatures import is_aligned

_parse_header: Any = authres.AuthenticationResultsHeader.parse_value  # the library has no types


def results_of(value: str, domain: str) -> dict[str, set[str]]:
    """The results of a stamp by method. Any exception: it cannot be read."""
    found: dict[str, set[str]] = {}
    for result in _parse_header(value).results:
        method = str(getattr(result, "method", None) or "").lower()
        outcome = str(result.result).lower() if method else ""
        if method == "dkim":
            signer = _signer(result)
            if not is_aligned(signer, domain) and (signer or outcome == "pass"):
                continue  # somebody else's signature neither proves nor disproves the sender
        if method:
            found.setdefault(method, set()).add(outcome)
    return found


def _signer(result: Any) -> str:
    """The domain that signed, as a stamp names it; empty where it does not."""
    return str(getattr(result, "header_d", None) or "") or str(getattr(result, "header_i", None) or "").rpartition("@")[2]
