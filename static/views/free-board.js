// @ts-check
// A position for trying out: the reader moves for both sides, by the rules. The referee on this device judges, so that no network is
// needed; nothing is stored.
//
//   div.free
//     div.board-host
//     p.told
//     div.actions (take back, again, leave)

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { judge, openPosition, passed, readOutcome } from "../local/referee.js";
import init, { Game as Rules } from "../wasm/rules.js";
import { refusalText, resultText, whyText } from "./texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { Choice, Pieces } from "../board/state.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Happened } from "../local/referee.js" */
/** @import { Context } from "./context.js" */

/** @typedef {Awaited<ReturnType<typeof freeBoard>>} FreeBoard */

/**
 * @param {Pick<Context, "announce">} ctx
 * @param {Game} game
 * @param {string} position
 * @param {{ label: () => string, onLeave: () => void }} place
 */
export async function freeBoard(ctx, game, position, { label, onLeave }) {
  await init();
  let table = openPosition(Rules, game.id, position);
  /** The message about the last attempt. @type {(() => string) | null} */
  let notice = null;
  /** Whether the move being made was already shown by dragging or by choosing each cell. */
  let walked = false;

  const turn = () => /** @type {Side} */ (table.rules.turn());
  const pieces = () => game.parse(table.rules.position()).pieces;
  const sideName = (/** @type {Side} */ side) => t(`game.${game.id}.side.${side}`);
  function outcome() {
    const said = table.rules.outcome();
    return said === undefined ? null : readOutcome(game.id, said);
  }

  const host = h("div", { class: "board-host" });
  const board = createBoard(host, game.layout(""), game, { label, onChoice });

  /** @param {Pieces[]} [steps] the positions to show before */
  function showBoard(steps = []) {
    const result = outcome();
    const side = turn();
    const legal = result ? [] : table.rules.legalMoves();
    const last = table.plies.at(-1);
    board.update((state) => {
      setPosition(state, {
        pieces: pieces(),
        options: legal.map((move) => ({ path: game.path(move, side), move })),
        hand: result ? null : side,
        last: last ? game.path(last.move, last.side) : [],
        bound: game.bound(pieces(), legal, side) !== null,
      });
      state.steps = steps;
      state.marks = result?.score ? game.counted(state.pieces) : [];
    });
  }

  /** @param {() => string} text */
  function say(text) {
    notice = text;
    ctx.announce(text());
  }

  /** @param {Choice} choice */
  function onChoice(choice) {
    notice = null;
    if (choice.kind === "move") {
      walked = (choice.walked && game.lifts) || board.state.placed !== null;
      return play(choice.move);
    }
    if (choice.kind === "attempt") {
      const move = game.attempt(choice.path, turn());
      if (move !== null) return play(move);
    }
    const cell = choice.kind === "picked" ? (board.state.picked[0] ?? "") : null;
    if (cell !== null) {
      const piece = board.state.pieces.get(cell);
      const none = !board.state.options.some(({ path }) => path[0] === cell);
      const why = (piece ? game.stuck(piece) : null) ?? (none ? game.bound(pieces(), table.rules.legalMoves(), turn()) : null);
      if (why !== null) say(() => whyText(why));
      else if (none) say(() => t("board.no-moves"));
    }
    refreshAll();
  }

  /** @param {string} move legal or not */
  function play(move) {
    const before = pieces();
    const judged = judge(table, turn(), { kind: "move", ply: table.rules.ply(), move });
    if (judged.ok) tell(judged.happened, before);
    else say(() => refusalText(judged.error));
    if (!judged.ok) refreshAll();
  }

  /** Shows and announces the plies of a command, one by one. @param {Happened[]} happened @param {Pieces} before */
  function tell(happened, before) {
    /** @type {Pieces[]} */
    const steps = [];
    let now = before;
    for (const [i, { event, state }] of happened.entries()) {
      if (event.kind !== "move") continue;
      const { move, side } = event;
      // A move shown by hand is not shown again.
      if (i > 0 || !walked) steps.push(...game.steps(now, move, side));
      now = game.parse(state.position).pieces;
      if (game.path(move, side).length === 0) say(() => t("match.passed", { side: sideName(side) }));
      else
        ctx.announce(
          t(!state.result && state.turn === side ? "announce.again" : "announce.move", { side: sideName(side), move: game.spoken(move) }),
        );
    }
    walked = false;
    showBoard(steps);
    const result = outcome();
    if (result) ctx.announce(resultText(game.id, result));
    refresh(el);
  }

  function toldText() {
    const result = outcome();
    return [notice?.() ?? "", result ? resultText(game.id, result) : t(`game.${game.id}.turn.${turn()}`)].filter(Boolean).join(" ");
  }

  /** Plays compulsory passes at the start. */
  function begin() {
    const before = pieces();
    tell(passed(table), before);
  }

  function again() {
    table.rules.free();
    table = openPosition(Rules, game.id, position);
    notice = null;
    begin();
    focus();
  }

  function takeBack() {
    notice = null;
    judge(table, turn(), { kind: "offer-takeback" });
    ctx.announce(t("takeback.done"));
    refreshAll();
  }

  /** Sets the keyboard's focus on the first piece or house that can be played. */
  function focus() {
    board.update((state) => {
      state.focus = state.options[0]?.path[0] ?? state.focus;
    });
    // After the board is drawn.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const cell = host.querySelector('[tabindex="0"]');
        if (cell instanceof HTMLElement) cell.focus({ preventScroll: true });
      }),
    );
  }

  const canTakeBack = () => table.plies.some(({ forced }) => !forced);
  const el = h(
    "div",
    { class: "free" },
    host,
    h("p", { class: () => `told${notice ? " refused" : ""}` }, toldText),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", disabled: () => !canTakeBack(), onclick: takeBack }, () => t("takeback.ask")),
      h("button", { type: "button", disabled: () => !canTakeBack(), onclick: again }, () => t("rules.reset")),
      h("button", { type: "button", onclick: onLeave }, () => t("rules.leave")),
    ),
  );

  function refreshAll() {
    showBoard();
    refresh(el);
  }
  begin();

  return {
    el,
    focus,
    destroy() {
      table.rules.free();
      board.destroy();
    },
  };
}
