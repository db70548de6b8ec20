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

/** The number of tasks of a game. Bao has more: it is taught in two forms, of which the second has rules for every stage of a game. */
const LIMITS = new Map([["bao", { least: 20, most: 24 }]]);

for (const game of GAMES) {
  describe(game.id, () => {
    const list = tasks.get(game.id) ?? [];

    const { least, most } = LIMITS.get(game.id) ?? { least: 5, most: 8 };
    test(`has ${least} to ${most} tasks, each of its own`, () => {
      assert.ok(list.length >= least && list.length <= most);
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
  const all = [
    "gains",
    "takes",
    "pins",
    "frees",
    "feeds",
    "crowns",
    "again",
    "passes",
    "wins",
    "stands",
    "denies",
    "holds",
    "keeps-house",
    "takes-house",
  ];
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

test("the tasks of a group follow one another", () => {
  for (const [id, list] of tasks) {
    const groups = list.map(({ group }) => group).filter((group, i, all) => group !== all[i - 1]);
    assert.equal(new Set(groups).size, groups.length, id);
  }
});

test("a nyumba is kept where the sowing stops there, and lost where it is played, captured or ended by the first mtaji", () => {
  const game = GAMES.find(({ id }) => id === "bao");
  assert.ok(game);
  /** @param {string} position @param {string} move @param {Goal} goal */
  const met = (position, move, goal) => {
    const run = begin(Game, game, { key: "", position, goals: [goal], moves: 1, solution: [], wrong: "" });
    play(run, move);
    return run.state === "solved";
  };
  const stop = "2,1,0,0,12h,0,0,0,0,0,0,0,0,0,0,0,14/0,0,4,4,10h,2,1,0,0,0,0,0,0,0,0,0,14 s";
  assert.ok(met(stop, "A5R", { kind: "keeps-house" }));
  assert.ok(!met(stop, "A5R>", { kind: "keeps-house" }));
  assert.ok(!met(stop, "A5R", { kind: "takes-house" }));
  const capture = "0,0,0,1,6h,0,0,0,0,0,0,0,0,0,0,0,20/0,0,0,0,8h,2,0,0,0,0,0,0,0,0,0,0,20 s";
  assert.ok(met(capture, "A4L", { kind: "takes-house" }));
  const mtaji = "0,3,0,0,7h,1,0,0,0,9,0,0,0,0,0,0,0/0,0,6,5,9h,0,0,0,0,0,0,0,0,0,0,0,0 s";
  assert.ok(met(mtaji, "B2R", { kind: "takes-house" }));
  assert.ok(!met(mtaji, "B2R", { kind: "keeps-house" }));
  // A pit A5 that nobody owns is no nyumba.
  const none = "0,0,0,0,7,0,0,0,0,0,0,0,0,0,0,0,20/0,0,2,3,8h,1,0,1,0,0,0,0,0,0,0,0,20 s";
  assert.ok(!met(none, "A5L", { kind: "keeps-house" }));
});

test("a nyumba that a reply captures is not held", () => {
  const game = GAMES.find(({ id }) => id === "bao");
  const task = tasks.get("bao")?.find(({ key }) => key === "tax");
  assert.ok(game && task);
  const run = begin(Game, game, task);
  play(run, "A5R");
  assert.equal(run.state, "wrong");
  const taken = run.rules.legalMoves().filter((reply) => {
    run.rules.play(reply);
    const isLost = !run.rules.position().startsWith("0,0,0,0,13h");
    run.rules.retreat(1);
    return isLost;
  });
  assert.ok(taken.length > 0);
});

test("a task of Bao has one solution", () => {
  const game = GAMES.find(({ id }) => id === "bao");
  assert.ok(game);
  for (const task of tasks.get("bao") ?? []) {
    /** @type {string[][]} */
    const solutions = [];
    /** @param {string[]} moves the reader's moves so far */
    const search = (moves) => {
      const run = begin(Game, game, task);
      for (const move of moves) play(run, move);
      if (run.state === "solved") solutions.push(moves);
      if (run.state === "open") for (const move of run.rules.legalMoves()) search([...moves, move]);
    };
    search([]);
    assert.deepEqual(solutions, [task.solution.filter((_, ply) => ply % 2 === 0)], task.key);
  }
});
