// @ts-check
// A club: its texts, the reader's standing, its members, the leaderboard and the matches of its members; for officers also `club-officers.js`.
//
//   section.page.club
//     div.loaded
//       h1, p.club-line, p.quiet, p.description
//       div.standing > p, form or buttons
//       section.card…

import { h, refresh } from "../core/dom.js";
import { SPEEDS } from "../core/facts.js";
import { currentLanguage, day, number, t } from "../core/i18n.js";
import { GAMES } from "../games/index.js";
import { problemOf } from "../net/api.js";
import {
  deleteInvitation,
  deleteMember,
  deleteOfficer,
  deleteRequest,
  getClub,
  getClubBoard,
  getClubMatches,
  getMembers,
  postMember,
  postOfficer,
} from "../net/clubs.js";
import { clubCard } from "./club-parts.js";
import { choiceRow } from "./parts/choice-row.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { matchRow } from "./parts/match-row.js";
import { nothingHere } from "./parts/nothing-here.js";
import { paged } from "./parts/paged.js";
import { playerLink } from "./parts/player-link.js";
import { sureButton } from "./parts/sure-button.js";
import { playerName, problemText, ratingText } from "./texts.js";

/** @import { ClubMemberView, ClubView, Language } from "../core/types.js" */
/** @import { Run } from "./club-parts.js" */
/** @import { Context, ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function clubView(ctx, { handle = "" }) {
  let name = handle;
  const error = errorLine();
  const club = loaded(
    () => getClub(handle),
    (view) => {
      name = view.name;
      document.title = document.title.replace(handle, name);
      return clubPart(ctx, view, run);
    },
    {
      problem: (refusal) =>
        problemOf(refusal).status === 404 ? nothingHere(() => t("club.missing")) : h("p", { class: "quiet" }, () => problemText(refusal)),
    },
  );
  /** @type {Run} */
  function run(act) {
    error.say(null);
    act().then(
      // The focus would be lost with the button that is replaced.
      () => club.load().then(() => club.el.querySelector("h1")?.focus()),
      (refusal) => error.say(() => problemText(refusal)),
    );
  }
  return { el: h("section", { class: "page club" }, error.el, club.el), title: () => name };
}

/** @param {Context} ctx @param {ClubView} view @param {Run} run */
function clubPart(ctx, view, run) {
  const { handle, name, banner, members, created_at: made, standing, visible } = view;
  const me = ctx.session.player();
  const leads = standing === "officer";
  return h(
    "div",
    { class: "club-parts" },
    h("h1", { tabindex: "-1" }, name),
    banner === "" ? null : h("p", { class: "club-line" }, banner),
    h("p", { class: "quiet" }, () => `${t("clubs.members", { n: members })} · ${t("club.since", { day: day(made) })}`),
    visible ? h("p", { class: "description" }, () => described(view)) : h("p", {}, () => t("club.hidden")),
    me?.kind === "account" ? standingPart(view, me.name, run) : h("p", {}, () => t("clubs.account")),
    ...(visible ? [membersPart(view, leads ? (me?.name ?? "") : null, run), boardPart(handle), matchesPart(handle)] : []),
    leads ? officersSlot(ctx, view, run) : null,
  );
}

/** The description in the reader's language, or the first there is. @param {ClubView} view */
function described({ description }) {
  const texts = /** @type {Partial<Record<Language, string>>} */ (description);
  return texts[currentLanguage()] ?? Object.values(texts)[0] ?? "";
}

/** What the reader is here, and can do about it. @param {ClubView} view @param {string} me @param {Run} run */
function standingPart({ handle, joining, standing }, me, run) {
  const button = (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ act, primary = false) =>
    h("button", { type: "button", class: primary ? "primary" : "", onclick: () => run(act) }, () => t(key));
  const leave = () =>
    sureButton(
      () => t("club.leave"),
      () => t("club.leave.sure"),
      () => run(() => deleteMember(handle, me)),
    );
  const actions = {
    none: () => (joining === "open" ? [button("club.join", () => postMember(handle, ""), true)] : []),
    requested: () => [button("club.withdraw", () => deleteRequest(handle, me))],
    invited: () => [button("club.accept", () => postMember(handle, ""), true), button("club.decline", () => deleteInvitation(handle, me))],
    member: () => [leave()],
    officer: () => [button("club.step-down", () => deleteOfficer(handle, me)), leave()],
  };
  return h(
    "div",
    { class: "standing" },
    standing === "none" ? null : h("p", { role: "status" }, () => t(`club.standing.${standing}`)),
    standing === "none" && joining === "request" ? requestForm(handle, run) : h("p", { class: "actions" }, ...actions[standing]()),
  );
}

