// @ts-check
// The live board of the home page: a featured match, else a recorded game, ply by ply.
//
//   section.card.live
//     h2
//     div.live-board
//     p.players, p.quiet
//     a (watch), button.icon (start and stop the recorded game)

import { eachFrame, h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { setting } from "../core/settings.js";
import { GAMES, gameOf, loadGame } from "../games/index.js";
import { pliesOf } from "../games/recorded.js";
import { seatParts } from "./parts/player-link.js";
import { sideMark } from "./parts/side-mark.js";
import { sign } from "./parts/sign.js";
import { smallBoard } from "./small-board.js";
import { termsText } from "./texts.js";

/** @import { MatchSummary, Side } from "../core/types.js" */
/** @import { Game, GameEntry } from "../games/types.js" */
/** @import { Context } from "./context.js" */

/** The time for which a recorded game shows each ply. */
const PLY_MS = 1_600;
/** The number of such times for which its end is shown. */
const END_PLIES = 4;
const DAY_MS = 86_400_000;

/** @typedef {ReturnType<typeof smallBoard>} SmallBoard */

/** @param {Context} ctx @param {boolean} newcomer whether the reader had chosen no game when the page was shown */
export function liveBoard(ctx, newcomer) {
  /** The featured match; null while the recorded game is shown. @type {MatchSummary | null} */
  let live = null;
  /** @type {SmallBoard | null} */
  let board = null;
  /** The match that is shown, or will be once its game is loaded; null for the recorded game. @type {string | null | undefined} */
  let wanted;
  let gone = false;
  let leave = () => {};
  const host = h("div", { class: "live-board" });
  const players = h("p", { class: "players", hidden: () => live === null });

  /** @param {Game} game @param {string} setup */
  function lay(game, setup) {
    board?.destroy();
    board = smallBoard(game, setup, () => t("match.board", { game: t(`game.${game.id}.name`) }));
    host.replaceChildren(board.el);
    return board;
  }

  /** @param {MatchSummary | null} featured */
  function show(featured) {
    const match = featured && gameOf(featured.game) ? featured : null;
    const id = match?.id ?? null;
    if (wanted === id) return;
    wanted = id;
    loadGame(match?.game ?? recorded.game).then(
      (game) => !gone && wanted === id && turnTo(match, game),
      () => {
        // The next look tries again.
        if (wanted === id) wanted = undefined;
      },
    );
  }

  /** @param {MatchSummary | null} match @param {Game} game of the match, or of the recorded game */
  function turnTo(match, game) {
    leave();
    leave = () => {};
    recorded.stop();
    live = match;
    if (match) {
      const shown = lay(game, match.setup);
      players.replaceChildren(seat(match, "second"), seat(match, "first"));
      leave = ctx.line.follow(match.id, (state) => state && shown.show(state));
    } else recorded.begin(game, lay);
    frame.soon();
  }

  const recorded = recordedGame(newcomer, () => frame.soon());
  const text = () => (live ? `${t(`game.${live.game}.name`)} · ${termsText(live)}` : recorded.text());
  const el = h(
    "section",
    { class: "card live" },
    h("h2", {}, () => t(live ? "home.live" : "home.recorded")),
    host,
    players,
    h("p", { class: "quiet" }, text),
    hideWhen(
      h("a", { class: "button", href: () => (live ? `/match/${live.id}?tv=${live.game}` : "/watch") }, () => t("menu.watch")),
      () => !live,
    ),
    hideWhen(recorded.button, () => live !== null),
  );
  const frame = eachFrame(() => refresh(el));
  return {
    el,
    show,
    destroy() {
      gone = true;
      leave();
      recorded.stop();
      frame.stop();
      board?.destroy();
    },
  };
}

/** @param {MatchSummary} match @param {Side} side */
const seat = (match, side) => h("span", { class: "who" }, sideMark(match.game, side), h("span", {}, ...seatParts(match.seats[side])));

/**
 * A recorded game, another one each day, again and again. For a newcomer it is one of the first game, whose code the reader is about to
 * need, so that nothing is loaded for it alone. It waits while the page is hidden. For a reader who wants no motion its middle is a picture,
 * until they start it.
 * @param {boolean} newcomer
 * @param {() => void} update called when it starts or stops
 */
function recordedGame(newcomer, update) {
  const day = newcomer ? 0 : Math.floor(Date.now() / DAY_MS);
  const { id } = /** @type {GameEntry} */ (GAMES[day % GAMES.length]);
  /** Its plies, once its game is loaded. @type {ReturnType<typeof pliesOf>} */
  let plies = [];
  /** @type {SmallBoard | null} */
  let board = null;
  /** @type {ReturnType<typeof setInterval> | null} */
  let timer = null;
  let at = 0;

  /** @param {number} next */
  function turnTo(next) {
    at = next;
    const last = plies[at - 1] ?? null;
    if (at === 0) board?.rest();
    else if (last) board?.showPly(at, last.pieces, last);
  }

  function start() {
    timer ??= setInterval(() => {
      if (!document.hidden && !board?.isMoving()) turnTo(at < plies.length + END_PLIES ? at + 1 : 0);
    }, PLY_MS);
  }

  function stop() {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  const label = () => t(timer === null ? "replay.play" : "replay.pause");
  const onclick = () => {
    if (timer === null) start();
    else stop();
    update();
  };
  return {
    game: id,
    text: () => t("home.recorded.text", { game: t(`game.${id}.name`) }),
    stop,
    /** @param {Game} game @param {(game: Game, setup: string) => SmallBoard} lay */
    begin(game, lay) {
      plies = pliesOf(game);
      board = lay(game, "");
      const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || setting("motion") === "none";
      turnTo(isStill ? plies.length >> 1 : 0);
      if (!isStill) start();
    },
    button: h(
      "button",
      { type: "button", class: "icon", title: label, "aria-label": label, onclick },
      sign(() => (timer === null ? "play" : "pause")),
    ),
  };
}
