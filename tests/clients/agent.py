"""The program of conformance.py with the library in Python."""

import asyncio
import json
import sys
import traceback
from typing import Any, cast

from mawe import AsyncClient, AsyncLive, AsyncMatch, Closed, Goodbye, Problem, Refused, Unreachable
from mawe.types import Command, ServerMsg

MATCH = "Kx7Rm2Qp9TzA"
CHALLENGE = "9sHq4UvJ2kXn"
OF_A_MATCH = ("hello", "snapshot", "event", "joined")
#: Seconds for an answer, for the wish `me`.
TIMEOUT = 3.0


def note(said: dict[str, Any], message: ServerMsg) -> None:
    if message["t"] == "event":
        said["seen"].append(message["seq"])
    elif message["t"] not in OF_A_MATCH:
        said["others"].append(message["t"])


async def ask(client: AsyncClient, wish: str, said: dict[str, Any]) -> None:
    if wish == "me":
        assert (await client.get_me())["player"] is not None
    elif wish == "challenge":
        await client.post_challenges({"to": "Zofia", "game": "oware", "time_control": {"kind": "unlimited"}})
    elif wish == "accept":
        await client.post_challenges_by_id_accept(CHALLENGE)
    else:
        async for message in client.match_stream(MATCH):
            note(said, message)
            if said["seen"][-1:] == [4]:
                break


async def misuse_join(live: AsyncLive) -> None:
    try:
        await live.join("no match")
        raise AssertionError("that is no id")
    except Refused as refused:
        assert refused.code == "unknown-match"


async def misuse_commands(match: AsyncMatch) -> None:
    try:
        await match.command({"kind": "resign"}, client_id="no name")
        raise AssertionError("that is no name")
    except Refused as refused:
        assert refused.code == "bad-frame"
    for value in (object(), float("nan")):
        try:
            await match.command(cast(Command, {"kind": value}))
            raise AssertionError(f"{value} is no JSON")
        except (TypeError, ValueError):
            pass


async def retire(live: AsyncLive, match: AsyncMatch) -> None:
    async for message in live.messages():
        if message["t"] == "event" and message["state"]["result"] is not None:
            match.leave()
            return


async def play(client: AsyncClient, wish: str, said: dict[str, Any]) -> None:
    assert (await client.get_me())["player"] is not None
    async with client.live() as live:
        messages = live.messages()
        if wish == "lobby":
            live.send({"t": "watch-lobby"})
        if wish == "misuse":
            await misuse_join(live)
        match = await live.join(MATCH)
        if wish == "misuse":
            await misuse_commands(match)
        resigning = None
        retiring = asyncio.create_task(retire(live, match)) if wish == "retire" else None
        try:
            async for turn in match.turns():
                if wish == "leave":
                    resigning = asyncio.create_task(match.resign())
                    await asyncio.sleep(0)
                    match.leave()
                else:
                    await turn.play(turn.legal[0])
            for task in (resigning, retiring):
                if task is not None:
                    await task
        finally:
            # All messages until now.
            live_end = asyncio.create_task(live.close())
            async for message in messages:
                note(said, message)
            await live_end
        assert len(match.view["plies"]) == match.view["ply"], "every ply is kept once"
        # A closed line has no further messages and turns.
        for feed in (live.messages(), live.turns(), match.turns()):
            assert [item async for item in feed] == []


async def run(url: str) -> None:
    said: dict[str, Any] = {"url": url, "seen": [], "others": [], "ended": None}
    address, _, wish = url.partition("#")
    timeout = {"timeout": TIMEOUT} if wish == "me" else {}
    async with AsyncClient(address, token="mawe_test", **timeout) as client:
        try:
            await (ask if wish in ("me", "challenge", "accept", "stream") else play)(client, wish, said)
        except (Goodbye, Refused) as error:
            said["ended"] = error.code
        except Problem as problem:
            said["ended"] = problem.status
        except Unreachable:
            said["ended"] = "unreachable"
        except Closed:
            said["ended"] = "closed"
    print(json.dumps(said), flush=True)


async def main() -> int:
    ends = await asyncio.gather(*map(run, sys.argv[1:]), return_exceptions=True)
    failures = [end for end in ends if end is not None]
    for failure in failures:
        traceback.print_exception(failure)
    return 1 if failures else 0


sys.exit(asyncio.run(main()))
