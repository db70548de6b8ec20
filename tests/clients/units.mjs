// Tests of parts of the library in TypeScript. units.py has those of the library in Python.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@mawe/client";
import { Backoff } from "./node_modules/@mawe/client/dist/backoff.js";
import { Line } from "./node_modules/@mawe/client/dist/core.js";

/** @import { types } from "@mawe/client" */

test("a pause is short again only after a good connection", () => {
  const backoff = new Backoff();
  let now = 100_000;
  for (let attempt = 0; attempt < 6; attempt++) {
    backoff.opened(now);
    now += 4_900;
    const [pause, least] = [backoff.pause(now), 250 * 2 ** attempt];
    assert.ok(least <= pause && pause <= 2 * least, `${pause}`);
  }
  backoff.opened(now);
  assert.ok(backoff.pause(now + 5_000) <= 500);
  backoff.opened(now);
  assert.ok(backoff.pause(now, 30_000) >= 30_000);
  // An attempt without a connection does not count the time since the last one.
  assert.ok(backoff.pause(now + 1_000_000) >= 1_000);
});

test("a subscription ends with its opposite for the same pool", () => {
  const line = new Line();
  const standing = () => [...line.standing.values()].map(({ frame }) => JSON.parse(frame));
  const pool = /** @type {const} */ ({ game: "mawe", pool: "5+0" });
  line.send({ t: "join-pool", ...pool });
  line.send({ t: "join-pool", ...pool, rated: true });
  line.received(0, JSON.stringify({ t: "pool-left", ...pool, rated: true }));
  assert.deepEqual(standing(), [{ t: "join-pool", ...pool }]);
  line.send({ t: "leave-pool", ...pool, rated: false });
  assert.deepEqual(standing(), []);
});

test("a command that is no JSON waits for no answer", () => {
  const line = new Line();
  const command = /** @type {types.Command} */ (/** @type {unknown} */ ({ kind: 1n }));
  assert.throws(() => line.command("Kx7Rm2Qp9TzA", command), TypeError);
  assert.deepEqual([line.pending.size, line.follows.size], [0, 0]);
});

test("a malformed address ends a stream", async () => {
  await assert.rejects(new Client("no address").meStream().next(), TypeError);
});

test("a key of the program stays", async () => {
  const keys = /** @type {(string | null)[]} */ ([]);
  const client = new Client("http://127.0.0.1", {
    fetch: async (request) => {
      keys.push(/** @type {Request} */ (request).headers.get("Idempotency-Key"));
      return Response.json({}, { status: 201 });
    },
  });
  const body = /** @type {types.Offer} */ ({ to: "Zofia", game: "oware", time_control: { kind: "unlimited" } });
  await client.rest.POST("/api/v1/challenges", { body, params: { header: { "Idempotency-Key": "mine" } } });
  for (let i = 0; i < 2; i++) await client.rest.POST("/api/v1/challenges", { body });
  await client.rest.POST("/api/v1/challenges/{id}/accept", { params: { path: { id: "9sHq4UvJ2kXn" } }, body: {} });
  assert.deepEqual([keys[0], keys[3]], ["mine", null]);
  assert.match(keys[1] ?? "", /^[0-9a-f]{32}$/);
  assert.notEqual(keys[1], keys[2]);
});
