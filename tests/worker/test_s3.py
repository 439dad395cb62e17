"""Artifacts in a bucket: the same store over a server that speaks S3, and what happens while that is away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer
from redis import Redis

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, orders_mail
from worker.config import Config, ConfigError
from worker.ports import ServiceDown
from worker.store.artifacts import ArtifactStore, open_artifacts
from worker.store.database import open_database

BUCKET = "hexpost-club"


class Server:
    """An S3 server of this process, with one bucket; what it holds outlives a stop."""

    def __init__(self) -> None:
        self._server: Any = None
        self.port = 0
        self.start()
        self.client: Any = boto3.client(
            "s3", endpoint_url=self.url, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret"
        )
        self.client.create_bucket(Bucket=BUCKET)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self.port, verbose=False)
        self._server.start()
        self.port = self._server.get_host_and_port()[1]

    def stop(self) -> None:
        self._server.stop()

    def names(self) -> list[str]:
        return [one["Key"] for one in self.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.stop()


@pytest.fixture
def config(server: Server, tmp_path: Path) -> Config:
    for one in server.names():
        server.client.delete_object(Bucket=BUCKET, Key=one)
    (tmp_path / "key").write_text("key\n")
    (tmp_path / "secret").write_text("secret\n")
    named = {"s3_endpoint": server.url, "s3_region": "us-east-1", "s3_key_file": "key", "s3_secret_file": "secret"}
    text = "".join(f'{key} = "{value}"\n' for key, value in named.items()) + f'artifacts = "s3://{BUCKET}/games"\n'
    (tmp_path / "hexpost.toml").write_text(text)
    return Config.load(tmp_path / "hexpost.toml", {})


@pytest.fixture
def store(config: Config) -> Iterator[ArtifactStore]:
    engine = open_database(config.database)
    yield open_artifacts(config, engine)
    engine.dispose()


def test_what_is_put_lies_under_its_digest_and_comes_back(store: ArtifactStore, server: Server) -> None:
    data = bytes(range(256)) * 4000
    sha = store.put("map", data)
    assert store.put("map", data) == sha
    assert server.names() == [f"games/{sha}"]
    assert store.get(sha) == data


def test_what_is_not_there_or_not_what_it_was_is_not_handed_out(store: ArtifactStore, server: Server) -> None:
    sha = store.put("mail", b"From: desk")
    server.client.put_object(Bucket=BUCKET, Key=f"games/{sha}", Body=b"From: eve")
    for wanted in (sha, "0" * 64, "../" + sha, ""):
        with pytest.raises(KeyError):
            store.get(wanted)


def test_a_bucket_that_is_away_or_not_ours_is_told_in_a_sentence_without_a_key(config: Config, tmp_path: Path) -> None:
    engine = open_database(config.database)
    for wrong in (replace(config, s3_endpoint="http://127.0.0.1:1"), replace(config, artifacts="s3://somebody-elses")):
        found = open_artifacts(wrong, engine)
        for act in (lambda store: store.put("map", b"x"), lambda store: store.get("0" * 64)):
            with pytest.raises(ServiceDown, match=r"^The artifact store s3://[a-z-]+ does not do its work: [A-Za-z]+\.$"):
                act(found)
    (tmp_path / "key").unlink()
    with pytest.raises(ConfigError, match="cannot be read"):
        open_artifacts(config, engine)
    engine.dispose()


def test_a_game_waits_for_its_bucket_and_goes_on_with_nothing_lost(desk: Desk, redis: Redis, config: Config, server: Server) -> None:
    desk.ports = replace(desk.ports, artifacts=open_artifacts(config, desk.ports.journal.engine))
    desk.start()
    sent = len(desk.sender.sent)
    server.stop()
    try:
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
        for _ in range(desk.ports.config.attempts + 1):
            desk.sweep_quietly()
        assert len(desk.sender.sent) == sent
        assert desk.outbox.games() != []  # it waits, and is not parked
    finally:
        server.start()
    desk.sweep()
    assert len(desk.mails_to(ANN)) == 2
    assert len(desk.sender.sent) == sent + 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('artifacts = "s3://Club"', "s3://bucket/prefix"),
        ('artifacts = "s3://club/a b"', "s3://bucket/prefix"),
        ('s3_region = "eu-1"', "does not begin with s3://"),
        ('artifacts = "s3://club"\ns3_key_file = "k"', "belong together"),
        ('artifacts = "s3://club"\ns3_endpoint = "s3.example.org"', "begins with http"),
    ],
)
def test_a_bucket_that_cannot_be_meant_is_said(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "hexpost.toml").write_text(text)
    with pytest.raises(ConfigError, match=said):
        Config.load(tmp_path / "hexpost.toml", {})
