"""The link to the live board in a mail: for one addressee, with a token that nobody can guess; it expires and can be revoked."""

from __future__ import annotations

from worker.canonical import Json
from worker.ports import Ports
from worker.post.links import BOARD, enter, row_of
from worker.store.records import Game, Outgoing

PATH = "/board/"
KINDS = ("start", "receipt", "turn", "reminder", "answer")
"""The mails that bring it: not the questions and refusals, which may answer somebody else's mail."""


def invitation(ports: Ports, game: Game, waiting: Outgoing) -> Json:
    """Make the link of a mail; what its wording must know of it: nothing where there is none. Made again, it is the same link."""
    if not ports.config.has_board or waiting.data["kind"] not in KINDS:
        return {}
    row = row_of(ports, game, waiting, BOARD) | {"sha": "", "mime": "text/html"}
    enter(ports, [row])
    return {"board": ports.config.link_base.rstrip("/") + PATH + row["token"], "board_until": row["expires"]}
