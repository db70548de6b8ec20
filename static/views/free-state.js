// @ts-check
// A position for trying out: the game, the reader's hand and the last message. No DOM; the referee on this device judges.

import { createHand, stepsOf } from "../board/hand.js";
import { t } from "../core/i18n.js";
import { judge, openPosition, passed, readOutcome } from "../local/referee.js";
import { plyText, refusalText, resultText, turnText } from "./texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { Pieces, Step } from "../board/state.js" */
/** @import { Hand, Turn } from "../board/hand.js" */
/** @import { Game, Ply } from "../games/types.js" */
/** @import { Happened } from "../local/referee.js" */
/** @import { Referee } from "../wasm/rules.js" */

/**
 * @typedef {Object} Free
 * @property {typeof Referee} Referees
 * @property {Game} game
 * @property {string} position the first position
 * @property {ReturnType<typeof openPosition>} table
 * @property {Hand} hand
 * @property {(() => string) | null} notice the message about the last attempt
 */

/** @typedef {{ steps: Step[], said: string[] }} Shown the positions to show before the present one, and the texts to announce */

/** @param {typeof Referee} Referees the referee, loaded @param {Game} game @param {string} position @returns {Free} */
export const createFree = (Referees, game, position) => ({
  Referees,
  game,
  position,
  table: openPosition(Referees, game.id, position),
  hand: createHand(game),
  notice: null,
});

/** @param {Free} free */
export const turnSide = ({ table }) => /** @type {Side} */ (table.rules.turn());

/** @param {Free} free */
export const pieces = ({ game, table }) => game.parse(table.rules.position()).pieces;

/** @param {Free} free */
export function outcome({ game, table }) {
  const said = table.rules.outcome();
  return said === undefined ? null : readOutcome(game.id, said);
}

/** The moves that the reader can make. @param {Free} free @returns {Turn} */
export function turnOf(free) {
  const isOver = outcome(free) !== null;
  return { pieces: pieces(free), legal: isOver ? [] : free.table.rules.legalMoves(), side: isOver ? null : turnSide(free) };
}

/** The last ply; null before the first. @param {Free} free @returns {Ply | null} */
export function lastOf({ position, table: { plies } }) {
  const last = plies.at(-1);
  return last ? { move: last.move, side: last.side, position: plies.at(-2)?.position ?? position } : null;
}

/** @param {Free} free */
export const canTakeBack = ({ table }) => table.plies.some(({ forced }) => !forced);

/** The last message, and the side to move or the result. @param {Free} free */
export function toldText(free) {
  const { game, notice } = free;
  const result = outcome(free);
  return [notice?.() ?? "", result ? resultText(game.id, result) : turnText(game.id, turnSide(free))].filter(Boolean).join(" ");
}

/** Plays compulsory passes at the start. @param {Free} free @returns {Shown} */
export function begin(free) {
  const before = pieces(free);
  return follow(free, before, passed(free.table));
}

/** Begins again. @param {Free} free @returns {Shown} */
export function restart(free) {
  free.table.rules.free();
  free.table = openPosition(free.Referees, free.game.id, free.position);
  free.notice = null;
  return begin(free);
}

/** @param {Free} free */
export function takeBack(free) {
  free.notice = null;
  judge(free.table, turnSide(free), { kind: "offer-takeback" });
}

/**
 * Plays a move, legal or not; null if it was refused.
 * @param {Free} free
 * @param {string} move
 * @returns {Shown | null}
 */
export function play(free, move) {
  free.notice = null;
  const before = pieces(free);
  const judged = judge(free.table, turnSide(free), { kind: "move", ply: free.table.rules.ply(), move });
  if (judged.ok) return follow(free, before, judged.happened);
  free.notice = () => refusalText(judged.error);
  return null;
}

/** Shows and announces the plies of a command, one by one. @param {Free} free @param {Pieces} before @param {Happened[]} happened @returns {Shown} */
function follow(free, before, happened) {
  const { game, hand } = free;
  const plies = happened.flatMap(({ event, state }) =>
    event.kind === "move" ? [{ move: event.move, side: event.side, state, pieces: game.parse(state.position).pieces }] : [],
  );
  const said = plies.map(({ move, side, state }, i) => {
    if (game.path(move, side).length > 0)
      return plyText(game, { move, side, again: !state.result && state.turn === side, before: () => plies[i - 1]?.pieces ?? before });
    free.notice = () => t("match.passed", { side: t(`game.${game.id}.side.${side}`) });
    return free.notice();
  });
  const result = outcome(free);
  if (result) said.push(resultText(game.id, result));
  return { steps: stepsOf(hand, before, plies), said };
}
