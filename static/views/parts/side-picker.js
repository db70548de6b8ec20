// @ts-check
// The choice of a side.

import { t } from "../../core/i18n.js";
import { choiceRow } from "./choice-row.js";
import { sideMark } from "./side-mark.js";

/** @import { SideWish } from "../../core/types.js" */

/**
 * @param {string} group
 * @param {string} game
 * @param {SideWish} [wished]
 */
export function sidePicker(group, game, wished = "random") {
  let side = wished;
  const el = choiceRow(
    group,
    () => t("new.side"),
    [
      { value: "first", label: () => t(`game.${game}.side.first`), mark: () => sideMark(game, "first") },
      { value: "random", label: () => t("new.side.random"), mark: () => sideMark(game, "random") },
      { value: "second", label: () => t(`game.${game}.side.second`), mark: () => sideMark(game, "second") },
    ],
    side,
    (value) => {
      side = /** @type {SideWish} */ (value);
    },
  );
  return { el, side: () => side };
}
