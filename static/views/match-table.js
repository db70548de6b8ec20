// @ts-check
// A match on the page: board, seats, messages, moves. It receives the news of a line, and shows them.
//
//   section.match
//     h1.visually-hidden
//     div.seat.top
//     div.board-host
//     div.seat.bottom
//     div.side
//       div.ending, div.now, div.bars, div.moves, div.replay, div.actions, form.typed, div.about

import { badge } from "../core/badge.js";
import { eachFrame, h, hideWhen, list, refresh, renew } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { sound } from "../core/sound.js";
import { other, remaining, WARN_MS } from "../core/time.js";
import { positionIn } from "../games/setup.js";
import { holdVersion } from "../local/version.js";
import { matchAnimation, matchExport, matchPicture } from "../net/api.js";
import { coachPart } from "./coach.js";
import { matchActions, matchBars } from "./match-bars.js";
import { endingPart } from "./match-ending.js";
import { matchHand } from "./match-hand.js";
import { boundTextOf, hear, roundText, say, statusText } from "./match-news.js";
import { replayPart } from "./match-replay.js";
import { bottomSide, createTable, isOver, isSeated, lastShown, myTurn, outcomeOf, pieces, reportable, shownPly } from "./match-state.js";
import { moveList } from "./moves.js";
import { copyField } from "./parts/copy-field.js";
import { nameParts, reportLink } from "./parts/player-link.js";
import { phraseMenu } from "./phrases.js";
import { seatBar } from "./seat.js";
import { playerName, refusalText, termsText } from "./texts.js";

/** @import { SoundName } from "../core/sound.js" */
/** @import { Side } from "../core/types.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { MatchNews } from "../net/line.js" */
/** @import { Game } from "../games/types.js" */
/** @import { MatchContext } from "./context.js" */
/** @import { Wish } from "./match-bars.js" */
/** @import { MatchHand } from "./match-hand.js" */
/** @import { Effect } from "./match-news.js" */
/** @import { Table } from "./match-state.js" */

/** The interval at which the clocks are updated; they show tenths of a second. */
const TICK_MS = 100;
/** The countdown to a first move is shown below this time. */
const FIRST_MOVE_SHOWN_MS = 60_000;

/** The number of phrases that stay readable. */
const SAID = 20;

/**
 * @typedef {Object} Place
 * @property {(id: string) => string} path the address of a match
 * @property {boolean} [onTv] whether it is shown as the featured match of the game
 * @property {boolean} [isLocal] whether it is on this device alone
 * @property {HTMLElement | null} [heading] the heading that the document has already: where a screen reader may be
 */

/**
 * @typedef {Object} Page
 * @property {MatchContext} ctx
 * @property {Table} table
 * @property {Required<Place>} place
 * @property {MatchHand} hand
 * @property {Record<"top" | "bottom", ReturnType<typeof seatBar>>} seats
 * @property {ReturnType<typeof endingPart>} ending
 * @property {ReturnType<typeof matchBars>} bars
 * @property {ReturnType<typeof phraseMenu>} phrases
 * @property {ReturnType<typeof replayPart>} replay
 * @property {HTMLElement} countdown
 * @property {(isNews?: boolean) => void} update follows a change of the state: the board at once, the rest with the next frame, or for news
 *   with the end of the move that the board shows
 * @property {boolean} held whether the rest waits for that end
 * @property {SoundName[]} sounds those that wait for it
 * @property {() => void} release lets the page be updated, once the match is over
 */

/**
 * @param {MatchContext} ctx
 * @param {MatchState} match
 * @param {Game} game
 * @param {Place} place
 */
