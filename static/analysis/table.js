// @ts-check
// A game under analysis: its board, its branches, the engine's findings, and the exports.
//
//   section.match.analysis
//     h1.visually-hidden
//     div.board-host > div.chance-bar, div.board
//     div.side
//       div.now > p.status, p.notice
//       div.replay
//       div.findings > p.value, p.judged, p.best > button…, div.engine (toggle, effort)
//       worth graph, branches, div.actions, details (export, link)

import { createBoard } from "../board/board.js";
import { takeUp } from "../board/hand.js";
import { eachFrame, h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { openEngine } from "../engine/engine.js";
import { getAnalysis, postAnalysis } from "../net/analysis.js";
import { createAnalyst } from "../review/analyst.js";
import { branchOf, lineFrom, playMove, promote, remove, whyNot } from "../review/tree.js";
import { onPlyKey, plyButton } from "../views/parts/ply-button.js";
import { whyText } from "../views/texts.js";
import { branchList } from "./branches.js";
import { chanceBar } from "./chance-bar.js";
import { findingsPart } from "./findings.js";
import { worthGraph } from "./graph.js";
import { attempt, hides, judge } from "./retry.js";
import { retryText } from "./retry-part.js";
import { sharePart } from "./share.js";
import { foundOn, sharedAnalysis } from "./shared.js";
import { sharedPart } from "./shared-part.js";
import { arrivalText, countsText, createAnalysis, lastOf, mainLine, progressText, showOn, statusText, toSearch, turnOf } from "./state.js";

/** @import { Board } from "../board/board.js" */
/** @import { Choice } from "../board/state.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Context } from "../views/context.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Analyst } from "../review/analyst.js" */
/** @import { Analysis, Source } from "./state.js" */
/** @import { Place } from "../review/tree.js" */

/**
 * @typedef {Object} Page
 * @property {Pick<Context, "announce" | "session">} ctx
 * @property {typeof Rules} Rules
 * @property {Analysis} analysis
 * @property {Analyst} analyst
 * @property {Board} board
 * @property {ReturnType<typeof sharedAnalysis> | null} shared the server's analysis of a match on it
 * @property {() => void} update follows a change of the state: the board at once, the rest with the next frame
 */

/**
 * @param {Pick<Context, "announce" | "session">} ctx
 * @param {typeof Rules} Rules the rules, loaded
 * @param {Game} game
 * @param {Source} source
 */
export function analysisTable(ctx, Rules, game, source) {
  const analysis = createAnalysis(Rules, game, source);
  // The engine reports often: once a frame is enough.
  const frame = eachFrame(() => {
    judgeAttempt(page);
    showBoard(page);
    refresh(el);
  });
  const analyst = createAnalyst(analysis.tree, openEngine(), frame.soon);
  const host = h("div", { class: "board-host" }, chanceBar(analysis, analyst));
  const board = createBoard(host, game.layout(source.played.setup), game, {
    label: () => t("match.board", { game: t(`game.${game.id}.name`) }),
    onChoice: (choice) => onChoice(page, choice),
    announce: ctx.announce,
  });
  const update = () => {
    showBoard(page);
    frame.soon();
  };
  /** @type {Page} */
  const page = { ctx, Rules, analysis, analyst, board, shared: follow(analysis, analyst, frame.soon), update };
  const el = h(
    "section",
    { class: "match analysis" },
    h("h1", { class: "visually-hidden", tabindex: "-1" }, () => `${t("menu.analysis")}: ${source.title()}`),
    host,
    sidePart(page),
  );
  const { width, height } = board.state.layout;
  el.style.setProperty("--shape", String(width / height));
  el.style.setProperty("--upright", String(height / width));
  const keys = plyKeys(page);
  const onKey = (/** @type {KeyboardEvent} */ event) => onPlyKey(keys, event);
  document.addEventListener("keydown", onKey);
  analyst.look(mainLine(analysis));
  void page.shared?.look();
  update();

  return {
    el,
    destroy() {
      frame.stop();
      document.removeEventListener("keydown", onKey);
      page.shared?.stop();
      analyst.stop();
      board.destroy();
    },
  };
}

/**
 * The server's analysis of the match; what it has found becomes findings of the played line. Null if the game is no match on the server.
 * @param {Analysis} analysis
 * @param {Analyst} analyst
 * @param {() => void} onChange
 */
function follow(analysis, analyst, onChange) {
  const { match } = analysis.source;
  if (match === undefined) return null;
  const line = mainLine(analysis);
  const shared = sharedAnalysis(match, { get: getAnalysis, post: postAnalysis, isHidden: () => document.hidden }, () => {
    analyst.adopt(foundOn(line, shared.analysis()));
    onChange();
  });
  return shared;
}

/** @param {Page} page */
function showBoard({ analysis, analyst, board }) {
  const best = analyst.isOn() && !hides(analysis.retry) ? analyst.thoughtOf(analysis.tree.at)?.best : undefined;
  board.update((state) => showOn(analysis, state, best));
}

/** Judges the reader's answer to a mistake, once the engine has looked at it. @param {Page} page */
function judgeAttempt(page) {
  const { ctx, analysis, analyst } = page;
  if (analysis.retry && judge(analysis.tree, analysis.retry, analyst.thoughtOf, analyst.isDone)) {
    analyst.look(toSearch(analysis));
    ctx.announce(retryText(analysis, analyst));
  }
}

/** @param {Page} page @param {Choice} choice */
function onChoice(page, choice) {
  const { ctx, analysis, board, update } = page;
  const { tree, hand } = analysis;
  const meaning = takeUp(hand, board.state, turnOf(analysis), choice);
  if (meaning.kind === "move") {
    const { retry } = analysis;
    if (retry && hides(retry) && tree.at === retry.mistake.parent) attempt(tree, retry, meaning.move);
    else playMove(tree, meaning.move);
    return arrive(page);
  }
  analysis.notice = null;
  const why = meaning.kind === "attempt" ? whyNot(tree, meaning.move) : undefined;
  if (why !== undefined) analysis.notice = () => whyText(why);
  else if (meaning.kind === "forbidden") analysis.notice = () => whyText(meaning.why);
  else if (meaning.kind === "no-moves") analysis.notice = () => t("board.no-moves");
  const notice = /** @type {Analysis} */ (analysis).notice?.();
  if (notice) ctx.announce(notice);
  update();
}

/** @param {Page} page @param {Place | undefined} place */
function show(page, place) {
  const { tree } = page.analysis;
  if (!place || place === tree.at) return;
  tree.at = place;
  // Looking elsewhere ends the task.
  page.analysis.retry = null;
  arrive(page);
}

/** Shows the place that the tree is at now. @param {Page} page */
function arrive({ ctx, analysis, analyst, update }) {
  analysis.notice = null;
  analyst.look(toSearch(analysis));
  update();
  const text = arrivalText(analysis, analyst);
  if (text !== "") ctx.announce(text);
}

/** The places to go to from the shown one. @param {Page} page */
const ways = ({ analysis: { tree } }) => ({
  first: () => tree.root,
  back: () => tree.at.parent ?? undefined,
  on: () => tree.at.next[0],
  last: () => lineFrom(tree.at).at(-1),
});

/** @param {Page} page */
function plyKeys(page) {
  const { first, back, on, last } = ways(page);
  return {
    ArrowLeft: () => show(page, back()),
    ArrowRight: () => show(page, on()),
    ArrowUp: () => show(page, first()),
    ArrowDown: () => show(page, last()),
  };
}

// The elements.

/** @param {Page} page */
function sidePart(page) {
  const { ctx, Rules, analysis, analyst, update } = page;
  const { game, tree, source } = analysis;
  const go = (/** @type {Place} */ place) => show(page, place);
  const { path } = source;
  return h(
    "div",
    { class: "side" },
    h(
      "div",
      { class: "now" },
      h("p", { class: "status" }, () => statusText(analysis)),
      hideWhen(
        h("p", { class: "notice" }, () => analysis.notice?.() ?? ""),
        () => analysis.notice === null,
      ),
    ),
    game.toldPart?.(() => lastOf(analysis)) ?? null,
    replayPart(page),
    findingsPart(analysis, analyst, { update, arrive: () => arrive(page) }),
    page.shared && sharedPart(ctx, page.shared, update),
    worthGraph(
      game,
      () => mainLine(analysis),
      () => tree.at,
      analyst.thoughtOf,
      go,
    ),
    h(
      "p",
      { class: "counts" },
      () => countsText(analysis, analyst),
      " ",
      h("span", { class: "quiet" }, () => progressText(analysis, analyst)),
    ),
    branchList(game, tree, analyst.thoughtOf, go),
    actionsPart(page),
    sharePart(ctx, Rules, analysis),
    h(
      "div",
      { class: "about" },
      h("p", {}, () => source.title()),
      path === null
        ? null
        : h(
            "p",
            {},
            h("a", { href: path.replace("/analysis/", "/match/") }, () => t("analysis.match")),
          ),
    ),
  );
}

/** @param {Page} page */
function replayPart(page) {
  const { first, back, on, last } = ways(page);
  const { tree } = page.analysis;
  const step = (/** @type {string} */ label, /** @type {string} */ symbol, /** @type {() => Place | undefined} */ to) =>
    plyButton(
      label,
      symbol,
      () => (to() ?? tree.at) === tree.at,
      () => show(page, to()),
    );
  return h(
    "div",
    { class: "replay", role: "group", "aria-label": () => t("replay.title") },
    step("replay.first", "first", first),
    step("replay.back", "back", back),
    step("replay.on", "on", on),
    step("replay.last", "last", last),
  );
}

/** @param {Page} page */
function actionsPart(page) {
  const { analysis, update } = page;
  const { tree } = analysis;
  const action = (/** @type {string} */ label, /** @type {() => void} */ act, /** @type {() => boolean} */ hidden = () => false) =>
    hideWhen(
      h("button", { type: "button", onclick: act }, () => t(label)),
      hidden,
    );
  return h(
    "div",
    { class: "actions" },
    action("match.flip", () => {
      analysis.flipped = !analysis.flipped;
      update();
    }),
    action(
      "analysis.promote",
      () => {
        const branch = branchOf(tree.at);
        if (branch) promote(tree, branch);
        arrive(page);
      },
      () => branchOf(tree.at) === null,
    ),
    action(
      "analysis.remove",
      () => {
        remove(tree, tree.at);
        arrive(page);
      },
      () => tree.at.parent === null,
    ),
  );
}
