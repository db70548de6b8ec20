// @ts-check
// The board of an event: the match of the leaders, move by move.
//
//   section.card.event-board
//     h2 > a
//     div.live-board
//     p.players

import { eachFrame, h, hideWhen, onRefresh, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { loadGame } from "../games/index.js";
import { sideMark } from "./parts/side-mark.js";
import { smallBoard } from "./small-board.js";
import { seatText } from "./texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { Game } from "../games/types.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { EventParts } from "./event-state.js" */

/** @param {EventParts} parts */
export function leadersBoard({ ctx, event }) {
  /** Loaded with the first match. @type {Game | undefined} */
  let game;
  let isLoading = false;
  let gone = false;
  /** The match that is followed. @type {string | null} */
  let on = null;
  /** @type {MatchState | null} */
  let match = null;
  /** @type {ReturnType<typeof smallBoard> | null} */
  let board = null;
  let leave = () => {};
  const host = h("div", { class: "live-board" });

  async function load() {
    if (isLoading) return;
    isLoading = true;
    // The next refresh tries again.
    game = await loadGame(event().game).catch(() => undefined);
    isLoading = false;
    if (game && !gone) frame.soon();
  }

  /** @param {string | null} id */
  function turnTo(id) {
    if (id === on) return;
    if (!game) return void load();
    leave();
    leave = id === null ? () => {} : ctx.line.follow(id, (state) => state && show(state));
    on = id;
    match = null;
  }

  /** @param {MatchState} state */
  function show(state) {
    if (game && match?.view.id !== state.view.id) {
      board?.destroy();
      board = smallBoard(game, state.view.setup, () => t("match.board", { game: t(`game.${state.view.game}.name`) }));
      host.replaceChildren(board.el);
    }
    match = state;
    board?.show(state);
    frame.soon();
  }

  const seat = (/** @type {Side} */ side) =>
    h(
      "span",
      { class: "who" },
      sideMark(event().game, side),
      h("span", {}, () => (match ? seatText(match.view.seats[side]) : "")),
    );
  const el = hideWhen(
    h(
      "section",
      { class: "card event-board" },
      h(
        "h2",
        {},
        h("a", { href: () => `/match/${on}?event=${event().id}` }, () => t("event.board")),
      ),
      host,
      h("p", { class: "players" }, seat("second"), seat("first")),
    ),
    () => match === null || event().state !== "running",
  );
  onRefresh(el, () => turnTo(event().state === "running" ? event().featured : null));
  const frame = eachFrame(() => refresh(el));
  return {
    el,
    destroy() {
      gone = true;
      leave();
      frame.stop();
      board?.destroy();
    },
  };
}
