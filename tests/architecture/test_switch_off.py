"""The mutants of ``./test --all=mutants``: each kind of cited line is really switched off, and no other."""

from __future__ import annotations

import ast

import pytest

from tests.long.switch_off import switch_off

CASES = [
    ("if cost > allowance:  # 1\n    raise Fault\n", "if False:\n    raise Fault"),
    ("if wet:  # 1\n    cost = 2\nelse:\n    cost = 1\n", "if not wet:\n    cost = 2\nelse:\n    cost = 1"),
    ("if a and (\n    b\n    and c  # 3\n):\n    raise Fault\n", "if a and b:\n    raise Fault"),
    ("def f(x):\n    return x > 2  # 2\n", "def f(x):\n    return not x > 2"),
    ("def f(x):\n    return a or b  # 2\n", "def f(x):\n    return not (a or b)"),
    ("def f(x):\n    return x + 1  # 2\n", "def f(x):\n    return x"),
    ("def f(x):\n    return None  # 2\n", "def f(x):\n    pass"),
    ("def f(x):\n    return g(x)  # 2\n", "def f(x):\n    return None"),
    ("adj.record(Event(1))  # 1\n", "pass"),
    ("dice -= 1  # 1\n", "pass"),
    ("cost = 2 if wet else 1  # 1\n", "cost = 2 if not wet else 1"),
    ("own = [u for u in units if u.alive]  # 1\n", "own = [u for u in units if not u.alive]"),
    ("own = [shown(u) for u in units]  # 1\n", "own = []"),
    ("costs = {\n    'clear': 1,\n    'rough': 2,  # 3\n}\n", "costs = {'clear': 1, 'rough': 3}"),
    ("steps = (\n    build,\n    action,  # 3\n    supply,\n)\n", "steps = (build, supply)"),
    ("for unit in units:  # 1\n    drop(unit)\n", "for unit in ():\n    drop(unit)"),
    ("move(unit, free=True)  # 1\n", "pass"),
]


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_the_cited_line_alone_is_switched_off(source: str, expected: str) -> None:
    line = next(n for n, text in enumerate(source.splitlines(), 1) if "#" in text)
    mutant = switch_off(source, line)
    assert mutant is not None
    assert ast.unparse(mutant.tree) == expected


def test_a_line_that_does_nothing_has_no_mutant() -> None:
    assert switch_off("def f(x):  # 1\n    return x\n", 1) is None
