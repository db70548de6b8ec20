// @ts-check
// The server's analysis of the match: its request, the wait, and what it is.
//
//   div.shared > p[role=status], button, a, p.error

import { h, hideWhen } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { errorLine } from "../views/parts/error-line.js";
import { problemText } from "../views/texts.js";

/** @import { Context } from "../views/context.js" */
/** @import { sharedAnalysis } from "./shared.js" */

/**
 * @param {Pick<Context, "session">} ctx
 * @param {ReturnType<typeof sharedAnalysis>} shared
 * @param {() => void} update
 */
export function sharedPart({ session }, shared, update) {
  const error = errorLine();
  let isAsking = false;
  async function request() {
    isAsking = true;
    error.say(null);
    update();
    try {
      await shared.request();
    } catch (problem) {
      error.say(() => problemText(problem));
    }
    isAsking = false;
    update();
  }
  const isOpen = () => shared.state() === "none" || shared.state() === "failed";
  const hasAccount = () => session.player()?.kind === "account";
  return hideWhen(
    h(
      "div",
      { class: "shared" },
      hideWhen(
        h("p", { class: "quiet", role: "status" }, () => stateText(shared)),
        () => stateText(shared) === "",
      ),
      hideWhen(
        h("button", { type: "button", disabled: () => isAsking, onclick: request }, () => t("analysis.shared.request")),
        () => !isOpen() || !hasAccount(),
      ),
      hideWhen(
        h(
          "p",
          { class: "quiet" },
          h("a", { href: `/register?next=${encodeURIComponent(location.pathname)}` }, () => t("analysis.shared.account")),
        ),
        () => !isOpen() || hasAccount(),
      ),
      error.el,
    ),
    () => shared.state() === "unknown",
  );
}

/** @param {ReturnType<typeof sharedAnalysis>} shared */
function stateText(shared) {
  const state = shared.state();
  const analysis = shared.analysis();
  if (state === "waiting" || state === "failed") return t(`analysis.shared.${state}`);
  return state === "done" && analysis ? t("analysis.shared.done", { positions: number(analysis.nodes) }) : "";
}
