// @ts-check
// A match at its address: played, watched, or replayed.

import { h } from "../core/dom.js";
import { hasRest, loadRest, t } from "../core/i18n.js";
import { gameOf, loadGame } from "../games/index.js";
import { reloadForFiles } from "../local/version.js";
import { getMatch, matchAddress, problemOf } from "../net/api.js";
import { fromView } from "../net/match.js";
import { matchTable } from "./match-table.js";
import { nothingHere } from "./parts/nothing-here.js";

/** @import { ServerMsg, Side } from "../core/types.js" */
/** @import { Game } from "../games/types.js" */
/** @import { MatchNews } from "../net/line.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { Context, ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function matchView(ctx, { id = "" }, early = null) {
  const host = early instanceof HTMLElement && early.matches(".match-page") ? early : waitingPart();
  /** @type {ReturnType<typeof matchTable> | null} */
  let table = null;
  /** Ends the chat, which only accounts load. @type {Promise<() => void> | null} */
  let chat = null;

  // The featured match of a game: the next one is opened by itself.
  const channel = gameOf(new URLSearchParams(location.search).get("tv") ?? "")?.id ?? null;
  const stopTv = channel === null ? () => {} : ctx.lobby.watchTv(channel);
  const stopLobby = ctx.lobby.onChange(goOn);
  function goOn() {
    const next = channel === null ? null : ctx.lobby.state.tv.get(channel);
    if (next && next !== id && table && !table.seated()) ctx.go(`/match/${next}?tv=${channel}`, { replace: true });
  }
  const title = () => table?.title() ?? t("match.title");

  // The reader does something, and sees what comes of it.
  for (const event of ["pointerdown", "keydown"]) host.addEventListener(event, () => void loadRest(), { once: true });
  let isLeft = false;
  const keep = keeper();
  /** The reader's seat when the table was made. @type {Side | null} */
  let laidFor = null;
  /** Phrases that came before the table was made. @type {MatchNews[]} */
  const unheard = [];

  const leave = ctx.line.follow(id, (match, news) => {
    if (match?.view.result) void keep(match);
    if (news.kind === "event" && !(match && begins(match) && news.msg.event.kind === "move")) void loadRest();
    // Only the line knows for certain which player the reader is.
    if (table && match && match.you === laidFor) table.hear(news);
    else if (news.kind === "said") unheard.push(news);
    else if (match) void needed(match).then((game) => lay(match, game), lost);
    else if (news.kind === "refused" && news.error.code === "unknown-match") missing();
  });

  /** Shows a match, once: several news may have waited for its files. @param {MatchState} match @param {Game | undefined} game */
  function lay(match, game) {
    if (isLeft || (table && match.you === laidFor)) return;
    if (!game) return host.replaceChildren(nothingHere(() => t("match.unknown-game")));
    table?.destroy();
    laidFor = match.you;
    const event = new URLSearchParams(location.search).get("event");
    const heading = host.querySelector("h1");
    table = matchTable(ctx, match, game, { path: (next) => `/match/${next}`, onTv: channel !== null, heading });
    host.replaceChildren(table.el);
    if (event) void import("./event-begun.js").then(({ linkBack }) => linkBack(host, event)).catch(() => {});
    for (const phrase of unheard.splice(0)) table.hear(phrase);
    if (ctx.session.player()?.kind === "account")
      chat ??= import("./chat.js").then(({ startChat }) => startChat(ctx, id, host)).catch(() => () => {});
    document.title = title();
    goOn();
  }

  function lost() {
    if (!isLeft && !table && !reloadForFiles()) host.replaceChildren(nothingHere(() => t("problem.offline")));
  }

  function missing() {
    if (!table) host.replaceChildren(nothingHere(() => t("match.missing")));
  }

  const refused = (/** @type {unknown} */ error) => void (problemOf(error).status === 404 && missing());
  ahead(ctx, id, refused);
  // Then ask the REST interface.
  const stopErrors = ctx.line.onMessage((msg) => void (refusesId(msg) && !table && getMatch(id).catch(refused)));
  return {
    el: host,
    title,
    destroy() {
      void chat?.then((stop) => stop());
      isLeft = true;
      leave();
      stopErrors();
      stopTv();
      stopLobby();
      table?.destroy();
    },
  };
}

/**
 * Whether the reader has still to make their first move: up to then the moves of a match need none of the rest of the texts.
 * @param {MatchState} match
 */
const begins = ({ view, you }) => view.result === null && view.plies.every(({ side }) => you !== null && side !== you);

/**
 * Loads what a match must have before it is shown: its game, and the rest of the texts where they are needed.
 * @param {MatchState} match
 */
const needed = async (match) => (await Promise.all([loadGame(match.view.game), hasRest() || begins(match) ? null : loadRest()]))[0];

/** Whether the server refuses an id that cannot be a match's: it does so without naming it. @param {ServerMsg} msg */
const refusesId = (msg) => msg.t === "error" && msg.match === undefined;

const waitingPart = () =>
  h(
    "div",
    { class: "match-page" },
    h("p", { class: "quiet loading" }, () => t("loading")),
  );

/**
 * Before the line is open, the REST interface has the match two round trips sooner; `theme.js` has requested it with the document. For a
 * finished match only the line knows about a rematch.
 * @param {Context} ctx
 * @param {string} id
 * @param {(error: unknown) => void} refused
 */
function ahead(ctx, id, refused) {
  const requested = document.querySelector(`link[rel="preload"][href="${matchAddress(id)}"]`);
  requested?.remove();
  if (ctx.line.status() === "open") {
    // An answer to the document that nobody reads would be that of the next request, which the analysis makes after the end.
    if (requested) void getMatch(id).catch(() => {});
    return;
  }
  void getMatch(id).then((view) => {
    const address = new URL(matchAddress(id), location.href).href;
    const at = performance
      .getEntriesByName(address)
      .map((entry) => /** @type {PerformanceResourceTiming} */ (entry).responseEnd)
      .at(-1);
    if (view.result === null) ctx.line.know(id, fromView(view, ctx.session.player(), at || performance.now()));
  }, refused);
}

/** A function that stores a finished match once, so that it can be analysed without a network. */
function keeper() {
  let kept = false;
  return async (/** @type {MatchState} */ { view }) => {
    if (kept) return;
    kept = true;
    await import("../local/seen.js")
      .then(({ createSeen }) => createSeen(localStorage).put(view))
      .catch(() => {
        // The next visit stores it.
      });
  };
}
