// @ts-check
// The line with a transport, a clock and random numbers that the test controls.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { fromView } from "../net/match.js";
import { createLine } from "../net/socket.js";

/** @import { ClientMsg, MatchEvent, MatchView, ServerMsg, Side, StateView } from "../core/types.js" */
/** @import { Answer, MatchNews } from "../net/line.js" */
/** @import { MatchState } from "../net/match.js" */

/** An environment whose time passes only when the test says so. */
function scripted() {
  let now = 0;
  let ids = 0;
  /** @type {{ at: number, run: () => void }[]} */
  let timers = [];
  /** @type {ReturnType<typeof transport>[]} */
  const transports = [];

  function transport() {
    return {
      /** @type {ClientMsg[]} */
      sent: [],
      readyState: 1,
      closed: false,
      /** @type {any} */ onopen: null,
      /** @type {any} */ onmessage: null,
      /** @type {any} */ onclose: null,
      /** @param {string} text */
      send(text) {
        this.sent.push(JSON.parse(text));
      },
      close() {
        this.closed = true;
      },
    };
  }

  const line = createLine({
    connect() {
      const made = transport();
      transports.push(made);
      return made;
    },
    now: () => now,
    setTimer(run, ms) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return timer;
    },
    clearTimer(timer) {
      timers = timers.filter((t) => t !== timer);
    },
    random: () => 0.5,
    newId: () => `c${++ids}`,
  });

  const latest = () => {
    const last = transports[transports.length - 1];
    assert.ok(last);
    return last;
  };
  return {
    line,
    transports,
    latest,
    /** @param {ServerMsg} msg */
    say: (msg) => latest().onmessage({ data: JSON.stringify(msg) }),
    /** Opens the latest transport; the server sends hello. */
    open() {
      latest().onopen();
      latest().onmessage({ data: JSON.stringify({ t: "hello", player: null, heartbeat_ms: 15_000 }) });
    },
    cut: () => latest().onclose(),
    /** @param {number} ms */
    wait(ms) {
      const until = now + ms;
      for (;;) {
        const due = timers.filter((t) => t.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        now = due.at;
        timers = timers.filter((t) => t !== due);
        due.run();
      }
      now = until;
    },
    /** The messages on the latest transport since the last call, without pings. */
    sent: () =>
      latest()
        .sent.splice(0)
        .filter(({ t }) => t !== "ping"),
  };
}

const CLOCK = { first_ms: 300_000, second_ms: 300_000, running: null, first_move_ms: 30_000 };
const PRESENCE = { first: true, second: true, spectators: 0, gone_ms: { first: null, second: null }, claim_after_ms: null };
const REMATCH = { offered_by: null, offer_ms: null, next: null };

/** @param {number} ply @returns {StateView} */
const stateAt = (ply) => ({
  position: `position ${ply}`,
  turn: ply % 2 === 0 ? "first" : "second",
  ply,
  legal: ["a1b2"],
  clock: CLOCK,
  draw_offer: null,
  takeback_offer: null,
  result: null,
});

/** @param {number} seq @returns {ServerMsg} */
const snapshot = (seq) => ({
  t: "snapshot",
  match: /** @type {MatchView} */ ({
    id: "m",
    game: "mawe",
    setup: "",
    start: "position 0",
    rated: false,
    time_control: { kind: "realtime", base_ms: 300_000, increment_ms: 0 },
    speed: "blitz",
    seats: {
      first: { player: { name: "a", kind: "guest" }, rating: null },
      second: { player: { name: "b", kind: "guest" }, rating: null },
    },
    created_at: "2026-01-01T00:00:00Z",
    finished_at: null,
    seq,
    plies: Array.from({ length: seq }, (_, i) => ply(i)),
    ...stateAt(seq),
  }),
  you: "first",
  presence: PRESENCE,
  rematch: REMATCH,
});

/** @param {number} n */
const ply = (n) => ({
  side: /** @type {Side} */ (n % 2 === 0 ? "first" : "second"),
  move: `move ${n}`,
  position: `position ${n + 1}`,
  clock_ms: 1,
  spent_ms: 1,
  lag_ms: 0,
});

