// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { origins, transfers } from "../board/anim.js";
import { linesOf } from "../board/lines.js";
import { createStepper, durations, LONGEST_MS, RELAY_MS } from "../board/pace.js";
import { lie } from "../board/pile.js";
import { cancel, canPick, cellAt, choose, createState, middle, moveFocus, nextCells, setPosition, visibleRows } from "../board/state.js";
import { loadGame } from "../games/index.js";

/** @import { Option, Pieces } from "../board/state.js" */

const kalah = await loadGame("kalah");
const mawe = await loadGame("mawe");
const reversi = await loadGame("reversi");

/**
 * A board of Mawe! with White to move.
 * @param {string} position
 * @param {string[]} legal
 */
function boardOf(position, legal) {
  const state = createState(mawe.layout(""));
  setPosition(state, { pieces: mawe.parse(position).pieces, options: optionsOf(legal), hand: "first", last: [] });
  return state;
}

/** @param {string[]} moves @returns {Option[]} */
const optionsOf = (moves) => moves.map((move) => ({ path: mawe.path(move, "first"), move }));

const POSITION = "8/8/8/4b3/1w6/8/8/W6W w";
const LEGAL = ["a1b2", "a1c3", "a1d4", "h1g2"];

describe("lines over a board", () => {
  const boardWith = (/** @type {Partial<import("../board/state.js").BoardState>} */ parts) =>
    Object.assign(boardOf(POSITION, LEGAL), parts);

  test("are an arc for each jump, and none for a slide", () => {
    const jump = { last: ["a1", "c3"], traces: { end: null, taken: ["b2"] } };
    // From the lower left to the upper right: the arc rises above the straight line.
    assert.deepEqual(linesOf(boardWith(jump)), [{ kind: "arc", d: "M0.50 7.50Q0.62 5.62 2.50 5.50" }]);
    assert.deepEqual(linesOf(boardWith({ ...jump, traces: { end: null, taken: [] } })), []);
    assert.equal(linesOf(boardWith({ ...jump, last: ["a1", "c3", "e5"] })).length, 2);
    // While the move is shown step by step there is none yet.
    assert.deepEqual(linesOf(boardWith({ ...jump, steps: [{ pieces: new Map() }] })), []);
  });

  test("are an arrow through the cells of a suggestion, on a turned board too", () => {
    const [arrow] = linesOf(boardWith({ hints: ["a1", "d4"] }));
    assert.equal(arrow?.kind, "arrow");
    assert.match(arrow?.d ?? "", /^M0\.50 7\.50L3\.4\d 4\.5\d/);
    const [turned] = linesOf(boardWith({ hints: ["a1", "d4"], flipped: true }));
    assert.match(turned?.d ?? "", /^M7\.50 0\.50L4\.5\d 3\.4\d/);
    // Houses are framed instead.
    assert.deepEqual(linesOf(boardWith({ hints: ["3"] })), []);
  });
});

describe("a path that is the beginning of a longer one", () => {
  const options = [
    { path: ["a1", "c3"], move: "stop" },
    { path: ["a1", "c3", "a1"], move: "on" },
    { path: ["a1", "d4"], move: "other" },
  ];
  const board = () => Object.assign(boardOf(POSITION, LEGAL), { options });

  test("stays open: the next cell goes on, the same cell makes the shorter move", () => {
    for (const [last, move] of /** @type {const} */ ([
      ["a1", "on"],
      ["c3", "stop"],
    ])) {
      const state = board();
      choose(state, "a1");
      assert.deepEqual(choose(state, "c3"), { kind: "picked" });
      assert.deepEqual([...nextCells(state)].sort(), ["a1", "c3"]);
      assert.deepEqual(choose(state, last), { kind: "move", move, walked: true });
      assert.deepEqual(state.picked, []);
    }
  });

  test("gives the longer one no short cut", () => {
    const state = board();
    choose(state, "a1");
    assert.deepEqual(choose(state, "a1"), { kind: "dropped" });
    choose(state, "a1");
    assert.deepEqual(choose(state, "d4"), { kind: "move", move: "other", walked: true });
  });
});

