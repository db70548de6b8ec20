// @ts-check
// The parts of a class on the page of a club: the permissions of pupils, and the place of the parts for teachers.

import { h, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { loadPart, t } from "../core/i18n.js";
import { RULES } from "./class-parts.js";
import { clubCard } from "./club-parts.js";

/** @import { ClassRules, ClubView } from "../core/types.js" */
/** @import { Place } from "./class-parts.js" */
/** @import { Context } from "./context.js" */

/** Loads the texts and the styles of classes. */
export const loadClass = () => Promise.all([loadPart("class"), loadStyle("class")]);

/** The parts that a class has more than a club. @param {Context} ctx @param {ClubView} view @param {Place} place @returns {HTMLElement | null} */
export function classPart(ctx, view, place) {
  if (view.standing === "officer") return teacherSlot(ctx, view, place);
  return view.class?.own_pupil ? pupilPart(view.class.rules) : null;
}

/** What the rules of the class mean for one of its pupils. @param {ClassRules} rules */
const pupilPart = (rules) =>
  clubCard(
    "class.pupil",
    h(
      "ul",
      { class: "class-rules" },
      RULES.map((rule) => h("li", {}, () => t(`class.pupil.${rule}.${rules[rule] ? "on" : "off"}`))),
    ),
    h("p", { class: "quiet" }, () => t("class.pupil.account")),
  );

/** The place of the parts for teachers, which other readers do not load. @param {Context} ctx @param {ClubView} view @param {Place} place */
function teacherSlot(ctx, view, place) {
  const slot = h("div", { class: "loaded", "aria-busy": "true" });
  import("./class-teacher.js").then(
    ({ teacherPart }) => {
      slot.removeAttribute("aria-busy");
      slot.append(teacherPart(ctx, view, place));
      refresh(slot);
    },
    () => {
      slot.removeAttribute("aria-busy");
      slot.append(h("p", { class: "quiet" }, () => t("problem.offline")));
    },
  );
  return slot;
}
