"""Register the commands of commands.json at Discord: ``python register.py APPLICATION_ID TOKEN_FILE [GUILD_ID]``.

With a guild (server) they are there at once; without one everywhere, within an hour. Run again, it replaces them: no others stay.
"""

import json
import sys
from pathlib import Path

import requests

BASE = "https://discord.com/api/v10"
AGENT = "DiscordBot (https://hexpost.invalid, 1)"
EVERYWHERE = {"contexts": [0, 1], "integration_types": [0]}
"""In guilds and in messages to the bot, where it was invited to a guild. A guild's own commands have no such choice."""


def url_of(application: str, guild: str = "") -> str:
    """Where commands are registered."""
    if not (application.isdecimal() and (not guild or guild.isdecimal())):
        raise SystemExit("The application and the guild are numbers: copy them from Discord.")
    return f"{BASE}/applications/{application}{f'/guilds/{guild}' if guild else ''}/commands"


def payload(guild: str = "") -> list[dict]:
    """The commands as they are registered."""
    commands = json.loads((Path(__file__).parent / "commands.json").read_text(encoding="utf-8"))
    return [{"type": 1} | command | ({} if guild else EVERYWHERE) for command in commands]


def main(application: str, token_file: str, guild: str = "") -> None:
    """Register; what Discord says against it ends the program."""
    token = Path(token_file).read_text(encoding="utf-8").strip()
    headers = {"Authorization": f"Bot {token}", "User-Agent": AGENT}
    answer = requests.put(url_of(application, guild), json=payload(guild), headers=headers, timeout=30)
    if answer.status_code == 429:
        raise SystemExit(f"Discord asks for patience: try again in {answer.json().get('retry_after', 60)} s.")
    if not answer.ok:
        raise SystemExit(f"Discord answered HTTP {answer.status_code}: {answer.text[:500]}")
    print(f"{len(answer.json())} commands are registered.")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
