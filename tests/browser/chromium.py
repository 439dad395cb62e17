"""The distribution's Chromium without a window, spoken to by the DevTools protocol over a pair of pipes.

``axe/axe.min.js`` is axe-core 4.14.1 as its makers publish it, under the licence beside it (MPL 2.0).
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.architecture.sources import ROOT

SHOTS = ROOT / "var/screenshots"
"""Where pictures of pages are kept, to be looked at."""
AXE = Path(__file__).parent / "axe/axe.min.js"
PATIENCE = 60.0
NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}


def find() -> str | None:
    """The program, where it is installed."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """One browser. Events of pages are kept until they are asked for."""

    def __init__(self, folder: Path) -> None:
        program = find()
        assert program is not None
        ours, theirs = os.pipe(), os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (theirs[0], ours[1])]

        def placed() -> None:
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions")
        more = (
            "--remote-debugging-pipe",
            f"--user-data-dir={folder}",
            "--hide-scrollbars",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        )
        self._process = subprocess.Popen(
            [program, *flags, *more, "about:blank"],
            pass_fds=(*ends, 3, 4),
            preexec_fn=placed,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (*ends, theirs[0], ours[1]):
            os.close(end)
        self._read, self._write = ours[0], theirs[1]
        self._buffer = b""
        self._count = 0
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)

    def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """One call of the protocol, and its result."""
        self._count += 1
        body = {"id": self._count, "method": method, "params": params} | ({"sessionId": session} if session else {})
        self._send(json.dumps(body).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            found = self._next(deadline)
            if found.get("id") == self._count:
                assert "error" not in found, found
                return dict(found["result"])
            self.events.append(found)

    def wait(self, method: str, session: str) -> None:
        """Wait for the next event of a kind in a page; it is forgotten."""
        deadline = time.monotonic() + PATIENCE
        while not self.forget(method, session):
            self.events.append(self._next(deadline))

    def forget(self, method: str, session: str) -> int:
        """Forget the events of a kind in a page; how many there were."""
        left = [one for one in self.events if (one.get("method"), one.get("sessionId")) != (method, session)]
        count, self.events = len(self.events) - len(left), left
        return count

    def _send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._write, data) :]

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            part = os.read(self._read, 1 << 20)
            assert part, "the browser has ended"
            self._buffer += part
        one, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(one))


class Page:
    """A page in a window of a given size. ``problems``: what the console said, and requests that failed."""

    def __init__(self, browser: Chromium, size: tuple[int, int], *, phone: bool = False, scripts: bool = True) -> None:
        self._browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._target = target
        self._session = str(browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=phone)
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A call of the protocol for this page."""
        return self._browser.call(method, self._session, **params)

    def open(self, url: str) -> None:
        """Go to a URL, and wait until all of it is there."""
        self._browser.forget("Page.loadEventFired", self._session)
        self.call("Page.navigate", url=url)
        self._browser.wait("Page.loadEventFired", self._session)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; one that is a promise is waited for."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until an expression is true; its value."""
        deadline = time.monotonic() + PATIENCE
        while not (found := self.run(script)):
            assert time.monotonic() < deadline, script
            time.sleep(0.05)
        return found

    def click(self, selector: str, *, scroll: bool = True) -> None:
        """Click into the middle of what is found, where it really is on the screen. ``scroll``: bring it into sight before."""
        chosen, brought = json.dumps(selector), "one.scrollIntoView({block: 'center', inline: 'center'});" if scroll else ""
        x, y = self.run(
            f"(() => {{ const one = document.querySelector({chosen}); {brought}"
            " const at = one.getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def problems(self) -> list[str]:
        """What the console said, what was thrown, and what could not be fetched, since the page was made."""
        self.run("0")
        said = []
        for one in self._browser.events:
            if one.get("sessionId") != self._session:
                continue
            kind, data = one["method"], one["params"]
            if kind in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Network.loadingFailed"):
                said.append(f"{kind}: {json.dumps(data)[:500]}")
        return said

    def faults(self) -> list[str]:
        """What axe finds wrong."""
        self.run(AXE.read_text(encoding="utf-8") + "; 0")
        found = self.run("axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations)")
        return [f"{one['id']}: {one['help']}: {[node['html'][:150] for node in one['nodes'][:3]]}" for one in found]

    def keep(self, name: str) -> Path:
        """Keep a picture of the whole page."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path = SHOTS / f"{name}.png"
        path.write_bytes(base64.b64decode(shot["data"]))
        return path

    def close(self) -> None:
        """Close the window."""
        self._browser.call("Target.closeTarget", targetId=self._target)


@contextmanager
def page(browser: Chromium, width: str, *, scripts: bool = True) -> Iterator[Page]:
    """A page of one of ``WIDTHS``."""
    found = Page(browser, WIDTHS[width], phone=width == "phone", scripts=scripts)
    try:
        yield found
    finally:
        found.close()
