// @ts-check
// Bao la Kiswahili and Bao la kujifunza: four rows of eight pits, the house of each side, and the seeds in hand. The sowing is in
// `bao-sowing.js`, the words about it in `bao-words.js`.

import { svg } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { other } from "../core/time.js";
import { firstPit, HOUSE, isKimbi, openingCapture, pitName, pitOf, playPly, readMove } from "./bao-sowing.js";
import { spokenMove, tell, wayTexts } from "./bao-words.js";
import { toldPart } from "./told-ply.js";
import { wayBar } from "./ways.js";

/** @import { Game, GameMaker } from "./types.js" */
/** @import { Box, Cell, Piece, Pieces, Step } from "../board/state.js" */
/** @import { Side } from "../core/types.js" */
/** @import { Board, Half, Whose } from "./bao-sowing.js" */

const SIDES = /** @type {const} */ (["first", "second"]);
const PITS = Array.from({ length: 16 }, (_, i) => i);
/** The pits in the order of position strings: A1 to A8, B1 to B8. */
const NAMES = ["A", "B"].flatMap((row) => PITS.slice(0, 8).map((i) => `${row}${i + 1}`));

/** The heights of the strips of the stores and of the ridge between the sides, in board units. */
const STRIP = 0.85;
const RIDGE = 0.3;
const HEIGHT = 2 * STRIP + RIDGE + 4;

/** @param {Side} side @param {string} name of a pit, or `-store` */
const cellId = (side, name) => `${side === "first" ? "s" : "n"}${name}`;

/** @param {string} id @returns {{ side: Side, name: string, isStore: boolean }} */
const placeOf = (id) => ({ side: id.startsWith("s") ? "first" : "second", name: id.slice(1), isStore: id.endsWith("store") });

/** @param {Side} side @param {number} count @param {string} [kind] @returns {Piece} */
const pile = (side, count, kind = "kete") => ({ owner: side, kind, turned: false, count });

/** The cells as the first side sees them; those of the second side are turned by half a turn. @type {Cell[][]} */
const rows = (() => {
  /** @param {Side} side @param {Box} box @returns {Box} */
  const turned = (side, box) => (side === "first" ? box : { ...box, x: 8 - box.x - box.w, y: HEIGHT - box.y - box.h });
  /** @param {Side} side @param {string} row @param {number} y */
  const pits = (side, row, y) =>
    PITS.slice(0, 8)
      .map((x) => {
        const name = `${row}${x + 1}`;
        const tone = name === pitName(HOUSE) ? "pit square" : "pit";
        const pit = turned(side, { x, y, w: 1, h: 1 });
        return { ...pit, id: cellId(side, name), tone, pit };
      })
      .sort((a, b) => a.x - b.x);
  const y = HEIGHT - STRIP;
  const store = (/** @type {Side} */ side) => {
    const pit = turned(side, { x: 1, y: y + 0.1, w: 6, h: STRIP - 0.2 });
    return [{ ...turned(side, { x: 0, y, w: 8, h: STRIP }), id: cellId(side, "-store"), tone: "ghala", pit }];
  };
  const [front, back] = [y - 2, y - 1];
  return [
    store("second"),
    pits("second", "B", back),
    pits("second", "A", front),
    pits("first", "A", front),
    pits("first", "B", back),
    store("first"),
  ];
})();

/** @type {Game["parse"]} */
function parse(position) {
  const [board = "", turn = ""] = position.split(" ");
  /** @type {Pieces} */
  const pieces = new Map();
  board.split("/").forEach((half, i) => {
    const side = SIDES[i] ?? "first";
    for (const [k, text] of half.split(",").entries()) {
      const kind = text.endsWith("h") ? "nyumba" : text.endsWith("t") ? "takasia" : "kete";
      pieces.set(cellId(side, NAMES[k] ?? "-store"), pile(side, Number.parseInt(text, 10), kind));
    }
  });
  return { pieces, turn: turn.startsWith("n") ? "second" : "first" };
}

