// @ts-check
// Looking back in a match: ply by ply, by buttons, by the arrow keys, or as a replay.
//
//   div.replay[role=group] > button.icon…

import { h, hideWhen } from "../core/dom.js";
import { t } from "../core/i18n.js";

/** The time for which a replay shows each ply. */
const REPLAY_MS = 1_000;

/**
 * @param {Object} match
 * @param {() => number} match.last the number of plies
 * @param {() => boolean} match.over
 * @param {() => boolean} match.moving whether the steps of the last ply are still being shown
 * @param {() => void} onShow called when another ply is shown, or the replay begins or ends
 */
export function replayPart({ last, over, moving }, onShow) {
  /** The shown ply; null for the latest. @type {number | null} */
  let lookedAt = null;
  /** @type {ReturnType<typeof setInterval> | null} */
  let running = null;

  const ply = () => lookedAt ?? last();

  /** @param {number} wish */
  function show(wish) {
    const to = Math.max(0, Math.min(last(), wish));
    lookedAt = to === last() ? null : to;
    onShow();
  }

  function stop() {
    if (running !== null) clearInterval(running);
    running = null;
  }

  function toggle() {
    if (running !== null) stop();
    else {
      if (lookedAt === null) show(0);
      running = setInterval(() => {
        if (moving()) return;
        show(ply() + 1);
        if (lookedAt === null) stop();
        onShow();
      }, REPLAY_MS);
    }
    onShow();
  }

  /** Shows a ply by the reader's choice, which ends a replay. @param {number} to */
  function turnTo(to) {
    stop();
    show(to);
  }

  const keys = /** @type {Record<string, () => number>} */ ({
    ArrowLeft: () => ply() - 1,
    ArrowRight: () => ply() + 1,
    ArrowUp: () => 0,
    ArrowDown: () => Infinity,
  });

  const step = (
    /** @type {string} */ label,
    /** @type {string} */ sign,
    /** @type {() => number} */ to,
    /** @type {() => boolean} */ disabled,
  ) =>
    h(
      "button",
      { type: "button", class: "icon", title: () => t(label), "aria-label": () => t(label), disabled, onclick: () => turnTo(to()) },
      h("span", { class: `sign ${sign}`, "aria-hidden": "true" }),
    );
  const atStart = () => ply() === 0;
  const atEnd = () => lookedAt === null;
  const label = () => t(running === null ? "replay.play" : "replay.pause");

  return {
    el: h(
      "div",
      { class: "replay", role: "group", "aria-label": () => t("replay.title") },
      step("replay.first", "first-ply", () => 0, atStart),
      step("replay.back", "back", () => ply() - 1, atStart),
      hideWhen(
        h(
          "button",
          { type: "button", class: "icon", onclick: toggle, title: label, "aria-label": label },
          h("span", { class: () => `sign ${running === null ? "play" : "pause"}`, "aria-hidden": "true" }),
        ),
        () => !over() || last() === 0,
      ),
      step("replay.on", "on", () => ply() + 1, atEnd),
      step("replay.last", "last-ply", () => Infinity, atEnd),
    ),
    ply,
    /** Whether an earlier ply is shown. */
    isBack: () => lookedAt !== null,
    turnTo,
    toLatest() {
      lookedAt = null;
    },
    stop,

    /** @param {KeyboardEvent} event */
    onKey(event) {
      const to = keys[event.key];
      if (!to || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof HTMLElement && event.target.closest("input, select, textarea, [role=grid]")) return;
      event.preventDefault();
      turnTo(to());
    },
  };
}
