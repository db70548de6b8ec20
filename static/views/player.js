// @ts-check
// A player: ratings with their course, record by game, record against the reader, and all finished matches.

import { h, refresh, renew } from "../core/dom.js";
import { day, loadPart, moment, number, t } from "../core/i18n.js";
import { getHeadToHead, getLatest, getPlayer, getRatings, problemOf } from "../net/api.js";
import { ratingChart } from "./chart.js";
import { history } from "./history.js";
import { avatar } from "./parts/avatar.js";
import { loaded } from "./parts/loaded.js";
import { nothingHere } from "./parts/nothing-here.js";
import { reportLink } from "./parts/player-link.js";
import { scrolled } from "./parts/scrolled.js";
import { sideMark } from "./parts/side-mark.js";
import { activityPart } from "./player-activity.js";
import { handleText, playerName, problemText, ratingText } from "./texts.js";

/** @import { GameRecord, HeadToHead, MatchSummary, PlayerProfile, PlayerRating, Side } from "../core/types.js" */
/** @import { Context, ViewMaker } from "./context.js" */

/** The best ratings named first. */
const BEST = 3;

/** @type {ViewMaker} */
export function playerView(ctx, { name = "" }, early = null) {
  const first = early?.querySelector(".profile") ?? null;
  const profile = loaded(
    async () => {
      // Both at once: what comes later than the rest would move it down.
      const [profile, latest] = await Promise.all([getPlayer(name), getLatest(name).catch(() => null)]);
      // A level of the computer says the same of itself where it is chosen.
      if (profile.player.level) await loadPart("play");
      if (profile.vacation_until) await loadPart("turns");
      return { profile, latest: latest?.items ?? [] };
    },
    ({ profile, latest }) => profilePart(ctx, profile, latest, first?.querySelector("h1") ?? null),
    {
      first,
      problem: (error) =>
        problemOf(error).status === 404 ? nothingHere(() => t("player.missing")) : h("p", { class: "quiet" }, () => problemText(error)),
    },
  );
  return { el: h("section", { class: "page" }, profile.el), title: () => name };
}

/**
 * @param {Context} ctx
 * @param {PlayerProfile} profile
 * @param {MatchSummary[]} latest
 * @param {HTMLElement | null} heading that of the document, where a screen reader may be
 */
function profilePart(ctx, profile, latest, heading) {
  const { player, vacation_until: until, ratings, played, won, drawn, lost, games } = profile;
  const me = ctx.session.player();
  const isMe = me?.name === player.name;
  const name = renew(
    heading ?? h("h1"),
    { tabindex: "-1" },
    ...(player.display_name ? [h("bdi", {}, () => playerName(player))] : [() => playerName(player)]),
  );
  if (player.flag) void import("./parts/flag.js").then(({ addFlag }) => addFlag(name, player));
  return h(
    "div",
    { class: "profile" },
    h(
      "div",
      { class: "profile-head" },
      avatar(player),
      h(
        "div",
        {},
        name,
        player.display_name ? h("p", { class: "handle" }, handleText(player)) : null,
        h("p", { class: "lead" }, () => leadText(profile)),
        h("p", { class: "quiet" }, () => sinceText(profile)),
        until ? h("p", {}, () => t("vacation.until", { until: moment(until) })) : null,
        player.level ? h("p", {}, () => t(`bot.${player.level}`)) : null,
      ),
      isMe && me.kind === "account" ? h("a", { class: "button", href: "/people" }, () => t("player.people")) : null,
      isMe ? h("a", { class: "button", href: "/settings" }, () => t("settings.title")) : null,
      isMe || player.level
        ? null
        : h("a", { class: "button primary", href: `/play?to=${encodeURIComponent(player.name)}` }, () => t("player.challenge")),
    ),
    h(
      "dl",
      { class: "figures" },
      figure("player.played", played),
      figure("player.won", won),
      figure("player.drawn", drawn),
      figure("player.lost", lost),
    ),
    me?.kind !== "account" || isMe || player.level ? null : relationSlot(player.name),
    player.kind === "account" ? clubsSlot(player.name) : null,
    me === null || isMe || me.kind === "bot"
      ? null
      : loaded(() => getHeadToHead(player.name, me.name), againstMe, { problem: () => h("span", {}) }).el,
    ratings.length === 0
      ? null
      : h(
          "section",
          { class: "card" },
          h("h2", {}, () => t("player.ratings")),
          ratingPart(player.name, ratings),
        ),
    activityPart(profile, latest),
    games.length === 0
      ? null
      : h(
          "section",
          { class: "card" },
          h("h2", {}, () => t("player.games")),
          gameTable(games),
        ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, () => t("player.history")),
      history(player.name),
    ),
    isMe || player.level ? null : h("p", {}, reportLink(player)),
  );
}

/** The kind of the player and the best ratings, one of each game; `server/src/http/first_content.rs` writes the same. @param {PlayerProfile} profile */
function leadText({ player, ratings }) {
  const sorted = [...ratings].sort((a, b) => Number(a.provisional) - Number(b.provisional) || b.rating - a.rating);
  const best = sorted.filter(({ game }, i) => sorted.findIndex((one) => one.game === game) === i).slice(0, BEST);
  const named = best.map((rating) => `${t(`game.${rating.game}.name`)} ${ratingText(rating)}`);
  return [t(`player.kind.${player.kind}`), ...(named.length > 0 ? named : [t("player.unrated")])].join(" · ");
}

