// @ts-check
// Events: tournaments and simuls, over REST; and their state over the socket, as it changes.

import { call, query } from "./api.js";

/** @import { EventGame, EventGames, EventSummary, EventTimetable, EventView, Page, ServerMsg, Standings } from "../core/types.js" */
/** @import { Line } from "./socket.js" */

/** @typedef {"coming" | "running" | "finished"} EventList */
/** @typedef {Extract<ServerMsg, { t: "event-state" }>} EventStateMsg */

const at = (/** @type {string} */ id, rest = "") => `/events/${encodeURIComponent(id)}${rest}`;

/** @type {(state: EventList, cursor: string | null, limit?: number) => Promise<Page<EventSummary>>} */
export const getEvents = (state, cursor, limit) => call("GET", `/events?${query({ state, cursor, limit: limit ? String(limit) : null })}`);
/** @type {(wish: Record<string, unknown>) => Promise<EventView>} */
export const postEvent = (wish) => call("POST", "/events", wish);
/** @type {(id: string) => Promise<EventView>} */
export const getEvent = (id) => call("GET", at(id));
/** @type {(id: string, password: string | null) => Promise<EventView>} */
export const joinEvent = (id, password) => call("POST", at(id, "/join"), password === null ? {} : { password });
/** @type {(id: string) => Promise<EventView>} */
export const withdrawFromEvent = (id) => call("POST", at(id, "/withdraw"), {});
/** @type {(id: string) => Promise<EventView>} */
export const pauseInEvent = (id) => call("POST", at(id, "/pause"), {});
/** @type {(id: string) => Promise<EventView>} */
export const resumeInEvent = (id) => call("POST", at(id, "/resume"), {});
/** Asks for half a point without a game, in a round of a Swiss tournament that is not paired yet. @type {(id: string, round: number) => Promise<EventView>} */
export const askForBye = (id, round) => call("POST", at(id, "/bye"), { round });
/** @type {(id: string) => Promise<null>} */
export const cancelEvent = (id) => call("DELETE", at(id));
/** @type {(id: string, cursor: string | null) => Promise<Standings>} */
export const getStandings = (id, cursor) => call("GET", at(id, `/standings?${query({ cursor, limit: "50" })}`));
/** @type {(id: string, round: number, cursor: string | null) => Promise<EventGames>} */
export const getEventGames = (id, round, cursor) => call("GET", at(id, `/games?${query({ round: String(round), cursor, limit: "50" })}`));
/** The games of all rounds, the largest page of them. @type {(id: string, cursor: string | null) => Promise<EventGames>} */
export const getAllGames = (id, cursor) => call("GET", at(id, `/games?${query({ cursor, limit: "100" })}`));
/** The points that players have in a round without a game. @type {(id: string, round: number) => Promise<EventGames["byes"]>} */
export const getByes = async (id, round) => (await call("GET", at(id, `/games?${query({ round: String(round), limit: "1" })}`))).byes;
/**
 * A moderator gives a game that is over another result.
 * @type {(id: string, number: number, judgement: { result: NonNullable<EventGame["result"]>, why: string }) => Promise<EventGame>}
 */
export const judgeGame = (id, number, judgement) => call("PATCH", `/moderation${at(id)}/games/${number}`, judgement);
/**
 * The address of a file of an event: the standings as a table, as a report in TRF, or the record of its matches.
 * @type {(id: string, file: "results.csv" | "results.trf" | "export") => string}
 */
export const eventFile = (id, file) => `/api/v1${at(id, `/${file}`)}`;

/** Those that the reader may stop. @type {(cursor: string | null) => Promise<Page<EventTimetable>>} */
export const getTimetables = (cursor) => call("GET", `/event-timetables?${query({ cursor })}`);
/** @type {(wish: Record<string, unknown>) => Promise<EventTimetable>} */
export const postTimetable = (wish) => call("POST", "/event-timetables", wish);
/** @type {(id: string) => Promise<null>} */
export const stopTimetable = (id) => call("DELETE", `/event-timetables/${encodeURIComponent(id)}`);

/**
 * Follows an event, also on later connections.
 * @param {Line} line
 * @param {string} event
 * @param {(state: EventStateMsg) => void} hear
 * @returns {() => void} stops following
 */
export function watchEvent(line, event, hear) {
  const ask = () => line.send({ t: "watch-event", event });
  const stops = [
    line.onMessage((msg) => {
      if (msg.t === "event-state" && msg.event === event) hear(msg);
    }),
    line.onStatus((status) => {
      if (status === "open") ask();
    }),
  ];
  ask();
  return () => {
    for (const stop of stops) stop();
    line.send({ t: "unwatch-event", event });
  };
}
