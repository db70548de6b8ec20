// @ts-check
// The rules of a game in a sheet over its board, so that a player need not leave the match.
//
//   dialog.sheet.rules > p.lead, section.lesson…

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { openSheet } from "./parts/sheet.js";
import { lessonParts } from "./rules.js";

/** @import { Game } from "../games/types.js" */
/** @import { Context } from "./context.js" */

/** Opens the sheet. @param {Pick<Context, "announce">} ctx @param {Game} game */
export function openRules(ctx, game) {
  const lessons = lessonParts(ctx, game);
  openSheet(
    "rules",
    () => t(`rules.${game.id}.title`),
    [h("p", { class: "lead" }, () => t(`rules.${game.id}.lead`)), ...lessons.els],
    lessons.destroy,
  );
}
