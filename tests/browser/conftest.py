"""One browser for the tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import Chromium, find


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """The distribution's Chromium; without it the test is skipped, and says so."""
    if find() is None:
        pytest.skip("no Chromium is installed")
    found = Chromium(tmp_path_factory.mktemp("chromium"))
    yield found
    found.close()
