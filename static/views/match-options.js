// @ts-check
// The further options of a match: private or not, the players' rights, the rating range of an offer, unequal clocks.
//
//   details.match-options
//     summary
//     label.tick…  private, takebacks, those without asking, gifts of time, phrases
//     div.range    the lowest and the highest rating that may accept an offer
//     div.range    the minutes that each player of a challenge has beyond the base time

import { h, hideWhen } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { mayBeRated } from "../games/index.js";

/** @import { Challenge, OptionsWish } from "../core/types.js" */

/** The range of ratings that the server accepts. */
const RATINGS = { min: 0, max: 4000, step: 50 };
/** The minutes beyond the base time that the server accepts. */
export const EXTRA = { min: 0, max: 60, step: 1 };

/**
 * A number with its label. Where it is not offered it is disabled, so that no value that the reader cannot see refuses the form.
 * @param {string} label
 * @param {typeof EXTRA} limits
 * @param {string} name
 * @param {() => boolean} offered
 */
function numberField(label, limits, name, offered) {
  const input = h("input", { type: "number", inputmode: "numeric", name, disabled: () => !offered(), ...limits });
  return {
    input,
    el: h(
      "label",
      {},
      h("span", {}, () => t(label)),
      input,
    ),
  };
}

/**
 * @param {() => { game: string, opponent: string, rated: boolean, hasClock: boolean }} match
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
  // Nobody has a rating in a game without rated matches.
  const hasRange = () => match().opponent === "stranger" && mayBeRated(match().game);
  const hasExtra = () => match().opponent === "friend" && !match().rated && match().hasClock;
  const lowest = numberField("options.lowest", RATINGS, "lowest-rating", hasRange);
  const highest = numberField("options.highest", RATINGS, "highest-rating", hasRange);
  const own = numberField("options.extra.own", EXTRA, "extra-own", hasExtra);
  const theirs = numberField("options.extra.opponent", EXTRA, "extra-opponent", hasExtra);
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
    hideWhen(h("div", { class: "range" }, own.el, theirs.el), () => !hasExtra()),
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
    /** The time of a challenge beyond the base time. @returns {{ extra_minutes?: Challenge["extra_minutes"] }} */
    extra() {
      const [challenger, opponent] = [bound(own.input) ?? 0, bound(theirs.input) ?? 0];
      return hasExtra() && (challenger > 0 || opponent > 0) ? { extra_minutes: { challenger, opponent } } : {};
    },
    /** @returns {{ min_rating?: number, max_rating?: number }} */
    range() {
      if (!hasRange()) return {};
      const [min_rating, max_rating] = [bound(lowest.input), bound(highest.input)];
      return { ...(min_rating === undefined ? {} : { min_rating }), ...(max_rating === undefined ? {} : { max_rating }) };
    },
  };
}
