// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { match } from "../core/router.js";

const routes = [
  { pattern: "/", view: "home" },
  { pattern: "/match/:id", view: "match" },
  { pattern: "/player/:name", view: "player" },
];

test("a path finds its view and its parts", () => {
  assert.deepEqual(match(routes, "/"), { view: "home", params: {} });
  assert.deepEqual(match(routes, "/match/abc"), { view: "match", params: { id: "abc" } });
  assert.deepEqual(match(routes, "/player/a%20b/"), { view: "player", params: { name: "a b" } });
});

test("what fits nothing is nothing, also what cannot be decoded", () => {
  assert.equal(match(routes, "/match"), null);
  assert.equal(match(routes, "/nowhere/else"), null);
  assert.equal(match(routes, "/player/%E0%A4%A"), null);
});
