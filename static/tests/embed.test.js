// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const script = readFileSync(new URL("../embed/embed.js", import.meta.url), "utf8");

/** Runs the script of a frame of the match `one`; the returned functions send a message of its stream, and end the time of the timers. */
function frame() {
  const timers = /** @type {{ act: () => void, ms: number }[]} */ ([]);
  let reloads = 0;
  /** @type {(event: { data: string }) => void} */
  let hear = () => {};
  class EventSource {
    /** @param {string} kind @param {typeof hear} listener */
    addEventListener(kind, listener) {
      if (kind === "message") hear = listener;
    }
  }
  const document = { body: { dataset: { stream: "/stream", match: "one" } }, querySelector: () => null };
  const location = { reload: () => reloads++ };
  const setTimeout = (/** @type {() => void} */ act, /** @type {number} */ ms) => timers.push({ act, ms });
  runInContext(script, createContext({ document, location, EventSource, setTimeout, setInterval() {}, performance }));
  return {
    timers,
    send: (/** @type {object} */ message) => hear({ data: JSON.stringify(message) }),
    reloads: () => reloads,
  };
}

const over = { t: "event", match: "one", seq: 3, state: { ply: 2, turn: "first", clock: {}, result: { winner: "first" } } };

test("a frame is loaded again once after the end of its match, and after a pause by chance", () => {
  const pauses = new Set();
  for (let i = 0; i < 20; i++) {
    const { timers, send, reloads } = frame();
    send(over);
    send(over);
    send({ t: "tv", match: "two" });
    assert.equal(timers.length, 1);
    const [{ act, ms } = { act: () => {}, ms: 0 }] = timers;
    assert.ok(ms >= 2_000 && ms <= 4_000, `${ms}`);
    pauses.add(ms);
    assert.equal(reloads(), 0);
    act();
    assert.equal(reloads(), 1);
  }
  assert.ok(pauses.size > 10, "frames come back at different moments");
});

test("a frame whose match goes on stays", () => {
  const { timers, send, reloads } = frame();
  send({ ...over, state: { ...over.state, result: null } });
  send({ t: "tv", match: "one" });
  assert.deepEqual([timers.length, reloads()], [0, 0]);
});
