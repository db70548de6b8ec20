// @ts-check
// The reader's relation to a player, on the player's page: follow, block, and what holds now.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { deleteBlock, deleteFollow, getRelation, postBlock, postFollow } from "../net/people.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { sureButton } from "./parts/sure-button.js";
import { problemText } from "./texts.js";

/** @import { RelationView } from "../core/types.js" */

/** @param {string} name of the player */
export function relationPart(name) {
  const error = errorLine();
  /** @param {() => Promise<null>} act */
  const run = (act) => {
    error.say(null);
    // The focus would be lost with the button that is replaced.
    const load = () => loadedPart.load().then(() => loadedPart.el.querySelector("button")?.focus());
    act().then(load, (refusal) => error.say(() => problemText(refusal)));
  };
  const button = (/** @type {string} */ text, /** @type {(name: string) => Promise<null>} */ act) =>
    h("button", { type: "button", onclick: () => run(() => act(name)) }, () => t(text));
  const build = (/** @type {RelationView} */ { following, follower, friend, blocked }) =>
    h(
      "div",
      { class: "relation" },
      h("p", { role: "status" }, () =>
        blocked ? t("people.blocked") : friend ? t("people.friend") : follower ? t("people.follower") : "",
      ),
      blocked
        ? button("people.unblock", deleteBlock)
        : h(
            "p",
            { class: "actions" },
            following ? button("people.unfollow", deleteFollow) : button("people.follow", postFollow),
            sureButton(
              () => t("people.block"),
              () => t("people.block.sure"),
              () => run(() => postBlock(name)),
            ),
          ),
      blocked ? null : h("small", { class: "quiet" }, () => t("people.block.hint")),
    );
  const loadedPart = loaded(() => getRelation(name), build);
  return h("div", {}, loadedPart.el, error.el);
}
