// @ts-check
// The setting for push messages while the page is closed, and the reasons why they may be unavailable.
//
//   section.card
//     fieldset.choice-row  on, off
//     p.quiet              its effect, or the reason why it is unavailable
//     p.error              an error

import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { SETTINGS, setSetting, setting } from "../core/settings.js";
import { beCalled, beLeftAlone, hindrance } from "../net/calls.js";
import { choiceRow } from "./parts/choice-row.js";
import { errorLine } from "./parts/error-line.js";
import { problemText } from "./texts.js";

/** @import { Context } from "./context.js" */

/** @param {Context} ctx */
export function callsPart(ctx) {
  const error = errorLine();
  /** Counts the choices: of two under way the later one decides. */
  let chosen = 0;

  /** @param {"on" | "off"} value */
  function settle(value) {
    setSetting("calls", value);
    for (const input of row.querySelectorAll("input")) {
      input.checked = input.value === value;
      // Messages that are on can always be switched off.
      input.disabled = input.value === "on" && hindrance() !== null;
    }
    refresh(hint);
  }

  /** @param {"on" | "off"} value */
  async function choose(value) {
    const mine = ++chosen;
    let settled = value;
    error.say(null);
    try {
      if (value === "off") await (ctx.session.player() ? beLeftAlone() : undefined);
      else {
        // Without a player the server has no account to send messages for: make a guest.
        await ctx.session.ensure();
        if ((await beCalled()) !== null) settled = "off";
      }
    } catch (problem) {
      if (mine !== chosen) return;
      // A refusal by the browser itself has no code: its push service cannot be reached, or it has none.
      error.say(() => (problem instanceof DOMException ? t("settings.calls.refused") : problemText(problem)));
      settled = "off";
    }
    if (mine === chosen) settle(settled);
  }

  const row = choiceRow(
    "set-calls",
    () => t("settings.calls"),
    SETTINGS.calls.map((value) => ({ value, label: () => t(`settings.calls.${value}`) })),
    setting("calls"),
    (value) => void choose(/** @type {"on" | "off"} */ (value)),
  );
  const hint = h("p", { class: "quiet", role: "status" }, () => t(`settings.calls.${hindrance() ?? "hint"}`));
  settle(setting("calls"));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("settings.calls.title")),
    row,
    hint,
    error.el,
  );
}
