"""The service as it is started: its settings, the games that it plays, its token."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios.loader import package_keys
from services.rules.app import create_app
from services.rules.config import Config
from services.rules.registry import load_games
from services.rules.schemas.game import schemas_of
from services.rules.schemas.verbs import COMMON


def test_settings_come_from_the_environment_and_have_defaults() -> None:
    assert Config.from_env({}) == Config(token=None, max_body=4_000_000)
    assert Config.from_env({"HEXPOST_SERVICE_TOKEN": "t", "HEXPOST_RULES_MAX_BODY": "5000"}) == Config("t", 5000)
    assert Config.from_env({"HEXPOST_SERVICE_TOKEN": ""}).token is None


@pytest.mark.parametrize("size", ["", "many", "-1", "999", "1e6", "²²²²", "100000001"])
def test_a_setting_without_sense_is_named(size: str) -> None:
    with pytest.raises(ValueError, match="HEXPOST_RULES_MAX_BODY"):
        Config.from_env({"HEXPOST_RULES_MAX_BODY": size})


def test_every_package_has_its_rules() -> None:
    assert {*load_games()} == {*package_keys()}


def test_every_work_decision_and_verb_of_a_game_has_its_schema() -> None:
    for key, module in load_games().items():
        schemas = schemas_of(key)
        assert schemas.frames.keys() == module.works.keys()
        assert schemas.contexts.keys() == module.asks.keys()
        assert schemas.verbs.keys() == {*COMMON, *module.verbs}


def test_without_its_package_a_game_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="beda-fomm"):
        load_games(tmp_path)


def test_a_service_with_a_token_asks_for_it_and_takes_only_so_much() -> None:
    client = create_app(Config(token="s3cret", max_body=1000), load_games()).test_client()
    assert client.get("/v1/games").status_code == 401
    assert client.get("/v1/games", headers={"Authorization": "Bearer s3cret"}).status_code == 200
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").json == {"status": "ready"}
    headers = {"Authorization": "Bearer s3cret"}
    assert client.post("/v1/states", data=b" " * 1001, headers=headers, content_type="application/json").status_code == 413
