"""The state of a line to the server without any I/O: followed matches, commands without an answer, frames to send.

Time comes in as an argument, in seconds of a steady clock. `docs/protocol.md` ("What a client must do") has the rules; `_live.py` opens
the connections and carries the frames.
"""

from __future__ import annotations

import json
import random
import re
import uuid
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ._backoff import Backoff
from .errors import Closed, Goodbye, MaweError, Overrun, Refused
from .types import ClientMsg, ErrorMsg, EventMsg, MatchView, PlayerRef, ServerMsg, Side

Message = dict[str, Any]

#: The server looks at 15 frames a second and 40 at once; this stays below both.
FRAMES_PER_SECOND, FRAMES_AT_ONCE = 12.0, 24.0
#: Pauses before another `join`: doubled each time, between these.
FIRST_REJOIN, LONGEST_REJOIN = 0.1, 5.0
#: Commands without an answer, at most.
MOST_COMMANDS = 1_000
#: Close codes after which a client does not come back: the session has ended; the frames are no messages.
FINAL_CODES = (1000, 1003)
#: Errors of a match that cannot be reached for the moment: it is joined again.
PASSING = ("moved", "storage-unavailable", "not-joined")
#: Errors of a `join` that another `join` does not mend.
JOIN_REFUSALS = ("unknown-match", "too-many-matches")
#: The pause after `too-fast`.
TOO_FAST_PAUSE = 1.0
#: The forms of ids: the server answers a frame with any other id by an error that names neither the match nor the command.
MATCH_ID, CLIENT_ID = re.compile(r"[0-9A-Za-z]{12}"), re.compile(r"[0-9A-Za-z_-]{1,40}")
#: Subscriptions, and the kind of message that answers each.
ANSWERS = {"watch-lobby": "lobby", "watch-tv": "tv", "watch-event": "event-state", "watch-chat": "chat", "join-pool": "pool"}
#: Errors of a move that came too late: the events show the new position.
TOO_LATE = ("stale-ply", "match-over", "not-your-turn")


@dataclass
class Followed:
    """A match that this line follows."""

    id: str
    view: MatchView | None = None
    you: Side | None = None
    #: Whether the server has answered `join` on this connection.
    ready: bool = False
    #: How often `join` was sent since the last answer.
    joins: int = 0
    rejoin_at: float | None = None
    #: Whether the next `join` asks for all of it, because entries are missing.
    whole: bool = False
    #: The ply that was last offered as a turn.
    asked: int | None = None

    @property
    def due(self) -> bool:
        """Whether it is this player's turn, as far as is known."""
        return self.ready and self.view is not None and self.you is not None and self.view["turn"] == self.you and self.view["result"] is None


@dataclass
class Pending:
    """A command without an answer."""

    match: str
    frame: str
    sent: bool = False


@dataclass
class Subscription:
    """A message that is repeated on each connection until its opposite."""

    #: The kind of message that answers it.
    answer: str
    #: Its game, match, room or pool, as the fields of messages name them.
    subject: Message
    frame: str
    #: Whether the server has answered it on this connection.
    answered: bool = False

    def has_subject_of(self, message: Message) -> bool:
        return all(message.get(name) == value for name, value in self.subject.items())


@dataclass(frozen=True)
class Settled:
    """The end of a command: its entry, or an error."""

    client_id: str
    answer: EventMsg | MaweError


@dataclass(frozen=True)
class Due:
    """A turn that was not offered before."""

    match: str


@dataclass(frozen=True)
class Left:
    """A match that is not followed any more: the server has refused it, or, without an error, the program has left it."""

    match: str
    error: Refused | None = None


News = Settled | Due | Left | Message


