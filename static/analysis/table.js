// @ts-check
// A game under analysis: its board, its branches, the engine's findings, and the exports.
//
//   section.match.analysis
//     h1.visually-hidden
//     div.board-host
//     div.side
//       div.now > p.status, p.notice
//       div.replay
//       div.findings > p.value, p.judged, p.best > button…, div.engine (toggle, effort)
//       worth graph, branches, div.actions, details (export, link)

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h, hideWhen, refresh } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { openEngine } from "../engine/engine.js";
import { readOutcome } from "../local/referee.js";
import { copyField } from "../views/parts/copy-field.js";
import { resultText, whyText } from "../views/texts.js";
import { createAnalyst, EFFORTS } from "./analyst.js";
import { branchList } from "./branches.js";
import { percent, worthGraph } from "./graph.js";
import { branchOf, createTree, gameOfTree, lineFrom, linesOf, places, playMove, promote, remove, wayTo, whyNot } from "./tree.js";
import { countMistakes, judgeMove, winsIn, worth } from "./verdict.js";
import { fragmentOf, writeRecord } from "./writing.js";

/** @import { Choice } from "../board/state.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Context } from "../views/context.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Effort } from "./analyst.js" */
/** @import { Played } from "./played.js" */
/** @import { Place } from "./tree.js" */

/**
 * @typedef {Object} Source the origin of a game
 * @property {Played} played
 * @property {number} ply the ply to begin at
 * @property {number} [line] the line of that ply, by its number in an address; without it the main line
 * @property {() => string} title
 * @property {string | null} path the address of the match, if others can open it
 */

/**
 * @param {Pick<Context, "announce">} ctx
 * @param {typeof Rules} Game the rules, loaded
 * @param {Game} game
 * @param {Source} source
 */
