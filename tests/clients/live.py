"""Lets the example bots, one with each library, play each other on a real server that is killed and restarted under them, and runs the quick
starts of docs/clients.md: `live.py SERVER-BINARY BOT.PY BOT.MJS FOLDER-OF-RUST-PROGRAMS`.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import httpx
from mawe import Client, Problem

T = TypeVar("T")
PASSWORD = "korosho na maembe"
MOST_MATCHES = 1_000_000
#: Plies after which a match is in its middle.
ENOUGH = 8


def eventually(what: str, look: Callable[[], T | None]) -> T:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found = look()
        if found is not None:
            return found
        time.sleep(0.2)
    raise TimeoutError(what)


class Server:
    """A server that comes back at its address, with its data."""

    def __init__(self, binary: str, place: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url, self.log = f"http://127.0.0.1:{self.port}", (place / "log").open("ab")
        self.command = [binary, "--listen", f"127.0.0.1:{self.port}", "--bots", "1", "--data-dir", str(place / "data")]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log)

    def stop(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait(60)


def bot(url: str, name: str) -> str:
    """Makes a bot account; returns its token."""
    with Client(url) as owner:
        owner.post_accounts({"name": name, "password": PASSWORD})
        token = owner.post_me_tokens({"name": "a test", "scopes": ["bot"], "expires_in_days": 1})["token"]
    with Client(url, token=token) as program:
        assert program.post_me_bot()["player"] is not None
    return token


@contextmanager
def program(*command: str, cwd: Path | None = None, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen(command, env={**os.environ, **environment, "no_proxy": "127.0.0.1"}, stdout=subprocess.PIPE, cwd=cwd)
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def restarts(server: Server, bot_py: str, bot_mjs: str, rust: Path) -> None:
    """The bots play match after match, while the server is killed in the middle of matches of each opponent, and told to stop in others."""
    chatu, kaa, kasuku = bot(server.url, "Chatu"), bot(server.url, "Kaa"), bot(server.url, "Kasuku")
    many = str(MOST_MATCHES)
    with (
        Client(server.url, token=chatu, patience=120) as look,
        program(sys.executable, bot_py, server.url, "--matches", many, MAWE_TOKEN=chatu) as waits,
        program("node", bot_mjs, server.url, "Chatu", "mawe", many, MAWE_TOKEN=kaa) as asks,
        program(str(rust / "bot-rs"), server.url, "Chatu", "mawe", many, MAWE_TOKEN=kasuku) as asks_too,
    ):

        def in_its_middle(opponent: str) -> str | None:
            for match in look.get_me_matches()["items"]:
                if opponent in (match["seats"]["first"]["player"]["name"], match["seats"]["second"]["player"]["name"]):
                    view = look.get_matches_by_id(match["id"])
                    if len(view["plies"]) >= ENOUGH and view["result"] is None:
                        return view["id"]
            return None

        signals = [(opponent, how) for how in (signal.SIGKILL, signal.SIGTERM) for opponent in ("Kaa", "Kasuku")]
        while signals:
            opponent, how = signals[0]
            match = eventually(f"a match with {opponent} in its middle", lambda: in_its_middle(opponent))
            server.stop(how)
            server.start()
            # It may have ended in the last moment: then once more.
            if look.get_matches_by_id(match)["result"] is None:
                signals.pop(0)
                eventually("its end", lambda: look.get_matches_by_id(match)["result"])
        # Others may be running.
        played = [match for match in look.get_players_by_name_matches("Chatu")["items"] if match["result"] is not None]
        assert len(played) >= 4
        for each in played:
            view = look.get_matches_by_id(each["id"])
            result = view["result"]
            assert result is not None and result["reason"] not in ("time", "aborted", "abandoned", "no-show", "left-early"), view
            # No move was played twice: each entry is a ply.
            assert view["seq"] == view["ply"], view["seq"]
        for ended in (waits, asks, asks_too):
            assert ended.poll() is None, "a bot has ended"
    print("the bots of three libraries play each other on, through kill -9 and restarts")


def refusals(server: Server, rust: Path) -> None:
    subprocess.run([rust / "examples/requests", server.url], check=True, timeout=120)
    with Client(server.url) as visitor:
        try:
            visitor.get_players_by_name("nobody-of-this-name")
            raise AssertionError("there is none")
        except Problem as problem:
            assert (problem.status, problem.code) == (404, "not-found"), problem.body
    with Client(server.url) as guest:
        assert guest.post_guests()["player"] is not None
        clock = {"kind": "realtime", "base_ms": 600_000, "increment_ms": 0}
        match = guest.post_matches({"game": "oware", "level": 1, "side": "first", "time_control": clock})["id"]  # type: ignore[typeddict-item]
        stream = guest.match_stream(match)
        assert [next(stream)["t"], next(stream)["t"]] == ["hello", "snapshot"]
        move = guest.get_matches_by_id(match)["legal"][0]
        wish = {"client_id": "once", "seq": 0, "command": {"kind": "move", "ply": 0, "move": move}}
        # Sent twice, it is played once, and answered with the same entry.
        assert guest.post_matches_by_id_commands(match, wish) == guest.post_matches_by_id_commands(match, wish)  # type: ignore[arg-type]
        message = next(message for message in stream if message["t"] == "event")
        assert message["seq"] == 1, message
        assert guest.get_matches_by_id_picture_png(match).startswith(b"\x89PNG")
        assert "oware" in guest.get_matches_by_id_export(match)
        assert len(list(guest.get_games()["items"])) >= 6
        lost_answer(guest)
        closed_line(guest)
    print("requests, refusals and streams are as they should be")


def lost_answer(client: Client) -> None:
    """A request whose answer is lost is sent again under its key: one match is made."""
    keys = []

    def lose_first(answer: httpx.Response) -> None:
        keys.append(answer.request.headers["Idempotency-Key"])
        if len(keys) == 1:
            answer.read()
            raise httpx.ReadError("the answer is lost")
        assert answer.headers["Idempotency-Replayed"] == "true", answer.headers

    before = {match["id"] for match in client.get_me_matches()["items"]}
    client._client.event_hooks = {"response": [lose_first]}
    made = client.post_matches({"game": "oware", "level": 1, "side": "first", "time_control": {"kind": "unlimited"}})
    client._client.event_hooks = {}
    assert len(keys) == 2 and keys[0] == keys[1], keys
    assert {match["id"] for match in client.get_me_matches()["items"]} - before == {made["id"]}


def closed_line(client: Client) -> None:
    """Iterators of a line end with it, those of before and those of after."""
    with client.live() as live:
        feeds = [live.messages(), live.turns()]
    for feed in [*feeds, live.messages(), live.turns()]:
        assert list(feed) == []


@contextmanager
def quick_starts(server: Server, agents: Path, rust: Path) -> Iterator[None]:
    """Runs each block of docs/clients.md, word for word. Those with a library play on during the body of the block."""
    text = (Path(__file__).parents[2] / "docs/clients.md").read_text()
    blocks = re.findall(r"^```(python|js|rust|sh)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert sorted(language for language, _ in blocks) == ["js", "python", "rust", "sh"]
    # This one is compiled beforehand.
    assert dict(blocks)["rust"] == (Path(__file__).parents[2] / "clients/rust/examples/quick_start.rs").read_text()
    commands = {"python": [sys.executable, "-c"], "js": ["node", "--input-type=module", "--eval"], "sh": ["bash", "-eu", "-c"]}
    with ExitStack() as stack:
        running = []
        for language, block in sorted(blocks, reverse=True):
            token = bot(server.url, f"Reader-{language}")
            command = [str(rust / "examples/quick_start")] if language == "rust" else [*commands[language], block]
            process = stack.enter_context(program(*command, cwd=agents, MAWE=server.url, MAWE_TOKEN=token))
            if language == "sh":
                output, _ = process.communicate(timeout=120)
                assert process.returncode == 0 and b'"t":"event"' in output, output
                continue
            running.append(process)
            with Client(server.url, token=token) as look:
                eventually("its match", lambda: True if look.get_me_matches()["items"] else None)
        yield
        for process in running:
            output, _ = process.communicate(timeout=300)
            assert process.returncode == 0 and b"winner" in output, output
    print(f"{len(blocks)} quick starts run, through the same restarts")


def main() -> None:
    binary, bot_py, bot_mjs, rust = *sys.argv[1:4], Path(sys.argv[4]).resolve()
    with tempfile.TemporaryDirectory() as place:
        server = Server(binary, Path(place))
        try:
            with Client(server.url, patience=120) as visitor:
                visitor.get_games()
            refusals(server, rust)
            with quick_starts(server, Path(bot_mjs).parent, rust):
                restarts(server, bot_py, bot_mjs, rust)
        except BaseException:
            sys.stderr.write((Path(place) / "log").read_text()[-4000:])
            raise
        finally:
            server.stop(signal.SIGKILL)


main()
