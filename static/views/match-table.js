// @ts-check
// A match on the page: board, seats, messages, moves. It receives the news of a line, and shows them.
//
//   section.match
//     h1.visually-hidden
//     div.seat.top
//     div.board-host
//     div.seat.bottom
//     div.side
//       div.now, div.bars, div.moves, div.replay, div.actions, form.typed, div.about

import { badge } from "../core/badge.js";
import { h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { sound } from "../core/sound.js";
import { other, remaining, WARN_MS } from "../core/time.js";
import { holdVersion } from "../local/version.js";
import { matchExport } from "../net/api.js";
import { onOneDevice } from "../net/rights.js";
import { matchActions, matchBars } from "./match-bars.js";
import { matchHand } from "./match-hand.js";
import { replayPart } from "./match-replay.js";
import { moveList } from "./moves.js";
import { copyField } from "./parts/copy-field.js";
import { reportLink } from "./parts/player-link.js";
import { phraseMenu } from "./phrases.js";
import { seatBar } from "./seat.js";
import { countsText, playerName, refusalText, resultText, termsText, whyText } from "./texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { MatchNews } from "../net/socket.js" */
/** @import { Game } from "../games/types.js" */
/** @import { MatchContext } from "./context.js" */
/** @import { Wish } from "./match-bars.js" */

/** The interval at which the clocks are updated; they show tenths of a second. */
const TICK_MS = 100;
/** The countdown to a first move is shown below this time. */
const FIRST_MOVE_SHOWN_MS = 60_000;

/**
 * @param {MatchContext} ctx
 * @param {MatchState} match
 * @param {Game} game
 * @param {Object} place
 * @param {(id: string) => string} place.path the address of a match
 * @param {boolean} [place.onTv] whether it is shown as the featured match of the game
 * @param {boolean} [place.isLocal] whether it is on this device alone: without a link to share, and without an opponent to agree with
 */
export function matchTable(ctx, match, game, { path, onTv = false, isLocal = false }) {
  const { line } = ctx;
  const { view } = match;
  const { id } = view;
  let hurried = false;
  /** The number of commands other than moves without an answer. */
  let asking = 0;
  let turned = false;
  /** @type {(() => string) | null} */
  let notice = null;
  /** Whether the match was over when it was opened: then the page opens no rematch by itself. */
  const wasOver = view.result !== null;
  const hadNext = match.rematch.next;
  const release = wasOver || match.you === null ? () => {} : holdVersion();

  const now = () => match.view;
  const over = () => now().result !== null;
  const seated = () => match.you !== null;
  const bottomSide = () => /** @type {Side} */ (turned ? other(match.you ?? "first") : (match.you ?? "first"));
  /** One player has both seats. */
  const oneDevice = onOneDevice(view);
  const sideName = (/** @type {Side} */ side) => t(`game.${game.id}.side.${side}`);

  /** @param {() => string} text */
  function say(text) {
    notice = text;
    ctx.announce(text());
  }

  function hush() {
    notice = null;
  }

  /** @param {Wish} kind */
  async function ask(kind) {
    asking += 1;
    hush();
    refreshAll();
    const answer = await line.command(id, { kind });
    asking -= 1;
    if (!answer.ok) say(() => refusalText(answer.error));
    refreshAll();
  }

  // The parts.

  const replay = replayPart({ last: () => now().plies.length, over, moving: () => hand.board.state.steps.length > 0 }, refreshAll);
  const hand = matchHand(ctx, match, game, {
    shownPly: replay.ply,
    isBack: replay.isBack,
    bottomSide,
    isTurned: () => turned,
    say,
    hush,
    refreshAll: refreshAll,
  });
  const { myTurn } = hand;
  // The session knows a new name of the player before the match does: a guest may register during a game. On one device the seats have no
  // players' names.
  const playerOf = (/** @type {Side} */ side) => (side === match.you ? ctx.session.player() : null) ?? now().seats[side].player;
  const seatedAt = (/** @type {Side} */ side) => (oneDevice || (isLocal && side === match.you) ? null : playerOf(side));
  const seats = {
    top: seatBar(
      match,
      game,
      seatedAt,
      () => other(bottomSide()),
      () => game.tally(hand.pieces())[other(bottomSide())],
      "top",
    ),
    bottom: seatBar(match, game, seatedAt, bottomSide, () => game.tally(hand.pieces())[bottomSide()], "bottom"),
  };

  /** The player that the reader may report for this match: a person, or a person's bot. */
  const opponent = match.you && !oneDevice ? now().seats[other(match.you)].player : null;
  const reportable = opponent?.level ? null : opponent;

  const names = () => (oneDevice ? t("match.one-device") : `${playerName(playerOf("first"))} – ${playerName(playerOf("second"))}`);

  const bars = matchBars(ctx, match, game, { hand, ask: (kind) => void ask(kind), asking: () => asking > 0, refreshAll: refreshAll, path });
  const phrases = phraseMenu(line, id, () => {
    seats.top.quiet();
    seats.bottom.quiet();
  });
  const actions = matchActions(ctx, match, {
    ask: (kind) => void ask(kind),
    asking: () => asking > 0,
    isLocal,
    phrases: phrases.el,
    path,
    hint: hand.hints.button,
    onFlip: () => {
      turned = !turned;
      refreshAll();
    },
  });

  /** The text about the current round, and the seeds of each side at its beginning. */
  function roundText() {
    const round = hand.roundAt(replay.ply());
    if (round === null) return "";
    const { number: n, of, owned } = round;
    return t("round.now", { n, of, first: sideName("first"), owns: owned.first, second: sideName("second"), other: owned.second });
  }

  /** Announces the next round, if the last ply has ended one. */
  function sayRound() {
    const round = hand.roundAt(now().plies.length);
    if (round === null || round.ply !== now().plies.length || round.ply === 0) return;
    const { number: n, owned } = round;
    const burnt = now().position.includes("x");
    say(() =>
      [
        t("round.over", {
          n: n - 1,
          first: sideName("first"),
          owns: owned.first,
          second: sideName("second"),
          other: owned.second,
          next: n,
        }),
        burnt ? t("round.burnt") : "",
      ]
        .filter(Boolean)
        .join(" "),
    );
  }

  const status = h("p", { class: () => `status${myTurn() ? " mine" : ""}${over() ? " over" : ""}` }, statusText);
  const countdown = h("p", { class: "countdown" });

  function statusText() {
    const { result, turn } = now();
    if (result) return [resultText(game.id, result), countsText(match.view)].filter(Boolean).join(" · ");
    if (match.you === null || oneDevice) return t(`game.${game.id}.turn.${turn}`);
    if (turn !== match.you) return t("match.their-move");
    return t(now().plies.at(-1)?.side === turn ? "match.your-move-again" : "match.your-move");
  }

  function tick() {
    seats.top.tick();
    seats.bottom.tick();
    const { first_move_ms } = now().clock;
    const due = first_move_ms === null || over() ? null : Math.max(0, first_move_ms - (performance.now() - match.clockAt));
    // Against the computer there is much time: only the last minute is shown.
    const left = due !== null && due <= FIRST_MOVE_SHOWN_MS ? due : null;
    const text = left === null ? "" : t("match.first-move", { n: Math.ceil(left / 1000) });
    if (countdown.textContent !== text) countdown.textContent = text;
    countdown.hidden = left === null;
    const mine =
      match.you !== null && match.view.clock.running === match.you && view.time_control.kind === "realtime"
        ? remaining(match.view.clock, performance.now() - match.clockAt, match.you)
        : Infinity;
    if (mine < WARN_MS && mine > 0 && !hurried && !over()) {
      hurried = true;
      sound("hurry");
    }
    bars.tick();
  }

  const { width, height } = hand.board.state.layout;
  const el = h(
    "section",
    { class: "match" },
    h("h1", { class: "visually-hidden", tabindex: "-1" }, () => `${t(`game.${game.id}.name`)}: ${names()}`),
    seats.top.el,
    hand.el,
    seats.bottom.el,
    h(
      "div",
      { class: "side" },
      h(
        "div",
        { class: "now" },
        status,
        hideWhen(h("p", { class: "round-now" }, roundText), () => roundText() === ""),
        countdown,
        hideWhen(
          h("p", { class: "duty" }, () => {
            const duty = hand.bound();
            return duty === null ? "" : whyText(duty);
          }),
          () => hand.bound() === null,
        ),
        hideWhen(
          h("p", { class: "notice" }, () => notice?.() ?? ""),
          () => notice === null,
        ),
        hand.hints.said,
      ),
      bars.el,
      moveList(game, () => now().plies, replay.ply, replay.turnTo),
      replay.el,
      actions,
      hideWhen(hand.typed.el, () => !seated() || over()),
      h(
        "div",
        { class: "about" },
        hideWhen(
          h("p", {}, () => t("tv.watching", { game: t(`game.${game.id}.name`) })),
          () => !onTv || seated(),
        ),
        h("p", {}, () => termsText(now())),
        h("p", {}, () =>
          [
            seated() ? "" : t("match.watching"),
            match.presence.spectators > 0 ? t("match.spectators", { n: match.presence.spectators }) : "",
          ]
            .filter(Boolean)
            .join(" · "),
        ),
        isLocal
          ? h("p", {}, () => t("device.hint"))
          : h(
              "details",
              {},
              h("summary", {}, () => t("match.share")),
              copyField(() => t("match.share"), new URL(path(id), location.href).href, ctx),
            ),
        hideWhen(
          h(
            "p",
            { class: "exports" },
            () => `${t("export.title")}: `,
            h("a", { href: matchExport(id, null), download: "" }, () => t("export.notation")),
            " · ",
            h("a", { href: matchExport(id, "json"), download: "" }, "JSON"),
          ),
          () => !over() || isLocal,
        ),
        reportable && !isLocal ? hideWhen(h("p", {}, reportLink(reportable, id)), () => !over()) : null,
      ),
    ),
  );

  el.style.setProperty("--shape", String(width / height));

  function refreshAll() {
    hand.show();
    refresh(el);
    noteTurn();
    tick();
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    // A letter or digit typed on the board opens the field for a move.
    if (myTurn() && hand.typed.takes(event)) return hand.typed.begin(event);
    replay.onKey(event);
  }

  // The news of the line.

  /** @param {MatchNews} news */
  function hear(news) {
    if (news.kind === "refused") say(() => refusalText(news.error));
    if (news.kind === "said" && (news.side === match.you || !phrases.muted())) {
      for (const seat of Object.values(seats)) seat.say(news.side, news.phrase);
      if (news.side !== match.you)
        ctx.announce(t("announce.said", { name: playerName(playerOf(news.side)), text: t(`phrase.${news.phrase}`) }));
      return;
    }
    if (news.kind === "event") {
      const { event } = news.msg;
      // A reader at an earlier ply stays there; at the latest ply the board follows.
      if (event.kind === "move") {
        hush();
        sound("move");
        const passed = game.path(event.move, event.side).length === 0;
        if (passed) say(() => t("match.passed", { side: sideName(event.side) }));
        else {
          const again = !news.msg.state.result && news.msg.state.turn === event.side;
          ctx.announce(t(again ? "announce.again" : "announce.move", { side: sideName(event.side), move: game.spoken(event.move) }));
        }
        const duty = hand.bound();
        if (duty !== null) ctx.announce(whyText(duty));
        sayRound();
      } else if (event.kind === "offer-draw" && event.side !== match.you) ctx.announce(t("draw.asked"));
      else if (event.kind === "decline-draw" && event.side !== match.you) say(() => t("draw.declined"));
      else if (event.kind === "offer-takeback" && event.side !== match.you) ctx.announce(t("takeback.asked"));
      else if (event.kind === "decline-takeback" && event.side !== match.you) say(() => t("takeback.declined"));
      else if (event.kind === "takeback") {
        replay.toLatest();
        hush();
        hand.withdraw();
        ctx.announce(t("takeback.done"));
      } else if (event.kind === "give-time" && seated()) say(() => t(event.side === match.you ? "gift.given" : "gift.got"));
      if (news.msg.state.result) {
        hand.withdraw();
        release();
        sound("end");
        ctx.announce(statusText());
      } else if (event.kind === "move") hand.makeAhead();
    }
    refreshAll();
    document.title = title();
    const { next } = match.rematch;
    if (next !== null && next !== hadNext && seated()) ctx.go(path(next));
  }

  const title = () => (myTurn() && !oneDevice ? `${t("match.your-move")} · ${names()}` : names());

  /** Updates the badge, which reminds a player who leaves the page in their turn. */
  function noteTurn() {
    if (!oneDevice) badge.note(match.view.id, myTurn());
  }

  hand.show();
  noteTurn();
  const ticking = wasOver ? null : setInterval(tick, TICK_MS);
  const stopStatus = line.onStatus(refreshAll);
  document.addEventListener("keydown", onKey);
  tick();

  return {
    el,
    title,
    seated,
    hear,
    destroy() {
      release();
      replay.stop();
      hand.hints.stop();
      if (ticking !== null) clearInterval(ticking);
      stopStatus();
      document.removeEventListener("keydown", onKey);
      hand.board.destroy();
    },
  };
}
