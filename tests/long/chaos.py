"""``./test --all=chaos:1-300``: four games at once, one of each kind, over processes that are killed and cut off by seed.

Each run must end as one that nothing befell: the journals, times apart, and the mails, each once (tests/chaos). What was run is kept in
``var/chaos/runs.json`` and not run again while law, worker and services are unchanged.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.chaos.play import Stuck, differences, run, scripts
from tests.chaos.world import World, services

ROOT = Path(__file__).resolve().parents[2]
COUNT = 12
"""What befalls a run, how often."""


def code() -> str:
    """A digest of all that a run depends on."""
    found = hashlib.sha256()
    for folder in ("scenarios", "services", "worker", "tests/chaos"):
        for path in sorted(one for one in (ROOT / folder).rglob("*") if one.is_file() and "__pycache__" not in one.parts):
            found.update(path.read_bytes())
    return found.hexdigest()


def kept_runs(file: Path) -> dict[str, Any]:
    """What was run with this very code."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found if found.get("code") == code() else {"code": code(), "runs": {}}


def one_run(served: World, known: dict[str, Any], seed: int) -> list[str]:
    """One seed; where it ended otherwise than the undisturbed run."""
    try:
        ended, _ = run(served, known["script"], known["answers"], seed, COUNT)
    except (Stuck, AssertionError) as error:
        return [f"{type(error).__name__}: {error}"]
    return differences(seed, json.loads(json.dumps(ended)), known["ended"])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("seeds", help="FIRST-LAST")
    first, _, last = parser.parse_args().seeds.partition("-")
    file = ROOT / "var/chaos/runs.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = kept_runs(file)
    seeds = range(int(first), int(last or first) + 1)
    left = [seed for seed in seeds if kept["runs"].get(str(seed)) != []]
    if left:
        with tempfile.TemporaryDirectory(prefix="hexpost-chaos-") as folder, services(Path(folder)) as served:
            known: dict[str, Any] = {"script": scripts(), "answers": {}}
            ended, _ = run(served, known["script"], known["answers"])
            known["ended"] = json.loads(json.dumps(ended))
            for seed in left:
                began = time.monotonic()
                wrong = kept["runs"][str(seed)] = one_run(served, known, seed)
                file.write_text(json.dumps(kept), encoding="utf-8")
                print(f"chaos seed {seed}: {wrong or 'as undisturbed'}, {time.monotonic() - began:.0f} s", flush=True)
    bad = [seed for seed in seeds if kept["runs"][str(seed)]]
    print(f"chaos: {len(seeds)} runs, {len(seeds) - len(bad)} as if nothing had been; others: {bad or 'none'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
