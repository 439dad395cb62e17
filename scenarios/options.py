"""Reading of a game's options: the rulings that groups contest, each with its legal values and its default."""

from __future__ import annotations

from scenarios.data import OptionSpec
from scenarios.records import Record


def read_options(top: Record) -> dict[str, OptionSpec]:
    """Key -> option. Faults: a key twice, a default that is not among the values, fewer than two values, no text."""
    options: dict[str, OptionSpec] = {}
    for record in top.tables("options"):
        spec = OptionSpec(
            key=record.text("key"),
            values=record.values("values"),
            default=record.value("default"),
            clause=record.text("clause", ""),
            text=record.text("text"),
        )
        record.done()
        if spec.default is not None:
            _check_values(record, spec)
        if not spec.text:
            record.fault(f"option {spec.key} has no text")
        if spec.key in options:
            record.fault(f"option {spec.key} is there twice", "key")
        options[spec.key] = spec
    return options


def _check_values(record: Record, spec: OptionSpec) -> None:
    kinds = {type(value) for value in spec.values}
    if len(kinds) > 1 or kinds - {str, int, bool}:
        record.fault(f"the values of option {spec.key} must be strings, whole numbers, or true and false", "values")
    elif len(set(spec.values)) < len(spec.values) or len(spec.values) < 2:
        record.fault(f"option {spec.key} needs two or more values, each once", "values")
    elif type(spec.default) not in kinds or spec.default not in spec.values:
        record.fault(f"the default of option {spec.key} is not among its values", "default")
