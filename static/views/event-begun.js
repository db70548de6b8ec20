// @ts-check
// A match of an event has begun for the reader.

import { t } from "../core/i18n.js";

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
