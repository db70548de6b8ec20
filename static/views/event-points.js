// @ts-check
// The points of players in the course of an event, computed from its games. No DOM: `event-chart.js` draws them.

/** @import { EventGame, EventGames, StandingRow } from "../core/types.js" */

/** The points after a round, or in an arena after a pairing. @typedef {{ round: number, points: number }} Mark */
/** The points of a player: from 0 before the first round to the latest. @typedef {{ row: StandingRow, marks: Mark[] }} Course */

/** The points of a game by the usual count; `play/src/events/state.rs` has the same. */
const POINTS = { won: 1, drawn: 0.5, lost: 0, "called-off": 0 };
/** The points of a win in an arena. */
const WIN = 2;
/** The number of wins in a row after which a game of an arena counts double; `play/src/events/standings.rs` has the same. */
const FIRE = 2;
/** The most horizontal lines of a chart. */
const LINES = 6;

/**
 * The course of a player of a Swiss tournament or a round robin: their row names all games.
 * @param {StandingRow} row
 * @param {ReadonlyMap<number, EventGames["byes"]>} byes by round
 * @param {number} last the round that has begun last
 * @returns {Course}
 */
export function courseByRounds(row, byes, last) {
  /** @type {Map<number, number>} */
  const gains = new Map();
  for (const { round, result } of row.games) if (result !== null) gains.set(round, (gains.get(round) ?? 0) + POINTS[result]);
  for (const [round, given] of byes)
    for (const { player, points } of given) if (player.name === row.player.name) gains.set(round, (gains.get(round) ?? 0) + points);
  const course = courseOf(row, gains, row.games.some(({ result }) => result === null) ? null : last);
  // The games against a player who withdrew early count for nobody, at once.
  const end = course.marks.at(-1);
  if (end && end.round > 0) end.points = row.points;
  return course;
}

/**
 * The rounds in which a player may have had points without a game.
 * @param {StandingRow} row
 * @param {number} last the round that has begun last
 */
export function roundsWithoutGame({ games, points }, last) {
  const won = games.reduce((sum, { result }) => sum + (result === null ? 0 : POINTS[result]), 0);
  if (won >= points) return [];
  const played = new Set(games.map(({ round }) => round));
  return Array.from({ length: last }, (_, i) => i + 1).filter((round) => !played.has(round));
}

/**
 * The course of a player of an arena, whose row names the latest games alone. The order of the pairings is that of the results, because a
 * player has one game at a time.
 * @param {StandingRow} row
 * @param {readonly EventGame[]} games all of the event, by number
 * @param {number} last the last pairing
 * @returns {Course}
 */
export function courseOfArena(row, games, last) {
  const { name } = row.player;
  /** @type {Map<number, number>} */
  const gains = new Map();
  let streak = 0;
  for (const { first, second, round, result, berserk } of games) {
    if (result === null || result === "called-off" || (first.name !== name && second.name !== name)) continue;
    const hasWon = result !== "drawn" && (result === "first" ? first : second).name === name;
    const count = streak >= FIRE ? 2 : 1;
    const bonus = hasWon && berserk.includes(result) ? 1 : 0;
    gains.set(round, hasWon ? WIN * count + bonus : result === "drawn" ? count : 0);
    streak = hasWon ? streak + 1 : 0;
  }
  return courseOf(row, gains, last);
}

/** @param {StandingRow} row @param {Map<number, number>} gains by round @param {number | null} until the round up to which nothing is open; null for the last gain @returns {Course} */
function courseOf(row, gains, until) {
  let points = 0;
  const marks = [{ round: 0, points }];
  for (const [round, gain] of [...gains].sort(([a], [b]) => a - b)) {
    points += gain;
    marks.push({ round, points });
  }
  if (until !== null && (marks.at(-1)?.round ?? 0) < until) marks.push({ round: until, points });
  return { row, marks };
}

/** The points of a course after a round. @param {Course} course @param {number} round */
export const pointsAfter = ({ marks }, round) => marks.findLast((mark) => mark.round <= round)?.points ?? 0;

/** The rounds in which any of the courses changes, in order. @param {readonly Course[]} courses */
export const roundsOf = (courses) =>
  [...new Set(courses.flatMap(({ marks }) => marks.map(({ round }) => round)))].filter((round) => round > 0).sort((a, b) => a - b);

/** The values of the horizontal lines, from 0 to one that is not below `highest`. @param {number} highest */
export function pointLines(highest) {
  const most = Math.max(1, Math.ceil(highest));
  let step = 1;
  // 1, 2, 5, 10, 20, 50 and so on.
  for (let i = 0; Math.ceil(most / step) >= LINES; i++) step *= i % 3 === 1 ? 2.5 : 2;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}
