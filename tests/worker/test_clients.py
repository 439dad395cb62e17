"""A service that cannot be reached is told from one that does not answer."""

from __future__ import annotations

import socket

import pytest

from worker.clients import HttpCall, ask
from worker.ports import ServiceDown, ServiceRefused, ServiceShut, ServiceSlow


def test_a_service_that_is_away_and_one_that_hangs_are_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:  # it takes the call and says nothing
        call = HttpCall("render", f"http://127.0.0.1:{listener.getsockname()[1]}", "", 0.05)
        with pytest.raises(ServiceSlow, match=r"The render service did not answer within 0\.05 s"):
            call("GET", "/healthz", None)
    with pytest.raises(ServiceDown, match="The render service cannot be reached") as away:
        call("GET", "/healthz", None)
    assert not isinstance(away.value, ServiceSlow)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(401, "no-token", ServiceShut), (403, "no-token-set", ServiceShut), (403, "unknown-topic", ServiceRefused), (404, "", ServiceRefused)],
)
def test_a_service_that_refuses_the_token_is_not_one_that_refuses_what_it_is_asked(status: int, code: str, kind: type[Exception]) -> None:
    def call(_method: str, _path: str, _body: bytes | None) -> tuple[int, bytes]:
        return status, b'{"code":"%b","detail":"no"}' % code.encode()

    with pytest.raises((ServiceDown, ServiceRefused)) as raised:
        ask(call, "GET", "/v1/games")
    assert type(raised.value) is kind
