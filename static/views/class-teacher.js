// @ts-check
// The parts of a class for its teachers: the pupils, their permissions, and the downloads.
//
//   div.club-parts
//     section.card  pupils (`class-pupils.js`)
//     section.card  ul.class-rules > li > label.tick, p
//     section.card  downloads

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { classExport, patchRules } from "../net/classes.js";
import { RULES } from "./class-parts.js";
import { pupilsPart } from "./class-pupils.js";
import { clubCard, clubProblem } from "./club-parts.js";
import { errorLine } from "./parts/error-line.js";

/** @import { ClubView } from "../core/types.js" */
/** @import { Place } from "./class-parts.js" */
/** @import { Context } from "./context.js" */

/** @param {Context} ctx @param {ClubView} view @param {Place} place */
export const teacherPart = (ctx, view, place) =>
  h("div", { class: "club-parts" }, pupilsPart(ctx, view, place), rulesPart(ctx, view), exportPart(view));

/** The switches, each with what it does. A change is sent at once. @param {Context} ctx @param {ClubView} view */
function rulesPart(ctx, view) {
  const error = errorLine();
  const rows = RULES.map((rule) => {
    const box = h("input", {
      type: "checkbox",
      role: "switch",
      name: rule,
      checked: view.class?.rules[rule],
      "aria-describedby": `rule-${rule}`,
      onchange: () => void change(),
    });
    async function change() {
      error.say(null);
      box.disabled = true;
      try {
        await patchRules(view.handle, { [rule]: box.checked });
        ctx.announce(t("club.saved"));
      } catch (refusal) {
        box.checked = !box.checked;
        error.say(() => clubProblem(view, refusal));
      }
      box.disabled = false;
      box.focus();
    }
    return h(
      "li",
      {},
      h(
        "label",
        { class: "tick" },
        box,
        h("span", {}, () => t(`class.rule.${rule}`)),
      ),
      h("p", { class: "quiet", id: `rule-${rule}` }, () => t(`class.rule.${rule}.hint`)),
    );
  });
  return clubCard("class.rules", h("ul", { class: "class-rules" }, rows), error.el);
}

/** @param {ClubView} view */
function exportPart({ handle }) {
  const { all, matches } = classExport(handle);
  const download = (/** @type {string} */ href, /** @type {string} */ file, /** @type {string} */ label) =>
    h(
      "li",
      {},
      h("a", { href, download: file }, () => t(label)),
    );
  return clubCard(
    "class.export",
    h("p", { class: "quiet" }, () => t("class.export.hint")),
    h(
      "ul",
      { class: "plain" },
      download(all, `${handle}.json`, "class.export.all"),
      download(matches, `${handle}.ndjson`, "class.export.matches"),
    ),
  );
}
