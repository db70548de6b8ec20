// @ts-check
// The form for a new event as a state, and the values derived from it. No DOM: `new-event.js` draws it.

import { mayBeRated } from "../games/index.js";
import { WEEKDAYS } from "./event-texts.js";

/** @import { TimeControl } from "../core/types.js" */
/** @import { GameEntry } from "../games/types.js" */
/** @import { EventKind } from "../core/types.js" */

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The lengths of an arena, in minutes. */
export const DURATIONS = /** @type {const} */ ([20, 30, 45, 60, 90, 120, 180]);

/** The least, the most and the usual number of players of each kind. @type {Readonly<Record<EventKind, readonly [number, number, number]>>} */
export const PLAYERS = {
  arena: [2, 10_000, 500],
  swiss: [2, 300, 100],
  "round-robin": [2, 16, 8],
  knockout: [2, 128, 32],
  simul: [2, 41, 21],
  series: [2, 2, 2],
};

/** The fewest and the most rounds of a Swiss tournament. */
export const ROUNDS = /** @type {const} */ ([3, 15]);

/** The fewest and the most games of a series. */
export const SERIES_GAMES = /** @type {const} */ ([1, 20]);

/** The least base time with which clocks may be halved. */
const BERSERK_BASE_MS = 20_000;

/** The least and the most time that the host of a simul has beyond the others, in minutes. */
export const HOST_EXTRA = /** @type {const} */ ([0, 60]);

/**
 * @typedef {Object} NewEvent
 * @property {EventKind} kind
 * @property {GameEntry} game
 * @property {string} name
 * @property {string} description
 * @property {boolean} rated
 * @property {"time" | "players"} start what it begins by
 * @property {string} startAt the local time of an input of the kind `datetime-local`
 * @property {number} startPlayers
 * @property {number} duration in minutes
 * @property {number} rounds
 * @property {number} cycles
 * @property {number} games of a series
 * @property {boolean} bestOf whether a series ends as soon as a player cannot be caught any more
 * @property {number} most the most players
 * @property {boolean} apart whether players of the same address are not paired with each other
 * @property {boolean} berserk whether clocks may be halved, in an arena whose time allows it
 * @property {number} hostExtra the time of a simul's host beyond that of the others, in minutes
 * @property {string} fillTo the number of players up to which computer players fill in, empty for none
 * @property {number} fillLevel the level of the first of them
 * @property {string} minRating empty for anybody
 * @property {string} maxRating
 * @property {string} minMatches
 * @property {string} club the address of a club
 * @property {string} password
 * @property {"once" | "daily" | "weekly"} repeat
 * @property {string[]} weekdays the days of a weekly timetable
 * @property {string} at the local time of a timetable
 * @property {string} zone its time zone
 * @property {boolean} busy whether the request has no answer yet
 * @property {unknown} refusal why it was refused, or null
 */

/** The local time for an input of the kind `datetime-local`. @param {number} ms */
export const localTime = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);

/**
 * The form as it opens: an arena at the next full hour that leaves time to join.
 * @param {GameEntry} game
 * @param {number} now
 * @returns {NewEvent}
 */
export function createNewEvent(game, now) {
  return {
    kind: "arena",
    game,
    name: "",
    description: "",
    rated: true,
    start: "time",
    startAt: localTime(Math.ceil((now + HOUR_MS / 2) / HOUR_MS) * HOUR_MS),
    startPlayers: 4,
    duration: 60,
    rounds: 5,
    cycles: 1,
    games: 4,
    bestOf: false,
    most: PLAYERS.arena[2],
    apart: false,
    berserk: true,
    hostExtra: 0,
    fillTo: "",
    fillLevel: 3,
    minRating: "",
    maxRating: "",
    minMatches: "",
    club: "",
    password: "",
    repeat: "once",
    weekdays: [],
    at: "18:00",
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    busy: false,
    refusal: null,
  };
}

/** Chooses the kind, with its usual number of players. @param {NewEvent} form @param {EventKind} kind */
export function chooseKind(form, kind) {
  // An arena has a length of time: it begins at one. What a series usually begins by is not carried over to another kind.
  if (kind === "series") form.start = "players";
  else if (kind === "arena" || form.kind === "series") form.start = "time";
  form.kind = kind;
  [, , form.most] = PLAYERS[kind];
}

