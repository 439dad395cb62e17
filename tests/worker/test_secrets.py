"""What is derived from a game's secret, against the documented formulas."""

from __future__ import annotations

import hashlib
import hmac

from worker import secrets

SECRET = "00" * 31 + "2a"


def test_the_commitment_is_the_hash_of_the_secrets_bytes() -> None:
    assert secrets.commitment("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert secrets.commitment(SECRET) == hashlib.sha256(bytes(31) + b"*").hexdigest()


def test_the_game_key_takes_the_players_words_in() -> None:
    plain = secrets.game_key(SECRET, [])
    assert plain == hmac.new(bytes(31) + b"*", b"[]", "sha256").digest()
    worded = secrets.game_key(SECRET, [["allied", "rat"], ["axis", "fox"]])
    assert worded == hmac.new(bytes(31) + b"*", b'[["allied","rat"],["axis","fox"]]', "sha256").digest()


def test_seeds_differ_by_branch_and_number_and_are_repeatable() -> None:
    seeds = {secrets.seed(SECRET, [], "G1", branch, n) for branch in (0, 1) for n in (1, 2)}
    assert len(seeds) == 4
    assert secrets.seed(SECRET, [], "G1", 0, 1) == hmac.new(secrets.game_key(SECRET, []), b'["G1",0,1]', "sha256").hexdigest()


def test_tokens_differ_by_side_and_turn_and_cannot_be_misread() -> None:
    tokens = {secrets.token(SECRET, "G1", 0, turn, side) for turn in range(1, 23) for side in ("axis", "allied")}
    assert len(tokens) == 44
    assert all(len(token) == 10 and not set(token) & set("01oil") for token in tokens)


def test_message_ids_name_the_game_and_nothing_else() -> None:
    first = secrets.message_id(SECRET, "G1", "v1/turn/axis/1", "desk.example")
    assert first.startswith("<g1.")
    assert first.endswith("@desk.example>")
    assert "axis" not in first
    assert first != secrets.message_id(SECRET, "G1", "v2/turn/axis/1", "desk.example")
