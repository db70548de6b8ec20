"""The scenarios of the socket that every client must survive, as docs/protocol.md ("What a client must do") lists them.

A scenario is a list of connections, each a list of steps of a server, which conformance.py carries out:

    client={…}     the next frame of the client has these fields; `SAME` is the client_id of the last command, `ANY` any value
    send={…}       a message; text="…" a frame as it is; with twice=True it comes two times
    cut            the connection ends without a word; close=1012 closes it with a code; stall stops reading and sending
    refuse=503     instead of a list: the handshake is refused; with retry_after=1
    not_before=s   the first step of a connection: it comes at least so many seconds after the end of the last one

The program under test joins the match, plays the first legal move in each of its turns, and closes the line when the match is over. Some scenarios
have a `wish`, which the program finds at the end of its address:

    lobby      it watches the lobby first
    leave      in its first turn it resigns, by a command that the library names, and leaves the match without waiting for the answer
    retire     it leaves the match as soon as an event says its result
    misuse     it first joins a match by a malformed id, and sends commands that are no JSON or have a malformed name

REQUESTS are scenarios without a socket: the answers of a server to the requests that the program makes for its `wish`:

    me         it asks for its account, with a time limit of three seconds for an answer
    challenge  it sends a challenge
    accept     it accepts a challenge
    stream     it reads the stream of the match until the event with the seq 4

An answer is a `status`, with `retry_after`; `lines` of a stream, whose request says `since`; `cut` or `stall` as above. `key` says that each
request has the same header Idempotency-Key, and else none has it. With `repeats` the last answer is given again.
"""

from typing import Any

MATCH = "Kx7Rm2Qp9TzA"
ANY, SAME = "*any*", "*same*"
Step = dict[str, Any]

CLOCK = {"first_ms": 300000, "second_ms": 300000, "running": "first", "first_move_ms": None}
PRESENCE = {"first": True, "second": True, "spectators": 0, "gone_ms": {"first": None, "second": None}, "claim_after_ms": None}
REMATCH = {"offered_by": None, "offer_ms": None, "next": None}


def state(ply: int, over: bool = False) -> Step:
    result = {"winner": "first", "reason": "resign", "score": None} if over else None
    turn = "first" if ply % 2 == 0 else "second"
    legal = [] if over else [f"move-{ply}", f"other-{ply}"]
    return {"position": f"after {ply}", "turn": turn, "ply": ply, "legal": legal, "clock": CLOCK, "draw_offer": None, "takeback_offer": None, "result": result}


def hello(heartbeat_ms: int = 10000, **more: Any) -> Step:
    return {"send": {"t": "hello", "player": {"name": "Amina", "kind": "bot"}, "heartbeat_ms": heartbeat_ms, **more}}


def join(since: int | None = None) -> Step:
    return {"client": {"t": "join", "match": MATCH, "since": since}}


def snapshot(seq: int, ply: int | None = None, **more: Any) -> Step:
    ply = seq if ply is None else ply
    plies = [{"side": "first" if n % 2 == 0 else "second", "move": f"move-{n}", "position": f"after {n + 1}", "clock_ms": 1, "spent_ms": 1, "lag_ms": 0} for n in range(ply)]
    seats = {side: {"player": {"name": name, "kind": "bot"}, "rating": None} for side, name in (("first", "Amina"), ("second", "Zofia"))}
    match = {
        "id": MATCH, "game": "mawe", "setup": "", "start": "start", "rated": True, "speed": "blitz", "private": False, "seats": seats,
        "time_control": {"kind": "realtime", "base_ms": 300000, "increment_ms": 0}, "finished_at": None, "created_at": "2026-11-20T15:04:05Z",
        "options": {"takebacks": False, "give_time": True, "phrases": True, "free_takebacks": False}, "seq": seq, "plies": plies, **state(ply),
    }
    return {"send": {"t": "snapshot", "match": match, "you": "first", "presence": PRESENCE, "rematch": REMATCH, **more}}


