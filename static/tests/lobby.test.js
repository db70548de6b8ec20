// @ts-check
// Finding an opponent: requests of this page, and the server's messages.

import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { createLobby } from "../net/lobby.js";

/** @import { Challenge, ClientMsg, SeekView, ServerMsg } from "../core/types.js" */
/** @import { LineStatus } from "../net/line.js" */
/** @import { Begun, Pool } from "../net/lobby.js" */

/** @type {Pool} */
const blitz = { game: "mawe", pool: "5+0", rated: false };
/** @type {Pool} */
const rapid = { game: "oware", pool: "10+5", rated: true };
const bot = { name: "mawe-Jiwe", kind: /** @type {const} */ ("bot"), level: 5 };
const error = (/** @type {string} */ code) => /** @type {ServerMsg} */ ({ t: "error", code, message: code });
const challenge = (/** @type {string} */ id) => /** @type {Challenge} */ (/** @type {unknown} */ ({ id }));

/** A lobby on a line that records the sent messages. */
function setUp() {
  /** @type {ClientMsg[]} */
  const sent = [];
  /** @type {((msg: ServerMsg) => void)[]} */
  const ears = [];
  /** @type {((status: LineStatus) => void)[]} */
  const eyes = [];
  const clock = { now: 1_000 };
  const lobby = createLobby(
    {
      status: () => "open",
      onStatus: (run) => eyes.push(run),
      onMessage: (run) => ears.push(run),
      send: (msg) => sent.push(msg),
    },
    () => clock.now,
  );
  /** @type {Begun[]} */
  const begun = [];
  lobby.onPaired((match) => begun.push(match));
  return {
    lobby,
    sent,
    begun,
    clock,
    hear(/** @type {ServerMsg} */ msg) {
      for (const run of ears) run(msg);
    },
    open() {
      for (const run of eyes) run("open");
    },
  };
}

suite("a pool", () => {
  test("one waits in one at a time; the server's count of time is taken over", () => {
    const { lobby, sent, hear, clock } = setUp();
    lobby.wait(blitz);
    lobby.wait(blitz);
    assert.deepEqual(sent, [{ t: "join-pool", ...blitz }]);
    clock.now += 3_000;
    assert.equal(lobby.waited(), 3_000);
    hear({ t: "pool", ...blitz, waited_ms: 5_000, within: 60, waiting: 2 });
    clock.now += 1_000;
    assert.equal(lobby.waited(), 6_000);
    assert.equal(lobby.state.wait?.waiting, 2);
    lobby.wait(rapid);
    assert.deepEqual(sent.slice(1), [
      { t: "leave-pool", ...blitz },
      { t: "join-pool", ...rapid },
    ]);
    // The answer to leaving the first pool is not about the second.
    hear({ t: "pool-left", ...blitz });
    assert.equal(lobby.state.wait?.pool, rapid);
    hear({ t: "pool-left", ...rapid });
    assert.equal(lobby.state.wait, null);
  });

  test("only the page that waited goes to the match", () => {
    const [asked, other] = [setUp(), setUp()];
    asked.lobby.wait(blitz);
    for (const page of [asked, other]) page.hear({ t: "paired", match: "m", ...blitz });
    assert.deepEqual(asked.begun, [{ match: "m", mine: true, challenge: null }]);
    assert.deepEqual(other.begun, [{ match: "m", mine: false, challenge: null }]);
    assert.equal(asked.lobby.state.wait, null);
  });

  test("a computer is offered, taken, or no longer there", () => {
    const { lobby, sent, hear } = setUp();
    lobby.acceptBot();
    assert.deepEqual(sent, []);
    lobby.wait(blitz);
    hear({ t: "bot-offer", ...rapid, bot, rating: 1500 });
    assert.equal(lobby.state.wait?.bot, null);
    hear({ t: "bot-offer", ...blitz, bot, rating: 1500 });
    lobby.acceptBot();
    assert.deepEqual(sent.at(-1), { t: "accept-bot", ...blitz });
    hear(error("no-bot-offer"));
    assert.equal(lobby.state.wait?.bot, null);
    assert.ok(lobby.state.wait);
  });

  test("a refusal ends a wait that had not begun, and no other", () => {
    const { lobby, hear } = setUp();
    lobby.wait(blitz);
    hear({ t: "error", code: "not-joined", message: "", match: "m" });
    assert.ok(lobby.state.wait);
    hear(error("pool-wait"));
    assert.equal(lobby.state.wait, null);
    assert.equal(lobby.state.refusal?.code, "pool-wait");
    lobby.wait(blitz);
    assert.equal(lobby.state.refusal, null);
    hear({ t: "pool", ...blitz, waited_ms: 0, within: 60, waiting: 1 });
    hear(error("storage-unavailable"));
    assert.ok(lobby.state.wait);
  });
});

suite("the line comes back", () => {
  test("what was asked for is asked again, and what is no longer wanted is not", () => {
    const { lobby, sent, open } = setUp();
    lobby.wait(blitz);
    const stops = [lobby.watch(), lobby.watch(), lobby.watchTv("oware"), lobby.watchTv("oware")];
    sent.length = 0;
    open();
    assert.deepEqual(sent, [{ t: "join-pool", ...blitz }, { t: "watch-lobby" }, { t: "watch-tv", game: "oware" }]);
    sent.length = 0;
    for (const stop of stops) stop();
    assert.deepEqual(sent, [{ t: "unwatch-lobby" }, { t: "unwatch-tv", game: "oware" }]);
    lobby.leave();
    sent.length = 0;
    open();
    assert.deepEqual(sent, []);
  });
});

suite("the lobby", () => {
  test("a list that is left out stays as it was", () => {
    const { lobby, hear } = setUp();
    const seek = /** @type {SeekView} */ (/** @type {unknown} */ ({ id: "s" }));
    hear({ t: "lobby", seeks: [seek], pools: [{ ...blitz, time_control: { kind: "unlimited" }, waiting: 3 }] });
    hear({ t: "lobby", pools: [] });
    assert.deepEqual([lobby.state.seeks, lobby.state.pools], [[seek], []]);
  });

  test("a seek of this page's leads it to the match, one of another page's does not", () => {
    const { lobby, hear, begun } = setUp();
    lobby.made("s");
    hear({ t: "challenge-accepted", challenge: "s", match: "m" });
    hear({ t: "challenge-accepted", challenge: "other", match: "n" });
    assert.deepEqual(
      begun.map(({ match, mine }) => [match, mine]),
      [
        ["m", true],
        ["n", false],
      ],
    );
  });

  test("challenges come, newest first and once each, and go", () => {
    const { lobby, hear } = setUp();
    lobby.take([challenge("a")]);
    hear({ t: "challenge", challenge: challenge("b") });
    hear({ t: "challenge", challenge: challenge("b") });
    assert.deepEqual(
      lobby.state.challenges.map(({ id }) => id),
      ["b", "a"],
    );
    hear({ t: "challenge-gone", challenge: "b", status: "cancelled", reason: null });
    lobby.answered("a");
    assert.deepEqual(lobby.state.challenges, []);
  });

  test("what is on is known by game", () => {
    const { lobby, hear } = setUp();
    const stop = lobby.watchTv("oware");
    hear({ t: "tv", game: "oware", match: "m" });
    assert.equal(lobby.state.tv.get("oware"), "m");
    stop();
    assert.equal(lobby.state.tv.has("oware"), false);
  });
});
