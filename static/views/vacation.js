// @ts-check
// The vacation of an account, in the settings: its own clocks by the day end no match while it lasts.
//
//   section.card.vacation
//     h2, p…, form.account | p, button

import { h } from "../core/dom.js";
import { loadPart, moment, t } from "../core/i18n.js";
import { beginVacation, endVacation, getVacation } from "../net/correspondence.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { sureButton } from "./parts/sure-button.js";
import { problemText } from "./texts.js";

/** @import { Vacation } from "../core/types.js" */

export function vacationPart() {
  const error = errorLine();
  /** The result of an action; the next build shows it. @type {Vacation | null} */
  let given = null;
  const content = loaded(
    async () => (await Promise.all([given ?? getVacation(), loadPart("turns")]))[0],
    (vacation) => (vacation.until === null ? beginPart(vacation, run) : lastingPart(vacation.until, run)),
  );
  /** @param {() => Promise<Vacation>} act */
  async function run(act) {
    error.say(null);
    try {
      given = await act();
    } catch (problem) {
      given = null;
      error.say(() => problemText(problem));
    }
    content.load();
  }
  return h("section", { class: "card vacation" }, content.el, error.el);
}

/** @typedef {(act: () => Promise<Vacation>) => Promise<void>} Run */

/** @param {string} until @param {Run} run */
const lastingPart = (until, run) =>
  h(
    "div",
    {},
    h("h2", {}, () => t("vacation.title")),
    h("p", { role: "status" }, () => t("vacation.until", { until: moment(until) })),
    h("p", { class: "quiet" }, () => t("vacation.end.hint")),
    h("button", { type: "button", onclick: () => void run(endVacation) }, () => t("vacation.end")),
  );

/** @param {Vacation} vacation @param {Run} run */
function beginPart({ days_left, most_days, not_before }, run) {
  const days = h(
    "select",
    { name: "vacation-days" },
    Array.from({ length: most_days }, (_, at) => h("option", { value: String(at + 1) }, () => t("tokens.days", { n: at + 1 }))),
  );
  return h(
    "div",
    {},
    h("h2", {}, () => t("vacation.title")),
    h("p", {}, () => t("vacation.lead")),
    h("p", { class: "quiet" }, () => `${t("vacation.bounds")} ${t("vacation.left", { n: days_left })}.`),
    not_before ? h("p", {}, () => t("vacation.not-before", { from: moment(not_before) })) : null,
    most_days === 0
      ? null
      : h(
          "div",
          { class: "account" },
          h(
            "label",
            {},
            h("span", {}, () => t("vacation.length")),
            days,
          ),
          sureButton(
            () => t("vacation.begin"),
            () => t("vacation.begin.sure"),
            () => void run(() => beginVacation(Number(days.value))),
          ),
        ),
  );
}
