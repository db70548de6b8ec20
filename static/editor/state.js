// @ts-check
// The state of the editor: a position, the chosen tool, and what the rules say about it. No DOM.

import { withCount } from "../games/editing/piles.js";
import { setupAt } from "../games/setup.js";
import { readOutcome } from "../local/referee.js";
import { placeOfFault } from "./fault.js";

/** @import { MatchResult, Side } from "../core/types.js" */
/** @import { Piece, Pieces } from "../board/state.js" */
/** @import { Edited, Editing, Game, Odds, Tool } from "../games/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */

/** The reason why the rules accept no position, and the place in the text, counted from 1; null where the text as a whole is at fault. */
/** @typedef {{ code: string, at: number | null }} Fault */

/**
 * @typedef {Object} Editor
 * @property {typeof Rules} Rules the rules, loaded
 * @property {Game} game
 * @property {Editing} editing
 * @property {Edited} edited the position on the board
 * @property {string} text the text in the field: that of the board, or one that the reader is writing
 * @property {Tool} tool
 * @property {boolean} flipped
 * @property {string | null} position the position as the rules print it; null if they accept none
 * @property {Fault | null} fault
 * @property {MatchResult | null} result the result, if the game is over in this position
 * @property {string} digits the digits written on the pit with the focus
 */

/** The longest text of a position for the server (`MAX_POSITION_CHARS`). No board here needs as many characters. */
export const MOST_CHARS = 300;
/** The most seeds on a board for the server (`MAX_SEEDS`); on this device there may be more. */
export const MOST_SEEDS = 1_000;

/**
 * @param {typeof Rules} Rules
 * @param {Game} game
 * @param {Editing} editing
 * @param {string | null} position to begin with; null for the start of the game
 * @returns {Editor}
 */
export function createEditor(Rules, game, editing, position) {
  const [tool] = editing.tools;
  if (!tool) throw new Error("a game has tools");
  const judged = { position: null, fault: null, result: null };
  /** @type {Editor} */
  const editor = { Rules, game, editing, edited: editing.read(game.start), text: "", tool, flipped: false, digits: "", ...judged };
  show(editor, editor.edited);
  if (position !== null) setText(editor, position);
  return editor;
}

/** Asks the rules about a text. @param {Editor} editor @param {string} text */
function judge(editor, text) {
  const { Rules, game } = editor;
  editor.position = null;
  editor.result = null;
  try {
    if (text.length > MOST_CHARS) throw new Error("too-long");
    const rules = Rules.fromPosition(game.id, text);
    editor.position = rules.position();
    const outcome = rules.outcome();
    rules.free();
    editor.result = outcome === undefined ? null : readOutcome(game.id, outcome);
    editor.fault = null;
  } catch (error) {
    const code = error instanceof Error ? error.message : String(error);
    editor.fault = { code, at: placeOfFault(Rules, game.id, text, code) };
  }
}

/** Shows a position, which is written into the text field. @param {Editor} editor @param {Edited} edited */
export function show(editor, edited) {
  editor.edited = edited;
  editor.digits = "";
  editor.text = editor.editing.write(edited);
  judge(editor, editor.text);
}

/** Takes a text; the board follows it if the rules accept it, and stays else. @param {Editor} editor @param {string} text */
export function setText(editor, text) {
  editor.text = text;
  editor.digits = "";
  const trimmed = text.trim();
  judge(editor, trimmed);
  if (editor.position !== null) editor.edited = editor.editing.read(editor.position);
}

/** @param {Editor} editor @param {(pieces: Pieces) => void} change */
function change(editor, change) {
  const pieces = new Map(editor.edited.pieces);
  change(pieces);
  show(editor, { ...editor.edited, pieces });
}

/** @param {Pieces} pieces @param {string} cell @param {Piece | undefined} piece */
function set(pieces, cell, piece) {
  if (piece) pieces.set(cell, piece);
  else pieces.delete(cell);
}

/** Uses a tool on a cell. @param {Editor} editor @param {string} cell @param {Tool} [tool] */
export const put = (editor, cell, tool = editor.tool) => change(editor, (pieces) => set(pieces, cell, tool.put(pieces.get(cell), cell)));