/** @param {Pieces} pieces @param {Side} side @returns {Half} */
function halfOf(pieces, side) {
  const at = (/** @type {string} */ name) => pieces.get(cellId(side, name));
  const marked = PITS.find((pit) => at(pitName(pit))?.kind === "takasia");
  return {
    pits: PITS.map((pit) => at(pitName(pit))?.count ?? 0),
    store: at("-store")?.count ?? 0,
    house: at(pitName(HOUSE))?.kind === "nyumba",
    takasia: marked ?? null,
  };
}

/** @param {Pieces} pieces @param {Side} side @returns {Board} */
const boardOf = (pieces, side) => ({ mine: halfOf(pieces, side), theirs: halfOf(pieces, other(side)) });

/** @param {Board} board @param {Side} side the mover @returns {Pieces} */
function piecesOf(board, side) {
  /** @type {Pieces} */
  const pieces = new Map();
  for (const owner of SIDES) {
    const { pits, store, house, takasia } = owner === side ? board.mine : board.theirs;
    for (const name of NAMES) {
      const pit = pitOf(name);
      const kind = house && pit === HOUSE ? "nyumba" : takasia === pit ? "takasia" : "kete";
      pieces.set(cellId(owner, name), pile(owner, pits[pit] ?? 0, kind));
    }
    pieces.set(cellId(owner, "-store"), pile(owner, store));
  }
  return pieces;
}

/** @param {Pieces} pieces @param {string} text @param {Side} side */
function walk(pieces, text, side) {
  const move = readMove(text);
  if (move === null) return null;
  const ply = playPly(boardOf(pieces, side), move);
  const cell = (/** @type {Whose} */ whose, /** @type {number | null} */ pit) =>
    cellId(whose === "mine" ? side : other(side), pit === null ? "-store" : pitName(pit));
  return { ...ply, cell };
}

/** @param {Pieces} pieces @param {string} move @param {Side} side @returns {Step[]} */
function states(pieces, move, side) {
  const ply = walk(pieces, move, side);
  if (ply === null) return [];
  return ply.shown.map(({ board, hand }) => ({
    pieces: piecesOf(board, side),
    hand: hand && { cell: ply.cell(hand.whose, hand.pit), seeds: hand.seeds, kind: "kete", lifted: hand.lifted },
  }));
}

/**
 * The pit, and the cell where the first seed of the sowing falls; then the house, where it is played. Without the pieces a capture of the
 * namua stage is not known from a takata, and the second cell is the neighbour.
 * @type {Game["path"]}
 */
function path(text, side, pieces) {
  const move = readMove(text);
  if (move === null) return [];
  const board = boardOf(pieces ?? new Map(), side);
  const cells = [move.pit, firstPit(board, move), ...(move.plays ? [HOUSE] : [])];
  return cells.map((pit) => cellId(side, pitName(pit)));
}

/**
 * The move of a pit, a second cell and possibly the house. A pit alone gives a move that is refused if the pit has none, for the reason.
 * @type {Game["attempt"]}
 */
function attempt([from = "", to, third], side, pieces) {
  const start = placeOf(from);
  if (!NAMES.includes(start.name) || start.side !== side || pieces === undefined) return null;
  const pit = pitOf(start.name);
  const board = boardOf(pieces, side);
  const isForced = isKimbi(pit) && openingCapture(board, { pit, letter: "", plays: false }) !== null;
  const letters = isForced ? [""] : ["L", "R"];
  if (to === undefined) return `${start.name}${letters[0]}`;
  const letter = letters.find((one) => cellId(side, pitName(firstPit(board, { pit, letter: one, plays: false }))) === to);
  return letter === undefined ? null : `${start.name}${letter}${third === undefined ? "" : ">"}`;
}

/** The move of a typed text, as far as it can be read: the letter and its case, arrows, and a star of a record. @type {NonNullable<Game["read"]>} */
function read(text, legal) {
  const plain = text.toUpperCase().replaceAll("←", "L").replaceAll("→", "R").replace(/[\s*]/g, "");
  if (readMove(plain) === null) return null;
  const begun = legal.filter((move) => move.startsWith(plain));
  return !legal.includes(plain) && begun.length === 1 ? (begun[0] ?? plain) : plain;
}