export function matchTable(ctx, match, game, { path, onTv = false, isLocal = false, heading = null }) {
  const table = createTable(match, game, isLocal);
  const frame = eachFrame(() => {
    if (waits(page)) return;
    for (const name of page.sounds.splice(0)) sound(name);
    refresh(el);
    tick(page);
    document.title = titleOf(page);
  });
  const update = (isNews = false) => {
    page.held = isNews;
    page.hand.show();
    noteTurn(table);
    frame.soon();
  };
  const page = createPage(ctx, table, { path, onTv, isLocal, heading }, update);
  const el = layOut(page);
  // A reader who acts does not wait for the end of a move.
  el.addEventListener("click", (event) => void (page.hand.el.contains(/** @type {Node} */ (event.target)) || page.hand.board.skip()), true);
  page.hand.show();
  noteTurn(table);
  const ticking = table.wasOver && !isSeated(table) ? null : setInterval(() => tick(page), TICK_MS);
  const stopStatus = ctx.line.onStatus(() => update());
  const keys = (/** @type {KeyboardEvent} */ event) => onKey(page, event);
  document.addEventListener("keydown", keys);
  tick(page);

  return {
    el,
    title: () => titleOf(page),
    seated: () => isSeated(table),
    /** @param {MatchNews} news */
    hear: (news) => hearNews(page, news),
    destroy() {
      page.release();
      page.replay.stop();
      page.hand.hints.stop();
      page.ending.stop();
      frame.stop();
      if (ticking !== null) clearInterval(ticking);
      stopStatus();
      document.removeEventListener("keydown", keys);
      page.hand.board.destroy();
    },
  };
}

/**
 * @param {MatchContext} ctx
 * @param {Table} table
 * @param {Required<Place>} place
 * @param {Page["update"]} update
 * @returns {Page}
 */
function createPage(ctx, table, place, update) {
  const { match, game } = table;
  const hand = matchHand(
    ctx,
    table,
    () => update(true),
    () => onStep(page, update),
  );
  const seat = (/** @type {"top" | "bottom"} */ position) => {
    const side = () => (position === "top" ? other(bottomSide(table)) : bottomSide(table));
    return seatBar(
      match,
      game,
      (at) => seatedAt(ctx, table, at),
      side,
      () => pieces(table),
      position,
    );
  };
  const seats = { top: seat("top"), bottom: seat("bottom") };
  /** @param {Wish} kind */
  const ask = (kind) => void command(page, kind);
  /** @type {Page} */
  const page = {
    ctx,
    table,
    place,
    hand,
    seats,
    ending: endingPart(ctx, table, { path: place.path, update: () => update() }),
    bars: matchBars(ctx, table, { confirmButton: hand.confirmButton, ask, update: () => update(), path: place.path }),
    phrases: phraseMenu(ctx.line, match.view.id, () => {
      seats.top.quiet();
      seats.bottom.quiet();
    }),
    replay: replayPart(
      table,
      () => hand.board.state.steps.length > 0,
      () => update(),
    ),
    countdown: h("p", { class: "countdown" }),
    update,
    held: false,
    sounds: [],
    release: table.wasOver || match.you === null ? () => {} : holdVersion(),
  };
  return page;
}

/** Whether the page waits for the end of the move that the board shows. @param {Page} page */
const waits = ({ held, hand }) => held && hand.board.state.steps.length > 0;

/** Follows a step of a move on the board; its end is followed by the rest of the page. @param {Page} page @param {Page["update"]} update */
function onStep({ table, hand, held }, update) {
  const [step] = hand.board.state.steps;
  if (table.game.sows) sound(step?.hand ? "seed" : "capture");
  if (!step && held) update();
}

/**
 * The player of a side. The session knows a new name of the reader before the match does: a guest may register during a game.
 * @param {MatchContext} ctx
 * @param {Table} table
 * @param {Side} side
 */
const playerOf = (ctx, { match }, side) => (side === match.you ? ctx.session.player() : null) ?? match.view.seats[side].player;

/** The player to name at a seat; on one device the seats have no players' names. @param {MatchContext} ctx @param {Table} table @param {Side} side */
const seatedAt = (ctx, table, side) => (table.oneDevice || (table.isLocal && side === table.match.you) ? null : playerOf(ctx, table, side));

/** @param {Page} page */
const namesOf = ({ ctx, table }) =>
  table.oneDevice ? t("match.one-device") : `${playerName(playerOf(ctx, table, "first"))} – ${playerName(playerOf(ctx, table, "second"))}`;

/** @param {Page} page */
const titleOf = (page) => (myTurn(page.table) && !page.table.oneDevice ? `${t("match.your-move")} · ${namesOf(page)}` : namesOf(page));

/** Updates the badge, which reminds a player who leaves the page in their turn. @param {Table} table */
function noteTurn(table) {
  if (!table.oneDevice) badge.note(table.match.view.id, myTurn(table));
}

