// @ts-check
// The settings about other players: who may challenge by name, and the blocked players.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getPreferences, patchPreferences } from "../net/api.js";
import { deleteBlock, getBlocks } from "../net/people.js";
import { smallForm } from "./form.js";
import { choiceRow } from "./parts/choice-row.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { paged } from "./parts/paged.js";
import { playerLink } from "./parts/player-link.js";
import { fullName, problemText } from "./texts.js";

/** @import { Preferences } from "../core/types.js" */

const FROM = /** @type {const} */ (["everybody", "registered", "friends", "nobody"]);

/** Who may challenge, and the blocked players. */
export function peoplePart() {
  const error = errorLine();
  const run = (/** @type {Promise<unknown>} */ act) => {
    error.say(null);
    return act.catch((refusal) => error.say(() => problemText(refusal)));
  };
  const { el: rule } = loaded(getPreferences, (preferences) =>
    h(
      "div",
      {},
      choiceRow(
        "set-challenges-from",
        () => t("people.from"),
        FROM.map((value) => ({ value, label: () => t(`people.from.${value}`) })),
        preferences.challenges_from,
        (value) => void run(patchPreferences({ challenges_from: /** @type {Preferences["challenges_from"]} */ (value) })),
      ),
      rangeForm(preferences),
    ),
  );
  const blocks = h("div", {});
  const list = () =>
    paged(
      getBlocks,
      ({ player }) =>
        h(
          "li",
          { class: "owned" },
          playerLink(player),
          h(
            "button",
            { type: "button", onclick: () => void run(deleteBlock(player.name).then(load)) },
            () => t("people.unblock"),
            h("span", { class: "visually-hidden" }, () => `(${fullName(player)})`),
          ),
        ),
      () => t("people.blocks.none"),
      "rows",
    );
  const load = () => blocks.replaceChildren(list());
  load();
  return h(
    "section",
    { class: "card", id: "people" },
    h("h2", {}, () => t("people.title")),
    rule,
    h("h3", {}, () => t("people.blocks")),
    blocks,
    error.el,
    h(
      "p",
      {},
      h("a", { href: "/people" }, () => t("people.yours")),
    ),
  );
}

/** The ratings of those who may challenge; an empty field is no bound. @param {Preferences} preferences */
function rangeForm({ challenge_min_rating, challenge_max_rating }) {
  const field = (/** @type {string} */ name, /** @type {number | null} */ value) =>
    h("input", { name, type: "number", inputmode: "numeric", min: 0, max: 4_000, value: value ?? "" });
  const min = field("challenge-min", challenge_min_rating);
  const max = field("challenge-max", challenge_max_rating);
  const done = h("p", { class: "quiet", role: "status", hidden: true }, () => t("people.range.saved"));
  const given = (/** @type {HTMLInputElement} */ input) => (input.value === "" ? null : Number(input.value));
  const labelled = (/** @type {string} */ key, /** @type {HTMLInputElement} */ input) =>
    h(
      "label",
      {},
      h("span", {}, () => t(key)),
      input,
    );
  const form = smallForm(
    { class: "account rating-range" },
    async () => {
      done.hidden = true;
      await patchPreferences({ challenge_min_rating: given(min), challenge_max_rating: given(max) });
      done.hidden = false;
    },
    () => t("people.range.save"),
    [
      h(
        "fieldset",
        {},
        h("legend", {}, () => t("people.range")),
        labelled("people.range.min", min),
        labelled("people.range.max", max),
      ),
    ],
  );
  return h("div", {}, form, done);
}
