// @ts-check
// The state of a match on the page, and the functions that change it or read from it. No DOM: `match-table.js` draws it.

import { boundBy, createHand, showTurn, stepsOf } from "../board/hand.js";
import { isCalledOff } from "../core/end-reason.js";
import { setting } from "../core/settings.js";
import { other } from "../core/time.js";
import { onOneDevice, sideAtHand } from "../net/rights.js";

/** @import { Phrase, PlayerRef, Side } from "../core/types.js" */
/** @import { BoardState, Pieces, Step } from "../board/state.js" */
/** @import { Hand, Turn } from "../board/hand.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { Game, Ply } from "../games/types.js" */

/** The time for which the final board of a round is shown before the next round. */
const ROUND_PAUSE_MS = 2_500;

/** @typedef {{ ply: number, move: string, side: Side }} Made a move of the reader, and the number of plies before it */

/**
 * @typedef {Object} Table
 * @property {MatchState} match
 * @property {Game} game
 * @property {boolean} isLocal whether it is on this device alone: without a link to share, and without an opponent to agree with
 * @property {boolean} oneDevice whether one player has both seats
 * @property {boolean} wasOver whether the match was over when it was opened: then the page opens no rematch by itself
 * @property {string | null} hadNext the next match when it was opened
 * @property {Hand} hand
 * @property {(Made & { at: number }) | null} sent the move that was sent and has no answer yet, and the time of that
 * @property {Made | null} proposed the move that waits for the player's confirmation
 * @property {number | null} lookedAt the shown ply; null for the latest
 * @property {boolean} turned whether the reader has turned the board
 * @property {(() => string) | null} notice
 * @property {number} asking the number of commands other than moves without an answer
 * @property {boolean} hurried whether the reader was warned that their time runs out
 * @property {number | null} boardPly the number of plies that the board showed last, including a move without an answer yet
 * @property {{ side: Side, phrase: Phrase }[]} said the last phrases that the page has shown, oldest first
 * @property {Side | null} asked the side whose offer of a rematch was heard last
 * @property {boolean} again whether the last ply is to be shown once more
 * @property {number} pausedAt the first ply of the last round before which the board has paused
 */

/**
 * @param {MatchState} match
 * @param {Game} game
 * @param {boolean} [isLocal]
 * @returns {Table}
 */
export const createTable = (match, game, isLocal = false) => ({
  match,
  game,
  isLocal,
  oneDevice: onOneDevice(match.view),
  wasOver: match.view.result !== null,
  hadNext: match.rematch.next,
  asked: match.rematch.offered_by,
  hand: createHand(game),
  sent: null,
  proposed: null,
  lookedAt: null,
  turned: false,
  notice: null,
  asking: 0,
  hurried: false,
  boardPly: null,
  again: false,
  said: [],
  pausedAt: 0,
});

/** @param {Table} table */
export const isOver = ({ match }) => match.view.result !== null;

/**
 * What the result means to the reader; null for a running match, one that was called off, a watched one, and one on one device.
 * @param {Table} table
 */
export function outcomeOf({ match, oneDevice }) {
  const { result } = match.view;
  if (result === null || match.you === null || oneDevice || isCalledOff(result.reason)) return null;
  if (result.winner === null) return "drawn";
  return result.winner === match.you ? "won" : "lost";
}

/** The level of the reader's computer opponent. @param {Table} table */
export const opponentLevel = ({ match, oneDevice }) =>
  match.you === null || oneDevice ? null : (match.view.seats[other(match.you)].player.level ?? null);

/** @param {Table} table */
export const isSeated = ({ match }) => match.you !== null;

/** @param {Table} table */
export const myTurn = (table) => !isOver(table) && sideAtHand(table.match) !== null && table.match.view.turn === sideAtHand(table.match);

/** @param {Table} table @returns {Side} */
export function bottomSide({ match, turned }) {
  const own = match.you ?? "first";
  return turned ? other(own) : own;
}

/** The reader's opponent, as far as they can be reported: a person, or a person's bot. @param {Table} table @returns {PlayerRef | null} */
export function reportable({ match, oneDevice, isLocal }) {
  const opponent = match.you && !oneDevice && !isLocal ? match.view.seats[other(match.you)].player : null;
  return opponent?.level ? null : opponent;
}

// Looking back.

/** @param {Table} table */
export const shownPly = ({ match, lookedAt }) => lookedAt ?? match.view.plies.length;

/** Whether an earlier ply is shown. @param {Table} table */
export const isBack = ({ lookedAt }) => lookedAt !== null;

/** Shows a ply; a number beyond the plies shows the nearest. @param {Table} table @param {number} ply */
export function lookAt(table, ply) {
  const last = table.match.view.plies.length;
  const to = Math.max(0, Math.min(last, ply));
  table.lookedAt = to === last ? null : to;
}

// The reader's moves.

/** The move that was sent or waits for confirmation, as long as the board shows it. @param {Table} table */
export function onItsWay(table) {
  const made = table.sent ?? table.proposed;
  return made && !isBack(table) && made.ply === table.match.view.ply ? made : null;
}

/** The move to confirm, as long as the board shows it. @param {Table} table */
export const toConfirm = (table) => (table.proposed !== null && onItsWay(table) === table.proposed ? table.proposed : null);

/** Whether the reader can make a move on the board as it is shown. @param {Table} table */
export const canMove = (table) => myTurn(table) && !isBack(table) && onItsWay(table) === null;

