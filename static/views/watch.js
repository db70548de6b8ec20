// @ts-check
// The page of running matches: the featured match of every game on a small live board, and a list of all.
//
//   section.page.watch
//     div.channels > article.channel…  h2 > a, div.channel-board, div.channel-words (seats, terms)
//     section.card                     choice of a game, ul.rows of running matches

import { eachFrame, h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { GAMES, loadGame } from "../games/index.js";
import { getRunningMatches, getTv } from "../net/api.js";
import { choiceRow } from "./parts/choice-row.js";
import { loaded } from "./parts/loaded.js";
import { matchRow } from "./parts/match-row.js";
import { sideMark } from "./parts/side-mark.js";
import { smallBoard } from "./small-board.js";
import { handleText, seatText, termsText } from "./texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Context, View, ViewMaker } from "./context.js" */

/** How often the list of running matches is fetched again. */
const LOOK_MS = 20_000;
/** The choice of all games. */
const ALL = "all";

/** The page, with all games loaded. @returns {Promise<ViewMaker>} */
export async function watchPage() {
  const games = await Promise.all(GAMES.map(({ id }) => loadGame(id)));
  return (ctx) => watchView(ctx, games);
}

/** @param {Context} ctx @param {Game[]} games @returns {View} */
function watchView(ctx, games) {
  const channels = games.map((game) => channel(ctx, game));
  let chosen = ALL;
  const running = loaded(
    () => getRunningMatches(chosen === ALL ? null : chosen),
    ({ items }) =>
      items.length === 0
        ? h("p", { class: "quiet" }, () => t("home.watch.none"))
        : h(
            "ul",
            { class: "rows" },
            items.map((match) => matchRow(match)),
          ),
  );
  const look = () => void (document.visibilityState === "visible" && running.load());
  const looking = setInterval(look, LOOK_MS);
  // The line sends the featured matches; until then the list gives them.
  void getTv().then(
    ({ items }) => {
      for (const { game, match } of items) channels.find(({ id }) => id === game)?.first(match?.id ?? null);
    },
    () => {},
  );

  return {
    title: () => t("watch.title"),
    el: h(
      "section",
      { class: "page watch" },
      h("h1", { tabindex: "-1" }, () => t("watch.title")),
      h("p", { class: "lead" }, () => t("watch.lead")),
      h(
        "div",
        { class: "channels" },
        channels.map(({ el }) => el),
      ),
      h(
        "section",
        { class: "card" },
        h("h2", {}, () => t("watch.running")),
        choiceRow(
          "running",
          () => t("new.game"),
          [ALL, ...GAMES.map(({ id }) => id)].map((value) => ({
            value,
            label: () => (value === ALL ? t("filter.any") : t(`game.${value}.name`)),
          })),
          chosen,
          (value) => {
            chosen = value;
            void running.load();
          },
        ),
        running.el,
      ),
    ),
    destroy() {
      clearInterval(looking);
      for (const { destroy } of channels) destroy();
    },
  };
}

/**
 * The featured match of a game.
 * @param {Context} ctx
 * @param {Game} game
 */
function channel(ctx, game) {
  const name = () => t(`game.${game.id}.name`);
  /** @type {string | null} */
  let on = null;
  /** @type {MatchState | null} */
  let match = null;
  /** @type {ReturnType<typeof smallBoard> | null} */
  let board = null;
  let leave = () => {};
  const host = h("div", { class: "channel-board" });
  const frame = eachFrame(() => refresh(el));

  /** @param {string | null} id */
  function turnTo(id) {
    if (id === on) return;
    leave();
    leave = () => {};
    match = null;
    on = id;
    if (id !== null) leave = ctx.line.follow(id, (state) => state && show(id, state));
    frame.soon();
  }

  /** @param {string} id @param {MatchState} state */
  function show(id, state) {
    if (match?.view.id !== id) {
      board?.destroy();
      board = smallBoard(game, state.view.setup, () => t("match.board", { game: name() }));
      host.replaceChildren(board.el);
    }
    match = state;
    board?.show(state);
    frame.soon();
  }

  const stopTv = ctx.lobby.watchTv(game.id);
  const stop = ctx.lobby.onChange(() => {
    const next = ctx.lobby.state.tv.get(game.id);
    if (next !== undefined) turnTo(next);
  });

  // Without a featured match the board shows the start.
  board = smallBoard(game, "", () => t("match.board", { game: name() }));
  host.replaceChildren(board.el);
  board.rest();

  const el = h(
    "article",
    { class: () => `channel card${on === null ? " empty" : ""}` },
    h(
      "h2",
      {},
      hideWhen(h("a", { href: () => `/match/${on}?tv=${game.id}` }, name), () => on === null),
      hideWhen(h("span", {}, name), () => on !== null),
    ),
    host,
    channelWords(
      game,
      () => match,
      () => on !== null,
    ),
  );
  return {
    id: game.id,
    el,
    /** The featured match by the list; the line's message takes precedence. @param {string | null} id */
    first(id) {
      if (!ctx.lobby.state.tv.has(game.id)) turnTo(id);
    },
    destroy() {
      stop();
      stopTv();
      frame.stop();
      leave();
      board?.destroy();
    },
  };
}

/** @param {Game} game @param {() => MatchState | null} match @param {() => boolean} isOn whether a match is featured */
function channelWords(game, match, isOn) {
  /** @param {(match: MatchState) => string} text */
  const textOf = (text) => {
    const shown = match();
    return shown ? text(shown) : "";
  };
  const handle = (/** @type {Side} */ side) =>
    textOf(({ view }) => (view.seats[side].player.display_name ? handleText(view.seats[side].player) : ""));
  const seat = (/** @type {Side} */ side) =>
    h(
      "span",
      { class: "who" },
      sideMark(game.id, side),
      h("span", { title: () => handle(side) || null }, () => textOf(({ view }) => seatText(view.seats[side]))),
      h("span", { class: "visually-hidden" }, () => handle(side)),
    );
  return h(
    "div",
    { class: "channel-words" },
    hideWhen(h("p", { class: "players" }, seat("second"), seat("first")), () => match() === null),
    hideWhen(
      h("p", { class: "quiet" }, () => textOf(({ view }) => termsText(view))),
      () => match() === null,
    ),
    hideWhen(
      h("p", { class: "quiet" }, () => t("watch.none")),
      isOn,
    ),
  );
}
