// @ts-check
// The further options of a match: private or not, the players' rights, the rating range of an offer.
//
//   details.match-options
//     summary
//     label.tick…  private, takebacks, those without asking, gifts of time, phrases
//     div.range    the lowest and the highest rating that may accept an offer

import { h, hideWhen } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { mayBeRated } from "../games/index.js";

/** @import { OptionsWish } from "../core/types.js" */

/** The range of ratings that the server accepts. */
const RATINGS = { min: 0, max: 4000, step: 50 };

/**
 * @param {() => { game: string, opponent: string, rated: boolean }} match
 */
export function matchOptions(match) {
  /** The options that the player has set; the others have their defaults. @type {Map<string, boolean>} */
  const wished = new Map();
  const withPeople = () => match().opponent === "friend" || match().opponent === "stranger";
  /** The default of each option, and whether it is offered. */
  const ticks = /** @type {Record<string, { usual: () => boolean, offered: () => boolean }>} */ ({
    private: { usual: () => match().opponent === "device", offered: () => match().opponent !== "stranger" && !match().rated },
    takebacks: { usual: () => !match().rated, offered: () => match().opponent !== "device" && (withPeople() || !match().rated) },
    free_takebacks: { usual: () => false, offered: () => withPeople() && !match().rated },
    give_time: { usual: () => true, offered: withPeople },
    phrases: { usual: () => true, offered: () => match().opponent !== "device" },
  });
  const is = (/** @type {string} */ name) => wished.get(name) ?? ticks[name]?.usual() ?? false;
  const offered = (/** @type {string} */ name) => ticks[name]?.offered() ?? false;
  const range = (/** @type {string} */ label) => {
    const input = h("input", { type: "number", inputmode: "numeric", ...RATINGS });
    return {
      input,
      el: h(
        "label",
        {},
        h("span", {}, () => t(label)),
        input,
      ),
    };
  };
  const lowest = range("options.lowest");
  const highest = range("options.highest");
  // Nobody has a rating in a game without rated matches.
  const hasRange = () => match().opponent === "stranger" && mayBeRated(match().game);
  const bound = (/** @type {HTMLInputElement} */ { value, valueAsNumber }) => (value === "" ? undefined : Math.round(valueAsNumber));

  const el = h(
    "details",
    { class: "match-options" },
    h("summary", {}, () => t("options.title")),
    Object.keys(ticks).map((name) =>
      hideWhen(
        h(
          "label",
          { class: "tick" },
          h("input", {
            type: "checkbox",
            name: `option-${name}`,
            checked: () => is(name),
            onchange: (/** @type {Event} */ event) => {
              wished.set(name, /** @type {HTMLInputElement} */ (event.target).checked);
            },
          }),
          h("span", {}, () => t(`options.${name.replace("_", "-")}`)),
        ),
        () => !offered(name),
      ),
    ),
    hideWhen(h("div", { class: "range" }, lowest.el, highest.el), () => !hasRange()),
  );

  return {
    el,
    /** @returns {{ private?: boolean, options?: OptionsWish }} */
    wish() {
      const options = Object.fromEntries(
        ["takebacks", "free_takebacks", "give_time", "phrases"]
          .filter((name) => offered(name) && wished.has(name))
          .map((name) => [name, is(name)]),
      );
      return { ...(offered("private") ? { private: is("private") } : {}), ...(Object.keys(options).length > 0 ? { options } : {}) };
    },
    /** @returns {{ min_rating?: number, max_rating?: number }} */
    range() {
      if (!hasRange()) return {};
      const [min_rating, max_rating] = [bound(lowest.input), bound(highest.input)];
      return { ...(min_rating === undefined ? {} : { min_rating }), ...(max_rating === undefined ? {} : { max_rating }) };
    },
  };
}
