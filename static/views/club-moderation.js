// @ts-check
// The parts of a club for moderators: its name and texts, an officer where there is none, and its end.
//
//   div
//     form.account          name, texts, officer, reason
//     form.account          the end, with a reason

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { deleteModeratedClub, patchModeratedClub } from "../net/clubs.js";
import { clubFields } from "./club-fields.js";
import { clubText, namingText } from "./club-parts.js";
import { labelled, smallForm } from "./form.js";
import { sureButton } from "./parts/sure-button.js";

/** @import { ClubView } from "../core/types.js" */
/** @import { Run } from "./club-parts.js" */

const MAX_WHY_CHARS = 500;

const whyField = () => h("input", { name: "why", required: true, maxlength: MAX_WHY_CHARS, dir: "auto", autocomplete: "off" });

/** @param {ClubView} view @param {Run} run */
export const moderationPart = (view, run) => h("div", { class: "club-parts" }, changeForm(view), closingForm(view, run));

/** @param {ClubView} view */
function changeForm(view) {
  const fields = clubFields(view);
  const officer = h("input", { name: "new-officer", maxlength: 40, autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const why = whyField();
  const done = h("p", { class: "quiet", role: "status", hidden: true }, () => t("club.saved"));
  const form = smallForm(
    { class: "account" },
    async () => {
      done.hidden = true;
      const more = officer.value.trim() === "" ? {} : { officer: officer.value.trim() };
      await fields.save(more, (change) => patchModeratedClub(view.handle, { ...change, why: why.value }));
      officer.value = "";
      done.hidden = false;
    },
    () => t("club.moderate.save"),
    [
      ...fields.lines,
      ...fields.descriptions,
      // Only a club without officers gets one.
      ...(view.officers.length === 0 ? [labelled(() => t("club.moderate.officer"), officer)] : []),
      labelled(() => t("club.moderate.why"), why),
    ],
    namingText,
  );
  return h("div", {}, form, done);
}

/** @param {ClubView} view @param {Run} run */
function closingForm(view, run) {
  const why = whyField();
  const form = h(
    "form",
    { class: "account", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    labelled(() => t("club.moderate.why"), why),
    sureButton(
      () => clubText(view, "club.close"),
      () => t("club.moderate.close.sure"),
      () => {
        if (form.reportValidity()) run(() => deleteModeratedClub(view.handle, why.value));
      },
    ),
  );
  return form;
}
