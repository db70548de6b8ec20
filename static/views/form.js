// @ts-check
// A form that shows its error and cannot be sent twice, and its fields.

import { h, refresh } from "../core/dom.js";
import { errorLine } from "./parts/error-line.js";
import { problemText } from "./texts.js";

/** A field with its label. @param {() => string} label @param {HTMLElement} input */
export const labelled = (label, input) => h("label", {}, h("span", {}, label), input);

/**
 * @param {Record<string, import("../core/dom.js").Attr>} attrs
 * @param {() => Promise<void>} act
 * @param {() => string} label
 * @param {HTMLElement[]} fields
 * @param {(refusal: unknown) => string} [told] the text of a refusal, in the reader's language
 */
export function smallForm(attrs, act, label, fields, told = problemText) {
  const error = errorLine();
  let busy = false;
  const button = h("button", { type: "submit", disabled: () => busy }, label);
  return h(
    "form",
    {
      ...attrs,
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        if (busy) return;
        busy = true;
        error.say(null);
        refresh(button);
        await act().catch((refusal) => error.say(() => told(refusal)));
        busy = false;
        refresh(button);
      },
    },
    ...fields,
    error.el,
    button,
  );
}
