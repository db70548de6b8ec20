// @ts-check
// Events over REST: tournaments and simuls.

import { call, query } from "./api.js";

/** @import { PlayerRef, Page, Speed, TimeControl } from "../core/types.js" */

/** @typedef {"arena" | "swiss" | "round-robin" | "knockout" | "simul"} EventKind */
/** @typedef {"coming" | "running" | "finished"} EventList */
/** @typedef {"in" | "paused" | "withdrawn" | "eliminated"} EventPlayerState */

/**
 * Who may join; null means anybody.
 * @typedef {{ min_rating: number | null, max_rating: number | null, min_matches: number | null, club: { handle: string, name: string } | null,
 *   password: boolean }} EventEntry
 */

/**
 * @typedef {Object} EventView
 * @property {string} id
 * @property {EventKind} kind
 * @property {EventList | "cancelled"} state
 * @property {string | null} [cancelled] why it was cancelled
 * @property {string} name
 * @property {string} description
 * @property {string} game
 * @property {string} setup
 * @property {TimeControl} time_control
 * @property {Speed} speed
 * @property {boolean} rated
 * @property {string | null} start_at
 * @property {number | null} start_players the number of players at which it begins
 * @property {number | null} duration_minutes of an arena
 * @property {number | null} rounds of a Swiss tournament
 * @property {number | null} cycles of a round robin
 * @property {number} max_players
 * @property {number} players
 * @property {number} round the round that is played; 0 before the first
 * @property {PlayerRef | null} created_by
 * @property {string | null} [began_at]
 * @property {string | null} finished_at
 * @property {EventEntry} entry
 * @property {{ state: EventPlayerState, place: number | null, match: string | null } | null} me the reader, where they have joined
 * @property {string | null} featured the match of the leaders
 */

/** @typedef {{ opponent: number | null, result: "won" | "drawn" | "lost" | null, points?: number, match: string | null }} StandingGame */
/**
 * @typedef {{ place: number, player: PlayerRef, rating: number | null, points: number, tie_breaks: number[], state: EventPlayerState,
 *   games: StandingGame[], fire: boolean }} StandingRow
 */
/** @typedef {Page<StandingRow> & { tie_break_names: string[] }} Standings */
/**
 * @typedef {{ number: number, round: number, first: PlayerRef, second: PlayerRef, match: string | null,
 *   state: "ready" | "playing" | "ended" | "skipped", result: "first" | "second" | "drawn" | "called-off" | null, skipped: string | null }} EventGame
 */
/** @typedef {Page<EventGame> & { byes?: { player: PlayerRef, points: number }[] }} EventGames */

const at = (/** @type {string} */ id, rest = "") => `/events/${encodeURIComponent(id)}${rest}`;

/** @type {(state: EventList, cursor: string | null) => Promise<Page<EventView>>} */
export const getEvents = (state, cursor) => call("GET", `/events?${query({ state, cursor })}`);
/** @type {(wish: Record<string, unknown>) => Promise<EventView>} */
export const postEvent = (wish) => call("POST", "/events", wish);
/** @type {(id: string) => Promise<EventView>} */
export const getEvent = (id) => call("GET", at(id));
/** @type {(id: string, password: string | null) => Promise<unknown>} */
export const joinEvent = (id, password) => call("POST", at(id, "/join"), password === null ? {} : { password });
/** @type {(id: string) => Promise<unknown>} */
export const withdrawFromEvent = (id) => call("POST", at(id, "/withdraw"), {});
/** @type {(id: string) => Promise<unknown>} */
export const pauseInEvent = (id) => call("POST", at(id, "/pause"), {});
/** @type {(id: string) => Promise<unknown>} */
export const resumeInEvent = (id) => call("POST", at(id, "/resume"), {});
/** @type {(id: string) => Promise<null>} */
export const cancelEvent = (id) => call("DELETE", at(id));
/** @type {(id: string, cursor: string | null) => Promise<Standings>} */
export const getStandings = (id, cursor) => call("GET", at(id, `/standings?${query({ cursor })}`));
/** @type {(id: string, round: number | null, cursor: string | null) => Promise<EventGames>} */
export const getEventGames = (id, round, cursor) =>
  call("GET", at(id, `/games?${query({ round: round === null ? null : String(round), cursor })}`));
/** The address at which the results or the games of an event can be downloaded. @type {(id: string, file: "results.csv" | "results.trf" | "export") => string} */
export const eventFile = (id, file) => `/api/v1${at(id, `/${file}`)}`;
