// @ts-check
// The matches of events: one that has begun opens, and leads back to its event. These texts are with those of events.

import { h } from "../core/dom.js";
import { loadPart, t } from "../core/i18n.js";

/** @import { Context } from "./context.js" */

// Without the texts the links are there.
await loadPart("events").catch(() => {});

/**
 * A match of an event opens by itself where the event is shown, or another match of it that is over; elsewhere a notice leads to it.
 * @param {{ match: string, event: { id: string, name: string } }} begun
 * @param {Context} ctx
 * @param {(notice: { text: () => string, href: string }) => void} tell
 */
export function openEventMatch({ match, event: { id, name } }, ctx, tell) {
  if (location.pathname === `/match/${match}`) return;
  const href = `/match/${match}?event=${id}`;
  if (location.pathname === `/event/${id}` || showsItsEnd(ctx, id)) ctx.go(href);
  else tell({ text: () => t("event.begun", { name }), href });
}

/** Whether the page is at a match of an event that is over. The board may still be showing its last move. @param {Context} ctx @param {string} event */
function showsItsEnd({ line }, event) {
  const [, first, shown] = location.pathname.split("/");
  if (first !== "match" || !shown || new URLSearchParams(location.search).get("event") !== event) return false;
  let isOver = false;
  const leave = line.follow(shown, (state) => {
    isOver = Boolean(state?.view.result);
  });
  leave();
  return isOver;
}

/**
 * Adds the way back to the event that a match belongs to, above the chat, which comes later: the link must not move under a finger.
 * @param {HTMLElement} host with the match
 * @param {string} event
 */
export function linkBack(host, event) {
  const link = h("a", { class: "button primary", href: `/event/${encodeURIComponent(event)}` }, () => t("event.back"));
  (host.querySelector(".chat") ?? host.querySelector(".about"))?.before(h("p", {}, link));
}
