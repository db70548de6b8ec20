"""The clients: every operation of the REST interface, streams, and the line to the socket."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx

from . import _http
from ._live import AsyncLive
from ._operations import AsyncOperations, Operations
from ._stream import TIMEOUT as STREAM_TIMEOUT
from ._stream import Stream
from ._sync import Live
from .errors import Unreachable
from .types import ServerMsg
from .version import VERSION

#: Statuses after which a stream is asked for again.
PASSING = (429, 502, 503, 504)


def _headers(token: str | None) -> dict[str, str]:
    headers = {"User-Agent": f"mawe-python/{VERSION}"}
    return headers if token is None else {**headers, "Authorization": f"Bearer {token}"}


def _line_headers(http: httpx.Client | httpx.AsyncClient) -> dict[str, str]:
    """The identity of the client, for the handshake of a socket: its token, or the cookie of its session."""
    headers = {name: http.headers[name] for name in ("User-Agent", "Authorization") if name in http.headers}
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in http.cookies.jar)
    return {**headers, "Cookie": cookies} if cookies else headers


class Client(Operations):
    """A client for programs that block. Waits where the server asks for it (429), `patience` seconds a request at most, and `timeout` seconds
    for each step of an attempt.

    Without a token it is an anonymous visitor, or, after `post_guests` or `post_sessions`, the player of that session.
    """

    def __init__(self, url: str, *, token: str | None = None, patience: float = _http.PATIENCE, timeout: float = _http.TIMEOUT) -> None:
        self.url, self._patience = url.rstrip("/"), patience
        self._client = httpx.Client(base_url=self.url, headers=_headers(token), timeout=timeout)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    def live(self) -> Live:
        """The line to the socket: `with client.live() as live:`."""
        return Live(lambda: AsyncLive(self.url, lambda: _line_headers(self._client)))

    def match_stream(self, id: str, *, since: int | None = None) -> Iterator[ServerMsg]:
        """The messages of a match without a socket, over any number of connections, each entry once."""
        return self._stream(f"/api/v1/matches/{_http.quoted(id)}/stream", Stream(since))

    def me_stream(self) -> Iterator[ServerMsg]:
        """The messages to every socket of a player: challenges and pairings."""
        return self._stream("/api/v1/me/stream", Stream())

    def tv_stream(self, game: str) -> Iterator[ServerMsg]:
        """The featured match of a game, then the next."""
        return self._stream(f"/api/v1/tv/{_http.quoted(game)}/stream", Stream(), resumes=False)

    def _call(self, method: str, path: str, kind: str, *, query: Mapping[str, Any] | None = None, body: Any = None, keyed: bool = False) -> Any:
        attempts = _http.Attempts(method, path, self._patience, keyed)
        while True:
            try:
                response = self._client.request(method, path, params=_http.query_of(query), json=body, headers=attempts.headers)
            except httpx.TransportError as error:
                pause = attempts.after_failure(error)
                if pause is None:
                    raise Unreachable(f"{method} {path}: {error}") from error
            else:
                pause = attempts.after_answer(response.status_code, response.headers)
                if pause is None:
                    return _http.decoded(response, kind)
            time.sleep(pause)

    def _stream(self, path: str, state: Stream, resumes: bool = True) -> Iterator[ServerMsg]:
        while True:
            asked = 0.0
            try:
                query = state.query() if resumes else {}
                with self._client.stream("GET", path, params=query, timeout=STREAM_TIMEOUT) as response:
                    if response.is_success:
                        state.backoff.opened(time.monotonic())
                        for line in response.iter_lines():
                            message = state.take(line)
                            if message is not None:
                                yield message
                    elif response.status_code in PASSING:
                        asked = _http.seconds(response.headers) or 0.0
                    else:
                        response.read()
                        raise _http.problem(response)
            except httpx.TransportError:
                pass
            if not resumes:
                state.since = None
            time.sleep(state.pause(time.monotonic(), asked))


class AsyncClient(AsyncOperations):
    """The same for programs that await: `async with AsyncClient(url, token=token) as client:`."""

    def __init__(self, url: str, *, token: str | None = None, patience: float = _http.PATIENCE, timeout: float = _http.TIMEOUT) -> None:
        self.url, self._patience = url.rstrip("/"), patience
        self._client = httpx.AsyncClient(base_url=self.url, headers=_headers(token), timeout=timeout)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        await self._client.aclose()

    def live(self) -> AsyncLive:
        """The line to the socket: `async with client.live() as live:`."""
        return AsyncLive(self.url, lambda: _line_headers(self._client))

    def match_stream(self, id: str, *, since: int | None = None) -> AsyncIterator[ServerMsg]:
        """As `Client.match_stream`."""
        return self._stream(f"/api/v1/matches/{_http.quoted(id)}/stream", Stream(since))

    def me_stream(self) -> AsyncIterator[ServerMsg]:
        """As `Client.me_stream`."""
        return self._stream("/api/v1/me/stream", Stream())

    def tv_stream(self, game: str) -> AsyncIterator[ServerMsg]:
        """As `Client.tv_stream`."""
        return self._stream(f"/api/v1/tv/{_http.quoted(game)}/stream", Stream(), resumes=False)

    async def _call(self, method: str, path: str, kind: str, *, query: Mapping[str, Any] | None = None, body: Any = None, keyed: bool = False) -> Any:
        attempts = _http.Attempts(method, path, self._patience, keyed)
        while True:
            try:
                response = await self._client.request(method, path, params=_http.query_of(query), json=body, headers=attempts.headers)
            except httpx.TransportError as error:
                pause = attempts.after_failure(error)
                if pause is None:
                    raise Unreachable(f"{method} {path}: {error}") from error
            else:
                pause = attempts.after_answer(response.status_code, response.headers)
                if pause is None:
                    return _http.decoded(response, kind)
            await asyncio.sleep(pause)

    async def _stream(self, path: str, state: Stream, resumes: bool = True) -> AsyncIterator[ServerMsg]:
        while True:
            asked = 0.0
            try:
                query = state.query() if resumes else {}
                async with self._client.stream("GET", path, params=query, timeout=STREAM_TIMEOUT) as response:
                    if response.is_success:
                        state.backoff.opened(time.monotonic())
                        async for line in response.aiter_lines():
                            message = state.take(line)
                            if message is not None:
                                yield message
                    elif response.status_code in PASSING:
                        asked = _http.seconds(response.headers) or 0.0
                    else:
                        await response.aread()
                        raise _http.problem(response)
            except httpx.TransportError:
                pass
            if not resumes:
                state.since = None
            await asyncio.sleep(state.pause(time.monotonic(), asked))
