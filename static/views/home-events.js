// @ts-check
// The events of the home page: those that run and the next ones to come.
//
//   div (the slot of the page; hidden where there are none)
//     section.card.home-events
//       h2
//       ul.event-cards > li.event-card   h3 > a, p.quiet (kind, game, players), p (now, or the start)
//       p > a                            to all events

import { h, list, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { t } from "../core/i18n.js";
import { getEvents } from "../net/events.js";
import { eventPath, kindText, startText } from "./event-texts.js";

/** @import { EventSummary } from "../core/types.js" */

/** The number of events. */
export const SHOWN = 3;

/** An event that is shown: a later answer changes it, and its element stays. @typedef {{ event: EventSummary }} Shown */
/** @typedef {{ shown: Shown[], section: HTMLElement }} Part */

/** The parts that are built, by their slots. @type {WeakMap<HTMLElement, Part>} */
const parts = new WeakMap();

/**
 * The events to show: those that run, then the next to come. The first that comes has a place however many run.
 * @param {readonly EventSummary[]} running
 * @param {readonly EventSummary[]} coming the next start first
 */
export function chosenEvents(running, coming) {
  // An event may begin between the two answers.
  const next = coming.filter(({ id }) => !running.some((event) => event.id === id));
  return [...running.slice(0, SHOWN - Math.min(next.length, 1)), ...next].slice(0, SHOWN);
}

/** When an event begins, or that it runs. @param {EventSummary} event */
export const timeText = (event) => (event.state === "running" ? t("home.events.now") : startText(event));

/** The kind, the game and the players of an event. @param {EventSummary} event */
export const aboutText = (event) =>
  [kindText(event.kind), t(`game.${event.game}.name`), t("event.players", { n: event.players })].join(" · ");

/**
 * Fetches the events and shows them in a slot of the page, which is hidden where there are none, and after a failure.
 * @param {HTMLElement} slot
 */
export async function showEvents(slot) {
  const events = await currentEvents().catch(() => []);
  const part = parts.get(slot) ?? (events.length > 0 ? build(slot) : null);
  if (part === null) return;
  const known = new Map(part.shown.map((one) => [one.event.id, one]));
  part.shown = events.map((event) => Object.assign(known.get(event.id) ?? { event }, { event }));
  slot.hidden = events.length === 0;
  refresh(part.section);
}

/** @returns {Promise<EventSummary[]>} */
async function currentEvents() {
  const [running, coming] = await Promise.all([getEvents("running", null, SHOWN), getEvents("coming", null, SHOWN)]);
  const events = chosenEvents(running.items, coming.items);
  if (events.length > 0) await loadStyle("events");
  return events;
}

/** @param {HTMLElement} slot */
function build(slot) {
  /** @type {Part} */
  const part = {
    shown: [],
    section: h(
      "section",
      { class: "card home-events" },
      h("h2", {}, () => t("menu.events")),
    ),
  };
  part.section.append(
    list(
      h("ul", { class: "event-cards" }),
      () => part.shown,
      ({ event }) => event.id,
      card,
    ),
    h(
      "p",
      {},
      h("a", { href: "/events" }, () => t("home.events.all")),
    ),
  );
  slot.replaceChildren(part.section);
  parts.set(slot, part);
  return part;
}

/** @param {Shown} shown */
function card(shown) {
  const { id, name } = shown.event;
  return h(
    "li",
    { class: "event-card" },
    h("h3", {}, h("a", { href: eventPath(id) }, name)),
    h("p", { class: "quiet" }, () => aboutText(shown.event)),
    h("p", { class: () => `event-state ${shown.event.state}` }, () => timeText(shown.event)),
  );
}
