// @ts-check
// The name of a player as others see it, links to a player's page, with the player's flag, and to the form for reporting a player.
//
// A display name comes with the name in addresses, for screen readers and as a hint:
//
//   bdi[title]
//   span.visually-hidden

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { PREFIX } from "../../core/opponents.js";
import { fullName, handleText, playerName, playerPath, ratingText } from "../texts.js";

/** @import { PlayerRef, RatingRef } from "../../core/types.js" */

/** The content of an element that shows a name. @param {PlayerRef} player */
export function nameParts(player) {
  if (!player.display_name) return [() => playerName(player)];
  return [
    h("bdi", { title: handleText(player) }, () => playerName(player)),
    h("span", { class: "visually-hidden" }, ` (${handleText(player)})`),
  ];
}

/** The same with the rating, if there is one. @param {{ player: PlayerRef, rating?: RatingRef | null | undefined }} seat */
export const seatParts = ({ player, rating }) => [...nameParts(player), () => (rating ? ` (${ratingText(rating)})` : "")];

/** @param {PlayerRef} player */
export function playerLink(player) {
  // A computer opponent on this device alone has no page.
  if (player.level && !player.name.startsWith(PREFIX)) return h("span", { class: "player" }, () => playerName(player));
  const link = h("a", { class: "player", href: playerPath(player) }, ...nameParts(player));
  // Few players have one.
  if (player.flag) void import("./flag.js").then(({ addFlag }) => addFlag(link, player));
  return link;
}

/**
 * The link to the form for reporting a player.
 * @param {PlayerRef} player
 * @param {string} [match] the match that the report is about
 */
export const reportLink = (player, match) =>
  h("a", { class: "report", href: `${playerPath(player)}/report${match === undefined ? "" : `?match=${match}`}` }, () =>
    t("report.title", { name: fullName(player) }),
  );
