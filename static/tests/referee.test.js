// @ts-check
// The referee on this device, compared with the server's judgements of the same commands (`wasm/tests/referee.rs`), and with stored records.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { judge, openPosition, openTable, passed, snapshotOf } from "../local/referee.js";
import { initSync, Referee } from "../wasm/rules.js";

initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });

/** A record as pages have stored it since matches are played on devices. */
const KEPT = {
  id: "0Ab1Cd2Ef3Gh4Ij5Kl6M",
  game: "oware",
  setup: "",
  level: /** @type {number | null} */ (null),
  you: /** @type {const} */ ("first"),
  moves: ["3", "2", "1"],
  seq: 7,
  result: null,
  turn: /** @type {const} */ ("second"),
  created_at: "2025-03-01T12:00:00.000Z",
  changed_at: "2025-03-01T12:05:00.000Z",
  next: null,
};

describe("the referee and the server", () => {
  /** @type {any[]} */
  const scripts = JSON.parse(readFileSync(new URL("referee.golden.json", import.meta.url), "utf8"));
  for (const { game, level, you, moves, steps } of scripts) {
    const commands = steps.map((/** @type {any} */ { command }) => command.kind);
    test(`judge alike: ${game}, ${level === null ? "both by hand" : `level ${level}`}, ${moves.length} plies, ${commands.join(" ")}`, () => {
      const table = openTable(Referee, { ...KEPT, game, level, you, moves });
      for (const { side, command, events, error } of steps) {
        const judged = judge(table, side, command);
        if (error === null) assert.deepEqual(judged, { ok: true, happened: events });
        else assert.deepEqual(!judged.ok && { code: judged.error.code, why: judged.error.why ?? null }, error);
      }
      table.rules.free();
    });
  }
});

describe("a record on this device", () => {
  /** @param {Partial<import("../local/store.js").Kept>} change */
  const matchOf = (change) => snapshotOf(openTable(Referee, { ...KEPT, ...change }), { name: "You" }, true).match;

  test("is opened with its plies and its own id", () => {
    const match = matchOf({});
    assert.deepEqual(
      match.plies.map(({ move }) => move),
      KEPT.moves,
    );
    assert.deepEqual([match.id, match.seq, match.turn, match.result], [KEPT.id, 7, "second", null]);
    assert.deepEqual(match.time_control, { kind: "unlimited" });
    assert.ok(match.legal.length > 0);
  });

  for (const [reason, winner] of /** @type {const} */ ([
    ["resign", "first"],
    ["resign", "second"],
    ["agreement", null],
    ["aborted", null],
  ])) {
    test(`keeps its result: ${reason}, ${winner}`, () => {
      const result = { winner, reason, score: null };
      for (const level of [null, 3]) {
        const match = matchOf({ result, level });
        assert.deepEqual(match.result, result);
        assert.deepEqual(match.legal, []);
      }
    });
  }

  test("of a match without plies is a match", () => {
    assert.equal(matchOf({ moves: [], level: 10 }).ply, 0);
  });

  test("that the rules refuse is not opened", () => {
    for (const change of [{ moves: ["z"] }, { game: "go" }, { setup: "seeds=99" }])
      assert.throws(() => openTable(Referee, { ...KEPT, ...change }), { message: "damaged" });
  });
});

test("a position that begins with a pass plays it, and a takeback leaves it", () => {
  // Only X could capture: O has nothing to outflank until X has moved.
  const table = openPosition(Referee, "reversi", `XO${"-".repeat(62)} O`);
  const happened = passed(table);
  assert.deepEqual(
    happened.map(({ event }) => event.kind === "move" && event.move),
    ["pass"],
  );
  assert.equal(table.plies[0]?.forced, true);
  const refused = judge(table, "first", { kind: "offer-takeback" });
  assert.ok(!refused.ok && refused.error.code === "nothing-to-take-back");
});
