"""What holds for every test: no connection leaves the machine, and how many examples a property is tried with."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("hexpost", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fuzz", settings.get_profile("hexpost"), max_examples=2000)
settings.load_profile("hexpost")

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Any:
    """Connections go to this machine or nowhere: a test that needs the network fails where it is written."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            raise AssertionError(f"a test tried to reach {address}: tests stay on this machine")
        real(self, address)

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", connect)
    yield
    patch.undo()
