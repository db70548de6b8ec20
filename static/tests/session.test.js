// @ts-check
// The player of a page: answers of the server that come late.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { createSession } from "../net/session.js";

/** The state of a reader with a name, or of nobody. @param {string | null} name */
const me = (name) => ({
  player: name === null ? null : { kind: "guest", name },
  moderator: false,
  operator: false,
  inviter: false,
  premium: false,
  site: null,
  language: null,
});

const { fetch, BroadcastChannel } = globalThis;
/** The requests without an answer, by method and path. @type {Map<string, (answer: object) => void>} */
const waiting = new Map();

/** Answers a request. @param {string} request @param {object} body */
async function answer(request, body) {
  const reply = waiting.get(request);
  assert.ok(reply, request);
  waiting.delete(request);
  reply(body);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

describe("a session", () => {
  before(() => {
    /** @param {string} path @param {{ method: string }} request */
    const request = (path, { method }) =>
      new Promise((resolve) => {
        waiting.set(`${method} ${path}`, (body) => resolve(new Response(JSON.stringify(body), { status: 200 })));
      });
    // No other tab.
    const channel = class {
      onmessage = null;
      postMessage() {}
    };
    Object.assign(globalThis, { fetch: request, BroadcastChannel: channel });
  });
  afterEach(() => waiting.clear());
  after(() => Object.assign(globalThis, { fetch, BroadcastChannel }));

  test("does not lose a guest to an answer that was asked for before", async () => {
    let opened = 0;
    const session = createSession(() => {
      opened += 1;
    });
    const began = session.begin();
    const ensured = session.ensure();
    await answer("POST /api/v1/guests", me("Guest-1"));
    await ensured;
    assert.equal(opened, 1);
    await answer("GET /api/v1/me", me(null));
    await began;
    assert.equal(session.player()?.name, "Guest-1");
    assert.equal(opened, 1);
  });

  test("takes the player of another tab, and opens the connection again for it alone", async () => {
    let opened = 0;
    const session = createSession(() => {
      opened += 1;
    });
    for (const [name, times] of /** @type {const} */ ([
      ["Amina", 1],
      ["Amina", 1],
      [null, 2],
    ])) {
      const loaded = session.load();
      await answer("GET /api/v1/me", me(name));
      await loaded;
      assert.equal(session.player()?.name ?? null, name);
      assert.equal(opened, times);
    }
  });

  test("is over after the log out, also where an earlier answer has a player", async () => {
    const session = createSession(() => {});
    session.become(/** @type {any} */ (me("Amina")));
    const loaded = session.load();
    await session.logOut(async () => {});
    await answer("GET /api/v1/me", me("Amina"));
    await loaded;
    assert.equal(session.player(), null);
  });
});
