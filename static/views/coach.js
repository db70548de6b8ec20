// @ts-check
// Hints for a player's first match of a game: one at each of their first moves, once on this device.
//
//   div.coach > p.coach-step, p, button

import { h, hideWhen } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { isOver, isSeated } from "./match-state.js";

/** @import { Table } from "./match-state.js" */

/** The games whose hints were shown, as words. */
const STORED = "mawe.coached";

/** The hints of each game, as keys of the catalogues. @type {Record<string, string[]>} */
const HINTS = {
  mawe: ["mawe.1", "mawe.2", "mawe.3"],
  reversi: ["reversi.1", "reversi.2", "reversi.3"],
  checkers: ["checkers.1", "checkers.2", "checkers.3"],
  drafti: ["checkers.1", "checkers.2", "draughts.3"],
  brazilian: ["checkers.1", "brazilian.2", "draughts.3"],
  russian: ["checkers.1", "russian.2", "draughts.3"],
  international: ["checkers.1", "brazilian.2", "draughts.3"],
  pool: ["checkers.1", "russian.2", "draughts.3"],
  kalah: ["sow", "kalah.2", "kalah.3"],
  oware: ["sow", "oware.2", "oware.3"],
  congkak: ["sow", "congkak.2", "congkak.3"],
  bao: ["bao.1", "bao.2", "bao.3"],
  pallanguzhi: ["sow", "pallanguzhi.2", "pallanguzhi.3"],
};

/** The hint at a number of the reader's own plies; null after the last. @param {string} game @param {number} plies */
export const hintAt = (game, plies) => HINTS[game]?.[plies] ?? null;

/** @param {Table} table @param {() => void} update */
export function coachPart(table, update) {
  const { game, match, oneDevice } = table;
  // A match that was begun before is no first one.
  let done = coached().includes(game.id) || !isSeated(table) || match.view.plies.length > 1;
  const own = () => match.view.plies.filter(({ side }) => oneDevice || side === match.you).length;
  const hint = () => (done || isOver(table) ? null : hintAt(game.id, own()));

  function finish() {
    done = true;
    remember(game.id);
    update();
  }

  return hideWhen(
    h(
      "div",
      { class: "coach" },
      h("p", { class: "coach-step" }, () => t("coach.title", { n: own() + 1, of: HINTS[game.id]?.length ?? 0 })),
      h("p", {}, () => {
        const key = hint();
        // After the last hint the next match has none.
        if (!done && hintAt(game.id, own()) === null) {
          done = true;
          remember(game.id);
        }
        return key === null ? "" : t(`coach.${key}`);
      }),
      h("button", { type: "button", class: "plain", onclick: finish }, () => t("coach.hide")),
    ),
    () => hint() === null,
  );
}

/** @returns {string[]} */
function coached() {
  try {
    return (localStorage.getItem(STORED) ?? "").split(" ").filter(Boolean);
  } catch {
    return [];
  }
}

/** @param {string} game */
function remember(game) {
  try {
    localStorage.setItem(STORED, [...new Set([...coached(), game])].join(" "));
  } catch {
    // Then the hints are shown again.
  }
}
