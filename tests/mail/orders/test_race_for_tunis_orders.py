"""Orders of Race for Tunis that are read with the game's own vocabulary."""

from __future__ import annotations

from services.mail.orders.parse import parse
from services.rules.registry import load_games
from services.rules.schemas.vocabulary import dump_scenario


def test_a_hex_is_no_company_whose_id_is_that_number_without_hyphens() -> None:
    """1-7-10 is the 1st Company of the 7th Panzer Regiment, 1710 a hex of the road to Robaa."""
    game = load_games()["race-for-tunis"]
    words = dump_scenario(game, game.data.scenarios["standard"]) | {"side": "axis"}
    lines = ["MOVE 5-I 1710 1711", "MOVE 1-7-10 1710", "LOSE 5-I 1-7-10 SPLIT NO"]
    parsed = parse("race-for-tunis", lines, words)
    assert parsed.diagnostics == []
    found = [(order["args"]["units"], order["args"].get("path")) for order in parsed.packet["orders"]]
    assert found == [(["5-I"], ["1710", "1711"]), (["1-7-10"], ["1710"]), (["5-I", "1-7-10"], None)]
