// @ts-check
// A match: played, watched, or replayed.
//
//   section.match
//     h1.visually-hidden
//     div.seat.top
//     div.board-host
//     div.seat.bottom
//     div.side
//       p.status, p.notice, div.bars (a move to confirm or made ahead, offers, claim, rematch, line down), div.moves, div.replay,
//       div.actions, form.typed, details.about

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { setting } from "../core/settings.js";
import { sound } from "../core/sound.js";
import { WARN_MS, other, remaining } from "../core/time.js";
import { gameOf } from "../games/index.js";
import { meantMove } from "../games/typed.js";
import { holdVersion } from "../local/version.js";
import { getMatch, matchExport, problemOf } from "../net/api.js";
import { canAbort, canGiveTime, canOfferDraw, canResign, canSpeak, canTakeBack, claimIn, isComputerAway, onOneDevice, sideAtHand } from "../net/rights.js";
import { moveList } from "./moves.js";
import { copyField, hideWhen, nothingHere, playerName, refusalText, reportLink, resultText, sureButton, termsText, whyText } from "./parts.js";
import { phraseMenu } from "./phrases.js";
import { seatBar } from "./seat.js";
import { typedField } from "./typed.js";

/** @import { Command, Side } from "../core/types.js" */
/** @import { Choice, Pieces } from "../board/state.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { MatchNews } from "../net/socket.js" */
/** @import { Game } from "../games/index.js" */
/** @import { MatchContext, ViewMaker } from "./context.js" */

/** How often the clocks are looked at; a tenth of a second is what they show. */
const TICK_MS = 100;
/** How long a replay shows each ply. */
const REPLAY_MS = 1_000;
/** A move that the server has not answered for so long is spoken of. */
const HELD_MS = 2_000;
/** A first move that is due later than this is not spoken of. */
const FIRST_MOVE_SHOWN_MS = 60_000;

/** @type {ViewMaker} */
export function matchView(ctx, { id = "" }) {
  const host = h("div", { class: "match-page" }, h("p", { class: "quiet loading" }, () => t("loading")));
  /** @type {ReturnType<typeof matchTable> | null} */
  let table = null;

  // What is on in a game: another match follows by itself.
  const tv = new URLSearchParams(location.search).get("tv");
  const channel = tv !== null && gameOf(tv) ? tv : null;
  const stopTv = channel === null ? () => {} : ctx.lobby.watchTv(channel);
  const stopLobby = ctx.lobby.onChange(goOn);
  function goOn() {
    const next = channel === null ? null : ctx.lobby.state.tv.get(channel);
    if (next && next !== id && table && !table.seated()) ctx.go(`/match/${next}?tv=${channel}`, { replace: true });
  }
  const title = () => table?.title() ?? t("match.title");

  const leave = ctx.line.follow(id, (match, news) => {
    if (table) table.hear(news);
    else if (match) {
      const game = gameOf(match.view.game);
      if (!game) return host.replaceChildren(nothingHere(() => t("match.unknown-game")));
      table = matchTable(ctx, match, game, { path: (next) => `/match/${next}`, onTv: channel !== null });
      host.replaceChildren(table.el);
      document.title = title();
      goOn();
    } else if (news.kind === "refused" && news.error.code === "unknown-match") {
      host.replaceChildren(nothingHere(() => t("match.missing")));
    }
  });
  // An address that cannot be a match is refused without naming it: then the other door is asked.
  const stopErrors = ctx.line.onMessage(async (msg) => {
    if (msg.t !== "error" || msg.match !== undefined || table) return;
    const status = await getMatch(id).then(() => 200, (error) => problemOf(error).status);
    if (status === 404 && !table) host.replaceChildren(nothingHere(() => t("match.missing")));
  });
  return {
    el: host,
    title,
    destroy() {
      leave();
      stopErrors();
      stopTv();
      stopLobby();
      table?.destroy();
    },
  };
}

