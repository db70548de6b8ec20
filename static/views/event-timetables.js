// @ts-check
// A timetable of events in the list of those that the reader may stop.
//
//   li.event-card
//     h3, p (times), p.quiet (terms), p (the next event), p.error, button

import { h, refresh } from "../core/dom.js";
import { moment, t } from "../core/i18n.js";
import { stopTimetable } from "../net/events.js";
import { entryTexts, eventTerms, timetableText } from "./event-texts.js";
import { sureButton } from "./parts/sure-button.js";
import { problemText } from "./texts.js";

/** @import { EventTimetable } from "../core/types.js" */

/** @param {EventTimetable} timetable @param {() => void} changed runs when it was stopped */
export function timetableCard(timetable, changed) {
  const { id, event, next_at: next } = timetable;
  /** @type {unknown} */
  let refusal = null;
  async function stop() {
    try {
      await stopTimetable(id);
      return changed();
    } catch (failure) {
      refusal = failure;
    }
    refresh(el);
  }
  const el = h(
    "li",
    { class: "event-card" },
    h("h3", {}, event.name),
    h("p", {}, () => timetableText(timetable)),
    h("p", { class: "quiet" }, () => [eventTerms(event), ...entryTexts(event.entry)].join(" · ")),
    h("p", {}, () => t("event.timetable.next", { time: moment(next) })),
    h("p", { class: "error", role: "alert", hidden: () => refusal === null }, () => (refusal === null ? "" : problemText(refusal))),
    sureButton(
      () => t("event.timetable.stop"),
      () => t("event.timetable.stop.sure"),
      () => void stop(),
      {},
      event.name,
    ),
  );
  return el;
}