/** @param {Page} page @param {Wish} kind */
async function command({ ctx, table, update }, kind) {
  table.asking += 1;
  table.notice = null;
  update();
  const answer = await ctx.line.command(table.match.view.id, { kind });
  table.asking -= 1;
  if (!answer.ok)
    perform(
      ctx,
      say(table, () => refusalText(answer.error)),
    );
  update();
}

/** @param {Page} page @param {KeyboardEvent} event */
function onKey({ table, hand, replay }, event) {
  // A letter or digit typed on the board opens the field for a move.
  if (myTurn(table) && hand.typed.takes(event)) return hand.typed.begin(event);
  replay.onKey(event);
}

/** @param {Page} page @param {MatchNews} news */
function hearNews(page, news) {
  const { ctx, table, seats, phrases, place, update } = page;
  const { match } = table;
  if (news.kind === "said" && (news.side === match.you || !phrases.muted())) {
    for (const seat of Object.values(seats)) seat.say(news.side, news.phrase);
    sound("phrase");
    table.said = [...table.said, { side: news.side, phrase: news.phrase }].slice(-SAID);
    update(page.held);
    if (news.side !== match.you)
      ctx.announce(t("announce.said", { name: playerName(playerOf(ctx, table, news.side)), text: t(`phrase.${news.phrase}`) }));
    return;
  }
  const effects = hear(table, news);
  update(true);
  for (const effect of effects) {
    if (effect.kind === "play") page.hand.play(effect.move);
    else if (effect.kind === "ended") page.release();
    else if (effect.kind === "sound") page.sounds.push(...soundOf(page, effect.name));
    else perform(ctx, effect);
  }
  const { next, offered_by } = match.rematch;
  if (isSeated(table) && offered_by !== null && offered_by !== match.you && offered_by !== table.asked) {
    ctx.announce(t("rematch.asked"));
    sound("phrase");
  }
  table.asked = offered_by;
  if (next !== null && next !== table.hadNext && isSeated(table)) ctx.go(place.path(next));
}

/** @param {MatchContext} ctx @param {Effect} effect */
function perform(ctx, effect) {
  if (effect.kind === "announce") ctx.announce(effect.text);
}

/** The sound of a ply or an end; a sowing that is shown has one at each step. @param {Page} page @param {"move" | "end"} name @returns {SoundName[]} */
function soundOf({ table, hand }, name) {
  if (name === "end") return [outcomeOf(table) ?? "end"];
  const { steps, traces } = hand.board.state;
  if (table.game.sows && steps.length > 0) return [];
  return [traces.taken.length > 0 ? "capture" : "move"];
}

/** Updates the parts that change with time. @param {Page} page */
function tick(page) {
  const { table, seats, bars, countdown } = page;
  const { match } = table;
  const { clock, time_control } = match.view;
  const since = performance.now() - match.clockAt;
  const due = clock.first_move_ms === null || isOver(table) ? null : Math.max(0, clock.first_move_ms - since);
  // Against the computer there is much time: only the last minute is shown.
  const left = due !== null && due <= FIRST_MOVE_SHOWN_MS ? due : null;
  const text = left === null ? "" : t("match.first-move", { n: Math.ceil(left / 1000) });
  if (countdown.textContent !== text) countdown.textContent = text;
  countdown.hidden = left === null;
  const runs = match.you !== null && clock.running === match.you && time_control.kind === "realtime";
  const mine = runs && match.you !== null ? remaining(clock, since, match.you) : Infinity;
  // The clocks wait with the turn, unless the reader's time is short.
  if (!waits(page) || mine < WARN_MS) {
    seats.top.tick();
    seats.bottom.tick();
  }
  if (mine < WARN_MS && mine > 0 && !table.hurried && !isOver(table)) {
    table.hurried = true;
    sound("hurry");
  }
  bars.tick();
}

// The elements.

