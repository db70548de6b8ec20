// @ts-check
// The reader's hand on a board, without a page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { aheadMove, createHand, showTurn, stepsOf, takeUp } from "../board/hand.js";
import { choose, createState } from "../board/state.js";
import { loadGame } from "../games/index.js";

/** @import { Turn } from "../board/hand.js" */
/** @import { Game } from "../games/types.js" */

const checkers = await loadGame("checkers");
const kalah = await loadGame("kalah");
const mawe = await loadGame("mawe");

/** A hand and its board. @param {Game} game @param {Turn} turn */
function handOf(game, turn) {
  const hand = createHand(game);
  const board = createState(game.layout(""), game.lifts);
  const show = () => showTurn(hand, board, { ...turn, last: null });
  show();
  return {
    hand,
    board,
    show,
    /** @param {string[]} cells */
    choose: (...cells) => cells.map((cell) => takeUp(hand, board, turn, choose(board, cell))),
  };
}

const { pieces } = mawe.parse("8/8/8/4b3/1w6/8/8/W6W w");
/** @type {Turn} */
const own = { pieces, legal: ["a1b2", "a1c3"], side: "first" };
/** @type {Turn} */
const theirs = { pieces, legal: [], side: null, premove: "first" };

describe("in the reader's turn", () => {
  test("a path of cells is a move, and is not shown again", () => {
    const { hand, board, choose } = handOf(mawe, own);
    assert.deepEqual(choose("a1", "c3"), [{ kind: "nothing" }, { kind: "move", move: "a1c3" }]);
    assert.equal(hand.walked, true);
    const plies = [{ move: "a1c3", side: /** @type {const} */ ("first"), pieces: board.pieces }];
    assert.deepEqual(stepsOf(hand, pieces, plies), []);
    assert.equal(hand.walked, false);
  });

  test("a path that is no move is an attempt", () => {
    const { choose } = handOf(mawe, own);
    assert.deepEqual(choose("a1", "f6")[1], { kind: "attempt", move: "a1f6" });
  });

  test("a piece without moves has a reason, or none that is known", () => {
    const { choose } = handOf(mawe, own);
    assert.deepEqual(choose("b4"), [{ kind: "forbidden", why: "pinned" }]);
    assert.deepEqual(choose("h1"), [{ kind: "no-moves" }]);
  });

  test("a rule that binds the side marks its pieces, and is the reason for the others", () => {
    const jump = checkers.parse("B:W18,21:B14,12");
    const { board, choose } = handOf(checkers, { pieces: jump.pieces, legal: ["14x23"], side: "first" });
    assert.equal(board.bound, true);
    assert.equal(choose("12")[0]?.kind, "forbidden");
  });
});

describe("before the reader's turn", () => {
  test("a path is a premove, shown until it is dropped", () => {
    const { hand, board, show, choose } = handOf(mawe, theirs);
    assert.deepEqual(choose("a1", "c3")[1], { kind: "premove" });
    assert.equal(aheadMove(hand, "first"), "a1c3");
    show();
    assert.deepEqual(board.ahead, ["a1", "c3"]);
    choose("h1");
    assert.equal(hand.ahead, null);
  });

  test("in a game of one-cell moves the same cell again, and a cell that is never played, drop it", () => {
    const { hand, choose } = handOf(kalah, { ...theirs, pieces: kalah.parse(kalah.start).pieces });
    const [cell = ""] = kalah.path("2", "first");
    const [far = ""] = kalah.path("2", "second");
    choose(cell);
    assert.equal(aheadMove(hand, "first"), "2");
    choose(cell);
    assert.equal(hand.ahead, null);
    choose(cell);
    choose(far);
    assert.equal(hand.ahead, null);
  });
});

test("without a side nothing can be chosen", () => {
  const { board, choose } = handOf(mawe, { pieces, legal: [], side: null });
  assert.equal(board.hand, null);
  assert.deepEqual(choose("a1"), [{ kind: "nothing" }]);
});

test("the steps of several plies are shown one after another", () => {
  const hand = createHand(kalah);
  const start = kalah.parse(kalah.start).pieces;
  const one = kalah.preview(start, "1", "first");
  const two = kalah.preview(one, "1", "second");
  const plies = [
    { move: "1", side: /** @type {const} */ ("first"), pieces: one },
    { move: "1", side: /** @type {const} */ ("second"), pieces: two },
  ];
  const replies = kalah.steps(one, "1", "second");
  assert.deepEqual(stepsOf(hand, start, plies), [...kalah.steps(start, "1", "first"), { pieces: one }, ...replies]);
  hand.walked = true;
  assert.deepEqual(stepsOf(hand, start, plies), [{ pieces: one }, ...replies]);
});
