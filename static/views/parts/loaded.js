// @ts-check
// Fetched content, with a text until it is there.

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { problemText } from "../texts.js";

/**
 * Fetched content: until it is there, the place shows that it is loading, or why that failed.
 * @template T
 * @param {() => Promise<T>} fetchIt
 * @param {(value: T) => HTMLElement | null} build
 * @param {{ problem?: (error: unknown) => HTMLElement, first?: Element | null }} [options] `first` is shown until it is there
 */
export function loaded(fetchIt, build, { problem, first = null } = {}) {
  const host = h("div", { class: "loaded", "aria-busy": "true" }, first);
  const fail = (/** @type {unknown} */ error) =>
    problem?.(error) ??
    h(
      "p",
      { class: "quiet" },
      () => problemText(error),
      " ",
      h("button", { type: "button", onclick: load }, () => t("retry")),
    );
  async function load() {
    /** @type {HTMLElement | null} */
    let content;
    try {
      content = build(await fetchIt());
    } catch (error) {
      content = fail(error);
    }
    host.removeAttribute("aria-busy");
    host.replaceChildren(...(content ? [content] : []));
  }
  void load();
  return { el: host, load };
}