/**
 * Whether a premove can be chosen: only in real time, where the opponent may answer at once, and not where the ways of a move depend on the
 * position.
 * @param {Table} table
 */
export const mayPremove = (table) =>
  setting("premove") === "on" &&
  !table.game.wayBar &&
  !isOver(table) &&
  !table.oneDevice &&
  isSeated(table) &&
  !isBack(table) &&
  table.sent === null &&
  table.match.view.turn !== table.match.you &&
  table.match.view.time_control.kind === "realtime";

/** Whether a move needs confirmation before it is sent. @param {Table} table */
export const isConfirmed = ({ match }) =>
  setting("confirm") === "always" || (setting("confirm") === "daily" && match.view.time_control.kind === "correspondence");

/** Makes a move that waits for confirmation. @param {Table} table @param {string} move */
export function propose(table, move) {
  const { ply, turn } = table.match.view;
  table.proposed = { ply, move, side: turn };
  table.notice = null;
}

/** Makes a move that is sent. @param {Table} table @param {string} move @param {number} at */
export function send(table, move, at) {
  const { ply, turn } = table.match.view;
  table.sent = { ply, move, side: turn, at };
  table.proposed = null;
  table.notice = null;
  return ply;
}

/** Drops the premove and the move to confirm. @param {Table} table */
export function withdraw(table) {
  table.proposed = null;
  table.hand.ahead = null;
}

/** The moves that the reader's hand can make. @param {Table} table @returns {Turn} */
export const turnOf = (table) => ({
  pieces: pieces(table),
  legal: table.match.view.legal,
  side: canMove(table) ? sideAtHand(table.match) : null,
  premove: mayPremove(table) ? table.match.you : null,
});

/** The code of a rule that restricts the player's moves now, or null. @param {Table} table */
export const bound = (table) => boundBy(table.game, turnOf(table));

// The board.

/** @param {Table} table @param {number} ply */
const positionAt = ({ match: { view } }, ply) => (ply === 0 ? view.start : (view.plies[ply - 1]?.position ?? view.position));

/** @param {Table} table @param {number} ply @returns {Pieces} */
export const piecesAt = (table, ply) => table.game.parse(positionAt(table, ply)).pieces;

/** The pieces shown. @param {Table} table @returns {Pieces} */
export function pieces(table) {
  const made = onItsWay(table);
  return made ? table.game.preview(piecesAt(table, made.ply), made.move, made.side) : piecesAt(table, shownPly(table));
}

/** The ply that is shown; null before the first. @param {Table} table @returns {Ply | null} */
export function lastShown(table) {
  const ply = shownPly(table);
  const last = table.match.view.plies[ply - 1];
  return last ? { move: last.move, side: last.side, position: positionAt(table, ply - 1) } : null;
}

/** The round at a ply; null in a match without rounds. @param {Table} table @param {number} ply */
export function roundAt({ match: { view }, game }, ply) {
  const plies = view.plies.slice(0, ply);
  const positions = [view.start, ...plies.map(({ position }) => position)];
  return (
    game.round?.(
      view.setup,
      positions,
      plies.map(({ move }) => move),
    ) ?? null
  );
}

/** The steps between two rounds: the final board of the last one, for the pause. @param {Table} table @param {number} ply @returns {Step[]} */
function pause(table, ply) {
  const { game, match } = table;
  const last = match.view.plies[ply - 1];
  if (!last || ply === table.pausedAt || roundAt(table, ply)?.ply !== ply) return [];
  table.pausedAt = ply;
  const left = game.preview(piecesAt(table, ply - 1), last.move, last.side);
  return Array.from({ length: Math.ceil(ROUND_PAUSE_MS / game.pace) }, () => ({ pieces: left }));
}

/**
 * Shows the match on a board. The steps of the next ply are added to those still being shown; any other ply is shown at once.
 * @param {Table} table
 * @param {BoardState} board
 * @param {string[]} hints the cells of a suggested move
 */
export function showOn(table, board, hints) {
  const { hand, match, game, boardPly } = table;
  const made = onItsWay(table);
  const last = made ?? match.view.plies[shownPly(table) - 1] ?? null;
  const ply = shownPly(table) + (made ? 1 : 0);
  const before = last ? piecesAt(table, ply - 1) : board.pieces;
  showTurn(hand, board, { ...turnOf(table), last: last && { ...last, before } });
  if (last && table.again) {
    board.steps = [{ pieces: before }, ...stepsOf(hand, before, [{ ...last, pieces: board.pieces }])];
  } else if (last && boardPly === ply - 1) {
    if (isBack(table)) board.steps = [];
    board.steps.push(...stepsOf(hand, before, [{ ...last, pieces: board.pieces }]));
  } else if (boardPly !== ply) board.steps = [];
  if (boardPly !== null && ply - boardPly <= 1 && !isBack(table) && made === null) board.steps.push(...pause(table, ply));
  if (isBack(table)) board.ahead = [];
  board.pointed = setting("movable") === "on";
  board.hints = hints;
  board.you = table.oneDevice ? null : match.you;
  board.flipped = board.layout.fixed ? table.turned : bottomSide(table) === "second";
  const isCounted = game.showsCounted || (match.view.result?.score && shownPly(table) === match.view.plies.length);
  board.marks = isCounted ? game.counted(board.pieces) : [];
  table.boardPly = ply;
  table.again = false;
  hand.walked = false;
}
