// @ts-check
// New login cards, which are shown this once: a sheet to print and to cut, in the place of the class.
//
//   div.card-sheet
//     h1, p.notice, p.actions
//     ul.login-cards > li.login-card
//       p.of, strong.whose, svg.qr-code
//       dl > dt, dd (account name, code, address, last day)

import { h } from "../core/dom.js";
import { day, t } from "../core/i18n.js";
import { inGroups } from "./class-list.js";
import { qrCode } from "./parts/qr-code.js";

/** @import { LoginCard } from "../core/types.js" */

/** The page that takes the cards. */
const PATH = "/login-card";

/** The hosts that other devices do not find. */
const OWN_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** @param {string} className the name of the class @param {LoginCard[]} cards @param {() => void} back */
export const cardsSheet = (className, cards, back) =>
  h(
    "div",
    { class: "card-sheet" },
    h("h1", { tabindex: "-1" }, () => t("class.cards")),
    h("p", { class: "notice" }, () => t("class.cards.once")),
    OWN_HOSTS.includes(location.hostname) ? h("p", { class: "notice" }, () => t("class.cards.here", { host: location.host })) : null,
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", class: "primary", onclick: () => print() }, () => t("class.cards.print")),
      h("button", { type: "button", onclick: back }, () => t("class.cards.back")),
    ),
    h(
      "ul",
      { class: "login-cards" },
      cards.map((card) => loginCard(className, card)),
    ),
  );

/** @param {string} className @param {LoginCard} card */
function loginCard(className, { player, real_name: realName, code, expires_at: until }) {
  const site = document.documentElement.dataset.site ?? "Mawe!";
  const row = (/** @type {string} */ label, /** @type {string | (() => string)} */ value, shown = "") =>
    h(
      "div",
      { class: shown },
      h("dt", {}, () => t(label)),
      h("dd", {}, value),
    );
  return h(
    "li",
    { class: "login-card" },
    h("p", { class: "of" }, `${site} · ${className}`),
    h("strong", { class: "whose" }, realName),
    qrCode(`${location.origin}${PATH}#${code}`),
    h(
      "dl",
      {},
      row("class.cards.name", player.name),
      row("class.cards.code", inGroups(code), "code"),
      row("class.cards.address", `${location.host}${PATH}`),
      row("class.cards.until", () => day(until)),
    ),
  );
}
