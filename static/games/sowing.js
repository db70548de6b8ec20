// @ts-check
// The common part of the sowing games: two rows of houses, a store at the end of each, and seeds that go round. Moves are only played for
// display here; the server or the WebAssembly rules judge them.

import { svg } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { other } from "../core/time.js";

/** @import { Game, GameEntry } from "./types.js" */
/** @import { Cell, Layout, Piece, Pieces, Step } from "../board/state.js" */
/** @import { Side } from "../core/types.js" */

const SIDES = /** @type {const} */ (["first", "second"]);
const STORE = "store";
/** The sign in a position for a house that is not played in this round. */
const BURNT = "x";

/** @param {Side} side */
const letter = (side) => (side === "first" ? "s" : "n");

/** @param {Side} side @param {number} n from 1 */
const house = (side, n) => `${letter(side)}${n}`;

/** @param {Side} side */
const store = (side) => `${letter(side)}-${STORE}`;

/** @param {string} id @returns {{ side: Side, house: number | null }} the side and the house of a cell; null for a store */
function placeOf(id) {
  const n = Number(id.slice(1));
  return { side: id.charAt(0) === "s" ? "first" : "second", house: n > 0 ? n : null };
}

/**
 * The board from the mover's view. Lanes are numbered in the direction of sowing: the own houses from 0, the own store, the opponent's
 * houses, and the opponent's store, which gets no seeds in a sowing.
 * @typedef {Object} Hand
 * @property {(number | null)[]} lanes the seeds in each lane; null for a burnt house
 * @property {number[]} own the lanes of the mover's houses
 * @property {number} store the lane of the mover's store
 * @property {number[]} theirs the lanes of the opponent's houses
 * @property {number} theirStore
 * @property {Shown[]} shown every state of the move, the last being its end
 * @property {number | null} end the lane where the last seed fell
 * @property {number | null} reach the same of the first sowing
 * @property {number[]} taken the lanes from which seeds were captured
 */

/** The seeds in the hand, and the lane over which it is. @typedef {{ lane: number, seeds: number, lifted: boolean }} Held */

/** A state of a move. @typedef {{ lanes: (number | null)[], hand: Held | null }} Shown */

/** @param {(number | null)[]} lanes @param {number} houses @returns {Hand} */
function handOver(lanes, houses) {
  const own = Array.from({ length: houses }, (_, i) => i);
  return {
    lanes: [...lanes],
    own,
    store: houses,
    theirs: own.map((lane) => houses + 1 + lane),
    theirStore: 2 * houses + 1,
    shown: [],
    end: null,
    reach: null,
    taken: [],
  };
}

/** @param {Hand} hand @param {number} lane */
export const seedsIn = ({ lanes }, lane) => lanes[lane] ?? 0;

/** @param {Hand} hand @param {number[]} lanes */
export const sum = (hand, lanes) => lanes.reduce((all, lane) => all + seedsIn(hand, lane), 0);

/** Whether either row is empty. @param {Hand} hand */
export const aRowIsEmpty = (hand) => sum(hand, hand.own) === 0 || sum(hand, hand.theirs) === 0;

/** The opposite house. @param {Hand} hand @param {number} lane */
export const facing = ({ store: own }, lane) => 2 * own - lane;

/**
 * Sows the seeds of a house one by one.
 * @param {Hand} hand
 * @param {number} from
 * @param {(lane: number) => boolean} [skips] lanes left out, besides the opponent's store and burnt houses
 * @param {(lane: number, held: Held | null) => void} [sown] called after each seed, with what is left in the hand
 * @returns {number} the lane of the last seed
 */
export function sow(hand, from, skips = () => false, sown = () => {}) {
  const { lanes, shown, theirStore } = hand;
  const seeds = seedsIn(hand, from);
  lanes[from] = 0;
  shown.push({ lanes: [...lanes], hand: { lane: from, seeds, lifted: true } });
  let lane = from;
  for (let left = seeds - 1; left >= 0; left--) {
    do lane = (lane + 1) % theirStore;
    while (lanes[lane] === null || skips(lane));
    lanes[lane] = seedsIn(hand, lane) + 1;
    const held = left > 0 ? { lane, seeds: left, lifted: false } : null;
    shown.push({ lanes: [...lanes], hand: held });
    sown(lane, held);
  }
  hand.end = lane;
  hand.reach ??= lane;
  return lane;
}

