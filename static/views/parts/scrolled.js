// @ts-check
// A place for content wider than the page.

import { h } from "../../core/dom.js";

/**
 * A table that may be wider than its place, and can be scrolled with the keyboard.
 * @param {() => string} label
 * @param {HTMLElement} table
 */
export const scrolled = (label, table) => h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, table);
