// @ts-check
// The engine's findings about the shown place.
//
//   div.findings
//     div.retry
//     p.value, p.judged
//     p.best > button…    the principal variation
//     p.depth
//     div.engine > button, select

import { h, hideWhen, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { EFFORTS } from "../review/analyst.js";
import { playMove } from "../review/tree.js";
import { judgeMove } from "../review/verdict.js";
import { hides } from "./retry.js";
import { retryPart } from "./retry-part.js";
import { depthText, judgedText, valueText } from "./state.js";

/** @import { Analyst, Effort } from "../review/analyst.js" */
/** @import { Analysis } from "./state.js" */

/**
 * @param {Analysis} analysis
 * @param {Analyst} analyst
 * @param {{ update: () => void, arrive: () => void }} page `arrive` shows the place that the tree is at now
 */
export function findingsPart(analysis, analyst, { update, arrive }) {
  const { game, tree } = analysis;
  return h(
    "div",
    { class: "findings" },
    retryPart(analysis, analyst, arrive),
    h("p", { class: "value" }, () => (hides(analysis.retry) ? "" : valueText(analysis, analyst))),
    hideWhen(
      h("p", { class: () => `judged ${judgeMove(game.id, tree.at, analyst.thoughtOf)?.name ?? "good"}` }, () =>
        judgedText(analysis, analyst),
      ),
      () => hides(analysis.retry) || judgedText(analysis, analyst) === "",
    ),
    hideWhen(bestLine(analysis, analyst, arrive), () => hides(analysis.retry)),
    h("p", { class: "depth quiet" }, () => depthText(analysis, analyst)),
    enginePart(analyst, update),
  );
}

/** The principal variation, each move a button that plays the line up to there. @param {Analysis} analysis @param {Analyst} analyst @param {() => void} arrive */
function bestLine({ game, tree }, analyst, arrive) {
  const el = h("p", { class: "best" });
  let shown = "";
  /** @param {string[]} moves */
  const play = (moves) => {
    // `playMove` plays a compulsory pass by itself.
    for (const move of moves) if (tree.at.legal.includes(move)) playMove(tree, move);
    arrive();
  };
  onRefresh(el, () => {
    const pv = analyst.thoughtOf(tree.at)?.pv ?? [];
    const key = `${tree.at.id} ${pv.join(" ")}`;
    if (key === shown) return;
    shown = key;
    el.replaceChildren(
      h("span", {}, () => t("analysis.line")),
      ...pv.map((move, i) =>
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": () => t("analysis.line.play", { move: game.spoken(move) }),
            onclick: () => play(pv.slice(0, i + 1)),
          },
          () => game.notation(move),
        ),
      ),
    );
    el.hidden = pv.length === 0;
  });
  return el;
}

/** @param {Analyst} analyst @param {() => void} update */
function enginePart(analyst, update) {
  const effort = h(
    "select",
    {
      "aria-label": () => t("analysis.effort"),
      onchange: () => {
        analyst.setEffort(/** @type {Effort} */ (effort.value));
        update();
      },
    },
    Object.keys(EFFORTS).map((name) =>
      h("option", { value: name, selected: name === analyst.effort() }, () => t(`analysis.effort.${name}`)),
    ),
  );
  const onclick = () => {
    analyst.setOn(analyst.failure() !== null || !analyst.isOn());
    update();
  };
  return h(
    "div",
    { class: "engine" },
    h("button", { type: "button", "aria-pressed": () => String(analyst.isOn() && !analyst.failure()), onclick }, () =>
      t(analyst.failure() ? "retry" : "analysis.engine"),
    ),
    effort,
  );
}
