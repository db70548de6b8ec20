// @ts-check
// The texts that several views share, in the reader's language. No DOM.

import { isCalledOff } from "../core/end-reason.js";
import { knows, number, t, tOr } from "../core/i18n.js";
import { PREFIX } from "../core/opponents.js";
import { speedOf } from "../core/time.js";
import { gameOf } from "../games/index.js";
import { inSetup, positionIn } from "../games/setup.js";
import { problemOf } from "../net/api.js";

/** @import { Challenge, DeclineReason, ErrorMsg, MatchOptions, MatchResult, MatchView, PlayerRef, RatingRef, SeatView, Side, TimeControl } from "../core/types.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Pool } from "../net/lobby.js" */

/** A wait of up to this many seconds is called a moment; a longer one is given in minutes. */
const A_MOMENT_S = 20;

/** The name that the server gives a guest. No account can take one like it. */
const GUEST = /^Guest-(.+)$/;

/** Letters that run from right to left, and would change the order of a text around them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The name by which a player is called: the display name, else the name in addresses. @param {PlayerRef} player */
function calledName({ name, display_name: shown }) {
  if (!shown) return name;
  return RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/** @param {PlayerRef} player */
export function playerName(player) {
  const guest = player.kind === "guest" ? GUEST.exec(player.name) : null;
  if (guest) return t("player.guest", { code: guest[1] ?? "" });
  if (player.kind !== "bot") return calledName(player);
  if (!player.level) return t("player.program", { name: calledName(player) });
  return t("player.bot", { name: player.name.replace(PREFIX, ""), n: player.level });
}

/** The name in addresses, as it stands beside a display name. @param {PlayerRef} player */
export const handleText = ({ name }) => `@${name}`;

/** The name with which two people can be told apart, where it stands in a sentence. @param {PlayerRef} player */
export const fullName = (player) => (player.display_name ? `${playerName(player)} (${handleText(player)})` : playerName(player));

/** @param {PlayerRef} player */
export const playerPath = (player) => `/player/${encodeURIComponent(player.name)}`;

/** @param {RatingRef | null} rating */
export const ratingText = (rating) =>
  rating ? `${number(rating.rating, { useGrouping: false, maximumFractionDigits: 0 })}${rating.provisional ? "?" : ""}` : "";

/** @param {SeatView} seat */
export function seatText({ player, rating }) {
  return rating ? `${playerName(player)} (${ratingText(rating)})` : playerName(player);
}

/** @param {TimeControl} control */
export function timeText(control) {
  if (control.kind === "correspondence") return t("time.days", { n: control.days });
  if (control.kind === "unlimited") return t("time.unlimited");
  const minutes = number(control.base_ms / 60_000, { maximumFractionDigits: 2 });
  return t("time.control", { minutes, seconds: number(control.increment_ms / 1000) });
}

/** Whose turn it is: a side is called by its sign, so that games with the same sides share the text. @param {string} game @param {Side} side */
export const turnText = (game, side) => t(`turn.${gameOf(game)?.marks[side]}`);

/**
 * The differences between a setup and the standard game.
 * @param {string} game
 * @param {string} setup
 */
export function setupText(game, setup) {
  if (positionIn(setup) !== null) return t("option.position");
  const told = (gameOf(game)?.options ?? []).flatMap(({ key }) => {
    const value = inSetup(setup, key);
    return value === null ? [] : [optionText(game, key, value)];
  });
  return told.join(" · ");
}

/** @param {string} game @param {string} key @param {string} value */
export const optionText = (game, key, value) => tOr(`game.${game}.option.${key}.${value}`, `option.${key}`, { n: Number(value) });

/**
 * The unusual options of a match: more time for a side, the players' rights, and privacy.
 * @param {string} game
 * @param {{ rated: boolean, options: MatchOptions, extra_ms?: MatchView["extra_ms"], private?: boolean }} match
 */
function optionTexts(
  game,
  { rated, options: { takebacks, free_takebacks, give_time, phrases, berserk }, extra_ms, private: hidden = false },
) {
  return [
    ...Object.entries(extra_ms ?? {}).map(([side, ms]) => ms && t("match.extra", { side: t(`game.${game}.side.${side}`), n: ms / 60_000 })),
    berserk ? t("match.berserk") : "",
    hidden ? t("match.private") : "",
    takebacks && rated ? t("match.takebacks") : "",
    !takebacks && !rated ? t("match.no-takebacks") : "",
    free_takebacks ? t("match.free-takebacks") : "",
    give_time ? "" : t("match.no-gifts"),
    phrases ? "" : t("match.no-phrases"),
  ];
}

/** @param {{ game: string, setup: string, time_control: TimeControl } & Parameters<typeof optionTexts>[1]} match */
export function termsText({ game, setup, time_control, rated, ...more }) {
  const speed = time_control.kind === "unlimited" ? "" : t(`speed.${speedOf(time_control)}`);
  return [
    setupText(game, setup),
    speed,
    timeText(time_control),
    t(rated ? "match.rated" : "match.casual"),
    ...optionTexts(game, { rated, ...more }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * The terms of a challenge, with the time that its players have beyond the base time.
 * @param {Parameters<typeof termsText>[0] & Pick<Challenge, "challenger" | "to" | "extra_minutes">} challenge
 */
export function challengeText(challenge) {
  const { challenger, to, extra_minutes: extra = {} } = challenge;
  const more = (/** @type {string} */ side, n = 0) => (n > 0 ? [t("match.extra", { side, n })] : []);
  return [
    termsText(challenge),
    ...more(fullName(challenger), extra.challenger),
    ...more(to ? fullName(to) : t("challenge.accepter"), extra.opponent),
  ].join(" · ");
}

/**
 * The weight of a match in the rating, unless it is 1.
 * @param {{ rating_weight?: number | null, voided?: boolean }} match
 */
export function countsText({ rating_weight: weight, voided = false }) {
  if (voided) return t("match.voided");
  if (weight === undefined || weight === null || weight >= 1) return "";
  return weight <= 0
    ? t("match.weightless")
    : t("match.weight", { percent: number(weight, { style: "percent", maximumFractionDigits: 1 }) });
}

/**
 * The result of a match and its reason.
 * @param {string} game
 * @param {MatchResult} result
 */
export function resultText(game, { winner, reason, score }) {
  if (isCalledOff(reason)) return t(`result.${reason}`);
  const who = winner ? t(`game.${game}.won.${winner}`) : t("result.draw");
  const count = score ? ` ${number(score.first)} : ${number(score.second)}` : "";
  return `${who}${count} – ${tOr(`reason.${reason}`, "reason.other")}`;
}

/**
 * The text of a problem, in the reader's language.
 * @param {unknown} error
 */
export function problemText(error) {
  const { code, detail, retry_s } = problemOf(error);
  if (code === "too-many-requests" && retry_s !== null && retry_s > A_MOMENT_S) return t("problem.wait", { n: Math.ceil(retry_s / 60) });
  return tOr(`problem.${code}`, "problem.other", { detail });
}

/** The text of the rule that forbids a move. @param {string} why */
export const whyText = (why) => tOr(`why.${why}`, "why.other");

/**
 * The text of the rule that binds a side to some of its moves.
 * @param {string} why
 * @param {string[]} path the cells of one of these moves: a capture has one more than the pieces that it takes
 */
export const boundText = (why, path) => (why === "take-the-most" ? t("match.take-the-most", { n: path.length - 1 }) : whyText(why));

/**
 * The text of a refusal over the line, in the reader's language.
 * @param {ErrorMsg} error
 */
export function refusalText({ code, why, retry_ms }) {
  if (code === "illegal-move") return why && knows(`why.${why}`) ? whyText(why) : t("why.other");
  if (code === "pool-wait" && retry_ms) return t("refused.pool-wait", { n: Math.ceil(retry_ms / 60_000) });
  return tOr(`refused.${code}`, "refused.other");
}

/** The text of a declined challenge, for the challenger. @param {DeclineReason | null} reason */
export const declinedText = (reason) =>
  [t("challenge.status.declined"), reason && reason !== "generic" ? tOr(`decline.${reason}`, "decline.generic") : ""]
    .filter(Boolean)
    .join(": ");

/** The text of a pool: game and time. @param {Pool} pool */
export function poolText({ game, pool, rated }) {
  const time = pool
    .split("+")
    .map((part) => number(Number(part)))
    .join(" + ");
  return `${t(`game.${game}.name`)} · ${time} · ${t(rated ? "match.rated" : "match.casual")}`;
}

/**
 * A ply for a screen reader, with what it did in a game that has words for that.
 * @param {Game} game
 * @param {{ move: string, side: Side, again: boolean, before: () => Pieces }} ply `again`: the same side moves again; `before`: the pieces before
 *   the move
 */
export function plyText(game, { move, side, again, before }) {
  const text = t(again ? "announce.again" : "announce.move", { side: t(`game.${game.id}.side.${side}`), move: game.spoken(move) });
  return game.told ? `${text}. ${game.told(before(), move, side).sentence}.` : text;
}
