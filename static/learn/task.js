// @ts-check
// A task on its board.
//
//   section.match.task
//     div.board-host
//     div.side
//       nav.quiet, h1, p.goal, p.told, div.actions (back, again, hint, next)

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { other } from "../core/time.js";
import { whyText } from "../views/texts.js";
import { markSolved } from "./progress.js";
import { back, begin, hint, play } from "./run.js";

/** @import { Choice, Pieces } from "../board/state.js" */
/** @import { Game, Task } from "../games/types.js" */
/** @import { Context } from "../views/context.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */

/**
 * @param {Pick<Context, "announce">} ctx
 * @param {typeof Rules} Game the rules, loaded
 * @param {Game} game
 * @param {Task} task
 * @param {{ number: number, count: number, next: string }} place the number of the task, and the address of the next one
 */
export function taskTable(ctx, Game, game, task, { number, count, next }) {
  let run = begin(Game, game, task);
  const { side } = run;
  /** The suggested move. @type {string | null} */
  let suggested = null;
  /** The reason why a move was refused. @type {(() => string) | null} */
  let refused = null;
  /** Whether the move being made was already shown by dragging or by choosing each cell. */
  let walked = false;
  /** The last ply, for the board. @type {{ move: string, by: "first" | "second" } | null} */
  let last = null;

  const text = (/** @type {string} */ part) => t(`task.${game.id}.${task.key}.${part}`);
  const piecesNow = () => game.parse(run.rules.position()).pieces;

  const host = h("div", { class: "board-host" });
  const board = createBoard(host, game.layout(""), game, { label: () => t("match.board", { game: t(`game.${game.id}.name`) }), onChoice });

  /** @param {Pieces[]} [steps] the positions to show before */
  function showBoard(steps = []) {
    const { rules, state: how } = run;
    const legal = how === "open" ? rules.legalMoves() : [];
    board.update((state) => {
      setPosition(state, {
        pieces: piecesNow(),
        options: legal.map((move) => ({ path: game.path(move, side), move })),
        hand: how === "open" ? side : null,
        last: last ? game.path(last.move, last.by) : [],
        bound: how === "open" && game.bound(piecesNow(), legal, side) !== null,
      });
      state.steps = steps;
      state.you = side;
      state.flipped = !state.layout.fixed && side === "second";
      state.hints = suggested === null ? [] : game.path(suggested, side);
    });
  }

  /** @param {Choice} choice */
  function onChoice(choice) {
    refused = null;
    if (choice.kind === "move") {
      walked = (choice.walked && game.lifts) || board.state.placed !== null;
      return made(choice.move);
    }
    if (choice.kind === "attempt") {
      const move = game.attempt(choice.path, side);
      const why = move === null ? undefined : run.rules.explainIllegal(move);
      if (why !== undefined) refuse(why);
    }
    const piece = choice.kind === "picked" ? board.state.pieces.get(board.state.picked[0] ?? "") : undefined;
    const stuck = piece ? game.stuck(piece) : null;
    if (stuck !== null) refuse(stuck);
    refreshAll();
  }

  /** @param {string} why */
  function refuse(why) {
    refused = () => whyText(why);
    ctx.announce(whyText(why));
  }

  /** @param {string} move */
  function made(move) {
    suggested = null;
    /** @type {Pieces[]} */
    const steps = [];
    let pieces = piecesNow();
    let by = side;
    const plies = play(run, move);
    for (const [i, ply] of plies.entries()) {
      // A move shown by hand is not shown again.
      if (i > 0 || !walked) steps.push(...game.steps(pieces, ply, by));
      pieces = game.preview(pieces, ply, by);
      if (i < plies.length - 1) steps.push(pieces);
      last = { move: ply, by };
      // The plies after the reader's are the opponent's.
      by = other(side);
    }
    walked = false;
    if (run.state === "solved") markSolved(game.id, task.key);
    showBoard(steps);
    refresh(el);
    ctx.announce(toldText());
    // After the board has set the focus.
    if (run.state !== "open") requestAnimationFrame(() => (run.state === "solved" ? onward : again).focus({ preventScroll: true }));
  }

  function toldText() {
    if (refused) return refused();
    if (run.state === "solved") return t("learn.solved");
    if (run.state === "wrong") return t("learn.wrong");
    return run.made > 0 ? t("learn.on") : "";
  }

  function restart() {
    run.rules.free();
    run = begin(Game, game, task);
    forget();
  }

  function forget() {
    suggested = null;
    refused = null;
    last = null;
    refreshAll();
  }

  const again = h(
    "button",
    { type: "button", class: () => (run.state === "wrong" ? "primary" : ""), disabled: () => run.made === 0, onclick: restart },
    () => t("learn.again"),
  );
  const onward = h("a", { class: () => `button ${run.state === "solved" ? "primary" : ""}`, href: next }, () =>
    t(number < count ? "learn.next" : "learn.overview"),
  );

  const el = h(
    "section",
    { class: "match task" },
    host,
    h(
      "div",
      { class: "side" },
      h(
        "p",
        { class: "quiet" },
        h("a", { href: `/learn/${game.id}` }, () => t(`game.${game.id}.name`)),
        () => ` · ${t("learn.count", { number, count })}`,
      ),
      h("h1", { tabindex: "-1" }, () => text("title")),
      h("p", { class: "goal" }, () => text("goal")),
      h("p", { class: "quiet" }, () => `${t(`game.${game.id}.turn.${side}`)} ${task.moves > 1 ? t("learn.moves", { n: task.moves }) : ""}`),
      hideWhen(h("p", { class: () => `told ${refused ? "" : run.state}` }, toldText), () => toldText() === ""),
      h(
        "div",
        { class: "actions" },
        onward,
        hideWhen(again, () => run.state === "solved"),
        hideWhen(
          h(
            "button",
            {
              type: "button",
              disabled: () => run.made === 0,
              onclick: () => {
                back(run);
                forget();
              },
            },
            () => t("takeback.ask"),
          ),
          () => task.moves === 1,
        ),
        hideWhen(
          h(
            "button",
            {
              type: "button",
              onclick: () => {
                if (hint(run) === null) restart();
                suggested = hint(run);
                if (suggested !== null) ctx.announce(t("hint.said", { move: game.spoken(suggested) }));
                refreshAll();
              },
            },
            () => t("hint.ask"),
          ),
          () => run.state === "solved",
        ),
      ),
      h(
        "p",
        {},
        h("a", { href: `/rules/${game.id}` }, () => t(`rules.${game.id}.title`)),
      ),
    ),
  );

  const { width, height } = board.state.layout;
  el.style.setProperty("--shape", String(width / height));

  function refreshAll() {
    showBoard();
    refresh(el);
  }
  showBoard();

  return {
    el,
    title: () => text("title"),
    destroy() {
      run.rules.free();
      board.destroy();
    },
  };
}
