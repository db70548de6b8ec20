// @ts-check
// The types of questions to the engine, and of its answers.

/** @import { Side } from "../core/types.js" */

/**
 * The result of a search. A score is in hundredths of the game's unit, from the view of the side to move.
 * @typedef {{ best: string, score: number, proven: boolean, depth: number, nodes: number, pv: string[] }} Thought
 */

/**
 * The move of a computer player, and its intent: it plays the move, offers a draw with it, or resigns in place of it.
 * @typedef {{ move: string, intent: "plays" | "offers-draw" | "resigns" }} Choice
 */

/**
 * A game so far: from its setup, or from a position.
 * @typedef {{ game: string, setup?: string, position?: string, moves?: string }} Played
 */

/**
 * @typedef {{ depth?: number, nodes?: number, movetime_ms?: number, fresh?: boolean }} Limits at least one of the first three; `fresh`
 * forgets earlier searches, so that the same question always has the same answer
 * @typedef {{ level: number, seed: number, movetime_ms?: number }} Player
 * @typedef {{ side: Side, level: number, seed: number }} Offered the side that is offered a draw, and its player
 */

/**
 * @typedef {Played & (({ ask: "think" } & Limits) | ({ ask: "choose" } & Player) | ({ ask: "draw" } & Offered))} Asked
 * @typedef {Asked & { id: number }} Question
 * @typedef {{ id: number, report: Thought } | { id: number, found: Thought | Choice | boolean } | { id: number, error: string }} Answer
 */

export {};
