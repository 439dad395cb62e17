"""A service that cannot be reached is told from one that does not answer."""

from __future__ import annotations

import socket

import pytest

from worker.clients import HttpCall
from worker.ports import ServiceDown, ServiceSlow


def test_a_service_that_is_away_and_one_that_hangs_are_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:  # it takes the call and says nothing
        call = HttpCall("render", f"http://127.0.0.1:{listener.getsockname()[1]}", "", 0.05)
        with pytest.raises(ServiceSlow, match=r"The render service did not answer within 0\.05 s"):
            call("GET", "/healthz", None)
    with pytest.raises(ServiceDown, match="The render service cannot be reached") as away:
        call("GET", "/healthz", None)
    assert not isinstance(away.value, ServiceSlow)