/**
 * Captures the seeds of these lanes.
 * @param {Hand} hand
 * @param {number[]} from
 * @param {Held | null} [held] the seeds in the hand meanwhile
 */
export function take(hand, from, held = null) {
  hand.taken.push(...from.filter((lane) => seedsIn(hand, lane) > 0 && !hand.taken.includes(lane)));
  gather(hand, from, hand.store, held);
}

/** Moves each side's seeds from its houses to its store. @param {Hand} hand */
export function sweep(hand) {
  gather(hand, hand.own, hand.store);
  gather(hand, hand.theirs, hand.theirStore);
}

/** @param {Hand} hand @param {number[]} from @param {number} to @param {Held | null} [held] */
function gather(hand, from, to, held = null) {
  const { lanes } = hand;
  const seeds = sum(hand, from);
  if (seeds === 0) return;
  for (const lane of from) if (lanes[lane] !== null) lanes[lane] = 0;
  lanes[to] = seedsIn(hand, to) + seeds;
  hand.shown.push({ lanes: [...lanes], hand: held });
}

/**
 * @typedef {Object} Kind the differences between the sowing games
 * @property {string} start
 * @property {string} picture
 * @property {string} recorded
 * @property {number} houses the houses of a side
 * @property {boolean} clockwise the direction of sowing
 * @property {string} ground the material of the board
 * @property {string} seeds the kind of the seeds, for the style sheet
 * @property {number} pace
 * @property {(hand: Hand, lane: number) => void} play plays the house of that lane
 * @property {Words} [words]
 * @property {Game["bound"]} [bound]
 * @property {Game["round"]} [round]
 */

/**
 * The words of a game for its houses and seeds.
 * @typedef {Object} Words
 * @property {(whose: string, house: number) => string} house `whose`: yours, theirs, or of the first or the second side
 * @property {(n: number) => string} seeds
 * @property {() => string} burnt
 * @property {(house: number) => string} move
 */

/** @type {Words} */
const WORDS = {
  house: (whose, n) => t(`sowing.house.${whose}`, { house: n }),
  seeds: (n) => t("sowing.seeds", { n }),
  burnt: () => t("sowing.burnt"),
  move: (n) => t("sowing.move", { house: n }),
};

/** @param {{ houses: number, clockwise: boolean, ground: string }} kind @returns {Layout} */
function layoutOf({ houses, clockwise, ground }) {
  const numbers = Array.from({ length: houses }, (_, i) => i + 1);
  /** @param {Side} side @returns {Cell[]} for the first side the lower row in its own view, for the second the upper, turned by half a turn */
  const row = (side) => {
    const near = side === "first";
    const at = (/** @type {number} */ x) => (near ? x : houses + 1 - x);
    const cells = numbers.map((n) => {
      const x = at(clockwise ? houses + 1 - n : n);
      return { id: house(side, n), x, y: near ? 1.5 : 0, w: 1, h: 1.5, tone: "house", pit: { x, y: near ? 1.5 : 0.5, w: 1, h: 1 } };
    });
    const x = at(clockwise ? 0 : houses + 1);
    return [...cells, { id: store(side), x, y: 0, w: 1, h: 3, tone: STORE, pit: { x, y: 0.5, w: 1, h: 2 } }].sort((a, b) => a.x - b.x);
  };
  return { width: houses + 2, height: 3, ground, fixed: false, stands: true, rows: [row("second"), row("first")] };
}

/**
 * The functions of a game that play a move.
 * @param {Pick<Kind, "houses" | "seeds" | "play">} kind
 * @param {(side: Side) => string[]} lanesOf all cells in the order of the mover's lanes
 * @param {(cell: string, count: number | null) => Piece} pile
 * @returns {Required<Pick<Game, "preview" | "steps" | "traces" | "reach">>}
 */
