// @ts-check
// The choice of a time control.

import { h, refresh } from "../../core/dom.js";
import { BASE_MS, INCREMENT_MS } from "../../core/facts.js";
import { number, t } from "../../core/i18n.js";
import { speedOf } from "../../core/time.js";
import { choiceRow } from "./choice-row.js";

/** @import { TimeControl } from "../../core/types.js" */

/** Days for each turn of a correspondence match. */
const DAYS = [1, 2, 3, 5, 7, 14];

const DEFAULT_DAYS = 3;

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
 * A choice of time: `base+increment` of a preset, `own` minutes and seconds, `days` for each turn, or `unlimited`.
 * @typedef {{ chosen: string, minutes: number, seconds: number, days: number }} TimeChoice
 */

/** The time control of a choice, within the server's limits. @param {TimeChoice} choice @returns {TimeControl} */
export function controlOf({ chosen, minutes, seconds, days }) {
  if (chosen === "days") return { kind: "correspondence", days };
  if (chosen === "unlimited") return { kind: "unlimited" };
  const [base = 5, increment = 3] = chosen === "own" ? [minutes || 15, seconds || 0] : chosen.split("+").map(Number);
  const whole = (/** @type {number} */ value, /** @type {readonly [number, number]} */ [min, max]) =>
    Math.round(Math.max(min, Math.min(max, value)));
  return { kind: "realtime", base_ms: whole(base * 60_000, BASE_MS), increment_ms: whole(increment * 1000, INCREMENT_MS) };
}

/**
 * The choice of a time control: presets, custom minutes and seconds, days for each turn, or no limit.
 * @param {string} group
 * @param {() => void} [onChange]
 */
export function timePicker(group, onChange = () => {}) {
  let chosen = DEFAULT_PRESET;
  /** Whether the player has chosen; until then the page may change the choice. */
  let touched = false;
  const minutes = h("input", { type: "number", inputmode: "decimal", min: 0.25, max: 180, step: "any", value: 15 });
  const seconds = h("input", { type: "number", inputmode: "numeric", min: 0, max: 180, step: 1, value: 10 });
  const own = ownTime([
    ["time.minutes", minutes],
    ["time.increment", seconds],
  ]);
  const days = h(
    "select",
    {},
    DAYS.map((n) => h("option", { value: n }, () => t("time.days", { n }))),
  );
  days.value = String(DEFAULT_DAYS);
  const ownDays = ownTime([["time.turn", days]]);
  const control = () => controlOf({ chosen, minutes: minutes.valueAsNumber, seconds: seconds.valueAsNumber, days: Number(days.value) });
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

  row.querySelector("legend")?.append(" ", speed);
  own.addEventListener("input", () => refresh(speed));
  return {
    el: h("div", { class: "time-picker" }, row, own, ownDays),
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
