"""The state of a stream of lines over any number of connections. No I/O: time comes in as an argument, in seconds of a steady clock."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

import httpx

from ._backoff import Backoff
from .types import ServerMsg

#: An empty line comes every ten seconds.
TIMEOUT = httpx.Timeout(30.0)


@dataclass
class Stream:
    """A stream; that of a match resumes after `since`, the last `seq`, so that each entry comes once."""

    since: int | None = None
    backoff: Backoff = field(default_factory=Backoff)
    _asked: float = 0.0

    def query(self) -> dict[str, int]:
        return {} if self.since is None else {"since": self.since}

    def take(self, line: str) -> ServerMsg | None:
        """Reads a line; returns None for a line without a message for the program."""
        try:
            message: Any = json.loads(line) if line.strip() else None
        except ValueError:  # cut in the middle
            return None
        if not isinstance(message, dict):
            return None
        kind = message.get("t")
        if kind == "closing":
            self._asked = (message.get("retry_ms") or 0) / 1000
            return None
        if kind == "error" and message.get("code") in ("moved", "storage-unavailable"):
            return None
        if kind == "snapshot":
            self.since = message["match"]["seq"]
        elif kind == "event":
            if self.since is not None and message["seq"] <= self.since:
                return None
            self.since = message["seq"]
        return cast(ServerMsg, message)

    def pause(self, now: float, asked: float) -> float:
        """Returns the pause before the next connection. `asked` is the wish of a refusal; that of `closing` is known."""
        asked, self._asked = max(asked, self._asked), 0.0
        return self.backoff.pause(now, asked)
