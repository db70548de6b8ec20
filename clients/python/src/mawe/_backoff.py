"""The pauses between connections, of the socket and of streams. No I/O: time comes in as an argument, in seconds of a steady clock."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

#: Pauses before a new connection: doubled each time, between these.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
#: A connection that lasted this long was a good one: the next pause is a short one again.
GOOD_CONNECTION = 5.0


@dataclass
class Backoff:
    chance: random.Random = field(default_factory=random.Random)
    _attempts: int = 0
    _opened_at: float | None = None

    def opened(self, now: float) -> None:
        """Notes the beginning of a connection."""
        self._opened_at = now

    def pause(self, now: float, asked: float = 0.0) -> float:
        """Returns the pause before the next connection, after the end of one or a failed attempt. `asked` is the wish of the server."""
        if self._opened_at is not None and now - self._opened_at >= GOOD_CONNECTION:
            self._attempts = 0
        self._opened_at = None
        own = min(FIRST_PAUSE * 2.0**self._attempts, LONGEST_PAUSE) * self.chance.uniform(0.5, 1.0)
        self._attempts = min(self._attempts + 1, 16)
        return max(own, asked * self.chance.uniform(1.0, 1.5))
