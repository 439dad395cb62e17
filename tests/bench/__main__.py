"""``python -m tests.bench [word ...]``: run the benchmarks and print medians; exit 1 if one is over its goal or could not run."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path

from tests.bench.harness import measure

NAMED = ("bench_archive", "bench_load")
"""Run only when named: these take minutes."""


def main(words: list[str]) -> int:
    """Run the benchmarks whose module or name holds one of ``words`` (all if there are none)."""
    bad = 0
    files = sorted(Path(__file__).parent.glob("bench_*.py"))
    named = [file for file in files if any(word in file.stem for word in words)]
    for file in named or [
        file for file in files if file.stem not in NAMED
    ]:  # a module that is not asked for need not even be there: some want what only ./test installs
        try:
            benches = importlib.import_module(f"tests.bench.{file.stem}").benches()
            for bench in benches:
                if words and not any(word in f"{file.stem} {bench.name}" for word in words):
                    continue
                result = measure(bench)
                print(result.line(), flush=True)
                bad += not result.met
        except Exception:  # one broken module must not hide the figures of the others
            print(f"{file.stem} could not run:", flush=True)
            traceback.print_exc(file=sys.stdout)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
