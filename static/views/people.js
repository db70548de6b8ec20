// @ts-check
// The people of the reader: those whom the reader follows, with what they play now; followers; and the latest matches of the former.
//
//   section.page.people
//     section.card  followed players: li.person > span (player, notes), actions
//     section.card  their latest matches
//     section.card  followers

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { deleteFollow, getFollowedMatches, getFollowers, getFollows, postFollow } from "../net/people.js";
import { errorLine } from "./parts/error-line.js";
import { matchRow } from "./parts/match-row.js";
import { nothingHere } from "./parts/nothing-here.js";
import { paged } from "./parts/paged.js";
import { playerLink } from "./parts/player-link.js";
import { fullName, problemText } from "./texts.js";

/** @import { FollowView } from "../core/types.js" */
/** @import { ViewMaker } from "./context.js" */

const title = () => t("people.title");

/** @type {ViewMaker} */
export function peopleView(ctx) {
  if (ctx.session.player()?.kind !== "account") return { el: nothingHere(() => t("people.account")), title };
  const error = errorLine();
  /** @param {Promise<null>} act */
  const run = (act) => {
    error.say(null);
    act.then(loadAll, (refusal) => error.say(() => problemText(refusal)));
  };
  const lists = {
    following: () =>
      paged(
        getFollows,
        (one) => personRow(one, null, (name) => run(deleteFollow(name))),
        () => t("people.following.none"),
        "rows",
      ),
    matches: () =>
      paged(
        getFollowedMatches,
        (match) => matchRow(match),
        () => t("people.matches.none"),
        "rows",
      ),
    followers: () =>
      paged(
        getFollowers,
        (one) => personRow(one, (name) => run(postFollow(name)), null),
        () => t("people.followers.none"),
        "rows",
      ),
  };
  const hosts = { following: h("div", {}), matches: h("div", {}), followers: h("div", {}) };
  function loadAll() {
    for (const name of /** @type {const} */ (["following", "matches", "followers"])) hosts[name].replaceChildren(lists[name]());
  }
  loadAll();
  const part = (/** @type {string} */ heading, /** @type {HTMLElement} */ el) =>
    h(
      "section",
      { class: "card" },
      h("h2", {}, () => t(heading)),
      el,
    );
  return {
    title,
    el: h(
      "section",
      { class: "page people" },
      h("h1", { tabindex: "-1" }, title),
      error.el,
      h(
        "p",
        {},
        h("a", { class: "button", href: "/clubs" }, () => t("menu.clubs")),
      ),
      part("people.following", hosts.following),
      part("people.matches", hosts.matches),
      part("people.followers", hosts.followers),
    ),
  };
}

/**
 * @param {FollowView} one
 * @param {((name: string) => void) | null} follow
 * @param {((name: string) => void) | null} unfollow
 */
function personRow({ player, friend, online, match }, follow, unfollow) {
  const { name } = player;
  const of = h("span", { class: "visually-hidden" }, () => `(${fullName(player)})`);
  return h(
    "li",
    { class: "person" },
    h(
      "span",
      {},
      h("span", { class: online ? "here" : "away", "aria-hidden": "true" }),
      playerLink(player),
      h("small", { class: "quiet" }, () =>
        [online ? t("people.online") : "", friend ? t("people.friend") : ""].filter(Boolean).join(" · "),
      ),
    ),
    match ? h("a", { href: `/match/${match.id}` }, () => t("people.plays", { game: t(`game.${match.game}.name`) })) : null,
    h(
      "span",
      { class: "actions" },
      h("a", { class: "button", href: `/play?to=${encodeURIComponent(name)}` }, () => t("player.challenge"), of),
      unfollow ? h("button", { type: "button", onclick: () => unfollow(name) }, () => t("people.unfollow"), of.cloneNode(true)) : null,
      follow && !friend
        ? h("button", { type: "button", onclick: () => follow(name) }, () => t("people.follow-back"), of.cloneNode(true))
        : null,
    ),
  );
}
