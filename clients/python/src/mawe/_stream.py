"""The state of a stream of lines over any number of connections. No I/O."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any, cast

import httpx

from .types import ServerMsg

#: An empty line comes every ten seconds.
TIMEOUT = httpx.Timeout(30.0)
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0


@dataclass
class Stream:
    """Of a match, `since` is the last `seq`: each entry comes once."""

    since: int | None = None
    chance: random.Random = field(default_factory=random.Random)
    _failures: int = 0
    _asked: float = 0.0

    def query(self) -> dict[str, int]:
        return {} if self.since is None else {"since": self.since}

    def take(self, line: str) -> ServerMsg | None:
        """Reads a line; None where there is nothing to tell."""
        try:
            message: Any = json.loads(line) if line.strip() else None
        except ValueError:  # cut in the middle
            return None
        if not isinstance(message, dict):
            return None
        self._failures = 0
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

    def pause(self) -> float:
        """The pause before the next connection."""
        own = min(FIRST_PAUSE * 2.0**self._failures, LONGEST_PAUSE) * self.chance.uniform(0.5, 1.0)
        self._failures = min(self._failures + 1, 16)
        asked, self._asked = self._asked, 0.0
        return max(own, asked * self.chance.uniform(1.0, 1.5))
