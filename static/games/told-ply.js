// @ts-check
// What the last ply did, part by part and in words, for readers who want it.
//
//   details.told-ply > summary, ol > li…

import { h, hideWhen, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { setSetting, setting } from "../core/settings.js";

/** @import { Side } from "../core/types.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { Game } from "./types.js" */

/**
 * @param {NonNullable<Game["told"]>} told
 * @param {() => { before: Pieces, move: string, side: Side } | null} last the shown ply; null before the first
 * @returns {HTMLElement}
 */
export function toldPart(told, last) {
  const parts = h("ol", {});
  const el = h(
    "details",
    { class: "told-ply", open: setting("words") === "on" },
    h("summary", {}, () => t("told.title")),
    parts,
  );
  el.addEventListener("toggle", () => {
    if (el.open !== (setting("words") === "on")) setSetting("words", el.open ? "on" : "off");
  });
  let shown = "";
  onRefresh(parts, () => {
    const ply = last();
    const texts = ply ? told(ply.before, ply.move, ply.side).parts : [];
    if (texts.join("\n") === shown) return;
    shown = texts.join("\n");
    parts.replaceChildren(...texts.map((text) => h("li", {}, text)));
  });
  return hideWhen(el, () => last() === null);
}