/** @type {Game["bound"]} */
function bound(pieces, legal, side) {
  const board = boardOf(pieces, side);
  const captures = legal.some((text) => {
    const move = readMove(text);
    return move !== null && openingCapture(board, move) !== null;
  });
  return captures ? "capture-compulsory" : null;
}

/** @type {Game["cellName"]} */
function cellName({ id }, piece, you) {
  const { side, name, isStore } = placeOf(id);
  const whose = you === null ? side : side === you ? "yours" : "theirs";
  const row = isStore ? t(`bao.store.${whose}`) : name.startsWith("A") ? t(`bao.front.${whose}`) : t(`bao.back.${whose}`);
  const mark = piece?.kind === "nyumba" ? t("bao.nyumba") : piece?.kind === "takasia" ? t("bao.takasia") : "";
  return [isStore ? "" : name, row, mark, t("bao.kete", { n: piece?.count ?? 0 })].filter(Boolean).join(", ");
}

/** @type {Game["stuck"]} */
const stuck = ({ kind, count }) => (count === 0 ? "empty-pit" : kind === "takasia" ? "takasia" : null);

/** The names of legal moves of one pit. @param {string[]} moves @param {Pieces} pieces @param {Side} side */
export const ways = (moves, pieces, side) => wayTexts(moves, boardOf(pieces, side));

/** @type {NonNullable<Game["told"]>} */
const told = (pieces, move, side) => tell(walk(pieces, move, side)?.events ?? []);

/** @type {GameMaker} */
export const bao = (entry) => ({
  ...entry,
  start: "0,0,0,0,6h,2,2,0,0,0,0,0,0,0,0,0,22/0,0,0,0,6h,2,2,0,0,0,0,0,0,0,0,0,22 s",
  picture: "2,1,0,0,12h,0,0,0,0,0,0,0,0,0,0,0,14/0,0,4,4,10h,2,1,0,0,0,0,0,0,0,0,0,14 s",
  recorded:
    "A6R A6L A5L A7R A1 A5R A7R A3L A8 A5L A7 A1 A5L A8> A7 A3L A7 A5R A5R A6L A5L A3L A5R A2 A8 A3R A7> A3L A3R A3R A5R A6L A6R A2 A3L A3L A4L A7 A3L A4L A7 A1 A6R A1 B1L A2R A7L B1L A4R B8R B2L A8L B4L A2L B8R B1L A3L A1L A1R B2L B1L A7L",
  pace: 150,
  layout: () => ({ width: 8, height: HEIGHT, ground: "slab", fixed: false, rows }),
  parse,
  path,
  attempt,
  read,
  preview: (pieces, move, side) => states(pieces, move, side).at(-1)?.pieces ?? pieces,
  steps: (pieces, move, side) => states(pieces, move, side).slice(0, -1),
  traces(pieces, move, side) {
    const ply = walk(pieces, move, side);
    if (ply === null) return { end: null, taken: [] };
    const end = ply.end === null ? null : ply.cell("mine", ply.end);
    return { end, taken: [...new Set(ply.taken)].map((pit) => ply.cell("theirs", pit)) };
  },
  notation: (move) => move,
  spoken: spokenMove,
  wayBar: (page) => wayBar(ways, page),
  told,
  toldPart: (last) => toldPart({ parse, told }, last),
  counted: () => [],
  tally(pieces) {
    const count = (/** @type {Side} */ side) =>
      [...pieces.values()].reduce((sum, piece) => sum + (piece.owner === side ? (piece.count ?? 0) : 0), 0);
    return { first: count("first"), second: count("second") };
  },
  stuck,
  bound,
  // All pieces are piles, which the board draws itself.
  draw: () => ({ front: svg("svg"), back: null }),
  cellName,
  coords: ({ id }) => ["", placeOf(id).isStore ? "" : id.slice(1)],
});
