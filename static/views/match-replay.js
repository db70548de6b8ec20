// @ts-check
// Looking back in a match: ply by ply, by buttons, by the arrow keys, or as a replay.
//
//   div.replay[role=group] > button.icon…

import { h, hideWhen } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { isBack, isOver, lookAt, shownPly } from "./match-state.js";
import { onPlyKey, plyButton } from "./parts/ply-button.js";
import { sign } from "./parts/sign.js";

/** @import { Table } from "./match-state.js" */

/** The time for which a replay shows each ply. */
const REPLAY_MS = 1_000;

/**
 * @param {Table} table
 * @param {() => boolean} isMoving whether the steps of the last ply are still being shown
 * @param {() => void} update called when another ply is shown, or the replay begins or ends
 */
export function replayPart(table, isMoving, update) {
  const running = replayTimer(table, isMoving, update);

  /** Shows a ply by the reader's choice, which ends a replay. @param {number} to */
  function turnTo(to) {
    running.stop();
    lookAt(table, to);
    update();
  }

  /** Shows the move of the shown ply once more. */
  function again() {
    running.stop();
    table.again = true;
    update();
  }

  const toFirst = () => turnTo(0);
  const back = () => turnTo(shownPly(table) - 1);
  const on = () => turnTo(shownPly(table) + 1);
  const toLast = () => turnTo(Infinity);
  const keys = { ArrowLeft: back, ArrowRight: on, ArrowUp: toFirst, ArrowDown: toLast };
  const isFirst = () => shownPly(table) === 0;
  const isLatest = () => !isBack(table);
  const label = () => t(running.isOn() ? "replay.pause" : "replay.play");

  return {
    el: h(
      "div",
      { class: "replay", role: "group", "aria-label": () => t("replay.title") },
      plyButton("replay.first", "first", isFirst, toFirst),
      plyButton("replay.back", "back", isFirst, back),
      hideWhen(
        h(
          "button",
          { type: "button", class: "icon", onclick: running.toggle, title: label, "aria-label": label },
          sign(() => (running.isOn() ? "pause" : "play")),
        ),
        () => !isOver(table) || table.match.view.plies.length === 0,
      ),
      plyButton("replay.again", "again", isFirst, again),
      plyButton("replay.on", "on", isLatest, on),
      plyButton("replay.last", "last", isLatest, toLast),
    ),
    turnTo,
    stop: running.stop,
    /** @param {KeyboardEvent} event */
    onKey: (event) => onPlyKey(keys, event),
  };
}

/**
 * The replay: one ply after another, up to the last.
 * @param {Table} table
 * @param {() => boolean} isMoving
 * @param {() => void} update
 */
function replayTimer(table, isMoving, update) {
  /** @type {ReturnType<typeof setInterval> | null} */
  let timer = null;

  function stop() {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  function next() {
    if (isMoving()) return;
    lookAt(table, shownPly(table) + 1);
    if (!isBack(table)) stop();
    update();
  }

  function toggle() {
    if (timer !== null) stop();
    else {
      if (!isBack(table)) lookAt(table, 0);
      timer = setInterval(next, REPLAY_MS);
    }
    update();
  }

  return { toggle, stop, isOn: () => timer !== null };
}
