// @ts-check
// The solution of every task meets its goals, and its wrong move does not.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { back, begin, hint, play } from "../learn/run.js";
import { Game, initSync } from "../wasm/rules.js";
import { GAMES } from "./loaded-games.js";

/** @import { Goal, Task } from "../games/types.js" */

/** @type {Map<string, Task[]>} */
const tasks = new Map(
  await Promise.all(GAMES.map(async ({ id }) => /** @type {[string, Task[]]} */ ([id, (await import(`../games/tasks/${id}.js`)).tasks]))),
);

before(() => {
  initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });
});

for (const game of GAMES) {
  describe(game.id, () => {
    const list = tasks.get(game.id) ?? [];

    test("has five to eight tasks, each of its own", () => {
      assert.ok(list.length >= 5 && list.length <= 8);
      assert.equal(new Set(list.map(({ key }) => key)).size, list.length);
    });

    for (const task of list) {
      test(`${task.key} is solved as its solution says`, () => {
        const run = begin(Game, game, task);
        assert.equal(run.rules.position(), task.position);
        /** @type {string[]} */
        let played = [];
        while (run.state === "open") {
          const move = hint(run);
          assert.ok(move !== null, "the hints lead to the end");
          played = [...played, ...play(run, move)];
        }
        assert.equal(run.state, "solved");
        assert.deepEqual(played, task.solution);
        assert.ok(run.made <= task.moves);
      });

      test(`${task.key} is not solved by another idea, and can be tried again`, () => {
        const run = begin(Game, game, task);
        play(run, task.wrong);
        assert.equal(run.state, "wrong");
        back(run);
        assert.equal(run.state, "open");
        assert.equal(run.rules.position(), task.position);
        assert.equal(run.made, 0);
      });

      test(`${task.key} is not solved by most moves`, () => {
        const all = Game.fromPosition(game.id, task.position).legalMoves();
        const solving = all.filter((move) => {
          const run = begin(Game, game, task);
          play(run, move);
          return run.state !== "wrong";
        });
        assert.ok(solving.length > 0 && solving.length * 2 <= all.length, `${solving} of ${all}`);
      });
    }
  });
}

test("each goal is asked for somewhere", () => {
  const kinds = new Set([...tasks.values()].flat().flatMap(({ goals }) => goals.map(({ kind }) => kind)));
  /** @type {Goal["kind"][]} */
  const all = ["gains", "takes", "pins", "frees", "feeds", "crowns", "again", "passes", "wins", "stands", "denies", "holds"];
  assert.deepEqual([...kinds].sort(), all.sort());
});

test("a second move that leads nowhere is wrong, and what was right before it stays", () => {
  const game = GAMES.find(({ id }) => id === "checkers");
  const task = tasks.get("checkers")?.find(({ key }) => key === "trade");
  assert.ok(game && task);
  const run = begin(Game, game, task);
  assert.deepEqual(play(run, "9-14"), ["9-14", "18x9"]);
  assert.equal(run.state, "open");
  back(run);
  assert.equal(run.rules.position(), task.position);
  play(run, "9-14");
  assert.deepEqual(play(run, "5x14x21"), ["5x14x21"]);
  assert.equal(run.state, "solved");
});
