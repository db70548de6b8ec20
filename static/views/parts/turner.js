// @ts-check
// A button that turns to the next page or back.

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { sign } from "./sign.js";

/**
 * @param {"back" | "on"} way
 * @param {string} key of its name
 * @param {() => boolean} disabled
 * @param {() => void} onclick
 */
export const turner = (way, key, disabled, onclick) =>
  h("button", { type: "button", class: "icon", title: () => t(key), "aria-label": () => t(key), disabled, onclick }, sign(way));
