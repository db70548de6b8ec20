// @ts-check
// The rules of a game in a sheet over its board, so that a player need not leave the match.
//
//   dialog.sheet.rules
//     div.sheet-head > h2, button (close)
//     p.lead, section.lesson…

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { lessonParts } from "./rules.js";

/** @import { Game } from "../games/types.js" */
/** @import { Context } from "./context.js" */

/** Opens the sheet; Escape, its button and a press outside close it. @param {Pick<Context, "announce">} ctx @param {Game} game */
export function openRules(ctx, game) {
  const lessons = lessonParts(ctx, game);
  /** @type {HTMLDialogElement} */
  const sheet = h(
    "dialog",
    { class: "sheet rules", "aria-label": () => t(`rules.${game.id}.title`) },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", {}, () => t(`rules.${game.id}.title`)),
      h("button", { type: "button", onclick: () => sheet.close() }, () => t("notice.close")),
    ),
    h("p", { class: "lead" }, () => t(`rules.${game.id}.lead`)),
    ...lessons.els,
  );
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  sheet.addEventListener("close", () => {
    lessons.destroy();
    sheet.remove();
  });
  // It goes with the view.
  document.querySelector("main")?.append(sheet);
  sheet.showModal();
}