export function analysisTable(ctx, Game, game, { played, ply, line = 0, title, path }) {
  const tree = createTree(Game, played);
  tree.at = linesOf(tree)[line]?.find((place) => place.ply === ply) ?? tree.root;
  const { result = null } = played;
  const analyst = createAnalyst(tree, openEngine(), () => refreshSoon());
  const { thoughtOf } = analyst;
  let flipped = false;
  /** @type {(() => string) | null} */
  let notice = null;
  /** The place that the board showed last. @type {Place | null} */
  let shown = null;
  const sideName = (/** @type {"first" | "second"} */ side) => t(`game.${game.id}.side.${side}`);
  const main = () => lineFrom(tree.root);
  /** Whether the game ended here for a reason outside the rules, such as a resignation. @param {Place} place */
  const endsHere = (place) =>
    result !== null && place.outcome === undefined && place.ply === played.moves.length && branchOf(place) === null;

  // The board.

  const host = h("div", { class: "board-host" });
  const board = createBoard(host, game.layout(played.setup), game, {
    label: () => t("match.board", { game: t(`game.${game.id}.name`) }),
    onChoice,
  });

  function showBoard() {
    const { at } = tree;
    const { parent, move, side } = at;
    const best = thoughtOf(at)?.best;
    board.update((state) => {
      setPosition(state, {
        pieces: game.parse(at.position).pieces,
        options: at.legal.map((legal) => ({ path: game.path(legal, at.turn), move: legal })),
        hand: at.outcome === undefined ? at.turn : null,
        last: parent ? game.path(move, side) : [],
      });
      // A step forward shows the steps of the move; a jump shows the position at once.
      if (shown !== at)
        state.steps = parent && parent === shown && !walked ? game.steps(game.parse(parent.position).pieces, move, side) : [];
      state.hints = analyst.isOn() && best !== undefined ? game.path(best, at.turn) : [];
      state.flipped = flipped;
      state.marks = at.outcome !== undefined && readOutcome(game.id, at.outcome).score ? game.counted(state.pieces) : [];
    });
    shown = at;
    walked = false;
  }

  /** Whether the move being made was already shown by dragging or by choosing each cell. */
  let walked = false;

  /** @param {Choice} choice */
  function onChoice(choice) {
    if (choice.kind === "move") {
      walked = (choice.walked && game.lifts) || board.state.placed !== null;
      playMove(tree, choice.move);
      return arrive();
    }
    notice = null;
    if (choice.kind === "attempt") {
      const move = game.attempt(choice.path, tree.at.turn);
      const why = move === null ? undefined : whyNot(tree, move);
      if (why !== undefined) say(() => whyText(why));
    }
    refreshAll();
  }

  /** @param {() => string} text */
  function say(text) {
    notice = text;
    ctx.announce(text());
  }

  /** @param {Place | undefined} place */
  function show(place) {
    if (!place || place === tree.at) return;
    tree.at = place;
    arrive();
  }

  /** Shows the place that the tree is at now. */
  function arrive() {
    notice = null;
    const line = main();
    analyst.look(line.includes(tree.at) ? line : [...wayTo(tree.at).slice(-1), ...line, ...places(tree)]);
    refreshAll();
    const { parent, side, move } = tree.at;
    if (parent)
      ctx.announce([t("announce.move", { side: sideName(side), move: game.spoken(move) }), judgedText()].filter(Boolean).join(". "));
  }

  // The texts.

  function statusText() {
    const { at } = tree;
    if (at.outcome !== undefined) return resultText(game.id, readOutcome(game.id, at.outcome));
    if (result && endsHere(at)) return resultText(game.id, result);
    return t(`game.${game.id}.turn.${at.turn}`);
  }

  function valueText() {
    const { at } = tree;
    const failure = analyst.failure();
    if (failure) return t("analysis.failed");
    const thought = thoughtOf(at);
    const value = worth(game.id, at, thought);
    if (value === null) return analyst.isOn() ? t("analysis.thinking") : t("analysis.off");
    const chances = t("analysis.chances", {
      first: sideName("first"),
      second: sideName("second"),
      mine: percent(value),
      theirs: percent(1 - value),
    });
    if (!thought) return chances;
    const wins = winsIn(thought);
    const winner = sideName(thought.score > 0 === (at.turn === "first") ? "first" : "second");
    const says =
      wins !== null
        ? t("analysis.wins", { side: winner, n: Math.abs(wins) })
        : thought.proven
          ? t(thought.score === 0 ? "analysis.draw" : "analysis.won", { side: winner })
          : t("analysis.score", {
              score: number(((at.turn === "first" ? 1 : -1) * thought.score) / 100, {
                signDisplay: "exceptZero",
                maximumFractionDigits: 1,
              }),
              side: sideName("first"),
            });
    return `${chances} · ${says}`;
  }

  const depthText = () => {
    const thought = thoughtOf(tree.at);
    return thought ? t("analysis.depth", { depth: thought.depth, positions: thought.nodes }) : "";
  };

  /** The verdict on the move that led to this place. */
  function judgedText() {
    const judged = judgeMove(game.id, tree.at, thoughtOf);
    if (!judged) return "";
    const move = game.spoken(tree.at.move);
    if (judged.name) return t(`analysis.said.${judged.name}`, { move, best: game.spoken(judged.best), loss: percent(judged.loss) });
    return tree.at.move === judged.best && (tree.at.parent?.legal.length ?? 0) > 1 ? t("analysis.said.best", { move }) : "";
  }

  /** The principal variation, each move a button that plays the line up to there. */
  const best = h("p", { class: "best" });
  let bestShown = "";
  function showBest() {
    const pv = thoughtOf(tree.at)?.pv ?? [];
    const key = `${tree.at.id} ${pv.join(" ")}`;
    if (key === bestShown) return;
    bestShown = key;
    best.replaceChildren(
      h("span", {}, () => t("analysis.line")),
      ...pv.map((move, i) =>
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": () => t("analysis.line.play", { move: game.spoken(move) }),
            onclick: () => {
              // `playMove` plays a compulsory pass by itself.
              for (const next of pv.slice(0, i + 1)) if (tree.at.legal.includes(next)) playMove(tree, next);
              arrive();
            },
          },
          () => game.notation(move),
        ),
      ),
    );
    best.hidden = pv.length === 0;
  }

  const counts = () => {
    const { first, second } = countMistakes(game.id, main(), thoughtOf);
    const text = (/** @type {typeof first} */ { inaccuracy, mistake, blunder }) => t("analysis.counts", { inaccuracy, mistake, blunder });
    return main().length > 1 ? `${sideName("first")}: ${text(first)}. ${sideName("second")}: ${text(second)}.` : "";
  };
  const progress = () => {
    const line = main();
    const done = line.filter(analyst.isDone).length;
    return analyst.isOn() && done < line.length ? t("analysis.progress", { done, all: line.length }) : "";
  };

  // The exports.

  const files = h("p", { class: "exports" });
  const linkHost = h("div", {});
  function fillExports() {
    if (!exports.open) return;
    const { result: _, ...now } = gameOfTree(tree);
    const last = main().at(-1);
    // A result outside the rules belongs to the main line only.
    const ended = last && result && endsHere(last) ? { ...now, result } : now;
    const written = writeRecord(Game, ended);
    files.replaceChildren(
      `${t("export.title")}: `,
      ...written.flatMap(({ extension, text }, i) => [
        ...(i > 0 ? [" · "] : []),
        h(
          "a",
          { download: `${game.id}.${extension}`, href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}` },
          extension.toUpperCase(),
        ),
      ]),
    );
    const isMatch = path !== null && !now.branches && now.moves.join() === played.moves.join();
    const line = linesOf(tree).findIndex((places) => places.includes(tree.at));
    const address = isMatch ? `${path}?ply=${tree.at.ply}` : `/analysis${fragmentOf(ended, tree.at.ply, line)}`;
    linkHost.replaceChildren(copyField(() => t("analysis.link"), new URL(address, location.href).href, ctx));
  }
  const exports = h(
    "details",
    { ontoggle: fillExports },
    h("summary", {}, () => t("analysis.share")),
    files,
    linkHost,
  );

  // The controls.

  const step = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => Place | undefined} */ to) =>
    h(
      "button",
      {
        type: "button",
        class: "icon",
        title: () => t(label),
        "aria-label": () => t(label),
        disabled: () => (to() ?? tree.at) === tree.at,
        onclick: () => show(to()),
      },
      h("span", { class: `sign ${sign}`, "aria-hidden": "true" }),
    );
  const back = () => tree.at.parent ?? undefined;
  const on = () => tree.at.next[0];
  const last = () => lineFrom(tree.at).at(-1);

  const action = (/** @type {string} */ label, /** @type {() => void} */ act, /** @type {() => boolean} */ hidden = () => false) =>
    hideWhen(
      h("button", { type: "button", onclick: act }, () => t(label)),
      hidden,
    );
  const effort = h(
    "select",
    {
      "aria-label": () => t("analysis.effort"),
      onchange: () => {
        analyst.setEffort(/** @type {Effort} */ (effort.value));
        refreshAll();
      },
    },
    Object.keys(EFFORTS).map((name) =>
      h("option", { value: name, selected: name === analyst.effort() }, () => t(`analysis.effort.${name}`)),
    ),
  );

  const el = h(
    "section",
    { class: "match analysis" },
    h("h1", { class: "visually-hidden", tabindex: "-1" }, () => `${t("menu.analysis")}: ${title()}`),
    host,
    h(
      "div",
      { class: "side" },
      h(
        "div",
        { class: "now" },
        h("p", { class: "status" }, statusText),
        hideWhen(
          h("p", { class: "notice" }, () => notice?.() ?? ""),
          () => notice === null,
        ),
      ),
      h(
        "div",
        { class: "replay", role: "group", "aria-label": () => t("replay.title") },
        step("replay.first", "first-ply", () => tree.root),
        step("replay.back", "back", back),
        step("replay.on", "on", on),
        step("replay.last", "last-ply", last),
      ),
      h(
        "div",
        { class: "findings" },
        h("p", { class: "value" }, valueText),
        hideWhen(
          h("p", { class: () => `judged ${judgeMove(game.id, tree.at, thoughtOf)?.name ?? "good"}` }, judgedText),
          () => judgedText() === "",
        ),
        best,
        h("p", { class: "depth quiet" }, depthText),
        h(
          "div",
          { class: "engine" },
          h(
            "button",
            {
              type: "button",
              "aria-pressed": () => String(analyst.isOn() && !analyst.failure()),
              onclick: () => {
                analyst.setOn(analyst.failure() !== null || !analyst.isOn());
                refreshAll();
              },
            },
            () => t(analyst.failure() ? "retry" : "analysis.engine"),
          ),
          effort,
        ),
      ),
      worthGraph(game, main, () => tree.at, thoughtOf, show),
      h("p", { class: "counts" }, counts, " ", h("span", { class: "quiet" }, progress)),
      branchList(game, tree, thoughtOf, show),
      h(
        "div",
        { class: "actions" },
        action("match.flip", () => {
          flipped = !flipped;
          refreshAll();
        }),
        action(
          "analysis.promote",
          () => {
            const branch = branchOf(tree.at);
            if (branch) promote(tree, branch);
            arrive();
          },
          () => branchOf(tree.at) === null,
        ),
        action(
          "analysis.remove",
          () => {
            remove(tree, tree.at);
            arrive();
          },
          () => tree.at.parent === null,
        ),
      ),
      exports,
      h(
        "div",
        { class: "about" },
        h("p", {}, () => title()),
        path === null
          ? null
          : h(
              "p",
              {},
              h("a", { href: path.replace("/analysis/", "/match/") }, () => t("analysis.match")),
            ),
      ),
    ),
  );

  const { width, height } = board.state.layout;
  el.style.setProperty("--shape", String(width / height));

  let frame = 0;
  /** The engine reports often: once a frame is enough. */
  function refreshSoon() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      refreshAll();
    });
  }

  function refreshAll() {
    showBoard();
    showBest();
    fillExports();
    refresh(el);
  }

  const keys = /** @type {Record<string, () => Place | undefined>} */ ({
    ArrowLeft: back,
    ArrowRight: on,
    ArrowUp: () => tree.root,
    ArrowDown: last,
  });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const to = keys[event.key];
    if (!to || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target instanceof HTMLElement && event.target.closest("input, select, textarea, [role=grid]")) return;
    event.preventDefault();
    show(to());
  }
  document.addEventListener("keydown", onKey);

  analyst.look(main());
  refreshAll();

  return {
    el,
    destroy() {
      cancelAnimationFrame(frame);
      document.removeEventListener("keydown", onKey);
      analyst.stop();
      board.destroy();
    },
  };
}
