// @ts-check
// Events: those that run, those to come, and past ones.
//
//   section.page.events
//     h1, p.lead, p > a.button
//     section.card…  ul.event-cards > li.event-card
//     section.card (the timetables that the reader may stop)

import { h, hideWhen, list, refresh } from "../core/dom.js";
import { moment, t } from "../core/i18n.js";
import { getEvents, getTimetables } from "../net/events.js";
import { countdown, merged } from "./event-state.js";
import { entryTexts, eventPath, eventTerms, playersText, waitText } from "./event-texts.js";
import { emptyState } from "./parts/empty-state.js";
import { problemText } from "./texts.js";

/** @import { EventSummary, Page } from "../core/types.js" */
/** @import { ViewMaker } from "./context.js" */

/** The lists, in their order on the page. */
const LISTS = /** @type {const} */ (["running", "coming", "finished"]);
/** How often the lists are fetched again, as long as the reader has not asked for more of one. */
const LOOK_MS = 30_000;
const SECOND_MS = 1_000;

const title = () => t("events.title");

/** @type {ViewMaker} */
export function eventsView(ctx) {
  const lists = LISTS.map((state) =>
    listPart({
      heading: () => t(`events.${state}`),
      none: () => t(`events.none.${state}`),
      get: (cursor) => getEvents(state, cursor),
      card: eventCard,
    }),
  );
  const el = h(
    "section",
    { class: "page events" },
    h("h1", { tabindex: "-1" }, title),
    h("p", { class: "lead" }, () => t("events.lead")),
    h(
      "p",
      {},
      h("a", { class: "button primary", href: "/new-event" }, () => t("events.new")),
    ),
    ...lists.map((part) => part.el),
  );
  if (ctx.session.player()?.kind === "account") {
    void import("./event-timetables.js").then(
      ({ timetableCard }) => {
        const part = listPart({
          heading: () => t("events.timetables"),
          none: null,
          get: getTimetables,
          card: (timetable) => timetableCard(timetable, () => void part.look()),
        });
        el.append(part.el);
      },
      () => {},
    );
  }
  const looking = setInterval(() => {
    if (document.visibilityState === "visible") for (const part of lists) part.look();
  }, LOOK_MS);
  const ticking = setInterval(() => {
    for (const clock of el.querySelectorAll(".time-left")) refresh(clock);
  }, SECOND_MS);
  return {
    title,
    el,
    destroy() {
      clearInterval(looking);
      clearInterval(ticking);
    },
  };
}

/**
 * A list that is fetched page by page, and looked at again while only its first page is shown.
 * @template {{ id: string }} T
 * @param {Object} of
 * @param {() => string} of.heading
 * @param {(() => string) | null} of.none the text where there is none; a list without this text is not shown then
 * @param {(cursor: string | null) => Promise<Page<T>>} of.get
 * @param {(item: T) => HTMLElement} of.card
 */
function listPart({ heading, none, get, card }) {
  /** @type {T[]} */
  let items = [];
  /** @type {string | null} */
  let next = null;
  let pages = 0;
  /** @type {unknown} */
  let failure = null;
  async function load(again = false) {
    try {
      const page = await get(again ? null : next);
      items = again ? merged(items, page.items, ({ id }) => id) : [...items, ...page.items];
      next = page.next ?? null;
      if (!again || pages === 0) pages++;
      failure = null;
    } catch (refusal) {
      failure = refusal;
    }
    refresh(el);
  }
  const more = h("button", { type: "button", onclick: () => load() }, () => t(failure === null ? "player.more" : "retry"));
  const el = h(
    "section",
    { class: "card", "aria-busy": () => (pages === 0 && failure === null ? "true" : null) },
    h("h2", {}, heading),
    list(
      h("ul", { class: "event-cards" }),
      () => items,
      ({ id }) => id,
      card,
    ),
    none === null ? null : hideWhen(emptyState("results", none), () => pages === 0 || items.length > 0),
    h("p", { class: "error", role: "alert", hidden: () => failure === null }, () => (failure === null ? "" : problemText(failure))),
    hideWhen(more, () => next === null && failure === null),
  );
  if (none === null) hideWhen(el, () => items.length === 0 && failure === null);
  void load();
  return { el, look: () => void (pages <= 1 && load(true)) };
}

/** @param {EventSummary} event */
export function eventCard(event) {
  const conditions = () => entryTexts(event.entry).join(", ");
  return h(
    "li",
    { class: "event-card" },
    h("h3", {}, h("a", { href: eventPath(event.id) }, event.name)),
    h("p", { class: "quiet" }, () => eventTerms(event)),
    h("p", {}, () => playersText(event)),
    timeLine(event),
    conditions() === "" ? null : h("p", { class: "quiet" }, conditions),
  );
}

/** When it begins, with the time until then; when it was over. @param {EventSummary} event */
function timeLine(event) {
  const { state, start_at: start, start_players: wanted, players, finished_at: finished } = event;
  const at = state === "finished" ? finished : start;
  const left = () => countdown(event, Date.now());
  return h(
    "p",
    { class: "event-time" },
    at === null || state === "running" ? null : h("time", { datetime: at }, () => moment(at)),
    state === "coming" && start === null && wanted !== null
      ? h("span", {}, () => t("event.starts.full", { n: Math.max(0, wanted - players) }))
      : null,
    hideWhen(
      h(
        "span",
        {},
        () => `${t(left()?.of === "end" ? "event.ends-in" : "event.starts-in")} `,
        h("strong", { class: "time-left", role: "timer" }, () => waitText(left()?.ms ?? 0)),
      ),
      () => left() === null,
    ),
  );
}