function motionOf({ houses, seeds, play }, lanesOf, pile) {
  /** @param {Pieces} pieces @param {string} move @param {Side} side */
  function walk(pieces, move, side) {
    const cells = lanesOf(side);
    const hand = handOver(
      cells.map((cell) => pieces.get(cell)?.count ?? null),
      houses,
    );
    play(hand, Number(move) - 1);
    return { cells, hand, cellOf: (/** @type {number | null} */ lane) => (lane === null ? null : (cells[lane] ?? null)) };
  }

  /** Every state of a move, the last being its end. @param {Pieces} pieces @param {string} move @param {Side} side @returns {Step[]} */
  function states(pieces, move, side) {
    const { cells, hand } = walk(pieces, move, side);
    return hand.shown.map(({ lanes, hand: held }) => ({
      pieces: /** @type {Pieces} */ (new Map(cells.map((cell, lane) => [cell, pile(cell, lanes[lane] ?? null)]))),
      hand: held && { cell: cells[held.lane] ?? "", seeds: held.seeds, kind: seeds, lifted: held.lifted },
    }));
  }

  return {
    preview: (pieces, move, side) => states(pieces, move, side).at(-1)?.pieces ?? pieces,
    steps: (pieces, move, side) => states(pieces, move, side).slice(0, -1),
    traces(pieces, move, side) {
      const { hand, cellOf } = walk(pieces, move, side);
      return { end: cellOf(hand.end), taken: hand.taken.flatMap((lane) => cellOf(lane) ?? []) };
    },
    reach(pieces, move, side) {
      const { hand, cellOf } = walk(pieces, move, side);
      return cellOf(hand.reach);
    },
  };
}

/** @param {GameEntry} entry @param {Kind} kind @returns {Game} */
export function sowingGame(entry, { houses, clockwise, ground, seeds, play, words = WORDS, bound = () => null, ...rest }) {
  const numbers = Array.from({ length: houses }, (_, i) => i + 1);

  /** The cells of a side's lanes: its houses, then its store. @param {Side} side */
  const cellsOf = (side) => [...numbers.map((n) => house(side, n)), store(side)];

  /** All cells in the order of the mover's lanes. @param {Side} side */
  const lanesOf = (side) => [...cellsOf(side), ...cellsOf(other(side))];

  /** @param {string} id @param {number | null} count @returns {Piece} */
  const pile = (id, count) =>
    count === null
      ? { owner: placeOf(id).side, kind: "burnt", turned: false }
      : { owner: placeOf(id).side, kind: seeds, turned: false, count };

  /** @type {Game["parse"]} */
  function parse(position) {
    const [board = "", turn = ""] = position.split(" ");
    /** @type {Pieces} */
    const pieces = new Map();
    board.split("/").forEach((row, i) => {
      const cells = cellsOf(SIDES[i] ?? "first");
      for (const [lane, text] of row.split(",").entries()) {
        const cell = cells[lane] ?? "";
        pieces.set(cell, pile(cell, text === BURNT ? null : Number(text)));
      }
    });
    return { pieces, turn: turn.startsWith("n") ? "second" : "first" };
  }

  /** @param {Pieces} pieces @param {Side} side */
  const inStore = (pieces, side) => pieces.get(store(side))?.count ?? 0;

  return {
    ...entry,
    ...rest,
    layout: () => layoutOf({ houses, clockwise, ground }),
    parse,
    path: (move, side) => [house(side, Number(move))],
    attempt([cell], side) {
      if (cell === undefined) return null;
      const place = placeOf(cell);
      return place.house === null ? STORE : place.side === side ? String(place.house) : cell;
    },
    ...motionOf({ houses, seeds, play }, lanesOf, pile),
    notation: (move) => number(Number(move)),
    spoken: (move) => words.move(Number(move)),
    counted: () => SIDES.map(store),
    tally: (pieces) => ({ first: inStore(pieces, "first"), second: inStore(pieces, "second") }),
    stuck: () => null,
    bound,
    draw: drawAsh,
    cellName: (cell, piece, you) => cellName(words, cell, piece, you),
    coords: ({ id }) => [placeOf(id).house === null ? "" : id.slice(1), ""],
  };
}

/** @type {Game["draw"]} */
const drawAsh = () => ({
  front: svg("svg", { viewBox: "0 0 100 150", class: "ash" }, svg("path", { d: "M32 57L68 93M68 57L32 93" })),
  back: null,
});

/** @param {Words} words @param {Cell} cell @param {Piece | undefined} piece @param {Side | null} you */
function cellName(words, { id }, piece, you) {
  const { side, house: n } = placeOf(id);
  const whose = you === null ? side : side === you ? "yours" : "theirs";
  const place = n === null ? t(`sowing.store.${whose}`) : words.house(whose, n);
  return `${place}, ${piece?.count === undefined ? words.burnt() : words.seeds(piece.count)}`;
}