def event(seq: int, ply: int | None = None, client_id: str | None = None, **more: Any) -> Step:
    """A move: the one with `seq` 1 is that of ply 0, where nothing else is in the journal."""
    ply = seq if ply is None else ply
    side = "first" if ply % 2 == 1 else "second"
    entry = {"kind": "move", "side": side, "move": f"move-{ply - 1}", "position": f"after {ply}", "clock_ms": 1, "spent_ms": 1, "lag_ms": 0}
    named = {} if client_id is None else {"client_id": client_id}
    return {"send": {"t": "event", "match": MATCH, "seq": seq, **named, "event": entry, "state": state(ply), **more}}


def over(seq: int, ply: int) -> Step:
    return {"send": {"t": "event", "match": MATCH, "seq": seq, "event": {"kind": "resign", "side": "second"}, "state": state(ply, over=True)}}


def joined(seq: int) -> Step:
    return {"send": {"t": "joined", "match": MATCH, "seq": seq, "clock": CLOCK, "you": "first", "presence": PRESENCE, "rematch": REMATCH}}


def command(ply: int, client_id: str = ANY) -> Step:
    return {"client": {"t": "command", "match": MATCH, "client_id": client_id, "command": {"kind": "move", "ply": ply, "move": f"move-{ply}"}}}


def error(code: str, **more: Any) -> Step:
    return {"send": {"t": "error", "code": code, "message": f"as {code} says", **more}}


def twice(step: Step) -> Step:
    return {**step, "twice": True}


CUT, STALL, PING = {"cut": True}, {"stall": True}, {"client": {"t": "ping"}}
BEGIN = [hello(), join(), snapshot(0), command(0)]
DONE = event(1, client_id=SAME)
WATCH_LOBBY, LOBBY = {"client": {"t": "watch-lobby"}}, {"send": {"t": "lobby", "seeks": [], "pools": []}}

