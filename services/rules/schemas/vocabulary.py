"""What a game and a scenario are called, and the words that orders may use, as JSON."""

from __future__ import annotations

from scenarios.data import GameData, ScenarioData
from services.rules.engine.model import Json
from services.rules.engine.module import GameModule
from services.rules.schemas.common import plain


def dump_game(data: GameData) -> dict[str, Json]:
    """A game in short: names, sides, scenarios, options."""
    return {
        "key": data.key,
        "title": data.title,
        "edition": data.edition,
        "sides": list(data.sides),
        "side_names": dict(data.side_names),
        "data_digest": data.digest,
        "sources": {name: source for name, source in data.sources.items() if name not in data.options},
        "printed": {chart: sorted(map(list, cells)) for chart, cells in data.printed.items() if data.sources[chart] == "reconstructed"},
        "overlaid": list(data.overlaid),
        "scenarios": [{"id": f"{data.key}/{key}", "title": scenario.title} for key, scenario in data.scenarios.items()],
        "options": [
            {"key": spec.key, "values": plain(spec.values), "default": plain(spec.default), "clause": spec.clause, "text": spec.text}
            for spec in data.options.values()
        ],
    }


def dump_scenario(module: GameModule, scenario: ScenarioData) -> dict[str, Json]:
    """A scenario with its whole vocabulary."""
    data = module.data
    return {
        "id": f"{data.key}/{scenario.key}",
        "title": scenario.title,
        "game": {**dump_game(data), "sources": _sources(data, scenario)},
        "first_turn": scenario.first_turn,
        "last_turn": scenario.last_turn,
        "turns": list(data.turns[scenario.first_turn - 1 : scenario.last_turn]),
        "units": {
            card.id: {
                "side": card.side,
                "name": card.name,
                "kind": card.kind,
                "nation": card.nation,
                "aliases": list(card.aliases),
                "values": plain(card.values),
            }
            for card in data.cards.values()
        },
        "places": plain(data.board.names),
        "names": {str(at): name for at in sorted(data.board.features) if (name := data.board.name_of(at))},
        "hexes": sorted(str(at) for at in data.board.terrain),
        "labels": plain(data.board.labels),
        "verbs": _verbs(module),
    }


def _sources(data: GameData, scenario: ScenarioData) -> dict[str, Json]:
    """Where data of a scenario are from: what is named after another scenario is that one's alone."""
    found: dict[str, Json] = dump_game(data)["sources"]
    others = {key for key in data.scenarios if key != scenario.key}
    return {name: source for name, source in found.items() if name.replace("_", "-") not in others}


def _verbs(module: GameModule) -> dict[str, list[str]]:
    verbs: dict[str, list[str]] = {}
    for step in module.sequence.steps:
        taken = [*(on.verb for on in step.accepts), *(ask.verb for ask in step.asks)]
        if taken:
            verbs[step.name] = sorted({*verbs.get(step.name, ()), *taken})
    return verbs
