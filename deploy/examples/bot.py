"""A program that plays a side by the players' API: ``python bot.py https://club.example/api hxp_TOKEN [SEED]``.

It takes a legal order at random whenever its side is awaited. Replace ``choose`` by something cleverer.
"""

import random
import sys
import time

import requests


def choose(lines, chance):
    """The orders to send, out of the lines that are legal now."""
    return chance.choice(lines)


class Seat:
    """A side of a game, as its token opens it."""

    def __init__(self, base, token):
        self.base, self.headers = base.rstrip("/"), {"Authorization": f"Bearer {token}"}
        answer = requests.get(f"{self.base}/v1/me", headers=self.headers, timeout=30)
        answer.raise_for_status()
        self.game = answer.json()["game"]

    def call(self, method, path, **body):
        """One call; where the server asks for patience, after that."""
        while True:
            url = f"{self.base}/v1/games/{self.game}/{path}"
            answer = requests.request(method, url, json=body or None, headers=self.headers, timeout=60)
            if answer.status_code not in (429, 503):
                answer.raise_for_status()
                return answer.json()
            time.sleep(int(answer.headers.get("Retry-After", 30)))


def play(base, token, seed="1", pause=2.0, last_turn=999):
    """Play until the game is over, or ``last_turn`` is."""
    seat, chance = Seat(base, token), random.Random(seed)
    while not (status := seat.call("GET", "status"))["over"] and status["turn"] <= last_turn:
        if not status["awaited"]:
            time.sleep(pause)
            continue
        orders = choose(seat.call("GET", "template")["lines"], chance)
        answer = seat.call("POST", "orders", text=orders)
        while answer["status"] == "waiting":
            time.sleep(pause)
            answer = seat.call("GET", f"orders/{answer['id']}")
        print(status["turn"], status["side"], orders, answer["status"], flush=True)
    return status


if __name__ == "__main__":
    print(play(*sys.argv[1:4])["text"])
