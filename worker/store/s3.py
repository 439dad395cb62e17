"""Artifacts in an S3 bucket, Amazon's or any that speaks the same: one object each, named by its SHA-256."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

from worker.config import S3, Config, ConfigError
from worker.ports import ServiceDown

_GONE = frozenset(("NoSuchKey", "404"))


class S3Shelf:
    """An ``artifacts.Shelf`` in a bucket. A bucket that is away, full or closed is ServiceDown: work waits until it is mended."""

    def __init__(self, config: Config) -> None:
        self._bucket, _, prefix = config.artifacts.removeprefix(S3).partition("/")
        self._prefix = prefix.strip("/") + "/" if prefix.strip("/") else ""
        self._client, self._faults = _client(config)

    def put(self, sha: str, data: bytes) -> None:
        """As ``Shelf``. The bucket compares what it got with a digest."""
        sum_ = base64.b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode()
        self._ask("put_object", sha, Body=data, ContentMD5=sum_)

    def get(self, sha: str) -> bytes | None:
        """As ``Shelf``."""
        found = self._ask("get_object", sha)
        return None if found is None else bytes(found)

    def _ask(self, call: str, sha: str, **more: Any) -> Any:
        try:
            answer = getattr(self._client, call)(Bucket=self._bucket, Key=self._prefix + sha, **more)
            return answer["Body"].read() if "Body" in answer else b""
        except self._faults as error:
            code = str(getattr(error, "response", {}).get("Error", {}).get("Code", type(error).__name__))
            if call == "get_object" and code in _GONE:
                return None
            raise ServiceDown(f"The artifact store s3://{self._bucket} does not do its work: {code}.") from None


def _client(config: Config) -> tuple[Any, tuple[type[Exception], ...]]:
    """What talks to S3, and the errors that it raises."""
    try:
        import boto3
        from botocore.config import Config as Settings
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise ConfigError("Setting artifacts names an S3 bucket: install hexpost with its extra s3.") from None
    settings = Settings(
        connect_timeout=5,
        read_timeout=config.timeout,
        retries={"max_attempts": 2, "mode": "standard"},
        # Not every server that speaks S3 knows the newer checksums; ours are in the names.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    named: dict[str, Any] = {"region_name": config.s3_region or None, "endpoint_url": config.s3_endpoint or None}
    if config.s3_key_file:
        named |= {"aws_access_key_id": _secret(config.s3_key_file), "aws_secret_access_key": _secret(config.s3_secret_file)}
    try:
        client: Any = boto3.session.Session().client("s3", config=settings, **named)
    except (BotoCoreError, ValueError) as error:
        raise ConfigError(f"The bucket of the setting artifacts cannot be reached by the settings that begin with s3: {error}.") from None
    return client, (BotoCoreError, ClientError, OSError)


def _secret(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read ({type(error).__name__}).") from None
