"""What holds for every test: no connection leaves the machine, and how many examples a property is tried with."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

FUZZ = 20
"""``--hypothesis-profile=fuzz``: how many times as many examples each property is tried with."""
ROUNDS = 30
LOOPBACK = ("127.0.0.1", "::1", "localhost")

settings.register_profile("hexpost", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fuzz", settings.get_profile("hexpost"))
settings.load_profile("hexpost")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--rounds``: how often two sides send at the same moment (tests/worker/test_races.py)."""
    parser.addoption("--rounds", type=int, default=ROUNDS)


@pytest.hookimpl(trylast=True)  # hypothesis marks its tests first
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under ``fuzz`` each property gets more examples than usual, also where it names a number of its own."""
    if config.getoption("hypothesis_profile", None) != "fuzz":
        return
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("hypothesis"):
            usual: settings = item.obj._hypothesis_internal_use_settings
            item.obj._hypothesis_internal_use_settings = settings(usual, max_examples=usual.max_examples * FUZZ)


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
