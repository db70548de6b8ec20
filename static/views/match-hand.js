// @ts-check
// The board of a match, and the ways to make moves on it: by hand, typed, as premoves, confirmed.

import { createBoard } from "../board/board.js";
import { takeUp } from "../board/hand.js";
import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { sound } from "../core/sound.js";
import { hintFor } from "./hint.js";
import { aheadText, say } from "./match-news.js";
import { canMove, isConfirmed, propose, send, showOn, turnOf, withdraw } from "./match-state.js";
import { refusalText, whyText } from "./texts.js";
import { typedField } from "./typed.js";

/** @import { Board } from "../board/board.js" */
/** @import { Choice } from "../board/state.js" */
/** @import { MatchContext } from "./context.js" */
/** @import { Table } from "./match-state.js" */

/** @typedef {ReturnType<typeof matchHand>} MatchHand */

/**
 * @typedef {Object} Parts
 * @property {MatchContext} ctx
 * @property {Table} table
 * @property {Board} board
 * @property {HTMLElement} confirmButton
 * @property {() => void} update
 */

/**
 * @param {MatchContext} ctx
 * @param {Table} table
 * @param {() => void} update called when the state has changed
 * @param {() => void} onStep called at each step of a move that the board shows
 */
export function matchHand(ctx, table, update, onStep) {
  const { match, game } = table;
  const hints = hintFor(ctx, match, game, () => canMove(table), update);
  const el = h("div", { class: "board-host" });
  const board = createBoard(el, game.layout(match.view.setup), game, {
    label: () => t("match.board", { game: t(`game.${game.id}.name`) }),
    onChoice: (choice) => onChoice(parts, choice),
    onStep,
    announce: ctx.announce,
  });
  const confirmButton = h("button", { type: "button", class: "primary", onclick: () => confirm(parts) }, () => t("confirm.do"));
  /** @type {Parts} */
  const parts = { ctx, table, board, confirmButton, update };
  const typed = typedField(
    game,
    () => (canMove(table) ? { legal: match.view.legal, side: match.view.turn } : null),
    (wish) => {
      if (wish.kind === "move") make(parts, wish.move);
      else if (wish.kind === "attempt") void attempt(parts, wish.move);
      else tell(parts, () => t("typed.unclear"));
    },
  );
  return {
    el,
    board,
    typed,
    hints,
    confirmButton,
    /** Shows the match as it is now; the board is drawn with the next frame. */
    show: () => board.update((state) => showOn(table, state, hints.cells())),
    /** @param {string} move */
    play: (move) => void play(parts, move),
  };
}

/** Shows a message to the reader. @param {Parts} parts @param {() => string} text */
function tell({ ctx, table, update }, text) {
  const said = say(table, text);
  if (said.kind === "announce") ctx.announce(said.text);
  update();
}

/** Shows why a move cannot be made. @param {Parts} parts @param {() => string} text */
function refuse(parts, text) {
  sound("refused");
  tell(parts, text);
}

/** @param {Parts} parts @param {Choice} choice */
function onChoice(parts, choice) {
  const { ctx, table, board, update } = parts;
  const meaning = takeUp(table.hand, board.state, turnOf(table), choice);
  if (choice.kind === "dropped") withdraw(table);
  if (meaning.kind === "move") return make(parts, meaning.move);
  if (meaning.kind === "attempt") return void attempt(parts, meaning.move);
  if (meaning.kind === "premove") {
    if (table.hand.ahead !== null) ctx.announce(t("premove.kept", { move: aheadText(table) }));
    return update();
  }
  // An attempt that makes no move leaves the message.
  if (choice.kind !== "attempt") table.notice = null;
  if (meaning.kind === "forbidden") return refuse(parts, () => whyText(meaning.why));
  if (meaning.kind === "no-moves") return refuse(parts, () => t("board.no-moves"));
  update();
}

/** Plays a legal move, or asks for confirmation. @param {Parts} parts @param {string} move */
function make(parts, move) {
  const { ctx, table, confirmButton, update } = parts;
  if (!isConfirmed(table)) return void play(parts, move);
  propose(table, move);
  ctx.announce(t("confirm.asked", { move: table.game.spoken(move) }));
  update();
  // After the board has set the focus, and the button is shown.
  requestAnimationFrame(() => confirmButton.focus({ preventScroll: true }));
}

/** @param {Parts} parts */
function confirm(parts) {
  const { proposed } = parts.table;
  if (proposed) void play(parts, proposed.move);
}

/** @param {Parts} parts @param {string} move */
async function play(parts, move) {
  const { ctx, table, update } = parts;
  const ply = send(table, move, performance.now());
  update();
  const answer = await ctx.line.command(table.match.view.id, { kind: "move", ply, move });
  table.sent = null;
  if (answer.ok) update();
  else refuse(parts, () => refusalText(answer.error));
}

/** Sends an illegal move, for the server's reason. @param {Parts} parts @param {string} move */
async function attempt(parts, move) {
  const { ctx, table, update } = parts;
  const { id, ply } = table.match.view;
  const answer = await ctx.line.command(id, { kind: "move", ply, move });
  if (answer.ok) update();
  else refuse(parts, () => refusalText(answer.error));
}
