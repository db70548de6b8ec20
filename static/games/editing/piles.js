// @ts-check
// What games of piles share in the editor: their tools change the number of seeds.

/** @import { Tool } from "../types.js" */
/** @import { Piece, Pieces } from "../../board/state.js" */

/** More seeds are not on any board: the rules refuse more than 65,535 in all, and a pit with three digits can still be read. */
const MOST_IN_A_PIT = 999;

/** @param {Piece} pile @param {number} count @returns {Piece} */
export const withCount = (pile, count) => ({ ...pile, count: Math.max(0, Math.min(MOST_IN_A_PIT, count)) });

/** A tool that changes the number of seeds; a cell without a number, such as a burnt house, stays. @param {string} name @param {number} by @returns {Tool} */
const byTool = (name, by) => ({
  name,
  by,
  put: (here) => (here?.count === undefined ? here : withCount(here, here.count + by)),
});

/** @type {Tool[]} */
export const SEED_TOOLS = [byTool("more", 1), byTool("less", -1)];

/** A tool that marks a pile by its kind, or takes the mark away. @param {string} kind @param {string} plain the kind without the mark @returns {Tool} */
export const markTool = (kind, plain) => ({
  name: kind,
  put: (here, cell) => (here === undefined || cell.endsWith("store") ? here : { ...here, kind: here.kind === kind ? plain : kind }),
});

/** Every pile without seeds. @param {Pieces} pieces @param {string} kind without a mark @returns {Pieces} */
export const emptied = (pieces, kind) => new Map([...pieces].map(([cell, pile]) => [cell, { ...pile, kind, count: 0 }]));
