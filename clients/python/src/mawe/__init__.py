"""A client of the Mawe! server: REST, streams, and a line to the socket that survives restarts.

`Client` blocks, `AsyncClient` awaits. `mawe.types` has the types of all bodies and messages: plain dicts, in which a later server may
have further fields and further values.
"""

from . import types
from ._client import AsyncClient, Client
from ._live import AsyncLive, AsyncMatch, AsyncTurn
from ._sync import Live, Match, Turn
from .errors import Closed, Goodbye, MaweError, Overrun, Problem, Refused, Unreachable
from .version import VERSION as __version__

__all__ = [
    "AsyncClient",
    "AsyncLive",
    "AsyncMatch",
    "AsyncTurn",
    "Client",
    "Closed",
    "Goodbye",
    "Live",
    "Match",
    "MaweError",
    "Overrun",
    "Problem",
    "Refused",
    "Turn",
    "Unreachable",
    "__version__",
    "types",
]
