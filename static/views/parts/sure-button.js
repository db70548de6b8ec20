// @ts-check
// A button that must be pressed twice.

import { h, refresh } from "../../core/dom.js";
import { sign } from "./sign.js";

/** The time for which a button asks for confirmation. */
const SURE_MS = 4_000;

/**
 * A button that must be pressed twice.
 * @param {() => string} label
 * @param {() => string} sureLabel
 * @param {() => void} act
 * @param {Record<string, import("../../core/dom.js").Attr>} [attrs]
 * @param {string} [of] the subject of the action, for screen readers
 * @param {string} [symbol] a sign before the text
 */
export function sureButton(label, sureLabel, act, attrs = {}, of = "", symbol = "") {
  /** @type {ReturnType<typeof setTimeout> | null} */
  let sure = null;
  const calm = () => {
    if (sure) clearTimeout(sure);
    sure = null;
    refresh(button);
  };
  const button = h(
    "button",
    {
      type: "button",
      class: () => (sure ? "sure" : ""),
      onblur: calm,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Escape") calm();
      },
      onclick: () => {
        if (sure) {
          calm();
          act();
        } else {
          sure = setTimeout(calm, SURE_MS);
          refresh(button);
        }
      },
      ...attrs,
    },
    ...(symbol === "" ? [] : [sign(symbol), " "]),
    () => (sure ? sureLabel() : label()),
    of === "" ? null : h("span", { class: "visually-hidden" }, `(${of})`),
  );
  return button;
}
