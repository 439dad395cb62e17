"""Two campaigns and their sites, made once for the tests of a process."""

from __future__ import annotations

import pytest

from tests.worker.site.sites import Site, journal_game, over_site, site_of
from tests.worker.test_fog import as_it_is, dealt_otherwise
from worker.site import reading


@pytest.fixture(scope="session")
def over(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site of a short campaign that is over."""
    return over_site(tmp_path_factory.mktemp("over"))


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Site]:
    """The sites of two games that differ in what the Axis alone sees."""
    folder = tmp_path_factory.mktemp("running")
    found = []
    for name, change, other in (("one", as_it_is, False), ("two", dealt_otherwise, True)):
        table = journal_game(folder / name, change, other=other)
        found.append(site_of(reading.of_journal(table.journal, "g1"), folder / f"site-{name}"))
        table.journal.engine.dispose()
    return found[0], found[1]
