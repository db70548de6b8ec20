"""Plays the scenarios of scenarios.py with a client: `conformance.py [--browser] PROGRAM [ARGUMENT…]`.

The program gets an address for each scenario, all at once; some end with `#` and a wish. For each it does as scenarios.py says, and prints a line
of JSON: the `url`; `seen`, the seq of each event from its library; `others`, the kinds of messages other than those of a match; `ended`, the code
or status with which the library gave up, `closed` or `unreachable`, or null. Where it plays, it asks `GET /api/v1/me` first. With `--browser`
it sends no token with the socket, and no scenario refuses the handshake: a page does not learn the reason from its browser.
"""

import asyncio
import contextlib
import json
import sys
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import h11
from scenarios import ANY, REQUESTS, SAME, SCENARIOS
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

#: Seconds for a step, on a machine with other work.
DEADLINE = 60
BROWSER = sys.argv[1] == "--browser"
PROGRAM = sys.argv[2:] if BROWSER else sys.argv[1:]
PROBLEM = {"code": "busy", "title": "no", "detail": "not now", "request_id": "r"}
#: The example of the protocol: a library with types reads it whole.
CHALLENGE = json.loads((Path(__file__).parents[2] / "server/tests/protocol/server-challenge.json").read_text())["challenge"]
ME = {"player": {"name": "Amina", "kind": "bot"}, "moderator": False, "premium": False, "language": None, "unread": 0}


class Scripted:
    """The server of a scenario."""

    def __init__(self, name: str, script: dict[str, Any], steps: list[Any]) -> None:
        self.name, self.script, self.steps = name, script, list(steps)
        self.faults: list[str] = []
        self.ended_at = 0.0
        self.url = ""

    def listening(self, port: int) -> None:
        wish = self.script.get("wish")
        self.url = f"http://127.0.0.1:{port}" + (f"#{wish}" if wish else "")

    def too_early(self, step: dict[str, Any]) -> str | None:
        early = step.get("not_before", 0) - (time.monotonic() - self.ended_at)
        return f"{early:.2f} s too early" if early > 0.01 else None

    def judge(self, said: dict[str, Any] | None) -> list[str]:
        faults = list(self.faults)
        if said is None:
            return [*faults, "the program says nothing of it"]
        if self.steps:
            faults.append(f"{len(self.steps)} connections or requests did not come")
        for name, default in (("seen", []), ("others", []), ("ended", None)):
            if said[name] != self.script.get(name, default):
                faults.append(f"{name} is {said[name]}")
        return faults


class RequestScenario(Scripted):
    """A server of requests without a socket."""

    def __init__(self, name: str) -> None:
        super().__init__(name, REQUESTS[name], REQUESTS[name]["answers"])
        self.last: dict[str, Any] = {}
        self.key: str | None = None

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await asyncio.wait_for(self.request(reader), DEADLINE)
            if request is not None:
                await asyncio.wait_for(self.say(request, reader, writer), DEADLINE)
        except (TimeoutError, ConnectionError, h11.ProtocolError) as error:
            self.faults.append(f"a request failed: {error!r}")
        finally:
            self.ended_at = time.monotonic()
            writer.close()

    async def request(self, reader: asyncio.StreamReader) -> h11.Request | None:
        """Reads a request with its body; None if the client closes the connection instead."""
        connection, request = h11.Connection(h11.SERVER), None
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(await reader.read(65536))
            elif isinstance(event, h11.Request):
                request = event
            elif isinstance(event, h11.EndOfMessage | h11.ConnectionClosed):
                return request

    async def say(self, request: h11.Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = urlsplit(request.target.decode())
        if self.steps:
            self.last = self.steps.pop(0)
        elif not self.script.get("repeats"):
            self.faults.append("one request too many")
        step = self.last
        headers = {name.decode(): value.decode() for name, value in request.headers}
        found = {
            "request": f"{request.method.decode()} {target.path}",
            "key": "idempotency-key" in headers,
            "since": parse_qs(target.query).get("since", [None])[0],
        }
        wanted = {"request": self.script["request"], "key": self.script.get("key", False), "since": str(step["since"]) if step.get("since") else None}
        if found != wanted:
            self.faults.append(f"{found}, where {wanted} is due")
        key, self.key = self.key, headers.get("idempotency-key")
        if key is not None and key != self.key:
            self.faults.append(f"the key {self.key} after {key}")
        if early := self.too_early(step):
            self.faults.append(early)
        if "cut" in step:
            writer.transport.abort()
        elif "stall" in step:
            # The client gives up first.
            with contextlib.suppress(ConnectionError):
                while await reader.read(65536):
                    pass
        elif "lines" in step:
            lines = "".join(json.dumps(line["send"]) + "\n" for line in step["lines"])
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n" + lines.encode())
            await writer.drain()
        else:
            status = HTTPStatus(step["status"])
            body = json.dumps({**PROBLEM, "status": status} if status >= 400 else {**ME, **CHALLENGE}).encode()
            asked = f"Retry-After: {step['retry_after']}\r\n" if "retry_after" in step else ""
            head = f"HTTP/1.1 {status} {status.phrase}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{asked}Connection: close\r\n\r\n"
            writer.write(head.encode() + body)
            await writer.drain()

    async def serve(self, over: asyncio.Event, ready: asyncio.Barrier) -> None:
        async with await asyncio.start_server(self.answer, "127.0.0.1", 0) as server:
            self.listening(server.sockets[0].getsockname()[1])
            await ready.wait()
            await over.wait()


class Scenario(Scripted):
    """A server of a socket."""

    def __init__(self, name: str) -> None:
        super().__init__(name, SCENARIOS[name], SCENARIOS[name]["lines"])
        self.requests = list(self.script.get("requests", []))
        self.client_id = ""

    def answered(self, status: int, body: Any, retry_after: int | None = None) -> Response:
        headers = Headers({"Content-Type": "application/json", "Connection": "close"})
        if retry_after is not None:
            headers["Retry-After"] = str(retry_after)
        self.ended_at = time.monotonic()
        content = json.dumps(body).encode()
        headers["Content-Length"] = str(len(content))
        return Response(status, HTTPStatus(status).phrase, headers, content)

    def request(self, _: ServerConnection, request: Request) -> Response | None:
        if request.path == "/api/v1/me":
            if self.requests:
                refusal = self.requests.pop(0)
                return self.answered(refusal["status"], {**PROBLEM, "status": refusal["status"]}, refusal.get("retry_after"))
            if self.script.get("requests") and time.monotonic() - self.ended_at < 0.2:
                self.faults.append("the request was repeated at once")
            return self.answered(200, ME)
        if not self.steps:
            self.faults.append("one connection too many")
            return self.answered(401, {**PROBLEM, "status": 401})
        if isinstance(self.steps[0], dict):
            refusal = self.steps.pop(0)
            return self.answered(refusal["refuse"], {**PROBLEM, "status": refusal["refuse"]}, refusal.get("retry_after"))
        if not BROWSER and request.headers.get("Authorization") != "Bearer mawe_test":
            self.faults.append("no token")
        return None

    async def line(self, socket: ServerConnection) -> None:
        steps = self.steps.pop(0)
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
            return self.too_early(step)
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
            self.listening(server.sockets[0].getsockname()[1])
            await ready.wait()
            await over.wait()


async def main() -> int:
    sockets = [Scenario(name) for name in SCENARIOS]
    if BROWSER:
        sockets = [scenario for scenario in sockets if not any(isinstance(line, dict) for line in scenario.steps)]
    scenarios: list[Scenario | RequestScenario] = [*sockets, *map(RequestScenario, REQUESTS)]
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
