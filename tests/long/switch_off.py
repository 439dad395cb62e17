"""Switches off one cited line of a rule: the source of a module in, the tree of a module in out which that line does nothing.

What "nothing" is depends on the line: a guard never holds, a condition is turned round, a ``raise`` or a call is dropped, a sum keeps its
first term, a number grows by one, an entry of a table is taken out. The line is chosen by its number; the smallest piece of syntax that
begins there decides.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

LEAVES = (ast.Raise, ast.Return, ast.Continue, ast.Break)
DROPPED = (ast.Raise, ast.Continue, ast.Break, ast.AugAssign, ast.Assert, ast.Delete)
STATEMENTS = (*DROPPED, ast.Return, ast.Expr, ast.Assign, ast.AnnAssign)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one line switched off; ``how`` says what was done, in the words of the code."""

    tree: ast.Module
    how: str


def said(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 70 else text[:67] + "..."


def turned(value: ast.expr) -> ast.expr:
    """``value`` as its own negation."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        return value.operand
    return ast.UnaryOp(ast.Not(), value)


def changed(value: ast.expr) -> ast.expr | None:
    """An expression that says something else than ``value`` and is of the same kind; None where none is known."""
    match value:
        case ast.Constant(value=bool() as yes):
            return ast.Constant(not yes)
        case ast.Constant(value=int() as number):
            return ast.Constant(number + 1)
        case ast.Constant(value=str() as text):
            return ast.Constant(text + "-off")
        case ast.BoolOp() | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return turned(value)
        case ast.BinOp(left=left):
            return left
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return ast.IfExp(turned(test), body, orelse)
        case ast.Call(func=ast.Name(id="any" | "all" | "bool" | "isinstance")):
            return turned(value)
        case ast.Call(func=ast.Name(id="max" | "min"), args=[first, _, *_]):
            return first
        case ast.ListComp():
            return ast.List([], ast.Load())
    return None


class Switch(ast.NodeTransformer):
    """Visits a module and switches off what stands on one line, once."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.how = ""

    def here(self, node: ast.AST) -> bool:
        return not self.how and getattr(node, "lineno", 0) <= self.line <= (getattr(node, "end_lineno", 0) or 0)

    def visit(self, node: ast.AST) -> ast.AST:
        """Depth first, so that the smallest piece that can be switched off is the one that is."""
        if not isinstance(node, ast.Module | ast.comprehension | ast.keyword | ast.arguments | ast.match_case) and not self.here(node):
            return node
        if isinstance(node, STATEMENTS):
            return self.statement(node)
        result: ast.AST = super().visit(node)
        return result

    def done(self, how: str, node: ast.AST) -> ast.AST:
        self.how = how
        return node

    def header(self, node: ast.If | ast.While | ast.IfExp) -> bool:
        first = node.lineno if not isinstance(node, ast.IfExp) else node.test.lineno
        return first <= self.line <= (node.test.end_lineno or 0)

    def visit_If(self, node: ast.If) -> ast.AST:
        if not self.header(node):
            if node.orelse and node.body[-1].end_lineno is not None and node.body[-1].end_lineno < self.line < node.orelse[0].lineno:
                how = f"nothing done in else: {said(node.orelse[0])}"
                node.orelse = [ast.Pass()]
                return self.done(how, node)
            return self.generic_visit(node)
        if node.test.lineno != node.test.end_lineno:
            node.test = self.visit(node.test)  # type: ignore[assignment]  # an expression stays one
            if self.how:
                return node
        if isinstance(node.body[-1], LEAVES) and not node.orelse:
            how = f"never: if {said(node.test)}"
            node.test = ast.Constant(False)
        else:
            how = f"turned round: if {said(node.test)}"
            node.test = turned(node.test)
        return self.done(how, node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Of a condition over several lines, the part that stands on this line is left out."""
        own = [part for part in node.values if part.lineno == self.line == part.end_lineno]
        if node.lineno == node.end_lineno or not own:
            return self.generic_visit(node)
        kept = [part for part in node.values if part not in own] or node.values[:1]
        return self.done(f"left out of the condition: {said(own[0])}", kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept))

    def visit_While(self, node: ast.While) -> ast.AST:
        if not self.header(node):
            return self.generic_visit(node)
        how = f"never: while {said(node.test)}"
        node.test = ast.Constant(False)
        return self.done(how, node)

    def visit_For(self, node: ast.For) -> ast.AST:
        if self.line > (node.iter.end_lineno or 0):
            return self.generic_visit(node)
        how = f"over nothing: for {said(node.target)} in {said(node.iter)}"
        node.iter = ast.Tuple([], ast.Load())
        return self.done(how, node)

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        if node.pattern.lineno <= self.line <= (node.pattern.end_lineno or 0) and not self.how:
            node.guard = ast.Constant(False)
            return self.done(f"never: case {said(node.pattern)}", node)
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        for index, test in enumerate(node.ifs):
            if self.here(test):
                node.ifs[index] = turned(test)
                return self.done(f"turned round: if {said(test)}", node)
        return node

    def element(self, items: list[ast.expr], node: ast.AST) -> ast.AST | None:
        """A whole entry of a list, tuple or set that stands on the line by itself is taken out."""
        own = [item for item in items if item.lineno == self.line == item.end_lineno]
        if len(own) == 1 and len(items) > 1:
            items.remove(own[0])
            return self.done(f"taken out: {said(own[0])}", node)
        return None

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        return self.whole(node, node.elts)

    def visit_List(self, node: ast.List) -> ast.AST:
        return self.whole(node, node.elts)

    def visit_Set(self, node: ast.Set) -> ast.AST:
        return self.whole(node, node.elts)

    def whole(self, node: ast.AST, items: list[ast.expr]) -> ast.AST:
        return self.element(items, node) or self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        for index, value in enumerate(node.values):
            key = node.keys[index]
            if key is not None and key.lineno == self.line and len(node.values) > 1 and node.lineno != node.end_lineno:
                other = changed(value)
                if other is not None:
                    node.values[index] = other
                    return self.done(f"changed: {said(key)}: {said(value)}", node)
                del node.keys[index], node.values[index]
                return self.done(f"taken out: {said(key)}: {said(value)}", node)
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if self.here(node.value) and node.value.lineno == self.line and (other := changed(node.value)) is not None:
            how = f"changed: {node.arg}={said(node.value)}"
            node.value = other
            return self.done(how, node)
        return self.generic_visit(node)

    def statement(self, node: ast.stmt) -> ast.AST:
        """A statement of one value: what is inside first, then the value, then the statement as a whole."""
        if isinstance(node, DROPPED) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            return self.done(f"left out: {said(node)}", ast.Pass())
        value: ast.expr | None = getattr(node, "value", None)
        if isinstance(value, ast.ListComp):
            node.value = self.visit(value)  # type: ignore[attr-defined]  # a condition of its own comes first
        if not self.how and value is not None and (other := changed(value)) is not None:
            how = f"changed: {said(node)}"
            node.value = other  # type: ignore[attr-defined]
            return self.done(how, node)
        self.generic_visit(node)
        if self.how:
            return node
        if isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant | None):
            how = f"returned nothing: {said(node)}"
            node.value = ast.Constant(None)
            return self.done(how, node)
        if isinstance(node, ast.Return | ast.Expr):
            return self.done(f"left out: {said(node)}", ast.Pass())
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if not self.how and isinstance(node, ast.expr) and self.here(node) and not isinstance(node, ast.Constant):
            other = changed(node)
            if other is not None:
                return self.done(f"changed: {said(node)}", other)
        return node


def switch_off(source: str, line: int) -> Mutant | None:
    """``source`` with its ``line`` switched off, or None where the line holds nothing that can be (a ``def``, a bare name)."""
    switch = Switch(line)
    tree = switch.visit(ast.parse(source))
    assert isinstance(tree, ast.Module)
    return Mutant(ast.fix_missing_locations(tree), switch.how) if switch.how else None
