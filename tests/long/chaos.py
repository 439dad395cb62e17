"""``./test --all=chaos:1-300``: four games at once, one of each kind, over processes that are killed and cut off by seed.

Each run must end as one that nothing befell: the journals, times apart, and the mails, each once (tests/chaos). What was run is kept in
``var/chaos/runs.json``, by the code that it was run with, and not run again with that code: law, worker, services and tests/chaos. Logs and
journal of a run that ended otherwise are kept beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tests.chaos.play import Known, differences, run, undisturbed

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var/chaos"
COUNT = 12
"""What befalls a run, how often."""


def code() -> str:
    """A digest of all that a run depends on."""
    found = hashlib.sha256()
    for folder in ("scenarios", "services", "worker", "tests/chaos"):
        for path in sorted(one for one in (ROOT / folder).rglob("*") if one.is_file() and "__pycache__" not in one.parts):
            found.update(path.read_bytes())
    return found.hexdigest()


def one_run(known: Known, seed: int) -> dict[str, Any]:
    """One seed: where it ended otherwise than the undisturbed run, and what it took."""
    began = time.monotonic()
    kept = FOLDER / f"seed-{seed}"
    try:
        found = run(known, seed, COUNT, kept)
    except AssertionError as error:  # Stuck is one
        return {"wrong": [f"{type(error).__name__}: {error}"], "seconds": round(time.monotonic() - began)}
    wrong = differences(found.ended, known.ended)
    return {"wrong": wrong, "seconds": round(time.monotonic() - began), "silence": found.silence, "twice": found.twice}


def said(seed: int, row: dict[str, Any]) -> str:
    """A run in a line."""
    more = f", longest silence {row['silence']} s, copies beyond the first {row['twice']}" if "silence" in row else ""
    return f"chaos seed {seed}: {row['wrong'] or 'as undisturbed'}, {row['seconds']} s{more}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("seeds", help="FIRST-LAST")
    first, _, last = parser.parse_args().seeds.partition("-")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # folders in memory are cleared away
    file = FOLDER / "runs.json"
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    runs: dict[str, Any] = kept.setdefault("by_code", {}).setdefault(code(), {})
    seeds = range(int(first), int(last or first) + 1)
    left = [seed for seed in seeds if runs.get(str(seed), {}).get("wrong") != []]
    if left:
        with undisturbed() as known:
            for seed in left:
                runs[str(seed)] = one_run(known, seed)
                file.write_text(json.dumps(kept), encoding="utf-8")
                print(said(seed, runs[str(seed)]), flush=True)
    bad = [seed for seed in seeds if runs[str(seed)]["wrong"]]
    print(f"chaos: {len(seeds)} runs, {len(seeds) - len(bad)} as if nothing had been; others: {bad or 'none'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
