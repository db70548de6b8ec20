// @ts-check
// A club: its texts, the reader's standing, its members, the leaderboard and the matches of its members; for officers also `club-officers.js`,
// and of a class `class.js`.
//
//   section.page.club
//     div.loaded
//       h1, p.club-line, p.quiet, p.description
//       div.standing > p, form or buttons
//       section.card…

import { h, refresh } from "../core/dom.js";
import { SPEEDS } from "../core/facts.js";
import { currentLanguage, day, number, t } from "../core/i18n.js";
import { RATED_GAMES } from "../games/index.js";
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
  getRunningClubMatches,
  postMember,
  postOfficer,
} from "../net/clubs.js";
import { clubMatchesPart } from "./club-matches.js";
import { clubCard, clubProblem, clubText } from "./club-parts.js";
import { choiceRow } from "./parts/choice-row.js";
import { closedPart } from "./parts/closed-part.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { matchRow } from "./parts/match-row.js";
import { nothingHere } from "./parts/nothing-here.js";
import { paged } from "./parts/paged.js";
import { playerLink } from "./parts/player-link.js";
import { sureButton } from "./parts/sure-button.js";
import { fullName, problemText, ratingText } from "./texts.js";

/** @import { ClubMemberView, ClubView, Language } from "../core/types.js" */
/** @import { Place } from "./class-parts.js" */
/** @import { Run } from "./club-parts.js" */
/** @import { Context, ViewMaker } from "./context.js" */

/** The module of classes, where the club is one. @typedef {typeof import("./class.js") | null} ClassModule */

/** @type {ViewMaker} */
export function clubView(ctx, { handle = "" }) {
  let name = handle;
  let kind = "club";
  const error = errorLine();
  const club = loaded(
    () => fetchClub(handle),
    ({ view, classes }) => {
      ({ name, kind } = view);
      document.title = document.title.replace(handle, name);
      return clubPart(ctx, view, run, classes?.classPart(ctx, view, place) ?? null);
    },
    {
      problem: (refusal) =>
        problemOf(refusal).status === 404 ? nothingHere(() => t("club.missing")) : h("p", { class: "quiet" }, () => problemText(refusal)),
    },
  );
  // The focus would be lost with the button that is replaced.
  const begin = () => club.el.querySelector("h1")?.focus();
  /** @type {Run} */
  function run(act) {
    error.say(null);
    act().then(
      () => club.load().then(begin),
      (refusal) => error.say(() => clubProblem({ kind }, refusal)),
    );
  }
  /** @type {Place} */
  const place = {
    show(content) {
      error.say(null);
      club.el.replaceChildren(content);
      begin();
    },
    back: () => run(async () => {}),
  };
  return { el: h("section", { class: "page club" }, error.el, club.el), title: () => name };
}

/** A club, and where it is a class also the module of classes. @param {string} handle @returns {Promise<{ view: ClubView, classes: ClassModule }>} */
async function fetchClub(handle) {
  const view = await getClub(handle);
  if (view.kind !== "class") return { view, classes: null };
  const classes = await import("./class.js");
  await classes.loadClass();
  return { view, classes };
}

/** @param {Context} ctx @param {ClubView} view @param {Run} run @param {HTMLElement | null} classPart */
function clubPart(ctx, view, run, classPart) {
  const { handle, name, banner, members, created_at: made, standing, visible } = view;
  const me = ctx.session.player();
  const leads = standing === "officer";
  return h(
    "div",
    { class: "club-parts" },
    h("h1", { tabindex: "-1" }, name),
    banner === "" ? null : h("p", { class: "club-line" }, banner),
    h("p", { class: "quiet" }, () => `${t("clubs.members", { n: members })} · ${clubText(view, "club.since", { day: day(made) })}`),
    visible ? h("p", { class: "description" }, () => described(view)) : h("p", {}, () => clubText(view, "club.hidden")),
    me?.kind === "account" ? standingPart(view, me.name, run) : h("p", {}, () => clubText(view, "clubs.account")),
    classPart,
    ...(visible
      ? [membersPart(view, leads ? (me?.name ?? "") : null, run), boardPart(handle), clubMatchesPart(view), matchesPart(handle)]
      : []),
    leads ? officersSlot(ctx, view, run) : null,
    visible && me?.kind === "account" && !leads ? reportPart(view) : null,
    ctx.session.moderator() ? moderatorsPart(view, run) : null,
  );
}

