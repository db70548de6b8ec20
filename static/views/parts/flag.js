// @ts-check
// The flag that a player has chosen, with the name of its country in the reader's language.
//
//   img.flag

import { h } from "../../core/dom.js";
import { currentLanguage } from "../../core/i18n.js";

/** @import { PlayerRef } from "../../core/types.js" */

/** Adds the flag of a player, if there is one. @param {HTMLElement} el @param {PlayerRef} player */
export function addFlag(el, { flag: code }) {
  if (!code) return;
  const name = () => new Intl.DisplayNames(currentLanguage(), { type: "region" }).of(code);
  const flag = h("img", { class: "flag", src: `/looks/flags/${code}.svg`, alt: name, title: name });
  Object.assign(flag.style, { height: "0.75em", marginInlineStart: "0.35em", outline: "1px solid var(--line)" });
  el.append(flag);
}