/** Whether the event may begin with a number of players. @param {NewEvent} form */
export const canFill = ({ kind }) => kind !== "arena";

/** Whether the number of players is for the creator to choose: a series is for two. @param {NewEvent} form */
export const hasPlaces = ({ kind }) => kind !== "series";

/** Whether the kind chooses the pairs: computer players may fill in, and players may be kept apart. @param {NewEvent} form */
export const mayFillIn = ({ kind }) => kind === "arena" || kind === "swiss";

/** The kinds that can be played by the day: those that wait for all games of a round, and have few rounds, and a series. @param {NewEvent} form */
export const canBeDaily = ({ kind }) => kind === "round-robin" || kind === "swiss" || kind === "knockout" || kind === "series";

/** Whether clocks may be halved: in an arena with time enough. @param {Pick<NewEvent, "kind">} form @param {TimeControl} time */
export const mayBerserk = ({ kind }, time) => kind === "arena" && time.kind === "realtime" && time.base_ms >= BERSERK_BASE_MS;

/** Whether players have ratings in the game of the event. @param {Pick<NewEvent, "game">} form */
export const hasRatings = ({ game }) => mayBeRated(game.id);

/** Whether its matches are rated. @param {Pick<NewEvent, "game" | "rated">} form */
export const isRated = (form) => form.rated && hasRatings(form);

/** A number of a field, or null where it is empty. @param {string} text */
const numberOrNull = (text) => (text.trim() === "" ? null : Number(text));

/**
 * The request.
 * @param {NewEvent} form
 * @param {{ setup: string, time_control: TimeControl }} terms
 */
export function wishOf(form, { setup, time_control }) {
  const { kind, start } = form;
  const fillTo = mayFillIn(form) ? numberOrNull(form.fillTo) : null;
  const isTimed = start === "time" || !canFill(form);
  return {
    kind,
    name: form.name.trim(),
    description: form.description.trim(),
    game: form.game.id,
    setup,
    time_control,
    rated: isRated(form),
    start_at: isTimed ? new Date(form.startAt).toISOString() : null,
    start_players: isTimed ? null : hasPlaces(form) ? form.startPlayers : form.most,
    duration_minutes: kind === "arena" ? form.duration : null,
    rounds: kind === "swiss" ? form.rounds : null,
    cycles: kind === "round-robin" ? form.cycles : null,
    games: kind === "series" ? form.games : null,
    best_of: kind === "series" && form.bestOf,
    max_players: form.most,
    apart_by_address: mayFillIn(form) && form.apart,
    berserk: mayBerserk(form, time_control) && form.berserk,
    host_extra_minutes: kind === "simul" ? form.hostExtra : null,
    fill_ins: fillTo === null ? null : { players: fillTo, level: form.fillLevel },
    entry: {
      min_rating: hasRatings(form) ? numberOrNull(form.minRating) : null,
      max_rating: hasRatings(form) ? numberOrNull(form.maxRating) : null,
      min_matches: numberOrNull(form.minMatches),
      club: form.club.trim() || null,
      password: form.password || null,
    },
  };
}

/** Whether the event may be made again and again: for the members of a club by its officers, for everybody by operators. @param {NewEvent} form @param {boolean} isOperator */
export const mayRepeat = ({ club }, isOperator) => isOperator || club.trim() !== "";

/** Whether the form makes a timetable. @param {NewEvent} form @param {boolean} isOperator */
export const repeats = (form, isOperator) => form.repeat !== "once" && mayRepeat(form, isOperator);

/**
 * The request for a timetable.
 * @param {NewEvent} form
 * @param {{ setup: string, time_control: TimeControl }} terms
 */
export function timetableOf(form, terms) {
  const { repeat, at, zone } = form;
  return {
    every: repeat,
    weekdays: repeat === "weekly" ? WEEKDAYS.filter((day) => form.weekdays.includes(day)) : [],
    at,
    zone: zone.trim(),
    event: { ...wishOf(form, terms), start_at: null, start_players: null },
  };
}
