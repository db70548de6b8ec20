"""The socket: one task keeps a connection open, feeds the state of `_core.py` and writes its frames."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Generic, TypeVar, cast
from weakref import WeakSet

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from ._core import TOO_LATE, Due, Followed, Left, Line, Message, Settled, as_message
from .errors import Closed, Goodbye, MaweError, Overrun, Refused
from .types import ClientMsg, Command, EventMsg, MatchResult, MatchView, PlayerRef, ServerMsg, Side

T = TypeVar("T")

#: Messages that wait for the program to read them, at most.
MOST_WAITING = 4_096
OPEN_TIMEOUT = 20.0
#: Statuses of the handshake that pass, among those of a client's fault.
PASSING_STATUSES = (408, 425, 429)


class Feed(Generic[T]):
    """An iterator over future items."""

    def __init__(self, feeds: WeakSet[Feed[T]]) -> None:
        self._feeds, self._queue, self._end = feeds, asyncio.Queue[T | None](), cast("MaweError | None", None)
        feeds.add(self)

    def put(self, item: T) -> None:
        if self._queue.qsize() >= MOST_WAITING:
            self.end(Overrun(f"{MOST_WAITING} messages wait to be read"))
        else:
            self._queue.put_nowait(item)

    def end(self, error: MaweError | None) -> None:
        self._feeds.discard(self)
        self._end = error
        self._queue.put_nowait(None)

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        item = await self._queue.get()
        if item is not None:
            return item
        self._queue.put_nowait(None)
        if self._end is not None:
            raise self._end
        raise StopAsyncIteration


class AsyncMatch:
    """A match that is followed. It is always as the server last showed it."""

    def __init__(self, live: AsyncLive, followed: Followed) -> None:
        self._live, self._followed, self.id = live, followed, followed.id

    @property
    def view(self) -> MatchView:
        """The whole match, kept up to date."""
        assert self._followed.view is not None, "a match is given out once it has been shown"
        return self._followed.view

    @property
    def you(self) -> Side | None:
        """This player's seat; None for a spectator."""
        return self._followed.you

    @property
    def result(self) -> MatchResult | None:
        return self.view["result"]

    async def command(self, command: Command, *, client_id: str | None = None) -> EventMsg:
        """Does something in the match once, however often the line breaks; returns the entry that it became. Raises `Refused`."""
        return await self._live.command(self.id, command, client_id=client_id)

    async def resign(self) -> EventMsg:
        return await self.command({"kind": "resign"})

    def turns(self) -> Feed[AsyncTurn]:
        """This player's turns, until the match is over."""
        return self._live.turns(self.id)

    def leave(self) -> None:
        self._live.leave(self.id)


class AsyncTurn:
    """A turn of this player."""

    def __init__(self, match: AsyncMatch) -> None:
        view = match.view
        self.match, self.game, self.ply, self.seq = match, view["game"], view["ply"], view["seq"]
        #: The position in the notation of the game, and all moves that are legal in it.
        self.position, self.legal = view["position"], list(view["legal"])

    async def play(self, move: str) -> EventMsg | None:
        """Plays a move. Returns the entry that it became, or None where the turn was over before it came. Raises `Refused`."""
        command: Command = {"kind": "move", "ply": self.ply, "move": move}
        try:
            # The name contains the seq that it answers: also another process with the same token plays it once.
            return await self.match.command(command, client_id=f"turn-{self.seq}")
        except Refused as refused:
            if refused.code in TOO_LATE:
                return None
            raise
        except Closed:
            # A program may leave a match as soon as it is over, while a last move is under way.
            if self.match.result is not None:
                return None
            raise


