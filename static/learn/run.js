// @ts-check
// A task in progress: the reader's moves, the replies, and the check of the goals. No DOM; the rules judge.

import { isMet } from "./goals.js";

/** @import { Side } from "../core/types.js" */
/** @import { Game, Task } from "../games/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */

/** @typedef {{ game: Game, task: Task, rules: Rules, side: Side, made: number, state: "open" | "solved" | "wrong" }} Run `made` counts the reader's moves */

/**
 * @param {typeof Rules} Game
 * @param {Game} game
 * @param {Task} task
 * @returns {Run}
 */
export function begin(Game, game, task) {
  const rules = Game.fromPosition(game.id, task.position);
  return { game, task, rules, side: /** @type {Side} */ (rules.turn()), made: 0, state: "open" };
}

/**
 * Plays a legal move of the reader. If the opponent cannot reply as planned, the task is failed.
 * @param {Run} run
 * @param {string} move
 * @returns {string[]} the plies played, the reader's first
 */
export function play(run, move) {
  const { game, task, rules, side } = run;
  const ply = rules.ply();
  rules.play(move);
  run.made += 1;
  if (task.goals.every((goal) => isMet(game, goal, { before: task.position, rules, side }))) run.state = "solved";
  else if (run.made >= task.moves || rules.outcome() !== undefined) run.state = "wrong";
  else
    while (run.state === "open" && rules.turn() !== side) {
      const reply = replyOf(run);
      if (reply === undefined) run.state = "wrong";
      else rules.play(reply);
    }
  return rules.moves().slice(ply);
}

/** @param {Run} run */
function replyOf({ task, rules }) {
  const planned = task.answered ? task.solution[rules.ply()] : undefined;
  return planned !== undefined && rules.legalMoves().includes(planned) ? planned : undefined;
}

/** Takes back the reader's last move, and the replies. @param {Run} run */
export function back(run) {
  const { rules, side } = run;
  if (run.made === 0) return;
  do rules.retreat(1);
  while (rules.turn() !== side && rules.ply() > 0);
  run.made -= 1;
  run.state = "open";
}

/** The next move of the solution, if the reader has followed it so far; else null. @param {Run} run @returns {string | null} */
export function hint({ task, rules }) {
  const moves = rules.moves();
  return moves.every((move, i) => move === task.solution[i]) ? (task.solution[moves.length] ?? null) : null;
}
