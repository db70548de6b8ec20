// @ts-check
// Links to a player's page, with the player's flag, and to the form for reporting a player.

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { PREFIX } from "../../core/opponents.js";
import { playerName, playerPath } from "../texts.js";

/** @import { PlayerRef } from "../../core/types.js" */

/** @param {PlayerRef} player */
export function playerLink(player) {
  // A computer opponent on this device alone has no page.
  if (player.level && !player.name.startsWith(PREFIX)) return h("span", { class: "player" }, () => playerName(player));
  const link = h("a", { class: "player", href: playerPath(player) }, () => playerName(player));
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
    t("report.title", { name: playerName(player) }),
  );
