// @ts-check
// The board of a match, and the ways to make moves on it: by hand, typed, as premoves, confirmed; and moves without an answer yet.

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { setting } from "../core/settings.js";
import { meantMove } from "../games/typed.js";
import { onOneDevice, sideAtHand } from "../net/rights.js";
import { hintFor } from "./hint.js";
import { refusalText, whyText } from "./texts.js";
import { typedField } from "./typed.js";

/** @import { Side } from "../core/types.js" */
/** @import { Choice, Pieces } from "../board/state.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { Game } from "../games/types.js" */
/** @import { MatchContext } from "./context.js" */

/** The time for which the final board of a round is shown before the next round. */
const ROUND_PAUSE_MS = 2_500;

/**
 * The parts of the match table that this module uses.
 * @typedef {Object} Place
 * @property {() => number} shownPly
 * @property {() => boolean} isBack whether an earlier ply is shown
 * @property {() => Side} bottomSide
 * @property {() => boolean} isTurned whether the board is turned from its usual side
 * @property {(text: () => string) => void} say
 * @property {() => void} hush removes the message
 * @property {() => void} refreshAll
 */

/**
 * @param {MatchContext} ctx
 * @param {MatchState} match
 * @param {Game} game
 * @param {Place} place
 */
export function matchHand(ctx, match, game, { shownPly, isBack, bottomSide, isTurned, say, hush, refreshAll }) {
  const { line } = ctx;
  const { view } = match;
  const { id } = view;
  /** The move that was sent and has no answer yet. @type {{ ply: number, move: string, side: Side, at: number } | null} */
  let sent = null;
  /** The move that waits for the player's confirmation. @type {{ ply: number, move: string, side: Side } | null} */
  let proposed = null;
  /** The premove, as the chosen cells. @type {string[] | null} */
  let ahead = null;
  /** Whether the move being made was already shown by dragging or by choosing each cell. */
  let walked = false;

  const now = () => match.view;
  const over = () => now().result !== null;
  const positionAt = (/** @type {number} */ ply) => (ply === 0 ? now().start : (now().plies[ply - 1]?.position ?? now().position));
  /** One player has both seats. */
  const oneDevice = onOneDevice(view);
  /** The side that the reader moves for. */
  const me = () => sideAtHand(match);
  const myTurn = () => !over() && me() !== null && now().turn === me();

  const piecesAt = (/** @type {number} */ ply) => game.parse(positionAt(ply)).pieces;
  /** The move that is sent or waits for confirmation, as long as the board shows it. */
  function onItsWay() {
    const made = sent ?? proposed;
    return made && !isBack() && made.ply === now().ply ? made : null;
  }

  /** Whether a premove can be chosen: only in real time, where the opponent may answer at once. */
  const mayPremove = () =>
    setting("premove") === "on" &&
    !over() &&
    !oneDevice &&
    match.you !== null &&
    !isBack() &&
    sent === null &&
    now().turn !== match.you &&
    now().time_control.kind === "realtime";

  /** Whether a move needs confirmation before it is sent. */
  const toConfirm = () =>
    setting("confirm") === "always" || (setting("confirm") === "daily" && now().time_control.kind === "correspondence");

  /** @returns {Pieces} */
  function pieces() {
    const made = onItsWay();
    return made ? game.preview(piecesAt(made.ply), made.move, made.side) : piecesAt(shownPly());
  }

  // The board.

  const hints = hintFor(ctx, match, game, () => myTurn() && !isBack() && onItsWay() === null, refreshAll);
  const boardHost = h("div", { class: "board-host" });
  const board = createBoard(boardHost, game.layout(view.setup), game, {
    label: () => t("match.board", { game: t(`game.${game.id}.name`) }),
    onChoice,
  });

  /** The number of plies that the board showed last, including a move without an answer yet. @type {number | null} */
  let boardPly = null;

  /** The round at a ply; null in a match without rounds. @param {number} ply */
  const roundAt = (ply) =>
    game.round?.(view.setup, [
      now().start,
      ...now()
        .plies.slice(0, ply)
        .map(({ position }) => position),
    ]) ?? null;

  /** The first ply of the last round before which the board has paused. */
  let pausedAt = 0;

  /** The steps between two rounds: the final board of the last one, for the pause. @param {number} ply @returns {Pieces[]} */
  function pause(ply) {
    const last = now().plies[ply - 1];
    if (!last || ply === pausedAt || roundAt(ply)?.ply !== ply) return [];
    pausedAt = ply;
    const left = game.preview(piecesAt(ply - 1), last.move, last.side);
    return Array.from({ length: Math.ceil(ROUND_PAUSE_MS / game.pace) }, () => left);
  }

  function showBoard() {
    const mine = myTurn() && !isBack() && onItsWay() === null ? me() : null;
    const hand = mine ?? (mayPremove() ? match.you : null);
    const last = onItsWay() ?? now().plies[shownPly() - 1];
    const ply = shownPly() + (onItsWay() ? 1 : 0);
    const options = mine === null ? [] : now().legal.map((move) => ({ path: game.path(move, mine), move }));
    board.update((state) => {
      setPosition(state, { pieces: pieces(), options, hand, last: last ? game.path(last.move, last.side) : [], bound: bound() !== null });
      // The steps of the next ply are added to those still being shown; any other ply is shown at once.
      if (last && boardPly === ply - 1) {
        if (isBack()) state.steps = [];
        if (!walked) state.steps.push(...game.steps(piecesAt(ply - 1), last.move, last.side));
      } else if (boardPly !== ply) state.steps = [];
      if (boardPly !== null && ply - boardPly <= 1 && !isBack() && onItsWay() === null) state.steps.push(...pause(ply));
      state.ahead = ahead !== null && !isBack() ? ahead : [];
      state.pointed = setting("movable") === "on";
      state.hints = hints.cells();
      state.you = oneDevice ? null : match.you;
      state.flipped = state.layout.fixed ? isTurned() : bottomSide() === "second";
      state.marks = over() && now().result?.score && shownPly() === now().plies.length ? game.counted(state.pieces) : [];
    });
    boardPly = ply;
    walked = false;
  }

  /** The code of a rule that restricts the player's moves now, or null. */
  function bound() {
    const side = me();
    return myTurn() && !isBack() && onItsWay() === null && side !== null ? game.bound(piecesAt(now().ply), now().legal, side) : null;
  }

  /** @param {Choice} choice */
  function onChoice(choice) {
    if (choice.kind === "move") {
      // A move shown step by step by hand, or dropped, is not shown again.
      walked = (choice.walked && game.lifts) || board.state.placed !== null;
      return made(choice.move);
    }
    if (choice.kind === "attempt" && mayPremove()) return moveAhead(choice.path);
    if (choice.kind === "attempt") {
      const side = me();
      const move = side === null ? null : game.attempt(choice.path, side);
      return move === null ? undefined : void attempt(move);
    }
    hush();
    if (choice.kind === "dropped" || (choice.kind === "picked" && mayPremove())) withdraw();
    if (choice.kind === "picked") {
      const cell = board.state.picked[0] ?? "";
      const piece = board.state.pieces.get(cell);
      const stuck = piece ? game.stuck(piece) : null;
      const none = !board.state.options.some(({ path }) => path[0] === cell);
      const duty = bound();
      if (stuck) say(() => whyText(stuck));
      else if (none && duty) say(() => whyText(duty));
      else if (none && !mayPremove()) say(() => t("board.no-moves"));
    }
    refreshAll();
  }

  // The player's actions.

  /** @param {string} move */
  function made(move) {
    if (!toConfirm()) return void play(move);
    proposed = { ply: now().ply, move, side: now().turn };
    hush();
    ctx.announce(t("confirm.asked", { move: game.spoken(move) }));
    refreshAll();
    // After the board has set the focus.
    requestAnimationFrame(() => confirmButton.focus({ preventScroll: true }));
  }

  /** Drops the premove and the move to confirm. */
  function withdraw() {
    proposed = null;
    ahead = null;
  }

  /** Sets a premove. A choice that makes no move is dropped. @param {string[]} path */
  function moveAhead(path) {
    const side = /** @type {Side} */ (match.you);
    const move = game.attempt(path, side);
    // In a game of one-cell moves, choosing the same cell again removes the premove, and so does any cell that is never played.
    const again = ahead !== null && ahead.join() === path.join();
    ahead = move === null || again || (!game.lifts && game.path(move, side).join() !== path.join()) ? null : path;
    if (ahead !== null) ctx.announce(t("premove.kept", { move: aheadText() }));
    refreshAll();
  }

  const aheadText = () => {
    const move = ahead === null ? null : game.attempt(ahead, match.you ?? "first");
    return move === null ? "" : game.spoken(move);
  };

  /** Plays the premove when the turn has come, or drops it with a message if it is illegal. */
  function makeAhead() {
    const cells = ahead;
    if (cells === null || !myTurn()) return;
    ahead = null;
    const wish = game.attempt(cells, now().turn);
    const move = now().legal.find((legal) => legal === wish) ?? meantMove(cells, now().legal);
    if (move !== null && move !== undefined) void play(move);
    else say(() => t("premove.dropped"));
  }

  /** @param {string} move */
  async function play(move) {
    sent = { ply: now().ply, move, side: now().turn, at: performance.now() };
    proposed = null;
    hush();
    refreshAll();
    const answer = await line.command(id, { kind: "move", ply: sent.ply, move });
    sent = null;
    if (!answer.ok) say(() => refusalText(answer.error));
    refreshAll();
  }

  /** Sends an illegal move, for the server's reason. @param {string} move */
  async function attempt(move) {
    const answer = await line.command(id, { kind: "move", ply: now().ply, move });
    if (!answer.ok) say(() => refusalText(answer.error));
    refreshAll();
  }

  const confirmButton = h(
    "button",
    {
      type: "button",
      class: "primary",
      onclick: () => {
        if (proposed) void play(proposed.move);
      },
    },
    () => t("confirm.do"),
  );

  const typed = typedField(
    game,
    () => (myTurn() && !isBack() && onItsWay() === null ? { legal: now().legal, side: now().turn } : null),
    (wish) => {
      if (wish.kind === "move") made(wish.move);
      else if (wish.kind === "attempt") void attempt(wish.move);
      else {
        say(() => t("typed.unclear"));
        refreshAll();
      }
    },
  );

  return {
    el: boardHost,
    board,
    typed,
    hints,
    confirmButton,
    myTurn,
    bound,
    pieces,
    roundAt,
    show: showBoard,
    withdraw,
    makeAhead,
    aheadText,
    isAhead: () => ahead !== null,
    /** The move to confirm, as long as the board shows it. */
    proposed: () => (proposed !== null && onItsWay() === proposed ? proposed : null),
    /** The time at which the unanswered move was sent, or null. */
    sentAt: () => sent?.at ?? null,
  };
}