#: name -> the connections, and the program's report at the end: the seq of each event, in order.
SCENARIOS: dict[str, dict[str, Any]] = {
    "a match without trouble": {
        "lines": [[*BEGIN, DONE, event(2), command(2), event(3, client_id=SAME), over(4, 3)]],
        "seen": [1, 2, 3, 4],
    },
    "messages, events and fields of a later server": {
        "lines": [[
            hello(colour="green"), join(), {"send": {"t": "confetti", "pieces": [1, {"kind": 2}]}}, snapshot(0, weather="rain"), command(0),
            {"text": "no message"}, {"text": "[1]"}, event(1, client_id=SAME, mood="good"),
            {"send": {"t": "event", "match": MATCH, "seq": 2, "event": {"kind": "sneeze", "side": "second"}, "state": state(1)}},
            event(3, ply=2), command(2), event(4, ply=3, client_id=SAME), over(5, 3),
        ]],
        "seen": [1, 2, 3, 4, 5],
        "others": ["confetti"],
    },
    "moved to another server, twice, before the command was read": {
        "lines": [[
            *BEGIN, error("moved", match=MATCH), join(0), error("moved", match=MATCH), join(0), joined(0), command(0, SAME), DONE, over(2, 1),
        ]],
        "seen": [1, 2],
    },
    "moved, as the answer to a command that was done": {
        "lines": [[*BEGIN, error("moved", match=MATCH, client_id=SAME), join(0), DONE, joined(1), event(2), command(2), event(3, client_id=SAME), over(4, 3)]],
        "seen": [1, 2, 3, 4],
    },
    "moved between two turns": {
        "lines": [[*BEGIN, DONE, error("moved", match=MATCH), join(1), event(2), joined(2), command(2), event(3, client_id=SAME), over(4, 3)]],
        "seen": [1, 2, 3, 4],
    },
    "the line breaks after a command that was not done": {
        "lines": [[*BEGIN, CUT], [hello(), join(0), joined(0), command(0, SAME), DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "the line breaks after a command that was done": {
        "lines": [[*BEGIN, CUT], [hello(), join(0), DONE, joined(1), event(2), command(2), event(3, client_id=SAME), over(4, 3)]],
        "seen": [1, 2, 3, 4],
    },
    "a command that was done is sent again, and its answer is old": {
        "lines": [[*BEGIN, CUT], [hello(), join(0), snapshot(2), command(0, SAME), DONE, command(2), event(3, client_id=SAME), over(4, 3)]],
        "seen": [3, 4],
    },
    "the line breaks again and again": {
        "lines": [[*BEGIN, CUT], [CUT], [hello(), CUT], [hello(), join(0), CUT], [hello(), join(0), joined(0), command(0, SAME), DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "servers are restarted one after the other": {
        "lines": [
            [*BEGIN, {"send": {"t": "closing", "reason": "restarting", "retry_ms": 1500}}, {"close": 1012}],
            [{"not_before": 1.5}, hello(), join(0), error("moved", match=MATCH), join(0), joined(0), command(0, SAME), DONE,
             {"send": {"t": "closing", "reason": "restarting", "retry_ms": 0}}, {"close": 1012}],
            [hello(), join(1), error("storage-unavailable", match=MATCH), join(1), event(2), joined(2), command(2), event(3, client_id=SAME), over(4, 3)],
        ],
        "seen": [1, 2, 3, 4],
    },
    "frames come twice, and a snapshot comes late": {
        "lines": [[
            hello(), join(), twice(snapshot(0)), command(0), twice(DONE), snapshot(0), twice(event(2)), command(2), twice(event(3, client_id=SAME)),
            snapshot(0), twice(joined(3)), over(4, 3),
        ]],
        "seen": [1, 2, 3, 4],
    },
    "an event is missing": {
        "lines": [[*BEGIN, DONE, event(4), join(1), event(2), event(3), event(4), joined(4), command(4), event(5, client_id=SAME), over(6, 5)]],
        "seen": [1, 2, 3, 4, 5, 6],
    },
    "the journal is longer than the events that came": {
        "lines": [[*BEGIN, CUT], [hello(), join(0), joined(2), join(), snapshot(2), command(0, SAME), DONE, command(2), event(3, client_id=SAME), over(4, 3)]],
        "seen": [3, 4],
    },
    "a frame came too fast, and the error does not name it": {
        "lines": [[*BEGIN, error("too-fast"), join(0), joined(0), command(0, SAME), DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "a frame came too fast, and a subscription has no answer yet": {
        "wish": "lobby",
        "lines": [[hello(), WATCH_LOBBY, join(), snapshot(0), command(0), error("too-fast"), join(0), WATCH_LOBBY, joined(0), command(0, SAME), DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "a frame came too fast, and a subscription has its answer": {
        "wish": "lobby",
        "lines": [[hello(), WATCH_LOBBY, LOBBY, join(), snapshot(0), command(0), error("too-fast"), join(0), joined(0), command(0, SAME), DONE, over(2, 1)]],
        "seen": [1, 2],
        "others": ["lobby"],
    },
    "a phrase too many": {
        "lines": [[*BEGIN, error("too-fast", match=MATCH), DONE, event(2), command(2), event(3, client_id=SAME), over(4, 3)]],
        "seen": [1, 2, 3, 4],
        "others": ["error"],
    },
    "a match that does not exist": {"lines": [[hello(), join(), error("unknown-match", match=MATCH)]], "seen": [], "ended": "unknown-match"},
    "a match that is not shown again, after a command": {
        "lines": [[*BEGIN, CUT], [hello(), join(0), error("unknown-match", match=MATCH)]],
        "seen": [],
        "ended": "unknown-match",
    },
    "a match that is not shown again, between two turns": {
        "lines": [[*BEGIN, DONE, {"close": 1012}], [hello(), join(1), error("too-many-matches", match=MATCH)]],
        "seen": [1],
        "ended": "too-many-matches",
    },
    "a match that is left before the answer to a command": {
        "wish": "leave",
        "lines": [[hello(), join(), snapshot(0), {"client": {"t": "command", "match": MATCH, "client_id": ANY, "command": {"kind": "resign"}}}, {"client": {"t": "leave", "match": MATCH}}]],
        "seen": [],
        "ended": "closed",
    },
    "a match that ends during a move, and is left at once": {
        "wish": "retire",
        "lines": [[*BEGIN, over(1, 0), {"client": {"t": "leave", "match": MATCH}}]],
        "seen": [1],
    },
    "malformed ids and commands": {
        "wish": "misuse",
        "lines": [[*BEGIN, DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "the store is away": {
        "lines": [[*BEGIN, error("storage-unavailable", match=MATCH, client_id=SAME), join(0), joined(0), command(0, SAME), DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "a move comes too late": {
        "lines": [[*BEGIN, error("stale-ply", match=MATCH, client_id=SAME), event(1, client_id="another-device"), event(2), command(2), event(3, client_id=SAME), over(4, 3)]],
        "seen": [1, 2, 3, 4],
    },
    "the opponent uses the same name for a command": {
        "lines": [
            [*BEGIN, {"send": {"t": "event", "match": MATCH, "seq": 1, "client_id": SAME, "event": {"kind": "offer-draw", "side": "second"}, "state": state(0)}}, {"close": 1012}],
            [hello(), join(1), joined(1), command(0, SAME), event(2, ply=1, client_id=SAME), over(3, 1)],
        ],
        "seen": [1, 2, 3],
    },
    "a server that is full": {
        "lines": [{"refuse": 503, "retry_after": 1}, [{"not_before": 1}, *BEGIN, CUT], {"refuse": 429, "retry_after": 1}, {"refuse": 502},
                  [hello(), join(0), joined(0), command(0, SAME), DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "a request beyond a limit": {
        "requests": [{"status": 429, "retry_after": 1}, {"status": 503}],
        "lines": [[*BEGIN, DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "a server that stands still": {
        "lines": [[hello(1000), join(), snapshot(0), command(0), PING, STALL], [hello(1000), join(0), joined(0), command(0, SAME), DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "a quiet line that lives": {
        "lines": [[hello(500), join(), snapshot(0), command(0), PING, {"send": {"t": "pong"}}, PING, {"send": {"t": "pong"}}, PING, {"send": {"t": "pong"}}, PING, DONE, over(2, 1)]],
        "seen": [1, 2],
    },
    "the lobby is watched again": {
        "wish": "lobby",
        "lines": [[hello(), WATCH_LOBBY, LOBBY, join(), snapshot(0), command(0), CUT],
                  [hello(), join(0), WATCH_LOBBY, joined(0), command(0, SAME), DONE, over(2, 1)]],
        "others": ["lobby"],
        "seen": [1, 2],
    },
    "the session has ended": {
        "lines": [[*BEGIN, {"send": {"t": "closing", "reason": "logged-out", "retry_ms": 0}}, {"close": 1000}]],
        "seen": [],
        "ended": 1000,
    },
    "a token that is not valid": {"lines": [{"refuse": 401}], "seen": [], "ended": 401},
}

#: name -> the wish, the request of the program, the answers to it, and the program's report.
REQUESTS: dict[str, dict[str, Any]] = {
    "a challenge, and a server that restarts": {
        "wish": "challenge",
        "request": "POST /api/v1/challenges",
        "key": True,
        "answers": [{"status": 503, "retry_after": 1}, {"not_before": 1, "status": 429, "retry_after": 1}, {"not_before": 1, "status": 503}, {"cut": True}, {"status": 201}],
    },
    "a request without a key, and a server that is busy": {
        "wish": "accept",
        "request": "POST /api/v1/challenges/9sHq4UvJ2kXn/accept",
        "answers": [{"status": 429, "retry_after": 1}, {"not_before": 1, "status": 503, "retry_after": 1}],
        "ended": 503,
    },
    "a request without a key, and no answer": {
        "wish": "accept",
        "request": "POST /api/v1/challenges/9sHq4UvJ2kXn/accept",
        "answers": [{"cut": True}],
        "ended": "unreachable",
    },
    "an answer that does not come": {
        "wish": "me",
        "request": "GET /api/v1/me",
        "answers": [{"stall": True}, {"status": 200}],
        "repeats": True,
    },
    "a stream that ends soon, again and again": {
        "wish": "stream",
        "request": f"GET /api/v1/matches/{MATCH}/stream",
        "answers": [
            {"since": None, "lines": [hello(), snapshot(0), event(1)]},
            {"since": 1, "lines": [hello(), event(2)]},
            {"since": 2, "not_before": 0.5, "lines": [hello(), event(3)]},
            {"since": 3, "not_before": 1, "lines": [hello(), event(4)]},
        ],
        "seen": [1, 2, 3, 4],
    },
}
