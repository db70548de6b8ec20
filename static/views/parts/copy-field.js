// @ts-check
// A field with a link for copying.

import { h, refresh } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** @import { Context } from "../context.js" */

/**
 * A field with a link for copying.
 * @param {() => string} label
 * @param {string} url
 * @param {Pick<Context, "announce">} ctx
 */
export function copyField(label, url, ctx) {
  let copied = false;
  const input = h("input", { type: "text", readonly: true, value: url, "aria-label": label });
  input.addEventListener("focus", () => input.select());
  const button = h("button", { type: "button", onclick: copy }, () => t(copied ? "copy.done" : "copy.do"));
  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      copied = true;
      ctx.announce(t("copy.done"));
    } catch {
      // Without a secure context there is no clipboard; the link is selected, for copying by hand.
      input.focus();
      input.select();
    }
    refresh(button);
  }
  return h("div", { class: "copy-field" }, input, button);
}
