// @ts-check
// The actions open to a player in a match as it stands, so that the page offers nothing that the server would refuse. The server alone
// decides.

import { other } from "../core/time.js";

/** @import { MatchView, PlayerRef, Side } from "../core/types.js" */
/** @import { MatchState } from "./match.js" */

/** A match can be called off before this ply. */
const ABORT_PLIES = 2;
/** An absence is not shown before this time: a page that is reloaded is back by then. */
const ABSENT_MS = 5_000;
/** A claim is not shown earlier than this time before it. */
const CLAIM_SHOWN_MS = 300_000;

/** Whether one player has both seats. @param {Pick<MatchView, "seats">} match */
export const onOneDevice = ({ seats }) => seats.first.player.name === seats.second.player.name;

/** Whether both seats are people's, and not the same person's. @param {MatchView} view */
const amongPeople = (view) => !onOneDevice(view) && view.seats.first.player.kind !== "bot" && view.seats.second.player.kind !== "bot";

/** Whether a computer opponent is to move and no worker is thinking for it. @param {MatchState} match */
export const isComputerAway = ({ view, presence }) =>
  view.result === null && view.seats[view.turn].player.kind === "bot" && !!view.seats[view.turn].player.level && !presence[view.turn];

/**
 * The side that this page's player moves for: their own, and on one device the side to move.
 * @param {MatchState} match
 * @returns {Side | null}
 */
export const sideAtHand = ({ view, you }) => (you !== null && onOneDevice(view) ? view.turn : you);

/** @param {MatchState} match */
const plays = ({ view, you }) => you !== null && view.result === null;

/** @param {MatchState} match */
export const canAbort = (match) => plays(match) && match.view.plies.length < ABORT_PLIES;

/** @param {MatchState} match */
export const canResign = (match) => plays(match) && !canAbort(match);

/** @param {MatchState} match */
export const canOfferDraw = (match) => canResign(match) && match.view.draw_offer === null;

/** @param {MatchState} match */
export function canTakeBack(match) {
  const { view, you } = match;
  if (!plays(match) || view.takeback_offer !== null) return false;
  if (onOneDevice(view)) return view.plies.length > 0;
  if (!view.plies.some(({ side }) => side === you)) return false;
  // Until the opponent has moved. Only the server knows whether a free takeback was already used at this ply.
  const unanswered = amongPeople(view) && (view.plies.at(-1)?.side === you || view.plies.at(-1)?.move === "pass");
  return (view.options.takebacks && (amongPeople(view) || !view.rated)) || (view.options.free_takebacks && unanswered);
}

/** @param {MatchState} match */
export const canGiveTime = (match) =>
  plays(match) &&
  match.view.options.give_time &&
  match.view.time_control.kind === "realtime" &&
  match.view.clock.running !== null &&
  amongPeople(match.view);

/** Whether phrases mean something to a player: to people, and to the server's or the device's own computer opponents. @param {PlayerRef} player */
const listens = ({ kind, level }) => kind !== "bot" || !!level;

/** Also after the end. @param {MatchState} match */
export const canSpeak = ({ view, you }) =>
  you !== null &&
  view.options.phrases &&
  !onOneDevice(view) &&
  view.seats[you].player.kind !== "bot" &&
  listens(view.seats[other(you)].player);

/**
 * The time until a win can be claimed from an absent opponent: 0 means now, null that nothing is shown.
 * @param {MatchState} match
 * @param {number} now by the clock of `presenceAt`
 * @returns {number | null} milliseconds
 */
export function claimIn(match, now) {
  const { view, you, presence, presenceAt } = match;
  if (!plays(match) || you === null || view.turn === you || presence.claim_after_ms === null || !amongPeople(view)) return null;
  const gone = presence.gone_ms[other(you)];
  if (gone === null) return null;
  const away = gone + now - presenceAt;
  const left = Math.max(0, presence.claim_after_ms - away);
  return away < Math.min(ABSENT_MS, presence.claim_after_ms) || left > CLAIM_SHOWN_MS ? null : left;
}
