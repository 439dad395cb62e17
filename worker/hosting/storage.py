"""When the disk is full, the database is away, or a service refuses the token: what is tried again goes on by itself, and the operator is
told meanwhile.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy.exc import DBAPIError

from worker.hosting.alerts import Alert, raise_alert, teller
from worker.ports import Ports, ServiceShut
from worker.store.database import is_away, said_by

log = logging.getLogger("hexpost.alerts")
_DISK = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO))


def trouble(error: BaseException) -> str | None:
    """What is wrong with disk or database, in a few words, where that is what ``error`` tells of; None: it tells of something else."""
    if isinstance(error, DBAPIError):
        return f"database: {said_by(error)}" if is_away(error) else None
    if isinstance(error, OSError) and error.errno in _DISK:
        return f"{(error.strerror or str(error)).lower()}: {error.filename or 'disk'}"
    return None


@contextmanager
def watched(ports: Ports) -> Iterator[None]:
    """Tell the operator of storage that fails, or a service that refuses the token, within the block: in the log at each try, and once an
    hour as an alert and by mail to the game master, where that can be. The error goes on: whoever tries again loses nothing.
    """
    try:
        yield
    except Exception as error:
        said = trouble(error)
        if isinstance(error, ServiceShut):
            at = str(error).partition(":")[0]
            tell = teller(ports.journal.engine, ports.config, ports.now, about="token")
            tell(
                "services",
                f"At {at} the service refuses the token: the setting token must be the same here and there. Mails wait meanwhile.",
            )
        if said is not None:
            log.error("storage: %s. Nothing is lost: mails wait where they are, and it is tried again", said)
            with suppress(DBAPIError):
                at = ports.now()
                raise_alert(ports.journal.engine, ports.config, Alert("storage", at[:13], at, None, {"what": said[:200]}))
        raise
