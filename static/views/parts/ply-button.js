// @ts-check
// Buttons and keys for going through the plies of a game.

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { sign } from "./sign.js";

/**
 * @param {string} label a key of the catalogues
 * @param {Parameters<typeof sign>[0]} symbol
 * @param {() => boolean} disabled
 * @param {() => void} act
 */
export const plyButton = (label, symbol, disabled, act) =>
  h("button", { type: "button", class: "icon", title: () => t(label), "aria-label": () => t(label), disabled, onclick: act }, sign(symbol));

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
