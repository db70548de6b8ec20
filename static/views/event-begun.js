// @ts-check
// The matches of events: one that has begun opens, and leads back to its event. These texts are with those of events.

import { h } from "../core/dom.js";
import { loadPart, t } from "../core/i18n.js";

// Without the texts the links are there.
await loadPart("events").catch(() => {});

/**
 * A match of an event opens by itself where the event is shown, or another match of it that is over; elsewhere a notice leads to it.
 * @param {{ match: string, event: { id: string, name: string } }} begun
 * @param {(path: string) => void} go
 * @param {(notice: { text: () => string, href: string }) => void} tell
 */
export function openEventMatch({ match, event: { id, name } }, go, tell) {
  if (location.pathname === `/match/${match}`) return;
  const href = `/match/${match}?event=${id}`;
  const isOfEvent = new URLSearchParams(location.search).get("event") === id && document.querySelector("main .status.over") !== null;
  if (location.pathname === `/event/${id}` || isOfEvent) go(href);
  else tell({ text: () => t("event.begun", { name }), href });
}

/** Adds the way back to the event that a match belongs to. @param {HTMLElement} host with the match @param {string} event */
export function linkBack(host, event) {
  const link = h("a", { class: "button primary", href: `/event/${encodeURIComponent(event)}` }, () => t("event.back"));
  host.querySelector(".about")?.prepend(h("p", {}, link));
}
