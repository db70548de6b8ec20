// @ts-check
// A list that is fetched page by page.

import { h, refresh } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { problemText } from "../texts.js";

/**
 * A list that is fetched page by page, with a button for more.
 * @template T
 * @param {(cursor: string | null) => Promise<{ items: T[], next?: string | null }>} fetchPage
 * @param {(item: T) => HTMLElement} row
 * @param {() => HTMLElement} empty shown where the first page is empty
 */
export function paged(fetchPage, row, empty) {
  /** @type {string | null} */
  let cursor = null;
  let busy = false;
  /** @type {unknown} */
  let failed = null;
  /** Counts the requests, so that a late answer to an old one is not shown. */
  let asked = 0;
  const rows = h("ul", { class: "rows" });
  const note = h("div", {});
  const more = h(
    "button",
    { type: "button", disabled: () => busy, hidden: () => cursor === null && failed === null, onclick: () => void load(cursor) },
    () => t(failed === null ? "player.more" : "retry"),
  );
  const problem = h("p", { class: "quiet", role: "status", hidden: () => failed === null }, () =>
    failed === null ? "" : problemText(failed),
  );
  const el = h("div", { class: "loaded", "aria-busy": "true" }, rows, note, problem, more);

  /** @param {string | null} from */
  async function load(from) {
    const question = ++asked;
    busy = true;
    failed = null;
    refresh(el);
    try {
      const page = await fetchPage(from);
      if (question !== asked) return;
      if (from === null) rows.replaceChildren();
      rows.append(...page.items.map(row));
      cursor = page.next ?? null;
    } catch (error) {
      if (question !== asked) return;
      failed = error;
    }
    busy = false;
    note.replaceChildren(...(failed === null && rows.children.length === 0 ? [empty()] : []));
    el.removeAttribute("aria-busy");
    refresh(el);
  }
  void load(null);
  return { el, load: () => load(null) };
}