/** @param {string} handle @param {Run} run */
function requestForm(handle, run) {
  const line = h("input", { type: "text", name: "line", maxlength: 200, autocomplete: "off" });
  return h(
    "form",
    {
      class: "account",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        run(() => postMember(handle, line.value));
      },
    },
    h(
      "label",
      {},
      h("span", {}, () => t("club.request.line")),
      line,
    ),
    h("button", { type: "submit", class: "primary" }, () => t("club.request")),
  );
}

/** @param {ClubView} view @param {string | null} leader the reader's name, for an officer @param {Run} run */
const membersPart = ({ handle }, leader, run) =>
  clubCard(
    "club.members",
    paged(
      (cursor) => getMembers(handle, cursor),
      (member) => memberRow(handle, member, leader, run),
      () => t("club.members.none"),
      "rows",
    ),
  );

/** @param {string} handle @param {ClubMemberView} member @param {string | null} leader @param {Run} run */
function memberRow(handle, { player, officer, online }, leader, run) {
  const { name } = player;
  const of = h("span", { class: "visually-hidden" }, () => `(${playerName(player)})`);
  const office = officer
    ? h("button", { type: "button", onclick: () => run(() => deleteOfficer(handle, name)) }, () => t("club.dismiss"), of)
    : h("button", { type: "button", onclick: () => run(() => postOfficer(handle, name)) }, () => t("club.appoint"), of);
  return h(
    "li",
    { class: "person" },
    h(
      "span",
      {},
      h("span", { class: online ? "here" : "away", "aria-hidden": "true" }),
      playerLink(player),
      h("small", { class: "quiet" }, () => [online ? t("club.online") : "", officer ? t("club.officer") : ""].filter(Boolean).join(" · ")),
    ),
    leader === null || leader === name
      ? null
      : h(
          "span",
          { class: "actions" },
          office,
          sureButton(
            () => t("club.remove"),
            () => t("club.remove.sure"),
            () => run(() => deleteMember(handle, name)),
            {},
            name,
          ),
        ),
  );
}

/** The members by rating, of one game at one speed. @param {string} handle */
function boardPart(handle) {
  /** @type {string} */
  let game = GAMES[0].id;
  let speed = "blitz";
  const host = h("div", {});
  const open = () =>
    host.replaceChildren(
      paged(
        (cursor) => getClubBoard(handle, game, speed, cursor),
        ({ rank, player, rating }) =>
          h(
            "li",
            { class: "person" },
            h("span", {}, () => `${number(rank)}. `, playerLink(player)),
            h("span", {}, () => ratingText(rating)),
          ),
        () => t("club.board.none"),
        "rows",
      ),
    );
  open();
  const games = h(
    "select",
    {
      name: "club-game",
      onchange: () => {
        game = games.value;
        open();
      },
    },
    GAMES.map(({ id }) => h("option", { value: id }, () => t(`game.${id}.name`))),
  );
  return clubCard(
    "club.board",
    h(
      "label",
      { class: "board-game" },
      h("span", {}, () => t("challenge.game")),
      games,
    ),
    choiceRow(
      "club-speed",
      () => t("table.speed"),
      SPEEDS.map((value) => ({ value, label: () => t(`speed.${value}`) })),
      speed,
      (value) => {
        speed = value;
        open();
      },
    ),
    host,
  );
}

/** @param {string} handle */
const matchesPart = (handle) =>
  clubCard(
    "club.matches",
    paged(
      (cursor) => getClubMatches(handle, cursor),
      (match) => matchRow(match),
      () => t("club.matches.none"),
      "rows",
    ),
  );

/** The place of the officers' parts, which other readers do not load. @param {Context} ctx @param {ClubView} view @param {Run} run */
function officersSlot(ctx, view, run) {
  const slot = h("div", { class: "loaded", "aria-busy": "true" });
  import("./club-officers.js").then(
    ({ officersPart }) => {
      slot.removeAttribute("aria-busy");
      slot.append(officersPart(ctx, view, run));
      refresh(slot);
    },
    // The next visit fetches it.
    () => slot.remove(),
  );
  return slot;
}
