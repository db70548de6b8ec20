"""A complete bot for Mawe!: accepts challenges, or sends one, and plays moves at random.

Needs Python 3.10 and one package beside the standard library: pip install -r requirements.txt (websockets).
It takes a token with the scope `bot`, of a bot account; see docs/api-bots.md for how to get one.

    MAWE_TOKEN=mawe_… python bot.py http://127.0.0.1:8080
    MAWE_TOKEN=mawe_… python bot.py http://127.0.0.1:8080 --challenge SomeBot --game oware --matches 3

The one thing to change is `choose`.
"""

import argparse
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

# After these the server does not want the bot back: the token is revoked, or the bot does not speak its language.
GOODBYE = (1000, 1003)
# A match cannot be reached for the moment: it has moved to another server, or the server or this bot is too busy.
PASSING = ("moved", "storage-unavailable", "too-fast")


def choose(game, position, legal):
    """The move to play: `legal` are all there are. `position` is in the notation of the game, as in rules/RULES.md."""
    return random.choice(legal)


class Bot:
    def __init__(self, url, token, wanted):
        self.url, self.token, self.wanted = url.rstrip("/"), token, wanted
        self.games = {}  # match id -> which game it is, None until it is shown
        self.seats = {}  # match id -> "first" or "second"
        self.states = {}  # match id -> the last seq, and how the match stood then
        self.behind = {}  # match id -> how often it was joined; as long as that is not answered
        self.finished = set()
        self.asked = None  # the id of the challenge that waits for an answer

    def rest(self, method, path, body=None):
        """One request; what it answers. Waits where the server asks for it."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        while True:
            request = urllib.request.Request(self.url + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as error:
                problem = json.load(error)
                if error.code not in (429, 503):
                    raise RuntimeError(f"{method} {path}: {problem['code']}: {problem['detail']}") from None
                time.sleep(int(error.headers.get("Retry-After", "1")))

    def run(self, matches, opponent):
        """Plays until so many matches are over; comes back when the line breaks."""
        pause = 1
        while len(self.finished) < matches:
            try:
                socket_url = self.url.replace("http", "ws", 1) + "/api/v1/ws"
                headers = {"Authorization": f"Bearer {self.token}"}
                with connect(socket_url, additional_headers=headers, subprotocols=["mawe.v1"]) as self.socket:
                    self.catch_up()
                    pause = 1
                    while len(self.finished) < matches:
                        if opponent and not self.asked and not self.games.keys() - self.finished:
                            self.challenge(opponent)
                        self.hear(json.loads(self.socket.recv()))
            except (OSError, WebSocketException) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd and error.rcvd.code in GOODBYE:
                    sys.exit(f"the server does not want this bot back ({error})")
                print(f"the line broke ({error}); again in {pause} s", file=sys.stderr)
                time.sleep(pause + random.random())
                pause = min(2 * pause, 60)

    def challenge(self, opponent):
        challenge = self.rest("POST", "/api/v1/challenges", {**self.wanted, "to": opponent})
        if challenge["match"]:  # a computer accepts at once
            self.join(challenge["match"])
        else:
            self.asked = challenge["id"]

    def catch_up(self):
        """What happened while nobody listened: matches that run or have ended, challenges that wait or no longer do."""
        self.behind.clear()
        running = {match["id"] for match in self.rest("GET", "/api/v1/me/matches")["items"]}
        for match in running | (self.games.keys() - self.finished):
            self.join(match)
        challenges = self.rest("GET", "/api/v1/me/challenges")
        self.asked = next((challenge["id"] for challenge in challenges["outgoing"]), None)
        for challenge in challenges["incoming"]:
            self.answer(challenge)

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def join(self, match):
        """Asks for all that came after what is known; until it is there, no move is made."""
        self.games.setdefault(match, None)
        self.behind[match] = self.behind.get(match, 0) + 1
        since = {"since": self.states[match][0]} if match in self.states else {}
        self.send(t="join", match=match, **since)

    def join_later(self, match):
        """Waits longer each time, and not as long as others."""
        time.sleep(min(0.1 * 2 ** self.behind.get(match, 0), 5) * random.uniform(0.5, 1))
        self.join(match)

    def answer(self, challenge):
        try:
            accepted = self.rest("POST", f"/api/v1/challenges/{challenge['id']}/accept", {})
            self.join(accepted["id"])
        except RuntimeError as refused:  # taken back meanwhile, or too many matches
            print(refused, file=sys.stderr)

    def hear(self, message):
        match message["t"]:
            case "challenge":
                self.answer(message["challenge"])
            case "challenge-accepted":
                self.asked = None
                self.join(message["match"])
            case "challenge-gone" if message["challenge"] == self.asked:
                sys.exit("the challenge was declined")
            case "snapshot":
                view = message["match"]
                self.games[view["id"]], self.seats[view["id"]] = view["game"], message["you"]
                self.behind.pop(view["id"], None)
                self.states[view["id"]] = view["seq"], view
                self.play(view["id"])
            case "event":
                match = message["match"]
                # The answer to a move that was sent twice may be older than what is known.
                if match not in self.states or message["seq"] > self.states[match][0]:
                    self.states[match] = message["seq"], message["state"]
                    self.play(match)
            case "joined":  # all events since then have come, or there were none: what was owed is still owed
                self.behind.pop(message["match"], None)
                self.play(message["match"])
            case "error" if message["code"] in PASSING and message.get("match") in self.games.keys() - self.finished:
                self.join_later(message["match"])
            case "error":
                print(f"{message['code']}: {message['message']}", file=sys.stderr)

    def play(self, match):
        seq, state = self.states[match]
        if match in self.behind:
            return
        if state["result"]:
            if match not in self.finished:
                self.finished.add(match)
                print(json.dumps({"match": match, "you": self.seats[match], "result": state["result"]}), flush=True)
        elif state["turn"] == self.seats[match]:
            move = choose(self.games[match], state["position"], state["legal"])
            command = {"kind": "move", "ply": state["ply"], "move": move}
            time.sleep(0.08)  # a socket may send 15 frames a second; one beyond is not looked at
            # The name says what it answers: sent again after a broken line, it is done once.
            self.send(t="command", match=match, client_id=f"bot-{seq}", seq=seq, command=command)


def main():
    parser = argparse.ArgumentParser(description="plays Mawe! at random")
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8080")
    parser.add_argument("--challenge", metavar="NAME", help="challenge this player; without it, wait for challenges")
    parser.add_argument("--game", default="mawe")
    parser.add_argument("--matches", type=int, default=10**9, metavar="N", help="stop after so many")
    options = parser.parse_args()
    clock = {"kind": "realtime", "base_ms": 180_000, "increment_ms": 2_000}
    wanted = {"game": options.game, "rated": True, "time_control": clock}
    Bot(options.url, os.environ["MAWE_TOKEN"], wanted).run(options.matches, options.challenge)


if __name__ == "__main__":
    main()
