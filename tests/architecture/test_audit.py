"""``./test --all=audit`` fails where a locked package has a known fault, and where the list of faults cannot be had."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.architecture.sources import ROOT

MARKED = "flask"


class _Server(HTTPServer):
    """What the list says, and what it was asked. ``faulty``: the package with a fault."""

    def __init__(self, faulty: str) -> None:
        super().__init__(("127.0.0.1", 0), _Advisories)
        self.faulty = faulty
        self.asked: set[str] = set()


class _Advisories(BaseHTTPRequestHandler):
    """A list of faults in the shape of osv.dev's, with one of ``server.faulty``."""

    server: _Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        self.server.asked.update(one["package"]["name"] for one in asked)
        faulty = self.server.faulty
        fault = {"vulns": [{"id": "PYSEC-2099-1", "modified": "2026-01-01T00:00:00Z"}]}
        self._say({"results": [fault if one["package"]["name"] == faulty else {} for one in asked]})

    def do_GET(self) -> None:
        self._say({"id": "PYSEC-2099-1", "modified": "2026-01-01T00:00:00Z", "summary": "a fault", "affected": []})

    def _say(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        """Nothing."""


@contextmanager
def advisories(faulty: str) -> Iterator[_Server]:
    server = _Server(faulty)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def audited(url: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", f". deploy/environment.sh; UV_HTTP_TIMEOUT=5 UV_HTTP_RETRIES=0 audit_packages {url}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=50)


@pytest.mark.parametrize(("faulty", "code"), [(MARKED, 1), ("none-of-ours", 0)])
def test_a_locked_package_with_a_known_fault_is_named(faulty: str, code: int) -> None:
    with advisories(faulty) as server:
        run = audited(f"http://127.0.0.1:{server.server_port}/")
        asked = server.asked
    assert run.returncode == code, run.stderr
    assert {"flask", "celery", "pillow", "pytest"} <= asked
    assert ("flask" in run.stdout and "PYSEC-2099-1" in run.stdout) == bool(code)


def test_without_the_list_the_audit_fails() -> None:
    run = audited("http://127.0.0.1:9/")
    assert run.returncode == 1
    assert "could not ask" in run.stderr