/**
 * @param {MatchContext} ctx
 * @param {MatchState} match
 * @param {Game} game
 * @param {Object} place
 * @param {(id: string) => string} place.path the address of a match
 * @param {boolean} [place.onTv] whether it is watched as what is on in the game
 * @param {boolean} [place.isLocal] whether it is on this device alone: nothing to be shared, and nobody to agree with
 */
export function matchTable(ctx, match, game, { path, onTv = false, isLocal = false }) {
  const { line } = ctx;
  const { view } = match;
  const { id } = view;
  /** The ply looked at, where it is not the latest. @type {number | null} */
  let lookedAt = null;
  /** The move that was sent and is not answered. @type {{ ply: number, move: string, side: Side, at: number } | null} */
  let sent = null;
  /** The move that is shown, to be confirmed. @type {{ ply: number, move: string, side: Side } | null} */
  let proposed = null;
  /** The move that is to be made as soon as it can be, as the cells that were chosen. @type {string[] | null} */
  let ahead = null;
  let hurried = false;
  /** Whether it has waited for longer than it should on an open line: the server cannot save it just now. */
  let held = false;
  /** Commands other than moves that are not answered. */
  let asking = 0;
  let turned = false;
  /** Whether the hand has shown already how the move goes that is being made. */
  let walked = false;
  /** @type {(() => string) | null} */
  let notice = null;
  /** @type {ReturnType<typeof setInterval> | null} */
  let replay = null;
  /** Whether the match was over when it was opened: then nothing moves on by itself. */
  const wasOver = view.result !== null;
  const hadNext = match.rematch.next;
  const release = wasOver || match.you === null ? () => {} : holdVersion();

  const now = () => match.view;
  const over = () => now().result !== null;
  const shownPly = () => lookedAt ?? now().plies.length;
  const bottomSide = () => (/** @type {Side} */ (turned ? other(match.you ?? "first") : match.you ?? "first"));
  const positionAt = (/** @type {number} */ ply) => (ply === 0 ? now().start : (now().plies[ply - 1]?.position ?? now().position));
  /** One player has both seats. */
  const oneDevice = onOneDevice(view);
  /** The side that moves by this hand. */
  const me = () => sideAtHand(match);
  const myTurn = () => !over() && me() !== null && now().turn === me();
  const sideName = (/** @type {Side} */ side) => t(`game.${game.id}.side.${side}`);

  const piecesAt = (/** @type {number} */ ply) => game.parse(positionAt(ply)).pieces;
  /** The move on its way to the server, or to be confirmed, as long as the board shows it. */
  function onItsWay() {
    const made = sent ?? proposed;
    return made && lookedAt === null && made.ply === now().ply ? made : null;
  }

  /** Whether a move can be chosen while the opponent thinks: they may answer in less than a blink. */
  const mayPremove = () => setting("premove") === "on" && !over() && !oneDevice && match.you !== null && lookedAt === null && sent === null
    && now().turn !== match.you && now().time_control.kind === "realtime";

  /** Whether a move is shown before it is sent. */
  const toConfirm = () => setting("confirm") === "always" || (setting("confirm") === "daily" && now().time_control.kind === "correspondence");

  /** @returns {Pieces} */
  function pieces() {
    const made = onItsWay();
    return made ? game.preview(piecesAt(made.ply), made.move, made.side) : piecesAt(shownPly());
  }

  // The board.

  const boardHost = h("div", { class: "board-host" });
  const board = createBoard(boardHost, game.layout(view.setup), game, {
    label: () => t("match.board", { game: t(`game.${game.id}.name`) }),
    onChoice,
  });

  /** How many plies the board showed last, a move on its way among them. @type {number | null} */
  let boardPly = null;

  function showBoard() {
    const mine = myTurn() && lookedAt === null && onItsWay() === null ? me() : null;
    const hand = mine ?? (mayPremove() ? match.you : null);
    const last = onItsWay() ?? now().plies[shownPly() - 1];
    const ply = shownPly() + (onItsWay() ? 1 : 0);
    const options = mine === null ? [] : now().legal.map((move) => ({ path: game.path(move, mine), move }));
    board.update((state) => {
      setPosition(state, { pieces: pieces(), options, hand, last: last ? game.path(last.move, last.side) : [], bound: bound() !== null });
      // The next ply is seen on its way, behind one that is still under way; anything else is simply there.
      if (last && boardPly === ply - 1) {
        if (lookedAt !== null) state.steps = [];
        if (!walked) state.steps.push(...game.steps(piecesAt(ply - 1), last.move, last.side));
      } else if (boardPly !== ply) state.steps = [];
      state.ahead = ahead !== null && lookedAt === null ? ahead : [];
      state.you = oneDevice ? null : match.you;
      state.flipped = state.layout.fixed ? turned : bottomSide() === "second";
      state.marks = over() && now().result?.score && shownPly() === now().plies.length ? game.counted(state.pieces) : [];
    });
    boardPly = ply;
    walked = false;
  }

  /** What the rules bind the player to now, as their code. */
  function bound() {
    const side = me();
    return myTurn() && lookedAt === null && onItsWay() === null && side !== null ? game.bound(piecesAt(now().ply), now().legal, side) : null;
  }

  /** @param {Choice} choice */
  function onChoice(choice) {
    if (choice.kind === "move") {
      // What the hand has shown step by step, or dropped, is not shown again.
      walked = (choice.walked && game.lifts) || board.state.placed !== null;
      return made(choice.move);
    }
    if (choice.kind === "attempt" && mayPremove()) return moveAhead(choice.path);
    if (choice.kind === "attempt") {
      const side = me();
      const move = side === null ? null : game.attempt(choice.path, side);
      return move === null ? undefined : void attempt(move);
    }
    notice = null;
    if (choice.kind === "dropped" || (choice.kind === "picked" && mayPremove())) withdraw();
    if (choice.kind === "picked") {
      const cell = board.state.picked[0] ?? "";
      const piece = board.state.pieces.get(cell);
      const stuck = piece ? game.stuck(piece) : null;
      const none = !board.state.options.some(({ path }) => path[0] === cell);
      const duty = bound();
      if (stuck) say(() => whyText(stuck));
      else if (none && duty) say(() => whyText(duty));
      else if (none && !mayPremove()) say(() => t("board.no-moves"));
    }
    refreshAll();
  }

  // What the player does.

  /** @param {string} move */
  function made(move) {
    if (!toConfirm()) return void play(move);
    proposed = { ply: now().ply, move, side: now().turn };
    notice = null;
    ctx.announce(t("confirm.asked", { move: game.spoken(move) }));
    refreshAll();
    // After the board has taken the focus for itself.
    requestAnimationFrame(() => confirmButton.focus({ preventScroll: true }));
  }

  /** Nothing is confirmed, nothing waits. */
  function withdraw() {
    proposed = null;
    ahead = null;
  }

  /** A move for the next turn. What cannot be one is not kept. @param {string[]} path */
  function moveAhead(path) {
    const side = /** @type {Side} */ (match.you);
    const move = game.attempt(path, side);
    // Where a move is one cell, choosing it again takes it back, and so does any cell that is never played.
    const again = ahead !== null && ahead.join() === path.join();
    ahead = move === null || again || (!game.lifts && game.path(move, side).join() !== path.join()) ? null : path;
    if (ahead !== null) ctx.announce(t("premove.kept", { move: aheadText() }));
    refreshAll();
  }

  const aheadText = () => {
    const move = ahead === null ? null : game.attempt(ahead, match.you ?? "first");
    return move === null ? "" : game.spoken(move);
  };

  /** The turn has come: what waited is made, or falls away with a word. */
  function makeAhead() {
    const cells = ahead;
    if (cells === null || !myTurn()) return;
    ahead = null;
    const wish = game.attempt(cells, now().turn);
    const move = now().legal.find((legal) => legal === wish) ?? meantMove(cells, now().legal);
    if (move !== null && move !== undefined) void play(move);
    else say(() => t("premove.dropped"));
  }

  /** @param {string} move */
  async function play(move) {
    sent = { ply: now().ply, move, side: now().turn, at: performance.now() };
    proposed = null;
    notice = null;
    refreshAll();
    const answer = await line.command(id, { kind: "move", ply: sent.ply, move });
    sent = null;
    held = false;
    if (!answer.ok) say(() => refusalText(answer.error));
    refreshAll();
  }

  /** A move that is not on the list: the server says why not. @param {string} move */
  async function attempt(move) {
    const answer = await line.command(id, { kind: "move", ply: now().ply, move });
    if (!answer.ok) say(() => refusalText(answer.error));
    refreshAll();
  }

  /** @param {Exclude<Command["kind"], "move">} kind */
  async function ask(kind) {
    asking += 1;
    notice = null;
    refreshAll();
    const answer = await line.command(id, { kind });
    asking -= 1;
    if (!answer.ok) say(() => refusalText(answer.error));
    refreshAll();
  }

  /** @param {() => string} text */
  function say(text) {
    notice = text;
    ctx.announce(text());
  }

  // Looking back.

  /** @param {number} ply */
  function show(ply) {
    const last = now().plies.length;
    const to = Math.max(0, Math.min(last, ply));
    lookedAt = to === last ? null : to;
    refreshAll();
  }

  function stopReplay() {
    if (replay !== null) clearInterval(replay);
    replay = null;
  }

  function toggleReplay() {
    if (replay !== null) stopReplay();
    else {
      if (lookedAt === null) show(0);
      replay = setInterval(() => {
        if (board.state.steps.length > 0) return;
        show(shownPly() + 1);
        if (lookedAt === null) stopReplay();
        refreshAll();
      }, REPLAY_MS);
    }
    refreshAll();
  }

  const keys = /** @type {Record<string, () => number>} */ ({
    ArrowLeft: () => shownPly() - 1, ArrowRight: () => shownPly() + 1, ArrowUp: () => 0, ArrowDown: () => Infinity,
  });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    // Whoever begins to write a move on the board goes on in the field for it.
    if (myTurn() && typed.takes(event)) return typed.begin(event);
    const to = keys[event.key];
    if (!to || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target instanceof HTMLElement && event.target.closest("input, select, textarea, [role=grid]")) return;
    event.preventDefault();
    stopReplay();
    show(to());
  }

  const step = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => number} */ to, /** @type {() => boolean} */ disabled) =>
    h("button", {
      type: "button", class: "icon", title: () => t(label), "aria-label": () => t(label), disabled,
      onclick: () => {
        stopReplay();
        show(to());
      },
    }, h("span", { class: `sign ${sign}`, "aria-hidden": "true" }));
  const atStart = () => shownPly() === 0;
  const atEnd = () => lookedAt === null;

  // The parts.

  // One's own name is known here first: who registers in mid-game has a new one. On one device the seats have no names of their own.
  const playerOf = (/** @type {Side} */ side) => (side === match.you ? ctx.session.player() : null) ?? now().seats[side].player;
  const seatedAt = (/** @type {Side} */ side) => (oneDevice || (isLocal && side === match.you) ? null : playerOf(side));
  const seats = {
    top: seatBar(match, game, seatedAt, () => other(bottomSide()), () => game.tally(pieces())[other(bottomSide())], "top"),
    bottom: seatBar(match, game, seatedAt, bottomSide, () => game.tally(pieces())[bottomSide()], "bottom"),
  };

  /** Whom the reader may report for what happened here: people, and bots of theirs. */
  const opponent = match.you && !oneDevice ? now().seats[other(match.you)].player : null;
  const reportable = opponent?.level ? null : opponent;

  const names = () => (oneDevice ? t("match.one-device") : `${playerName(playerOf("first"))} – ${playerName(playerOf("second"))}`);

  const status = h("p", { class: () => `status${myTurn() ? " mine" : ""}${over() ? " over" : ""}` }, statusText);
  /** What is said of an opponent who has gone, and whether the match can be claimed. */
  let absence = "";
  let claimable = false;
  const countdown = h("p", { class: "countdown" });

  function statusText() {
    const { result, turn } = now();
    if (result) return resultText(game.id, result);
    if (match.you === null || oneDevice) return t(`game.${game.id}.turn.${turn}`);
    if (turn !== match.you) return t("match.their-move");
    return t(now().plies.at(-1)?.side === turn ? "match.your-move-again" : "match.your-move");
  }

  function tick() {
    seats.top.tick();
    seats.bottom.tick();
    const { first_move_ms } = now().clock;
    const due = first_move_ms === null || over() ? null : Math.max(0, first_move_ms - (performance.now() - match.clockAt));
    // Against the computer there is plenty of time: only the last minute is worth a word.
    const left = due !== null && due <= FIRST_MOVE_SHOWN_MS ? due : null;
    const text = left === null ? "" : t("match.first-move", { n: Math.ceil(left / 1000) });
    if (countdown.textContent !== text) countdown.textContent = text;
    countdown.hidden = left === null;
    const mine = match.you !== null && match.view.clock.running === match.you && view.time_control.kind === "realtime"
      ? remaining(match.view.clock, performance.now() - match.clockAt, match.you) : Infinity;
    if (mine < WARN_MS && mine > 0 && !hurried && !over()) {
      hurried = true;
      sound("hurry");
    }
    const claim = claimIn(match, performance.now());
    const away = claim ? t("claim.soon", { n: Math.ceil(claim / 1000) }) : claim === 0 ? t("claim.now") : "";
    if (away !== absence) {
      if (claim === 0) ctx.announce(away);
      absence = away;
      claimable = claim === 0;
      refresh(bars);
    }
    const waits = sent !== null && performance.now() - sent.at > HELD_MS && line.status() === "open";
    if (waits !== held) {
      held = waits;
      refresh(bars);
    }
  }

  const seated = () => match.you !== null;
  const offerFrom = () => (over() ? null : now().draw_offer);
  const takebackFrom = () => (over() ? null : now().takeback_offer);
  const bar = (/** @type {() => boolean} */ hidden, /** @type {import("../core/dom.js").Child[]} */ ...children) =>
    hideWhen(h("div", { class: "bar" }, ...children), hidden);
  const command = (/** @type {string} */ label, /** @type {Exclude<Command["kind"], "move">} */ kind, primary = false) =>
    h("button", { type: "button", class: primary ? "primary" : "", disabled: () => asking > 0, onclick: () => ask(kind) }, () => t(label));

  const withdrawButton = () => h("button", {
    type: "button",
    onclick: () => {
      withdraw();
      refreshAll();
    },
  }, () => t("challenge.cancel"));
  const confirmButton = h("button", {
    type: "button", class: "primary",
    onclick: () => {
      if (proposed) void play(proposed.move);
    },
  }, () => t("confirm.do"));

  const bars = h("div", { class: "bars" },
    bar(() => proposed === null || onItsWay() !== proposed,
      h("span", {}, () => (proposed ? t("confirm.asked", { move: game.spoken(proposed.move) }) : "")), confirmButton, withdrawButton()),
    bar(() => ahead === null, h("span", {}, () => t("premove.kept", { move: aheadText() })), withdrawButton()),
    bar(() => line.status() !== "down", h("span", {}, () => t(sent || line.waiting() > 0 ? "line.kept" : "line.away"))),
    bar(() => !held, h("span", {}, () => t("line.held"))),
    bar(() => !isComputerAway(match), h("span", {}, () => t("computer.away"))),
    bar(() => !seated() || offerFrom() !== match.you, h("span", {}, () => t("draw.offered"))),
    bar(() => !seated() || offerFrom() === null || offerFrom() === match.you,
      h("span", {}, () => t("draw.asked")), command("draw.accept", "accept-draw", true), command("draw.decline", "decline-draw")),
    bar(() => seated() || offerFrom() === null, h("span", {}, () => t("draw.watched", { side: sideName(offerFrom() ?? "first") }))),
    bar(() => !seated() || takebackFrom() !== match.you, h("span", {}, () => t("takeback.pending"))),
    bar(() => !seated() || takebackFrom() === null || takebackFrom() === match.you,
      h("span", {}, () => t("takeback.asked")), command("takeback.accept", "accept-takeback", true), command("draw.decline", "decline-takeback")),
    bar(() => seated() || takebackFrom() === null, h("span", {}, () => t("takeback.watched", { side: sideName(takebackFrom() ?? "first") }))),
    bar(() => absence === "", h("span", {}, () => absence),
      hideWhen(command("claim.win", "claim-win", true), () => !claimable), hideWhen(command("claim.draw", "claim-draw"), () => !claimable)),
    bar(() => !seated() || !over() || match.rematch.next !== null || match.rematch.offered_by !== match.you,
      h("span", {}, () => t("rematch.offered"))),
    bar(() => match.rematch.next === null,
      h("span", {}, () => t("rematch.made")), h("a", { class: "button", href: () => path(match.rematch.next ?? "") }, () => t("rematch.go"))));

  const phrases = phraseMenu(line, id, () => {
    seats.top.quiet();
    seats.bottom.quiet();
  });
  const actions = h("div", { class: "actions" },
    hideWhen(command("takeback.ask", "offer-takeback"), () => !canTakeBack(match)),
    hideWhen(command("match.abort", "abort"), () => !canAbort(match)),
    hideWhen(sureButton(() => t("match.resign"), () => t("match.resign.sure"), () => void ask("resign"), { disabled: () => asking > 0 }),
      () => !canResign(match)),
    hideWhen(command(oneDevice ? "draw.agree" : "draw.offer", "offer-draw"), () => !canOfferDraw(match) || (isLocal && !oneDevice)),
    hideWhen(h("button", {
      type: "button", class: "gift", disabled: () => asking > 0, onclick: () => ask("give-time"), title: () => t("gift.label"), "aria-label": () => `${t("gift.give")}: ${t("gift.label")}`,
    }, () => t("gift.give")), () => !canGiveTime(match)),
    hideWhen(phrases.el, () => !canSpeak(match)),
    hideWhen(h("button", {
      type: "button", class: "primary", disabled: () => line.status() !== "open" || match.rematch.offered_by === match.you,
      onclick: () => line.rematch(id),
    }, () => t(match.rematch.offered_by === null || match.rematch.offered_by === match.you ? "rematch.offer" : "rematch.accept")),
    () => !seated() || !over() || match.rematch.next !== null),
    hideWhen(h("a", { class: "button", href: "/" }, () => t("match.new")), () => seated() && !over()),
    h("button", {
      type: "button",
      onclick: () => {
        turned = !turned;
        refreshAll();
      },
    }, () => t("match.flip")));

  const typed = typedField(game, () => (myTurn() && lookedAt === null && onItsWay() === null ? { legal: now().legal, side: now().turn } : null), (wish) => {
    if (wish.kind === "move") made(wish.move);
    else if (wish.kind === "attempt") void attempt(wish.move);
    else {
      say(() => t("typed.unclear"));
      refreshAll();
    }
  });

  const { width, height } = board.state.layout;
  const el = h("section", { class: "match" },
    h("h1", { class: "visually-hidden", tabindex: "-1" },
      () => `${t(`game.${game.id}.name`)}: ${names()}`),
    seats.top.el,
    boardHost,
    seats.bottom.el,
    h("div", { class: "side" },
      h("div", { class: "now" },
        status,
        countdown,
        hideWhen(h("p", { class: "duty" }, () => {
          const duty = bound();
          return duty === null ? "" : whyText(duty);
        }), () => bound() === null),
        hideWhen(h("p", { class: "notice" }, () => notice?.() ?? ""), () => notice === null)),
      bars,
      moveList(game, () => now().plies, shownPly, (ply) => {
        stopReplay();
        show(ply);
      }),
      h("div", { class: "replay", role: "group", "aria-label": () => t("replay.title") },
        step("replay.first", "first-ply", () => 0, atStart),
        step("replay.back", "back", () => shownPly() - 1, atStart),
        hideWhen(h("button", {
          type: "button", class: "icon", onclick: toggleReplay,
          title: () => t(replay === null ? "replay.play" : "replay.pause"), "aria-label": () => t(replay === null ? "replay.play" : "replay.pause"),
        }, h("span", { class: () => `sign ${replay === null ? "play" : "pause"}`, "aria-hidden": "true" })), () => !over() || now().plies.length === 0),
        step("replay.on", "on", () => shownPly() + 1, atEnd),
        step("replay.last", "last-ply", () => Infinity, atEnd)),
      actions,
      hideWhen(typed.el, () => !seated() || over()),
      h("div", { class: "about" },
        hideWhen(h("p", {}, () => t("tv.watching", { game: t(`game.${game.id}.name`) })), () => !onTv || seated()),
        h("p", {}, () => termsText(now())),
        h("p", {}, () => [
          seated() ? "" : t("match.watching"),
          match.presence.spectators > 0 ? t("match.spectators", { n: match.presence.spectators }) : "",
        ].filter(Boolean).join(" · ")),
        isLocal ? h("p", {}, () => t("device.hint")) : h("details", {},
          h("summary", {}, () => t("match.share")),
          copyField(() => t("match.share"), new URL(path(id), location.href).href, ctx)),
        hideWhen(h("p", { class: "exports" }, () => `${t("export.title")}: `,
          h("a", { href: matchExport(id, null), download: "" }, () => t("export.notation")), " · ",
          h("a", { href: matchExport(id, "json"), download: "" }, "JSON")), () => !over() || isLocal),
        reportable && !isLocal ? hideWhen(h("p", {}, reportLink(reportable, id)), () => !over()) : null)));

  el.style.setProperty("--shape", String(width / height));

  function refreshAll() {
    showBoard();
    refresh(el);
    tick();
  }

  // What comes over the wire.

  /** @param {MatchNews} news */
  function hear(news) {
    if (news.kind === "refused") say(() => refusalText(news.error));
    if (news.kind === "said" && (news.side === match.you || !phrases.muted())) {
      for (const seat of Object.values(seats)) seat.say(news.side, news.phrase);
      if (news.side !== match.you) ctx.announce(t("announce.said", { name: playerName(playerOf(news.side)), text: t(`phrase.${news.phrase}`) }));
      return;
    }
    if (news.kind === "event") {
      const { event } = news.msg;
      // Who looks back stays there; who is at the latest ply follows.
      if (event.kind === "move") {
        notice = null;
        sound("move");
        const passed = game.path(event.move, event.side).length === 0;
        if (passed) say(() => t("match.passed", { side: sideName(event.side) }));
        else {
          const again = !news.msg.state.result && news.msg.state.turn === event.side;
          ctx.announce(t(again ? "announce.again" : "announce.move", { side: sideName(event.side), move: game.spoken(event.move) }));
        }
        const duty = bound();
        if (duty !== null) ctx.announce(whyText(duty));
      } else if (event.kind === "offer-draw" && event.side !== match.you) ctx.announce(t("draw.asked"));
      else if (event.kind === "decline-draw" && event.side !== match.you) say(() => t("draw.declined"));
      else if (event.kind === "offer-takeback" && event.side !== match.you) ctx.announce(t("takeback.asked"));
      else if (event.kind === "decline-takeback" && event.side !== match.you) say(() => t("takeback.declined"));
      else if (event.kind === "takeback") {
        lookedAt = null;
        notice = null;
        withdraw();
        ctx.announce(t("takeback.done"));
      } else if (event.kind === "give-time" && seated()) say(() => t(event.side === match.you ? "gift.given" : "gift.got"));
      if (news.msg.state.result) {
        withdraw();
        release();
        sound("end");
        ctx.announce(statusText());
      } else if (event.kind === "move") makeAhead();
    }
    refreshAll();
    document.title = title();
    const { next } = match.rematch;
    if (next !== null && next !== hadNext && seated()) ctx.go(path(next));
  }

  const title = () => (myTurn() && !oneDevice ? `${t("match.your-move")} · ${names()}` : names());

  showBoard();
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
      stopReplay();
      if (ticking !== null) clearInterval(ticking);
      stopStatus();
      document.removeEventListener("keydown", onKey);
      board.destroy();
    },
  };
}