@dataclass
class Line:
    """One player's line, over any number of connections."""

    chance: random.Random = field(default_factory=random.Random)
    player: PlayerRef | None = None
    follows: dict[str, Followed] = field(default_factory=dict)
    pending: dict[str, Pending] = field(default_factory=dict)
    #: Subscriptions, repeated on each connection until their end: the lobby, TV, a chat, a pool.
    standing: dict[str, Subscription] = field(default_factory=dict)
    #: News for the driver, oldest first.
    news: deque[News] = field(default_factory=deque)
    is_open: bool = False
    _out: deque[str] = field(default_factory=deque)
    _tokens: float = FRAMES_AT_ONCE
    _counted_at: float = 0.0
    _backoff: Backoff = field(default_factory=Backoff)
    _heard_at: float = 0.0
    _pinged: bool = False
    _heartbeat: float = 10.0
    _stay_away: float = 0.0
    _subscribe_at: float | None = None

    # The connection.

    def opened(self, now: float) -> None:
        """A connection stands: resumes every match, and asks again for everything that goes on."""
        self.is_open, self._heard_at, self._pinged = True, now, False
        self._backoff.opened(now)
        self._tokens, self._counted_at, self._stay_away = FRAMES_AT_ONCE, now, 0.0
        self._out.clear()
        for followed in self.follows.values():
            followed.joins = 0
            self._join(followed)
        for subscription in self.standing.values():
            subscription.answered = False
        self._subscribe()

    def closed(self, now: float, code: int | None, retry_after: float = 0.0) -> float:
        """Handles the end of the connection; returns the pause before the next. Raises `Goodbye` if the server wants no other."""
        self.is_open = False
        self._out.clear()
        for followed in self.follows.values():
            followed.ready, followed.rejoin_at = False, None
        for command in self.pending.values():
            command.sent = False
        if code in FINAL_CODES:
            raise Goodbye(code)
        return self._backoff.pause(now, max(self._stay_away, retry_after))

    def poll(self, now: float) -> tuple[list[str], float | None, bool]:
        """Returns the frames to send now, the time of the next look, and whether the connection is dead."""
        if not self.is_open:
            return [], None, False
        silent = now - self._heard_at
        if silent >= 3 * self._heartbeat:
            return [], None, True
        if silent >= self._heartbeat and not self._pinged:
            self._pinged = True
            self._out.appendleft('{"t":"ping"}')
        times = [self._heard_at + (3 if self._pinged else 1) * self._heartbeat]
        for followed in self.follows.values():
            if followed.rejoin_at is not None:
                if followed.rejoin_at <= now:
                    self._join(followed)
                else:
                    times.append(followed.rejoin_at)
        if self._subscribe_at is not None:
            if self._subscribe_at <= now:
                self._subscribe()
            else:
                times.append(self._subscribe_at)
        self._tokens = min(FRAMES_AT_ONCE, self._tokens + (now - self._counted_at) * FRAMES_PER_SECOND)
        self._counted_at = now
        frames = []
        while self._out and self._tokens >= 1:
            self._tokens -= 1
            frames.append(self._out.popleft())
        if self._out:
            times.append(now + (1 - self._tokens) / FRAMES_PER_SECOND)
        return frames, min(times), False

    # Requests of the program.

    def follow(self, match: str) -> Followed:
        """Follows a match. Raises `Refused` for a malformed id."""
        followed = self.follows.get(match)
        if followed is None:
            if not MATCH_ID.fullmatch(match):
                raise _refused("unknown-match", f"{match!r} is no id of a match")
            followed = self.follows[match] = Followed(match)
            if self.is_open:
                self._join(followed)
        return followed

    def leave(self, match: str) -> None:
        if self.follows.pop(match, None) is not None:
            if self.is_open:
                self._out.append(_written({"t": "leave", "match": match}))
            self._left(match, None)

    def command(self, match: str, command: Mapping[str, Any], client_id: str | None = None) -> str:
        """Sends a command until it is answered; returns its name. Raises `Refused` for a malformed id, and the errors of `json.dumps`."""
        client_id = uuid.uuid4().hex if client_id is None else client_id
        if client_id in self.pending:
            return client_id
        if not CLIENT_ID.fullmatch(client_id):
            raise _refused("bad-frame", f"the name {client_id!r} of a command is not 1 to 40 letters, digits, - or _")
        if len(self.pending) >= MOST_COMMANDS:
            raise Overrun(f"{MOST_COMMANDS} commands wait for an answer")
        known = self.follows.get(match)
        seq = known.view["seq"] if known and known.view else 0
        # Written before the command counts: one that is no JSON must not wait for an answer.
        frame = _written({"t": "command", "match": match, "client_id": client_id, "seq": seq, "command": dict(command)})
        followed = self.follow(match)
        self.pending[client_id] = Pending(match, frame)
        self._transmit(followed)
        return client_id

    def send(self, message: ClientMsg) -> None:
        """Sends any other message; one that begins something is sent again on each new connection, until its opposite."""
        parts = dict(cast(Message, message))
        frame = _written(parts)
        kind = str(parts.pop("t"))
        verb, _, noun = kind.partition("-")
        # A pool is the casual one where the field is left out.
        subject = {"rated": False, **parts} if noun == "pool" else parts
        key = json.dumps([noun, *sorted(subject.items())])
        if kind in ANSWERS:
            self.standing[key] = Subscription(ANSWERS[kind], subject, frame)
        elif verb in ("unwatch", "leave"):
            self.standing.pop(key, None)
        if self.is_open:
            self._out.append(frame)

    # Messages of the server.

    def received(self, now: float, text: str | bytes) -> None:
        """Takes one frame. A frame that is no message, and a message of an unknown kind, are no error."""
        self._heard_at, self._pinged = now, False
        try:
            message = json.loads(text)
        except ValueError:
            return
        if not isinstance(message, dict):
            return
        match message.get("t"):
            case "hello":
                self.player = message["player"]
                self._heartbeat = max(message["heartbeat_ms"], 100) / 1000
                self.news.append(message)
            case "snapshot":
                self._snapshot(message)
            case "event":
                self._event(message)
            case "joined":
                self._joined(now, message)
            case "error":
                self._error(now, message)
            case "closing":
                self._stay_away = (message.get("retry_ms") or 0) / 1000
            case "pong":
                pass
            case kind:
                if kind in ("paired", "pool-left"):
                    self._waits_no_more(message)
                for subscription in self.standing.values():
                    if subscription.answer == kind and subscription.has_subject_of(message):
                        subscription.answered = True
                self.news.append(message)

    def _snapshot(self, message: Message) -> None:
        view = cast(MatchView, message["match"])
        followed = self.follows.get(view["id"])
        if followed is None:
            return
        # One that came late must not take the place of newer knowledge, unless it was asked for.
        if followed.ready and followed.view is not None and view["seq"] < followed.view["seq"]:
            return
        followed.view, followed.you, followed.whole = view, message["you"], False
        self._answered(followed)
        self.news.append(message)
        self._offer(followed)

    def _event(self, message: Message) -> None:
        followed = self.follows.get(message["match"])
        self._settle_event(message, followed)
        if followed is None or followed.view is None or message["seq"] <= followed.view["seq"]:
            return
        if message["seq"] > followed.view["seq"] + 1:
            # Some are missing. While a `join` waits for its answer they are under way.
            if followed.ready:
                self._join(followed)
            return
        _apply(followed.view, message)
        self.news.append(message)
        self._offer(followed)

    def _joined(self, now: float, message: Message) -> None:
        followed = self.follows.get(message["match"])
        if followed is None or followed.view is None:
            return
        if followed.view["seq"] < message["seq"]:
            followed.whole = True
            self._later(now, followed)
            return
        followed.you = message["you"]
        followed.view["clock"] = message["clock"]
        self._answered(followed)
        self.news.append(message)
        self._offer(followed)

    def _error(self, now: float, message: Message) -> None:
        code, match, client_id = message.get("code"), message.get("match"), message.get("client_id")
        followed = self.follows.get(match) if match else None
        if code == "too-fast" and match is None:
            # The frame was not looked at, and the error does not name it. It may be any without an answer.
            for each in self.follows.values():
                self._later(now, each, TOO_FAST_PAUSE)
            self._subscribe_at = now + TOO_FAST_PAUSE
        elif followed is not None and code in PASSING:
            self._later(now, followed)
        elif client_id is not None:
            if self.pending.pop(client_id, None) is not None:
                self.news.append(Settled(client_id, Refused(cast(ErrorMsg, message))))
        elif followed is not None and code in JOIN_REFUSALS:
            del self.follows[followed.id]
            self._left(followed.id, Refused(cast(ErrorMsg, message)))
        else:
            self.news.append(message)

    def _waits_no_more(self, message: Message) -> None:
        for key, subscription in list(self.standing.items()):
            if subscription.answer == "pool" and (message["t"] == "paired" or subscription.has_subject_of(message)):
                del self.standing[key]

    def _settle_event(self, message: Message, followed: Followed | None) -> None:
        command = self.pending.get(message.get("client_id") or "")
        if command is None or command.match != message["match"]:
            return
        # The opponent's names are a space of their own, and may be the same.
        side = message["event"].get("side")
        if side is not None and followed is not None and followed.you is not None and side != followed.you:
            return
        del self.pending[message["client_id"]]
        self.news.append(Settled(message["client_id"], cast(EventMsg, message)))

    # Consequences.

    def _join(self, followed: Followed) -> None:
        followed.ready, followed.rejoin_at = False, None
        followed.joins += 1
        frame: Message = {"t": "join", "match": followed.id}
        if followed.view is not None and not followed.whole:
            frame["since"] = followed.view["seq"]
        self._out.append(_written(frame))

    def _subscribe(self) -> None:
        """Sends each subscription without an answer."""
        self._subscribe_at = None
        for subscription in self.standing.values():
            if not subscription.answered and subscription.frame not in self._out:
                self._out.append(subscription.frame)

    def _left(self, match: str, error: Refused | None) -> None:
        """Ends the commands of a match that is not followed any more: they are not sent again."""
        for client_id, command in list(self.pending.items()):
            if command.match == match:
                del self.pending[client_id]
                self.news.append(Settled(client_id, error or Closed("the match was left before the command was answered")))
        self.news.append(Left(match, error))

    def _later(self, now: float, followed: Followed, least: float = 0.0) -> None:
        """Joins again after a pause, longer each time; commands without an answer are sent again after it."""
        followed.ready = False
        for command in self.pending.values():
            if command.match == followed.id:
                command.sent = False
        if followed.rejoin_at is None:
            pause = min(FIRST_REJOIN * 2.0 ** min(followed.joins, 10), LONGEST_REJOIN) * self.chance.uniform(0.5, 1.0)
            followed.rejoin_at = now + max(pause, least)

    def _answered(self, followed: Followed) -> None:
        followed.ready, followed.joins, followed.rejoin_at = True, 0, None
        self._transmit(followed)

    def _transmit(self, followed: Followed) -> None:
        if self.is_open and followed.ready:
            for command in self.pending.values():
                if command.match == followed.id and not command.sent:
                    command.sent = True
                    self._out.append(command.frame)

    def _offer(self, followed: Followed) -> None:
        """Offers a turn once."""
        if not followed.ready or followed.view is None:
            return
        if not followed.due:
            followed.asked = None
        elif followed.asked != followed.view["ply"]:
            followed.asked = followed.view["ply"]
            self.news.append(Due(followed.id))


def _written(message: Message) -> str:
    return json.dumps(message, separators=(",", ":"), allow_nan=False)


def _refused(code: str, text: str) -> Refused:
    """The error of the server, where the frame need not be sent to know it."""
    return Refused(cast(ErrorMsg, {"t": "error", "code": code, "message": text}))


def _apply(view: MatchView, message: Message) -> None:
    event, whole = message["event"], cast(Message, view)
    whole.update(message["state"])
    whole["seq"] = message["seq"]
    if event["kind"] == "move":
        whole["plies"].append({name: value for name, value in event.items() if name != "kind"})
    elif event["kind"] == "takeback":
        del whole["plies"][len(whole["plies"]) - event["plies"] :]


def as_message(news: Message) -> ServerMsg:
    return cast(ServerMsg, news)
