// @ts-check
// A form's line for its error.

import { h, refresh } from "../../core/dom.js";

/**
 * A form's line for its error; usually empty.
 * @returns {{ el: HTMLElement, say: (text: (() => string) | null) => void }}
 */
export function errorLine() {
  /** @type {(() => string) | null} */
  let text = null;
  const el = h("p", { class: "error", role: "alert", hidden: () => text === null }, () => (text ? text() : ""));
  return {
    el,
    say(next) {
      text = next;
      refresh(el);
    },
  };
}
