// @ts-check
// The page of an event as a state, and the functions that change it. No DOM: `event.js` draws it.

import { problemOf } from "../net/api.js";

/** @import { PlayerRef } from "../core/types.js" */
/** @import { Context } from "./context.js" */
/** @import { EventStateMsg } from "../net/events.js" */
/** @import { EventGame, EventGames, EventSummary, EventView, StandingRow, Standings } from "../core/types.js" */

/** The last place on the podium. */
const PODIUM = 3;
/** The most players on it: the two who lose before the final of a knockout share the third place. */
const ON_PODIUM = 4;
/** The number of players whose points are drawn. */
const LEADERS = 5;
/** The kinds whose players gain points from round to round. @type {ReadonlySet<string>} */
const KINDS_WITH_CHART = new Set(["arena", "swiss", "round-robin", "series"]);
/** The number of rounds from which on there is something to draw. */
const ROUNDS_FOR_CHART = 2;

/** What the reader can do. @typedef {"log-in" | "join" | "withdraw" | "pause" | "resume" | "bye" | "cancel"} EventAction */

/**
 * @typedef {Object} EventPage
 * @property {string} id
 * @property {EventView | null} event null until it is there
 * @property {unknown} failure why it is not there, or null
 * @property {unknown} refusal why the last action was refused, or null
 * @property {boolean} busy whether an action has no answer yet
 * @property {(string | null)[]} cursors those of the pages of the standings up to the one shown
 * @property {string | null} next the cursor of the page after it
 * @property {StandingRow[]} rows
 * @property {string[]} tieBreaks the names of the tie-breaks, in their order
 * @property {StandingRow[]} podium
 * @property {StandingRow[]} leaders the first players, whichever page is shown
 * @property {number | null} round the round that the reader has chosen; null for the last one
 * @property {number | null} gamesOf the round of the games
 * @property {EventGame[]} games
 * @property {string | null} moreGames the cursor of its further games
 * @property {{ player: PlayerRef, points: number }[]} byes
 */

/**
 * The state of the page, and what its parts ask of it.
 * @typedef {Object} EventParts
 * @property {Context} ctx
 * @property {EventPage} page
 * @property {() => EventView} event once it is there
 * @property {() => Promise<void>} load fetches what is shown anew
 * @property {() => Promise<void>} loadMore adds further games of the round
 * @property {() => void} update shows a change of the state with the next frame
 */

/** @param {string} id @returns {EventPage} */
export function createEventPage(id) {
  return {
    id,
    event: null,
    failure: null,
    refusal: null,
    busy: false,
    cursors: [null],
    next: null,
    rows: [],
    tieBreaks: [],
    podium: [],
    leaders: [],
    round: null,
    gamesOf: null,
    games: [],
    moreGames: null,
    byes: [],
  };
}

/** Whether something changes without the reader. @param {EventPage} page */
export const isChanging = ({ event, failure }) =>
  event ? event.state === "coming" || event.state === "running" : problemOf(failure).status !== 404;

/** Whether it has players to show. @param {EventPage} page */
export const hasPlayers = ({ event }) => event !== null && event.state !== "cancelled";

/** Whether there are standings and games. @param {EventPage} page */
export const hasBegun = ({ event }) => event !== null && (event.state === "running" || event.state === "finished");

/**
 * Takes in the event.
 * @param {EventPage} page
 * @param {EventView} event
 * @returns {string | null} the reader's match, if it has begun while the page was open
 */
export function hearEvent(page, event) {
  const before = page.event;
  page.event = event;
  page.failure = null;
  const match = event.me?.match ?? null;
  return before !== null && match !== null && match !== before.me?.match ? match : null;
}

/**
 * Takes in a state that the server has sent.
 * @param {EventPage} page
 * @param {EventStateMsg} state
 * @returns {boolean} whether more has changed than it says: the reader's own part, or the games of a round
 */