/** @param {ClubView} view */
const reportPart = (view) =>
  closedPart(
    () => clubText(view, "club.report"),
    async () => (await import("./club-report.js")).reportForm(view),
  );

/** @param {ClubView} view @param {Run} run */
const moderatorsPart = (view, run) =>
  closedPart(
    () => t("club.moderate"),
    async () => (await import("./club-moderation.js")).moderationPart(view, run),
  );

/** The description in the reader's language, or the first there is. @param {ClubView} view */
function described({ description }) {
  const texts = /** @type {Partial<Record<Language, string>>} */ (description);
  return texts[currentLanguage()] ?? Object.values(texts)[0] ?? "";
}

/** What the reader is here, and can do about it. @param {ClubView} view @param {string} me @param {Run} run */
function standingPart(view, me, run) {
  const { handle, joining, standing } = view;
  const button = (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ act, primary = false) =>
    h("button", { type: "button", class: primary ? "primary" : "", onclick: () => run(act) }, () => clubText(view, key));
  const leave = () =>
    sureButton(
      () => clubText(view, "club.leave"),
      () => t("club.leave.sure"),
      () => run(() => deleteMember(handle, me)),
    );
  const actions = {
    none: () => (joining === "open" ? [button("club.join", () => postMember(handle, ""), true)] : []),
    requested: () => [button("club.withdraw", () => deleteRequest(handle, me))],
    invited: () => [button("club.accept", () => postMember(handle, ""), true), button("club.decline", () => deleteInvitation(handle, me))],
    // A pupil does not leave the class.
    member: () => (view.class?.own_pupil ? [] : [leave()]),
    officer: () => [button("club.step-down", () => deleteOfficer(handle, me)), leave()],
  };
  return h(
    "div",
    { class: "standing" },
    standing === "none" ? null : h("p", { role: "status" }, () => standingText(view)),
    standing === "none" && joining === "request" ? requestForm(handle, run) : h("p", { class: "actions" }, ...actions[standing]()),
  );
}

/** @param {ClubView} view */
const standingText = (view) => (view.class?.own_pupil ? t("class.standing") : clubText(view, `club.standing.${view.standing}`));

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
const membersPart = (view, leader, run) =>
  clubCard(
    "club.members",
    paged(
      (cursor) => getMembers(view.handle, cursor),
      (member) => memberRow(view, member, leader, run),
      () => t("club.members.none"),
      "rows",
    ),
  );

/** @param {ClubView} view @param {ClubMemberView} member @param {string | null} leader @param {Run} run */
function memberRow(view, { player, officer, online, pupil }, leader, run) {
  const { handle } = view;
  const { name } = player;
  const of = h("span", { class: "visually-hidden" }, () => `(${fullName(player)})`);
  const office = officer
    ? h("button", { type: "button", onclick: () => run(() => deleteOfficer(handle, name)) }, () => clubText(view, "club.dismiss"), of)
    : h("button", { type: "button", onclick: () => run(() => postOfficer(handle, name)) }, () => clubText(view, "club.appoint"), of);
  return h(
    "li",
    { class: "person" },
    h(
      "span",
      {},
      h("span", { class: online ? "here" : "away", "aria-hidden": "true" }),
      playerLink(player),
      h("small", { class: "quiet" }, () =>
        [online ? t("club.online") : "", officer ? clubText(view, "club.officer") : "", pupil ? t("class.member") : ""]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
    // A teacher releases or deletes a pupil in the list of pupils.
    leader === null || leader === name || pupil
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
  let game = RATED_GAMES[0].id;
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
    RATED_GAMES.map(({ id }) => h("option", { value: id }, () => t(`game.${id}.name`))),
  );
  return clubCard(
    "club.board",
    h(
      "label",
      { class: "club-game" },
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
    h("h3", {}, () => t("club.matches.now")),
    paged(
      (cursor) => getRunningClubMatches(handle, cursor),
      (match) => matchRow(match),
      () => t("club.matches.now.none"),
      "rows",
    ),
    h("h3", {}, () => t("club.matches.latest")),
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
