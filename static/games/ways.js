// @ts-check
// The choice bar below a board: a button for each legal move of the chosen cells, named in words, for a game in which a move is more than its
// cells say. The game's file brings it with it, and its style is in the game's own sheet: other games do without them. It serves beginners, the
// keyboard and screen readers.
//
//   div.way-bar[role=group]
//     p.quiet
//     button…

import { h, refresh } from "../core/dom.js";
import { currentLanguage, t } from "../core/i18n.js";

/** @import { BoardState, Pieces } from "../board/state.js" */
/** @import { Look, WayBar } from "../board/render.js" */
/** @import { Side } from "../core/types.js" */

/** The legal moves that begin with the chosen cells. @param {Pick<BoardState, "options" | "picked">} state */
export const movesFrom = ({ options, picked }) =>
  picked.length === 0 ? [] : options.filter(({ path }) => picked.every((cell, i) => path[i] === cell)).map(({ move }) => move);

/**
 * @param {(moves: string[], pieces: Pieces, side: Side) => string[]} ways the names of legal moves
 * @param {Parameters<NonNullable<Look["wayBar"]>>[0]} page
 * @returns {WayBar}
 */
export function wayBar(ways, { announce, onMove }) {
  const hint = h("p", { class: "quiet" }, () => t("ways.hint"));
  const el = h("div", { class: "way-bar", role: "group", "aria-label": () => t("ways.title") }, hint);
  let shown = "";

  /** @param {BoardState} state */
  function show({ options, picked, hand, pieces }) {
    const moves = hand === null ? [] : movesFrom({ options, picked });
    const key = [currentLanguage(), ...moves].join(" ");
    // Nothing to choose from, for a moment or for as long as the opponent thinks: the bar keeps its place.
    hint.style.visibility = hand === null || options.length === 0 ? "hidden" : "";
    refresh(el);
    if (key === shown) return;
    shown = key;
    const names = hand === null ? [] : ways(moves, pieces, hand);
    const held = el.contains(document.activeElement);
    const buttons = moves.map((move, i) => h("button", { type: "button", onclick: () => onMove(move) }, h("span", {}, names[i] ?? move)));
    el.replaceChildren(...(buttons.length > 0 ? buttons : [hint]));
    // A reader with the keyboard goes on at the next choice, or back on the board.
    const next = buttons[0] ?? el.parentElement?.querySelector('[role="grid"] [tabindex="0"]');
    if (held && next instanceof HTMLElement) next.focus({ preventScroll: true });
    if (moves.length > 0) announce(names.join(", "));
  }

  return { el, show };
}
