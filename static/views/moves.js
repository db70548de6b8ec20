// @ts-check
// The list of plies, for looking back. A row is a turn of the first side and one of the second; the further moves of a turn are in the same
// half of the row.
//
//   div.moves[role=group]
//     ol > li.round > span.number, span.half.first > button…, span.half.second > button…

import { h, onRefresh } from "../core/dom.js";
import { number, t } from "../core/i18n.js";

/** @import { PlyView } from "../core/types.js" */
/** @import { Game } from "../games/types.js" */

/**
 * @param {Game} game
 * @param {() => PlyView[]} plies
 * @param {() => number} shown the number of the shown ply; 0 before the first
 * @param {(ply: number) => void} show
 */
export function moveList(game, plies, shown, show) {
  const rows = h("ol", {});
  const el = h("div", { class: "moves", role: "group", "aria-label": () => t("moves.title"), tabindex: "-1" }, rows);
  /** @type {{ ply: PlyView, button: HTMLElement }[]} */
  let listed = [];
  let rounds = 0;
  /** @type {HTMLElement | null} */
  let current = null;

  /** @param {PlyView} ply @param {PlyView | undefined} before */
  function add(ply, before) {
    let row = rows.lastElementChild;
    if (!row || (ply.side === "first" && before?.side === "second")) {
      rounds += 1;
      const count = rounds;
      row = h(
        "li",
        { class: "round" },
        h("span", { class: "number" }, () => `${number(count)}.`),
        h("span", { class: "half first" }),
        h("span", { class: "half second" }),
      );
      rows.append(row);
    }
    const index = listed.length + 1;
    const button = h("button", { type: "button", onclick: () => show(index) }, () => game.notation(ply.move));
    row.querySelector(`.half.${ply.side}`)?.append(button);
    listed.push({ ply, button });
  }

  onRefresh(el, () => {
    const now = plies();
    const known = listed.length;
    if (now.length < known || listed.some(({ ply }, i) => ply.move !== now[i]?.move)) {
      rows.replaceChildren();
      listed = [];
      rounds = 0;
      current = null;
    }
    for (let i = listed.length; i < now.length; i++) add(/** @type {PlyView} */ (now[i]), now[i - 1]);
    const next = listed[shown() - 1]?.button ?? null;
    if (next === current && known === listed.length) return;
    current?.removeAttribute("aria-current");
    next?.setAttribute("aria-current", "step");
    current = next;
    // Scrolled by hand: scrollIntoView would move the whole page on a phone.
    if (next) el.scrollTop = next.offsetTop - el.clientHeight / 2;
    else el.scrollTop = 0;
  });
  return el;
}
