"""The digest by which a mail's words are known again, whatever route they took."""

from __future__ import annotations

import hashlib


def text_digest(text: str) -> str:
    """SHA-256 of a text's words: blanks and line ends, which relays change, count for nothing."""
    return hashlib.sha256(
        "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip()).encode("utf-8", "replace")
    ).hexdigest()
