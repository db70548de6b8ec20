"""Plays the scenarios of scenarios.py with a client: `conformance.py [--browser] PROGRAM [ARGUMENT…]`.

The program gets an address for each scenario, all at once; `#lobby` at its end asks it to watch the lobby first. For each it asks
`GET /api/v1/me`, then plays, and prints a line of JSON: the `url`; `seen`, the seq of each event that its library told it; `others`, the
kinds of messages other than those of a match; `ended`, the code after which the library gave up, or null. With `--browser` it sends no token with
the socket, and no scenario refuses the handshake: a browser tells nobody why.
"""

import asyncio
import json
import sys
import time
from http import HTTPStatus
from typing import Any

from scenarios import ANY, SAME, SCENARIOS
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

#: Seconds for a step, on a machine with other work.
DEADLINE = 60
BROWSER = sys.argv[1] == "--browser"
PROGRAM = sys.argv[2:] if BROWSER else sys.argv[1:]
ME = {"player": {"name": "Amina", "kind": "bot"}, "moderator": False, "premium": False, "language": None, "unread": 0}


class Scenario:
    def __init__(self, name: str) -> None:
        self.name = name
        self.script = SCENARIOS[name]
        self.lines = list(self.script["lines"])
        self.requests = list(self.script.get("requests", []))
        self.faults: list[str] = []
        self.client_id = ""
        self.ended_at = 0.0
        self.url = ""

    def answered(self, status: int, body: Any, retry_after: int | None = None) -> Response:
        headers = Headers({"Content-Type": "application/json", "Connection": "close"})
        if retry_after is not None:
            headers["Retry-After"] = str(retry_after)
        self.ended_at = time.monotonic()
        content = json.dumps(body).encode()
        headers["Content-Length"] = str(len(content))
        return Response(status, HTTPStatus(status).phrase, headers, content)

    def request(self, _: ServerConnection, request: Request) -> Response | None:
        problem = {"code": "busy", "title": "no", "detail": "not now", "request_id": "r"}
        if request.path == "/api/v1/me":
            if self.requests:
                refusal = self.requests.pop(0)
                return self.answered(refusal["status"], {**problem, "status": refusal["status"]}, refusal.get("retry_after"))
            if self.script.get("requests") and time.monotonic() - self.ended_at < 0.2:
                self.faults.append("the request was repeated at once")
            return self.answered(200, ME)
        if not self.lines:
            self.faults.append("one connection too many")
            return self.answered(401, {**problem, "status": 401})
        if isinstance(self.lines[0], dict):
            refusal = self.lines.pop(0)
            return self.answered(refusal["refuse"], {**problem, "status": refusal["refuse"]}, refusal.get("retry_after"))
        if not BROWSER and request.headers.get("Authorization") != "Bearer mawe_test":
            self.faults.append("no token")
        return None

    async def line(self, socket: ServerConnection) -> None:
        steps = self.lines.pop(0)
        try:
            for number, step in enumerate(steps):
                fault = await asyncio.wait_for(self.step(socket, step), DEADLINE)
                if fault:
                    self.faults.append(f"step {number}: {fault}")
                    break
                if step.keys() & {"cut", "close", "stall"}:
                    break
            else:
                # Nothing more is said, and the program goes by itself.
                async with asyncio.timeout(DEADLINE):
                    async for text in socket:
                        if json.loads(text)["t"] not in ("ping", "leave"):
                            self.faults.append(f"one frame too many: {text!r}")
                if socket.close_code != 1000:
                    self.faults.append(f"the program has closed the line with {socket.close_code}")
        except ConnectionClosed as closed:
            self.faults.append(f"step {number}: the client has gone ({closed})")
        except TimeoutError:
            self.faults.append(f"step {number}: nothing comes")
        self.ended_at = time.monotonic()
        socket.transport.abort()

    async def step(self, socket: ServerConnection, step: dict[str, Any]) -> str | None:
        if "not_before" in step:
            early = step["not_before"] - (time.monotonic() - self.ended_at)
            return f"{early:.2f} s too early" if early > 0.01 else None
        if "client" in step:
            wanted = step["client"]
            while (frame := json.loads(await socket.recv()))["t"] == "ping" and wanted["t"] != "ping":
                await socket.send('{"t":"pong"}')
            if wanted.get("client_id") == SAME and frame.get("client_id") != self.client_id:
                return f"another name than {self.client_id}: {frame}"
            wrong = {name for name, value in wanted.items() if value not in (ANY, SAME) and frame.get(name) != value}
            if wrong:
                return f"{frame}, where {wanted} is due"
            self.client_id = frame.get("client_id", self.client_id)
        elif "send" in step or "text" in step:
            text = step["text"] if "text" in step else json.dumps(step["send"]).replace(json.dumps(SAME), json.dumps(self.client_id))
            for _ in range(2 if step.get("twice") else 1):
                await socket.send(text)
        elif "close" in step:
            await socket.close(step["close"])
        elif "cut" in step:
            socket.transport.abort()
            await socket.wait_closed()
        elif "stall" in step:
            # Nothing is read until the client gives the connection up.
            await socket.wait_closed()
        return None

    async def serve(self, over: asyncio.Event, ready: asyncio.Barrier) -> None:
        async with serve(self.line, "127.0.0.1", 0, process_request=self.request, subprotocols=["mawe.v1"], ping_interval=None, close_timeout=5) as server:  # type: ignore[list-item]
            port = server.sockets[0].getsockname()[1]
            self.url = f"http://127.0.0.1:{port}" + ("#lobby" if self.script.get("lobby") else "")
            await ready.wait()
            await over.wait()

    def judge(self, said: dict[str, Any] | None) -> list[str]:
        faults = list(self.faults)
        if said is None:
            return [*faults, "the program says nothing of it"]
        if self.lines:
            faults.append(f"{len(self.lines)} connections did not come")
        for name, default in (("seen", []), ("others", []), ("ended", None)):
            if said[name] != self.script.get(name, default):
                faults.append(f"{name} is {said[name]}")
        return faults


async def main() -> int:
    scenarios = [Scenario(name) for name in SCENARIOS]
    if BROWSER:
        scenarios = [scenario for scenario in scenarios if not any(isinstance(line, dict) for line in scenario.lines)]
    over, ready = asyncio.Event(), asyncio.Barrier(len(scenarios) + 1)
    async with asyncio.TaskGroup() as group:
        for scenario in scenarios:
            group.create_task(scenario.serve(over, ready))
        await ready.wait()
        program = await asyncio.create_subprocess_exec(*PROGRAM, *(scenario.url for scenario in scenarios), stdout=asyncio.subprocess.PIPE)
        try:
            output, _ = await asyncio.wait_for(program.communicate(), 3 * DEADLINE)
        except TimeoutError:
            program.kill()
            output, _ = await program.communicate()
        over.set()
    said = {line["url"]: line for line in map(json.loads, output.decode().splitlines())}
    bad = 0
    for scenario in scenarios:
        for fault in scenario.judge(said.get(scenario.url)):
            bad += 1
            print(f"{scenario.name}: {fault}", file=sys.stderr)
    if not bad and program.returncode == 0:
        print(f"{len(scenarios)} scenarios are survived")
    return 1 if bad else program.returncode or 0


sys.exit(asyncio.run(main()))
