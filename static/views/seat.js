// @ts-check
// The bar of one player at a match: name, rating, presence, count and clock.
//
//   div.seat.first|second[.to-move]
//     span.presence, svg.mark, svg.avatar, a.player, span.rating, span.captured > i…, span.tally, span.clock[role=timer], span.said

import { h, hideWhen, onRefresh, refresh } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { daysOf, face, remaining, WARN_DAILY_MS, WARN_MS } from "../core/time.js";
import { lineOf } from "../net/match.js";
import { avatar } from "./parts/avatar.js";
import { playerLink } from "./parts/player-link.js";
import { sideMark } from "./parts/side-mark.js";
import { playerName, ratingText } from "./texts.js";

/** The time for which a phrase is shown. */
const SAID_MS = 7_000;

/** @import { Phrase, PlayerRef, Side } from "../core/types.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { Game } from "../games/types.js" */
/** @import { MatchState } from "../net/match.js" */

/** A seat, for what few matches add to it. @typedef {Pick<ReturnType<typeof seatBar>, "el" | "side">} Seat */

/**
 * @param {MatchState} match
 * @param {Game} game
 * @param {(side: Side) => PlayerRef | null} playerOf null where the seat has no player of its own: then it shows the side's name
 * @param {() => Side} side
 * @param {() => Pieces} pieces those that the board shows
 * @param {string} position top or bottom
 */
export function seatBar(match, game, playerOf, side, pieces, position) {
  const name = h("span", { class: "who" });
  let shown = "";
  onRefresh(name, () => {
    const player = playerOf(side());
    const sideName = t(`game.${game.id}.side.${side()}`);
    const now = player ? side() + JSON.stringify(player) : sideName;
    if (shown === now) return;
    shown = now;
    const who = player ? [avatar(player), playerLink(player)] : [h("span", { class: "player" }, sideName)];
    name.replaceChildren(sideMark(game.id, side()), ...who);
  });
  const seat = () => match.view.seats[side()];
  const lineText = () => t(`presence.${lineOf(match, side())}`);
  const { time_control } = match.view;
  const holder = () => holderName(game, side(), playerOf(side()));
  const clock = clockPart(holder, time_control.kind === "unlimited");
  const warnMs = time_control.kind === "correspondence" ? WARN_DAILY_MS : WARN_MS;
  /** @type {{ side: Side, phrase: Phrase, timer: ReturnType<typeof setTimeout> } | null} */
  let said = null;
  const bubble = h("span", { class: "said", hidden: () => said?.side !== side() }, () => (said ? t(`phrase.${said.phrase}`) : ""));

  /** Shows a phrase of a side's player for some time. @param {Side} speaker @param {Phrase} phrase */
  function say(speaker, phrase) {
    if (said) clearTimeout(said.timer);
    said = { side: speaker, phrase, timer: setTimeout(quiet, SAID_MS) };
    refresh(bubble);
  }

  function quiet() {
    if (said) clearTimeout(said.timer);
    said = null;
    refresh(bubble);
  }

  const el = h(
    "div",
    {
      class: () => `seat ${position} ${side()}${match.view.result === null && match.view.turn === side() ? " to-move" : ""}`,
    },
    playerOf(side()) === null
      ? null
      : h("span", {
          class: () => `presence ${lineOf(match, side())}`,
          role: "img",
          title: lineText,
          "aria-label": lineText,
        }),
    name,
    h("span", { class: "rating" }, () => ratingText(seat().rating)),
    h("span", { class: "change", hidden: () => typeof seat().rating_change !== "number" }, () =>
      number(seat().rating_change ?? 0, { signDisplay: "exceptZero" }),
    ),
    capturedPart(game, side, pieces),
    h(
      "span",
      { class: "tally", title: () => t(`tally.${game.unit}`) },
      h("span", { class: "visually-hidden" }, () => `${t(`tally.${game.unit}`)}: `),
      () => number(game.tally(pieces())[side()]),
    ),
    clock,
    bubble,
  );

  /** Updates the clock; called often, so it changes only a changed text. */
  function tick() {
    const ms = remaining(match.view.clock, performance.now() - match.clockAt, side());
    const text = clockText(ms);
    if (clock.textContent !== text) clock.textContent = text;
    const names = ["clock"];
    if (match.view.clock.running === side()) names.push("running");
    if (ms < warnMs && match.view.result === null) names.push("short");
    const all = names.join(" ");
    if (clock.className !== all) clock.className = all;
  }
  onRefresh(el, tick);
  return { el, side, tick, say, quiet };
}

/** The pieces that a side has captured. @param {Game} game @param {() => Side} side @param {() => Pieces} pieces */
function capturedPart(game, side, pieces) {
  const { captured } = game;
  if (!captured) return null;
  const count = () => captured(pieces())[side()];
  const el = h("span", { class: "captured", role: "img", "aria-label": () => t("board.captured", { n: count() }) });
  onRefresh(el, () => {
    const shade = game.marks[side() === "first" ? "second" : "first"];
    const key = `${count()} ${shade}`;
    if (el.dataset.shown === key) return;
    el.dataset.shown = key;
    el.replaceChildren(...Array.from({ length: count() }, () => h("i", { class: shade })));
  });
  return hideWhen(el, () => count() <= 0);
}

/** @param {Game} game @param {Side} side @param {PlayerRef | null} player */
const holderName = (game, side, player) => (player ? playerName(player) : t(`game.${game.id}.side.${side}`));

/** @param {() => string} holder @param {boolean} hidden */
const clockPart = (holder, hidden) =>
  h("span", { class: "clock", role: "timer", "aria-label": () => t("clock.of", { name: holder() }), hidden });

/** @param {number} ms */
function clockText(ms) {
  const long = daysOf(ms);
  if (long) return t("clock.days", long);
  const { hours, minutes, seconds, tenths } = face(ms);
  if (tenths !== null) return number(seconds + tenths / 10, { minimumFractionDigits: 1 });
  const two = { minimumIntegerDigits: 2 };
  return hours > 0 ? `${number(hours)}:${number(minutes, two)}:${number(seconds, two)}` : `${number(minutes)}:${number(seconds, two)}`;
}
