// @ts-check
// A list that is fetched page by page.
//
//   div
//     ul, p.quiet (where it is empty), p.error, button for more

import { h, hideWhen, refresh } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { problemText } from "../texts.js";
import { errorLine } from "./error-line.js";

/** @import { Page } from "../../core/types.js" */

/**
 * A list that is fetched page by page.
 * @template T
 * @param {(cursor: string | null) => Promise<Page<T>>} fetchPage
 * @param {(item: T) => HTMLElement} row
 * @param {() => string} none shown for an empty list
 * @param {string} [list] the class of the list
 */
export function paged(fetchPage, row, none, list = "reports") {
  /** @type {string | null} */
  let cursor = null;
  let busy = false;
  let done = false;
  const rows = h("ul", { class: list });
  const empty = hideWhen(h("p", { class: "quiet" }, none), () => !done || rows.childElementCount > 0);
  const error = errorLine();
  const more = h("button", { type: "button", onclick: load, disabled: () => busy, hidden: () => done }, () => t("player.more"));
  const el = h("div", { "aria-busy": () => (busy && rows.childElementCount === 0 ? "true" : null) }, rows, empty, error.el, more);
  async function load() {
    if (busy) return;
    busy = true;
    error.say(null);
    refresh(el);
    try {
      const page = await fetchPage(cursor);
      cursor = page.next ?? null;
      done = cursor === null;
      rows.append(...page.items.map(row));
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
    busy = false;
    refresh(el);
  }
  void load();
  return el;
}
