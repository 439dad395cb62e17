"""Texts made of the words that orders are made of, put together by chance."""

from __future__ import annotations

from hypothesis import strategies as st

from services.mail.orders.recognise import order_words

_WORDS = ["21PZ", "7ARM", "ARIETE", "Tobruk", "1204", "1803", "AT", "TO", "WITH", "VIA", "BY", "ROAD", "AND", "NOT", "IN", "A1"]
_WORDS += [">=", ":", ",", "+", "(", ")", "|", "3", "0:1", "SP", "RP", "CONFIRM", "AS", "LOSE", "LOSSES", "LOSES", "WEATHER", "CLEAR"]
_PIECES = st.one_of(
    st.sampled_from(sorted(order_words())),
    st.sampled_from(_WORDS),
    st.text(max_size=5),
)
JUMBLES = st.lists(st.lists(_PIECES, min_size=1, max_size=9).map(" ".join), max_size=6).map("\n".join)
"""A few lines of up to nine words."""
