// @ts-check
// A club match: both clubs, the score, the time to the start, sign-ups, and the boards with their matches.
//
//   section.page.club-match
//     p.error
//     div.club-parts
//       h1, p.score, p.quiet, p[role=status], p.actions
//       section.card…

import { h } from "../core/dom.js";
import { moment, number, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import {
  acceptClubMatch,
  declineClubMatch,
  endClubMatch,
  getClubMatch,
  getClubMatchPlayers,
  signOff,
  signUp,
} from "../net/club-matches.js";
import { clubMatchTerms, pointsText } from "./club-matches.js";
import { clubCard, clubPath } from "./club-parts.js";
import { errorLine } from "./parts/error-line.js";
import { nothingHere } from "./parts/nothing-here.js";
import { paged } from "./parts/paged.js";
import { playerLink } from "./parts/player-link.js";
import { sureButton } from "./parts/sure-button.js";
import { problemText } from "./texts.js";

/** @import { ClubMatchView, ClubBoard, ClubGame } from "../core/types.js" */
/** @import { ClubSide } from "../net/club-matches.js" */
/** @import { ViewMaker } from "./context.js" */

/** How often the page looks for changes. */
const LOOK_MS = 5_000;
const MINUTE_MS = 60_000;
/** The states in which something changes without the reader. */
const CHANGING = ["proposed", "accepted", "running"];
/** @type {ClubSide[]} */
const SIDES = ["home", "away"];

/** @typedef {(act: () => Promise<unknown>) => void} Run */

/** @type {ViewMaker} */
export function clubMatchView(_ctx, { id = "" }) {
  let title = "";
  /** The last answer, as text: what has not changed is not built again. */
  let last = "";
  let changes = true;
  const error = errorLine();
  const host = h("div", { class: "loaded", "aria-busy": "true" });
  const load = async (wanted = true) => {
    try {
      const view = await getClubMatch(id);
      const text = JSON.stringify(view);
      if (text === last) return;
      last = text;
      changes = CHANGING.includes(view.state);
      const names = `${view.home.name} – ${view.away.name}`;
      if (title !== names) document.title = document.title.replace(title === "" ? t("clubs.matches.title") : title, names);
      title = names;
      keepFocus(host, content(view, run));
    } catch (refusal) {
      // A look that failed is repeated; the page stays.
      if (!wanted || last !== "") return;
      changes = false;
      const missing = problemOf(refusal).status === 404;
      host.replaceChildren(missing ? nothingHere(() => t("club.match.missing")) : h("p", { class: "quiet" }, () => problemText(refusal)));
    }
    host.removeAttribute("aria-busy");
  };
  /** @type {Run} */
  const run = (act) => {
    error.say(null);
    act().then(
      () => load(),
      (refusal) => {
        error.say(() => problemText(refusal));
        void load(false);
      },
    );
  };
  void load();
  const looking = setInterval(() => {
    if (changes && document.visibilityState === "visible") void load(false);
  }, LOOK_MS);
  return {
    title: () => title || t("clubs.matches.title"),
    el: h("section", { class: "page club club-match" }, error.el, host),
    destroy: () => clearInterval(looking),
  };
}

/** Replaces the content, and keeps the focus on the part with the same mark, or on the heading. @param {HTMLElement} host @param {HTMLElement} next */
function keepFocus(host, next) {
  const focused = host.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const mark = focused?.dataset.mark ?? "";
  host.replaceChildren(next);
  if (!focused) return;
  const same = mark === "" ? null : /** @type {HTMLElement | null} */ (next.querySelector(`[data-mark="${CSS.escape(mark)}"]`));
  (same ?? next.querySelector("h1"))?.focus();
}

/** @param {ClubMatchView} view @param {Run} run */
function content(view, run) {
  const begun = view.board_list.length > 0;
  return h(
    "div",
    { class: "club-parts" },
    h("h1", { tabindex: "-1" }, clubLink(view, "home"), " – ", clubLink(view, "away")),
    begun
      ? h(
          "p",
          { class: "club-score" },
          h("strong", {}, () => `${pointsText(view.home.score)} : ${pointsText(view.away.score)}`),
        )
      : null,
    h("p", { class: "quiet" }, () => clubMatchTerms(view)),
    h("p", { role: "status" }, () => stateText(view)),
    actions(view, run),
    begun ? boardsPart(view) : null,
    ...(view.state === "accepted" ? SIDES.map((side) => playersPart(view, side)) : []),
  );
}

/** @param {ClubMatchView} view @param {ClubSide} side */
function clubLink(view, side) {
  const { club, name } = view[side];
  return club ? h("a", { href: clubPath(club.handle) }, name) : h("span", {}, name);
}

/** The state, and the time to the start. @param {ClubMatchView} view */
function stateText({ state, start_at: start, board_list: boards }) {
  if (state === "cancelled" && boards.length === 0) return t("club.match.state.cancelled");
  if (state !== "proposed" && state !== "accepted") return t(`club.match.state.${state}`);
  const minutes = Math.max(0, Math.ceil((Date.parse(start) - Date.now()) / MINUTE_MS));
  return [t(`club.match.state.${state}`), t("club.match.starts", { time: moment(start) }), waitText(minutes)].join(" ");
}

/** @param {number} minutes */
function waitText(minutes) {
  if (minutes < 60) return t("club.match.in-minutes", { n: minutes });
  const hours = Math.round(minutes / 60);
  return hours < 48 ? t("club.match.in-hours", { n: hours }) : t("club.match.in-days", { n: Math.round(hours / 24) });
}

/** The reader's buttons. @param {ClubMatchView} view @param {Run} run */
function actions(view, run) {
  const { id, state, officer_of: leads } = view;
  const button = (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ act, primary = false) =>
    h("button", { type: "button", class: primary ? "primary" : "", "data-mark": key, onclick: () => run(act) }, () => t(key));
  const end = (/** @type {string} */ key, /** @type {string} */ sure) =>
    sureButton(
      () => t(key),
      () => t(sure),
      () => run(() => endClubMatch(id)),
      { "data-mark": key },
    );
  const buttons = [];
  if (state === "proposed" && leads.includes("away"))
    buttons.push(
      button("club.match.accept", () => acceptClubMatch(id), true),
      button("club.match.decline", () => declineClubMatch(id)),
    );
  if (state === "proposed" && leads.includes("home")) buttons.push(end("club.match.withdraw", "club.match.withdraw.sure"));
  if (state === "accepted") buttons.push(...entryButtons(view, button));
  if (state === "accepted" && leads.length > 0) buttons.push(end("club.match.cancel", "club.match.cancel.sure"));
  return buttons.length === 0 ? null : h("p", { class: "actions" }, ...buttons);
}

/**
 * Signing up, for a member of both clubs with the name of the club; or signing off.
 * @param {ClubMatchView} view
 * @param {(key: string, act: () => Promise<unknown>, primary?: boolean) => HTMLElement} button
 */
function entryButtons(view, button) {
  const { id, member_of: member, signed_up: mine } = view;
  if (mine !== null) return [button("club.match.sign-off", () => signOff(id))];
  return member.map((side) => {
    const el = button("club.match.sign-up", () => signUp(id, side), true);
    el.dataset.mark = `sign-up-${side}`;
    if (member.length > 1) el.append(` (${view[side].name})`);
    return el;
  });
}

/** @param {ClubMatchView} view */
const boardsPart = (view) =>
  clubCard("club.match.boards.title", h("ol", { class: "rows boards" }, ...view.board_list.map((board) => boardRow(board))));

/** @param {ClubBoard} board */
function boardRow({ number: place, home, away, games }) {
  const player = (/** @type {ClubBoard["home"]} */ { player: who, rating }) =>
    h(
      "span",
      { class: "board-player" },
      playerLink(who),
      rating === null ? null : h("small", { class: "quiet" }, () => ` ${number(rating)}`),
    );
  return h(
    "li",
    { class: "board-row" },
    h(
      "span",
      { class: "board-players" },
      h("span", {}, () => `${number(place)}. `),
      player(home),
      " – ",
      player(away),
    ),
    h("span", { class: "board-games" }, ...games.map((game, index) => gameText(game, place, index + 1))),
  );
}

/** A match at a board: its result, with a link where there is one. @param {ClubGame} game @param {number} board @param {number} place */
function gameText(game, board, place) {
  const text = () => {
    if (game.result === "home") return "1 : 0";
    if (game.result === "away") return "0 : 1";
    if (game.result === "drawn") return "½ : ½";
    if (game.result === "called-off") return t("club.match.called-off");
    if (game.skipped) return t(`club.match.skipped.${game.skipped}`);
    return t(`club.match.game.${game.state}`);
  };
  const about = h("span", { class: "visually-hidden" }, () => `${t("club.match.of-board", { board, game: place })} `);
  return game.match
    ? h("a", { href: `/match/${encodeURIComponent(game.match)}`, "data-mark": `game-${board}-${place}` }, about, text)
    : h("span", {}, about, text);
}

/** @param {ClubMatchView} view @param {ClubSide} side */
const playersPart = (view, side) =>
  clubCard(
    () => t("club.match.players", { club: view[side].name, n: side === "home" ? view.home_players : view.away_players }),
    paged(
      (cursor) => getClubMatchPlayers(view.id, side, cursor),
      ({ player }) => h("li", { class: "person" }, playerLink(player)),
      () => t("club.match.players.none"),
      "rows",
    ),
  );
