// @ts-check
// Links to the same page of every game.

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { GAMES } from "../../games/index.js";

/**
 * Links to the same page of every game.
 * @param {string} current
 * @param {string} page
 */
export function gameLinks(current, page) {
  return h(
    "nav",
    { class: "games", "aria-label": () => t("new.game") },
    GAMES.map(({ id }) =>
      h("a", { class: "button", href: `/${page}/${id}`, "aria-current": id === current ? "page" : null }, () => t(`game.${id}.name`)),
    ),
  );
}
