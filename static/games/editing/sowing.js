// @ts-check
// Positions of Kalah, Oware and Congkak: the seeds of each house and of the store, a row for each side.

import { notedRead } from "./pieces.js";
import { emptied, SEED_TOOLS, withCount } from "./piles.js";

/** @import { Edited, Editing, Game, Odds } from "../types.js" */
/** @import { Pieces } from "../../board/state.js" */

const LETTERS = { first: "s", second: "n" };
const ROWS = ["s", "n"];
/** The seeds of a house at the start, as the option of these games has them. */
const SEEDS = [3, 4, 5, 6];

/** The houses of a row. @param {Pieces} pieces @param {string} row */
const housesOf = (pieces, row) =>
  [...pieces.keys()]
    .filter((cell) => cell.startsWith(row) && !cell.endsWith("store"))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

/** @type {Editing["write"]} */
function write({ pieces, turn, note }) {
  const rows = ROWS.map((row) => [...housesOf(pieces, row), `${row}-store`].map((cell) => pieces.get(cell)?.count ?? "x").join());
  return `${rows.join("/")} ${LETTERS[turn]}${note}`;
}

/** The start with so many seeds in each house. @param {(position: string) => Edited} read @param {string} start @param {number} n @returns {Odds} */
const startWith = (read, start, n) => ({
  key: "seeds",
  n,
  apply({ note }) {
    const { pieces, turn } = read(start);
    const filled = [...pieces].map(([cell, pile]) => /** @type {const} */ ([cell, cell.endsWith("store") ? pile : withCount(pile, n)]));
    return { pieces: new Map(filled), turn, note };
  },
});

/** @param {Game} game @returns {Editing} */
export function sowingEditing(game) {
  /** The side to move has a number behind it in limited Congkak: the extra moves that are left. @type {Editing["read"]} */
  const read = notedRead(game.parse);
  const { pieces, turn } = game.parse(game.start);
  const kind = pieces.get("s1")?.kind ?? "";
  return {
    read,
    write,
    empty: write({ pieces: emptied(pieces, kind), turn, note: "" }),
    tools: SEED_TOOLS,
    total: "sowing.seeds",
    odds: SEEDS.map((n) => startWith(read, game.start, n)),
  };
}
