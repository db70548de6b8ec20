"""The same line for programs that block: it runs in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from ._live import AsyncLive, AsyncMatch, AsyncTurn, Feed
from .errors import Closed
from .types import ClientMsg, Command, EventMsg, MatchResult, MatchView, PlayerRef, ServerMsg, Side

T = TypeVar("T")


async def _next(feed: Feed[T]) -> T | None:
    return await anext(feed, None)


class Live:
    """A line to the server that survives broken connections, restarts and deploys. `with client.live() as live:`"""

    def __init__(self, make: Callable[[], AsyncLive]) -> None:
        self._make, self._stack = make, ExitStack()
        self._line: tuple[BlockingPortal, AsyncLive] | None = None
        self._closed = False

    def __enter__(self) -> Live:
        with ExitStack() as stack:
            portal = stack.enter_context(start_blocking_portal())
            live = portal.call(self._make)
            stack.enter_context(portal.wrap_async_context_manager(live))
            self._line, self._stack, self._closed = (portal, live), stack.pop_all(), False
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._line, self._closed = None, True
        self._stack.close()

    def _open(self) -> tuple[BlockingPortal, AsyncLive]:
        if self._line is None:
            raise Closed("the line is not open")
        return self._line

    @property
    def player(self) -> PlayerRef | None:
        """The player of this line; None for an anonymous visitor."""
        return self._open()[1].player

    def messages(self) -> Iterator[ServerMsg]:
        """All messages from now on, each once. After a new connection comes `hello` again: challenges and pairings may have been missed."""
        if self._closed:
            return iter(())
        portal, live = self._open()
        return self._drained(portal.call(live.messages))

    def __iter__(self) -> Iterator[ServerMsg]:
        return self.messages()

    def turns(self) -> Iterator[Turn]:
        """This player's turns in all followed matches: those that are due now, and each that comes, once."""
        if self._closed:
            return iter(())
        portal, live = self._open()
        return self._as_turns(portal.call(live.turns))

    def join(self, match: str) -> Match:
        """Follows a match. Raises `Refused` if there is no such match, or if this line follows 16 already."""
        portal, live = self._open()
        return Match(self, portal.call(live.join, match))

    def leave(self, match: str) -> None:
        """As `AsyncLive.leave`."""
        portal, live = self._open()
        portal.call(live.leave, match)

    def command(self, match: str, command: Command, *, client_id: str | None = None) -> EventMsg:
        """As `Match.command`."""
        portal, live = self._open()
        return portal.call(lambda: live.command(match, command, client_id=client_id))

    def send(self, message: ClientMsg) -> None:
        """Sends any message of the protocol. A subscription (`watch-lobby`, `join-pool`) is repeated on each new connection."""
        portal, live = self._open()
        portal.call(live.send, message)

    def _turns_of(self, match: str) -> Iterator[Turn]:
        if self._closed:
            return iter(())
        portal, live = self._open()
        return self._as_turns(portal.call(live.turns, match))

    def _play(self, turn: AsyncTurn, move: str) -> EventMsg | None:
        return self._open()[0].call(turn.play, move)

    def _as_turns(self, feed: Feed[AsyncTurn]) -> Iterator[Turn]:
        return (Turn(self, turn) for turn in self._drained(feed))

    def _drained(self, feed: Feed[T]) -> Iterator[T]:
        while (line := self._line) is not None:
            try:
                item = line[0].call(_next, feed)
            except RuntimeError:
                # Another thread has closed the line in between.
                if self._closed:
                    return
                raise
            if item is None:
                return
            yield item


class Match:
    """A match that is followed. It is always as the server last showed it."""

    def __init__(self, live: Live, match: AsyncMatch) -> None:
        self._live, self._match, self.id = live, match, match.id

    @property
    def view(self) -> MatchView:
        """The whole match, kept up to date."""
        return self._match.view

    @property
    def you(self) -> Side | None:
        """This player's seat; None for a spectator."""
        return self._match.you

    @property
    def result(self) -> MatchResult | None:
        return self._match.result

    def command(self, command: Command, *, client_id: str | None = None) -> EventMsg:
        """Does something in the match once, however often the line breaks; returns the entry that it became. Raises `Refused`."""
        return self._live.command(self.id, command, client_id=client_id)

    def resign(self) -> EventMsg:
        return self.command({"kind": "resign"})

    def turns(self) -> Iterator[Turn]:
        """This player's turns, until the match is over."""
        return self._live._turns_of(self.id)

    def leave(self) -> None:
        self._live.leave(self.id)


class Turn:
    """A turn of this player."""

    def __init__(self, live: Live, turn: AsyncTurn) -> None:
        self._live, self._turn = live, turn
        self.match, self.game, self.ply, self.seq = Match(live, turn.match), turn.game, turn.ply, turn.seq
        #: The position in the notation of the game, and all moves that are legal in it.
        self.position, self.legal = turn.position, turn.legal

    def play(self, move: str) -> EventMsg | None:
        """Plays a move. Returns the entry that it became, or None where the turn was over before it came. Raises `Refused`."""
        return self._live._play(self._turn, move)
