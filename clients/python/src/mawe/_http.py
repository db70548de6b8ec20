"""Common parts of requests: the decision to try again, and the reading of answers. No I/O."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import quote

import httpx

from .errors import Problem
from .types import Problem as ProblemBody

#: Seconds of waiting for one request, at most, where the program says nothing else.
PATIENCE = 60.0
#: Seconds for each step of an attempt: to connect, to send, to read the next part of the answer.
TIMEOUT = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
#: Methods of requests that may be repeated.
REPEATABLE = ("GET", "PUT", "DELETE")


def quoted(part: str) -> str:
    return quote(part, safe="")


def seconds(headers: Mapping[str, str]) -> float | None:
    """The pause that the server asks for."""
    try:
        return float(headers["Retry-After"])
    except (KeyError, ValueError):
        return None


@dataclass
class Attempts:
    """The attempts at one request. Each method returns the pause before the next attempt, or None after the last."""

    method: str
    path: str
    patience: float
    #: Whether the operation takes the header `Idempotency-Key`: one key for all attempts, and the server carries out one of them.
    keyed: bool = False
    chance: random.Random = field(default_factory=random.Random)
    made: int = 0
    #: The headers of each attempt.
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.headers = {"Idempotency-Key": str(uuid.uuid4())} if self.keyed else {}

    def after_answer(self, status: int, headers: Mapping[str, str]) -> float | None:
        # A request beyond a limit was not carried out, by any method. A 503 may come after a part of the work.
        asked = seconds(headers)
        if status == 429 or (status in (502, 503, 504) and self._repeatable()):
            return self._pause(asked)
        return None

    def after_failure(self, error: httpx.TransportError) -> float | None:
        never_sent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
        return self._pause(None) if never_sent or self._repeatable() else None

    def _repeatable(self) -> bool:
        # A match carries out a command with one `client_id` once.
        return self.keyed or self.method in REPEATABLE or self.path.endswith("/commands")

    def _pause(self, asked: float | None) -> float | None:
        own = min(FIRST_PAUSE * 2.0 ** min(self.made, 10), LONGEST_PAUSE) * self.chance.uniform(0.5, 1.0)
        self.made += 1
        pause = own if asked is None else asked + self.chance.uniform(0, 0.2)
        if pause > self.patience:
            return None
        self.patience -= pause
        return pause


def problem(response: httpx.Response) -> Problem:
    try:
        body = cast(ProblemBody, response.json())
        return Problem(body, seconds(response.headers))
    except (ValueError, KeyError, TypeError):
        # A proxy in front answers in its own words.
        body = {
            "status": response.status_code,
            "code": cast(Any, "not-json"),
            "title": response.reason_phrase,
            "detail": response.text[:200],
            "request_id": response.headers.get("X-Request-Id", ""),
        }
        return Problem(body, seconds(response.headers))


def decoded(response: httpx.Response, kind: str) -> Any:
    """The content of a good answer; raises `Problem` for any other."""
    if not response.is_success:
        raise problem(response)
    if kind == "json":
        return response.json()
    if kind == "lines":
        return [json.loads(line) for line in response.content.splitlines() if line.strip()]
    return {"bytes": response.content, "text": response.text}.get(kind)


def query_of(query: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (query or {}).items() if value is not None}
