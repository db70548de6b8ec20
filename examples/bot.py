"""A complete bot for Mawe!: accepts challenges, or sends one, and plays moves at random.

Needs Python 3.10 and the library `mawe` (clients/python), which is not published yet. From a clone, which has the library:
pip install -r requirements.txt. It takes a token with the scope `bot`, of a bot account; see docs/api-bots.md for how to get one.

    MAWE_TOKEN=mawe_… python bot.py http://127.0.0.1:8080
    MAWE_TOKEN=mawe_… python bot.py http://127.0.0.1:8080 --challenge SomeBot --game oware --matches 3

The one thing to change is `choose`.
"""

import argparse
import asyncio
import json
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "clients/python/src"))  # of a clone

from mawe import AsyncClient, Goodbye, Problem, Refused, Unreachable


def choose(game, position, legal):
    """The move to play: `legal` are all there are. `position` is in the notation of the game, as in rules/RULES.md."""
    return random.choice(legal)


class Bot:
    def __init__(self, client, live, wanted, opponent):
        self.client, self.live, self.wanted, self.opponent = client, live, wanted, opponent
        self.running = set()  # ids of matches
        self.finished = set()
        self.asked = None  # the id of the challenge that waits for an answer

    async def run(self, matches):
        """Plays until so many matches are over. The library comes back by itself when the line breaks."""
        messages = self.live.messages()
        playing = asyncio.create_task(self.play())
        await self.catch_up()
        async for message in messages:
            await self.hear(message)
            if playing.done():
                playing.result()
            if len(self.finished) >= matches:
                break
            await self.challenge()
        playing.cancel()

    async def play(self):
        async for turn in self.live.turns():
            await turn.play(choose(turn.game, turn.position, turn.legal))

    async def catch_up(self):
        """Events while no line was open: new matches, challenges that wait or no longer do."""
        try:
            for match in (await self.client.get_me_matches())["items"]:
                await self.join(match["id"])
            challenges = await self.client.get_me_challenges()
            self.asked = next((challenge["id"] for challenge in challenges["outgoing"]), None)
            for challenge in challenges["incoming"]:
                await self.accept(challenge["id"])
            await self.challenge()
        except Unreachable as error:  # `hello` comes again with the next line
            print(error, file=sys.stderr)

    async def hear(self, message):
        match message["t"]:
            case "hello":
                await self.catch_up()
            case "challenge":
                await self.accept(message["challenge"]["id"])
            case "challenge-accepted":
                self.asked = None
                await self.join(message["match"])
            case "challenge-gone" if message["challenge"] == self.asked:
                sys.exit("the challenge was declined")
            case "snapshot" if message["match"]["result"]:
                await self.over(message["match"]["id"])
            case "event" if message["state"]["result"]:
                await self.over(message["match"])
            case "error":
                print(f"{message['code']}: {message['message']}", file=sys.stderr)

    async def challenge(self):
        if self.opponent and not self.asked and not self.running:
            try:
                challenge = await self.client.post_challenges({**self.wanted, "to": self.opponent})
            except Unreachable:  # done or not: the next `catch_up` knows
                return
            if challenge["match"]:  # a computer accepts at once
                await self.join(challenge["match"])
            else:
                self.asked = challenge["id"]

    async def accept(self, challenge):
        try:
            await self.join((await self.client.post_challenges_by_id_accept(challenge))["id"])
        except (Problem, Refused, Unreachable) as refused:  # taken back meanwhile, or too many matches
            print(refused, file=sys.stderr)

    async def join(self, match):
        if match not in self.finished:
            self.running.add(match)
            await self.live.join(match)

    async def over(self, id):
        if id in self.running:
            match = await self.live.join(id)
            print(json.dumps({"match": id, "you": match.you, "result": match.result}), flush=True)
            self.running.remove(id)
            self.finished.add(id)
            self.live.leave(id)


async def main():
    parser = argparse.ArgumentParser(description="plays Mawe! at random")
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8080")
    parser.add_argument("--challenge", metavar="NAME", help="challenge this player; without it, wait for challenges")
    parser.add_argument("--game", default="mawe")
    parser.add_argument("--matches", type=int, default=10**9, metavar="N", help="stop after so many")
    options = parser.parse_args()
    clock = {"kind": "realtime", "base_ms": 180_000, "increment_ms": 2_000}
    wanted = {"game": options.game, "rated": True, "time_control": clock}
    try:
        async with AsyncClient(options.url, token=os.environ["MAWE_TOKEN"]) as client, client.live() as live:
            await Bot(client, live, wanted, options.challenge).run(options.matches)
    except Goodbye as goodbye:
        sys.exit(str(goodbye))


if __name__ == "__main__":
    asyncio.run(main())