/** Since when the player is here, and who follows. @param {PlayerProfile} profile */
const sinceText = ({ created_at, followers }) =>
  [t("player.since", { day: day(created_at) }), followers > 0 ? t("player.followers", { n: followers }) : ""].filter(Boolean).join(" · ");

/** The place of the reader's relation to the player, which is fetched with its texts. @param {string} name */
function relationSlot(name) {
  const slot = h("div", { class: "loaded" });
  Promise.all([import("./relation.js"), loadPart("people")]).then(
    ([{ relationPart }]) => slot.append(relationPart(name)),
    // The next visit fetches it.
    () => slot.remove(),
  );
  return slot;
}

/** The place of the player's public clubs, which are fetched with their texts. @param {string} name */
function clubsSlot(name) {
  const slot = h("div", {});
  Promise.all([import("./player-clubs.js"), loadPart("clubs")]).then(
    ([{ clubsPart }]) => slot.append(clubsPart(name)),
    // The next visit fetches it.
    () => slot.remove(),
  );
  return slot;
}

/** @param {string} key @param {number} value */
const figure = (key, value) =>
  h(
    "div",
    {},
    h("dt", {}, () => t(key)),
    h("dd", {}, () => number(value)),
  );

/** @param {string} key */
const head = (key) => h("th", { scope: "col" }, () => t(key));

/** @param {HeadToHead} record from the player's view */
function againstMe({ played, won, drawn, lost, games }) {
  if (played === 0) return null;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("player.against")),
    h(
      "dl",
      { class: "figures" },
      figure("player.played", played),
      figure("player.you-won", lost),
      figure("player.drawn", drawn),
      figure("player.they-won", won),
    ),
    h(
      "ul",
      { class: "by-game" },
      games.map((game) =>
        h(
          "li",
          {},
          () => `${t(`game.${game.game}.name`)}: ${t("player.against.row", { won: game.lost, drawn: game.drawn, lost: game.won })}`,
        ),
      ),
    ),
  );
}

/**
 * The ratings, and below them the course of one.
 * @param {string} name
 * @param {PlayerRating[]} ratings
 */
function ratingPart(name, ratings) {
  const most = ratings.reduce((best, rating) => (rating.games > best.games ? rating : best));
  let chosen = most;
  const chart = h("div", { class: "chart-host" });
  const title = (/** @type {PlayerRating} */ { game, speed }) => `${t(`game.${game}.name`)} · ${t(`speed.${speed}`)}`;

  /** @param {PlayerRating} rating */
  function open(rating) {
    chosen = rating;
    chart.replaceChildren(
      loaded(
        () => getRatings(name, rating.game, rating.speed),
        ({ items }) =>
          items.length === 0
            ? h("p", { class: "quiet" }, () => t("player.unrated"))
            : ratingChart([...items].reverse(), () => title(rating)),
      ).el,
    );
    refresh(el);
  }

  const el = h(
    "div",
    {},
    ratingTable(ratings, title, () => chosen, open),
    chart,
  );
  open(most);
  return el;
}

/**
 * @param {PlayerRating[]} ratings
 * @param {(rating: PlayerRating) => string} title
 * @param {() => PlayerRating} chosen the one whose course is shown
 * @param {(rating: PlayerRating) => void} open
 */
function ratingTable(ratings, title, chosen, open) {
  const columns = ["challenge.game", "table.speed", "table.rating", "player.won", "player.drawn", "player.lost"];
  const show = (/** @type {PlayerRating} */ row) =>
    h(
      "button",
      {
        type: "button",
        class: "small",
        "aria-pressed": () => String(chosen() === row),
        "aria-label": () => `${t("chart.show")}: ${title(row)}`,
        onclick: () => open(row),
      },
      () => t("chart.show"),
    );
  return scrolled(
    () => t("player.ratings"),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map(head),
          h(
            "th",
            { scope: "col" },
            h("span", { class: "visually-hidden" }, () => t("chart.show")),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        ratings.map((row) =>
          h(
            "tr",
            {},
            h("td", {}, () => t(`game.${row.game}.name`)),
            h("td", {}, () => t(`speed.${row.speed}`)),
            h(
              "td",
              { class: "rating" },
              () => ratingText(row),
              h("small", {}, () => ` ± ${number(2 * row.deviation, { maximumFractionDigits: 0 })}`),
            ),
            h("td", {}, () => number(row.won)),
            h("td", {}, () => number(row.drawn)),
            h("td", {}, () => number(row.lost)),
            h("td", {}, show(row)),
          ),
        ),
      ),
    ),
  );
}

/** @param {GameRecord[]} games */
function gameTable(games) {
  const cell = (/** @type {GameRecord} */ { game, sides }, /** @type {Side} */ side) =>
    h("td", {}, sideMark(game, side), " ", () =>
      t("player.record", { won: sides[side].won, drawn: sides[side].drawn, lost: sides[side].lost }),
    );
  const average = (/** @type {GameRecord} */ { sides: { first, second } }) => {
    const matches = [first, second].reduce((all, { won, drawn, lost }) => all + won + drawn + lost, 0);
    return matches === 0 ? 0 : (first.plies + second.plies) / matches;
  };
  return scrolled(
    () => t("player.games"),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, head("challenge.game"), head("player.as-first"), head("player.as-second"), head("player.length"))),
      h(
        "tbody",
        {},
        games.map((record) =>
          h(
            "tr",
            {},
            h("td", {}, () => t(`game.${record.game}.name`)),
            cell(record, "first"),
            cell(record, "second"),
            h("td", {}, () => number(average(record), { maximumFractionDigits: 0 })),
          ),
        ),
      ),
    ),
  );
}
