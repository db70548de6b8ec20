// @ts-check
// The page of the reader's notices about events in their absence, newest first. Those that are shown are marked as read.
//
//   section.page.narrow
//     ul.rows.notice-list > li.unread > div (a or span, small), time
//     p (empty), button (more)
//     section.decisions   those of moderators, with appeals

import { h, hideWhen, list, refresh } from "../core/dom.js";
import { moment, number, t, tOr } from "../core/i18n.js";
import { getMyNotices, postNoticesRead } from "../net/api.js";
import { decisionsPart } from "./decisions.js";
import { moderatorText } from "./notices.js";
import { errorLine } from "./parts/error-line.js";
import { nothingHere } from "./parts/nothing-here.js";
import { fullName, playerPath, problemText } from "./texts.js";

/** @import { Notice } from "../core/types.js" */
/** @import { Context, ViewMaker } from "./context.js" */

const title = () => t("notice.title");

/** @type {ViewMaker} */
export function noticesView(ctx) {
  if (ctx.session.player()?.kind !== "account") return { el: nothingHere(() => t("notices.account")), title };
  return listOf(ctx);
}

/** @param {Context} ctx */
function listOf(ctx) {
  /** @type {{ items: Notice[], next: string | null, isLoaded: boolean }} */
  const state = { items: [], next: null, isLoaded: false };
  const error = errorLine();
  const more = h("button", { type: "button", onclick: () => void load(state.next) }, () => t("player.more"));
  const rows = list(
    h("ul", { class: "rows notice-list" }),
    () => state.items,
    ({ id }) => id,
    noticeRow,
  );
  const decisions = decisionsPart(ctx);
  const el = h(
    "section",
    { class: "page narrow" },
    h("h1", { tabindex: "-1" }, title),
    h(
      "div",
      { class: "card" },
      hideWhen(rows, () => state.items.length === 0),
      hideWhen(
        h("p", { class: "quiet" }, () => t("notices.none")),
        () => !state.isLoaded || state.items.length > 0,
      ),
      error.el,
      hideWhen(more, () => state.next === null),
    ),
    decisions.el,
  );

  /** @param {string | null} cursor of the next page; null for the first one */
  async function load(cursor) {
    try {
      const { items, next = null } = await getMyNotices(cursor === null ? "" : `cursor=${encodeURIComponent(cursor)}`);
      state.items = cursor === null ? items : [...state.items, ...items];
      state.next = next;
      state.isLoaded = true;
      error.say(null);
      refresh(el);
      await read();
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
  }

  /** Marks the shown notices as read; the marks of this visit stay. */
  async function read() {
    const [newest] = state.items;
    if (newest && document.visibilityState === "visible" && state.items.some((notice) => !notice.read)) {
      await postNoticesRead({ up_to: newest.at });
    }
  }

  const again = () => void Promise.all([load(null), decisions.load().catch((refusal) => error.say(() => problemText(refusal)))]);
  const seen = () => void (document.visibilityState === "visible" && read().catch(() => {}));
  const leave = ctx.line.onMessage((msg) => {
    if (msg.t === "notice") again();
  });
  document.addEventListener("visibilitychange", seen);
  again();
  return {
    el,
    title,
    destroy() {
      leave();
      document.removeEventListener("visibilitychange", seen);
    },
  };
}

/** @param {Notice} notice */
function noticeRow(notice) {
  const href = pathOf(notice);
  const text = () => noticeText(notice);
  return h(
    "li",
    { class: notice.read ? "" : "unread" },
    h(
      "div",
      {},
      notice.read ? null : h("strong", { class: "new" }, () => `${t("notices.new")} `),
      href ? h("a", { href }, text) : h("span", {}, text),
    ),
    h("time", { class: "quiet", datetime: notice.at }, () => moment(notice.at)),
  );
}

/** Where a notice leads. @param {Notice} notice */
function pathOf({ kind, match, challenge, by, club, club_match: clubMatch, event }) {
  if (clubMatch && !match) return `/club-match/${encodeURIComponent(clubMatch)}`;
  if (event) return match ? `/match/${encodeURIComponent(match)}?event=${event.id}` : `/event/${encodeURIComponent(event.id)}`;
  if (clubMatch && match) return `/match/${encodeURIComponent(match)}`;
  if (club) return `/club/${encodeURIComponent(club.handle)}`;
  if (match) return `/match/${encodeURIComponent(match)}`;
  // Only an open challenge has a page that is worth a visit.
  if (kind === "challenge" && challenge) return `/challenge/${encodeURIComponent(challenge)}`;
  return by ? playerPath(by) : null;
}

/** @param {Notice} notice */
function noticeText(notice) {
  const { kind, by = null, game, outcome, reason = "", until, upheld, club, event } = notice;
  const name = by ? fullName(by) : t("notices.somebody");
  const about = { name, game: game ? t(`game.${game}.name`) : "", club: club?.name ?? "", event: event?.name ?? "" };
  // Only moderators write a text.
  if (notice.text) return moderatorText(notice);
  switch (kind) {
    case "report":
      return t(upheld ? "notices.report.upheld" : "notices.report.dismissed", { name });
    case "appeal-decided":
      return t(upheld ? "notices.appeal-decided.accepted" : "notices.appeal-decided.rejected", { name });
    case "challenge-declined":
      return reason === "generic"
        ? t("notices.challenge-declined", about)
        : `${t("notices.challenge-declined", about)} (${t(`decline.${reason}`)})`;
    case "club-match-cancelled":
      return t(club ? "notices.club-match-cancelled" : "notices.club-match-cancelled.closed", about);
    case "turn":
      return until ? t("notices.turn-until", { ...about, time: moment(until) }) : t("notices.turn", about);
    case "ended":
      return outcome ? endText(notice, about) : "";
    default:
      return t(`notices.${kind}`, about);
  }
}

/** @param {Notice} notice @param {{ name: string, game: string }} about */
function endText({ outcome, reason = "", rating_change: change }, about) {
  const what = t(`notices.ended.${outcome}`, about);
  if (outcome === "called-off") return `${what} ${tOr(`result.${reason}`, "result.aborted")}`;
  const why = outcome === "lost" && reason === "abandoned" ? t("notices.left") : tOr(`reason.${reason}`, "reason.other");
  const rating = typeof change === "number" ? ` ${t("notices.rating", { change: number(change, { signDisplay: "exceptZero" }) })}` : "";
  return `${what} – ${why}.${rating}`;
}
