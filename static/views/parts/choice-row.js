// @ts-check
// A choice of one among few.
//
//   fieldset.choice-row
//     legend
//     div.choices > label.choice… > input[type=radio], span

import { h } from "../../core/dom.js";

/**
 * A choice of one among few, as a row of buttons made of radio buttons.
 * @param {string} group
 * @param {() => string} legend
 * @param {{ value: string, label: () => string, name?: () => string, mark?: () => SVGElement, lang?: string }[]} choices `name`: with the
 *   label and more, for screen readers; `lang`: of a label that is the same in every language of the page
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
export function choiceRow(group, legend, choices, chosen, onChange) {
  return h(
    "fieldset",
    { class: `choice-row ${group}` },
    h("legend", {}, legend),
    h(
      "div",
      { class: "choices" },
      choices.map(({ value, label, name, mark, lang }) =>
        h(
          "label",
          { class: "choice" },
          h("input", {
            type: "radio",
            name: group,
            value,
            checked: value === chosen,
            "aria-label": name,
            onchange: () => onChange(value),
          }),
          h("span", { lang }, mark ? mark() : null, label),
        ),
      ),
    ),
  );
}