export function hearState(page, { seq, state, players, round, featured, standings }) {
  const before = page.event;
  if (before === null || seq < before.seq) return false;
  page.event = { ...before, seq, state, players, round, featured };
  hearStandings(page, standings, null);
  // Once the event is over, a change is a moderator's judgement of a game, of which a new connection brings the news.
  const isJudged = before.state === "finished" && seq > before.seq;
  return isJudged || before.me !== null || state !== before.state || (round !== before.round && before.kind !== "arena");
}

/** Notes why the event could not be fetched: what is shown stays. @param {EventPage} page @param {unknown} failure */
export function fail(page, failure) {
  page.failure = failure;
}

/**
 * The items of a new list, where those that have not changed are the same objects: their elements stay.
 * @template T
 * @param {readonly T[]} old
 * @param {readonly T[]} next
 * @param {(item: T) => string | number} keyOf
 * @returns {T[]}
 */
export function merged(old, next, keyOf) {
  const known = new Map(old.map((item) => [keyOf(item), item]));
  return next.map((item) => {
    const same = known.get(keyOf(item));
    return same !== undefined && JSON.stringify(same) === JSON.stringify(item) ? same : item;
  });
}

/** The key of a row: a player has one. @param {StandingRow} row */
export const rowKey = ({ player }) => player.name;
/** @param {EventGame} game */
export const gameKey = ({ number }) => String(number);

/** The cursor of the page of the standings that is shown. @param {EventPage} page */
export const shownCursor = ({ cursors }) => cursors.at(-1) ?? null;

/** Takes in a page of the standings. @param {EventPage} page @param {Standings} standings @param {string | null} cursor of that page */
export function hearStandings(page, { items, next, tie_break_names: names }, cursor) {
  if (cursor === null) {
    const first = merged([...page.leaders, ...page.podium], items.slice(0, Math.max(LEADERS, ON_PODIUM)), rowKey);
    page.podium = first.filter(({ place }) => place <= PODIUM).slice(0, ON_PODIUM);
    page.leaders = first.slice(0, LEADERS);
  }
  // The reader has turned the page meanwhile.
  if (cursor !== shownCursor(page)) return;
  page.rows = merged(page.rows, items, rowKey);
  page.next = next ?? null;
  page.tieBreaks = names;
}

/** Turns to the page after the one shown, or back. @param {EventPage} page @param {boolean} on */
export function turnPage(page, on) {
  if (on && page.next !== null) page.cursors.push(page.next);
  else if (!on && page.cursors.length > 1) page.cursors.pop();
}

/** Whether the podium is shown: of the first places, once they are final. @param {EventPage} page */
export const hasPodium = ({ event, podium }) => event?.state === "finished" && event.kind !== "simul" && podium.length > 0;

/** Whether the points of the leaders are drawn. @param {EventPage} page */
export const hasChart = (page) =>
  page.event !== null &&
  hasBegun(page) &&
  KINDS_WITH_CHART.has(page.event.kind) &&
  roundsBegun(page) >= ROUNDS_FOR_CHART &&
  page.leaders.some(({ points }) => points > 0);

/** The two rows of the score of a series that has begun, the leader first; null for other kinds. @param {EventPage} page @returns {readonly [StandingRow, StandingRow] | null} */
export function scoreOf(page) {
  const [one, other] = page.leaders;
  return page.event?.kind === "series" && hasBegun(page) && one && other ? [one, other] : null;
}

/** The number of rounds that have begun. @param {EventPage} page */
export const roundsBegun = ({ event }) => event?.round ?? 0;

/** The round whose games are shown; of an arena the pairing. @param {EventPage} page */
export const shownRound = (page) => Math.min(page.round ?? roundsBegun(page), roundsBegun(page));

/** Chooses a round. @param {EventPage} page @param {number} round */
export function chooseRound(page, round) {
  const last = roundsBegun(page);
  const chosen = Math.max(1, Math.min(round, last));
  // The last one goes on with the event.
  page.round = chosen === last ? null : chosen;
}

