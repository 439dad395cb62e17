"""A door for webhooks, for the tests of a module."""

from __future__ import annotations

import pytest

from tests.mail.hooked import Door


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Door:
    return Door(tmp_path_factory.mktemp("door") / "spool")


@pytest.fixture
def door(lasting: Door) -> Door:
    """A door at which nothing has come yet."""
    lasting.forget()
    return lasting
