// @ts-check
// The form for reporting a club to the moderators.
//
//   div > form.account | p.notice

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { postClubReport } from "../net/clubs.js";
import { clubProblem, clubText } from "./club-parts.js";
import { labelled, smallForm } from "./form.js";

/** @import { ClubView } from "../core/types.js" */

const REASONS = /** @type {const} */ (["name", "harassing", "other"]);
const MAX_CHARS = 1_000;

/** @param {ClubView} view */
export function reportForm(view) {
  const reason = h(
    "select",
    {
      name: "reason",
      required: true,
      // The reason "other" needs a text.
      onchange: () => {
        text.required = reason.value === "other";
      },
    },
    h("option", { value: "" }, () => t("club.report.choose")),
    REASONS.map((code) => h("option", { value: code }, () => t(`club.report.reason.${code}`))),
  );
  const text = h("textarea", { name: "report", rows: 4, maxlength: MAX_CHARS, dir: "auto" });
  const el = h(
    "div",
    {},
    smallForm(
      { class: "account" },
      async () => {
        await postClubReport(view.handle, { reason: reason.value, text: text.value });
        const done = h("p", { class: "notice", role: "status", tabindex: "-1" }, () => t("club.report.done"));
        el.replaceChildren(done);
        done.focus();
      },
      () => t("club.report.do"),
      [
        h("p", { class: "quiet" }, () => clubText(view, "club.report.hint")),
        labelled(() => t("club.report.reason"), reason),
        labelled(() => t("club.report.text"), text),
      ],
      (refusal) => clubProblem(view, refusal),
    ),
  );
  return el;
}
