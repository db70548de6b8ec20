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
import { handleText, playerName, playerPath, problemText } from "./texts.js";

/** @import { PlayerRef } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The pause after the last letter before the server is asked. */
const PAUSE_MS = 200;
/** The most suggestions. */
const SHOWN = 8;

/**
 * @typedef {Object} Search
 * @property {PlayerRef[]} found
 * @property {boolean} more whether there are more players than shown
 * @property {string} asked the last request; answers to earlier ones are ignored
 */

/** Takes the answer to a request. @param {Search} search @param {string} wish @param {PlayerRef[]} players */
export function show(search, wish, players) {
  search.asked = wish;
  search.found = players.slice(0, SHOWN);
  search.more = players.length > SHOWN;
}

/** The number of players found, for a screen reader. @param {Search} search */
export function statusText({ asked, found, more }) {
  if (asked === "") return "";
  if (found.length === 0) return t("players.none");
  return more ? t("players.first", { n: SHOWN }) : t("players.found", { n: found.length });
}

/** @param {Context} ctx */
export function playerSearch(ctx) {
  const error = errorLine();
  /** @type {Search} */
  const search = { found: [], more: false, asked: "" };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  const name = nameField(soon, onKey);
  const results = resultList(search, onKey);
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
    h("p", { class: "visually-hidden", role: "status" }, () => statusText(search)),
    error.el,
    results,
    h("p", { class: "quiet hint", hidden: () => !search.more }, () => t("players.first", { n: SHOWN })),
    h("p", { class: "quiet hint", hidden: () => search.asked === "" || search.found.length > 0 }, () => t("players.none")),
  );

  function soon() {
    error.say(null);
    clearTimeout(pause);
    pause = setTimeout(() => void look(), PAUSE_MS);
  }

  async function look() {
    const wish = name.value.trim();
    try {
      const { items } = wish === "" ? { items: [] } : await findPlayers(wish, SHOWN + 1);
      if (name.value.trim() !== wish) return;
      show(search, wish, items);
      refresh(el);
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    moveIn(name, [...results.querySelectorAll("a")], event);
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
      const [only] = search.found;
      if (only && search.found.length === 1) return ctx.go(playerPath(only));
      error.say(() => t("player.missing"));
      name.focus();
    }
  }

  return el;
}

/** @param {() => void} oninput @param {(event: KeyboardEvent) => void} onkeydown */
const nameField = (oninput, onkeydown) =>
  h("input", {
    type: "search",
    name: "player",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
    maxlength: 40,
    "aria-controls": "players-found",
    oninput,
    onkeydown,
  });

/** @param {Search} search @param {(event: KeyboardEvent) => void} onkeydown */
const resultList = (search, onkeydown) =>
  list(
    h("ul", { class: "rows found", id: "players-found", hidden: () => search.found.length === 0, onkeydown }),
    () => search.found,
    (player) => player.name,
    (player) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: playerPath(player) },
          // The name that the search is for, also of a computer opponent with another label.
          h("strong", {}, h("bdi", {}, player.display_name ?? player.name)),
          h("small", { class: "quiet" }, () =>
            [player.display_name ? handleText(player) : "", kindText(player)].filter(Boolean).join(" · "),
          ),
        ),
      ),
  );

/** @param {PlayerRef} player */
const kindText = (player) =>
  player.level ? t("computer.level", { n: player.level }) : player.kind === "bot" ? playerName(player) : t(`player.kind.${player.kind}`);

/** Moves the focus between the field and the links below it. @param {HTMLElement} field @param {HTMLElement[]} links @param {KeyboardEvent} event */
function moveIn(field, links, event) {
  const at = links.findIndex((link) => link === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && links.length > 0) {
    event.preventDefault();
    // The field comes before the first link.
    (links[Math.min(at + step, links.length - 1)] ?? field).focus();
  } else if (event.key === "Escape" && at >= 0) field.focus();
}
