// @ts-check
// New recovery codes, which are shown this once: to be copied, printed or written down.
//
//   div.recovery-codes
//     p.notice, p.whose, ol > li > code, p.actions

import { h, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { loadPart, t } from "../core/i18n.js";

/** @import { Context } from "./context.js" */

/** Loads the texts and the styles of this module. */
export const loadRecoveryTexts = () => Promise.all([loadPart("account"), loadStyle("codes")]);

/**
 * @param {Pick<Context, "announce">} ctx
 * @param {string} name of the account: on paper the codes are worth nothing without it
 * @param {readonly string[]} codes
 */
export function recoveryCodes(ctx, name, codes) {
  let copied = false;
  const list = h(
    "ol",
    { "aria-label": () => t("codes.title") },
    codes.map((code) => h("li", {}, h("code", {}, code))),
  );
  const button = h("button", { type: "button", onclick: copy }, () => t(copied ? "copy.done" : "copy.do"));
  async function copy() {
    try {
      await navigator.clipboard.writeText(`${location.host} ${name}\n${codes.join("\n")}\n`);
      copied = true;
      ctx.announce(t("copy.done"));
    } catch {
      // Without a secure context there is no clipboard; the codes are selected, for copying by hand.
      getSelection()?.selectAllChildren(list);
    }
    refresh(button);
  }
  return h(
    "div",
    { class: "recovery-codes" },
    h("p", { class: "notice" }, () => t("codes.once")),
    h("p", { class: "whose" }, () => t("codes.whose", { name, host: location.host })),
    list,
    h(
      "p",
      { class: "actions" },
      button,
      h("button", { type: "button", onclick: () => print() }, () => t("codes.print")),
    ),
  );
}
