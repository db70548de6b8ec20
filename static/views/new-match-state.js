// @ts-check
// The form for a new match as a state, and the values derived from it. No DOM: `new-match.js` draws it.

import { t, tOr } from "../core/i18n.js";
import { mayBeRated } from "../games/index.js";
import { samePool } from "../net/lobby.js";

/** @import { PlayerRef } from "../core/types.js" */
/** @import { LobbyState, Pool } from "../net/lobby.js" */
/** @import { LineStatus } from "../net/line.js" */
/** @import { GameEntry } from "../games/types.js" */
/** @import { Terms } from "./last-choice.js" */

/** @typedef {"computer" | "stranger" | "friend" | "device"} Opponent */

const OPPONENTS = /** @type {const} */ (["computer", "stranger", "friend", "device"]);

/**
 * @typedef {Object} NewMatch
 * @property {GameEntry} game
 * @property {Opponent} opponent
 * @property {number} level of the computer
 * @property {string} friend the typed name of a friend
 * @property {number} games of a series against a friend; 1 is a match
 * @property {boolean} rated whether the player wishes a rated match
 * @property {boolean} here whether the player wishes a match without the server
 * @property {boolean} terms whether the terms for the lobby are open
 * @property {boolean} unlimited whether the chosen time has no limit
 * @property {boolean} busy whether a request has no answer yet
 */

/** The surroundings of the form. @typedef {{ status: LineStatus, player: PlayerRef | null }} Around */

/**
 * The form as it opens: with the terms chosen last, or by the query of its address: `to` the name of a friend, `with` an opponent.
 * @param {GameEntry} game
 * @param {Terms} last
 * @param {URLSearchParams} [query]
 * @returns {NewMatch}
 */
export function createNewMatch(game, last, query = new URLSearchParams()) {
  const friend = query.get("to") ?? "";
  const opponent = friend === "" ? OPPONENTS.find((one) => one === query.get("with")) : "friend";
  return {
    game,
    opponent: opponent ?? last.opponent,
    level: last.level,
    friend,
    games: 1,
    rated: last.rated,
    here: last.here,
    terms: false,
    unlimited: false,
    busy: false,
  };
}

/** Whether a match with this opponent has no time limit unless the player chooses one: nobody waits. @param {Opponent} opponent */
export const isUnhurried = (opponent) => opponent === "computer" || opponent === "device";

/** @param {NewMatch} form */
export const friendName = ({ friend }) => friend.trim();

/** Whether the terms of the match are asked for: a pool has its own. @param {NewMatch} form */
export const hasTerms = ({ opponent, terms }) => opponent !== "stranger" || terms;

/** @param {NewMatch} form */
export const isTimeless = (form) => hasTerms(form) && form.unlimited;

/** @param {NewMatch} form */
export const isWithPeople = ({ opponent }) => opponent === "friend" || opponent === "stranger";

/** Whether the match cannot be rated. @param {NewMatch} form @param {Around} around */
export const ratedClosed = (form, { player }) => !mayBeRated(form.game.id) || player?.kind !== "account" || isTimeless(form);

/** Whether it can be a series: an event, of players with accounts, which a friend joins by a link. @param {NewMatch} form @param {Around} around */
export const canBeSeries = (form, { player }) =>
  form.opponent === "friend" && friendName(form) === "" && player?.kind === "account" && !form.unlimited;

/** @param {NewMatch} form @param {Around} around */
export const isSeries = (form, around) => form.games > 1 && canBeSeries(form, around);

/** The text about it: a game without rated matches, no clock, or no account. @param {NewMatch} form */
export function closedText(form) {
  if (!mayBeRated(form.game.id)) return t("rated.none", { game: t(`game.${form.game.id}.name`) });
  return t(isTimeless(form) ? "new.rated.clock" : "new.rated.hint");
}

/** @param {NewMatch} form @param {Around} around */
export const isRated = (form, around) => form.rated && !ratedClosed(form, around) && isWithPeople(form);

/** Whether the match can be played on this device. @param {NewMatch} form */
export const canBeHere = ({ opponent }) => opponent === "computer" || opponent === "device";

/** Whether it is: by the player's choice, or without a connection. @param {NewMatch} form @param {Around} around */
export const isHere = (form, { status }) => canBeHere(form) && (status === "down" || form.here);

/** The texts about the options that a rated match of the game fixes: its own, or those of the option. @param {NewMatch} form */
export const fixedText = ({ game }) =>
  game.options
    .filter((option) => option.rated !== undefined)
    .map(({ key }) => tOr(`game.${game.id}.option.${key}.rated`, `option.${key}.rated`))
    .join(" ");

/** The text of the button. @param {NewMatch} form */
export function actionText(form) {
  if (form.opponent === "friend") return t(friendName(form) ? "new.challenge" : "new.link");
  return t(form.opponent === "stranger" ? "seek.make" : "new.play");
}

/** Whether this page waits in a pool. @param {LobbyState} lobby @param {Pool} pool */
export const waitsIn = ({ wait }, pool) => wait !== null && samePool(wait.pool, pool);

/** The number of players that wait in a pool. @param {LobbyState} lobby @param {Pool} pool */
export const waitingIn = ({ pools }, pool) => pools.find((count) => samePool(count, pool))?.waiting ?? 0;
