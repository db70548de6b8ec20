// @ts-check
// A hint in a casual game: against the computer, or on one device. It comes from the engine of this page, so no network is needed; the
// suggested move is marked on the board and announced.

import { h, hideWhen } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { onOneDevice } from "../net/rights.js";
import { sign } from "./parts/sign.js";

/** @import { MatchState } from "../net/match.js" */
/** @import { Game } from "../games/types.js" */
/** @import { MatchContext } from "./context.js" */

/** The limits of a search: on a slow device the time ends it. */
const LIMITS = { nodes: 150_000, movetime_ms: 2_000 };

/**
 * @param {Pick<MatchContext, "announce">} ctx
 * @param {MatchState} match
 * @param {Game} game
 * @param {() => boolean} isTurn whether the reader can make a move now
 * @param {() => void} onChange called when the suggestion has changed
 */
export function hintFor(ctx, match, game, isTurn, onChange) {
  const { view } = match;
  const seats = Object.values(view.seats);
  /** Only without an opponent at another device, and only in casual matches. */
  const isOffered =
    match.you !== null &&
    !view.rated &&
    view.result === null &&
    (onOneDevice(view) || seats.some(({ player }) => player.kind === "bot" && player.level));
  /** @type {ReturnType<typeof import("../engine/engine.js").openEngine> | null} */
  let engine = null;
  /** The suggested move, with the state of the match that it is for. @type {{ seq: number, move: string } | null} */
  let found = null;
  /** @type {number | null} */
  let asked = null;
  let failed = false;

  const now = () => (found?.seq === match.view.seq ? found.move : null);

  async function ask() {
    const { seq, plies, setup, start } = match.view;
    if (asked === seq || now() !== null) return;
    asked = seq;
    failed = false;
    onChange();
    try {
      engine ??= (await import("../engine/engine.js")).openEngine();
      const moves = plies.map(({ move }) => move).join(" ");
      // A setup has more information than a position, but fits only a match that began from the standard position.
      const played = start === game.start ? { setup } : { position: start };
      const thought = await engine.think({ game: game.id, ...played, moves, ...LIMITS, fresh: true });
      if (thought && match.view.seq === seq) {
        found = { seq, move: thought.best };
        ctx.announce(t("hint.said", { move: game.spoken(thought.best) }));
      }
    } catch {
      failed = match.view.seq === seq;
    }
    if (asked === seq) asked = null;
    onChange();
  }

  const button = h(
    "button",
    { type: "button", disabled: () => !isTurn() || asked !== null, onclick: () => void ask() },
    sign("hint"),
    " ",
    () => t("hint.ask"),
  );
  return {
    button: hideWhen(button, () => !isOffered || match.view.result !== null),
    said: hideWhen(
      h("p", { class: "hint-said" }, () => {
        const move = now();
        return failed ? t("hint.failed") : move !== null ? t("hint.said", { move: game.spoken(move) }) : "";
      }),
      () => !failed && (now() === null || !isTurn()),
    ),
    /** The cells of the suggested move. @returns {string[]} */
    cells() {
      const move = now();
      return move !== null && isTurn() ? game.path(move, match.view.turn, game.parse(match.view.position).pieces) : [];
    },
    stop: () => engine?.stop(),
  };
}
