// @ts-check
// Whether this browser is called when the page is closed, and what stands in the way.
//
//   section.card
//     fieldset.choice-row  on, off
//     p.quiet              what it does, or why it cannot be had here
//     p.error              what went wrong

import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { SETTINGS, setSetting, setting } from "../core/settings.js";
import { beCalled, beLeftAlone, hindrance } from "../net/calls.js";
import { choiceRow, errorLine, problemText } from "./parts.js";

/** @import { Context } from "./context.js" */

/** @param {Context} ctx */
export function callsPart(ctx) {
  const error = errorLine();
  /** Counts what was chosen: of two choices under way the later one says what is so. */
  let chosen = 0;

  /** @param {"on" | "off"} value */
  function settle(value) {
    setSetting("calls", value);
    for (const input of row.querySelectorAll("input")) {
      input.checked = input.value === value;
      // What is on can always be switched off.
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
        // Whoever is nobody yet has nobody to be called for.
        await ctx.session.ensure();
        if ((await beCalled()) !== null) settled = "off";
      }
    } catch (problem) {
      if (mine !== chosen) return;
      // A browser's own refusal has no code: its push service cannot be reached, or it has none.
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
