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

/** @import { EventGame } from "../net/events.js" */
/** @import { EventParts } from "./event-state.js" */

/** @param {EventParts} parts */
export function roundsPart(parts) {
  const { page, event, loadMore } = parts;
  return hideWhen(
    h(
      "section",
      { class: "card rounds" },
      h("h2", {}, () => t(event().kind === "arena" ? "event.games" : "event.rounds.title")),
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
            h("span", {}, () => t("event.bye", { n: points, points: pointsText(points) })),
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

/** @param {EventParts} parts */
function roundChoice({ page, event, load, update }) {
  const go = (/** @type {number} */ by) => () => {
    chooseRound(page, (shownRound(page) ?? 1) + by);
    update();
    void load();
  };
  const text = () => {
    const { rounds } = event();
    const n = shownRound(page) ?? 1;
    return rounds ? t("event.round.of", { n, of: rounds }) : t("event.round", { n });
  };
  return hideWhen(
    h(
      "p",
      { class: "pages" },
      h("button", { type: "button", disabled: () => (shownRound(page) ?? 1) <= 1, onclick: go(-1) }, () => t("event.round.back")),
      h("span", { role: "status" }, text),
      h("button", { type: "button", disabled: () => (shownRound(page) ?? 1) >= roundsBegun(page), onclick: go(1) }, () =>
        t("event.round.on"),
      ),
    ),
    () => shownRound(page) === null,
  );
}

/** @param {EventGame} game @param {string} event */
function pairing(game, event) {
  const { first, second, match, number: place } = game;
  const about = h("span", { class: "visually-hidden" }, () => `${t("event.game", { n: place })} `);
  return h(
    "li",
    { class: "pairing" },
    playerLink(first),
    match
      ? h("a", { class: "outcome", href: `/match/${encodeURIComponent(match)}?event=${event}` }, about, () => resultText(game))
      : h("span", { class: "outcome" }, about, () => resultText(game)),
    playerLink(second),
  );
}

/** @param {EventGame} game */
function resultText({ state, result, skipped }) {
  if (result === "first") return "1 : 0";
  if (result === "second") return "0 : 1";
  if (result === "drawn") return "½ : ½";
  if (result === "called-off") return t("event.game.called-off");
  if (skipped) return t(`event.skipped.${skipped}`);
  return t(`event.game.${state}`);
}
