// @ts-check
// The part of the form for a new event by which it is made again and again.
//
//   div.event-repeat
//     fieldset.choice-row (once, every day, on days of the week)
//     fieldset.event-weekdays > label.tick…, fields of the local time and the time zone, p.quiet

import { h, hideWhen, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { WEEKDAYS, weekdayText } from "./event-texts.js";
import { mayRepeat, repeats } from "./new-event-state.js";
import { choiceRow } from "./parts/choice-row.js";

/** @import { NewEvent } from "./new-event-state.js" */

/**
 * @param {NewEvent} form
 * @param {() => boolean} isOperator whether the reader makes timetables for everybody
 * @param {(name: string, attrs: Record<string, import("../core/dom.js").Attr>) => HTMLElement} field a field of the form, with its label
 * @param {() => void} update
 */
export function repeatPart(form, isOperator, field, update) {
  const isRepeated = () => repeats(form, isOperator());
  const days = h(
    "fieldset",
    { class: "event-weekdays" },
    h("legend", {}, () => t("event.new.weekdays")),
    WEEKDAYS.map((day) => dayChoice(form, day)),
    h("p", { class: "error", role: "alert", hidden: () => !lacksDays(form) }, () => (lacksDays(form) ? t("event.bad.weekdays") : "")),
  );
  const zones = h(
    "datalist",
    { id: "event-zones" },
    (Intl.supportedValuesOf?.("timeZone") ?? []).map((zone) => h("option", { value: zone })),
  );
  /** @param {"at" | "zone"} name @param {Record<string, string | number>} attrs */
  const text = (name, attrs) =>
    field(name, {
      required: true,
      value: form[name],
      oninput: (/** @type {{ target: HTMLInputElement }} */ { target }) => {
        form[name] = target.value;
      },
      ...attrs,
    });
  const times = hideWhen(
    h(
      "div",
      { class: "event-times" },
      text("at", { type: "time" }),
      text("zone", { type: "text", list: "event-zones", maxlength: 64 }),
      zones,
    ),
    () => !isRepeated(),
  );
  onRefresh(times, () => {
    for (const input of times.querySelectorAll("input")) input.disabled = !isRepeated();
  });
  return hideWhen(
    h(
      "div",
      { class: "event-repeat" },
      choiceRow(
        "event-repeat",
        () => t("event.new.repeat"),
        ["once", "daily", "weekly"].map((value) => ({ value, label: () => t(`event.repeat.${value}`) })),
        form.repeat,
        (value) => {
          form.repeat = /** @type {NewEvent["repeat"]} */ (value);
          update();
        },
      ),
      hideWhen(days, () => !isRepeated() || form.repeat !== "weekly"),
      times,
      h("p", { class: "quiet", hidden: () => !isRepeated() }, () => t("event.repeat.hint")),
    ),
    () => !mayRepeat(form, isOperator()),
  );
}

/** Whether no day of the week is chosen, after the server has said so. @param {NewEvent} form */
const lacksDays = ({ refusal, repeat, weekdays }) => refusal !== null && repeat === "weekly" && weekdays.length === 0;

/** @param {NewEvent} form @param {(typeof WEEKDAYS)[number]} day */
function dayChoice(form, day) {
  /** @type {HTMLInputElement} */
  const input = h("input", {
    type: "checkbox",
    name: "weekday",
    value: day,
    checked: form.weekdays.includes(day),
    onchange: () => {
      form.weekdays = form.weekdays.filter((other) => other !== day);
      if (input.checked) form.weekdays.push(day);
    },
  });
  return h(
    "label",
    { class: "tick" },
    input,
    h("span", {}, () => weekdayText(day)),
  );
}
