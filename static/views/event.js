// @ts-check
// The page of an event: terms, countdown, joining, standings, rounds with their games, a board of the leaders, the podium.
//
//   section.page.event
//     div.loaded (until the event is there)
//     div.event-parts
//       header.event-head  h1, p.quiet (terms), p.event-time, p.event-score, p[role=status], actions, p.error
//       section.card…      podium, board, standings, chart, rounds, judging, about

import { eachFrame, h, hideWhen, onRefresh, refresh } from "../core/dom.js";
import { loadPart, number, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { eventFile, getEvent, getEventGames, getStandings, watchEvent } from "../net/events.js";
import { eventActions } from "./event-actions.js";
import { leadersBoard } from "./event-board.js";
import { roundsPart } from "./event-rounds.js";
import { podiumPart, standingsPart } from "./event-standings.js";
import {
  addGames,
  countdown,
  createEventPage,
  fail,
  hasBegun,
  hasChart,
  hasPlayers,
  hearEvent,
  hearGames,
  hearStandings,
  hearState,
  isChanging,
  isFull,
  mayJudge,
  scoreOf,
  shownCursor,
  shownRound,
} from "./event-state.js";
import { entryTexts, eventPath, eventTerms, playersText, scoreText, startText, waitText } from "./event-texts.js";
import { nothingHere } from "./parts/nothing-here.js";
import { playerLink } from "./parts/player-link.js";
import { invitationPart } from "./series.js";
import { problemText } from "./texts.js";

/** @import { EventView } from "../core/types.js" */
/** @import { Context, ViewMaker } from "./context.js" */
/** @import { EventPage, EventParts } from "./event-state.js" */

/** How often the page looks for changes of which the server does not tell it. */
const LOOK_MS = 4_000;
/** How often it looks where the server tells it of changes: for the games of a round. */
const TOLD_LOOK_MS = 30_000;
const SECOND_MS = 1_000;

/** @type {ViewMaker} */
export function eventView(ctx, { id = "" }) {
  const page = createEventPage(id);
  const el = h("section", { class: "page event" }, h("div", { class: "loaded", "aria-busy": "true" }));
  const frame = eachFrame(() => refresh(el));
  let isGone = false;
  /** @type {(() => void) | null} */
  let leaveBoard = null;
  const parts = eventParts(ctx, page, frame.soon);
  const load = parts.load;
  parts.load = async () => {
    await load();
    if (isGone) return;
    if (page.event && leaveBoard === null) leaveBoard = lay(el, parts);
    else if (!page.event) el.replaceChildren(failed(page, parts));
    frame.soon();
  };
  void parts.load();
  const looks = createLooks(ctx, page, parts);
  const ticking = setInterval(() => {
    for (const clock of el.querySelectorAll(".time-left")) refresh(clock);
  }, SECOND_MS);
  return {
    title: () => page.event?.name ?? t("events.title"),
    el,
    destroy() {
      isGone = true;
      looks.stop();
      clearInterval(ticking);
      frame.stop();
      leaveBoard?.();
    },
  };
}

/** Follows the event, and fetches what the server does not tell. @param {Context} ctx @param {EventPage} page @param {EventParts} parts */
function createLooks(ctx, page, parts) {
  let looked = performance.now();
  let isTold = false;
  let isDue = false;
  const stop = watchEvent(ctx.line, page.id, (state) => {
    isTold = true;
    if (hearState(page, state)) isDue = true;
    parts.update();
  });
  const looking = setInterval(() => {
    if (!isChanging(page) && !isDue) return;
    if (document.visibilityState !== "visible") return;
    const now = performance.now();
    if (isTold && ctx.line.status() === "open" && !isDue && now - looked < TOLD_LOOK_MS) return;
    [looked, isDue] = [now, false];
    void parts.load();
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(looking);
      stop();
    },
  };
}

/** @param {Context} ctx @param {EventPage} page @param {() => void} update @returns {EventParts} */
function eventParts(ctx, page, update) {
  return {
    ctx,
    page,
    update,
    event: () => /** @type {EventView} */ (page.event),
    async load() {
      try {
        const match = hearEvent(page, await getEvent(page.id));
        if (match !== null && location.pathname === eventPath(page.id)) return ctx.go(`/match/${match}?event=${page.id}`);
        if (hasPlayers(page)) await loadLists(page);
      } catch (failure) {
        fail(page, failure);
      }
    },
    async loadMore() {
      const round = shownRound(page);
      try {
        addGames(page, await getEventGames(page.id, round, page.moreGames), round);
      } catch (failure) {
        page.refusal = failure;
      }
      update();
    },
  };
}

/** Fetches the page of the standings and the games of the round that are shown. @param {EventPage} page */
async function loadLists(page) {
  const [cursor, round] = [shownCursor(page), shownRound(page)];
  const [standings, games] = await Promise.all([getStandings(page.id, cursor), round > 0 ? getEventGames(page.id, round, null) : null]);
  hearStandings(page, standings, cursor);
  if (games !== null) hearGames(page, games, round);
}

/** @param {EventPage} page @param {EventParts} parts */
const failed = ({ failure }, { load }) =>
  problemOf(failure).status === 404
    ? nothingHere(() => t("event.missing"))
    : h(
        "p",
        { class: "quiet" },
        () => problemText(failure),
        " ",
        h("button", { type: "button", onclick: load }, () => t("retry")),
      );

/** Builds the page, once the event is there. @param {HTMLElement} el @param {EventParts} parts @returns {() => void} ends the board */
function lay(el, parts) {
  const { event } = parts;
  document.title = document.title.replace(t("events.title"), event().name);
  const board = leadersBoard(parts);
  el.replaceChildren(
    h(
      "div",
      { class: "event-parts" },
      headPart(parts),
      invitationPart(parts),
      podiumPart(parts),
      board.el,
      standingsPart(parts),
      chartSlot(parts),
      roundsPart(parts),
      judgingSlot(parts),
      aboutPart(parts),
    ),
  );
  return board.destroy;
}

/** The leaders' points, once there is something to draw. @param {EventParts} parts */
const chartSlot = (parts) =>
  lateSlot(
    () => hasChart(parts.page),
    async () => (await import("./event-chart.js")).pointsChart(parts),
  );

/** The form with which moderators judge a game, with texts that nobody else reads. @param {EventParts} parts */
const judgingSlot = (parts) =>
  lateSlot(
    () => mayJudge(parts.page, parts.ctx.session.moderator()),
    async () => {
      const [{ judgingPart }] = await Promise.all([import("./event-judging.js"), loadPart("moderation")]);
      return judgingPart(parts);
    },
  );

/** A place that is hidden until there is something to show, whose module is fetched then. @param {() => boolean} isDue @param {() => Promise<HTMLElement>} load */
function lateSlot(isDue, load) {
  const slot = h("div", {});
  const show = () => {
    slot.hidden = !isDue() || slot.childElementCount === 0;
  };
  let isAsked = false;
  onRefresh(slot, () => {
    show();
    if (isAsked || !isDue()) return;
    isAsked = true;
    load().then(
      (part) => {
        slot.append(part);
        show();
      },
      // The next visit fetches it.
      () => slot.remove(),
    );
  });
  return slot;
}

/** The name, the terms, the time, and what the reader can do. @param {EventParts} parts */
function headPart(parts) {
  const { event } = parts;
  return h(
    "div",
    { class: "event-head" },
    h("h1", { tabindex: "-1" }, () => event().name),
    h("p", { class: "quiet" }, () => eventTerms(event())),
    h("p", { class: () => `event-state ${event().state}` }, () =>
      [stateText(event()), playersText(event()), startText(event())].filter(Boolean).join(" · "),
    ),
    timePart(parts),
    scorePart(parts),
    h("p", { role: "status" }, () => mineText(parts)),
    eventActions(parts),
  );
}

/** @param {EventView} event */
const stateText = ({ state, cancelled }) =>
  state === "cancelled" && cancelled ? t(`event.cancelled.${cancelled}`) : t(`event.state.${state}`);

/** The countdown; a screen reader reads it where its user looks. @param {EventParts} parts */
function timePart({ event }) {
  const left = () => countdown(event(), Date.now());
  return hideWhen(
    h(
      "p",
      { class: "event-time" },
      h("span", {}, () => t(left()?.of === "end" ? "event.ends-in" : "event.starts-in")),
      " ",
      h("strong", { class: "time-left", role: "timer" }, () => waitText(left()?.ms ?? 0)),
    ),
    () => left() === null,
  );
}

/** The score of a series. @param {EventParts} parts */
function scorePart({ page }) {
  const score = () => scoreOf(page);
  return hideWhen(
    h("p", { class: "event-score" }, () => {
      const rows = score();
      return rows === null ? "" : scoreText(rows);
    }),
    () => score() === null,
  );
}

/** What the reader is in the event. @param {EventParts} parts */
function mineText({ page, event }) {
  const { me, state } = event();
  if (me === null) return isFull(page) ? t("event.full") : "";
  if (state === "coming") return t(me.state === "withdrawn" ? "event.me.withdrawn" : "event.me.coming");
  if (state === "cancelled") return "";
  return [state === "running" ? t(`event.me.${me.state}`) : "", t("event.me.place", { place: me.place })].filter(Boolean).join(" ");
}

/** The conditions, the description, and the files. @param {EventParts} parts */
function aboutPart({ event, page }) {
  const {
    created_by: creator,
    kind,
    description,
    fill_ins: fillIns,
    apart_by_address: apart,
    berserk,
    host_extra_minutes: extra,
  } = event();
  const conditions = entryTexts(event().entry);
  const file = (/** @type {"results.csv" | "results.trf" | "export"} */ name, /** @type {string} */ key) =>
    h("a", { href: eventFile(page.id, name), download: "" }, () => t(key));
  return h(
    "section",
    { class: "card event-about" },
    h("h2", {}, () => t("event.about")),
    h("p", { class: "quiet" }, () => t(`event.kind.${kind}.hint`)),
    description ? h("p", { class: "description" }, description) : null,
    conditions.length > 0
      ? h("p", {}, () => [t("event.entry"), entryTexts(event().entry).join(", ")].join(" "))
      : h("p", {}, () => t("event.entry.open")),
    fillIns ? h("p", {}, () => t("event.fill-ins", { players: number(fillIns.players), level: number(fillIns.level) })) : null,
    apart ? h("p", {}, () => t("event.apart")) : null,
    berserk ? h("p", {}, () => t("event.berserk.hint")) : null,
    extra > 0 ? h("p", {}, () => t("event.host-extra.hint", { n: extra })) : null,
    h("p", { class: "quiet" }, () => t("event.by"), " ", playerLink(creator)),
    hideWhen(
      h(
        "p",
        { class: "exports" },
        file("results.csv", "event.export.csv"),
        ...(kind === "swiss" || kind === "round-robin" ? [" · ", file("results.trf", "event.export.trf")] : []),
        " · ",
        file("export", "event.export.matches"),
      ),
      () => !hasBegun(page),
    ),
  );
}
