"""The errors of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import ErrorMsg, Problem as ProblemBody


class MaweError(Exception):
    """Every error of this package."""


class Problem(MaweError):
    """A request was refused (RFC 9457). `code` is stable."""

    def __init__(self, body: ProblemBody, retry_after: float | None = None) -> None:
        super().__init__(f"{body['code']}: {body['detail']}")
        self.body, self.code, self.status, self.retry_after = body, str(body["code"]), body["status"], retry_after


class Refused(MaweError):
    """The server refused a message on the socket. `code` is stable, and so is `why`, the rule that an illegal move breaks."""

    def __init__(self, error: ErrorMsg) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.error, self.code, self.why = error, str(error["code"]), error.get("why")


class Goodbye(MaweError):
    """The server does not want this client back: the token is revoked or the session has ended (1000), the frames are no messages
    (1003), or the handshake was refused (an HTTP status)."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the server does not want this client back ({code})")
        self.code = code


class Closed(MaweError):
    """The program has closed the line, or left the match, before the answer came. A command may have been carried out."""


class Overrun(MaweError):
    """The program reads more slowly than messages come, or sends more than is answered."""


class Unreachable(MaweError):
    """No answer came to a request. It may have been carried out, if it was no `GET`."""
