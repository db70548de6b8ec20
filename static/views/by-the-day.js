// @ts-check
// What only a match by the day has: the way to the next one, conditional moves, and the players' vacations. Fetched with the first such match.
//
//   a.button (next), button (conditional moves); in the bars of the seats: span.vacation

import { h, hideWhen, onRefresh, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { loadPart, moment, t } from "../core/i18n.js";
import { getPlayer } from "../net/api.js";
import { isOver } from "./match-state.js";
import { nextMatch } from "./next-match.js";
import { problemText } from "./texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { MatchContext } from "./context.js" */
/** @import { Table } from "./match-state.js" */
/** @import { Seat } from "./seat.js" */

/**
 * @param {MatchContext} ctx
 * @param {Table} table
 * @param {{ path: (id: string) => string, seats: Record<"top" | "bottom", Seat> }} place
 * @returns {HTMLElement[]} for the actions of the match
 */
export function rareActions(ctx, table, { path, seats }) {
  const { match } = table;
  /** @type {ReturnType<typeof vacations> | null} */
  let away = null;
  let isReady = false;
  const opened = conditionalMoves(ctx, table);
  const button = hideWhen(
    h("button", { type: "button", class: "conditional", onclick: () => void opened.open().then(() => refresh(page())) }, () =>
      isReady ? t("conditional.title") : "",
    ),
    () => !isReady || isOver(table) || match.view.turn === match.you,
  );
  const page = () => button.closest(".match") ?? button;
  onRefresh(button, () => {
    opened.follow();
    void away?.();
  });
  Promise.all([loadPart("turns"), loadStyle("turns")]).then(
    () => {
      isReady = true;
      away = vacations(table, seats);
      refresh(button);
    },
    // The match goes on without; the next visit loads them.
    () => button.remove(),
  );
  return [nextMatch(ctx, table, path), button];
}

/** The sheet of conditional moves, while it is open. @param {MatchContext} ctx @param {Table} table */
function conditionalMoves(ctx, table) {
  const { match } = table;
  /** @type {{ seq: number, close: () => void } | null} */
  let sheet = null;
  let isOpening = false;
  const say = (/** @type {() => string} */ text) => {
    table.notice = text;
    ctx.announce(text());
  };
  return {
    async open() {
      if (isOpening) return;
      isOpening = true;
      const { seq } = match.view;
      const close = await import("./conditional-moves.js")
        .then(({ openConditionalMoves }) =>
          openConditionalMoves(ctx, table, () => {
            sheet = null;
          }),
        )
        .catch((error) => say(() => problemText(error)));
      isOpening = false;
      if (close) sheet = { seq, close };
    },
    /** Closes the sheet when the match has gone on: its lines begin at an earlier position. */
    follow() {
      if (sheet === null || sheet.seq === match.view.seq) return;
      const { close } = sheet;
      sheet = null;
      close();
      say(() => t("conditional.gone-on"));
    },
  };
}

/**
 * Shows in the bars of the seats until when their players are on vacation.
 * @param {Table} table
 * @param {Record<"top" | "bottom", Seat>} seats
 */
function vacations({ match }, seats) {
  /** @type {Partial<Record<Side, string>>} */
  const until = {};
  const notes = Object.values(seats).map(({ el, side }) => {
    const text = () => until[side()];
    const note = h("span", { class: "vacation", hidden: () => !text() }, () =>
      text() ? t("vacation.until", { until: moment(text() ?? "") }) : "",
    );
    el.append(note);
    return note;
  });
  /** The number of plies when they were fetched last. */
  let asked = -1;
  return async () => {
    if (asked === match.view.ply) return;
    asked = match.view.ply;
    for (const side of /** @type {Side[]} */ (["first", "second"])) {
      const { player } = match.view.seats[side];
      if (player.kind !== "account") continue;
      const profile = await getPlayer(player.name).catch(() => null);
      if (profile === null) continue;
      if (profile.vacation_until) until[side] = profile.vacation_until;
      else delete until[side];
    }
    notes.forEach(refresh);
  };
}