/**
 * Takes in the first games of a round; further ones that the reader has asked for stay.
 * @param {EventPage} page
 * @param {EventGames} games
 * @param {number} round
 */
export function hearGames(page, { items, next, byes }, round) {
  if (round !== shownRound(page)) return;
  const further = page.gamesOf === round ? page.games.slice(items.length) : [];
  page.games = merged(page.games, [...items, ...further], gameKey);
  if (further.length === 0) page.moreGames = next;
  page.byes = merged(page.byes, byes, ({ player }) => player.name);
  page.gamesOf = round;
}

/** The games that are over, or could not be played: those that a moderator can judge. @param {readonly EventGame[]} games */
export const gamesOver = (games) => games.filter(({ state }) => state === "ended" || state === "skipped");

/** Whether the reader can judge games: a moderator who does not play in the event. @param {EventPage} page @param {boolean} isModerator */
export const mayJudge = (page, isModerator) => isModerator && hasBegun(page) && page.event?.me === null;

/** Adds further games of the round. @param {EventPage} page @param {EventGames} games @param {number} round */
export function addGames(page, { items, next }, round) {
  if (round !== shownRound(page)) return;
  page.games = [...page.games, ...items];
  page.moreGames = next;
}

/** The time until the event begins or, for an arena, ends; null where it depends on the players. @param {EventSummary & { began_at?: string | null }} event @param {number} now */
export function countdown(event, now) {
  const { state, start_at: start, began_at: began, kind, duration_minutes: minutes } = event;
  if (state === "coming" && start !== null) return { of: /** @type {const} */ ("start"), ms: Math.max(0, Date.parse(start) - now) };
  const since = began ?? start;
  if (state !== "running" || kind !== "arena" || since === null || minutes === null) return null;
  return { of: /** @type {const} */ ("end"), ms: Math.max(0, Date.parse(since) + minutes * 60_000 - now) };
}

/** Whether the player has joined, and not left. @param {EventView} event */
const isIn = ({ me }) => me !== null && (me.state === "in" || me.state === "paused");

/** Whether one can still join: arenas and Swiss tournaments are open while they run. @param {EventView} event */
function isOpen({ state, kind, players, max_players: most, me, fill_ins: fillIns }) {
  const isTime = state === "coming" || (state === "running" && (kind === "arena" || kind === "swiss"));
  // Computer players who fill in take no place; the server knows how many people there are.
  const hasPlace = players < most || (state === "running" && fillIns !== null);
  return isTime && (me !== null || hasPlace) && me?.state !== "eliminated";
}

/** Whether the reader may have half a point without a game in the next round. @param {EventView} event */
const canAskBye = ({ kind, me, state, round, rounds }) =>
  kind === "swiss" && me?.state === "in" && (state === "coming" || state === "running") && round < (rounds ?? 0);

/** What the reader can do now. @param {EventPage} page @param {PlayerRef | null} player @returns {EventAction[]} */
export function actionsOf({ event }, player) {
  if (event === null) return [];
  /** @type {EventAction[]} */
  const actions = [];
  if (!isIn(event) && isOpen(event)) actions.push(player?.kind === "account" ? "join" : "log-in");
  const isLong = event.state === "running" && (event.kind === "arena" || event.kind === "swiss");
  if (isIn(event) && isLong) actions.push(event.me?.state === "paused" ? "resume" : "pause");
  if (canAskBye(event)) actions.push("bye");
  const isHost = event.kind === "simul" && player?.name === event.created_by.name;
  if (isIn(event) && !isHost && (event.state === "coming" || event.state === "running")) actions.push("withdraw");
  if (event.may_cancel) actions.push("cancel");
  return actions;
}

/** Whether the event is full, and the reader not in it. @param {EventPage} page */
export const isFull = ({ event }) => event !== null && event.state === "coming" && event.me === null && event.players >= event.max_players;