class AsyncLive:
    """A line to the server that survives broken connections, restarts and deploys. `async with client.live() as live:`"""

    def __init__(self, url: str, headers: Callable[[], dict[str, str]]) -> None:
        self._url = url.replace("http", "ws", 1) + "/api/v1/ws"
        self._headers, self._line, self._wake = headers, Line(), asyncio.Event()
        self._messages: WeakSet[Feed[ServerMsg]] = WeakSet()
        self._turns: WeakSet[Feed[AsyncTurn]] = WeakSet()
        self._turns_of: dict[str, WeakSet[Feed[AsyncTurn]]] = {}
        self._answers: dict[str, asyncio.Future[EventMsg | MaweError]] = {}
        self._shown: dict[str, asyncio.Future[None]] = {}
        self._greeted: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._ended: MaweError | None = None

    async def __aenter__(self) -> AsyncLive:
        self._greeted = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run())
        try:
            await self._greeted
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the line. Iterators end; commands without an answer raise `Closed`."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        self._finish(None)

    @property
    def player(self) -> PlayerRef | None:
        """The player of this line; None for an anonymous visitor."""
        return self._line.player

    def messages(self) -> Feed[ServerMsg]:
        """All messages from now on, each once. After a new connection comes `hello` again: challenges and pairings may have been missed."""
        feed = Feed(self._messages)
        if self._ended is not None:
            feed.end(self._failure())
        return feed

    def __aiter__(self) -> AsyncIterator[ServerMsg]:
        return self.messages()

    def turns(self, match: str | None = None) -> Feed[AsyncTurn]:
        """This player's turns in all followed matches, or in one until it is over: those that are due now, and each that comes, once."""
        feed = Feed(self._turns if match is None else self._turns_of.setdefault(match, WeakSet()))
        if self._ended is not None:
            feed.end(self._failure())
            return feed
        for followed in self._line.follows.values():
            if followed.due and match in (None, followed.id):
                feed.put(AsyncTurn(AsyncMatch(self, followed)))
        known = self._line.follows.get(match) if match else None
        if known and known.view and known.view["result"]:
            feed.end(None)
        return feed

    async def join(self, match: str) -> AsyncMatch:
        """Follows a match. Raises `Refused` if there is no such match, or if this line follows 16 already."""
        self._alive()
        followed = self._line.follow(match)
        if followed.view is None:
            shown = self._shown.setdefault(match, asyncio.get_running_loop().create_future())
            self._wake.set()
            await asyncio.shield(shown)
        return AsyncMatch(self, followed)

    def leave(self, match: str) -> None:
        """Follows a match no longer. Its commands without an answer raise `Closed`: they may have been carried out."""
        self._line.leave(match)
        self._tell()
        self._wake.set()

    async def command(self, match: str, command: Command, *, client_id: str | None = None) -> EventMsg:
        """As `AsyncMatch.command`."""
        self._alive()
        client_id = self._line.command(match, command, client_id)
        future = self._answers.setdefault(client_id, asyncio.get_running_loop().create_future())
        self._wake.set()
        answer = await asyncio.shield(future)
        if isinstance(answer, MaweError):
            raise answer
        return answer

    def send(self, message: ClientMsg) -> None:
        """Sends any message of the protocol. A subscription (`watch-lobby`, `join-pool`) is repeated on each new connection."""
        self._alive()
        self._line.send(message)
        self._wake.set()

    def _failure(self) -> MaweError | None:
        """The error with which iterators end; none after the program has closed the line."""
        return None if isinstance(self._ended, Closed) else self._ended

    def _alive(self) -> None:
        if self._ended is not None:
            raise self._ended
        if self._task is None:
            raise Closed("the line is not open")

    async def _run(self) -> None:
        try:
            while True:
                pause = await self._connection()
                await asyncio.sleep(pause)
        except MaweError as error:
            self._finish(error)
        except Exception as error:
            # A fault of this library ends the waiting of the program, too.
            failure = MaweError(f"the line has failed: {error!r}")
            failure.__cause__ = error
            self._finish(failure)

    async def _connection(self) -> float:
        """Keeps one connection until it ends; returns the pause before the next."""
        code: int | None = None
        retry_after = 0.0
        try:
            async with connect(
                self._url,
                additional_headers=self._headers(),
                subprotocols=[Subprotocol("mawe.v1")],
                open_timeout=OPEN_TIMEOUT,
                close_timeout=2,
                ping_interval=None,  # the state sends pings of its own, which also notice a stalled server
                max_size=2**22,
            ) as socket:
                self._line.opened(time.monotonic())
                writer = asyncio.create_task(self._write(socket))
                try:
                    async for text in socket:
                        self._line.received(time.monotonic(), text)
                        self._tell()
                        self._wake.set()
                except asyncio.CancelledError:
                    await socket.close()
                    raise
                finally:
                    writer.cancel()
                    await asyncio.gather(writer, return_exceptions=True)
                code = socket.close_code
        except InvalidStatus as refused:
            status = refused.response.status_code
            if 400 <= status < 500 and status not in PASSING_STATUSES:
                raise Goodbye(status) from None
            with contextlib.suppress(ValueError):
                retry_after = float(refused.response.headers.get("Retry-After", "0"))
        except ConnectionClosed as error:
            code = error.rcvd.code if error.rcvd else None
        except (OSError, WebSocketException, InvalidHandshake, TimeoutError, asyncio.TimeoutError):
            pass
        return self._line.closed(time.monotonic(), code, retry_after)

    async def _write(self, socket: ClientConnection) -> None:
        while True:
            self._wake.clear()
            frames, look_at, dead = self._line.poll(time.monotonic())
            if dead:
                # A closing handshake would wait for a server that does not answer.
                socket.transport.abort()
                return
            for frame in frames:
                try:
                    await socket.send(frame)
                except ConnectionClosed:
                    return
            pause = None if look_at is None else max(look_at - time.monotonic(), 0)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._wake.wait(), pause)

    def _tell(self) -> None:
        news = self._line.news
        while news:
            match news.popleft():
                case Settled(client_id, answer):
                    future = self._answers.pop(client_id, None)
                    if future is not None and not future.done():
                        future.set_result(answer)
                case Due(match):
                    followed = self._line.follows.get(match)
                    if followed is not None:
                        turn = AsyncTurn(AsyncMatch(self, followed))
                        for feed in [*self._turns, *self._turns_of.get(match, ())]:
                            feed.put(turn)
                case Left(match, error):
                    waiting = self._shown.pop(match, None)
                    if waiting is not None:
                        _fail(waiting, error or Closed("the match was left before it was shown"))
                    for feed in list(self._turns_of.pop(match, WeakSet())):
                        feed.end(error)
                case dict() as message:
                    if message["t"] == "snapshot":
                        shown = self._shown.pop(message["match"]["id"], None)
                        if shown is not None and not shown.done():
                            shown.set_result(None)
                    elif message["t"] == "hello" and self._greeted is not None and not self._greeted.done():
                        self._greeted.set_result(None)
                    self._end_turns(message)
                    for each in list(self._messages):
                        each.put(as_message(message))

    def _end_turns(self, message: Message) -> None:
        match = message["match"]["id"] if message["t"] == "snapshot" else message.get("match")
        followed = self._line.follows.get(match) if isinstance(match, str) else None
        if followed is not None and followed.view is not None and followed.view["result"] is not None:
            for feed in list(self._turns_of.pop(followed.id, WeakSet())):
                feed.end(None)

    def _finish(self, error: MaweError | None) -> None:
        self._ended = self._ended or error or Closed("the line is closed")
        for feeds in [self._turns, *self._turns_of.values()]:
            for feed in list(feeds):
                feed.end(error)
        for each in list(self._messages):
            each.end(error)
        futures: list[asyncio.Future[Any]] = [*self._answers.values(), *self._shown.values()]
        if self._greeted is not None:
            futures.append(self._greeted)
        self._answers.clear()
        self._shown.clear()
        for future in futures:
            _fail(future, self._ended)


def _fail(future: asyncio.Future[Any], error: MaweError) -> None:
    if not future.done():
        future.set_exception(error)
        # Read here: asyncio reports an exception that no task has read.
        future.exception()