describe("choosing cells", () => {
  test("a stone, then a cell it reaches, is a move", () => {
    const state = boardOf(POSITION, LEGAL);
    assert.deepEqual(choose(state, "a1"), { kind: "picked" });
    assert.deepEqual([...nextCells(state)].sort(), ["b2", "c3", "d4"]);
    assert.deepEqual(choose(state, "c3"), { kind: "move", move: "a1c3", walked: true });
    assert.deepEqual(state.picked, []);
  });

  test("a stone, then a cell it does not reach, is an attempt to be judged elsewhere", () => {
    const state = boardOf(POSITION, LEGAL);
    choose(state, "a1");
    assert.deepEqual(choose(state, "f6"), { kind: "attempt", path: ["a1", "f6"] });
    assert.deepEqual(state.picked, []);
  });

  test("another own stone is chosen instead", () => {
    const state = boardOf(POSITION, LEGAL);
    choose(state, "a1");
    assert.deepEqual(choose(state, "h1"), { kind: "picked" });
    assert.deepEqual(state.picked, ["h1"]);
  });

  test("the same stone again is let go", () => {
    const state = boardOf(POSITION, LEGAL);
    choose(state, "a1");
    assert.deepEqual(choose(state, "a1"), { kind: "dropped" });
  });

  test("a pinned stone can be taken up, and reaches nothing", () => {
    const state = boardOf(POSITION, LEGAL);
    assert.deepEqual(choose(state, "b4"), { kind: "picked" });
    assert.equal(nextCells(state).size, 0);
  });

  test("an empty cell or an opponent's stone is nothing to begin with", () => {
    const state = boardOf(POSITION, LEGAL);
    assert.deepEqual(choose(state, "d5"), { kind: "nothing" });
    assert.deepEqual(choose(state, "e5"), { kind: "nothing" });
  });

  test("a board that is only looked at takes nothing", () => {
    const state = boardOf(POSITION, LEGAL);
    setPosition(state, { pieces: state.pieces, options: [], hand: null, last: [] });
    assert.deepEqual(choose(state, "a1"), { kind: "nothing" });
  });

  test("paths of one cell and of more than two are moves too", () => {
    const state = boardOf(POSITION, []);
    state.options = [
      { path: ["d3"], move: "d3" },
      { path: ["a1", "c3", "e5"], move: "a1c3e5" },
    ];
    assert.deepEqual(choose(state, "d3"), { kind: "move", move: "d3", walked: true });
    choose(state, "a1");
    assert.deepEqual(choose(state, "c3"), { kind: "picked" });
    assert.deepEqual(choose(state, "e5"), { kind: "move", move: "a1c3e5", walked: true });
  });

  test("a position in which the chosen stone is gone drops the choice, another keeps it", () => {
    const state = boardOf(POSITION, LEGAL);
    choose(state, "a1");
    setPosition(state, { pieces: state.pieces, options: state.options, hand: "first", last: [] });
    assert.deepEqual(state.picked, ["a1"]);
    setPosition(state, { pieces: mawe.parse("8/8/8/8/8/8/8/7W w").pieces, options: [], hand: "first", last: [] });
    assert.deepEqual(state.picked, []);
  });

  test("cancel lets go", () => {
    const state = boardOf(POSITION, LEGAL);
    choose(state, "a1");
    cancel(state);
    assert.deepEqual(state.picked, []);
  });
});