/** @param {number} seq @param {string} [client_id] @returns {ServerMsg} */
const moveEvent = (seq, client_id) => ({
  t: "event",
  match: "m",
  seq,
  ...(client_id ? { client_id } : {}),
  event: /** @type {MatchEvent} */ ({ kind: "move", ...ply(seq - 1) }),
  state: stateAt(seq),
});

/** @param {number} seq @returns {ServerMsg} */
const joined = (seq) => ({
  t: "joined",
  match: "m",
  seq,
  clock: { ...CLOCK, first_ms: 1 },
  you: "first",
  presence: PRESENCE,
  rematch: REMATCH,
});

/** A line that follows a match at `seq`, and the news of its listener. @param {number} seq */
function following(seq) {
  const world = scripted();
  /** @type {MatchNews["kind"][]} */
  const heard = [];
  /** @type {{ state: MatchState | null }} */
  const seen = { state: null };
  world.line.start();
  const leave = world.line.follow("m", (state, news) => {
    seen.state = state;
    heard.push(news.kind);
  });
  world.open();
  world.say(snapshot(seq));
  world.sent();
  heard.length = 0;
  const view = () => {
    assert.ok(seen.state);
    return seen.state.view;
  };
  return { ...world, heard, seen, view, leave };
}

/** @param {Promise<Answer>} promise */
function watch(promise) {
  /** @type {{ answer: Answer | null }} */
  const box = { answer: null };
  void promise.then((answer) => (box.answer = answer));
  return box;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("following a match", () => {
  test("asks for it whole at first, and takes the events that follow", () => {
    const world = scripted();
    world.line.start();
    world.line.follow("m", () => {});
    world.open();
    assert.deepEqual(world.sent(), [{ t: "join", match: "m" }]);
  });

  test("an event in order is applied once; again, it is known", () => {
    const { say, heard, view } = following(0);
    say(moveEvent(1));
    say(moveEvent(1));
    assert.deepEqual(heard, ["event"]);
    assert.equal(view().plies.length, 1);
    assert.equal(view().position, "position 1");
    assert.equal(view().seq, 1);
  });

  test("a gap asks for the whole match again, and nothing is applied before it comes", () => {
    const { say, sent, heard, view } = following(1);
    say(moveEvent(3));
    assert.deepEqual(sent(), [{ t: "join", match: "m" }]);
    say(moveEvent(4));
    assert.deepEqual(sent(), [], "asked once");
    assert.equal(view().seq, 1);
    say(snapshot(4));
    assert.deepEqual(heard, ["snapshot"]);
    assert.equal(view().plies.length, 4);
    say(moveEvent(5));
    assert.equal(view().seq, 5);
  });

  test("what is known of it before the line is open is shown, and the line brings only what has come since", async () => {
    const world = scripted();
    /** @type {MatchNews["kind"][]} */
    const heard = [];
    /** @type {MatchState | null} */
    let seen = null;
    world.line.start();
    world.line.follow("m", (state, news) => {
      seen = state;
      heard.push(news.kind);
    });
    const { match } = /** @type {Extract<ServerMsg, { t: "snapshot" }>} */ (snapshot(2));
    const known = fromView(match, { kind: "guest", name: "b" }, 5);
    world.line.know("m", known);
    world.line.know("another", known);
    assert.deepEqual(heard, ["snapshot"]);
    assert.equal(seen, known);
    assert.equal(known.you, "second");
    // A move that is made before that is sent once the line has joined.
    const box = watch(world.line.command("m", { kind: "move", ply: 3, move: "move 3" }));
    world.open();
    assert.deepEqual(world.sent(), [{ t: "join", match: "m", since: 2 }]);
    world.say(moveEvent(3));
    world.say(joined(3));
    assert.deepEqual(heard, ["snapshot", "event", "changed"]);
    assert.equal(known.view.plies.length, 3);
    assert.equal(known.you, "first", "the line knows who the reader is");
    assert.equal(known.view.clock.first_ms, 1);
    assert.equal(world.sent().length, 1);
    world.say(moveEvent(4, "c1"));
    await settled();
    assert.equal(box.answer?.ok, true);
  });

  test("what the line has told already holds", () => {
    const { line, heard, view } = following(3);
    const { match } = /** @type {Extract<ServerMsg, { t: "snapshot" }>} */ (snapshot(1));
    line.know("m", fromView(match, null, 5));
    assert.deepEqual(heard, []);
    assert.equal(view().seq, 3);
  });

  test("leaving tells the server", () => {
    const { leave, sent } = following(0);
    leave();
    assert.deepEqual(sent(), [{ t: "leave", match: "m" }]);
  });
});

describe("coming back", () => {
  test("resumes from the last seq, and takes the clock from `joined`", () => {
    const world = following(2);
    world.cut();
    assert.equal(world.line.status(), "down");
    world.wait(1_000);
    assert.equal(world.transports.length, 2);
    world.open();
    assert.equal(world.line.status(), "open");
    assert.deepEqual(world.sent(), [{ t: "join", match: "m", since: 2 }]);
    world.say(moveEvent(3));
    world.say(joined(3));
    assert.equal(world.view().seq, 3);
    assert.equal(world.view().clock.first_ms, 1);
  });

  test("a `joined` that is ahead of us is a gap", () => {
    const world = following(2);
    world.cut();
    world.wait(1_000);
    world.open();
    world.sent();
    world.say(joined(5));
    assert.deepEqual(world.sent(), [{ t: "join", match: "m" }]);
  });

  test("waits longer each time, and at once when it is woken", () => {
    const world = following(0);
    world.cut();
    world.wait(300);
    assert.equal(world.transports.length, 2);
    world.cut();
    world.wait(300);
    assert.equal(world.transports.length, 2, "the second wait is longer");
    world.wait(300);
    assert.equal(world.transports.length, 3);
    world.cut();
    world.line.wake();
    assert.equal(world.transports.length, 4);
  });

  test("stays away as long as the server asks", () => {
    const world = following(0);
    world.say({ t: "closing", reason: "restarting", retry_ms: 2_000 });
    world.cut();
    world.wait(1_900);
    assert.equal(world.transports.length, 1);
    world.wait(500);
    assert.equal(world.transports.length, 2);
  });

  test("a ping without a pong within five seconds means that the line is dead", () => {
    const world = following(0);
    world.wait(15_000);
    assert.equal(world.latest().sent.filter(({ t }) => t === "ping").length, 1);
    world.wait(4_900);
    assert.equal(world.line.status(), "open");
    world.wait(200);
    assert.equal(world.line.status(), "down");
    assert.ok(world.transports[0]?.closed);
  });

  test("a pong keeps it alive", () => {
    const world = following(0);
    world.wait(15_000);
    world.say({ t: "pong" });
    world.wait(10_000);
    assert.equal(world.line.status(), "open");
  });

  test("as somebody else, every match is asked for whole", () => {
    const world = following(2);
    world.line.reopen();
    world.open();
    assert.deepEqual(world.sent(), [{ t: "join", match: "m" }]);
  });

  test("an old transport that speaks late is not heard", () => {
    const world = following(0);
    const old = world.latest();
    const { onmessage } = old;
    world.cut();
    world.wait(1_000);
    onmessage({ data: JSON.stringify(moveEvent(1)) });
    assert.equal(world.view().seq, 0);
  });
});

describe("commands", () => {
  const move = /** @type {const} */ ({ kind: "move", ply: 0, move: "a1b2" });

  test("carry the seq, and are answered by the event of the same name", async () => {
    const { line, sent, say } = following(0);
    const box = watch(line.command("m", move));
    assert.deepEqual(sent(), [{ t: "command", match: "m", client_id: "c1", seq: 0, command: move }]);
    say(moveEvent(1, "c1"));
    await settled();
    assert.ok(box.answer?.ok);
    assert.equal(line.waiting(), 0);
  });

  test("are answered by a refusal of the same name", async () => {
    const { line, say } = following(0);
    const box = watch(line.command("m", move));
    say({ t: "error", match: "m", client_id: "c1", code: "illegal-move", why: "pinned", message: "" });
    await settled();
    assert.ok(box.answer && !box.answer.ok);
    assert.equal(box.answer.error.why, "pinned");
  });

  test("given while the line is down go out once it is back, after the match is joined, under one name", () => {
    const world = following(0);
    world.cut();
    void world.line.command("m", move);
    world.wait(1_000);
    world.open();
    assert.deepEqual(
      world.sent().map(({ t }) => t),
      ["join"],
    );
    world.say(joined(0));
    const [again, ...more] = world.sent();
    assert.deepEqual(more, []);
    assert.ok(again?.t === "command" && again.client_id === "c1");
  });

  test("that were sent and not answered are sent again, the very same frame", () => {
    const world = following(0);
    void world.line.command("m", move);
    const [first] = world.sent();
    world.cut();
    world.wait(1_000);
    world.open();
    world.sent();
    world.say(joined(0));
    assert.deepEqual(world.sent(), [first]);
  });

  test("whose event comes with the resumption are not sent again", async () => {
    const world = following(0);
    const box = watch(world.line.command("m", move));
    world.cut();
    world.wait(1_000);
    world.open();
    world.sent();
    world.say(moveEvent(1, "c1"));
    world.say(joined(1));
    await settled();
    assert.deepEqual(world.sent(), []);
    assert.ok(box.answer?.ok);
  });

  test("whose event is known already are answered all the same", async () => {
    const world = following(0);
    const box = watch(world.line.command("m", move));
    world.say(snapshot(1));
    world.say(moveEvent(1, "c1"));
    await settled();
    assert.ok(box.answer?.ok);
    assert.equal(world.view().plies.length, 1);
  });

  test("that the store cannot take now are kept and sent again", async () => {
    const world = following(0);
    const box = watch(world.line.command("m", move));
    world.sent();
    world.say({ t: "error", match: "m", client_id: "c1", code: "storage-unavailable", message: "" });
    await settled();
    assert.equal(box.answer, null);
    world.wait(1_100);
    assert.deepEqual(
      world.sent().map((msg) => msg.t === "command" && msg.client_id),
      ["c1"],
    );
  });

  test("that were dropped because frames came too fast are sent again", () => {
    const world = following(0);
    void world.line.command("m", move);
    const [first] = world.sent();
    world.say({ t: "error", code: "too-fast", message: "" });
    world.wait(1_100);
    assert.deepEqual(world.sent(), [first]);
  });

  test("that found their match moved to another server go out again once it is joined there", () => {
    const world = following(0);
    void world.line.command("m", move);
    const [first] = world.sent();
    world.say({ t: "error", match: "m", client_id: "c1", code: "moved", message: "" });
    world.wait(1_100);
    assert.deepEqual(world.sent(), [{ t: "join", match: "m", since: 0 }]);
    world.say(joined(0));
    assert.deepEqual(world.sent(), [first]);
  });

  test("of a match whose server cannot be reached wait, and the reader is told so once that is clear", () => {
    const world = following(0);
    /** @type {string[]} */
    const told = [];
    world.line.follow("m", (_, news) => news.kind === "refused" && told.push(news.error.code));
    const moved = () => {
      world.say({ t: "error", match: "m", code: "moved", message: "" });
      world.wait(1_100);
    };
    moved();
    assert.deepEqual(told, [], "it may be a matter of a moment");
    moved();
    assert.deepEqual(told, ["moved"]);
    world.say(joined(0));
    moved();
    assert.deepEqual(told, ["moved"], "it was reached meanwhile");
  });

  test("that stay unanswered on a living line are sent again", () => {
    const world = following(0);
    void world.line.command("m", move);
    world.sent();
    world.wait(15_000);
    world.say({ t: "pong" });
    assert.equal(world.sent().length, 1);
  });

  test("keep their match followed until they are answered, though nobody looks any more", async () => {
    const world = following(0);
    const box = watch(world.line.command("m", move));
    world.sent();
    world.leave();
    assert.deepEqual(world.sent(), []);
    world.say(moveEvent(1, "c1"));
    await settled();
    assert.ok(box.answer?.ok);
    assert.deepEqual(world.sent(), [{ t: "leave", match: "m" }]);
  });
});
