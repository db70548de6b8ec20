// @ts-check
// The rounds of an event with their games; of an arena its latest games.
//
//   section.card.rounds
//     h2
//     p.pages > button, span, button
//     ul.rows > li.pairing…, li (who does not play)
//     button (more)

import { h, hideWhen, list } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { chooseRound, gameKey, hasBegun, roundsBegun, shownRound } from "./event-state.js";
import { pointsText } from "./event-texts.js";
import { playerLink } from "./parts/player-link.js";
import { turner } from "./parts/turner.js";

/** @import { EventGame } from "../core/types.js" */
/** @import { EventParts } from "./event-state.js" */

/** @param {EventParts} parts */
export function roundsPart(parts) {
  const { page, event, loadMore } = parts;
  return hideWhen(
    h(
      "section",
      { class: "card rounds" },
      h("h2", {}, () => t(event().kind === "arena" ? "event.pairings" : "event.rounds.title")),
      roundChoice(parts),
      list(
        h("ul", { class: "rows" }),
        () => page.games,
        gameKey,
        (game) => pairing(game, page.id),
      ),
      list(
        h("ul", { class: "rows" }),
        () => page.byes,
        ({ player }) => player.name,
        ({ player, points }) =>
          h(
            "li",
            { class: "pairing bye" },
            playerLink(player),
            h("span", {}, () => (points > 0 ? t("event.bye", { n: points, points: pointsText(points) }) : t("event.bye.plain"))),
          ),
      ),
      hideWhen(
        h("p", { class: "quiet" }, () => t("event.games.none")),
        () => page.games.length > 0,
      ),
      hideWhen(
        h("button", { type: "button", onclick: loadMore }, () => t("player.more")),
        () => page.moreGames === null,
      ),
    ),
    () => !hasBegun(page),
  );
}

/** The name of the round that is shown; of an arena that of the pairing. @param {EventParts} parts */
export function roundText({ page, event }) {
  const { rounds, kind, games, best_of: isBestOf } = event();
  // A best of n may have fewer.
  const of = rounds ?? (isBestOf ? null : games);
  const n = shownRound(page);
  if (kind === "arena") return t("event.pairing", { n });
  return of ? t("event.round.of", { n, of }) : t("event.round", { n });
}

/** @param {EventParts} parts */
function roundChoice(parts) {
  const { page, load, update } = parts;
  const go = (/** @type {number} */ by) => () => {
    chooseRound(page, shownRound(page) + by);
    update();
    void load();
  };
  return hideWhen(
    h(
      "p",
      { class: "pages" },
      turner("back", "event.round.back", () => shownRound(page) <= 1, go(-1)),
      h("span", { role: "status" }, () => roundText(parts)),
      turner("on", "event.round.on", () => shownRound(page) >= roundsBegun(page), go(1)),
    ),
    () => roundsBegun(page) < 2,
  );
}

/** @param {EventGame} game @param {string} event */
function pairing(game, event) {
  const { first, second, match, number: place } = game;
  // Words take a line of their own on a phone.
  const attrs = { class: `outcome${SCORES[game.result ?? "called-off"] === undefined ? " words" : ""}` };
  const about = h("span", { class: "visually-hidden" }, () => `${t("event.game", { n: place })} `);
  return h(
    "li",
    { class: "pairing" },
    playerLink(first),
    match
      ? h("a", { ...attrs, href: `/match/${encodeURIComponent(match)}?event=${event}` }, about, () => resultText(game))
      : h("span", attrs, about, () => resultText(game)),
    playerLink(second),
  );
}

/** @type {Readonly<Partial<Record<string, string>>>} */
const SCORES = { first: "1 : 0", second: "0 : 1", drawn: "½ : ½" };

/** The result of a game, or its state. @param {EventGame} game */
export function resultText({ state, result, skipped }) {
  if (result === "called-off") return t("event.game.called-off");
  if (result !== null) return SCORES[result] ?? "";
  return skipped ? t(`event.skipped.${skipped}`) : t(`event.game.${state}`);
}