/** @param {Page} page */
function layOut(page) {
  const { ctx, table, place, hand, seats, ending, bars, phrases, replay, update } = page;
  const { game } = table;
  const actions = matchActions(ctx, table, {
    ask: (kind) => void command(page, kind),
    path: place.path,
    phrases: phrases.el,
    hint: hand.hints.button,
    seats,
    onFlip: () => {
      table.turned = !table.turned;
      update();
    },
  });
  const el = h(
    "section",
    { class: "match" },
    renew(place.heading ?? h("h1"), { class: "visually-hidden", tabindex: "-1" }, () => `${t(`game.${game.id}.name`)}: ${namesOf(page)}`),
    seats.top.el,
    hand.el,
    seats.bottom.el,
    h(
      "div",
      { class: "side" },
      ending.el,
      nowPart(page),
      coachPart(table, () => update()),
      game.toldPart?.(() => lastShown(table)) ?? null,
      bars.el,
      moveList(
        game,
        () => table.match.view.plies,
        () => shownPly(table),
        replay.turnTo,
      ),
      replay.el,
      actions,
      saidList(page),
      hideWhen(hand.typed.el, () => !isSeated(table) || isOver(table)),
      aboutPart(page),
    ),
  );
  const { width, height } = hand.board.state.layout;
  el.style.setProperty("--shape", String(width / height));
  el.style.setProperty("--upright", String(height / width));
  return el;
}

/** A line that is hidden while it is empty. @param {string} className @param {() => string} text */
const lineWhen = (className, text) => hideWhen(h("p", { class: className }, text), () => text() === "");

/** The state of the match, the round, the countdown, and messages. @param {Page} page */
function nowPart({ table, hand, countdown }) {
  const duty = () => boundTextOf(table);
  return h(
    "div",
    { class: "now" },
    h("p", { class: () => `status${myTurn(table) ? " mine" : ""}${isOver(table) ? " over" : ""}` }, () => statusText(table)),
    lineWhen("round-now", () => roundText(table)),
    countdown,
    lineWhen("duty", duty),
    lineWhen("notice", () => table.notice?.() ?? ""),
    hand.hints.said,
  );
}

/** The phrases of the match: beside a name each is shown for some seconds only. @param {Page} page */
function saidList({ ctx, table }) {
  const line = (/** @type {{ side: Side, phrase: string }} */ { side, phrase }) =>
    h("li", {}, h("strong", {}, ...nameParts(playerOf(ctx, table, side))), " ", () => t(`phrase.${phrase}`));
  let count = 0;
  const key = () => String(count++);
  return hideWhen(
    list(h("ol", { class: "said-list", "aria-label": () => t("phrase.open") }), () => table.said, key, line),
    () => table.said.length === 0,
  );
}

/** The terms of the match, its links and its exports. @param {Page} page */
function aboutPart({ ctx, table, place }) {
  const { match, game, isLocal } = table;
  const { id } = match.view;
  const opponent = reportable(table);
  const spectators = () => match.presence.spectators;
  return h(
    "div",
    { class: "about" },
    hideWhen(
      h("p", {}, () => t("tv.watching", { game: t(`game.${game.id}.name`) })),
      () => !place.onTv || isSeated(table),
    ),
    h("p", {}, () => termsText(match.view)),
    positionIn(match.view.setup) === null ? null : hideWhen(startLink(id), () => !isOver(table)),
    h("p", {}, () =>
      [isSeated(table) ? "" : t("match.watching"), spectators() > 0 ? t("match.spectators", { n: spectators() }) : ""]
        .filter(Boolean)
        .join(" · "),
    ),
    isLocal
      ? h("p", {}, () => t("device.hint"))
      : h(
          "details",
          {},
          h("summary", {}, () => t("match.share")),
          copyField(() => t("match.share"), new URL(place.path(id), location.href).href, ctx),
        ),
    hideWhen(exportLinks(id), () => !isOver(table) || isLocal),
    opponent ? hideWhen(h("p", {}, reportLink(opponent, id)), () => !isOver(table)) : null,
  );
}

/** The position from which a match began, in the analysis, which there is after the end. @param {string} id */
const startLink = (id) =>
  h(
    "p",
    {},
    h("a", { class: "beginning", href: `/analysis/${id}?ply=0` }, () => t("match.start")),
  );

/** @param {string} id */
const exportLinks = (id) =>
  h(
    "p",
    { class: "exports" },
    () => `${t("export.title")}: `,
    h("a", { href: matchExport(id, null), download: "" }, () => t("export.notation")),
    " · ",
    h("a", { href: matchExport(id, "json"), download: "" }, "JSON"),
    " · ",
    h("a", { href: matchPicture(id), download: "" }, () => t("export.picture")),
    " · ",
    h("a", { href: matchAnimation(id), download: "" }, () => t("export.animation")),
  );
