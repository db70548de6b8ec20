// @ts-check
// The public clubs of a player, on the player's page. Nothing is shown of a player without one.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getClubsOf } from "../net/clubs.js";
import { clubRow } from "./club-parts.js";
import { loaded } from "./parts/loaded.js";

/** The most clubs that are shown: an account belongs to no more. */
const SHOWN = 50;

/** @param {string} name of the player */
export const clubsPart = (name) =>
  loaded(
    () => getClubsOf(name, SHOWN),
    ({ items }) =>
      items.length === 0
        ? null
        : h(
            "section",
            { class: "card" },
            h("h2", {}, () => t("clubs.title")),
            h(
              "ul",
              { class: "rows" },
              items.map(({ club, standing }) => clubRow(club, standing === "officer" ? () => t("club.officer") : null)),
            ),
          ),
    { problem: () => h("span", {}) },
  ).el;
