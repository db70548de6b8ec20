// @ts-check
// The choices of a game's options.

import { h, hideWhen } from "../../core/dom.js";
import { t, tOr } from "../../core/i18n.js";
import { isOpen, setupOf } from "../../games/setup.js";
import { choiceRow } from "./choice-row.js";

/** @import { GameEntry } from "../../games/types.js" */

/**
 * The choices of a game's options; hidden without any.
 * @param {GameEntry} game
 * @param {() => boolean} [isHere] whether the match is made on this device, without the server
 * @param {() => void} [onChange]
 */
export function setupPicker({ id, options }, isHere = () => false, onChange = () => {}) {
  const offered = options.filter(({ values }) => values.length > 0);
  const chosen = new Map(offered.map(({ key, standard }) => [key, standard]));
  const el = h(
    "div",
    { class: "setup", hidden: offered.length === 0 },
    offered.map((option) => {
      const { key, values, standard } = option;
      return hideWhen(
        choiceRow(
          `option-${key}`,
          () => t(`option.${key}.title`),
          values.map((value) => ({
            value,
            label: () => tOr(`game.${id}.option.${key}.${value}`, "option.number", { n: Number(value) }),
          })),
          standard,
          (value) => {
            chosen.set(key, value);
            onChange();
          },
        ),
        () => !isOpen(option, chosen, isHere()),
      );
    }),
  );
  return {
    el,
    /** @param {boolean} isRated */
    setup: (isRated) => setupOf(offered, chosen, { isRated, isHere: isHere() }),
  };
}