describe("a board on which a move is one cell", () => {
  const { pieces } = kalah.parse("4,4,0,4,4,4,4/4,4,4,4,4,4,0 s");
  const state = createState(kalah.layout(""), kalah.lifts);
  setPosition(state, { pieces, options: [{ path: ["s1"], move: "1" }], hand: "first", last: [] });

  test("plays what is chosen, and takes nothing up", () => {
    assert.deepEqual([...nextCells(state)], ["s1"]);
    assert.equal(canPick(state, "s1"), false);
    assert.deepEqual(choose(state, "s1"), { kind: "move", move: "1", walked: true });
  });

  test("hands on what is not listed, own or not", () => {
    for (const cell of ["s2", "s3", "n4", "s-store"]) assert.deepEqual(choose(state, cell), { kind: "attempt", path: [cell] });
    assert.deepEqual(state.picked, []);
  });

  test("knows no way by a pass", () => {
    const board = createState(reversi.layout(""), reversi.lifts);
    setPosition(board, {
      pieces: reversi.parse(reversi.start).pieces,
      options: [{ path: reversi.path("pass", "first"), move: "pass" }],
      hand: "first",
      last: [],
    });
    assert.equal(nextCells(board).size, 0);
    assert.equal(choose(board, "a1").kind, "attempt");
  });

  test("is walked by the arrows from house to house, the store at the end of each row", () => {
    state.focus = "s1";
    moveFocus(state, 0, -1);
    assert.equal(state.focus, "n6");
    moveFocus(state, -1, 0);
    assert.equal(state.focus, "n-store");
    moveFocus(state, 0, 1);
    assert.equal(state.focus, "s1");
    moveFocus(state, 99, 0);
    assert.equal(state.focus, "s-store");
    state.flipped = true;
    moveFocus(state, 1, 0);
    assert.equal(state.focus, "s6");
  });
});

describe("the keyboard's cell", () => {
  test("goes as the eye goes, and stops at the edge", () => {
    const state = boardOf(POSITION, LEGAL);
    assert.equal(state.focus, "a1");
    moveFocus(state, 1, -1);
    assert.equal(state.focus, "b2");
    moveFocus(state, -5, 9);
    assert.equal(state.focus, "a1");
  });

  test("follows the board when it is turned", () => {
    const state = boardOf(POSITION, LEGAL);
    state.flipped = true;
    moveFocus(state, -1, 1);
    assert.equal(state.focus, "b2");
  });
});

describe("places", () => {
  test("a cell is found where its middle is, either way up", () => {
    const state = boardOf(POSITION, LEGAL);
    for (const flipped of [false, true]) {
      state.flipped = flipped;
      for (const cell of state.layout.rows.flat()) {
        const { x, y } = middle(state, cell);
        assert.equal(cellAt(state, x, y), cell.id);
      }
    }
    assert.equal(cellAt(state, -0.1, 3), null);
  });

  test("on a board that stands upright the near row is the left column, its store at an end", () => {
    const state = createState(kalah.layout(""), false);
    state.upright = true;
    const ids = () => visibleRows(state).map((row) => row.map(({ id }) => id).join(" "));
    assert.deepEqual(ids(), ["n-store", "s1 n6", "s2 n5", "s3 n4", "s4 n3", "s5 n2", "s6 n1", "s-store"]);
    for (const flipped of [false, true]) {
      state.flipped = flipped;
      for (const cell of state.layout.rows.flat()) {
        const { x, y } = middle(state, cell);
        assert.equal(cellAt(state, x, y), cell.id);
      }
    }
    assert.deepEqual(ids(), ["s-store", "n1 s6", "n2 s5", "n3 s4", "n4 s3", "n5 s2", "n6 s1", "n-store"]);
    state.focus = "n2";
    moveFocus(state, 1, 1);
    assert.equal(state.focus, "s4");
    moveFocus(state, 0, 9);
    assert.equal(state.focus, "n-store");
  });
});

describe("animation as the difference of two states", () => {
  const distance = () => 1;
  /** @param {string} position @returns {Pieces} */
  const at = (position) => mawe.parse(position).pieces;

  test("a stone that moved comes from where it stood; one that turned over stays itself", () => {
    const from = origins(at("8/8/8/4B3/8/8/8/W7 w"), at("8/8/5W2/4b3/8/8/8/8 b"), distance);
    assert.deepEqual([...from].sort(), [
      ["e5", "e5"],
      ["f6", "a1"],
    ]);
  });

  test("a stone never turns into one of the other side", () => {
    const from = origins(at("8/8/8/8/8/8/8/W7 w"), at("8/8/8/8/8/8/8/1B6 w"), distance);
    assert.equal(from.size, 0);
  });
});