/** The tool that undoes the chosen one, for a long press; another tool does the same as before. @param {Editor} editor @returns {Tool} */
export const oppositeOf = ({ tool, editing }) =>
  editing.tools.find(({ by }) => tool.by !== undefined && by === -tool.by) ?? editing.tools.find(({ name }) => name === "empty") ?? tool;

/** Changes the seeds of a pit by a number. @param {Editor} editor @param {string} cell @param {number} by */
export function add(editor, cell, by) {
  const tool = editor.editing.tools.find((one) => one.by === by);
  if (tool) put(editor, cell, tool);
}

/** Empties a cell. @param {Editor} editor @param {string} cell */
export const empty = (editor, cell) =>
  change(editor, (pieces) => {
    const here = pieces.get(cell);
    set(pieces, cell, here?.count === undefined ? (isOfPiles(editor) ? here : undefined) : withCount(here, 0));
  });

/** Whether the board has piles of seeds. @param {Editor} editor */
export const isOfPiles = ({ editing }) => editing.tools.some(({ by }) => by !== undefined);

/**
 * A digit on a pit: digits one after another make a number. In a game of pieces a digit chooses a tool.
 * @param {Editor} editor
 * @param {string} cell
 * @param {string} digit
 */
export function digit(editor, cell, digit) {
  if (!isOfPiles(editor)) {
    const tool = editor.editing.tools[Number(digit) - 1];
    if (tool) editor.tool = tool;
    return;
  }
  const pile = editor.edited.pieces.get(cell);
  if (pile?.count === undefined) return;
  // A fourth digit begins a new number.
  const digits = `${editor.digits}${digit}`;
  const kept = digits.length > 3 ? digit : digits;
  change(editor, (pieces) => void pieces.set(cell, withCount(pile, Number(kept))));
  editor.digits = kept;
}

/** Moves a piece to another cell, or off the board. @param {Editor} editor @param {string} from @param {string | null} to */
export function move(editor, from, to) {
  const piece = editor.edited.pieces.get(from);
  if (piece && from !== to)
    change(editor, (pieces) => {
      pieces.delete(from);
      if (to !== null) pieces.set(to, piece);
    });
}

/** @param {Editor} editor */
export const begin = (editor) => show(editor, editor.editing.read(editor.game.start));

/** Clears the board; the side to move stays. @param {Editor} editor */
export const clear = (editor) =>
  show(editor, { ...editor.editing.read(editor.editing.empty), turn: editor.edited.turn, note: editor.edited.note });

/** @param {Editor} editor @param {Side} turn */
export const setTurn = (editor, turn) => show(editor, { ...editor.edited, turn });

/** @param {Editor} editor @param {Odds} odds @returns {boolean} whether they changed the position */
export function give(editor, odds) {
  const edited = odds.apply(editor.edited);
  if (edited !== null) show(editor, edited);
  return edited !== null;
}

/** The seeds on the board. @param {Editor} editor */
export const seeds = ({ edited }) => [...edited.pieces.values()].reduce((sum, { count = 0 }) => sum + count, 0);

/**
 * Whether the server refuses the position for its size: it draws none such, and begins no match there. It counts all numbers of the text, among
 * them the extra moves that are left in limited Congkak.
 * @param {Editor} editor
 */
export function isTooLarge(editor) {
  const numbers = isOfPiles(editor) ? (editor.position?.match(/\d+/g) ?? []) : [];
  return numbers.reduce((sum, number) => sum + Number(number), 0) > MOST_SEEDS;
}

/** Whether a game can begin here. @param {Editor} editor */
export const canPlay = ({ position, result }) => position !== null && result === null;

/** The terms of a game from the position on this device: its record has the position beside an empty setup. @param {Editor} editor */
export const gameHere = ({ game, position, edited }) => ({
  game: game.id,
  setup: "",
  time_control: /** @type {const} */ ({ kind: "unlimited" }),
  here: true,
  start: position ?? game.start,
  turn: edited.turn,
});

/** The same by the server, which begins casual matches from a position. @param {Editor} editor */
export const gameWithPeople = ({ game, position }) => ({ game: game.id, setup: setupAt(position ?? game.start), rated: false });
