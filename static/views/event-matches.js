// @ts-check
// The matches of a player in an event, the latest first: the standings name their results alone.
//
//   dialog.sheet.event-matches
//     div.sheet-head > h2, button (close)
//     div.loaded > div
//       ul.rows > li.player-match > span (round), a.player, a.outcome
//       button (earlier ones)

import { h, hideWhen, list, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getEventGames } from "../net/events.js";
import { loaded } from "./parts/loaded.js";
import { playerLink } from "./parts/player-link.js";
import { openSheet } from "./parts/sheet.js";
import { fullName } from "./texts.js";

/** @import { EventGame, StandingGame, StandingRow } from "../core/types.js" */
/** @import { EventParts } from "./event-state.js" */

/** The number of matches that are fetched together: each is of another round. */
const AT_ONCE = 12;

/** A match with its result for the player. @typedef {{ game: EventGame, result: StandingGame["result"] }} PlayedMatch */

/** Opens the sheet. @param {EventParts} parts @param {StandingRow} row */
export function openMatches({ page, event }, { player, games }) {
  const wanted = [...games].reverse();
  /** @type {PlayedMatch[]} */
  let shown = [];
  const fetchMore = async () => {
    shown = [...shown, ...(await matchesOf(page.id, wanted.slice(shown.length, shown.length + AT_ONCE)))];
  };
  const build = () => {
    const more = async () => {
      await fetchMore().catch(() => {});
      refresh(el);
    };
    const el = h(
      "div",
      {},
      list(
        h("ul", { class: "rows" }),
        () => shown,
        ({ game }) => String(game.number),
        (match) => matchRow(match, player.name, page.id, event().kind === "arena"),
      ),
      hideWhen(
        h("button", { type: "button", onclick: more }, () => t("event.matches.more")),
        () => shown.length >= wanted.length,
      ),
    );
    return el;
  };
  const title = () => t("event.matches.of", { name: fullName(player) });
  openSheet("event-matches", title, [loaded(fetchMore, build).el], () => {
    // The row may have been built anew meanwhile.
    if (document.activeElement !== document.body) return;
    const row = [...document.querySelectorAll("tr")].find((one) => one.dataset.player === player.name);
    row?.querySelector("button")?.focus();
  });
}

/** Fetches games by their rounds. @param {string} id @param {StandingGame[]} wanted @returns {Promise<PlayedMatch[]>} */
async function matchesOf(id, wanted) {
  const games = await Promise.all(wanted.map(({ number, round }) => gameOf(id, number, round)));
  return wanted.flatMap(({ result }, place) => {
    const game = games[place];
    return game ? [{ game, result }] : [];
  });
}

/** @param {string} id @param {number} number @param {number} round @returns {Promise<EventGame | null>} */
async function gameOf(id, number, round) {
  /** @type {string | null} */
  let cursor = null;
  do {
    const { items, next } = await getEventGames(id, round, cursor);
    const game = items.find((one) => one.number === number);
    if (game) return game;
    cursor = next;
  } while (cursor !== null);
  return null;
}

/** @param {PlayedMatch} match @param {string} name of the player @param {string} event @param {boolean} isArena */
function matchRow({ game, result }, name, event, isArena) {
  const { first, second, match, round, number: n, skipped } = game;
  const text = () => (skipped ? t(`event.skipped.${skipped}`) : t(`event.result.${result ?? "running"}`));
  const about = h("span", { class: "visually-hidden" }, () => `${t("event.game", { n })} `);
  const outcome = { class: `outcome ${result ?? "running"}` };
  return h(
    "li",
    { class: "player-match" },
    h("span", { class: "quiet" }, () => t(isArena ? "event.pairing" : "event.round", { n: round })),
    playerLink(first.name === name ? second : first),
    match
      ? h("a", { ...outcome, href: `/match/${encodeURIComponent(match)}?event=${event}` }, about, text)
      : h("span", outcome, about, text),
  );
}
