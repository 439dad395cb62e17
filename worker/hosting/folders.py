"""The folders that mails and files lie in, looked at before anything begins: a wrong setting is told then, and not mail by mail."""

from __future__ import annotations

from pathlib import Path

from worker.config import S3, Config, ConfigError


def demand_folders(config: Config) -> None:
    """ConfigError, which names the setting, where mails or files could not be kept."""
    wanted = {"inbox": config.inbox}
    if config.takes_in:
        wanted["spool"] = config.spool
    if not config.smtp:
        wanted["outbox"] = config.outbox
    if not config.artifacts.startswith(S3):
        wanted["artifacts"] = Path(config.artifacts)
    for name, folder in wanted.items():
        demand_folder(name, folder)


def demand_folder(name: str, folder: Path) -> None:
    """Make the folder of a setting where it is missing. ConfigError, which names the setting, where that cannot be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise ConfigError(f"Setting {name}: {folder} is no folder.") from None
    except OSError as error:
        raise ConfigError(f"Setting {name}: {folder} cannot be made: {(error.strerror or str(error)).lower()}.") from None
