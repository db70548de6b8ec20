// @ts-check
// The moves of a tree: the main line, and after each ply its alternatives.
//
//   div.moves.branches[role=group]
//     p.plies > span.ply…          a line, up to its next branch
//     div.branch > p.plies…        a branch, set in

import { h, onRefresh } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { wayTo } from "../review/tree.js";
import { judgeMove } from "../review/verdict.js";

/** @import { Thought } from "../engine/types.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Place, Tree } from "../review/tree.js" */

/** The usual signs after a bad move, by its name. */
const SIGNS = { none: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Whether a side's turn begins with this ply. @param {Place} place */
const beginsTurn = ({ side, parent }) => !parent?.parent || parent.side !== side;

/** The turns of the first side up to a place, as the list of a match counts them. @param {Place} place */
const roundOf = (place) => wayTo(place).filter((at, i) => (at.side === "first" || i === 0) && beginsTurn(at)).length;

/**
 * @param {Game} game
 * @param {Tree} tree
 * @param {(place: Place) => Thought | undefined} thoughtOf
 * @param {(place: Place) => void} show
 */
export function branchList(game, tree, thoughtOf, show) {
  const el = h("div", { class: "moves branches", role: "group", "aria-label": () => t("moves.title"), tabindex: "-1" });
  let changes = -1;
  /** @type {Place | null} */
  let current = null;
  /** @type {Map<Place, HTMLElement>} */
  const buttons = new Map();

  /** @param {Place} place @param {boolean} isFirst in its row */
  function ply(place, isFirst) {
    const name = () => judgeMove(game.id, place, thoughtOf)?.name ?? null;
    const button = h(
      "button",
      { type: "button", class: () => name() ?? "", "aria-current": () => (tree.at === place ? "step" : null), onclick: () => show(place) },
      () => game.notation(place.move),
      h("span", { "aria-hidden": "true" }, () => SIGNS[name() ?? "none"]),
      h("span", { class: "visually-hidden" }, () => (name() ? ` (${t(`analysis.name.${name()}`)})` : "")),
    );
    buttons.set(place, button);
    const isCounted = isFirst || (beginsTurn(place) && place.side === "first");
    return h(
      "span",
      { class: "ply" },
      isCounted ? h("span", { class: "number" }, () => `${number(roundOf(place))}${place.side === "first" ? "." : "…"}`) : null,
      button,
    );
  }

  /** A line from a place on, the place first. @param {Place} from @returns {HTMLElement[]} */
  function line(from) {
    /** @type {HTMLElement[]} */
    const blocks = [];
    let row = h("p", { class: "plies" });
    for (/** @type {Place | undefined} */ let at = from; at; at = at.next[0]) {
      row.append(ply(at, row.childElementCount === 0));
      const others = at === from ? [] : (at.parent?.next.slice(1) ?? []);
      if (others.length === 0) continue;
      blocks.push(row, ...others.map((other) => h("div", { class: "branch" }, line(other))));
      row = h("p", { class: "plies" });
    }
    if (row.childElementCount > 0) blocks.push(row);
    return blocks;
  }

  onRefresh(el, () => {
    if (changes !== tree.changes) {
      changes = tree.changes;
      buttons.clear();
      const [first, ...others] = tree.root.next;
      const begin = first ? line(first) : [];
      // The alternatives of the first ply come before the main line: after it they would be far away.
      el.replaceChildren(...others.map((other) => h("div", { class: "branch" }, line(other))), ...begin);
      current = null;
    }
    if (current === tree.at) return;
    current = tree.at;
    const here = buttons.get(current);
    // Scrolled by hand: scrollIntoView would move the whole page on a phone.
    el.scrollTop = here ? here.offsetTop - el.clientHeight / 2 : 0;
  });
  return el;
}
