// @ts-check
// The choice of a time control.

import { h, refresh } from "../../core/dom.js";
import { number, t } from "../../core/i18n.js";
import { controlOf, speedOf } from "../../core/time.js";
import { choiceRow } from "./choice-row.js";

/** @import { TimeChoice } from "../../core/time.js" */

/** Days for each turn of a correspondence match. */
const DAYS = [1, 2, 3, 5, 7, 14];

/** The time controls offered as buttons; a middle one is the default. */
const PRESETS = /** @type {[number, number][]} */ ([
  [1, 1],
  [3, 2],
  [5, 3],
  [10, 5],
  [30, 10],
]);

const DEFAULT_PRESET = "5+3";

/**
 * The choice of a time control: presets, custom minutes and seconds, days for each turn, or no limit.
 * @param {string} group
 * @param {TimeChoice} first
 * @param {() => void} [onChange]
 */
export function timePicker(group, first, onChange = () => {}) {
  let { chosen } = first;
  /** Whether the player has chosen; until then the page may change the choice. */
  let touched = false;
  const minutes = h("input", { type: "number", inputmode: "decimal", min: 0.25, max: 180, step: "any", value: first.minutes });
  const seconds = h("input", { type: "number", inputmode: "numeric", min: 0, max: 180, step: 1, value: first.seconds });
  const own = ownTime([
    ["time.minutes", minutes],
    ["time.increment", seconds],
  ]);
  const days = h(
    "select",
    {},
    DAYS.map((n) => h("option", { value: n }, () => t("time.days", { n }))),
  );
  days.value = String(first.days);
  const ownDays = ownTime([["time.turn", days]]);
  const choice = () => ({ chosen, minutes: minutes.valueAsNumber, seconds: seconds.valueAsNumber, days: Number(days.value) });
  const control = () => controlOf(choice());
  const speed = h("output", { class: "speed" }, () => (chosen === "unlimited" ? "" : t(`speed.${speedOf(control())}`)));
  const presets = PRESETS.map(([base, increment]) => ({
    value: `${base}+${increment}`,
    label: () => `${number(base)} + ${number(increment)}`,
  }));
  const others = ["own", "days", "unlimited"].map((value) => ({ value, label: () => t(`time.choice.${value}`) }));
  const row = choiceRow(
    group,
    () => t("new.time"),
    [...presets, ...others],
    chosen,
    (value) => {
      touched = true;
      choose(value);
      onChange();
    },
  );

  /** @param {string} value */
  function choose(value) {
    chosen = value;
    own.hidden = value !== "own";
    ownDays.hidden = value !== "days";
    for (const input of row.querySelectorAll("input")) input.checked = input.value === value;
    refresh(speed);
  }

  choose(chosen);
  row.querySelector("legend")?.append(" ", speed);
  own.addEventListener("input", () => refresh(speed));
  return {
    el: h("div", { class: "time-picker" }, row, own, ownDays),
    choice,
    control,
    /** Sets the time control of a player who has not chosen: none, or the default. @param {boolean} unlimited */
    propose(unlimited) {
      if (!touched) choose(unlimited ? "unlimited" : DEFAULT_PRESET);
    },
  };
}

/** The fields of a time that is no preset. @param {[string, HTMLElement][]} fields each with the key of its label */
const ownTime = (fields) =>
  h(
    "div",
    { class: "own-time", hidden: true },
    fields.map(([label, input]) =>
      h(
        "label",
        {},
        h("span", {}, () => t(label)),
        input,
      ),
    ),
  );
