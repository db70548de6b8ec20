// @ts-check
// The reader's mistakes as tasks, on the page.
//
//   div.retry
//     button                        begins, while there are mistakes
//     p.retry-said, div.actions > button…

import { h, hideWhen, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { playMove } from "../review/tree.js";
import { judgeMove } from "../review/verdict.js";
import { begin, mistakesOf, nextMistake } from "./retry.js";
import { mainLine, sideName } from "./state.js";

/** @import { Analyst } from "../review/analyst.js" */
/** @import { Analysis } from "./state.js" */
/** @import { Place } from "../review/tree.js" */

/**
 * @param {Analysis} analysis
 * @param {Analyst} analyst
 * @param {() => void} arrive shows the place that the tree is at now
 */
export function retryPart(analysis, analyst, arrive) {
  const { tree, source } = analysis;
  const { thoughtOf } = analyst;
  const side = source.side ?? null;

  function start(/** @type {Place | undefined} */ mistake) {
    analysis.retry = mistake ? begin(tree, side, mistake) : null;
    arrive();
  }

  function tell() {
    const { retry } = analysis;
    if (!retry) return;
    const before = /** @type {Place} */ (retry.mistake.parent);
    const best = thoughtOf(before)?.best;
    tree.at = before;
    if (best !== undefined && before.legal.includes(best)) playMove(tree, best);
    analysis.retry = { ...retry, state: "told", tried: null, isNew: false };
    arrive();
  }

  const button = (/** @type {string} */ label, /** @type {() => void} */ act, /** @type {() => boolean} */ hidden, primary = false) =>
    hideWhen(
      h("button", { type: "button", class: primary ? "primary" : "", onclick: act }, () => t(label)),
      hidden,
    );
  const state = () => analysis.retry?.state ?? null;
  const isOpen = () => state() === "asked" || state() === "wrong";
  const next = () => (analysis.retry ? nextMistake(tree, analysis.retry, thoughtOf) : undefined);
  const isEmpty = () => mistakesOf(tree, thoughtOf, side).length === 0;
  const el = h(
    "div",
    { class: "retry" },
    button(
      "retry.begin",
      () => start(mistakesOf(tree, thoughtOf, side)[0]),
      () => analysis.retry !== null || isEmpty(),
    ),
    hideWhen(
      h("p", { class: () => `retry-said ${state() ?? ""}`, role: "status" }, () => retryText(analysis, analyst)),
      () => state() === null,
    ),
    hideWhen(
      h(
        "div",
        { class: "actions" },
        button(
          "retry.next",
          () => start(next()),
          () => isOpen() || next() === undefined,
          true,
        ),
        button("retry.tell", tell, () => !isOpen()),
        button(
          "retry.skip",
          () => start(next()),
          () => !isOpen() || next() === undefined,
        ),
        button(
          "retry.leave",
          () => start(undefined),
          () => false,
        ),
      ),
      () => state() === null,
    ),
  );
  let isWished = source.retries === true;
  onRefresh(el, () => {
    // Only a whole line has all its mistakes.
    if (!isWished || !mainLine(analysis).every(analyst.isDone)) return;
    isWished = false;
    if (!isEmpty()) queueMicrotask(() => start(mistakesOf(tree, thoughtOf, side)[0]));
  });
  return el;
}

/** The task, or its outcome. @param {Analysis} analysis @param {Analyst} analyst */
export function retryText(analysis, { thoughtOf }) {
  const { retry, tree, game } = analysis;
  if (!retry) return "";
  const { mistake, tried, state } = retry;
  if (tried !== null) return t("retry.judging");
  const all = mistakesOf(tree, thoughtOf, retry.side);
  const words = {
    side: sideName(analysis, mistake.side),
    move: game.spoken(mistake.move),
    name: t(`analysis.name.${judgeMove(game.id, mistake, thoughtOf)?.name ?? "mistake"}`),
    n: all.indexOf(mistake) + 1,
    all: all.length,
  };
  if (state === "asked") return t("retry.asked", words);
  if (state === "wrong") return t("retry.wrong", words);
  const best = game.spoken(thoughtOf(/** @type {Place} */ (mistake.parent))?.best ?? "");
  return t(state === "solved" ? "retry.solved" : "retry.told", { ...words, best });
}
