// @ts-check
// Positions of Bao: the pits of each side from A1 to B8 and its store, with the marks of an owned house and of takasia.

import { plainRead } from "./pieces.js";
import { emptied, markTool, SEED_TOOLS } from "./piles.js";

/** @import { Editing, Game } from "../types.js" */
/** @import { Piece } from "../../board/state.js" */

const LETTERS = { first: "s", second: "n" };
const HALVES = ["s", "n"];
const PITS = ["A", "B"].flatMap((row) => Array.from({ length: 8 }, (_, i) => `${row}${i + 1}`));
const MARKS = /** @type {Record<string, string>} */ ({ nyumba: "h", takasia: "t" });
const PLAIN = "kete";

/** An empty pit keeps its mark on the board until it has seeds again, and is written without. @param {Piece | undefined} pile */
const pileText = (pile) => `${pile?.count ?? 0}${pile?.count ? (MARKS[pile.kind] ?? "") : ""}`;

/** @type {Editing["write"]} */
const write = ({ pieces, turn }) =>
  `${HALVES.map((half) => [...PITS, "-store"].map((name) => pileText(pieces.get(`${half}${name}`))).join()).join("/")} ${LETTERS[turn]}`;

/** @param {Game} game @returns {Editing} */
export function baoEditing(game) {
  const { pieces, turn } = game.parse(game.start);
  return {
    read: plainRead(game.parse),
    write,
    empty: write({ pieces: emptied(pieces, PLAIN), turn, note: "" }),
    tools: [...SEED_TOOLS, markTool("nyumba", PLAIN), markTool("takasia", PLAIN)],
    odds: [],
    total: "bao.kete",
  };
}
