"""The program of conformance.py with the library in Python."""

import asyncio
import json
import sys
from typing import Any

from mawe import AsyncClient, Goodbye

MATCH = "Kx7Rm2Qp9TzA"
OF_A_MATCH = ("hello", "snapshot", "event", "joined")


async def play(url: str) -> None:
    said: dict[str, Any] = {"url": url, "seen": [], "others": [], "ended": None}
    address, _, wish = url.partition("#")
    async with AsyncClient(address, token="mawe_test") as client:
        me = await client.get_me()
        assert me["player"] is not None
        try:
            async with client.live() as live:
                messages = live.messages()
                if wish == "lobby":
                    live.send({"t": "watch-lobby"})
                match = await live.join(MATCH)
                async for turn in match.turns():
                    await turn.play(turn.legal[0])
                # All messages until now.
                live_end = asyncio.create_task(live.close())
                async for message in messages:
                    if message["t"] == "event":
                        said["seen"].append(message["seq"])
                    elif message["t"] not in OF_A_MATCH:
                        said["others"].append(message["t"])
                await live_end
                assert len(match.view["plies"]) == match.view["ply"], "every ply is kept once"
        except Goodbye as goodbye:
            said["ended"] = goodbye.code
    print(json.dumps(said), flush=True)


async def main() -> None:
    await asyncio.gather(*map(play, sys.argv[1:]))


asyncio.run(main())
