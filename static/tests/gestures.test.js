// @ts-check
// Presses, drags and keys on a board, without a page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { beginsDrag, drag, pressDown, pressKey, release } from "../board/gestures.js";
import { createState, setPosition } from "../board/state.js";
import { loadGame } from "../games/index.js";

/** @import { Game } from "../games/types.js" */

const bao = await loadGame("bao");
const kalah = await loadGame("kalah");
const mawe = await loadGame("mawe");

/** @param {Game} game @param {string} position @param {string[]} legal */
function boardOf(game, position, legal) {
  const state = createState(game.layout(""), game.lifts);
  const options = legal.map((move) => ({ path: game.path(move, "first"), move }));
  setPosition(state, { pieces: game.parse(position).pieces, options, hand: "first", last: [] });
  return state;
}

const stones = () => boardOf(mawe, "8/8/8/4b3/1w6/8/8/W6W w", ["a1b2", "a1c3", "h1g2"]);
const houses = () => boardOf(kalah, kalah.start, ["1", "2"]);
const at = { id: 1, x: 100, y: 100 };
const away = { id: 1, x: 140, y: 100 };

describe("a press", () => {
  test("chooses a stone while it is down, and keeps it on release", () => {
    const state = stones();
    const { press, choice } = pressDown(state, "a1", at);
    assert.deepEqual(choice, { kind: "picked" });
    assert.equal(release(state, press, "a1", "both"), null);
    assert.deepEqual(state.picked, ["a1"]);
  });

  test("on a chosen stone puts it back on release", () => {
    const state = stones();
    release(state, pressDown(state, "a1", at).press, "a1", "both");
    const again = pressDown(state, "a1", at);
    assert.equal(again.choice, null);
    assert.deepEqual(release(state, again.press, "a1", "both"), { kind: "dropped" });
  });

  test("on a target makes the move on release, unless the reader only drags", () => {
    for (const [hands, made] of /** @type {const} */ ([
      ["both", { kind: "move", move: "a1c3", walked: true }],
      ["click", { kind: "move", move: "a1c3", walked: true }],
      ["drag", null],
    ])) {
      const state = stones();
      release(state, pressDown(state, "a1", at).press, "a1", hands);
      assert.deepEqual(release(state, pressDown(state, "c3", at).press, "c3", hands), made, hands);
    }
  });

  test("that ends on another cell means nothing", () => {
    const state = houses();
    const [first = "", second = ""] = state.options.map(({ path }) => path[0]);
    assert.equal(release(state, pressDown(state, first, at).press, second, "both"), null);
    assert.deepEqual(release(state, pressDown(state, first, at).press, first, "drag"), { kind: "move", move: "1", walked: true });
  });
});

describe("a press on a pile that is lifted", () => {
  const bowls = () => boardOf(bao, bao.start, ["A6L", "A7L"]);

  test("on a target of the same side makes the move on release, also for a reader who only drags", () => {
    for (const hands of /** @type {const} */ (["both", "drag"])) {
      const state = bowls();
      release(state, pressDown(state, "sA7", at).press, "sA7", hands);
      assert.deepEqual(state.picked, ["sA7"]);
      // A6 has moves of its own, and is the next cell of A7L.
      const { press, choice } = pressDown(state, "sA6", at);
      assert.equal(choice, null);
      assert.deepEqual(release(state, press, "sA6", hands), { kind: "move", move: "A7L", walked: true });
    }
  });

  test("is no drag", () => {
    const state = bowls();
    const { press } = pressDown(state, "sA7", at);
    assert.equal(beginsDrag(state, press, away, "both"), false);
  });
});

describe("a drag", () => {
  test("begins after some pixels, with a lifted stone, and unless the reader only clicks", () => {
    const state = stones();
    const { press } = pressDown(state, "a1", at);
    assert.equal(beginsDrag(state, press, { ...at, x: 102 }, "both"), false);
    assert.equal(beginsDrag(state, press, away, "click"), false);
    assert.equal(beginsDrag(state, press, away, "drag"), true);
    const still = houses();
    assert.equal(beginsDrag(still, pressDown(still, "a1", at).press, away, "both"), false);
  });

  test("drops the stone where it ends", () => {
    const state = stones();
    const { press } = pressDown(state, "a1", at);
    drag(state, press, { x: 2.5, y: 5.5, cell: "c3" });
    assert.deepEqual(state.drag, { cell: "a1", x: 2.5, y: 5.5 });
    assert.deepEqual(release(state, { ...press, dragging: true }, "c3", "both"), { kind: "move", move: "a1c3", walked: true });
    assert.equal(state.placed, "c3");
    assert.equal(state.drag, null);
  });

  test("that ends where it began, or beside the board, moves nothing", () => {
    for (const target of ["a1", null]) {
      const state = stones();
      const { press } = pressDown(state, "a1", at);
      drag(state, press, { x: 1, y: 7, cell: "a1" });
      assert.equal(release(state, { ...press, dragging: true }, target, "both"), null);
      assert.deepEqual([state.drag, state.placed, state.picked], [null, null, ["a1"]]);
    }
  });
});

test("keys move the focus, choose, and let go", () => {
  const state = stones();
  assert.equal(state.focus, "a1");
  assert.deepEqual(pressKey(state, "Enter"), { choice: { kind: "picked" }, moved: false });
  assert.deepEqual(pressKey(state, "ArrowUp"), { choice: null, moved: true });
  assert.equal(state.focus, "a2");
  assert.deepEqual(pressKey(state, "Escape"), { choice: { kind: "dropped" }, moved: false });
  assert.deepEqual(state.picked, []);
  assert.equal(pressKey(state, "Tab"), null);
});
