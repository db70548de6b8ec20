// @ts-check
// What the last ply did, part by part and in words, for readers who want it.
//
//   details.told-ply > summary, ol > li…

import { h, hideWhen, onRefresh } from "../core/dom.js";
import { currentLanguage, t } from "../core/i18n.js";
import { setSetting, setting } from "../core/settings.js";

/** @import { Game, Ply } from "./types.js" */

/**
 * @param {Pick<Game, "parse"> & { told: NonNullable<Game["told"]> }} game
 * @param {() => Ply | null} last the shown ply; null before the first
 * @returns {HTMLElement}
 */
export function toldPart({ parse, told }, last) {
  const parts = h("ol", {});
  const el = h(
    "details",
    { class: "told-ply", open: setting("words") === "on" },
    h("summary", {}, () => t("told.title")),
    parts,
  );
  let shown = "";
  function show() {
    const ply = last();
    // Most readers leave it closed.
    if (!el.open || ply === null) return;
    const { position, move, side } = ply;
    const key = [currentLanguage(), position, move].join();
    if (key === shown) return;
    shown = key;
    parts.replaceChildren(...told(parse(position).pieces, move, side).parts.map((text) => h("li", {}, text)));
  }
  el.addEventListener("toggle", () => {
    show();
    if (el.open !== (setting("words") === "on")) setSetting("words", el.open ? "on" : "off");
  });
  onRefresh(parts, show);
  return hideWhen(el, () => last() === null);
}
