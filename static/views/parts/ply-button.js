// @ts-check
// Buttons and keys for going through the plies of a game.

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * @param {string} label a key of the catalogues
 * @param {string} sign the class of its sign
 * @param {() => boolean} disabled
 * @param {() => void} act
 */
export const plyButton = (label, sign, disabled, act) =>
  h(
    "button",
    { type: "button", class: "icon", title: () => t(label), "aria-label": () => t(label), disabled, onclick: act },
    h("span", { class: `sign ${sign}`, "aria-hidden": "true" }),
  );

/**
 * Calls the action of a key that is pressed outside of the board and of fields.
 * @param {Record<string, () => void>} keys by their names
 * @param {KeyboardEvent} event
 */
export function onPlyKey(keys, event) {
  const act = keys[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target instanceof HTMLElement && event.target.closest("input, select, textarea, [role=grid]")) return;
  event.preventDefault();
  act();
}
