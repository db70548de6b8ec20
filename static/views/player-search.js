// @ts-check
// Search for a player by name: suggestions while typing, and the player with exactly the typed name.
//
//   form.search[role=search]
//     label > input, button
//     p.visually-hidden[role=status]  how many were found
//     p.error
//     ul.rows.found                   links; the arrows go from one to the next

import { h, list, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { findPlayers, getPlayer, problemOf } from "../net/api.js";
import { errorLine } from "./parts/error-line.js";
import { playerName, playerPath, problemText } from "./texts.js";

/** @import { PlayerRef } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The pause after the last letter before the server is asked. */
const PAUSE_MS = 200;
/** The most suggestions. */
const SHOWN = 8;

/** @param {Context} ctx */
export function playerSearch(ctx) {
  const error = errorLine();
  /** @type {PlayerRef[]} */
  let found = [];
  /** Whether there are more players than shown. */
  let more = false;
  /** The last request; answers to earlier ones are ignored. */
  let asked = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;

  const name = h("input", {
    type: "search",
    name: "player",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
    maxlength: 40,
    "aria-controls": "players-found",
    oninput: soon,
    onkeydown: onKey,
  });
  const status = h("p", { class: "visually-hidden", role: "status" }, statusText);
  const results = list(
    h("ul", { class: "rows found", id: "players-found", hidden: () => found.length === 0, onkeydown: onKey }),
    () => found,
    (player) => player.name,
    (player) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: playerPath(player) },
          // The name that the search is for, also of a computer opponent with another label.
          h("strong", {}, player.name),
          h("small", { class: "quiet" }, () => (player.kind === "bot" ? playerName(player) : t(`player.kind.${player.kind}`))),
        ),
      ),
  );
  const el = h(
    "form",
    { class: "search", role: "search", onsubmit: go },
    h(
      "label",
      {},
      h("span", {}, () => t("players.find")),
      name,
    ),
    h("button", { type: "submit" }, () => t("players.find.do")),
    status,
    error.el,
    results,
    h("p", { class: "quiet hint", hidden: () => !more }, () => t("players.first", { n: SHOWN })),
    h("p", { class: "quiet hint", hidden: () => asked === "" || found.length > 0 }, () => t("players.none")),
  );

  function statusText() {
    if (asked === "") return "";
    if (found.length === 0) return t("players.none");
    return more ? t("players.first", { n: SHOWN }) : t("players.found", { n: found.length });
  }

  function soon() {
    error.say(null);
    clearTimeout(pause);
    pause = setTimeout(() => void look(), PAUSE_MS);
  }

  async function look() {
    const wish = name.value.trim();
    if (wish === "") return show(wish, []);
    try {
      const { items } = await findPlayers(wish, SHOWN + 1);
      if (name.value.trim() === wish) show(wish, items);
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
  }

  /** @param {string} wish @param {PlayerRef[]} players */
  function show(wish, players) {
    asked = wish;
    found = players.slice(0, SHOWN);
    more = players.length > SHOWN;
    refresh(el);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const links = [...results.querySelectorAll("a")];
    const at = links.findIndex((link) => link === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && links.length > 0) {
      event.preventDefault();
      // The field comes before the first link.
      (links[Math.min(at + step, links.length - 1)] ?? name).focus();
    } else if (event.key === "Escape" && at >= 0) name.focus();
  }

  /** Guests are not listed, but their exact name finds them. @param {Event} event */
  async function go(event) {
    event.preventDefault();
    clearTimeout(pause);
    error.say(null);
    const wish = name.value.trim();
    try {
      ctx.go(playerPath((await getPlayer(wish)).player));
    } catch (refusal) {
      if (problemOf(refusal).status !== 404) return error.say(() => problemText(refusal));
      await look();
      const [only] = found;
      if (only && found.length === 1) return ctx.go(playerPath(only));
      error.say(() => t("player.missing"));
      name.focus();
    }
  }

  return el;
}