describe("piles", () => {
  const line = (/** @type {string} */ a, /** @type {string} */ b) => Math.abs(a.charCodeAt(0) - b.charCodeAt(0));

  test("seeds go from where there are too many to the nearest place that lacks some", () => {
    assert.deepEqual(
      transfers(
        new Map([
          ["a", 2],
          ["c", 1],
          ["z", 5],
        ]),
        new Map([
          ["b", 1],
          ["c", 2],
          ["z", 5],
        ]),
        line,
      ),
      [
        { from: "a", to: "b" },
        { from: "a", to: "c" },
      ],
    );
  });

  test("seeds come from nowhere and go nowhere where the sum changes", () => {
    assert.deepEqual(transfers(new Map(), new Map([["a", 1]]), line), [{ from: null, to: "a" }]);
    assert.deepEqual(transfers(new Map([["a", 1]]), new Map(), line), [{ from: "a", to: null }]);
  });

  test("a seed lies inside its pit, however many there are", () => {
    for (const pit of [
      { w: 1, h: 1 },
      { w: 1, h: 2 },
    ]) {
      for (let i = 0; i < 98; i++) {
        const { x, y } = lie(i, pit);
        assert.ok(Math.abs(x) < pit.w * 0.4 && Math.abs(y) < pit.h * 0.45, `${i}: ${x}, ${y}`);
      }
    }
  });

  test("a disc that changes sides stays the same disc", () => {
    const [before, after] = [reversi.parse(reversi.start).pieces, reversi.preview(reversi.parse(reversi.start).pieces, "d3", "first")];
    assert.deepEqual([...origins(before, after, () => 1)].sort(), [
      ["d4", "d4"],
      ["d5", "d5"],
      ["e4", "e4"],
      ["e5", "e5"],
    ]);
  });
});

describe("the steps of a move", () => {
  const step = (/** @type {boolean} */ lifted) => ({ pieces: new Map(), hand: { cell: "s1", seeds: 1, kind: "pebble", lifted } });
  const relay = (/** @type {number} */ seeds) => [step(true), ...Array.from({ length: seeds }, () => step(false))];
  const sum = (/** @type {number[]} */ all) => all.reduce((one, more) => one + more, 0);

  test("have the usual pace, and a sowing of many seeds no more than its time", () => {
    assert.deepEqual(durations(relay(3), 150), [150, 150, 150, 150]);
    const long = durations([...relay(23), ...relay(2)], 150);
    assert.equal(Math.round(sum(long.slice(0, 24))), RELAY_MS);
    assert.deepEqual(long.slice(24), [150, 150, 150]);
    assert.deepEqual(durations([], 150), []);
  });

  test("take no more than a few seconds in all", () => {
    const all = durations(Array.from({ length: 9 }, () => relay(20)).flat(), 110);
    assert.equal(all.length, 189);
    assert.equal(Math.round(sum(all)), LONGEST_MS);
  });

  test("are shown one after another, or skipped", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    Object.assign(globalThis, { document: { hidden: false } });
    context.after(() => Reflect.deleteProperty(globalThis, "document"));
    const state = createState({
      width: 1,
      height: 1,
      ground: "wood",
      fixed: false,
      rows: [[{ id: "a1", x: 0, y: 0, w: 1, h: 1, tone: "light" }]],
    });
    /** @type {boolean[]} */
    const ends = [];
    const stepper = createStepper(state, (isEnd) => ends.push(isEnd));
    assert.equal(stepper.skip(), false);
    state.steps = relay(2);
    stepper.pace(100, 2);
    stepper.walk();
    context.mock.timers.tick(200);
    assert.deepEqual([state.steps.length, ends], [2, [false]]);
    assert.equal(stepper.skip(), true);
    context.mock.timers.tick(1_000);
    assert.deepEqual([state.steps.length, ends], [0, [false, true]]);
    // A page that is hidden meanwhile shows the end at once.
    state.steps = relay(3);
    stepper.pace(100, 1);
    stepper.walk();
    Object.assign(globalThis, { document: { hidden: true } });
    context.mock.timers.tick(100);
    assert.deepEqual([state.steps.length, ends.at(-1)], [0, true]);
  });
});
